"""Whoever was called and did not come (faltoso): it is recorded; an end that the law draws from it is proposed."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from services.access import system
from services.campaigns import store
from services.deadlines import Due, consequence
from services.permits import store as permits
from services.permits.ending import endings_of, used
from services.permits.endings import proposing
from services.permits.endings import store as endings
from tenants.law.decision import Decision, Outcome

if TYPE_CHECKING:
    from services.database import Transaction

MISSED = "campaign_missed"
NIGHT = "system"  # the office in which nobody acts


@consequence(MISSED)
async def miss(tx: "Transaction", batch: Sequence[tuple[Due, Mapping[str, Any]]]) -> None:
    """What the infraction draws is an office's to apply; the end of a permit is proposed to it."""
    missed = await store.miss(tx, [due.id for due, _ in batch])
    for due, follow in batch:
        if "cause" in follow and due.id in missed:
            await _propose(tx, due, missed[due.id], follow)


async def _propose(tx: "Transaction", due: Due, call: Any, follow: Mapping[str, Any]) -> None:
    """Once, and only of a permit that has not ended meanwhile, in a way in which the law ends it."""
    law, cause, ground = await tx.law(on=due.last_day), follow["cause"], call.infraction or due.rule
    permit = await permits.permit(tx, call.permit_id, due.last_day, lock=True)
    ending = next((each for each in endings_of(law, permit) if each.cause == cause), None)
    proposed = await endings.proposals_of(tx, permit.id)
    known = any((row.effect, row.ground, row.state) == (proposing.END, ground, "open") for row in proposed)
    if ending is None or permit.state != "active" or known:
        return
    title = law.list("ending").get(cause, cause)
    said = f"{title}: proposta por falta à convocação até {due.last_day:%d/%m/%Y}."
    rules = used(law, permit, ending)
    decision = Decision(Outcome.NEEDS_DECISION, said, rules=rules, office=follow.get("decides"))
    case = proposing.Case(permit, ground, due.last_day, None)
    actor = system(tx.tenant_id)
    await proposing.write(tx, actor, case, effect=proposing.END, cause=cause, decision=decision, office=NIGHT)
