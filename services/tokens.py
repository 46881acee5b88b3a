"""What a token says of its bearer, and the issuer of the embedded mode: elsewhere tokens come from a town's own."""

import json
import os
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from joserfc import jwt
from joserfc.jwk import ECKey

from services.clock import Clock
from services.settings import Settings

ALGORITHM = "ES256"


@dataclass(frozen=True, slots=True)
class Claims:
    """A verified token's: who, in which town (by slug; None: the host says), and whether the platform's operator."""

    subject: str
    town: str | None
    operator: bool
    expires_at: datetime


class Issuer:
    """Signs with a key of its own, kept in a folder: `issuer.json` for us alone, `jwks.json` for those who verify."""

    def __init__(self, folder: Path) -> None:
        self._key = ECKey.import_key(_kept(folder / "issuer.json"))
        public = {**self._key.as_dict(private=False), "alg": ALGORITHM, "use": "sig"}
        _write(folder / "jwks.json", json.dumps({"keys": [public]}))

    def token(
        self, settings: Settings, clock: Clock, *, subject: str, town: str | None = None, operator: bool = False
    ) -> str:
        """A token for as long as the settings say."""
        now = clock.now()
        claims: dict[str, Any] = {
            "iss": settings.issuer,
            "aud": settings.audience,
            "sub": subject,
            "iat": int(now.timestamp()),
            "exp": int((now + timedelta(seconds=settings.token_lasts_seconds)).timestamp()),
        }
        if town is not None:
            claims["town"] = town
        if operator:
            claims["operator"] = True
        header = {"alg": ALGORITHM, "kid": self._key.thumbprint()}
        return jwt.encode(header, claims, self._key, algorithms=[ALGORITHM])


def _kept(path: Path) -> dict[str, Any]:
    """The private key, made at the first call; of two that make one at once, the first to finish counts."""
    if not path.exists():
        made = ECKey.generate_key("P-256", private=True, auto_kid=True)
        draft = path.with_suffix(f".{os.getpid()}")
        _write(draft, json.dumps(made.as_dict(private=True)))
        with suppress(FileExistsError):
            os.link(draft, path)
        draft.unlink()
    kept: dict[str, Any] = json.loads(path.read_text())
    return kept


def _write(path: Path, text: str) -> None:
    """Readable by its owner only, and never half written to those who read it meanwhile."""
    draft = path.with_suffix(f".{os.getpid()}.draft")
    with open(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:  # law-free: a file's mode
        file.write(text)
    draft.replace(path)
