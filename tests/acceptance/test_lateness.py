"""Cases T01, T02 and T07: what lateness and absence draw in Cotriguaçu, on the days on which they do."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.acceptance.living import Living
from tests.acceptance.stage import COTRIGUACU, articles, readings

if TYPE_CHECKING:
    from tests.acceptance.stage import Stage


@pytest.fixture
async def town(legislated: Stage) -> Living:
    return Living(legislated, COTRIGUACU)


async def licensed(town: Living, papers_until: str | None = None) -> str:
    """A permit of March 2010, whose licence is valid to 31/01/2011."""
    town.on("2010-03-01")
    permit = await town.permit(await town.somebody(papers_until=papers_until), stand="1")
    town.on("2010-03-08")
    await town.done("inspector/noteEvent", permitId=permit["id"], event="service_started")
    assert (await town.licence(permit["id"]))["until"] == "2011-01-31"
    return str(permit["id"])


def begun(life: Any, term: str) -> list[Any]:
    """What has come of a term by the day of the look."""
    return [step for standing in life["standing"] if standing["term"] == term for step in standing["begun"]]


# --- T01 --------------------------------------------------------------------------------------------------------------


async def test_t01_a_late_request_keeps_the_permit_and_costs_one_fine(town: Living) -> None:
    permit = await licensed(town)
    town.on("2011-02-10")

    asked = await town.done("clerk/requestRenewal", permitId=permit)

    assert asked["requestedOn"] == "2011-02-10"
    assert asked["decision"]["value"]["in_time"] is False
    assert asked["decision"]["value"]["infractions"] == ["CO-8-1", "CO-40-II"]
    (fine,) = [part for part in asked["decision"]["parts"] if part["money"]]
    assert fine["money"] == {"units": "20", "unit": "UFM", "rate": "32.50", "brl": "650.00"}
    assert readings(fine)["duas_multas"] == "dedupe"
    assert {"art. 8", "art. 8, § 1", "art. 40, II", "art. 47"} <= articles(asked["decision"])
    life = await town.life(permit)
    assert life["state"] == "active"
    assert [step["opens"] for step in begun(life, "alvara")] == [None], "and no process may be opened"


async def test_t01_the_one_omission_is_fined_once(town: Living) -> None:
    permit = await licensed(town)
    town.on("2011-02-10")
    await town.done("clerk/requestRenewal", permitId=permit)

    fine = await town.done("inspector/fineLateness", permitId=permit)
    again = await town.act("inspector/fineLateness", permitId=permit)

    assert (fine["infraction"], fine["seenOn"], fine["brl"]) == ("CO-8-1", "2011-02-01", "650.00")
    assert again["code"] == "REFUSED"
    assert [step["fined"] for step in begun(await town.life(permit), "alvara")] == [True]


async def test_t01_the_renewed_licence_goes_on_to_the_next_january(town: Living) -> None:
    permit = await licensed(town)
    town.on("2011-02-10")
    await town.done("clerk/requestRenewal", permitId=permit)
    town.on("2011-03-25")

    renewed = await town.licence(permit)

    assert (renewed["since"], renewed["until"]) == ("2011-03-25", "2012-01-31")
    assert begun(await town.life(permit, on="2011-03-25"), "alvara")[0]["fined"] is False


async def test_a_request_in_time_without_its_papers_is_fined_too(town: Living) -> None:
    permit = await licensed(town, papers_until="2010-12-31")
    town.on("2011-01-14")

    asked = await town.done("clerk/requestRenewal", permitId=permit)

    assert (asked["complete"], asked["decision"]["value"]["in_time"]) == (False, True)
    fine = await town.done("inspector/fineLateness", permitId=permit)
    assert (fine["infraction"], fine["seenOn"], fine["brl"]) == ("CO-40-II", "2011-01-14", "650.00")


async def test_a_renewal_is_asked_for_once(town: Living) -> None:
    """In full: then there is nothing left to ask."""
    permit = await licensed(town)
    town.on("2011-01-14")

    first = await town.done("clerk/requestRenewal", permitId=permit)
    again = await town.act("clerk/requestRenewal", permitId=permit)

    assert (first["complete"], first["decision"]["value"]["infractions"]) == (True, [])
    assert again["code"] == "CONFLICT"
    assert begun(await town.life(permit, on="2011-01-31"), "alvara") == []


# --- T02 --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("on", "fined", "cancellable"),
    [
        ("2011-01-31", False, False),
        ("2011-02-01", True, False),
        ("2011-03-02", True, False),
        ("2011-03-03", True, True),
    ],
)
async def test_t02_what_comes_of_a_renewal_that_nobody_asks_for(
    town: Living, on: str, fined: bool, cancellable: bool
) -> None:
    permit = await licensed(town)
    town.on(on)

    steps = begun(await town.life(permit), "alvara")

    assert bool([step for step in steps if step["infractions"] == ["CO-8-1", "CO-40-II"]]) is fined
    process = [step for step in steps if step["opens"] == "CO-16-I"]
    assert bool(process) is cancellable
    if fined:
        assert steps[0]["decision"]["money"]["brl"] == "650.00"
        assert steps[0]["firstDay"] == "2011-02-01"
    if cancellable:
        assert (process[0]["firstDay"], process[0]["decides"]) == ("2011-03-03", "prefeito")
        assert {"art. 16, I"} <= articles(process[0]["decision"])


async def test_t02_proposed_a_day_early_it_is_still_in_time(town: Living) -> None:
    permit = await licensed(town)
    given = {"permitId": permit, "cause": "cancelamento", "infraction": "CO-16-I"}
    town.on("2011-03-02")

    refused = await town.act("inspector/proposeEnding", **given)
    town.on("2011-03-03")
    proposed = await town.done("inspector/proposeEnding", **given)

    assert (refused["code"], "03/03/2011" in refused["message"]) == ("REFUSED", True)
    assert {"art. 16, I", "art. 8, § 2", "art. 42", "art. 44"} <= articles(refused["decision"])
    assert (proposed["state"], proposed["cause"], proposed["ground"]) == ("open", "cancelamento", "CO-16-I")
    assert {"art. 16, I", "art. 42", "art. 44"} <= articles(proposed["decision"])


async def test_t02_in_2012_the_last_day_is_the_first_of_march(town: Living) -> None:
    permit = await licensed(town)
    town.on("2011-01-20")
    await town.licence(permit)
    given = {"permitId": permit, "cause": "cancelamento", "infraction": "CO-16-I"}
    town.on("2012-03-01")

    refused = await town.act("inspector/proposeEnding", **given)
    town.on("2012-03-02")

    assert refused["code"] == "REFUSED"
    assert (await town.done("inspector/proposeEnding", **given))["state"] == "open"


async def test_t02_who_asked_in_between_is_no_longer_cancelled(town: Living) -> None:
    permit = await licensed(town)
    town.on("2011-02-20")
    await town.done("clerk/requestRenewal", permitId=permit)
    town.on("2011-03-10")

    given = {"permitId": permit, "cause": "cancelamento", "infraction": "CO-16-I"}

    assert (await town.act("inspector/proposeEnding", **given))["code"] == "REFUSED"


async def test_t02_cancelled_by_the_mayor_the_holder_is_barred_from_then_on(town: Living) -> None:
    town.on("2010-03-01")
    who = await town.somebody()
    permit = (await town.permit(who, stand="1"))["id"]
    await town.licence(permit)
    town.on("2011-03-03")
    proposal = await town.done("inspector/proposeEnding", permitId=permit, cause="cancelamento", infraction="CO-16-I")
    asking = {"category": "taxi", "holderId": who.holder, "vehicleId": who.vehicle}
    before = await town.ask("clerk/eligibility", **asking)
    town.on("2011-05-02")

    by_another = await town.act("mayor/finalizeEnding", role="secretary", proposalId=proposal["id"])
    final = await town.done("mayor/finalizeEnding", proposalId=proposal["id"])

    assert by_another["code"] == "FORBIDDEN"
    assert (final["state"], final["closedOn"]) == ("applied", "2011-05-02")
    found = await town.ask("clerk/permit", id=permit)
    assert (found["state"], found["endedOn"], found["endedCause"]) == ("ended", "2011-05-02", "cancelamento")
    town.on("2011-09-01")
    after = await town.ask("clerk/eligibility", **asking)
    bar = "art. 12, § ún."
    assert not [part for part in before["parts"] if part["outcome"] == "DENIED" and bar in articles(part)]
    (denied,) = [part for part in after["parts"] if part["outcome"] == "DENIED" and bar in articles(part)]
    assert {"art. 8, § 2", "art. 16, I"} <= articles(denied)


async def test_who_gave_the_permit_back_is_not_barred(town: Living) -> None:
    town.on("2010-03-01")
    who = await town.somebody()
    permit = (await town.permit(who, stand="1"))["id"]
    town.on("2010-09-01")

    ended = await town.done("mayor/endPermit", permitId=permit, cause="a_pedido")
    town.on("2011-01-10")
    asking = {"category": "taxi", "holderId": who.holder, "vehicleId": who.vehicle}
    after = await town.ask("clerk/eligibility", **asking)

    assert (ended["state"], ended["endedCause"]) == ("ended", "a_pedido")
    assert not [part for part in after["parts"] if part["outcome"] == "DENIED" and "cancelado" in part["message"]]


# --- T07 --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("on", "possible"),
    [
        ("2011-04-11", []),
        ("2011-04-12", ["CO-41-II"]),
        ("2011-05-01", ["CO-41-II"]),
        ("2011-05-02", ["CO-41-II", "CO-17-II"]),
    ],
)
async def test_t07_an_absence_may_suspend_and_then_end_a_permit(town: Living, on: str, possible: list[str]) -> None:
    permit = await licensed(town)
    town.on("2011-04-01")
    await town.done("inspector/noteEvent", permitId=permit, event="absence_started")
    town.on(on)

    life = await town.life(permit)
    steps = begun(life, "abandono")

    assert [step["opens"] for step in steps] == possible
    assert life["absences"] == [{"since": "2011-04-01", "until": "2015-03-01", "justified": False}]
    (standing,) = [each for each in life["standing"] if each["term"] == "abandono"]
    assert {"art. 41, II", "art. 17, II"} <= articles(standing["decision"])
    assert readings(standing["decision"])["prazos"] == "as_52"
    for step in steps:
        cited = {"CO-41-II": {"art. 41, II"}, "CO-17-II": {"art. 17, II"}}[step["opens"]]
        assert cited <= articles(step["decision"])
        assert step["decides"] == "prefeito"


async def test_t07_suspended_by_the_mayor_then_lapsed(town: Living) -> None:
    permit = await licensed(town)
    town.on("2011-04-01")
    await town.done("inspector/noteEvent", permitId=permit, event="absence_started")
    town.on("2011-04-11")
    early = await town.act("inspector/proposeSuspension", permitId=permit, infraction="CO-41-II")
    town.on("2011-04-12")
    proposal = await town.done("inspector/proposeSuspension", permitId=permit, infraction="CO-41-II")
    town.on("2011-04-20")
    without_length = await town.act("mayor/finalizeSuspension", proposalId=proposal["id"])
    suspended = await town.done("mayor/finalizeSuspension", proposalId=proposal["id"], until="2011-05-10")
    life = await town.life(permit)

    assert (early["code"], without_length["code"]) == ("REFUSED", "REFUSED")
    assert (suspended["since"], suspended["until"], suspended["state"]) == ("2011-04-20", "2011-05-10", "active")
    assert life["suspended"] is True
    town.on("2011-05-02")
    lapse = await town.done("inspector/proposeEnding", permitId=permit, cause="caducidade", infraction="CO-17-II")
    ended = await town.done("mayor/finalizeEnding", proposalId=lapse["id"], version=lapse["version"])
    assert ended["state"] == "applied"
    assert {"art. 17, II", "art. 43", "art. 44"} <= articles(lapse["decision"])
    life = await town.life(permit)
    assert (life["state"], life["suspended"], life["suspensions"][0]["until"]) == ("ended", False, "2011-05-01")


async def test_t07_just_cause_excludes_both(town: Living) -> None:
    permit = await licensed(town)
    town.on("2011-04-01")
    await town.done("inspector/noteEvent", permitId=permit, event="absence_started")
    town.on("2011-04-08")
    await town.done("inspector/noteEvent", permitId=permit, event="absence_justified", why="Atestado")
    town.on("2011-05-02")

    steps = begun(await town.life(permit), "abandono")
    refused = await town.act("inspector/proposeEnding", permitId=permit, cause="caducidade", infraction="CO-17-II")

    assert {step["decision"]["outcome"] for step in steps} == {"DENIED"}
    assert readings(steps[1]["decision"])["justa_causa"] == "just_cause"
    assert refused["code"] == "REFUSED"


async def test_t07_who_comes_back_in_time_is_left_alone(town: Living) -> None:
    permit = await licensed(town)
    town.on("2011-04-01")
    await town.done("inspector/noteEvent", permitId=permit, event="absence_started")
    town.on("2011-04-11")
    await town.done("inspector/noteEvent", permitId=permit, event="absence_ended")
    town.on("2011-05-02")

    assert begun(await town.life(permit), "abandono") == []
