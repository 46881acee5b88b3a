"""A fine (multa) under the law of the day of the fact."""

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any
from uuid import UUID

from sqlalchemy import Row

from services import acts, numbers, terms
from services.access import Actor
from services.acts.record import Act
from services.database import Transaction
from services.enforcement import store
from services.enforcement.tables import Fine
from services.errors import Forbidden, Invalid, Refused
from services.permits import store as permits
from services.registry import store as registry
from services.registry.attributes import parsed
from services.registry.facts import facts as gathered
from tenants.law.decide import decide
from tenants.law.decision import Decision, Outcome
from tenants.law.facts import FactValue
from tenants.law.law import Law
from tenants.law.questions import Drawn, InfractionsQuestion, Penalty


async def issue_fine(
    tx: Transaction,
    actor: Actor,
    *,
    permit_id: UUID,
    infractions: Sequence[str],
    seen_on: date,
    notified_on: date | None = None,
    facts: Mapping[str, str] | None = None,
) -> Fine:
    """Fine a permit for one fact; of several infractions the law's overlaps keep one.

    Args:
        seen_on: The day of the fact, which picks the law and, where the law says so, the unit's value.
        notified_on: The day on which the person was told, which sets the payment term running; today by default.
        facts: What was seen of the fact, as the law's vocabulary names it: an amount may depend on it.

    Raises:
        Refused: The law draws no fine for the fact, or has not said enough; carries the decision.
        Forbidden: Another office applies it.
    """
    office = actor.must("fine")
    told_on = notified_on or tx.today
    if not seen_on <= told_on <= tx.today:
        raise Invalid("seenOn", "order", "O dia do fato não pode ser depois da notificação, nem esta no futuro.")
    law = await tx.law(on=seen_on)
    permit = await permits.permit(tx, permit_id, seen_on, lock=True)
    decision = await fine_decision(tx, law, permit, infractions, parsed(law, facts or {}, "facts"))
    penalty, drawn = _fined(decision)
    if penalty.by and not set(penalty.by) & set(actor.offices):
        raise Forbidden("fine", [str(citation) for citation in decision.citations])
    fine_id = await registry.new_id(tx)
    act = await acts.record(
        tx, actor, "fine.issued", on=("fine", fine_id), decision=decision, office=office, legal_day=seen_on
    )
    return await _write(tx, act, permit, fine_id, penalty.infraction, drawn, decision, told_on)


async def fine_decision(
    tx: Transaction, law: Law, permit: Row[Any], infractions: Sequence[str], seen: Mapping[str, FactValue]
) -> Decision:
    """What the law draws for a fact that is all these infractions, after what the permit was fined for before.

    ``seen``: what is known of the fact itself; what the register knows wins.
    """
    keys = {"category": permit.category, "holder": str(permit.holder_id)}
    events = await store.events(tx, permit.holder_id, law.on)
    question = InfractionsQuestion(codes=tuple(infractions), keys=keys, events=events)
    known = gathered(law, seen, {"permit.category": permit.category, "offence.by_holder": True})
    return decide(law, question, known)


def _fined(decision: Decision) -> tuple[Penalty, Drawn]:
    """The one penalty that stands and its fine. Raises Refused for anything else."""
    if not decision.permits:
        raise Refused(decision)
    found = [(p, e) for p in decision.value.kept for e in p.effects if e.do == "fine" and not p.after_process]
    if len(decision.value.kept) != 1 or not found:
        said = "A lei não prevê uma só multa para este fato: registre cada fato em seu auto, ou abra o processo."
        raise Refused(Decision(Outcome.DENIED, said, rules=decision.rules, parts=(decision,)))
    return found[0]


async def _write(
    tx: Transaction,
    act: Act,
    permit: Row[Any],
    fine_id: UUID,
    infraction: str,
    drawn: Drawn,
    decision: Decision,
    told_on: date,
) -> Fine:
    """The fine, and the payment term under the law of the day on which the person was told."""
    then = await tx.law(on=told_on)
    keys = {"category": permit.category}
    running = terms.started(then, gathered(then), of="fine", event="notified", on=told_on, keys=keys)
    due = await terms.open_started(tx, act, running, subject=("fine", fine_id), on=told_on)
    money = drawn.money
    if money is None:
        raise Refused(decision)
    fine = Fine(
        tenant_id=tx.tenant_id,
        id=fine_id,
        permit_id=permit.id,
        infraction=infraction,
        seen_on=act.legal_day,
        units=money.units,
        unit=money.unit,
        rate=money.rate,
        brl=money.brl,
        decision=decision.plain(),
        act_id=act.id,
        due_deadline_id=next(iter(due), None),
        number=await numbers.take(tx, "fine", act.legal_day.year),
    )
    await registry.add(tx, fine)
    return fine
