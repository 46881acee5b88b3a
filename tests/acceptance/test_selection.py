"""From the call to the licence over HTTP, in each town as its own law goes."""

from __future__ import annotations

import hashlib
import json
from datetime import date, timedelta
from typing import TYPE_CHECKING, Any

import pytest

from api.types.scalars import global_id
from services.nights import night
from tests.acceptance.applying import stand_of_its_own
from tests.acceptance.calling import LOTTERY, Calling
from tests.acceptance.stage import BARRA, COTRIGUACU, PLANS, articles, publish
from tests.support.selection import verified

if TYPE_CHECKING:
    from pathlib import Path

    from tests.acceptance.stage import Stage


def states(call: Any) -> dict[str, str]:
    return {each["id"]: each["state"] for each in call["candidates"]}


async def test_barra_s_order_ends_in_a_draw_that_a_stranger_repeats(stage: Stage, tmp_path: Path) -> None:
    """Art. 35: equals in everything are judged, then drawn; the first signs and has their permit and licence."""
    here = Calling(stage, BARRA)
    await here.opens()
    for _ in range(3):
        await here.enrols()
    last = await here.enrols(candidate__dependants="0")
    ana, bia, caio = [each["id"] for each in here.candidates[:3]]
    early = await here.does(
        "secretary/enterSeed", callId=here.call["id"], seed="1", source=LOTTERY, drawnOn="2026-03-09"
    )
    frozen = await here.freezes()
    tied = here.candidates[:3]
    here.candidates = tied
    seen_first = await stage.run("public/publicCall", town=BARRA, number=here.call["number"])
    judged = await here.judges(6, 1, 1, 1)
    here.pass_days(4)
    drawn = {"seed": "48213", "source": LOTTERY, "drawnOn": str(here.today)}
    await here.done("secretary/enterSeed", callId=here.call["id"], **drawn)
    result = await here.done("secretary/publishResult", callId=here.call["id"])
    told = await stage.run("public/drawProof", town=BARRA, number=here.call["number"])
    run = verified(json.loads(told["text"]), tmp_path)

    (first,) = seen_first["lists"]
    assert (seen_first["seed"], seen_first["drawSource"]) == (None, LOTTERY)
    assert first["publishedOn"] < seen_first["drawOn"], "anybody has the list's hash before the lottery is drawn"
    assert hashlib.sha256(first["text"].encode()).hexdigest() == first["sha256"]
    assert json.loads(told["text"])["lists"][0]["sha256"] == first["sha256"], "and the proof starts from it"
    assert (early["code"], early["decision"]["outcome"]) == ("REFUSED", "DENIED")
    assert articles(early["decision"]) == {"art. 35"}
    assert (frozen["waits"], judged["waits"]) == ("judgement", "seed")
    order = [each["id"] for each in result["candidates"]]
    assert order[3] == last["id"]
    assert {ana, bia, caio} == set(order[:3])
    assert (run.returncode, run.stderr) == (0, "")
    assert len(json.loads(run.stdout)) == len(order)

    here.pass_days(8)
    awarded = await here.done("mayor/award", callId=here.call["id"])
    assert states(awarded)[order[0]] == "awarded"
    signed = await here.done("mayor/signAdhesion", candidateId=order[0], judged=True)
    licence = await stage.act(
        "clerk/issueLicence", {"permitId": signed["permitId"], "judged": True}, town=BARRA, role="secretary"
    )
    assert (signed["state"], licence["state"]) == ("signed", "active")


async def test_cotriguacu_bids_and_whoever_does_not_sign_in_five_days_is_followed(stage: Stage) -> None:
    """Art. 4 and 5: proposals judged, the term to sign by whom it is awarded to, then by the next; then the licence."""
    here = Calling(stage, COTRIGUACU)
    awarded = await here.awarded()
    first, second = [each["id"] for each in here.candidates]
    call = await stage.run("clerk/call", town=COTRIGUACU, id=here.call["id"])
    (due,) = call["candidates"][0]["deadlines"]
    assert states(awarded) == {first: "awarded", second: "enrolled"}
    assert (due["kind"], due["article"]) == ("adesao", "Lei 624/2009, art. 4, § 1")
    assert date.fromisoformat(due["lastDay"]) >= here.today + timedelta(days=5)

    here.pass_days(12)
    await night(stage.database, [await stage.town(COTRIGUACU)], here.today)

    late = await here.does("mayor/signAdhesion", candidateId=first, judged=True)
    assert late["code"] == "REFUSED"
    assert "Prazo vencido" in late["message"]
    call = await stage.run("clerk/call", town=COTRIGUACU, id=here.call["id"])
    assert states(call) == {first: "lost", second: "awarded"}
    signed = await here.done(
        "mayor/signAdhesion", candidateId=second, judged=True, **await stand_of_its_own(stage, COTRIGUACU)
    )
    permit = await stage.run("clerk/permit", town=COTRIGUACU, id=signed["permitId"])
    (to_issue,) = [each for each in permit["deadlines"] if each["kind"] == "primeiro_alvara"]
    assert (to_issue["state"], to_issue["article"]) == ("open", "Lei 624/2009, art. 4, § 2")
    assert date.fromisoformat(to_issue["lastDay"]) >= here.today + timedelta(days=10)

    given = {"permitId": signed["permitId"], "judged": True}
    await stage.done("clerk/issueLicence", given, town=COTRIGUACU)

    permit = await stage.run("clerk/permit", town=COTRIGUACU, id=signed["permitId"])
    assert "met" in [each["state"] for each in permit["deadlines"] if each["kind"] == "primeiro_alvara"]


async def test_an_objection_that_is_upheld_opens_the_order_again(stage: Stage) -> None:
    here = Calling(stage, BARRA)
    await here.published()
    first, second = [each["id"] for each in here.candidates]
    filed = await here.done("clerk/fileObjection", candidateId=second, says="Tenho mais um dependente.")
    pending = await here.does("mayor/award", callId=here.call["id"])
    more = [{"code": "candidate.dependants", "value": "3"}]
    await stage.done(
        "mayor/decideObjection",
        {"objectionId": filed["id"], "upheld": True, "why": "Certidão juntada.", "facts": more},
        town=BARRA,
    )
    again = await here.done("secretary/publishResult", callId=here.call["id"])

    assert pending["code"] == "REFUSED"
    assert [each["id"] for each in again["candidates"]] == [second, first]
    assert [each["revision"] for each in again["lists"]] == [1, 2, 3]


def undoable(town: str) -> str:
    """The town's own order, with two ways to undo a call: one by the mayor after an opinion, one at any time."""
    pack = PLANS[town].pack
    start = pack.index("[[selection]]")
    order = pack[start : pack.index("\n[[", start)].rstrip()
    ways = """
undoing = [
  { code = "revogacao", title = "Revogação", needs = ["parecer"], decides = "prefeito", cite = "art. 35" },
  { code = "anulacao", title = "Anulação", until = "published", cite = "art. 35" },
]
"""
    return order + ways


async def test_a_call_is_undone_as_the_law_has_it_and_all_who_answered_it_are_told(stage: Stage) -> None:
    await publish(stage, BARRA, undoable(BARRA), norm="Lei 4.001/2026")
    here = Calling(stage, BARRA)
    await here.frozen(vacancies=2)
    given = {"callId": here.call["id"], "undoing": "revogacao", "why": "O ponto vai ser fechado."}
    met = [{"code": "parecer", "source": "Parecer 12/2026"}]
    unheard = await stage.act("secretary/undoCall", given, town=BARRA, role="mayor")
    elsewhere = await stage.act("secretary/undoCall", {**given, "met": met}, town=BARRA)
    undone = await stage.act("secretary/undoCall", {**given, "met": met}, town=BARRA, role="mayor")

    assert [each["code"] for each in unheard["decision"]["missing"]] == ["selection.parecer"]
    assert elsewhere["code"] == "FORBIDDEN"
    assert (undone["state"], undone["undone"], undone["undoneWhy"]) == ("undone", "revogacao", given["why"])
    assert {each["state"] for each in undone["deadlines"]} <= {"met", "expired"}
    again = await stage.act("secretary/undoCall", {**given, "met": met}, town=BARRA, role="mayor")
    published = await here.does("secretary/publishResult", callId=here.call["id"])
    assert [no["code"] for no in (again, published)] == ["REFUSED"] * 2
    assert "ficou sem efeito em 10/03/2026" in published["message"]
    async with stage.database.reader(await stage.town(BARRA)) as tx:
        notices = await tx.rows("SELECT subject_id FROM notice WHERE template = 'call_undone'")
    assert {global_id("candidate", row.subject_id) for row in notices} == {each["id"] for each in here.candidates}
    await here.opens(2)  # its vacancies are free again


async def test_what_the_law_lets_be_annulled_until_the_award_is_not_after_it(stage: Stage) -> None:
    await publish(stage, BARRA, undoable(BARRA), norm="Lei 4.001/2026")
    here = Calling(stage, BARRA)
    await here.published()
    given = {"callId": here.call["id"], "undoing": "anulacao", "why": "Vício no edital."}
    revoked = await stage.act("secretary/undoCall", {**given, "undoing": "revogacao"}, town=BARRA, role="mayor")
    here.pass_days(8)
    awarded = await here.done("mayor/award", callId=here.call["id"])
    annulled = await stage.act("secretary/undoCall", given, town=BARRA)

    assert (revoked["code"], awarded["state"], annulled["code"]) == ("REFUSED", "awarded", "REFUSED")
    assert "já passou da fase" in annulled["message"]


@pytest.mark.parametrize("town", [BARRA, COTRIGUACU])
async def test_who_has_no_office_for_it_does_nothing(stage: Stage, town: str) -> None:
    here = Calling(stage, town)
    given = {"category": "taxi", "vacancies": 1, "announcedOn": "2026-03-02", "closesOn": "2026-03-09"}
    no = await stage.act("secretary/openCall", given, town=town, role="inspector")

    assert no["code"] == "FORBIDDEN"
    assert no["citations"]
    assert here.call == {}
