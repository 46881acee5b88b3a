"""`/graphql` by WebSocket: who it is, said at the beginning; then subscriptions, and nothing but them."""

import secrets
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress
from uuid import UUID

import structlog
from starlette.websockets import WebSocket, WebSocketDisconnect

from api.auth import Unauthenticated
from api.endpoint import Endpoint, about
from api.progress.connection import Connection, said_of
from api.progress.looking import JobLooker
from api.progress.messages import PROTOCOL, End, Ended
from api.towns import Address, bare_host
from services import logs, metrics
from services.errors import Forbidden
from services.tokens import Claims

log = structlog.get_logger(__name__)
ID_BYTES = 12  # law-free: how long the id of a connection is


class Sockets:
    """Every connection of the process. Made at start."""

    def __init__(self, endpoint: Endpoint, jobs: JobLooker, allowed: Callable[[str], Awaitable[bool]]) -> None:
        self._endpoint, self._jobs, self._allowed = endpoint, jobs, allowed
        self._open: Counter[UUID] = Counter()

    async def __call__(self, socket: WebSocket) -> None:
        """A page of another site, and who speaks another protocol, are not let in at all."""
        if PROTOCOL not in socket.scope["subprotocols"] or not await self._of_ours(socket):
            await socket.close()
            return
        request_id = secrets.token_hex(ID_BYTES)
        await socket.accept(subprotocol=PROTOCOL)
        with logs.about(request_id=request_id):
            connection = Connection(socket, self._endpoint, self._jobs, request_id)
            try:
                with suppress(WebSocketDisconnect):
                    await self._serve(connection)
            except Ended as ended:
                await connection.close(ended.end)
            finally:
                await connection.stop()

    async def _serve(self, connection: Connection) -> None:
        payload = await connection.began()
        claims, town = await self._known(connection.socket, said_of(payload))
        with about(town), self._counted(town.id):
            await connection.serve(town, claims)

    async def _of_ours(self, socket: WebSocket) -> bool:
        """A browser always says where a page is from; what is no browser need not."""
        origin = socket.headers.get("origin")
        if origin is None or await self._allowed(origin):
            return True
        own = origin.partition("://")[2] == socket.headers.get("host")
        return own and self._endpoint.settings.explorable

    async def _known(self, socket: WebSocket, authorization: str) -> tuple[Claims, Address]:
        """Raises Ended."""
        endpoint = self._endpoint
        try:
            claims = await endpoint.verifier.claims(authorization)
            host = bare_host(socket.headers.get("host", ""))
            town = await endpoint.towns.of_request(host, socket.path_params.get("town"), claims)
        except Unauthenticated as reason:
            log.info("token.refused", reason=reason.kind)
            raise Ended(End.UNAUTHORIZED) from reason
        except Forbidden as no:
            raise Ended(End.FORBIDDEN) from no
        if claims is None:
            raise Ended(End.UNAUTHORIZED)
        if town is None:
            raise Ended(End.FORBIDDEN)
        return claims, town

    @contextmanager
    def _counted(self, town: UUID) -> Iterator[None]:
        """Raises Ended when the town has as many as it may."""
        if self._open[town] >= self._endpoint.settings.socket_connections_a_town:
            raise Ended(End.TOO_MANY)
        self._open[town] += 1
        metrics.SOCKETS.inc()
        try:
            yield
        finally:
            metrics.SOCKETS.dec()
            self._open[town] -= 1
            if not self._open[town]:
                del self._open[town]
