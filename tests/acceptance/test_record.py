"""The record (prontuário): everything about a holder, a driver or a vehicle in order of time, in a few statements."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.acceptance.living import Living, Person
from tests.acceptance.stage import BARRA
from tests.acceptance.test_statement_counts import statements
from tests.acceptance.test_vehicles import inspected

if TYPE_CHECKING:
    from tests.acceptance.stage import Stage


async def life(town: Living) -> tuple[Person, Any]:
    """A taxi that was inspected, missed its next inspection, and was fined for it."""
    town.on("2010-02-10")
    who = await town.somebody()
    permit = await town.permit(who)
    await inspected(town, who.vehicle)
    await town.licence(permit["id"])
    town.on("2010-08-11")
    await town.night()
    fine = {"permitId": permit["id"], "seenOn": "2010-08-11", "infractions": ["II-08"]}
    await town.done("inspector/issueFine", role="secretary", **fine)
    return who, permit


async def whole(town: Living, subject: str, first: int = 100) -> list[Any]:
    """All pages of a record."""
    found: list[Any] = []
    after = None
    while True:
        page = await town.ask("clerk/record", subjectId=subject, first=first, after=after)
        found += [edge["node"] for edge in page["edges"]]
        after = page["pageInfo"]["endCursor"]
        if not page["pageInfo"]["hasNextPage"]:
            return found


async def test_a_holder_s_record_has_everything_in_order_of_time(legislated: Stage) -> None:
    town = Living(legislated, BARRA)
    who, _ = await life(town)

    record = await whole(town, who.holder)

    assert [entry["day"] for entry in record] == sorted(entry["day"] for entry in record)
    assert {"act", "deadline", "paper", "permit", "licence", "fine", "inspection"} == {e["kind"] for e in record}
    assert len({entry["id"] for entry in record}) == len(record)
    verbs = [entry["verb"] for entry in record if entry["kind"] == "act"]
    assert verbs.index("holder.registered") < verbs.index("permit.granted") < verbs.index("infraction.drawn")
    assert {"person.registered", "vehicle.registered", "driver.registered", "licence.issued"} <= set(verbs)


async def test_each_entry_says_its_act_and_article(legislated: Stage) -> None:
    town = Living(legislated, BARRA)
    who, permit = await life(town)

    record = {(entry["kind"], entry["code"]): entry for entry in await whole(town, who.holder)}

    granted = record["permit", "taxi"]
    assert (granted["number"], granted["verb"], granted["office"]) == (permit["number"], "permit.granted", "financas")
    assert any("art. 33" in article for article in granted["articles"])
    fine = record["fine", "II-08"]
    assert (fine["title"], fine["verb"]) == ("Vistoria semestral não realizada", "fine.issued")
    assert any("anexo, grupo II, item 8" in article for article in fine["articles"])
    missed = record["act", "infraction.drawn"]
    assert (missed["day"], "II-08" in missed["message"]) == ("2010-08-11", True)
    term = record["deadline", "vistoria"]
    assert (term["until"], term["state"], "art. 18, § 3" in term["articles"][0]) == ("2010-08-10", "expired", True)
    inspection = record["inspection", "vistoria"]
    assert (inspection["state"], inspection["until"], inspection["office"]) == ("passed", "2010-08-10", "fiscalizacao")
    paper = record["paper", "antecedentes"]
    assert "art. 4, IV" in " ".join(paper["articles"])


async def test_a_walk_in_small_pages_is_the_whole(legislated: Stage) -> None:
    town = Living(legislated, BARRA)
    who, _ = await life(town)

    assert await whole(town, who.holder, first=3) == await whole(town, who.holder)


async def test_a_record_as_it_was_on_a_day_knows_nothing_later(legislated: Stage) -> None:
    town = Living(legislated, BARRA)
    who, _ = await life(town)

    page = await town.ask("clerk/record", subjectId=who.holder, first=100, on="2010-02-10")

    kinds = {edge["node"]["kind"] for edge in page["edges"]}
    assert "fine" not in kinds
    assert {"permit", "inspection"} <= kinds
    assert {edge["node"]["state"] for edge in page["edges"] if edge["node"]["kind"] == "deadline"} == {"open"}


async def test_a_vehicle_s_record_has_of_its_permit_what_fell_in_its_service(legislated: Stage) -> None:
    town = Living(legislated, BARRA)
    who, permit = await life(town)
    town.on("2010-09-01")
    car = await town.car(who.holder)
    await town.papers({"vehicle": car})
    await town.done("clerk/swapVehicle", role="secretary", permitId=permit["id"], vehicleId=car, judged=True)

    old, new = await whole(town, who.vehicle), await whole(town, car)

    assert {entry["code"] for entry in old if entry["kind"] == "fine"} == {"II-08"}
    assert {entry["kind"] for entry in new} & {"fine", "licence", "inspection"} == set()
    assert "vehicle.swapped" in {entry["verb"] for entry in new}


async def test_a_record_takes_as_many_statements_for_a_long_life_as_for_a_short_one(legislated: Stage) -> None:
    town = Living(legislated, BARRA)
    newcomer = await town.somebody()
    who, _ = await life(town)
    await whole(town, newcomer.holder, first=1)
    taken = []
    for subject in (newcomer.holder, who.holder, who.vehicle, who.driver):
        with statements() as seen:
            await town.ask("clerk/record", subjectId=subject, first=100)
        taken.append(len(seen))

    assert len(set(taken)) == 1, taken
    assert taken[0] <= 10, "whose, what belongs, the entries, their acts; the town, who asks and the head of its law"


async def test_holders_and_drivers_read_their_own_record_and_no_other(seen: Stage) -> None:
    mine = (await seen.run("holder/myPermits", town=BARRA))["edges"][0]["node"]["number"]
    page = (await seen.run("clerk/permits", town=BARRA, first=100))["edges"]
    permits = [edge["node"] for edge in page]
    own = next(p for p in permits if p["number"] == mine and p["category"] == "taxi")
    other = next(p for p in permits if p["holder"]["id"] != own["holder"]["id"] and p["vehicle"])
    subjects = (own["holder"]["id"], own["vehicle"]["id"], other["holder"]["id"], other["vehicle"]["id"])

    answers = [await seen.body("holder/record", town=BARRA, subjectId=subject) for subject in subjects]

    assert answers[0]["data"]["record"]["edges"]
    assert [answer["errors"][0]["extensions"]["code"] for answer in answers[1:]] == ["FORBIDDEN"] * 3, (
        "nor a vehicle's, which may have served others"
    )
