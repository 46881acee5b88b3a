"""Who may come in, and into which town."""

import base64
import hmac
import json
import os
import stat
from datetime import timedelta
from typing import Any

import pytest
from joserfc import jwt
from joserfc.jwk import ECKey, OKPKey, RSAKey

from services.clock import FixedClock
from tests.support.web import ISSUER, Edge

WHO = "{ viewer { subject kind } municipality { slug } }"


def claims(web: Edge, **changes: Any) -> dict[str, Any]:
    now = int(web.clock.now().timestamp())
    return {"iss": ISSUER, "aud": "praca", "sub": "ana", "town": "vila-nova", "iat": now, "exp": now + 600} | changes


def signed(web: Edge, **changes: Any) -> str:
    """A token of the issuer's real key."""
    folder = web.settings.keys_dir
    assert folder is not None
    key = ECKey.import_key(json.loads((folder / "issuer.json").read_text()))
    said = {name: value for name, value in claims(web, **changes).items() if value is not None}
    return jwt.encode({"alg": "ES256", "kid": key.thumbprint()}, said, key, algorithms=["ES256"])


def by_hand(header: dict[str, str], said: dict[str, Any], *, secret: bytes = b"") -> str:
    """As a forger would make it: no library lends a hand."""
    text = b".".join(base64.urlsafe_b64encode(json.dumps(part).encode()).rstrip(b"=") for part in (header, said))
    signature = hmac.new(secret, text, "sha256").digest() if secret else b""
    return (text + b"." + base64.urlsafe_b64encode(signature).rstrip(b"=")).decode()


async def refused(web: Edge, token: str) -> bool:
    answer = await web.post(WHO, token=token, host="vila-nova.test")
    code = answer.json()["errors"][0]["extensions"]["code"] if answer.status_code != 200 else None
    return answer.status_code == 401 and code == "UNAUTHENTICATED" and "data" not in answer.json()


async def test_a_good_token_says_who_and_which_town(web: Edge) -> None:
    data = await web.ask(WHO, token=signed(web))

    assert data == {"viewer": {"subject": "ana", "kind": "public"}, "municipality": {"slug": "vila-nova"}}


@pytest.mark.parametrize(
    "changes",
    [
        {"exp": 10**9},
        {"exp": None},
        {"aud": "another"},
        {"aud": None},
        {"iss": "https://evil.test"},
        {"sub": None},
        {"nbf": 4 * 10**9},
    ],
    ids=lambda changes: "-".join(f"{k}={v}" for k, v in changes.items()),
)
async def test_a_stale_or_foreign_token_is_worth_nothing(web: Edge, changes: dict[str, Any]) -> None:
    assert await refused(web, signed(web, **changes))


@pytest.mark.filterwarnings("ignore:EdDSA is deprecated")
@pytest.mark.parametrize("algorithm", ["RS256", "EdDSA"])
async def test_other_issuers_sign_otherwise(web: Edge, algorithm: str) -> None:
    key: RSAKey | OKPKey = RSAKey.generate_key(2048) if algorithm == "RS256" else OKPKey.generate_key("Ed25519")
    folder = web.settings.keys_dir
    assert folder is not None
    (folder / "jwks.json").write_text(json.dumps({"keys": [{**key.as_dict(private=False), "kid": "theirs"}]}))
    token = jwt.encode({"alg": algorithm, "kid": "theirs"}, claims(web), key, algorithms=[algorithm])

    assert (await web.ask(WHO, token=token))["viewer"]["subject"] == "ana"


async def test_a_token_of_an_algorithm_that_is_not_listed_is_worth_nothing(web: Edge) -> None:
    """Neither unsigned, nor signed with the public key as if it were a shared secret."""
    folder = web.settings.keys_dir
    assert folder is not None
    public = (folder / "jwks.json").read_bytes()

    assert await refused(web, by_hand({"alg": "none"}, claims(web)))
    assert await refused(web, by_hand({"alg": "HS256"}, claims(web), secret=public))


async def test_a_token_signed_by_another_key_is_worth_nothing(web: Edge) -> None:
    own = ECKey.generate_key("P-256", private=True, auto_kid=True)
    folder = web.settings.keys_dir
    assert folder is not None
    known = json.loads((folder / "jwks.json").read_text())["keys"][0]["kid"]
    forged = jwt.encode({"alg": "ES256", "kid": known}, claims(web), own, algorithms=["ES256"])

    assert await refused(web, forged)
    assert await refused(web, "no.token.atall")
    assert await refused(web, signed(web)[:-4] + "AAAA")


async def test_a_remembered_token_still_expires(web: Edge) -> None:
    token = signed(web)
    await web.ask(WHO, token=token)

    clock = web.clock
    assert isinstance(clock, FixedClock)
    clock.advance(timedelta(hours=1))

    assert await refused(web, token)


async def test_host_and_token_of_different_towns_are_forbidden(web: Edge) -> None:
    answer = await web.post(WHO, token=web.token(town="serra-alta"), host="vila-nova.test")

    assert answer.status_code == 403
    assert answer.json()["errors"][0]["extensions"]["code"] == "FORBIDDEN"


async def test_the_path_counts_as_a_host(web: Edge) -> None:
    own = await web.ask(WHO, path="/t/serra-alta/graphql")
    other = await web.post(WHO, token=web.token(town="vila-nova"), path="/t/serra-alta/graphql")
    none = await web.post(WHO, path="/t/no-such-town/graphql")

    assert own["municipality"]["slug"] == "serra-alta"
    assert (other.status_code, none.status_code) == (403, 403)


async def test_no_header_but_the_host_names_a_town(web: Edge) -> None:
    lying = {"x-forwarded-host": "vila-nova.test", "x-tenant": "vila-nova", "x-town": "vila-nova"}

    assert await web.codes("{ municipality { slug } }", headers=lying) == ["INVALID"]


async def test_without_a_token_one_is_nobody_in_the_towns_host(web: Edge) -> None:
    data = await web.ask(WHO, host="vila-nova.test:8443")

    assert data == {"viewer": None, "municipality": {"slug": "vila-nova"}}


async def test_the_operator_needs_no_town(web: Edge) -> None:
    data = await web.ask("{ viewer { kind powers } }", token=web.token("root", operator=True))

    assert data["viewer"]["kind"] == "operator"
    assert "onboard" in data["viewer"]["powers"]


async def test_the_signing_key_is_ours_alone_and_only_its_public_half_is_served(web: Edge) -> None:
    folder = web.settings.keys_dir
    assert folder is not None
    served = (await web.client.get("/.well-known/jwks.json")).json()["keys"]

    assert stat.S_IMODE(os.stat(folder / "issuer.json").st_mode) == 0o600
    assert [key["kty"] for key in served] == ["EC"]
    assert all("d" not in key for key in served)
