"""Complaints of the public and records in their processes, on the days on which the law counts."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest

from tests.acceptance.living import Living
from tests.acceptance.stage import BARRA, COTRIGUACU, articles
from tests.acceptance.test_records import licensed, plate_of, recorded

if TYPE_CHECKING:
    from tests.acceptance.stage import Stage

OPENING = {"openedBy": "registro_de_ocorrencia", "text": "Instaura-se."}


@pytest.fixture
async def town(legislated: Stage) -> Living:
    made = Living(legislated, COTRIGUACU)
    made.on("2011-05-05")
    return made


async def complaint(town: Living, number: str) -> Any:
    page = await town.ask("inspector/complaints", first=50)
    return next(edge["node"] for edge in page["edges"] if edge["node"]["number"] == number)


async def test_a_complaint_is_followed_with_its_secret_alone(town: Living) -> None:
    filed = await town.done("public/fileComplaint", text="Recusou a corrida.", plate="NPM4321")
    known = await town.ask("public/followComplaint", number=filed["number"], secret=filed["secret"])

    assert (filed["number"], known["answerUntil"]) == ("0001/2011", "2011-06-06")
    assert "art. 34, VII" in articles(filed["decision"])
    noes = [
        await town.stage.body("public/followComplaint", town=COTRIGUACU, number=number, secret=secret)
        for number, secret in ((filed["number"], "x"), ("0009/2011", filed["secret"]), (filed["number"], ""))
    ]
    assert noes[0] == noes[1] == noes[2]
    assert noes[0]["errors"][0]["extensions"]["code"] == "NOT_FOUND"


async def test_the_secret_is_nowhere_in_the_register(town: Living) -> None:
    filed = await town.done("public/fileComplaint", text="Recusou a corrida.")
    async with town.stage.database.transaction(await town.stage.town(COTRIGUACU)) as tx:
        rows = await tx.rows(
            "SELECT c::text AS row FROM complaint AS c WHERE tenant_id = :tenant UNION ALL "
            "SELECT a.body FROM act AS a WHERE tenant_id = :tenant"
        )

    assert len(rows) > 1
    assert not any(filed["secret"] in row.row or filed["secret"].encode().hex() in row.row for row in rows)


async def test_silence_escalates_and_a_late_answer_is_one_all_the_same(town: Living) -> None:
    filed = await town.done("public/fileComplaint", text="Recusou a corrida.")
    known = await complaint(town, filed["number"])
    town.on("2011-06-06")
    await town.night()
    in_time = await town.ask("clerk/notices", first=50)
    town.on("2011-06-07")
    await town.night()

    told = await town.ask("clerk/notices", first=50)
    assert len(told["edges"]) > len(in_time["edges"])
    assert told["edges"][0]["node"]["template"] == "term_escalated"
    (waits,) = [edge["node"] for edge in (await town.ask("clerk/escalations", office="prefeito"))["edges"]]
    assert (waits["kind"], waits["subjectId"], waits["dueOn"]) == ("reclamacao", known["id"], "2011-06-06")
    assert "art. 34, VII" in waits["article"]
    assert (await town.ask("clerk/escalations", office="financas"))["edges"] == []
    late = await town.done("inspector/answerComplaint", complaintId=known["id"], answer="Apurado.", founded=False)
    assert (late["answeredOn"], late["answerUntil"]) == ("2011-06-07", "2011-06-06")
    shown = await town.ask("public/followComplaint", number=filed["number"], secret=filed["secret"])
    assert (shown["answer"], shown["founded"]) == ("Apurado.", False)
    assert (await town.ask("clerk/escalations"))["edges"] == []
    (closed,) = [edge["node"] for edge in (await town.ask("clerk/escalations", state="closed"))["edges"]]
    assert (closed["closedOn"], closed["closedAs"], closed["daysLate"]) == ("2011-06-07", "met", 1)


async def test_an_answer_in_time_meets_the_term(town: Living) -> None:
    filed = await town.done("public/fileComplaint", text="Recusou a corrida.")
    known = await complaint(town, filed["number"])
    town.on("2011-06-06")
    await town.done("inspector/answerComplaint", complaintId=known["id"], answer="Apurado.", founded=False)
    again = await town.act("inspector/answerComplaint", complaintId=known["id"], answer="De novo.", founded=True)
    tried = await town.act("inspector/tryComplaint", complaintId=known["id"], infractions=["CO-40-III"], **OPENING)
    before = len((await town.ask("clerk/notices", first=50))["edges"])
    town.on("2011-06-10")
    await town.night()

    assert (again["code"], tried["code"]) == ("CONFLICT", "CONFLICT")
    assert len((await town.ask("clerk/notices", first=50))["edges"]) == before


async def test_an_answer_is_no_longer_than_a_notice_can_tell(town: Living) -> None:
    filed = await town.done("public/fileComplaint", text="Recusou a corrida.", email="ana@example.org")
    known = await complaint(town, filed["number"])

    said = await town.act("inspector/answerComplaint", complaintId=known["id"], answer="a" * 10_001, founded=False)

    assert (said["code"], said["field"]) == ("INVALID", "answer")
    await town.done("inspector/answerComplaint", complaintId=known["id"], answer="a" * 10_000, founded=False)


async def test_a_founded_complaint_becomes_a_case_of_the_permit_of_that_day(town: Living) -> None:
    permit = await licensed(town)
    town.on("2011-05-05")
    plate = await plate_of(town, permit)
    filed = await town.done("public/fileComplaint", text="Recusou.", plate=plate, happenedOn="2011-05-04")
    known = await complaint(town, filed["number"])
    assert known["permitId"] == permit["id"]
    await town.done("inspector/answerComplaint", complaintId=known["id"], answer="Procede.", founded=True)

    given = {"complaintId": known["id"], "infractions": ["CO-40-III"], "openedBy": "denuncia", "text": "Instaura-se."}
    made = await town.done("inspector/tryComplaint", **given)
    again = await town.act("inspector/tryComplaint", **given)

    assert made["caseNumber"] == "0001/2011"
    assert again["code"] == "CONFLICT"
    shown = await town.ask("public/followComplaint", number=filed["number"], secret=filed["secret"])
    assert shown["caseNumber"] == "0001/2011"


async def test_a_town_takes_so_many_in_an_hour(town: Living) -> None:
    most = town.stage.web.settings.complaints_an_hour
    for _ in range(most):
        await town.done("public/fileComplaint", text="Recusou a corrida.")
    one_more = await town.act("public/fileComplaint", text="Recusou a corrida.")
    town.stage.at(town.stage.web.clock.now() + timedelta(hours=1))
    later = await town.act("public/fileComplaint", text="Recusou a corrida.")

    assert (one_more["code"], later["number"]) == ("CONFLICT", f"{most + 1:04d}/2011")


async def test_a_law_without_a_term_takes_complaints_all_the_same(legislated: Stage) -> None:
    town = Living(legislated, BARRA)
    town.on("2010-05-05")
    filed = await town.done("public/fileComplaint", text="Recusou a corrida.")

    assert (filed["answerUntil"], filed["decision"]["outcome"]) == (None, "UNDETERMINED")
    assert [each["kind"] for each in filed["decision"]["missing"]] == ["rule"]


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ({"text": " "}, "text"),
        ({"text": "a", "plate": "1"}, "plate"),
        ({"text": "a", "happenedOn": "2011-05-06"}, "happenedOn"),
    ],
)
async def test_what_cannot_be_is_refused_by_its_field(town: Living, given: dict[str, str], field: str) -> None:
    assert (await town.act("public/fileComplaint", **given))["field"] == field


# --- Records in their processes, and what they count for --------------------------------------------------------------


async def test_a_record_in_a_process_is_final_with_it_and_not_before(town: Living) -> None:
    permit = await licensed(town)
    town.on("2011-05-05")
    first = await recorded(town, ["CO-39-I"], permitId=permit["id"])
    town.on("2011-05-10")
    await town.done("inspector/tryOccurrence", occurrenceId=first["id"], **OPENING)
    town.on("2011-05-20")

    second = await recorded(town, ["CO-39-I"], permitId=permit["id"])

    assert [each["what"] for each in second["penalties"]] == ["warning"], "the first is still being tried"
    assert (await town.act("inspector/tryOccurrence", occurrenceId=first["id"], **OPENING))["code"] == "CONFLICT"


async def test_a_fine_of_somebody_without_a_permit_goes_to_a_process(town: Living) -> None:
    record = await recorded(town, ["CO-40-VI"], plate="NPM4321", offenderName="Fulano")
    made = await town.done("inspector/tryOccurrence", occurrenceId=record["id"], **OPENING)

    assert made["caseNumber"] == "0001/2011"
    assert made["penalties"][0]["finalOn"] is None


async def test_conduct_says_what_stands_on_a_day_and_what_the_law_counts(town: Living) -> None:
    permit = await licensed(town)
    for day in ("2011-05-05", "2011-05-20"):
        town.on(day)
        await recorded(town, ["CO-39-I"], permitId=permit["id"])
    town.on("2011-06-02")

    early, late = [await town.ask("inspector/conduct", subjectId=permit["id"], on=on) for on in ("2011-05-13", None)]

    assert [(e["penalty"]["what"], e["final"], e["counts"]) for e in early["entries"]] == [("warning", False, False)]
    assert [(e["penalty"]["what"], e["final"], e["counts"], e["paid"]) for e in late["entries"]] == [
        ("warning", True, True, None),
        ("fine", True, False, False),
    ]
    assert [(r["infraction"], r["nth"], r["counted"]) for r in early["repetition"]] == [("CO-39-I", 1, [])]
    assert [(r["infraction"], r["nth"], r["counted"]) for r in late["repetition"]] == [("CO-39-I", 2, ["2011-05-05"])]
    assert late["points"]["message"] == "A lei não conta pontos neste caso."


async def test_conduct_shows_a_suspension_in_force_on_its_days_alone(town: Living) -> None:
    permit = await licensed(town)
    town.on("2011-05-05")
    proposal = await town.done("inspector/proposeSuspension", permitId=permit["id"], infraction="CO-41-IV")
    town.on("2011-05-20")
    await town.done("mayor/finalizeSuspension", proposalId=proposal["id"], until="2011-05-29")
    town.on("2011-06-02")

    days = ("2011-05-19", "2011-05-20", "2011-05-29", "2011-05-30")
    found = [(await town.ask("inspector/conduct", subjectId=permit["id"], on=day))["measures"] for day in days]

    assert [[each["inForce"] for each in measures] for measures in found] == [[], [True], [True], [False]]
    assert (found[1][0]["what"], found[1][0]["since"], found[1][0]["until"]) == (
        "suspension",
        "2011-05-20",
        "2011-05-29",
    )
