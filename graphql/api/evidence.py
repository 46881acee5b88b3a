"""`/evidence/{id}`: photographs go in and come out as they are, with the caller's token; not through GraphQL."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any
from uuid import UUID

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from api.auth import Unauthenticated
from api.endpoint import Endpoint, answer
from api.errors import log, plain_error
from api.towns import Address, bare_host
from api.types.scalars import global_id
from services import access
from services.database import Reader
from services.errors import Conflict, Expected, Forbidden, Invalid, NotFound
from services.evidence import keeping
from services.evidence.storage import Storage
from services.tokens import Claims

STATUS: dict[type[Expected], HTTPStatus] = {
    Invalid: HTTPStatus.UNPROCESSABLE_ENTITY,
    NotFound: HTTPStatus.NOT_FOUND,
    Conflict: HTTPStatus.CONFLICT,
    Forbidden: HTTPStatus.FORBIDDEN,
}
TOO_LARGE = "too_large"


@dataclass(frozen=True, slots=True)
class EvidenceEndpoint:
    """What every request needs; made at start."""

    endpoint: Endpoint
    storage: Storage

    async def __call__(self, request: Request) -> Response:
        try:
            claims = await self.endpoint.verifier.claims(request.headers.get("authorization"))
            town = await self._town(request, claims)
            return await (self._put if request.method == "PUT" else self._get)(request, town, claims)
        except Unauthenticated as reason:
            log.info("token.refused", request_id=request.state.request_id, reason=reason.kind)
            return answer(plain_error("Token inválido ou vencido.", "UNAUTHENTICATED"), HTTPStatus.UNAUTHORIZED)
        except Expected as no:
            return _no(no)

    async def _town(self, request: Request, claims: Claims | None) -> Address:
        host = bare_host(request.headers.get("host", ""))
        town = await self.endpoint.towns.of_request(host, request.path_params.get("town"), claims)
        if town is None:
            raise Invalid("town", "missing", "Use o endereço do município, ou um token dele.")
        return town

    async def _put(self, request: Request, town: Address, claims: Claims | None) -> Response:
        """Who sends is known before a byte of it is read."""
        async with self._as(town, claims) as (_, actor):
            actor.must("record")
        content = await self._content(request)
        kept = await keeping.keep(
            self.endpoint.database,
            self.storage,
            actor,
            town.id,
            id=request.path_params["id"],
            client_id=request.query_params.get("occurrence", ""),
            content=content,
        )
        told = {"id": global_id(keeping.NODE, kept.id), "mediaType": kept.media_type, "size": kept.size}
        status = HTTPStatus.CREATED if kept.new else HTTPStatus.OK
        return answer({**told, "sha256": kept.sha256}, status)

    async def _content(self, request: Request) -> bytes:
        most = self.endpoint.settings.evidence_most_bytes
        content = bytearray()
        async for part in request.stream():
            content += part
            if len(content) > most:
                raise Invalid("content", TOO_LARGE, f"O arquivo passa de {most} bytes.")
        return bytes(content)

    async def _get(self, request: Request, town: Address, claims: Claims | None) -> Response:
        id: UUID = request.path_params["id"]
        async with self._as(town, claims) as (tx, actor):
            found = await keeping.to_show(tx, actor, id)
        content = await keeping.fetch(self.storage, town.id, found.id, found.sha256)
        headers = {"content-disposition": "attachment", "etag": f'"{found.sha256}"'}
        return Response(content, media_type=found.media_type, headers=headers)

    @asynccontextmanager
    async def _as(self, town: Address, claims: Claims | None) -> AsyncIterator[tuple[Reader, access.Actor]]:
        async with self.endpoint.database.reader(town.id) as tx:
            if claims is None:
                yield tx, access.PUBLIC
            elif claims.operator:
                yield tx, access.operator(claims.subject)
            else:
                yield tx, await access.actor_of(tx, claims.subject)


def _no(no: Expected) -> Response:
    status = next((status for kind, status in STATUS.items() if isinstance(no, kind)), HTTPStatus.UNPROCESSABLE_ENTITY)
    body: dict[str, Any] = plain_error(str(no), no.code)
    if isinstance(no, Invalid):
        body["errors"][0]["extensions"] |= {"field": no.field, "problem": no.problem}
        status = HTTPStatus.REQUEST_ENTITY_TOO_LARGE if no.problem == TOO_LARGE else status
    return answer(body, status)


def evidence_routes(endpoint: Endpoint, storage: Storage) -> list[BaseRoute]:
    found = EvidenceEndpoint(endpoint, storage)

    async def evidence(request: Request) -> Response:
        return await found(request)

    paths = ["/evidence/{id:uuid}"]
    if endpoint.settings.embedded:
        paths.append("/t/{town}/evidence/{id:uuid}")
    return [Route(path, evidence, methods=["PUT", "GET"]) for path in paths]
