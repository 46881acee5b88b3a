"""Cotriguaçu's stands: each taxi has its own (art. 2, § 1); closing and moving one harms no holder (art. 20)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.acceptance.calling import Calling
from tests.acceptance.living import Living
from tests.acceptance.stage import COTRIGUACU, articles

if TYPE_CHECKING:
    from tests.acceptance.stage import Stage

MET = [{"code": code, "source": "Processo 3/2010"} for code in ("interesse público", "conveniência administrativa")]
ACT: dict[str, Any] = {"norm": "Decreto 5/2010", "officialOn": "2010-06-01", "judged": True}
JUNE = "2010-06-01"
WANTED = "A lei quer que cada outorga tenha o seu ponto fixo"


@pytest.fixture
def town(legislated: Stage) -> Living:
    town = Living(legislated, COTRIGUACU)
    town.on("2010-03-01")
    return town


async def slots(town: Living) -> dict[int, int]:
    return {each["number"]: each["free"] for each in await town.ask("public/stands", category="taxi")}


async def test_a_taxi_without_a_stand_of_its_own_is_granted_nothing(town: Living) -> None:
    who = await town.somebody()
    pair: dict[str, Any] = {"category": "taxi", "holderId": who.holder, "vehicleId": who.vehicle, "judged": True}

    no = await town.act("mayor/grantPermit", **pair)
    made = await town.done("mayor/grantPermit", **pair, stand="4")

    assert (no["code"], no["message"]) == ("REFUSED", f"{WANTED}: diga em qual ela fica.")
    (part,) = [part for part in no["decision"]["parts"] if part["message"] == no["message"]]
    assert (part["outcome"], articles(part)) == ("DENIED", {"art. 2, § 1"})
    assert (made["state"], made["stand"]["number"]) == ("active", 4)


async def test_nor_does_whoever_was_awarded_one_sign_without(stage: Stage) -> None:
    here = Calling(stage, COTRIGUACU)
    await here.awarded()

    no = await here.does("mayor/signAdhesion", candidateId=here.candidates[0]["id"], judged=True)

    assert (no["code"], no["message"].startswith(WANTED)) == ("REFUSED", True)


async def test_a_stand_is_closed_when_the_law_s_grounds_are_there_and_nobody_is_left_without(town: Living) -> None:
    permit = await town.permit(await town.somebody(), stand="4")
    town.on(JUNE)
    before = await slots(town)
    move = [{"permitId": permit["id"], "stand": "3"}]

    groundless = await town.act("mayor/closeStand", stand="4", moves=move, **ACT)
    left = await town.act("mayor/closeStand", stand="4", met=MET, **ACT)
    not_the_mayor = await town.act("mayor/closeStand", role="clerk", stand="4", moves=move, met=MET, **ACT)
    closed = await town.done("mayor/closeStand", stand="4", moves=move, met=MET, **ACT)

    asked = {missing["code"] for missing in groundless["decision"]["missing"]}
    assert (groundless["code"], asked) == ("REFUSED", {"stand.interesse público", "stand.conveniência administrativa"})
    assert (left["code"], permit["number"] in left["message"]) == ("REFUSED", True)
    assert not_the_mayor["code"] == "FORBIDDEN"
    assert (closed["since"], closed["stand"]) == (JUNE, None)
    assert await slots(town) == {number: free - (number == 3) for number, free in before.items() if number != 4}
    assert (await town.ask("clerk/permit", id=permit["id"]))["stand"]["number"] == 3
    assert (await town.ask("clerk/permit", id=permit["id"], on="2010-05-31"))["stand"]["number"] == 4
    assert "art. 20" in articles(await town.ask("mayor/standAct", category="taxi", act="close"))


async def test_a_stand_is_moved_with_whoever_waits_there(town: Living) -> None:
    permit = await town.permit(await town.somebody(), stand="1")
    town.on(JUNE)
    place = "Avenida das Palmeiras"

    groundless = await town.act("mayor/moveStand", stand="1", place=place, **ACT)
    too_small = await town.act("mayor/moveStand", stand="1", slots=0, met=MET, **ACT)
    moved = await town.done("mayor/moveStand", stand="1", place=place, met=MET, **ACT)

    assert (groundless["code"], too_small["code"]) == ("REFUSED", "REFUSED")
    assert permit["number"] in too_small["message"]
    assert (moved["stand"]["place"], moved["stand"]["slots"], moved["stand"]["taken"]) == (place, 2, 1)
    assert {"art. 20", "art. 18, I"} <= {cite["text"].partition(", ")[2] for cite in moved["stand"]["citations"]}
    assert (await town.ask("clerk/permit", id=permit["id"]))["stand"]["number"] == 1
    (then,) = [s for s in await town.ask("public/stands", category="taxi", on="2010-05-31") if s["number"] == 1]
    assert then["place"] == "Avenida Henrique Xavier Rodovalho"


async def test_a_stand_that_all_may_use_is_refused_there(town: Living) -> None:
    town.on(JUNE)
    legislative = {"code": "legislative", "source": "Lei 700/2010"}
    given: dict[str, Any] = {"category": "taxi", "number": 9, "place": "Praça", "slots": 2, **ACT}

    by_decree = await town.act("mayor/createStand", **given, met=MET)
    open_to_all = await town.act("mayor/createStand", **given, access="open", met=[*MET, legislative])
    made = await town.done("mayor/createStand", **given, met=[*MET, legislative])

    assert [missing["code"] for missing in by_decree["decision"]["missing"]] == ["stand.legislative"]
    assert (open_to_all["code"], "art. 22" in articles(open_to_all["decision"])) == ("REFUSED", True)
    assert (made["stand"]["number"], made["stand"]["free"]) == (9, 2)
