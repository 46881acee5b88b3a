"""Who asks: a JSON Web Token verified against the issuer's keys. It proves who; the register says what they may."""

import asyncio
import base64
import json
import urllib.request
from collections import OrderedDict
from typing import Any

from joserfc import jwt
from joserfc.errors import JoseError, UnsupportedAlgorithmError
from joserfc.jwk import KeySet
from joserfc.jws import JWSRegistry
from joserfc.jwt import JWTClaimsRegistry

from services.clock import Clock, moment_of
from services.settings import Settings
from services.tokens import Claims

ALGORITHMS = ("ES256", "RS256", "EdDSA")
BEARER = "bearer"


class Unauthenticated(Exception):
    """The token is malformed, forged, stale, or another audience's. Which, is for our log."""

    @property
    def kind(self) -> str:
        """What was wrong, in no words of the token's."""
        return type(self.__cause__ or self).__name__


class _Signatures(JWSRegistry):
    """Our list is the whole list: no warning about names, no guessing by the kind of key."""

    def get_alg(self, name: str) -> Any:
        if name not in ALGORITHMS:
            raise UnsupportedAlgorithmError(f"algorithm {name!r} is not allowed")
        return self.algorithms[name]


_SIGNATURES = _Signatures(algorithms=ALGORITHMS)


class Keys:
    """The issuer's public keys, read again when a token names one that we do not know, but not at every such token."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._keys = KeySet([])
        self._known: frozenset[str] = frozenset()
        self._read_at: float | None = None
        self._turn = asyncio.Lock()

    async def having(self, kid: str | None) -> KeySet:
        if self._read_at is None or (kid not in self._known and self._stale()):
            async with self._turn:
                if self._read_at is None or self._stale():
                    await self._read()
        return self._keys

    def _stale(self) -> bool:
        now = asyncio.get_running_loop().time()
        return self._read_at is None or now - self._read_at >= self._settings.jwks_refresh_seconds

    async def _read(self) -> None:
        text = await asyncio.to_thread(self._text)
        self._keys = KeySet.import_key_set(json.loads(text))
        self._known = frozenset(key.kid for key in self._keys.keys if key.kid is not None)
        self._read_at = asyncio.get_running_loop().time()

    def _text(self) -> str | bytes:
        settings = self._settings
        if settings.jwks_file is not None:
            return settings.jwks_file.read_text()
        if settings.jwks_url is None:
            return '{"keys": []}'
        with urllib.request.urlopen(str(settings.jwks_url), timeout=settings.jwks_timeout_seconds) as answer:  # noqa: S310 - pydantic's HttpUrl
            found: bytes = answer.read()
        return found


class Verifier:
    """Verified tokens are remembered until they expire: a signature costs more than most queries."""

    def __init__(self, settings: Settings, clock: Clock) -> None:
        self._clock = clock
        self._keys = Keys(settings)
        self._kept = settings.tokens_kept
        self._verified: OrderedDict[str, Claims] = OrderedDict()
        self._claims = JWTClaimsRegistry(
            now=lambda: int(clock.now().timestamp()),
            leeway=settings.token_leeway_seconds,
            iss={"essential": True, "value": settings.issuer},
            aud={"essential": True, "value": settings.audience},
            sub={"essential": True},
            exp={"essential": True},
        )

    async def claims(self, authorization: str | None) -> Claims | None:
        """Whose request it is by its Authorization header; None: nobody says.

        Raises:
            Unauthenticated: There is a token, and it is worth nothing.
        """
        if not authorization:
            return None
        scheme, _, token = authorization.partition(" ")
        if scheme.lower() != BEARER or not token:
            raise Unauthenticated("the Authorization header holds no bearer token")
        known = self._verified.get(token)
        if known is not None and self._clock.now() < known.expires_at:
            return known
        claims = await self._verify(token)
        self._verified[token] = claims
        while len(self._verified) > self._kept:
            self._verified.popitem(last=False)
        return claims

    async def _verify(self, token: str) -> Claims:
        try:
            header = json.loads(_decoded(token.partition(".")[0]))
            keys = await self._keys.having(header.get("kid") if isinstance(header, dict) else None)
            claims = jwt.decode(token, keys, registry=_SIGNATURES).claims
            self._claims.validate(claims)
        except (JoseError, ValueError) as error:  # ValueError: no JSON, no base64, or no key of that id
            raise Unauthenticated(str(error)) from error
        town = claims.get("town")
        return Claims(
            subject=claims["sub"],
            town=town if isinstance(town, str) else None,
            operator=claims.get("operator") is True,
            expires_at=moment_of(claims["exp"]),
        )


def _decoded(part: str) -> bytes:
    return base64.urlsafe_b64decode(part + "=" * (-len(part) % 4))  # law-free: base64 is padded to fours
