"""Photographs over HTTP: what they are by their bytes, how large, whose; sent twice they are one."""

from __future__ import annotations

import asyncio
import hashlib
import uuid
from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from services.access import operator
from services.accounts import appointments
from services.evidence.cleaning import drop_orphans
from services.evidence.storage import Folder, storage_of
from tests.support.register import REMINDERS, found
from tests.support.web import Edge, edge

if TYPE_CHECKING:
    import httpx

    from services.database import Database

OURS, THEIRS = "vila-nova", "serra-alta"
MOST = 5_000
PNG = b"\x89PNG\r\n\x1a\n" + b"\0" * 64
JPEG = b"\xff\xd8\xff\xe0\0\x10JFIF" + b"\0" * 64
WEBP = b"RIFF\x40\0\0\0WEBPVP8 " + b"\0" * 64
PDF = b"%PDF-1.7\n" + b"\0" * 64
LAW = (
    REMINDERS.replace(
        "[[office]]\nrows = [", "[[office]]\nrows = [{ code = 'rua', may = ['record', 'read'], cite = 'art. 4' }, "
    )
    + """
[[infraction]]
rows = [{ code = "I-1", title = "Sujeira", do = "warn", cite = "art. 6" }]
"""
)


@pytest.fixture
async def web(own_database: Database, tmp_path: Path) -> AsyncIterator[Edge]:
    for slug in (OURS, THEIRS):
        town = await found(own_database, slug, law=LAW)
        async with own_database.transaction(town) as tx:
            await appointments.appoint(tx, operator("op"), subject="fiscal", office="rua", since=tx.today)
    async with edge(own_database, tmp_path, evidence_most_bytes=MOST) as made:
        yield made


async def put(
    web: Edge, content: bytes, *, id: uuid.UUID | None = None, of: str = "a", town: str = OURS, who: str = "fiscal"
) -> httpx.Response:
    headers = {"authorization": f"Bearer {web.token(who, town=town)}"} if who else {"host": f"{town}.test"}
    return await web.client.put(f"/evidence/{id or uuid.uuid4()}?occurrence={of}", content=content, headers=headers)


async def get(web: Edge, id: uuid.UUID, *, town: str = OURS, who: str = "fiscal") -> httpx.Response:
    return await web.client.get(f"/evidence/{id}", headers={"authorization": f"Bearer {web.token(who, town=town)}"})


@pytest.mark.parametrize(
    ("content", "media_type"),
    [(PNG, "image/png"), (JPEG, "image/jpeg"), (WEBP, "image/webp"), (PDF, "application/pdf")],
)
async def test_a_file_is_what_its_bytes_say(web: Edge, content: bytes, media_type: str) -> None:
    id = uuid.uuid4()
    sent = await put(web, content, id=id)
    fetched = await get(web, id)

    told = sent.json()
    assert (sent.status_code, told["mediaType"], told["size"]) == (201, media_type, len(content))
    assert told["sha256"] == hashlib.sha256(content).hexdigest()
    assert (fetched.content, fetched.headers["content-type"]) == (content, media_type)
    assert fetched.headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize(
    ("content", "status", "problem"),
    [
        (b"<html><script>alert(1)</script></html>", 422, "type"),
        (b"GIF89a" + b"\0" * 64, 422, "type"),
        (b"MZ" + b"\0" * 64, 422, "type"),
        (b"", 422, "empty"),
        (PNG + b"\0" * MOST, 413, "too_large"),
    ],
)
async def test_what_is_no_photograph_or_too_large_is_not_kept(
    web: Edge, content: bytes, status: int, problem: str
) -> None:
    id = uuid.uuid4()
    sent = await put(web, content, id=id)

    assert (sent.status_code, sent.json()["errors"][0]["extensions"]["problem"]) == (status, problem)
    assert (await get(web, id)).status_code == 404


@pytest.mark.parametrize(("of", "problem"), [("%00", "length"), ("x" * 201, "length"), ("%20", "missing")])
async def test_what_no_record_can_be_called_shows_none(web: Edge, of: str, problem: str) -> None:
    sent = await put(web, PNG, of=of)

    assert (sent.status_code, sent.json()["errors"][0]["extensions"]["problem"]) == (422, problem)


async def test_the_largest_that_may_be_is_kept(web: Edge) -> None:
    assert (await put(web, PNG + b"\0" * (MOST - len(PNG)))).status_code == 201


async def test_sent_again_it_is_the_same_and_with_other_content_a_conflict(web: Edge) -> None:
    id = uuid.uuid4()
    answers = [await put(web, PNG, id=id), await put(web, PNG, id=id), await put(web, JPEG, id=id)]

    assert [each.status_code for each in answers] == [201, 200, 409]
    assert answers[1].json() == answers[0].json()
    assert (await get(web, id)).content == PNG


async def test_sent_five_times_at_once_it_is_one(web: Edge) -> None:
    id = uuid.uuid4()
    answers = await asyncio.gather(*(put(web, PNG, id=id) for _ in range(5)))

    assert {each.status_code for each in answers} <= {200, 201}
    assert (await get(web, id)).content == PNG


async def test_only_who_records_sends_and_only_who_reads_fetches(web: Edge) -> None:
    id = uuid.uuid4()
    stranger, nobody = await put(web, PNG, who="zé"), await put(web, PNG, who="")
    assert (await put(web, PNG, id=id)).status_code == 201

    assert (stranger.status_code, nobody.status_code) == (403, 403)
    assert (await get(web, id, who="zé")).status_code == 403
    bad = await web.client.get(f"/evidence/{id}", headers={"authorization": "Bearer x"})
    assert bad.status_code == 401


async def test_another_town_s_is_as_one_that_never_was(web: Edge) -> None:
    id = uuid.uuid4()
    assert (await put(web, PNG, id=id)).status_code == 201

    theirs, never = await get(web, id, town=THEIRS), await get(web, uuid.uuid4(), town=THEIRS)

    assert (theirs.status_code, theirs.content) == (never.status_code, never.content)
    assert (await put(web, JPEG, id=id, town=THEIRS)).status_code == 201, "the id is free there"
    assert (await get(web, id)).content == PNG


RECORD = """mutation ($input: RecordOccurrenceInput!) { recordOccurrence(input: $input) {
  __typename ... on Occurrence { evidence { path mediaType sha256 } } } }"""


async def record(web: Edge, client_id: str) -> Any:
    given = {"clientId": client_id, "seenAt": "2026-03-10T08:00", "place": "Praça", "infractions": ["I-1"]}
    asked = {"input": {**given, "offenderName": "Fulano"}}
    return (await web.ask(RECORD, variables=asked, token=web.token("fiscal", town=OURS)))["recordOccurrence"]


async def test_a_record_shows_what_came_before_it(web: Edge) -> None:
    id = uuid.uuid4()
    await put(web, PNG, id=id, of="r-1")
    await put(web, JPEG, of="r-2")

    made = await record(web, "r-1")

    (shown,) = made["evidence"]
    assert shown == {"path": f"/evidence/{id}", "mediaType": "image/png", "sha256": hashlib.sha256(PNG).hexdigest()}


async def test_what_no_record_names_in_time_is_removed_and_may_come_again(web: Edge, own_database: Database) -> None:
    kept, lost = uuid.uuid4(), uuid.uuid4()
    await put(web, PNG, id=kept, of="r-1")
    await put(web, JPEG, id=lost, of="never")
    await record(web, "r-1")
    storage = storage_of(web.settings)
    async with own_database.directory() as directory:
        town = await directory.scalar("SELECT id FROM municipality WHERE slug = :slug", slug=OURS)

    early = await drop_orphans(own_database, storage, town)
    web.clock.advance(timedelta(hours=web.settings.evidence_orphan_hours, seconds=1))  # type: ignore[attr-defined]
    late, again = [await drop_orphans(own_database, storage, town) for _ in range(2)]

    assert (early, late, again) == (0, 1, 0)
    assert [(await get(web, id)).status_code for id in (kept, lost)] == [200, 404]
    with pytest.raises(KeyError):
        await storage.get(f"{town}/{lost}")
    assert (await put(web, JPEG, id=lost, of="never")).status_code == 201


async def test_what_was_changed_behind_our_back_is_not_shown(web: Edge) -> None:
    id = uuid.uuid4()
    await put(web, PNG, id=id)
    (stored,) = list(web.settings.evidence_folder.rglob(str(id)))
    stored.write_bytes(JPEG)

    answer = await get(web, id)

    assert (answer.status_code, answer.json()["errors"][0]["extensions"]["code"]) == (500, "INTERNAL")


async def test_a_key_stays_in_its_folder(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="folder"):
        await Folder(tmp_path / "in").put("../out", b"x")
    assert not (tmp_path / "out").exists()
