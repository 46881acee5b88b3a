"""A holiday, a corrected value: previewed over HTTP, carried out by a worker, seen where each front end looks."""

from __future__ import annotations

from datetime import date, timedelta
from decimal import ROUND_HALF_UP, Decimal
from typing import TYPE_CHECKING, Any

import pytest

from services import jobs
from services.recomputing import running  # noqa: F401 - it names what its jobs do
from tests.acceptance.living import FINES, Living
from tests.acceptance.stage import BARRA, COTRIGUACU

if TYPE_CHECKING:
    from tests.acceptance.stage import Stage

INFRACTION = {BARRA: "II-08", COTRIGUACU: "CO-40-V"}
UNIT = {BARRA: "valor_ufir", COTRIGUACU: "valor_ufm"}
ARTICLE = {BARRA: "art. 29", COTRIGUACU: "art. 40, § 2"}
HOLIDAY = '[[holiday]]\ntitle = "Aniversário da cidade"\nday = {day}\nact = "Lei 77/2011"\n'
LAW = {
    BARRA: 'cite = "anexo, grupo II, item 8"\nby = "financas"\ngroup = "II"\n',
    COTRIGUACU: 'cite = "art. 40, V"\nby = "fiscalizacao"\n',
}
AMENDED = '[[infraction]]\ncode = "{code}"\ntitle = "{title}"\ndo = "{do}"\n{law}{amount}'
TERM = {BARRA: ("defesa", "art. 10"), COTRIGUACU: ("pagar_multa", "art. 73")}


async def worked(stage: Stage, town: str) -> None:
    town_id = await stage.town(town)
    while (await jobs.work(stage.database, town_id)).more:
        continue


async def seen_by(town: Living, publication: str) -> Any:
    cause = {"publicationId": publication}
    found = await town.ask("operator/previewRecomputation", cause=cause, first=100)
    assert not found["rows"]["pageInfo"]["hasNextPage"]
    return found


def rows(found: Any, what: str) -> list[Any]:
    return [edge["node"] for edge in found["rows"]["edges"] if edge["node"]["what"] == what]


async def publish(town: Living, text: str, norm: str) -> str:
    given = {"text": text, "norm": norm, "officialOn": town.today.isoformat()}
    return str((await town.done("operator/publishAmendment", **given))["id"])


async def state_of(town: Living) -> list[Any]:
    """Whatever a recomputation may touch, row by row, and every act."""
    async with town.stage.database.reader(await town.stage.town(town.town)) as tx:
        return [
            *await tx.rows("SELECT d::text FROM deadline AS d WHERE tenant_id = :tenant ORDER BY id"),
            *await tx.rows("SELECT f::text FROM fine AS f WHERE tenant_id = :tenant ORDER BY id"),
            *await tx.rows("SELECT r::text FROM recomputation_review AS r WHERE tenant_id = :tenant ORDER BY id"),
            *await tx.rows("SELECT n::text FROM notice AS n WHERE tenant_id = :tenant ORDER BY id"),
            *await tx.rows("SELECT id FROM act WHERE tenant_id = :tenant AND verb <> 'law.recomputed' ORDER BY id"),
        ]


async def fined(town: Living, permit: str) -> Any:
    days = {"seenOn": town.today.isoformat(), "notifiedOn": town.today.isoformat()}
    given = {"permitId": permit, "infractions": [INFRACTION[town.town]], **days}
    return await town.done("inspector/issueFine", role=FINES[town.town], **given)


def cents(amount: Decimal) -> str:
    """As both laws round."""
    return str(amount.quantize(Decimal("0.01"), ROUND_HALF_UP))


@pytest.fixture
def town(legislated: Stage, request: pytest.FixtureRequest) -> Living:
    living = Living(legislated, request.param)
    living.on("2011-03-01")
    return living


@pytest.mark.parametrize("town", [BARRA, COTRIGUACU], indirect=True)
async def test_a_holiday_moves_exactly_what_was_previewed_and_once(town: Living) -> None:
    """On the last day of a term that the fine has set running, which the law rolls on."""
    kind, article = TERM[town.town]
    permit = (await town.permit(await town.somebody(), **({"stand": "1"} if town.town == COTRIGUACU else {})))["id"]
    await fined(town, permit)
    (due,) = [each for each in await agenda(town) if each["kind"] == kind]
    before = date.fromisoformat(due["lastDay"])
    town.on("2011-03-03")
    notices = len((await town.ask("clerk/notices", first=100))["edges"])

    publication = await publish(town, HOLIDAY.format(day=before), "Lei 77/2011")
    seen = await seen_by(town, publication)
    moved = {row["subjectId"]: row for row in rows(seen, "term")}
    old = {each["id"]: each["lastDay"] for each in await agenda(town)}
    await worked(town.stage, town.town)

    new = {each["id"]: each["lastDay"] for each in await agenda(town)}
    assert (moved[due["id"]]["before"], date.fromisoformat(moved[due["id"]]["after"]) > before) == (
        due["lastDay"],
        True,
    )
    assert {id: row["after"] for id, row in moved.items()} == {id: new[id] for id in new if new[id] != old[id]}
    certificate = await town.ask("clerk/deadlineCertificate", deadlineId=due["id"])
    (recount,) = certificate["recounts"]
    assert (recount["was"], recount["lastDay"], recount["norm"]) == (due["lastDay"], new[due["id"]], "Lei 77/2011")
    assert any("Aniversário da cidade" in day["why"] for day in certificate["days"])
    assert article in certificate["deadline"]["article"]
    (act,) = [a for a in await town.ask("clerk/acts", subjectId=due["id"]) if a["verb"] == "deadline.recomputed"]
    assert act["body"]["changes"]["publication"]["norm"] == "Lei 77/2011"
    assert (act["body"]["changes"]["was"], act["body"]["changes"]["lastDay"]) == (due["lastDay"], new[due["id"]])
    assert len((await town.ask("clerk/notices", first=100))["edges"]) == notices, "nobody is told of a correction"

    await second_run_changes_nothing(town, publication)


async def agenda(town: Living) -> list[Any]:
    return [edge["node"] for edge in (await town.ask("clerk/agenda", first=100))["edges"]]


async def second_run_changes_nothing(town: Living, publication: str) -> None:
    once = await state_of(town)
    assert rows(await seen_by(town, publication), "term") == []
    await town.done("operator/recompute", publicationId=publication, why="De novo.")
    await worked(town.stage, town.town)
    job = (await town.ask("clerk/recomputation", publicationId=publication))["job"]
    assert (job["state"], job["result"]["moved"], job["result"]["revalued"], job["result"]["reviews"]) == (
        "done",
        0,
        0,
        0,
    )
    assert await state_of(town) == once


@pytest.mark.parametrize("town", [BARRA, COTRIGUACU], indirect=True)
async def test_a_corrected_unit_value_corrects_exactly_what_was_previewed_and_once(town: Living) -> None:
    permit = (await town.permit(await town.somebody(), **({"stand": "1"} if town.town == COTRIGUACU else {})))["id"]
    unpaid, paid = await fined(town, permit), await fined(town, permit)
    await town.done("clerk/recordPayment", fineId=paid["id"], brl="1.00", reference="G-1")
    rate = Decimal(unpaid["rate"]) * 2
    value = {"code": UNIT[town.town], "value": f"{rate} BRL", "source": "Errata 9/2011"}
    day = {"since": town.today.isoformat(), "until": town.today.isoformat()}
    town.on((town.today + timedelta(days=1)).isoformat())
    publication = (await town.done("operator/supplyParameter", **value, **day))["id"]

    seen, owed = await seen_by(town, publication), cents(Decimal(unpaid["units"]) * rate)
    assert [(row["subjectId"], row["before"], row["after"]) for row in rows(seen, "amount")] == [
        (unpaid["id"], unpaid["brl"], owed)
    ]
    assert rows(seen, "term") == []
    assert (paid["id"], "paid") in [(row["subjectId"], row["finding"]) for row in rows(seen, "review")]
    assert (await town.ask("clerk/fineAccount", fineId=unpaid["id"]))["brl"] == unpaid["brl"], "nothing was written"

    await town.done("operator/recompute", publicationId=publication, why="Errata do decreto.")
    await worked(town.stage, town.town)
    account = await town.ask("clerk/fineAccount", fineId=unpaid["id"])
    assert (account["brl"], account["left"]) == (owed, owed)
    assert (await town.ask("clerk/fineAccount", fineId=paid["id"]))["brl"] == paid["brl"]
    (act,) = [a for a in await town.ask("clerk/acts", subjectId=unpaid["id"]) if a["verb"] == "fine.recomputed"]
    assert act["body"]["changes"]["publication"]["norm"] == "Errata 9/2011"
    assert any(ARTICLE[town.town] in citation for citation in act["body"]["decision"]["citations"])
    listed = await town.ask("clerk/recomputationReviews", publicationId=publication)
    assert [edge["node"]["subjectId"] for edge in listed["edges"] if edge["node"]["finding"] == "paid"] == [paid["id"]]

    await second_run_changes_nothing(town, publication)


@pytest.mark.parametrize("town", [BARRA, COTRIGUACU], indirect=True)
async def test_a_corrected_table_of_infractions_corrects_exactly_what_was_previewed_and_once(town: Living) -> None:
    """It was misprinted. A later law that makes a warning of it is not for a machine: an office looks at the fines."""
    permit = (await town.permit(await town.somebody(), **({"stand": "1"} if town.town == COTRIGUACU else {})))["id"]
    unpaid, paid = await fined(town, permit), await fined(town, permit)
    await town.done("clerk/recordPayment", fineId=paid["id"], brl="1.00", reference="G-2")
    units = Decimal(unpaid["units"]) * 2
    town.on((town.today + timedelta(days=1)).isoformat())
    publication = await publish(town, amended(town, f'amount = "{units} {unpaid["unit"]}"'), "Errata 10/2011")

    seen, owed = await seen_by(town, publication), cents(units * Decimal(unpaid["rate"]))
    assert [(row["subjectId"], row["before"], row["after"]) for row in rows(seen, "amount")] == [
        (unpaid["id"], unpaid["brl"], owed)
    ]
    assert [(row["subjectId"], row["finding"]) for row in rows(seen, "review")] == [(paid["id"], "paid")]
    assert (await town.ask("clerk/fineAccount", fineId=unpaid["id"]))["brl"] == unpaid["brl"], "nothing was written"

    await town.done("operator/recompute", publicationId=publication, why="Errata da lei.")
    await worked(town.stage, town.town)
    assert (await town.ask("clerk/fineAccount", fineId=unpaid["id"]))["left"] == owed
    assert (await town.ask("clerk/fineAccount", fineId=paid["id"]))["brl"] == paid["brl"]
    (act,) = [a for a in await town.ask("clerk/acts", subjectId=unpaid["id"]) if a["verb"] == "fine.recomputed"]
    changes = act["body"]["changes"]
    assert (Decimal(changes["was"]["units"]), Decimal(changes["units"])) == (Decimal(unpaid["units"]), units)
    assert (changes["was"]["brl"], changes["brl"], changes["publication"]["norm"]) == (
        unpaid["brl"],
        owed,
        "Errata 10/2011",
    )
    await second_run_changes_nothing(town, publication)

    later = await publish(town, amended(town, "", do="warn"), "Lei 11/2011")
    seen = await seen_by(town, later)
    assert rows(seen, "amount") == []
    assert {(row["subjectId"], row["finding"]) for row in rows(seen, "review")} == {
        (fine["id"], "drawn_otherwise") for fine in (unpaid, paid)
    }
    await town.done("operator/recompute", publicationId=later, why="Lei 11/2011.")
    await worked(town.stage, town.town)
    assert (await town.ask("clerk/fineAccount", fineId=unpaid["id"]))["brl"] == owed
    listed = await town.ask("clerk/recomputationReviews", publicationId=later)
    (found,) = [edge["node"] for edge in listed["edges"] if edge["node"]["subjectId"] == unpaid["id"]]
    assert (found["before"]["brl"], found["finding"]) == (owed, "drawn_otherwise")
    assert "advertência" in found["after"]["drawn"]
    assert "Lei 11/2011" in found["decision"]["message"]


def amended(town: Living, amount: str, do: str = "fine") -> str:
    code = INFRACTION[town.town]
    return AMENDED.format(code=code, title="Como publicada de novo", do=do, law=LAW[town.town], amount=amount)
