"""A permit ends before its term (extinção, cancelamento, cassação), for a cause that its instrument's law names."""

from datetime import date
from typing import Any
from uuid import UUID

from sqlalchemy import Row

from services import acts, deadlines
from services.access import Actor
from services.database import Transaction
from services.errors import Conflict, Invalid, Refused
from services.permits import store
from services.permits.days import must_stand, nothing_later
from services.permits.endings import lapsing
from services.permits.endings import store as endings
from services.permits.offices import office_that
from services.permits.unforeseen import not_provided
from tenants.law.decision import Decision, Outcome, RuleUsed
from tenants.law.kinds.grants import Ending, Instrument
from tenants.law.law import Law


async def end_permit(
    tx: Transaction,
    actor: Actor,
    *,
    permit_id: UUID,
    cause: str,
    version: int | None = None,
    on: date | None = None,
    judged: bool = False,
    why: str | None = None,
) -> UUID:
    """End a permit; with it go its vehicle's service, its stand and its licence. Answers the permit's id.

    Args:
        cause: A code of the law's list of endings; later grants may be barred by it.
        version: The permit as the caller saw it.
        on: The first day without the permit; today when it is not said.
        judged: The office records that it decides at the end of a process, where the law asks for one.

    Raises:
        Conflict: The permit has changed since the caller saw it.
        Forbidden: The law gives the decision to another office.
        Refused: The law knows no such end, the permit is not active, or the law asks for a process first.
    """
    actor.must("cancel")
    day = on or tx.today
    permit = await locked(tx, permit_id, day, version)
    law = await tx.law(on=day)
    ending = ending_for(law, permit, cause)
    office = office_that(law, actor, ending.decides, "cancel")
    decision = may_end(law, permit, ending, judged=judged)
    if not decision.permits:
        raise Refused(decision)
    await nothing_later(tx, permit, day)
    await record_end(tx, actor, permit, ending, day, decision=decision, office=office, why=why)
    return permit_id


async def locked(tx: Transaction, permit_id: UUID, day: date, version: int | None = None) -> Row[Any]:
    """The permit, which nobody else ends meanwhile, with all recorded that came before the day.

    Raises:
        Invalid: The day has not come.
        Conflict: The permit is of another version by now.
        Refused: It is not active, or began only that day.
    """
    if day > tx.today:
        raise Invalid("on", "future", "O dia do fim da outorga ainda não chegou.")
    law = await tx.law(on=day)
    seen = await store.permit(tx, permit_id, day)
    await store.lock_category(tx, law.root(seen.category))
    permit = await store.permit(tx, permit_id, day, lock=True)
    if version is not None and permit.version != version:
        raise Conflict(version, permit.version)
    subjects = await endings.subjects_of(tx, [permit_id])
    await deadlines.settle(tx, day, [(row.kind, row.id) for row in subjects])
    must_stand(permit, day)
    if permit.during.lower >= day:
        raise Refused(store.not_active(permit, day))
    return permit


def endings_of(law: Law, permit: Row[Any]) -> tuple[Ending, ...]:
    """Every way in which the law lets this permit end."""
    instrument = law.get(Instrument, permit.instrument)
    return instrument.endings if instrument else ()


def ending_for(law: Law, permit: Row[Any], cause: str, *, ground: str | None = None) -> Ending:
    """The way of ending with this cause; ``ground``: on what, where several have it. Raises Refused for none."""
    found = [each for each in endings_of(law, permit) if each.cause == cause and ground in (None, each.on)]
    if not found:
        title = law.list("ending").get(cause, cause)
        raise not_provided(law, f"que a outorga termine por: {title}", Instrument.kind)
    return found[0]


def used(law: Law, permit: Row[Any], ending: Ending) -> tuple[RuleUsed, ...]:
    """The instrument, by the articles of this way of ending."""
    found = law.find(Instrument.kind, permit.instrument)
    if found is None:
        return ()
    rule, cite = found.used, ending.cite or found.item.cite
    code = f"{rule.code}/{ending.cause}/{ending.on}"
    return (rule, RuleUsed(rule.kind, code, rule.title, cite, rule.since, rule.publication))


def may_end(law: Law, permit: Row[Any], ending: Ending, *, judged: bool) -> Decision:
    """Where the law asks for a process, only as judged at its end."""
    title = law.list("ending").get(ending.cause, ending.cause)
    if ending.after_process and not judged:
        said = f"{title}: só ao fim de processo, com defesa, por decisão da autoridade."
        return Decision(Outcome.NEEDS_DECISION, said, rules=used(law, permit, ending))
    return Decision(Outcome.ALLOWED, f"{title}: fim da outorga {permit.number}.", rules=used(law, permit, ending))


async def record_end(
    tx: Transaction,
    actor: Actor,
    permit: Row[Any],
    ending: Ending,
    day: date,
    *,
    decision: Decision,
    office: str,
    why: str | None = None,
    proposal_id: UUID | None = None,
    result: UUID | None = None,
) -> acts.Act:
    """The act, the end of the permit and of all that serves it, and of what was still demanded of them.

    ``proposal_id``: the proposal that this carries out; others that are open fall with the permit. ``result``: what a
    repeat of the request is answered with, where that is not the permit.
    """
    act = await acts.record(
        tx,
        actor,
        "permit.ended",
        on=("permit", permit.id),
        decision=decision,
        office=office,
        legal_day=day,
        changes={"cause": ending.cause, "endedOn": day},
        why=why,
        result={"id": str(result)} if result else None,
    )
    if proposal_id is not None:
        await endings.close_proposal(tx, proposal_id, "applied", day, act.id)
    await lapsing.end(tx, [endings.End(permit.id, day, ending.cause, act.id)])
    return act
