"""What happens in a permit's service and sets terms running, or meets them (início do serviço, ausência)."""

from datetime import date
from uuid import UUID

from services import acts, deadlines, terms
from services.access import Actor
from services.database import Transaction
from services.errors import Invalid, Refused
from services.permits import store
from services.registry.facts import facts

EVENTS = frozenset({"service_started", "absence_started", "absence_justified", "absence_ended"})


async def note_event(
    tx: Transaction, actor: Actor, *, permit_id: UUID, event: str, on: date | None = None, why: str | None = None
) -> UUID:
    """Record an event of a permit's service; answers the permit's id.

    Raises:
        Invalid: No such event is noted, or its day has not come.
        Refused: The permit is not active on that day.
    """
    office = actor.must("record")
    day = on or tx.today
    if event not in EVENTS:
        raise Invalid("event", "unknown_code", f"Use um de: {', '.join(sorted(EVENTS))}.")
    if day > tx.today:
        raise Invalid("on", "future", "O dia do fato ainda não chegou.")
    law = await tx.law(on=day)
    permit = await store.permit(tx, permit_id, day, lock=True)
    if permit.state != "active":
        raise Refused(store.not_active(permit, day))
    subject = ("permit", permit_id)
    await deadlines.settle(tx, day, subject)
    act = await acts.record(tx, actor, f"permit.{event}", on=subject, office=office, legal_day=day, why=why)
    await terms.meet(tx, act, law, subject=subject, events={event}, on=day)
    keys = {"category": permit.category}
    known = facts(law, {"permit.category": permit.category, "permit.granted_on": permit.granted_on})
    running = terms.started(law, known, of="permit", event=event, on=day, keys=keys)
    await terms.open_started(tx, act, running, subject=subject, on=day)
    return permit_id
