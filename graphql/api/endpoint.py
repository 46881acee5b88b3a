"""`/graphql`: one operation a request, JSON in and out. A simple form of another site cannot reach it."""

from collections.abc import Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

import orjson
from graphql import ExecutionResult, GraphQLError, GraphQLSchema
from starlette.requests import Request
from starlette.responses import Response

from api.auth import Unauthenticated, Verifier
from api.context import Context
from api.documents import Document, Documents
from api.errors import log, plain_error, shown
from api.execution import execute
from api.towns import Address, Towns, bare_host
from api.watching import Seen, operation
from services import logs
from services.database import Database
from services.errors import Forbidden
from services.settings import Settings

JSON = "application/json"
GRAPHQL_JSON = "application/graphql-response+json"
NUL = rb"\u0000"  # as JSON writes it, also within a document: no text of the database can hold it


class BadRequest(Exception):
    """The request is no GraphQL request."""

    def __init__(self, status: HTTPStatus, message: str) -> None:
        super().__init__(message)
        self.status = status


@dataclass(frozen=True, slots=True)
class Asked:
    """The members of a request's body."""

    query: str | None
    digest: str | None
    variables: dict[str, Any] | None
    operation: str | None


@dataclass(frozen=True, slots=True)
class Endpoint:
    """What every request needs; made at start."""

    schema: GraphQLSchema
    settings: Settings
    database: Database
    documents: Documents
    verifier: Verifier
    towns: Towns

    async def __call__(self, request: Request) -> Response:
        request_id: str = request.state.request_id
        try:
            asked = await self._asked(request)
            claims = await self.verifier.claims(request.headers.get("authorization"))
            host = bare_host(request.headers.get("host", ""))
            town = await self.towns.of_request(host, request.path_params.get("town"), claims)
        except BadRequest as bad:
            return answer(plain_error(str(bad), "BAD_REQUEST"), bad.status)
        except Unauthenticated as reason:
            log.info("token.refused", request_id=request_id, reason=reason.kind)
            refused = answer(plain_error("Token inválido ou vencido.", "UNAUTHENTICATED"), HTTPStatus.UNAUTHORIZED)
            refused.headers["www-authenticate"] = 'Bearer error="invalid_token"'
            return refused
        except Forbidden as no:
            message = "O endereço e o token não são do mesmo município."
            return answer(plain_error(message, no.code), HTTPStatus.FORBIDDEN)
        with about(town), operation(self.settings) as seen:
            context = Context(self.database, town, claims, request_id)
            result = await self._result(asked, context, seen)
            seen.came_to(result, context.refused)
            return self._answer(request, result, request_id)

    async def _result(self, asked: Asked, context: Context, seen: Seen) -> ExecutionResult:
        try:
            document = self.documents.find(asked.query, asked.digest)
        except GraphQLError as error:
            return ExecutionResult(None, [error])
        seen.of(document)
        if document.errors:
            return ExecutionResult(None, document.errors)
        return await self._executed(document, asked, context)

    async def _executed(self, document: Document, asked: Asked, context: Context) -> ExecutionResult:
        try:
            return await execute(self.schema, document, asked.variables, asked.operation, context)
        finally:
            await context.close()

    def _answer(self, request: Request, result: ExecutionResult, request_id: str) -> Response:
        body: dict[str, Any] = {"data": result.data}
        if result.errors:
            body["errors"] = [shown(error, request_id) for error in result.errors]
            if result.data is None and not any(error.path for error in result.errors):
                del body["data"]
        modern = GRAPHQL_JSON in request.headers.get("accept", "")
        status = HTTPStatus.BAD_REQUEST if modern and "data" not in body else HTTPStatus.OK
        return answer(body, status, GRAPHQL_JSON if modern else JSON)

    async def _asked(self, request: Request) -> Asked:
        """Raises BadRequest."""
        if request.headers.get("content-type", "").partition(";")[0].strip().lower() != JSON:
            raise BadRequest(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, f"Envie {JSON}.")
        content = bytearray()
        async for part in request.stream():
            content += part
            if len(content) > self.settings.request_most_bytes:
                raise BadRequest(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "A requisição é grande demais.")
        try:
            body = orjson.loads(content)
        except orjson.JSONDecodeError as error:
            raise BadRequest(HTTPStatus.BAD_REQUEST, "O corpo não é JSON.") from error
        if NUL in content:
            raise BadRequest(HTTPStatus.BAD_REQUEST, "Nenhum texto tem o caractere nulo (U+0000).")
        if not isinstance(body, dict):
            raise BadRequest(HTTPStatus.BAD_REQUEST, "Envie um objeto, não um lote.")
        return asked_in(body)


def about(town: Address | None) -> AbstractContextManager[None]:
    """Every line of the block names the town."""
    if town is None:
        return nullcontext()
    logs.know_town(town.id, town.slug)
    return logs.about(tenant=town.id)


def asked_in(body: Mapping[str, Any]) -> Asked:
    """What a request, or a message that begins a subscription, asks. Raises BadRequest."""
    extensions = _member(body, "extensions", dict) or {}
    persisted = _member(extensions, "persistedQuery", dict) or {}
    digest = _member(persisted, "sha256Hash", str) or _member(body, "documentId", str)
    return Asked(
        query=_member(body, "query", str) or None,
        digest=digest,
        variables=_member(body, "variables", dict),
        operation=_member(body, "operationName", str) or None,
    )


def _member(body: Mapping[str, Any], name: str, kind: type) -> Any:
    value = body.get(name)
    if value is not None and not isinstance(value, kind):
        raise BadRequest(HTTPStatus.BAD_REQUEST, f"`{name}` não é do tipo esperado.")
    return value


def answer(body: Mapping[str, Any], status: HTTPStatus, media_type: str = JSON) -> Response:
    return Response(orjson.dumps(body), status_code=status, media_type=media_type)
