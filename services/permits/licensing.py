"""The yearly licence beside the permit (alvará)."""

from dataclasses import replace
from datetime import date
from typing import Any
from uuid import UUID

from sqlalchemy import Row
from sqlalchemy.dialects.postgresql import Range

from services import acts, deadlines, numbers, terms
from services.access import Actor
from services.database import Transaction
from services.deadlines import store as deadline_rows
from services.errors import Invalid, Refused
from services.permits import store
from services.permits.days import must_stand, nothing_later
from services.permits.eligibility import Case, Pairing, case_of
from services.permits.tables import Licence
from services.permits.unforeseen import no_licence_term
from services.registry import store as registry
from tenants.law.decide import decide
from tenants.law.decision import Decision, first_no
from tenants.law.facts import Facts
from tenants.law.kinds.grants import Instrument
from tenants.law.kinds.terms import Fee
from tenants.law.law import Law
from tenants.law.money import Money
from tenants.law.questions import FeeAnswer, FeeQuestion

RENEWAL = frozenset({"renewal_requested", "renewed"})  # whoever renews has asked for it


async def issue_licence(
    tx: Transaction, actor: Actor, *, permit_id: UUID, issued_on: date | None = None, judged: bool = False
) -> Licence:
    """Issue, or renew, the yearly licence of a permit: one that is renewed before its end goes on after it.

    Raises:
        Refused: The permit is not active, or a demand of the law is not met; carries every answer.
    """
    office = actor.must("license")
    law = await tx.law(on=issued_on or tx.today)
    if law.on > tx.today:
        raise Invalid("issuedOn", "future", "O dia da expedição ainda não chegou.")
    permit = await store.permit(tx, permit_id, law.on, lock=True)
    earlier = await store.last_licence(tx, permit_id)
    subjects = [("permit", permit_id), *([("licence", earlier.id)] if earlier else [])]
    await deadlines.settle(tx, law.on, subjects)
    case = await _case(tx, law, permit)
    decision = _decision(law, case, at="renewal" if earlier else "licence")
    if not decision.carries(judged=judged):
        raise Refused(decision)
    return await _write(tx, actor, office, law, permit, case, decision, earlier)


async def _case(tx: Transaction, law: Law, permit: Row[Any]) -> Case:
    """What is known of the permit's holder and vehicle. Raises Refused where the permit is not active."""
    vehicle = await store.vehicle_of(tx, permit.id, law.on)
    must_stand(permit, law.on)
    if vehicle is None:
        raise Refused(store.not_active(permit, law.on))
    await nothing_later(tx, permit, law.on, ("licence",))
    return await case_of(tx, law, Pairing(permit.category, permit.holder_id, vehicle.vehicle_id, permit.granted_on))


def _decision(law: Law, case: Case, *, at: str) -> Decision:
    decision = case.eligible(law, at)
    return decision if decision.permits else replace(decision, message=first_no(decision))


async def _write(
    tx: Transaction,
    actor: Actor,
    office: str,
    law: Law,
    permit: Row[Any],
    case: Case,
    decision: Decision,
    earlier: Row[Any] | None,
) -> Licence:
    day, licence_id = law.on, await registry.new_id(tx)
    begins, running = next_term(law, case.facts, permit, earlier)
    last = terms.validity(running)
    if last is None:
        raise no_licence_term(law, {"category": permit.category})
    fee = _fee(law, case, permit.category)
    act = await acts.record(
        tx, actor, "licence.issued", on=("licence", licence_id), decision=decision, office=office, legal_day=day
    )
    licence = Licence(
        tenant_id=tx.tenant_id,
        id=licence_id,
        permit_id=permit.id,
        number=await numbers.take(tx, "licence", day.year),
        during=Range(begins, terms.day_after(last)),
        fee_units=fee.units if fee else None,
        fee_unit=fee.unit if fee else None,
        fee_rate=fee.rate if fee else None,
        fee_brl=fee.brl if fee else None,
        act_id=act.id,
    )
    await terms.meet(tx, act, law, subject=("permit", permit.id), events={"licence_issued"}, on=day)
    await terms.meet_kinds(tx, act, subject=("permit", permit.id), kinds=_step(law, permit), on=day)
    if earlier:
        await terms.meet(tx, act, law, subject=("licence", earlier.id), events=RENEWAL, on=day)
    await registry.add(tx, licence)
    await terms.open_started(tx, act, running, subject=("licence", licence_id), on=day)
    return licence


def next_term(law: Law, known: Facts, permit: Row[Any], earlier: Row[Any] | None) -> tuple[date, list[terms.Running]]:
    """When the licence that would be issued that day begins, and the terms of its validity."""
    day = law.on
    begins = max(day, earlier.during.upper) if earlier else day
    event_on = day if begins == day else begins - terms.DAY  # a term counts from the end of the one before it
    keys = {"category": permit.category}
    return begins, terms.started(law, known, of="licence", event="issued", on=event_on, keys=keys)


def _step(law: Law, permit: Row[Any]) -> list[str]:
    """The steps on the way to the instrument that the licence is: those that say so, or that bear its name."""
    instrument = law.get(Instrument, permit.instrument)
    if instrument is None:
        return []
    named = [instrument.license] if instrument.license else []
    return named + [step.code for step in instrument.steps if step.met_by == "licence_issued"]


def _fee(law: Law, case: Case, category: str) -> Money | None:
    """What the licence costs on its day; None where the law says no sum, or the town has not said the unit's value."""
    fees = [fee for _, fee in law.all(Fee) if fee.of == "licence" and law.concerns(fee, {"category": category})]
    for fee in fees:
        decision = decide(law, FeeQuestion(code=fee.code, keys={"category": category}), case.facts)
        if decision.permits and isinstance(decision.value, FeeAnswer):
            return decision.value.total
    return None


async def issue_again(tx: Transaction, act: acts.Act, permit: Row[Any], on: date) -> UUID | None:
    """A new licence for the days that the one in force has left, at no fee; its id, None where none is in force.

    What was counted for the former goes on for the new one.
    """
    former = await store.licence_on(tx, permit.id, on)
    if former is None or former.during.lower >= on:
        return None
    id, upper = await registry.new_id(tx), former.during.upper
    await store.cut_licence(tx, former.id, on)
    number = await numbers.take(tx, "licence", on.year)
    row = Licence(
        tenant_id=tx.tenant_id, id=id, permit_id=permit.id, number=number, during=Range(on, upper), act_id=act.id
    )
    await registry.add(tx, row)
    await _go_on(tx, act, former.id, id, on)
    return id


async def _go_on(tx: Transaction, act: acts.Act, former: UUID, id: UUID, on: date) -> None:
    """What was counted for one licence is counted for the one that takes its place."""
    for row in await deadline_rows.of_subjects(tx, [("licence", former)], on):
        if row.state == "open":
            new = deadlines.NewDeadline(
                kind=row.kind,
                rule=row.rule,
                subject_kind="licence",
                subject_id=id,
                opened_on=row.opened_on,
                last_day=row.last_day,
                article=row.article,
                opened_act=act.id,
                inputs=row.inputs,
                counted=row.counted,
                follows=row.follows,
            )
            await deadlines.replace(tx, row.id, new, on=on)
