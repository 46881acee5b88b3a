"""Cases T08, T11 and T12: what an inspector's records draw, on the days on which they do, through the API."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING, Any

import pytest

from tests.acceptance.living import Living
from tests.acceptance.stage import BARRA, COTRIGUACU, articles, readings

if TYPE_CHECKING:
    from tests.acceptance.stage import Stage


async def recorded(town: Living, infractions: list[str], *, told: bool = True, **given: Any) -> Any:
    """A record of today, at noon; the person is given the copy at once."""
    day = town.today.isoformat()
    sent = {"clientId": str(uuid.uuid4()), "seenAt": f"{day}T11:30", "place": "Praça central", **given}
    sent |= {"notifiedOn": day} if told else {}
    return await town.done("inspector/recordOccurrence", infractions=infractions, **sent)


def drew(record: Any) -> list[tuple[str, str, str | None]]:
    return [(each["what"], each["infraction"], each["brl"]) for each in record["penalties"]]


@pytest.fixture
async def cotriguacu(legislated: Stage) -> Living:
    return Living(legislated, COTRIGUACU)


@pytest.fixture
async def barra(legislated: Stage) -> Living:
    return Living(legislated, BARRA)


async def licensed(town: Living) -> Any:
    """A permit of March 2010."""
    town.on("2010-03-01")
    return await town.permit(await town.somebody(), stand="1")


async def plate_of(town: Living, permit: Any) -> str:
    return str((await town.ask("clerk/permit", id=permit["id"]))["vehicle"]["plate"])


# --- T08 --------------------------------------------------------------------------------------------------------------


async def test_t08_a_warning_then_fines_that_are_never_doubled(cotriguacu: Living) -> None:
    town, unclean = cotriguacu, ["CO-39-I"]
    permit = await licensed(town)
    plate = await plate_of(town, permit)

    records = []
    for day in ("2011-05-05", "2011-05-20", "2011-06-02"):
        town.on(day)
        records.append(await recorded(town, unclean, plate=plate))

    first, second, _ = records
    assert [record["permitId"] for record in records] == [permit["id"]] * 3
    assert [record["number"] for record in records] == ["0001/2011", "0002/2011", "0003/2011"]
    assert [drew(record) for record in records] == [
        [("warning", "CO-39-I", None)],
        [("fine", "CO-39-I", "650.00")],
        [("fine", "CO-39-I", "650.00")],
    ]
    assert (first["penalties"][0]["defenceUntil"], first["penalties"][0]["finalOn"]) == ("2011-05-13", "2011-05-14")
    assert [record["penalties"][0]["dueOn"] for record in records] == [None, "2011-06-20", "2011-07-04"]
    fine = second["penalties"][0]
    assert (fine["units"], fine["unit"], fine["rate"], fine["reportedAs"]) == ("20", "UFM", "32.50", "CO-40-I")
    assert {"art. 39, I", "art. 40, I", "art. 40, § 2"} <= articles(second["decision"])
    assert readings(second["decision"])["advertencia"] == "after_final"


async def test_t08_suspension_may_be_opened_but_never_comes_by_itself(cotriguacu: Living) -> None:
    town = cotriguacu
    permit = await licensed(town)
    for day in ("2011-05-05", "2011-05-20", "2011-06-02"):
        town.on(day)
        record = await recorded(town, ["CO-39-I"], permitId=permit["id"])

    assert record["penalties"][0]["mayOpen"] == ["CO-41-I"]
    assert (await town.life(permit["id"]))["suspensions"] == (await town.life(permit["id"]))["proposals"] == []
    proposal = await town.done("inspector/proposeSuspension", permitId=permit["id"], infraction="CO-41-I")
    assert (await town.life(permit["id"]))["suspensions"] == [], "a proposal suspends nothing"
    town.on("2011-06-03")
    no_length = await town.act("mayor/finalizeSuspension", proposalId=proposal["id"])
    assert no_length["code"] == "REFUSED"
    made = await town.done("mayor/finalizeSuspension", proposalId=proposal["id"], until="2011-06-12")
    assert (made["since"], made["until"]) == ("2011-06-03", "2011-06-12")


async def test_a_warning_that_is_not_final_yet_is_no_repetition(cotriguacu: Living) -> None:
    town = cotriguacu
    permit = await licensed(town)
    town.on("2011-05-05")
    await recorded(town, ["CO-39-I"], permitId=permit["id"])
    drawn = []
    for day in ("2011-05-13", "2011-05-14"):
        town.on(day)
        drawn.append(drew(await recorded(town, ["CO-39-I"], permitId=permit["id"])))

    assert drawn == [[("warning", "CO-39-I", None)], [("fine", "CO-39-I", "650.00")]]


async def test_the_agent_does_not_apply_what_a_process_must_come_before(cotriguacu: Living) -> None:
    permit = await licensed(cotriguacu)
    cotriguacu.on("2011-05-05")
    record = await recorded(cotriguacu, ["CO-41-IV"], permitId=permit["id"])

    assert record["state"] == "to_be_tried"
    assert [(each["what"], each["state"]) for each in record["penalties"]] == [("suspension", "to_be_tried")]
    assert (await cotriguacu.life(permit["id"]))["suspensions"] == []


async def test_a_vehicle_without_a_permit_is_fined_all_the_same(cotriguacu: Living) -> None:
    town = cotriguacu
    town.on("2011-05-05")
    record = await recorded(town, ["CO-40-VI"], plate="ABC1D23", offenderName="Fulano de Tal", refusedToSign=True)

    assert (record["permitId"], record["refusedToSign"]) == (None, True)
    assert drew(record) == [("fine", "CO-40-VI", "650.00")]
    assert record["penalties"][0]["dueOn"] == "2011-06-06"
    assert readings(record["decision"])["multa_sem_permissao"] == "same_amount"
    assert "Sem outorga neste município" in record["copy"]
    assert "Fulano de Tal" in record["copy"]


# --- Sent later, and again ------------------------------------------------------------------------------------------


async def test_a_record_sent_again_is_the_first_one(cotriguacu: Living) -> None:
    town = cotriguacu
    permit = await licensed(town)
    town.on("2011-05-09")
    sent = {
        "clientId": "0198c1de-0000-7000-8000-000000000001",
        "seenAt": "2011-05-05T22:15",
        "place": "Avenida",
        "infractions": ["CO-40-V"],
        "permitId": permit["id"],
        "notifiedOn": "2011-05-05",
    }
    first = await town.done("inspector/recordOccurrence", **sent)
    again = await town.done("inspector/recordOccurrence", **sent)
    other = await town.act("inspector/recordOccurrence", **{**sent, "place": "Outra rua"})

    assert again == first
    assert (first["seenAt"], first["seenOn"], first["receivedAt"][:10]) == (
        "2011-05-05T22:15:00",
        "2011-05-05",
        "2011-05-09",
    )
    assert other["code"] == "CONFLICT"
    assert [edge["node"]["number"] for edge in (await town.ask("inspector/occurrences"))["edges"]] == ["0001/2011"]


async def test_a_plate_is_whose_it_was_on_the_day_of_the_fact(cotriguacu: Living) -> None:
    town = cotriguacu
    permit = await licensed(town)
    plate = await plate_of(town, permit)
    town.on("2011-05-10")
    holder = (await town.ask("clerk/permit", id=permit["id"]))["holder"]["id"]
    newer = await town.car(holder)
    await town.papers({"vehicle": newer})
    await town.done("clerk/swapVehicle", permitId=permit["id"], vehicleId=newer, judged=True)
    town.on("2011-05-12")
    common: dict[str, Any] = {
        "place": "Centro",
        "infractions": ["CO-40-V"],
        "plate": plate,
        "notifiedOn": "2011-05-12",
    }

    before = await town.done("inspector/recordOccurrence", clientId="a", seenAt="2011-05-09T10:00", **common)
    after = await town.done("inspector/recordOccurrence", clientId="b", seenAt="2011-05-11T10:00", **common)

    assert (before["permitId"], after["permitId"]) == (permit["id"], None)


# --- T11, T12: in Barra do Garças the section records and the secretary applies ---------------------------------------


async def taxi(town: Living, day: str) -> Any:
    town.on("2010-02-10")
    permit = await town.permit(await town.somebody(), stand="1")
    town.on(day)
    return permit


async def fined(town: Living, infractions: list[str], **given: Any) -> Any:
    """Recorded by the section, which may not fine; applied by the secretary."""
    record = await recorded(town, infractions, **given)
    assert (record["state"], record["penalties"]) == ("open", [])
    assert (await town.act("inspector/applyPenalties", occurrenceId=record["id"]))["code"] == "FORBIDDEN"
    return await town.done("secretary/applyPenalties", occurrenceId=record["id"], version=record["version"])


async def test_t11_a_missed_inspection_is_one_fine_by_the_most_specific_item(barra: Living) -> None:
    permit = await taxi(barra, "2010-09-20")

    record = await fined(barra, ["I-23", "II-04", "II-08"], permitId=permit["id"])

    (penalty,) = record["penalties"]
    assert (penalty["infraction"], penalty["units"], penalty["unit"], penalty["brl"]) == (
        "II-08",
        "30",
        "UFIR",
        "31.92",
    )
    assert {each["infraction"] for each in record["decision"]["value"]["struck"]} == {"II-04", "I-23"}
    assert readings(record["decision"])["anexos"] == "most_specific"
    assert {"anexo, grupo II, item 8"} <= articles(record["decision"])


async def test_t12_a_taxi_over_capacity_draws_the_lower_of_two(barra: Living) -> None:
    permit = await taxi(barra, "2010-10-15")

    record = await fined(barra, ["I-24", "II-09"], permitId=permit["id"])

    assert drew(record) == [("fine", "II-09", "42.56")]
    assert [each["infraction"] for each in record["decision"]["value"]["struck"]] == ["I-24"]


async def test_t12_a_school_van_over_capacity(barra: Living) -> None:
    barra.on("2010-10-15")

    record = await fined(barra, ["I-24", "II-09"], plate="NPM4321", category="escolar")

    assert drew(record) == [("fine", "II-09", "42.56")]


async def test_one_fact_is_one_fine_and_two_facts_are_two(barra: Living) -> None:
    permit = await taxi(barra, "2010-10-15")

    one = await fined(barra, ["I-24", "II-09"], permitId=permit["id"])
    two = [await fined(barra, [code], permitId=permit["id"]) for code in ("I-24", "II-09")]

    assert len(one["penalties"]) == 1
    assert [drew(each)[0][1:] for each in two] == [("I-24", "53.21"), ("II-09", "42.56")]


async def test_what_was_decided_is_not_decided_again(barra: Living) -> None:
    permit = await taxi(barra, "2010-10-15")
    record = await fined(barra, ["II-09"], permitId=permit["id"])
    other = await recorded(barra, ["II-13"], permitId=permit["id"])

    again = await barra.act("secretary/applyPenalties", occurrenceId=record["id"])
    empty = await barra.act("inspector/dismissOccurrence", role="secretary", occurrenceId=other["id"], why=" ")
    gone = await barra.done("inspector/dismissOccurrence", role="secretary", occurrenceId=other["id"], why="Engano")

    assert (again["code"], empty["field"]) == ("CONFLICT", "why")
    assert (gone["state"], gone["penalties"]) == ("dismissed", [])
