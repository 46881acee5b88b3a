"""A permit ends before its term (extinção, cancelamento, cassação), for a cause that its instrument's law names."""

from datetime import date
from typing import Any
from uuid import UUID

from sqlalchemy import Row

from services import acts, deadlines
from services.access import Actor
from services.database import Transaction
from services.errors import Invalid, Refused
from services.permits import store
from tenants.law.decision import Decision, Missing, Outcome
from tenants.law.kinds.grants import Ending, Instrument
from tenants.law.kinds.terms import Term
from tenants.law.law import Law


async def end_permit(
    tx: Transaction,
    actor: Actor,
    *,
    permit_id: UUID,
    cause: str,
    on: date | None = None,
    judged: bool = False,
    why: str | None = None,
) -> UUID:
    """End a permit; with it go its vehicle's service, its stand and its licence. Answers the permit's id.

    Args:
        cause: A code of the law's list of endings; later grants may be barred by it.
        on: The first day without the permit; today when it is not said.
        judged: The office records that it decides at the end of a process, where the law asks for one.

    Raises:
        Invalid: The permit's instrument does not end for this cause.
        Forbidden: The law gives the decision to another office.
        Refused: The permit is not active, or the law asks for a process first.
    """
    day = on or tx.today
    if day > tx.today:
        raise Invalid("on", "future", "O dia do fim da outorga ainda não chegou.")
    law = await tx.law(on=day)
    permit = await _locked(tx, law, permit_id)
    await deadlines.settle(tx, day, ("permit", permit_id))
    ending = _ending(law, permit, cause)
    office = _office(law, actor, ending)
    decision = _decision(law, permit, ending, judged=judged)
    if not decision.permits:
        raise Refused(decision)
    subject, changes = ("permit", permit_id), {"cause": cause, "endedOn": day}
    act = await acts.record(
        tx, actor, "permit.ended", on=subject, decision=decision, office=office, legal_day=day, changes=changes, why=why
    )
    await store.end(tx, permit_id, day, cause, act.id)
    await _demand_nothing_more(tx, law, permit_id, day, act.id)
    return permit_id


async def _locked(tx: Transaction, law: Law, permit_id: UUID) -> Row[Any]:
    """The permit, once nobody else counts or changes its category. Raises Refused when it has no day left to end."""
    seen = await store.permit(tx, permit_id, law.on)
    await store.lock_category(tx, law.root(seen.category))
    permit = await store.permit(tx, permit_id, law.on, lock=True)
    if permit.state != "active" or permit.during.lower >= law.on:
        raise Refused(store.not_active(permit, law.on))
    return permit


def _ending(law: Law, permit: Row[Any], cause: str) -> Ending:
    instrument = law.get(Instrument, permit.instrument)
    endings = instrument.endings if instrument else ()
    found = [ending for ending in endings if ending.cause == cause]
    if not found:
        known = ", ".join(dict.fromkeys(ending.cause for ending in endings))
        raise Invalid("cause", "unknown_code", f"A lei conhece: {known or 'nenhuma causa de fim'}.")
    return found[0]


def _office(law: Law, actor: Actor, ending: Ending) -> str:
    """The office that decides, which the actor must hold. Raises Refused where the town has not named it."""
    decides = law.office_of(ending.decides) if ending.decides else None
    if isinstance(decides, Missing):
        raise Refused(Decision(Outcome.UNDETERMINED, f"Falta informar: {decides.ask}", missing=(decides,)))
    return actor.must("cancel") if decides is None else actor.must_hold(decides, "cancel")


def _decision(law: Law, permit: Row[Any], ending: Ending, *, judged: bool) -> Decision:
    found = law.find(Instrument.kind, permit.instrument)
    rules = (found.used,) if found else ()
    title = law.list("ending").get(ending.cause, ending.cause)
    if ending.after_process and not judged:
        said = f"{title}: só ao fim de processo, com defesa, por decisão da autoridade."
        return Decision(Outcome.NEEDS_DECISION, said, rules=rules)
    return Decision(Outcome.ALLOWED, f"{title}: fim da outorga {permit.number}.", rules=rules)


async def _demand_nothing_more(tx: Transaction, law: Law, permit_id: UUID, day: date, act_id: UUID) -> None:
    """Close what was still demanded of the permit and its licence; what was fined is still due."""
    licence = await store.last_licence(tx, permit_id)
    subjects = [("permit", permit_id), *([("licence", licence.id)] if licence else [])]
    for subject in subjects:
        kinds = [term.code for _, term in law.all(Term) if term.of == subject[0]]
        await deadlines.meet_kinds(tx, on_subject=subject, kinds=kinds, on=day, act_id=act_id)
