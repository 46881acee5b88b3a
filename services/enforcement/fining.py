"""A fine (multa) under the law of the day of the fact."""

from collections.abc import Mapping, Sequence
from datetime import date
from uuid import UUID

from services import deadlines
from services.access import Actor
from services.database import Transaction
from services.enforcement import applying, store
from services.enforcement.drawing import Offender, draw
from services.enforcement.tables import Fine
from services.errors import Invalid, Refused
from services.permits import store as permits
from services.registry.attributes import parsed
from tenants.law.decision import Decision, Outcome
from tenants.law.questions import Penalty


async def issue_fine(
    tx: Transaction,
    actor: Actor,
    *,
    permit_id: UUID,
    infractions: Sequence[str],
    seen_on: date,
    notified_on: date | None = None,
    facts: Mapping[str, str] | None = None,
    final: bool = False,
) -> Fine:
    """Fine a permit for one fact; of several infractions the law's overlaps keep one.

    Args:
        seen_on: The day of the fact, which picks the law and, where the law says so, the unit's value.
        notified_on: The day on which the person was told, which sets the payment term running; today by default.
        facts: What was seen of the fact, as the law's vocabulary names it: an amount may depend on it.
        final: It was defended in a process already, and upheld.

    Raises:
        Refused: The law draws no fine for the fact, or has not said enough; carries the decision.
        Forbidden: Another office applies it.
    """
    office = actor.must("fine")
    told_on = notified_on or tx.today
    if not seen_on <= told_on <= tx.today:
        raise Invalid("seenOn", "order", "O dia do fato não pode ser depois da notificação, nem esta no futuro.")
    law = await tx.law(on=seen_on)
    await permits.permit(tx, permit_id, seen_on, lock=True)
    await deadlines.settle(tx, told_on, await store.subjects_of(tx, permit_id))
    permit = await permits.permit(tx, permit_id, seen_on)
    offender = Offender(permit=permit)
    decision = await draw(tx, law, offender, infractions, parsed(law, facts or {}, "facts"))
    penalty = _fined(decision)
    applying.must_be_competent(actor, [penalty], decision)
    made = await applying.apply(tx, actor, applying.Case(offender, decision, seen_on, told_on, office, final=final))
    return next(each.fine for each in made if each.fine is not None)


async def fine_without_permit(
    tx: Transaction, actor: Actor, offender: Offender, *, infraction: str, seen_on: date, told_on: date, case_id: UUID
) -> Fine:
    """The same at the end of a process, of somebody who has no permit. Raises as above."""
    office = actor.must("fine")
    decision = await draw(tx, await tx.law(on=seen_on), offender, [infraction], {})
    applying.must_be_competent(actor, [_fined(decision)], decision)
    case = applying.Case(offender, decision, seen_on, told_on, office, case_id=case_id, final=True)
    made = await applying.apply(tx, actor, case)
    return next(each.fine for each in made if each.fine is not None)


def _fined(decision: Decision) -> Penalty:
    """The one penalty that stands and is a fine. Raises Refused for anything else."""
    if not decision.permits:
        raise Refused(decision)
    kept: Sequence[Penalty] = decision.value.kept
    found = [p for p in kept if not p.after_process and any(e.do in applying.CHARGES for e in p.effects)]
    if len(kept) != 1 or not found:
        said = "A lei não prevê uma só multa para este fato: registre cada fato em seu auto, ou abra o processo."
        raise Refused(Decision(Outcome.DENIED, said, rules=decision.rules, parts=(decision,)))
    return found[0]
