"""A file is put where the hash of its content says, by whoever may register, in their own town."""

import hashlib
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from services.database import Database
from services.importing.reading import CSV, XLSX
from tests.functional.test_mutations import LAW
from tests.support.register import found
from tests.support.web import Edge, edge

CONTENT = b"Nome;CPF\nAna;111.444.777-35\n"
SHA256 = hashlib.sha256(CONTENT).hexdigest()
MOST_BYTES = 1_000
APPOINT = "mutation ($input: AppointInput!) { appoint(input: $input) { __typename } }"


@pytest.fixture
async def web(own_database: Database, tmp_path: Path) -> AsyncIterator[Edge]:
    """Two towns with somebody at the counter of each: `bia`."""
    for town in ("vila-nova", "serra-alta"):
        await found(own_database, town, law=LAW)
    async with edge(own_database, tmp_path, import_most_bytes=MOST_BYTES) as made:
        for town in ("vila-nova", "serra-alta"):
            given = {"subject": "bia", "office": "balcao", "since": "2026-01-01"}
            token = made.token("root", town=town, operator=True)
            await made.ask(APPOINT, variables={"input": given}, token=token)
        yield made


async def put(
    web: Edge,
    content: bytes = CONTENT,
    *,
    who: str | None = "bia",
    town: str = "vila-nova",
    sha256: str = SHA256,
    path: str = "/imports/",
    **headers: str,
) -> httpx.Response:
    token = {"authorization": f"Bearer {web.token(who, town=town)}"} if who else {}
    sent = {"content-type": CSV, **token, **{name.replace("_", "-"): value for name, value in headers.items()}}
    return await web.client.put(f"{path}{sha256}?name=taxis.csv", content=content, headers=sent)


def code(answer: httpx.Response) -> str:
    return str(answer.json()["errors"][0]["extensions"]["code"])


async def test_the_same_content_is_one_file_of_its_town(web: Edge) -> None:
    first, again, other = await put(web), await put(web), await put(web, town="serra-alta")

    assert [answer.status_code for answer in (first, again, other)] == [201, 200, 201]
    assert first.json() == {"id": first.json()["id"], "sha256": SHA256, "size": len(CONTENT), "new": True}
    assert again.json() == {**first.json(), "new": False}
    assert other.json()["id"] != first.json()["id"]


async def test_on_one_machine_the_path_stands_for_the_town(web: Edge) -> None:
    assert (await put(web, path="/t/vila-nova/imports/")).status_code == 201
    assert (await put(web, path="/t/serra-alta/imports/")).status_code == 403


@pytest.mark.parametrize(
    ("change", "status", "why"),
    [
        ({"who": None}, 401, "UNAUTHENTICATED"),
        ({"authorization": "Bearer x.y.z"}, 401, "UNAUTHENTICATED"),
        ({"who": "ze"}, 403, "FORBIDDEN"),
        ({"host": "serra-alta.test"}, 403, "FORBIDDEN"),
        ({"content_type": "application/json"}, 415, "BAD_REQUEST"),
        ({"content_type": "multipart/form-data; boundary=x"}, 415, "BAD_REQUEST"),
        ({"sha256": "ABC"}, 400, "BAD_REQUEST"),
        ({"sha256": "0" * 64}, 422, "INVALID"),
        ({"content": b"", "sha256": hashlib.sha256(b"").hexdigest()}, 422, "INVALID"),
        ({"content": b"x" * (MOST_BYTES + 1)}, 413, "BAD_REQUEST"),
    ],
)
async def test_what_is_refused(web: Edge, change: dict[str, Any], status: int, why: str) -> None:
    answer = await put(web, **change)

    assert (answer.status_code, code(answer)) == (status, why)


async def test_more_than_was_announced_is_not_read_to_its_end(web: Edge) -> None:
    """A body in pieces, without a length."""

    async def pieces() -> AsyncIterator[bytes]:
        for _ in range(3):
            yield b"x" * MOST_BYTES

    headers = {"content-type": XLSX, "authorization": f"Bearer {web.token('bia', town='vila-nova')}"}
    answer = await web.client.put(f"/imports/{SHA256}", content=pieces(), headers=headers)

    assert answer.status_code == 413


async def test_it_is_no_form_and_no_simple_request(web: Edge) -> None:
    """A page of another site can send neither a PUT nor our token without being asked about first."""
    assert (await web.client.post(f"/imports/{SHA256}", content=CONTENT)).status_code == 405
    asks = {"access-control-request-method": "PUT", "access-control-request-headers": "authorization"}
    own = await web.client.options(f"/imports/{SHA256}", headers={"origin": "https://vila-nova.test", **asks})
    evil = await web.client.options(f"/imports/{SHA256}", headers={"origin": "https://evil.test", **asks})

    assert (own.status_code, evil.status_code) == (204, 403)
    assert "PUT" in own.headers["access-control-allow-methods"]
