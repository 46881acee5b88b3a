"""What the law forbids is not got round: by another name in the register, by another order of the same steps."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.acceptance.applying import KINDS, registered
from tests.acceptance.living import Living, Person
from tests.acceptance.stage import BARRA, COTRIGUACU, articles

if TYPE_CHECKING:
    from tests.acceptance.stage import Stage


@pytest.fixture
def barra(legislated: Stage) -> Living:
    return Living(legislated, BARRA)


@pytest.fixture
def cotriguacu(legislated: Stage) -> Living:
    return Living(legislated, COTRIGUACU)


async def under_another_holder(town: Living, who: Person) -> Person:
    """The same person, entered in the register as a holder once more, with another car."""
    kind = {"kind": KINDS[town.town], "personId": who.person}
    holder = str((await registered(town.stage, town.town, "Holder", kind))["id"])
    car = await town.car(holder)
    await town.papers({"holder": holder, "vehicle": car})
    return Person(who.person, holder, who.driver, car)


async def test_one_person_holds_one_permit_however_often_they_are_registered(barra: Living) -> None:
    barra.on("2010-03-01")
    who = await barra.somebody()
    await barra.permit(who)
    again = await under_another_holder(barra, who)
    pair = {"holderId": again.holder, "vehicleId": again.vehicle}

    no = await barra.act("secretary/grantPermit", category="taxi", **pair, judged=True)

    assert (no["code"], "art. 22" in articles(no["decision"])) == ("REFUSED", True)


async def test_a_car_sold_after_its_place_was_taken_leaves_its_plate_first(cotriguacu: Living) -> None:
    cotriguacu.on("2010-03-01")
    who = await cotriguacu.somebody()
    permit = await cotriguacu.permit(who, stand="1")
    cotriguacu.on("2010-03-08")
    car = await cotriguacu.car(who.holder)
    await cotriguacu.papers({"vehicle": car})
    await cotriguacu.done("clerk/swapVehicle", permitId=permit["id"], vehicleId=car, judged=True)
    cotriguacu.on("2010-03-10")
    sale = {"vehicleId": who.vehicle, "soldOn": "2010-03-10"}

    no = await cotriguacu.act("clerk/sellVehicle", **sale)
    first = await cotriguacu.act("clerk/sellVehicle", **sale, plateReleasedOn="2010-03-09")

    assert (no["code"], "CO-23" in no["message"]) == ("REFUSED", True)
    assert first["answer"]["outcome"] == "ALLOWED", first


async def test_nobody_swaps_their_car_for_somebody_else_s(cotriguacu: Living) -> None:
    cotriguacu.on("2010-03-01")
    who, other = await cotriguacu.somebody(), await cotriguacu.somebody()
    permit = await cotriguacu.permit(who, stand="1")

    no = await cotriguacu.act(
        "clerk/swapVehicle", permitId=permit["id"], vehicleId=other.vehicle, on="2010-03-01", judged=True
    )

    assert (no["code"], "art. 11, I, g" in articles(no["decision"])) == ("REFUSED", True)


async def test_nobody_swaps_a_car_on_a_day_to_come(cotriguacu: Living) -> None:
    cotriguacu.on("2010-03-01")
    permit = await cotriguacu.permit(await cotriguacu.somebody(), stand="1")
    other = await cotriguacu.somebody()

    no = await cotriguacu.act(
        "clerk/swapVehicle", permitId=permit["id"], vehicleId=other.vehicle, on="2030-03-01", judged=True
    )

    assert (no["code"], no.get("field")) == ("INVALID", "on")


async def test_without_a_call_the_office_attests_the_bidding_that_the_law_wants(cotriguacu: Living) -> None:
    cotriguacu.on("2010-03-01")
    who = await cotriguacu.somebody()
    given = {"category": "taxi", "holderId": who.holder, "vehicleId": who.vehicle, "stand": "1"}

    no = await cotriguacu.act("mayor/grantPermit", **given)
    attested = await cotriguacu.done("mayor/grantPermit", **given, judged=True)

    (bidding,) = [part for part in no["decision"]["parts"] if "licitação" in part["message"]]
    assert (no["code"], bidding["outcome"], "art. 4" in articles(bidding)) == ("REFUSED", "NEEDS_DECISION", True)
    assert attested["state"] == "active"
