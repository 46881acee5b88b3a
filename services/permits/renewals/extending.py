"""A permit goes on for a further term (prorrogação por aditivo), as often as the law says."""

from datetime import date
from typing import Any
from uuid import UUID

from sqlalchemy import Row
from sqlalchemy.dialects.postgresql import Range

from services import acts, deadlines, terms
from services.access import Actor
from services.database import Transaction
from services.deadlines import store as deadline_store
from services.errors import Conflict, Invalid, Refused
from services.permits import store
from services.permits.days import must_stand, nothing_later
from services.permits.endings import store as endings
from services.permits.offices import granting_office
from services.permits.renewals import store as renewals
from services.permits.renewals.standing import keys_of
from services.permits.tables import Extension
from services.permits.unforeseen import not_provided
from services.registry import store as registry
from services.registry.facts import facts
from tenants.law.decision import Decision, Outcome
from tenants.law.kinds.terms import Term
from tenants.law.law import Law

GRANTED = "granted"


async def extend_permit(
    tx: Transaction, actor: Actor, *, permit_id: UUID, version: int | None = None, on: date | None = None
) -> UUID:
    """Add one more term to a permit, from the end of the one that runs; answers the permit's id.

    Raises:
        Refused: The law knows no extension, all that it allows have been given, or the permit is not active.
        Conflict: The permit has changed since.
    """
    actor.must("grant")
    day = on or tx.today
    if day > tx.today:
        raise Invalid("on", "future", "O dia do aditivo ainda não chegou.")
    law = await tx.law(on=day)
    permit = await store.permit(tx, permit_id, day, lock=True)
    if version is not None and permit.version != version:
        raise Conflict(version, permit.version)
    office = granting_office(law, actor, permit)
    must_stand(permit, day)
    if permit.during.upper is not None and permit.during.upper <= tx.today:  # whether or not a night has recorded it
        raise Refused(store.not_active(permit, tx.today))
    await nothing_later(tx, permit, day, ("extension",))
    await deadlines.settle(tx, day, ("permit", permit_id))
    running = await _next_term(tx, law, permit)
    decision = _may(running, (await endings.lives(tx, [permit_id], day))[permit_id].renewals)
    if not decision.permits:
        raise Refused(decision)
    act = await acts.record(
        tx,
        actor,
        "permit.extended",
        on=("permit", permit_id),
        decision=decision,
        office=office,
        legal_day=day,
        changes={"until": running.last_day},
    )
    await _write(tx, act, permit, running)
    return permit_id


async def _next_term(tx: Transaction, law: Law, permit: Row[Any]) -> terms.Running:
    """The permit's own term once more, counted from its last day."""
    found = [
        term
        for _, term in law.all(Term)
        if term.of == "permit" and term.starts == GRANTED and term.validity and law.concerns(term, keys_of(permit))
    ]
    extended = next((term for term in found if term.renewals is not None), None)
    if extended is None or permit.during.upper is None:
        raise not_provided(law, "a prorrogação da outorga", Term.kind)
    known = facts(law, {"permit.category": permit.category, "permit.granted_on": permit.granted_on})
    last = permit.during.upper - terms.DAY
    running = terms.counted(law, known, extended, on=last, keys=keys_of(permit))
    if running is None:
        raise Refused(Decision(Outcome.UNDETERMINED, "A lei do município não diz até quando vai a prorrogação."))
    return running


def _may(running: terms.Running, given: int) -> Decision:
    """As often as the term says, and no more."""
    most = running.decision.value.renewals
    if most is None:
        return running.decision
    if given >= most:
        said = f"A lei admite {most} prorrogação(ões) por igual período, e já houve {given}."
        return Decision(Outcome.DENIED, said, rules=running.decision.rules, readings=running.decision.readings)
    said = f"Prorrogada até {running.last_day:%d/%m/%Y}."
    return Decision(Outcome.ALLOWED, said, value=running.decision.value, parts=(running.decision,))


async def _write(tx: Transaction, act: acts.Act, permit: Row[Any], running: terms.Running) -> None:
    """The days that are added, whatever goes on with the permit, and the deadline that takes the former's place."""
    subject, old, upper = ("permit", permit.id), permit.during.upper, running.last_day + terms.DAY
    during = Range(old, upper)
    await registry.add(tx, Extension(tenant_id=tx.tenant_id, permit_id=permit.id, during=during, act_id=act.id))
    await renewals.stretch(tx, permit.id, old, upper)
    new = terms.new_deadline(act, running, subject=subject, on=old - terms.DAY)
    for former in await deadline_store.open_of(tx, subject, [running.term.code]):
        await deadlines.replace(tx, former, new, on=act.legal_day)
