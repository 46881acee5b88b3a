"""What is entered late, with an earlier day: never for a permit that has ended, nor against what was done since."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.acceptance.living import Living, Person
from tests.acceptance.stage import BARRA, COTRIGUACU

if TYPE_CHECKING:
    from tests.acceptance.stage import Stage


@pytest.fixture
def cotriguacu(legislated: Stage) -> Living:
    return Living(legislated, COTRIGUACU)


@pytest.fixture
def barra(legislated: Stage) -> Living:
    return Living(legislated, BARRA)


async def licensed(town: Living) -> tuple[Person, Any, str]:
    """A permit of 1 March 2010 with its first licence, and a further car."""
    town.on("2010-03-01")
    who = await town.somebody()
    permit = await town.permit(who, stand="1")
    await town.licence(permit["id"])
    newer = await town.car(who.holder)
    await town.papers({"vehicle": newer})
    return who, permit, newer


BEFORE = "2010-05-31"
ACTS: dict[str, tuple[str, dict[str, Any]]] = {
    "extend": ("mayor/extendPermit", {"on": BEFORE}),
    "license": ("clerk/issueLicence", {"issuedOn": BEFORE, "judged": True}),
    "renew": ("clerk/requestRenewal", {"requestedOn": BEFORE}),
    "swap": ("clerk/swapVehicle", {"on": BEFORE, "judged": True}),
    "note": ("inspector/noteEvent", {"on": BEFORE, "event": "absence_started"}),
    "end": ("mayor/endPermit", {"on": BEFORE, "cause": "a_pedido"}),
    "propose to end": ("inspector/proposeEnding", {"on": BEFORE, "cause": "caducidade"}),
    "propose to suspend": ("inspector/proposeSuspension", {"on": BEFORE, "infraction": "CO-41-IV"}),
    "transfer": ("mayor/transferPermit", {"on": BEFORE, "requestedOn": BEFORE, "cause": "herdeiros"}),
    "move": ("mayor/assignStand", {"on": BEFORE, "stand": "3"}),
}


@pytest.mark.parametrize("what", ACTS)
async def test_an_earlier_day_brings_nothing_of_an_ended_permit_back(cotriguacu: Living, what: str) -> None:
    _, permit, newer = await licensed(cotriguacu)
    cotriguacu.on("2010-06-01")
    heir = await cotriguacu.somebody(car=False)
    await cotriguacu.done("mayor/endPermit", permitId=permit["id"], cause="a_pedido")
    before = await cotriguacu.life(permit["id"])
    cotriguacu.on("2010-06-10")

    document, given = ACTS[what]
    given = {"permitId": permit["id"], **given}
    given |= {"vehicleId": newer} if what == "swap" else {}
    given |= {"holderId": heir.holder} if what == "transfer" else {}
    no = await cotriguacu.act(document, **given)

    assert no["code"] == "REFUSED"
    assert "terminou em 01/06/2010" in no["message"]
    assert await cotriguacu.life(permit["id"]) == {**before}, "nothing was done"


async def test_a_term_that_is_over_is_not_extended_though_no_night_has_said_so(cotriguacu: Living) -> None:
    _, permit, _ = await licensed(cotriguacu)
    cotriguacu.on("2015-03-02")

    late = await cotriguacu.act("mayor/extendPermit", permitId=permit["id"], on="2015-02-27")
    cotriguacu.on("2015-03-01")
    in_time = await cotriguacu.done("mayor/extendPermit", permitId=permit["id"], on="2015-02-27")

    assert late["code"] == "REFUSED"
    assert in_time["until"] == "2020-03-01"


async def test_an_end_does_not_go_back_behind_what_was_done_since(cotriguacu: Living) -> None:
    """Another vehicle came in on the 10th: that the permit had ended on the 5th would undo it without a word."""
    _, permit, newer = await licensed(cotriguacu)
    cotriguacu.on("2010-06-10")
    await cotriguacu.done("clerk/swapVehicle", permitId=permit["id"], vehicleId=newer, judged=True)
    cotriguacu.on("2010-06-20")

    ended = {"permitId": permit["id"], "cause": "a_pedido"}
    no = await cotriguacu.act("mayor/endPermit", **ended, on="2010-06-05")
    done = await cotriguacu.done("mayor/endPermit", **ended, on="2010-06-11")

    assert (no["code"], "10/06/2010" in no["message"]) == ("REFUSED", True)
    assert done["endedOn"] == "2010-06-11"


async def test_what_came_in_later_is_not_overtaken_by_an_earlier_day(cotriguacu: Living) -> None:
    who, permit, newer = await licensed(cotriguacu)
    cotriguacu.on("2010-06-10")
    await cotriguacu.done("clerk/swapVehicle", permitId=permit["id"], vehicleId=newer, judged=True)
    third = await cotriguacu.car(who.holder)
    await cotriguacu.papers({"vehicle": third})
    cotriguacu.on("2011-01-10")
    await cotriguacu.papers({"holder": who.holder, "driver": who.driver, "vehicle": newer})
    await cotriguacu.licence(permit["id"])

    swap = await cotriguacu.act(
        "clerk/swapVehicle", permitId=permit["id"], vehicleId=third, on="2010-06-09", judged=True
    )
    licence = await cotriguacu.act("clerk/issueLicence", permitId=permit["id"], issuedOn="2010-12-01", judged=True)
    request = await cotriguacu.act("clerk/requestRenewal", permitId=permit["id"], requestedOn="2011-01-09")

    assert (swap["code"], licence["code"]) == ("REFUSED", "REFUSED")
    assert (request["code"], request["field"]) == ("INVALID", "requestedOn")
    assert (await cotriguacu.ask("clerk/permit", id=permit["id"]))["vehicle"]["id"] == newer


async def test_a_substitute_who_has_gone_does_not_go_again_on_an_earlier_day(barra: Living) -> None:
    barra.on("2010-03-01")
    holder = await barra.somebody()
    permit = await barra.permit(holder, stand="1")
    barra.on("2010-06-01")
    other = await barra.somebody(car=False)
    paper = {"subjectId": holder.holder, "code": "atestado", "issuedOn": "2010-06-01", "validUntil": "2010-06-20"}
    await barra.done("clerk/filePaper", **paper)
    given = {"permitId": permit["id"], "driverId": other.driver, "since": "2010-06-01", "provedBy": ["inss"]}
    inss = [{"code": "local.prova_incapacidade", "value": "inss"}]
    made = await barra.done("clerk/admitSubstitute", role="secretary", **given, facts=inss)
    barra.on("2010-06-25")

    again = await barra.act("clerk/endSubstitute", role="secretary", substituteId=made["id"], on="2010-06-10")

    assert again["code"] == "CONFLICT"
