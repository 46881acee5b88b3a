"""A file is put where the hash of its content says: PUT /imports/{sha256}?name=taxis.xlsx, the content as it is.

Not by a form: a page of another site cannot send a PUT, nor our token.
"""

import re
from dataclasses import dataclass
from http import HTTPStatus

from starlette.requests import Request
from starlette.responses import Response

from api.auth import Unauthenticated, Verifier
from api.context import Context
from api.endpoint import BadRequest, answer
from api.errors import plain_error
from api.towns import Towns, bare_host
from api.types.failures import extensions_of
from api.types.scalars import global_id
from services.database import Database, Transaction
from services.errors import Expected, Forbidden, Invalid, NotFound
from services.importing.receiving import MEDIA_TYPES, receive
from services.settings import Settings

SHA256 = re.compile(r"[0-9a-f]{64}")
STATUS = {Forbidden: HTTPStatus.FORBIDDEN, Invalid: HTTPStatus.UNPROCESSABLE_ENTITY, NotFound: HTTPStatus.NOT_FOUND}


@dataclass(frozen=True, slots=True)
class Upload:
    """What every request needs; made at start."""

    settings: Settings
    database: Database
    verifier: Verifier
    towns: Towns

    async def __call__(self, request: Request) -> Response:
        try:
            claims = await self.verifier.claims(request.headers.get("authorization"))
            host = bare_host(request.headers.get("host", ""))
            town = await self.towns.of_request(host, request.path_params.get("town"), claims)
            if claims is None:
                raise Unauthenticated("no token")
            context = Context(self.database, town, claims, request.state.request_id)
            media_type = request.headers.get("content-type", "").partition(";")[0].strip().lower()
            if media_type not in MEDIA_TYPES:
                raise BadRequest(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, f"Envie {' ou '.join(MEDIA_TYPES)}.")
            return await self._kept(request, context, media_type)
        except BadRequest as bad:
            return answer(plain_error(str(bad), "BAD_REQUEST"), bad.status)
        except Unauthenticated:
            body = plain_error("Token ausente, inválido ou vencido.", "UNAUTHENTICATED")
            refused = answer(body, HTTPStatus.UNAUTHORIZED)
            refused.headers["www-authenticate"] = 'Bearer error="invalid_token"'
            return refused
        except Expected as no:
            body = {"errors": [{"message": str(no), "extensions": dict(extensions_of(no))}]}
            return answer(body, STATUS.get(type(no), HTTPStatus.CONFLICT))

    async def _kept(self, request: Request, context: Context, media_type: str) -> Response:
        """Whoever may not is told so before anything is read."""
        async with self.database.reader(context.town_id) as tx:
            (await context.actor_in(tx)).must("register")
        sha256 = str(request.path_params["sha256"])
        if not SHA256.fullmatch(sha256):
            raise BadRequest(HTTPStatus.BAD_REQUEST, "O endereço é o SHA-256 do conteúdo, em hexadecimal.")
        content, name = await self._content(request), request.query_params.get("name", "")

        async def keep(tx: Transaction) -> tuple[str, bool]:
            actor = await context.actor_in(tx)
            id, new = await receive(tx, actor, sha256=sha256, content=content, media_type=media_type, name=name)
            return global_id("import", id), new

        id, new = await self.database.perform(context.town_id, keep)
        body = {"id": id, "sha256": sha256, "size": len(content), "new": new}
        return answer(body, HTTPStatus.CREATED if new else HTTPStatus.OK)

    async def _content(self, request: Request) -> bytes:
        """Raises BadRequest as soon as it is more than we take."""
        most = self.settings.import_most_bytes
        declared = request.headers.get("content-length", "")
        if declared.isdecimal() and int(declared) > most:
            raise BadRequest(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, f"O arquivo passa de {most} bytes.")
        content = bytearray()
        async for part in request.stream():
            content += part
            if len(content) > most:
                raise BadRequest(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, f"O arquivo passa de {most} bytes.")
        return bytes(content)
