"""Rosters under the founding laws: a solver proposes one that keeps the law; holders agree to it, or it is decreed."""

from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import date, timedelta
from typing import Any
from uuid import UUID

import pytest

from services.database import Database, Transaction
from services.errors import Conflict, Forbidden, Invalid, NotFound, Refused
from services.stands.rosters import checking, drafting, store
from services.stands.rosters.agreeing import answer_roster, approve_roster, close_roster
from services.stands.rosters.proposing import propose_roster
from tenants.law.decision import Decision, Outcome
from tenants.law.questions import Shift
from tests.support.factories import BARRA, COTRIGUACU
from tests.support.rosters import APRIL, Taxis, at, taxis

TODAY = date(2026, 3, 10)


@pytest.fixture
async def barra(own_database: Database) -> AsyncIterator[Taxis]:
    async with taxis(own_database, BARRA, [None] * 7) as made:
        yield made


@pytest.fixture
async def cotriguacu(own_database: Database) -> AsyncIterator[Taxis]:
    async with taxis(own_database, COTRIGUACU, ["1", "1", "2", "3"]) as made:
        yield made


async def test_the_solver_covers_every_hour_with_the_fewest_hours_of_work(cotriguacu: Taxis) -> None:
    """At least one car at all hours, also on the morning of the first day."""
    roster = await cotriguacu.propose()

    plan = await cotriguacu.plan(roster)
    decision = await checking.check(cotriguacu.tx, await cotriguacu.tx.law(on=plan.since), plan)
    assert (decision.outcome, decision.value.breaches) == (Outcome.ALLOWED, ())
    assert "Lei 624/2009, art. 18, § 1" in [str(cited) for cited in decision.citations]
    hours = sum(((shift.end - shift.start) for shift in plan.shifts), timedelta())
    assert hours == timedelta(hours=24 * 14), "one car at a time is what the law asks"
    shares = {number: sum(shift.vehicle == number for shift in plan.shifts) for number in plan.permits}
    assert len(shares) == len(cotriguacu.permits)
    assert max(shares.values()) - min(shares.values()) <= 1


async def test_the_solver_gives_each_eight_hours_and_lets_half_rest_at_night(barra: Taxis) -> None:
    roster = await barra.propose()

    plan = await barra.plan(roster)
    decision = await checking.check(barra.tx, await barra.tx.law(on=plan.since), plan)
    assert decision.outcome is Outcome.ALLOWED
    assert {"Lei 3.085/2009, art. 13, § 4", "Lei 3.085/2009, art. 13, § 5"} <= {str(c) for c in decision.citations}
    midnight = at(2026, 4, 3)
    at_night = {shift.vehicle for shift in plan.shifts if shift.start <= midnight < shift.end}
    assert len(at_night) >= 4, "of seven at most three may rest"
    at_noon = {s.vehicle for s in plan.shifts if s.start <= at(2026, 4, 3, 12) < s.end}
    assert at_noon, "and somebody is there by day"


async def tampered(town: Taxis) -> tuple[checking.Plan, Shift, Decision]:
    """A proposed roster without one shift of the fifth of April, that shift, and what is said of it."""
    plan = await town.plan(await town.propose())
    shift = next(s for s in plan.shifts if s.start.date() == date(2026, 4, 5))
    less = replace(plan, shifts=tuple(s for s in plan.shifts if s != shift))
    return less, shift, await checking.check(town.tx, await town.tx.law(on=plan.since), less)


async def test_a_roster_with_an_hour_uncovered_says_which(cotriguacu: Taxis) -> None:
    plan, shift, decision = await tampered(cotriguacu)

    assert decision.outcome is Outcome.DENIED
    (breach,) = decision.value.breaches
    assert (breach.what, breach.start, breach.end) == ("cover", shift.start, shift.end)
    assert (breach.demanded, breach.found) == (1, 0)
    assert "05/04/2026" in decision.message
    given = [{"permit_id": plan.permits[s.vehicle], "starts": s.start, "ends": s.end} for s in plan.shifts]
    with pytest.raises(Refused) as no:
        await cotriguacu.propose(shifts=given)
    assert no.value.decision.value.breaches == decision.value.breaches


async def test_a_roster_in_which_someone_is_idle_says_who(barra: Taxis) -> None:
    _, shift, decision = await tampered(barra)

    assert decision.outcome is Outcome.DENIED
    theirs = [breach for breach in decision.value.breaches if breach.vehicle == shift.vehicle]
    assert ("hours", 480, 0) in [(breach.what, breach.demanded, breach.found) for breach in theirs]
    assert shift.vehicle in decision.message


async def test_the_drivers_own_roster_is_taken_as_they_drew_it_up(cotriguacu: Taxis) -> None:
    day: dict[str, Any] = {"category": "taxi", "since": date(2026, 4, 1), "until": date(2026, 4, 1)}
    halves = [(cotriguacu.permits[0], 0, 12), (cotriguacu.permits[1], 12, 24)]
    given = [
        {"permit_id": permit.id, "starts": at(2026, 4, 1, a), "ends": at(2026, 4, 1) + timedelta(hours=b)}
        for permit, a, b in halves
    ]

    plan = await cotriguacu.plan(await cotriguacu.propose(**day, shifts=given))

    assert [(s.vehicle, s.start.hour, s.end.hour) for s in plan.shifts] == [
        (cotriguacu.permits[0].number, 0, 12),
        (cotriguacu.permits[1].number, 12, 0),
    ]


async def test_what_is_no_roster_is_told(cotriguacu: Taxis) -> None:
    backwards = [{"permit_id": cotriguacu.permits[0].id, "starts": at(2026, 4, 2), "ends": at(2026, 4, 1)}]

    with pytest.raises(Invalid, match="hoje ou depois"):
        await cotriguacu.propose(since=date(2026, 3, 9))
    with pytest.raises(Invalid, match="92 dias"):
        await cotriguacu.propose(until=date(2027, 4, 1))
    with pytest.raises(Invalid, match="outorga vigente"):
        await cotriguacu.propose(shifts=[{**backwards[0], "permit_id": UUID(int=1)}])
    with pytest.raises(Invalid, match="termina depois"):
        await cotriguacu.propose(shifts=backwards)
    with pytest.raises(Forbidden):
        await propose_roster(cotriguacu.tx, cotriguacu.office("fiscalizacao"), **APRIL)


async def test_too_few_vehicles_and_a_law_without_rosters_are_refused(own_database: Database) -> None:
    async with taxis(own_database, COTRIGUACU, ["1"]) as alone:
        with pytest.raises(Refused, match="com 1 veículo") as no:
            await alone.propose()
    assert "Lei 624/2009, art. 18, § 1" in [str(cited) for cited in no.value.decision.citations]
    async with taxis(own_database, BARRA, []) as barra:
        with pytest.raises(Refused, match="A lei deste município não prevê escala de serviço"):
            await barra.propose(category="escolar")


async def test_whoever_is_exempt_works_no_shift(barra: Taxis) -> None:
    """The law names no reason for an exemption: who is left out by another reason still breaks it."""
    spared = next(iter(await store.crew(barra.tx, ["taxi"], TODAY)))

    with pytest.raises(Refused) as no:
        await barra.propose(exempt=[{"permit_id": spared.id, "why": "oficina"}])

    assert {breach.vehicle for breach in no.value.decision.value.breaches} == {spared.number}


async def test_a_roster_rests_on_the_agreement_of_all(cotriguacu: Taxis) -> None:
    roster = await cotriguacu.propose()
    for permit in cotriguacu.permits[:2]:
        await answer_roster(
            cotriguacu.tx, await cotriguacu.holder(permit.id), roster_id=roster, permit_id=permit.id, agrees=True
        )
    await cotriguacu.answer(roster, cotriguacu.permits[2].id, agrees=True)
    with pytest.raises(Refused) as no:
        await approve_roster(cotriguacu.tx, cotriguacu.office("financas"), roster_id=roster)
    assert (no.value.decision.outcome, no.value.decision.office) == (Outcome.NEEDS_DECISION, "transito")

    await cotriguacu.answer(roster, cotriguacu.permits[3].id, agrees=True)
    await approve_roster(cotriguacu.tx, cotriguacu.office("financas"), roster_id=roster)

    row = await store.roster(cotriguacu.tx, roster, date(2026, 4, 1))
    assert (row.basis, row.norm, row.state) == ("agreement", None, "active")
    assert (await store.roster(cotriguacu.tx, roster, date(2026, 4, 15))).state == "ended"


async def test_a_holder_answers_for_their_own_permit_only(cotriguacu: Taxis) -> None:
    roster = await cotriguacu.propose()
    mine: dict[str, Any] = {"roster_id": roster, "permit_id": cotriguacu.permits[0].id, "agrees": True}

    with pytest.raises(Forbidden):
        await answer_roster(cotriguacu.tx, await cotriguacu.holder(cotriguacu.permits[1].id), **mine)
    with pytest.raises(NotFound):
        await cotriguacu.answer(roster, UUID(int=1))
    with pytest.raises(Invalid, match="de onde consta"):
        await answer_roster(cotriguacu.tx, cotriguacu.clerk, **mine)


async def test_without_agreement_the_office_that_the_law_names_decrees_it(cotriguacu: Taxis) -> None:
    roster = await cotriguacu.propose()
    await cotriguacu.answer(roster, cotriguacu.permits[0].id, agrees=False)

    draft = await drafting.draft(cotriguacu.tx, await store.roster(cotriguacu.tx, roster, cotriguacu.tx.today))

    assert draft.office == "transito"
    assert draft.text.startswith("MINUTA DE DECRETO: Coordenadoria Municipal de Trânsito, Cotriguaçu/MT")
    assert "Lei 624/2009, art. 18, § 2" in draft.text
    assert [f"Art. {number}º" in draft.text for number in (1, 2, 3, 4, 5)] == [True] * 4 + [False]
    assert all(f"outorga {permit.number}" in draft.text for permit in cotriguacu.permits)
    with pytest.raises(Forbidden):
        await approve_roster(cotriguacu.tx, cotriguacu.office("financas"), roster_id=roster, norm="Decreto 15/2026")
    await approve_roster(cotriguacu.tx, cotriguacu.office("transito"), roster_id=roster, norm="Decreto 15/2026")
    row = await store.roster(cotriguacu.tx, roster, cotriguacu.tx.today)
    assert (row.basis, row.norm, row.state) == ("decree", "Decreto 15/2026", "future")


async def test_where_each_chooses_the_hours_nobody_has_to_agree_and_nothing_is_decreed(barra: Taxis) -> None:
    roster = await barra.propose()
    secretary = barra.office("financas")

    with pytest.raises(Refused, match="A lei deste município não prevê escala por decreto"):
        await drafting.draft(barra.tx, await store.roster(barra.tx, roster, TODAY))
    with pytest.raises(Invalid, match="não precisa de decreto"):
        await approve_roster(barra.tx, secretary, roster_id=roster, norm="Decreto 1/2026")
    await approve_roster(barra.tx, secretary, roster_id=roster)

    assert (await store.roster(barra.tx, roster, TODAY)).basis == "law"


async def test_one_roster_governs_a_day_and_one_who_saw_an_older_version_is_told(own_database: Database) -> None:
    async with taxis(own_database, COTRIGUACU, ["1", "1", "3"]) as town:
        first, second, office = await town.approved(), await town.propose(), town.office("financas")
        for permit in town.permits:
            await town.answer(second, permit.id)
        with pytest.raises(Conflict) as older:
            await approve_roster(town.tx, office, roster_id=second, version=1)
    assert (older.value.expected, older.value.actual) == (1, 4)

    async def approve_too(tx: Transaction) -> None:
        await approve_roster(tx, office, roster_id=second)

    with pytest.raises(Conflict) as taken:
        await own_database.perform(town.tx.tenant_id, approve_too)
    assert taken.value.constraint == "one_roster_at_a_time"
    async with own_database.transaction(town.tx.tenant_id) as tx:
        await close_roster(tx, office, roster_id=first, on=date(2026, 4, 1), why="nova escala")
        closed = await store.roster(tx, first, date(2026, 4, 2))
        assert (closed.state, closed.since, closed.until) == ("withdrawn", date(2026, 4, 1), None)
    await own_database.perform(town.tx.tenant_id, approve_too)


async def test_a_proposal_whose_permits_have_changed_is_made_anew(cotriguacu: Taxis) -> None:
    roster = await cotriguacu.propose()
    await cotriguacu.make.permit(date(2026, 3, 2), stand="3")

    with pytest.raises(Conflict, match="outorgas mudaram"):
        await approve_roster(cotriguacu.tx, cotriguacu.office("transito"), roster_id=roster, norm="Decreto 15/2026")


async def test_the_next_roster_begins_with_whoever_is_still_at_work(cotriguacu: Taxis) -> None:
    """What the last one leaves running past midnight counts for the first morning of the next."""
    await cotriguacu.approved()
    later: dict[str, Any] = {"category": "taxi", "since": date(2026, 4, 15), "until": date(2026, 4, 20)}
    plan = await cotriguacu.plan(await cotriguacu.propose(**later))
    law = await cotriguacu.tx.law(on=plan.since)
    morning = at(2026, 4, 15)
    without = replace(plan, shifts=tuple(shift for shift in plan.shifts if shift.start != morning))

    carried = await store.carried(cotriguacu.tx, "taxi", morning)
    decision = await checking.check(cotriguacu.tx, law, without)

    covered = max((row.ends for row in carried), default=morning)
    first = min((shift.start for shift in without.shifts), default=morning)
    assert (decision.outcome is Outcome.ALLOWED) == (covered >= first)


async def test_who_is_at_work_is_known_at_any_moment(cotriguacu: Taxis) -> None:
    roster = await cotriguacu.approved()
    shift = (await store.shifts(cotriguacu.tx, [roster]))[5]

    (row,) = await store.on_duty(cotriguacu.tx, "taxi", shift.starts)

    assert (row.number, row.starts, row.ends) == (shift.number, shift.starts, shift.ends)
    assert row.plate
    assert row.stand in {"1", "2", "3"}
    assert await store.on_duty(cotriguacu.tx, "taxi", at(2026, 5, 1)) == []


async def test_a_proposal_is_withdrawn_and_answers_to_it_are_over(cotriguacu: Taxis) -> None:
    roster = await cotriguacu.propose()

    await close_roster(cotriguacu.tx, cotriguacu.office("transito"), roster_id=roster)

    assert (await store.roster(cotriguacu.tx, roster, date(2026, 4, 2))).state == "withdrawn"
    with pytest.raises(Conflict):
        await cotriguacu.answer(roster, cotriguacu.permits[0].id)
    with pytest.raises(Conflict):
        await approve_roster(cotriguacu.tx, cotriguacu.office("transito"), roster_id=roster, norm="Decreto 15/2026")
