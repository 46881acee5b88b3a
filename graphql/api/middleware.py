"""What every answer carries, whatever it answers. Pure ASGI: wrapping responses costs more than most queries."""

import re
import secrets
from collections.abc import Awaitable, Callable, Mapping
from http import HTTPStatus
from typing import Any

import orjson
import structlog
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from api.errors import internal, plain_error
from api.towns import bare_host
from services import logs

log = structlog.get_logger(__name__)

HEADERS = [
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), geolocation=(), microphone=()"),
    (b"strict-transport-security", b"max-age=31536000; includeSubDomains"),
    (b"cache-control", b"no-store"),
]
NO_CONTENT = b"default-src 'none'; frame-ancestors 'none'; base-uri 'none'"
_REQUEST_ID = re.compile(rb"[A-Za-z0-9._-]{8,64}")
_ID_BYTES = 12  # law-free: how long the id of a request is
_SECONDS_ALLOWED = b"600"


class Envelope:
    """A request's id, taken from the proxy or made; headers that keep browsers strict; no bug ever shown."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        given = dict(scope["headers"]).get(b"x-request-id", b"")
        request_id = given.decode() if _REQUEST_ID.fullmatch(given) else secrets.token_hex(_ID_BYTES)
        scope.setdefault("state", {})["request_id"] = request_id
        begun = False

        async def enveloped(message: Message) -> None:
            nonlocal begun
            if message["type"] == "http.response.start":
                begun = True
                headers = message.setdefault("headers", [])
                present = {name for name, _ in headers}
                headers += [(name, value) for name, value in HEADERS if name not in present]
                if b"content-security-policy" not in present:
                    headers.append((b"content-security-policy", NO_CONTENT))
                headers.append((b"x-request-id", request_id.encode()))
            await send(message)

        try:
            with logs.about(request_id=request_id):
                await self._app(scope, receive, enveloped)
        except Exception:
            log.exception("http.bug", request_id=request_id)
            if begun:
                raise
            await answer(enveloped, HTTPStatus.INTERNAL_SERVER_ERROR, plain_error(internal(request_id), "INTERNAL"))


class Cors:
    """Browsers of the towns' front ends, and of the origins in the settings, may read what we answer. No cookies."""

    def __init__(self, app: ASGIApp, allowed: Callable[[str], Awaitable[bool]]) -> None:
        self._app, self._allowed = app, allowed

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = dict(scope["headers"]) if scope["type"] == "http" else {}
        origin = headers.get(b"origin")
        if origin is None:
            await self._app(scope, receive, send)
            return
        known = await self._allowed(origin.decode("latin-1"))
        about = [(b"vary", b"origin")]
        if known:
            about += [(b"access-control-allow-origin", origin), (b"access-control-expose-headers", b"x-request-id")]
        if scope["method"] == "OPTIONS" and b"access-control-request-method" in headers:
            if known:
                about += [
                    (b"access-control-allow-methods", b"POST, PUT"),
                    (b"access-control-allow-headers", b"authorization, content-type, x-request-id"),
                    (b"access-control-max-age", _SECONDS_ALLOWED),
                ]
            await answer(send, HTTPStatus.NO_CONTENT if known else HTTPStatus.FORBIDDEN, None, about)
            return

        async def with_cors(message: Message) -> None:
            if message["type"] == "http.response.start":
                message.setdefault("headers", []).extend(about)
            await send(message)

        await self._app(scope, receive, with_cors)


def origin_host(origin: str) -> str | None:
    """The host of an origin that a town's front end may have: over TLS."""
    scheme, _, authority = origin.partition("://")
    return bare_host(authority) if scheme == "https" and authority and "/" not in authority else None


async def answer(
    send: Send, status: int, body: Mapping[str, Any] | None, headers: list[tuple[bytes, bytes]] | None = None
) -> None:
    """An answer in JSON, or an empty one."""
    content = b"" if body is None else orjson.dumps(body)
    about = [*(headers or []), (b"content-length", str(len(content)).encode())]
    if body is not None:
        about.append((b"content-type", b"application/json"))
    await send({"type": "http.response.start", "status": status, "headers": about})
    await send({"type": "http.response.body", "body": content})
