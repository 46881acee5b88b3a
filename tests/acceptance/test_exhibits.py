"""Photographs of a record are pieces of its case: numbered, hashed, printed, checked; not for everybody."""

from __future__ import annotations

import base64
import hashlib
import json
import struct
import subprocess
import sys
import uuid
import zlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from services import acts
from services.evidence.cleaning import drop_orphans
from services.evidence.storage import storage_of
from tests.acceptance.living import Living
from tests.acceptance.stage import COTRIGUACU, articles
from tests.support.pages import words_of

if TYPE_CHECKING:
    import httpx

    from tests.acceptance.stage import Stage

VERIFY = Path(__file__).parents[2] / "docs" / "verify_case.py"
OPENING = {"openedBy": "registro_de_ocorrencia", "text": "Instaura-se."}
SEEN = "2011-05-05"


def picture(red: int, side: int = 40) -> bytes:
    """A PNG that can be drawn, of one colour."""

    def part(name: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    rows = b"".join(b"\0" + bytes([red, 40, 40]) * side for _ in range(side))
    head = struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + part(b"IHDR", head) + part(b"IDAT", zlib.compress(rows)) + part(b"IEND", b"")


FIRST, SECOND = picture(200), picture(90)
BROKEN = b"\x89PNG\r\n\x1a\n" + b"\0" * 64


@pytest.fixture
async def town(legislated: Stage) -> Living:
    town = Living(legislated, COTRIGUACU)
    town.on(SEEN)
    return town


async def put(town: Living, content: bytes, of: str, *, role: str = "inspector") -> str:
    id = str(uuid.uuid4())
    asking = town.stage.asking(role, town.town)
    headers = {"authorization": f"Bearer {asking['token']}"}
    sent = await town.stage.web.client.put(f"/evidence/{id}?occurrence={of}", content=content, headers=headers)
    assert sent.status_code == 201, sent.text
    return id


async def get(town: Living, path: str, role: str) -> httpx.Response:
    asking = town.stage.asking(role, town.town)
    headers = {"authorization": f"Bearer {asking['token']}"} if "token" in asking else {"host": asking["host"]}
    return await town.stage.web.client.get(path, headers=headers)


async def tried(town: Living, *pictures: bytes, client: str = "r-1") -> Any:
    """The case of a record with photographs."""
    for content in pictures:
        await put(town, content, client)
    sent = {"clientId": client, "seenAt": f"{town.today}T11:30", "place": "Praça", "notifiedOn": str(town.today)}
    record = await town.done(
        "inspector/recordOccurrence", infractions=["CO-40-VI"], offenderName="Fulano", plate="ABC1D23", **sent
    )
    made = await town.done("inspector/tryOccurrence", occurrenceId=record["id"], **OPENING)
    page = await town.ask("clerk/cases", first=100)
    id = next(each["node"]["id"] for each in page["edges"] if each["node"]["number"] == made["caseNumber"])
    return await case(town, id)


async def case(town: Living, id: str) -> Any:
    return await town.ask("clerk/case", id=id)


async def twin_of(town: Living, id: str) -> tuple[dict[str, Any], bytes]:
    found = await town.ask("clerk/caseFile", id=id)
    twin: dict[str, Any] = json.loads(found["twin"])
    return twin, base64.b64decode(found["pdf"])


def verified(twin: dict[str, Any], folder: Path, *contents: bytes) -> tuple[int, str]:
    path, kept = folder / "case.json", folder / "files"
    path.write_text(json.dumps(twin, ensure_ascii=False), encoding="utf-8")
    kept.mkdir(exist_ok=True)
    for at, content in enumerate(contents):
        (kept / f"{at}").write_bytes(content)
    run = subprocess.run(
        [sys.executable, "-I", str(VERIFY), str(path), str(kept)], capture_output=True, text=True, check=False
    )
    return run.returncode, run.stdout + run.stderr


async def test_the_record_and_each_photograph_are_pieces_in_order(town: Living) -> None:
    made = await tried(town, FIRST, SECOND)

    pieces = made["pieces"]
    assert [(each["kind"], each["seq"], each["firstPage"], each["restricted"]) for each in pieces] == [
        ("opening", 1, 1, True),
        ("record", 2, 2, True),
        ("evidence", 3, 3, True),
        ("evidence", 4, 4, True),
    ]
    assert pieces[1]["title"] == "Registro de ocorrência nº 0001/2011 (cópia)"
    assert "REGISTRO DE OCORRÊNCIA nº 0001/2011" in pieces[1]["text"]
    assert pieces[2]["title"] == "Prova do registro nº 0001/2011: fotografia"
    hashes = [hashlib.sha256(each).hexdigest() for each in (FIRST, SECOND)]
    assert [each["evidence"]["sha256"] for each in pieces[2:]] == hashes
    assert f"SHA-256: {hashes[0]}" in pieces[2]["text"]
    assert (await get(town, pieces[2]["evidence"]["path"], "inspector")).content == FIRST


async def test_the_pdf_shows_the_picture_and_the_twin_is_checked_with_it(town: Living, tmp_path: Path) -> None:
    made = await tried(town, FIRST)
    without = await tried(town, client="r-2")
    twin, paper = await twin_of(town, made["id"])
    _, plain = await twin_of(town, without["id"])

    assert (paper.count(b"/Subtype/Image"), plain.count(b"/Subtype/Image")) == (1, 0)
    assert verified(twin, tmp_path, FIRST) == (
        0,
        f"{made['number']}: 3 pieces, 3 pages, as they were filed; 1 exhibits as they were filed\n",
    )


async def test_another_picture_in_its_place_shows(town: Living, tmp_path: Path) -> None:
    made = await tried(town, FIRST)
    twin, _ = await twin_of(town, made["id"])

    assert verified(twin, tmp_path, SECOND)[0] == 1, "not the file that was filed"
    twin["pieces"][2]["evidence"]["sha256"] = hashlib.sha256(SECOND).hexdigest()
    code, told = verified(twin, tmp_path, FIRST, SECOND)
    assert (code, told) == (1, "WRONG: piece 3 shows another file than was filed\n")


async def test_what_cannot_be_drawn_or_was_changed_is_said_on_its_page(town: Living) -> None:
    made = await tried(town, BROKEN, FIRST)
    kept = [path for path in town.stage.web.settings.evidence_folder.rglob("*") if path.is_file()]
    (stored,) = [path for path in kept if path.read_bytes() == FIRST]
    stored.write_bytes(SECOND)
    _, paper = await twin_of(town, made["id"])

    said = words_of(paper)
    assert "(O arquivo não se imprime aqui; confira-o pelo SHA-256 acima.)" in said
    assert "(ATENÇÃO: o arquivo guardado não está lá, ou já não confere com o SHA-256 acima.)" in said
    assert paper.count(b"/Subtype/Image") == 0


async def test_a_photograph_that_comes_when_the_case_is_open_is_its_next_piece(town: Living) -> None:
    made = await tried(town, FIRST)
    await put(town, SECOND, "r-1")

    pieces = (await case(town, made["id"]))["pieces"]
    assert [each["kind"] for each in pieces] == ["opening", "record", "evidence", "evidence"]
    assert pieces[-1]["previous"] == pieces[-2]["chain"]


async def test_only_what_is_for_everybody_is_shown_to_everybody(town: Living) -> None:
    made = await tried(town, FIRST)
    asked = {"caseId": made["id"], "title": "Placa do ponto", "text": "Vista do ponto.", "restricted": False}
    shown = await put(town, SECOND, "avulsa")
    again = {**asked, "evidenceId": (await evidence_id(town, shown))}
    found = await town.done("inspector/addPiece", **again)
    public = await town.ask("public/publicCase", number=made["number"])

    assert [each["evidence"] is not None for each in public["pieces"]] == [False, False, False, True]
    assert "Vista do ponto." in public["pieces"][-1]["text"]
    restricted, open_one = [f"/evidence/{id}" for id in (path_id(made["pieces"][2]), path_id(found["pieces"][-1]))]
    assert [(await get(town, path, "public")).status_code for path in (restricted, open_one)] == [403, 200]
    assert (await town.act("inspector/addPiece", **again))["code"] == "CONFLICT", "once in a file"


def path_id(piece: Any) -> str:
    return str(piece["evidence"]["path"]).rpartition("/")[2]


async def evidence_id(town: Living, id: str) -> str:
    """As the API names it."""
    from api.types.scalars import global_id

    return str(global_id("evidence", uuid.UUID(id)))


async def test_a_photograph_is_destroyed_with_its_case_and_its_hash_stays(town: Living, tmp_path: Path) -> None:
    made = await tried(town, FIRST)
    party = made["parties"][0]["id"]
    await town.done(
        "inspector/serveParty",
        caseId=made["id"],
        partyId=party,
        way="person",
        dates=[{"name": "acknowledged", "on": SEEN}],
    )
    town.on("2011-05-16")
    await town.night()
    found = await case(town, made["id"])
    await town.done("inspector/enforceCharge", caseId=made["id"], chargeId=found["charges"][0]["id"])
    await town.done("inspector/archiveCase", caseId=made["id"], text="Arquive-se.")
    town.on("2016-05-16")
    await town.night()
    early = await town.act("secretary/disposeCase", caseId=made["id"])
    town.on("2016-05-17")
    await town.done("secretary/holdCase", caseId=made["id"], why="Ordem do juízo da comarca.")
    await town.night()
    held = await town.act("secretary/disposeCase", caseId=made["id"])
    await town.done("secretary/releaseCase", caseId=made["id"], why="Ordem revogada.")
    await town.night()
    assert (await case(town, made["id"]))["state"] == "archived", "no night destroys anything"
    assert [(no["code"], no["message"]) for no in (early, held)] == [
        ("REFUSED", "O processo ainda deve ser guardado até 16/05/2016."),
        ("REFUSED", "O descarte está suspenso desde 17/05/2016: Ordem do juízo da comarca."),
    ]
    assert "art. 71" in articles(early["decision"])
    gone = await town.done("secretary/disposeCase", caseId=made["id"])
    storage = storage_of(town.stage.web.settings)
    dropped = await drop_orphans(town.stage.database, storage, await town.stage.town(COTRIGUACU))
    twin, paper = await twin_of(town, made["id"])

    await acts.seal_all(town.stage.database, await town.stage.town(COTRIGUACU))
    async with town.stage.database.reader(await town.stage.town(COTRIGUACU)) as tx:
        assert await acts.verify(tx) == [], "the acts and their seals stay"
    public = await town.ask("public/publicCase", number=made["number"])
    shown = gone["pieces"][2]
    assert {each["gone"] for each in [*gone["pieces"], *public["pieces"]]} == {twin["disposed"]["message"]}
    assert [each["chain"] for each in gone["pieces"][:3]] == [each["chain"] for each in made["pieces"]]
    assert (gone["state"], shown["text"], shown["evidence"]["path"]) == ("disposed", None, None)
    assert shown["evidence"]["sha256"] == hashlib.sha256(FIRST).hexdigest()
    assert dropped == 1
    assert (await get(town, f"/evidence/{path_id(made['pieces'][2])}", "inspector")).status_code == 404
    assert paper.count(b"/Subtype/Image") == 0
    assert twin["disposed"]["on"] == "2016-05-17"
    assert "Peça inutilizada em 17/05/2016, findo o prazo de guarda" in twin["disposed"]["message"]
    code, told = verified(twin, tmp_path)
    assert (code, f"{len(twin['pieces'])} destroyed by act {twin['disposed']['act']}" in told) == (0, True)
    assert verified({**twin, "disposed": None}, tmp_path)[0] == 1, "no act, no destruction"


async def test_a_complaint_is_a_piece_of_the_case_that_it_opens(town: Living) -> None:
    filed = await town.done("public/fileComplaint", text="Cobrou a mais do que a tabela.", plate="ABC1D23")
    page = await town.ask("inspector/complaints", first=5)
    known = next(edge["node"] for edge in page["edges"] if edge["node"]["number"] == filed["number"])
    await town.done("inspector/answerComplaint", complaintId=known["id"], answer="Procede.", founded=True)
    opening: dict[str, Any] = {"infractions": ["CO-40-VI"], "openedBy": "denuncia", "text": "Instaura-se."}
    made = await town.done("inspector/tryComplaint", complaintId=known["id"], **opening)
    public = await town.ask("public/publicCase", number=made["caseNumber"])

    assert [each["title"] for each in public["pieces"]] == [
        "Instauração",
        f"Denúncia nº {filed['number']}, recebida em 05/05/2011",
    ]
    assert "Cobrou" not in json.dumps(public)
