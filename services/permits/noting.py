"""What happens in a permit's service and sets terms running, or meets them (início do serviço, ausência)."""

from datetime import date
from typing import Any
from uuid import UUID

from sqlalchemy import Row
from sqlalchemy.dialects.postgresql import Range

from services import acts, deadlines, terms
from services.access import Actor
from services.database import Transaction
from services.errors import Conflict, Invalid, Refused
from services.permits import store
from services.permits.days import must_stand
from services.permits.endings import store as endings
from services.permits.tables import Absence
from services.permits.unforeseen import not_provided
from services.registry import store as registry
from services.registry.facts import facts
from tenants.law.decision import Decision, Outcome
from tenants.law.kinds.terms import Term
from tenants.law.law import Law
from tenants.law.quantity import Length, parse_literal

AWAY, JUSTIFIED, BACK = "absence_started", "absence_justified", "absence_ended"
SUMMONED, ATTENDED = "summoned", "summons_attended"
EVENTS = frozenset({"service_started", AWAY, JUSTIFIED, BACK, SUMMONED, ATTENDED})


async def note_event(
    tx: Transaction,
    actor: Actor,
    *,
    permit_id: UUID,
    event: str,
    on: date | None = None,
    why: str | None = None,
    length: str | None = None,
) -> UUID:
    """Record an event of a permit's service; answers the permit's id.

    Args:
        length: How long the holder has, where the law leaves it to the office ("15 days").

    Raises:
        Invalid: No such event is noted, its day has not come, or it ends an absence that is not.
        Refused: The permit is not active on that day, or the law knows no term of such an event, or not how long.
        Conflict: The holder is noted as absent already.
    """
    office = actor.must("record")
    day = on or tx.today
    if event not in EVENTS:
        raise Invalid("event", "unknown_code", f"Use um de: {', '.join(sorted(EVENTS))}.")
    if day > tx.today:
        raise Invalid("on", "future", "O dia do fato ainda não chegou.")
    law = await tx.law(on=day)
    permit = await store.permit(tx, permit_id, day, lock=True)
    must_stand(permit, day)
    _has_a_term(law, permit, event)
    given = _length(length)
    subject = ("permit", permit_id)
    await deadlines.settle(tx, day, subject)
    act = await acts.record(tx, actor, f"permit.{event}", on=subject, office=office, legal_day=day, why=why)
    await _absence(tx, act, permit, event)
    await terms.meet(tx, act, law, subject=subject, events={event}, on=day)
    keys = {"category": permit.category}
    known = facts(law, {"permit.category": permit.category, "permit.granted_on": permit.granted_on})
    running = terms.started(law, known, of="permit", event=event, on=day, keys=keys, length=given)
    if event == SUMMONED and not running:
        raise Refused(Decision(Outcome.UNDETERMINED, "Diga em quanto tempo a intimação deve ser atendida."))
    await terms.open_started(tx, act, running, subject=subject, on=day)
    return permit_id


def _length(text: str | None) -> Length | None:
    """Raises Invalid."""
    if text is None:
        return None
    try:
        found = parse_literal(text)
    except ValueError:
        found = None
    if not isinstance(found, Length) or found.count < 1:
        raise Invalid("length", "length", "Diga o prazo como a lei do município os escreve, em dias ou dias úteis.")
    return found


def _has_a_term(law: Law, permit: Row[Any], event: str) -> None:
    """What the law draws nothing from is nobody's business. Raises Refused."""
    keys = {"category": permit.category}
    known = {term.starts for _, term in law.all(Term) if term.of == "permit" and law.concerns(term, keys)}
    if event in (AWAY, JUSTIFIED, BACK) and AWAY not in known:
        raise not_provided(law, "prazo que corra da ausência do titular", Term.kind)
    if event in (SUMMONED, ATTENDED) and SUMMONED not in known:
        raise not_provided(law, "intimação para regularizar o serviço", Term.kind)


async def _absence(tx: Transaction, act: acts.Act, permit: Row[Any], event: str) -> None:
    """The days of absence: one row from leaving to coming back, found to be justified or not."""
    day = act.legal_day
    if event == AWAY:
        if await endings.absence_on(tx, permit.id, day):
            raise Conflict(message="A ausência deste titular já está registrada.")
        during = Range(day, permit.during.upper)
        await registry.add(tx, Absence(tenant_id=tx.tenant_id, permit_id=permit.id, during=during, act_id=act.id))
    elif event in (JUSTIFIED, BACK):
        away = await endings.absence_on(tx, permit.id, day)
        if away is None:
            raise Invalid("event", "not_absent", "Não há ausência registrada nesse dia.")
        await (endings.justify(tx, away.id) if event == JUSTIFIED else endings.come_back(tx, away.id, day))
