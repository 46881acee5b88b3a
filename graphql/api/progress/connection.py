"""One WebSocket connection: its messages in turn, its subscriptions side by side."""

import asyncio
from collections.abc import AsyncGenerator, Mapping
from time import monotonic
from typing import Any

import orjson
import structlog
from graphql import ExecutionResult, GraphQLError
from starlette.websockets import WebSocket, WebSocketDisconnect

from api.context import Context
from api.documents import Document
from api.endpoint import BadRequest, Endpoint, asked_in
from api.errors import shown
from api.execution import subscribe
from api.progress.looking import JobLooker
from api.progress.messages import REASONS, End, Ended, member, read
from api.towns import Address
from api.watching import Seen
from services import metrics
from services.errors import Expected
from services.tokens import Claims

log = structlog.get_logger(__name__)


class Connection:
    def __init__(self, socket: WebSocket, endpoint: Endpoint, jobs: JobLooker, request_id: str) -> None:
        self.socket = socket
        self._endpoint, self._jobs, self._request_id = endpoint, jobs, request_id
        self._settings = endpoint.settings
        self._running: dict[str, asyncio.Task[None]] = {}
        self._heard = monotonic()

    async def began(self) -> Mapping[str, Any]:
        """What the client says of itself, first and soon. Raises Ended."""
        try:
            async with asyncio.timeout(self._settings.socket_init_seconds):
                while (message := await self._next())["type"] == "ping":
                    await self.send(type="pong")
        except TimeoutError as late:
            raise Ended(End.INIT_LATE) from late
        if message["type"] != "connection_init":
            raise Ended(End.UNAUTHORIZED)
        return message

    async def serve(self, town: Address, claims: Claims) -> None:
        """Until the client leaves. Raises Ended when it is to be left."""
        await self.send(type="connection_ack")
        while True:
            message = await self._heard_of()
            if self._endpoint.database.clock.now() >= claims.expires_at:
                raise Ended(End.UNAUTHORIZED)
            match message["type"]:
                case "ping":
                    await self.send(type="pong")
                case "pong":
                    continue
                case "subscribe":
                    await self._begin(message, town, claims)
                case "complete":
                    await self._end(member(message, "id", str))
                case "connection_init":
                    raise Ended(End.TOO_MANY)
                case _:
                    raise Ended(End.BAD)

    async def _heard_of(self) -> Mapping[str, Any]:
        """The next message. Raises Ended when for too long neither side has said anything."""
        while True:
            left = self._heard + self._settings.socket_idle_seconds - monotonic()
            if left <= 0:
                raise Ended(End.IDLE)
            receiving = asyncio.ensure_future(self._next())
            done, _ = await asyncio.wait({receiving}, timeout=left)
            if done:
                return receiving.result()
            receiving.cancel()
            await asyncio.gather(receiving, return_exceptions=True)

    async def _next(self) -> Mapping[str, Any]:
        try:
            text = await self.socket.receive_text()
        except KeyError as binary:
            raise Ended(End.BAD) from binary
        self._heard = monotonic()
        return read(text, self._settings.socket_most_bytes)

    async def _begin(self, message: Mapping[str, Any], town: Address, claims: Claims) -> None:
        id, payload = member(message, "id", str), member(message, "payload", dict)
        if id in self._running:
            raise Ended(End.TAKEN)
        if len(self._running) >= self._settings.socket_subscriptions:
            await self._refuse(id, GraphQLError("Assinaturas demais nesta conexão.", extensions={"code": "TOO_MANY"}))
            return
        context = Context(self._endpoint.database, town, claims, self._request_id, self._jobs)
        self._running[id] = asyncio.create_task(self._run(id, payload, context), name="subscription")

    async def _run(self, id: str, payload: Mapping[str, Any], context: Context) -> None:
        """One subscription, from its document to its end."""
        seen, result = Seen(), ExecutionResult(None)
        try:
            stream = await self._stream(payload, context, seen)
            if isinstance(stream, ExecutionResult):
                result = stream
                await self._refuse(id, *(stream.errors or ()))
                return
            try:
                async for result in stream:
                    if self._endpoint.database.clock.now() >= context.claims.expires_at:  # type: ignore[union-attr]
                        raise Ended(End.UNAUTHORIZED)
                    await self.send(id=id, type="next", payload=self._shown(result))
            finally:
                await stream.aclose()
            await self.send(id=id, type="complete")
        except Expected as no:  # met while it ran: the office was lost
            result = ExecutionResult(None, [GraphQLError(str(no), original_error=no)])
            await self._refuse(id, *result.errors or ())
        except Ended as ended:
            await self.close(ended.end)
        except WebSocketDisconnect:
            seen.outcome = "left"
        except Exception:
            log.exception("subscription.bug", operation=seen.operation)
            await self.close(End.BAD)
        finally:
            self._running.pop(id, None)
            seen.came_to(result, None)
            metrics.change("requests", seen.operation, seen.outcome)
            log.info("subscription", operation=seen.operation, outcome=seen.outcome)

    async def _stream(
        self, payload: Mapping[str, Any], context: Context, seen: Seen
    ) -> AsyncGenerator[ExecutionResult, None] | ExecutionResult:
        try:
            asked = asked_in(payload)
            document: Document = self._endpoint.documents.find(asked.query, asked.digest)
        except BadRequest as bad:
            return ExecutionResult(None, [GraphQLError(str(bad), extensions={"code": "BAD_REQUEST"})])
        except GraphQLError as error:
            return ExecutionResult(None, [error])
        seen.of(document)
        return await subscribe(self._endpoint.schema, document, asked.variables, asked.operation, context)

    def _shown(self, result: ExecutionResult) -> dict[str, Any]:
        body: dict[str, Any] = {"data": result.data}
        if result.errors:
            body["errors"] = [shown(error, self._request_id) for error in result.errors]
        return body

    async def _refuse(self, id: str, *errors: GraphQLError) -> None:
        await self.send(id=id, type="error", payload=[shown(error, self._request_id) for error in errors])

    async def _end(self, id: str) -> None:
        """The client wants no more of it."""
        task = self._running.pop(id, None)
        if task is not None:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    async def send(self, **message: Any) -> None:
        await self.socket.send_text(orjson.dumps(message).decode())
        self._heard = monotonic()

    async def close(self, end: End) -> None:
        """Nothing to do where the client has left already."""
        if self.socket.application_state.name == "CONNECTED" and self.socket.client_state.name == "CONNECTED":
            await self.socket.close(end, REASONS[end])

    async def stop(self) -> None:
        """Whatever runs on it."""
        tasks = list(self._running.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def said_of(message: Mapping[str, Any]) -> str:
    """The token of `connection_init`. Raises Ended when there is none."""
    payload = message.get("payload")
    said = payload if isinstance(payload, dict) else {}
    for name in ("authorization", "Authorization"):
        if isinstance(said.get(name), str):
            return str(said[name])
    raise Ended(End.UNAUTHORIZED)
