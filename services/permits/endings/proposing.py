"""That a permit end or be suspended is proposed (proposta): its holder is told, and may defend it until it is final."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any
from uuid import UUID

from sqlalchemy import Row

from services import acts
from services.access import Actor
from services.database import Transaction
from services.errors import Conflict, Invalid
from services.notices import NewNotice, queue
from services.permits import store
from services.permits.declared import declared
from services.permits.ending import ending_for, locked, used
from services.permits.endings import store as endings
from services.permits.endings.grounds import SUSPEND, effects, punished, suspended_by
from services.permits.tables import Proposal
from services.permits.unforeseen import not_provided
from services.registry import store as registry
from tenants.law.decision import Decision, Outcome, combine
from tenants.law.kinds.infractions import Infraction
from tenants.law.law import Law

END, PENALTY = "end", "penalty"
TEMPLATE = "proposal_made"
NODE = "proposal"


@dataclass(frozen=True, slots=True)
class Case:
    """What is proposed: for which permit, on what ground, from what day."""

    permit: Row[Any]
    ground: str
    day: date
    why: str | None


async def propose_ending(
    tx: Transaction,
    actor: Actor,
    *,
    permit_id: UUID,
    cause: str,
    infraction: str | None = None,
    ground: str | None = None,
    version: int | None = None,
    on: date | None = None,
    facts: Mapping[str, str] | None = None,
    why: str | None = None,
) -> UUID:
    """Propose that a permit end; answers the proposal's id.

    Args:
        cause: A code of the law's list of endings.
        infraction: What it punishes, where it does; one that lateness opens must have been reached.
        ground: Of several ways of ending with this cause, which, by the law's word for it.
        facts: What was found out.

    Raises:
        Refused: The law knows no such end, the infraction does not draw it, or its day has not come.
        Invalid: The law has it only as a penalty, and no infraction is named.
        Conflict: The same is proposed already, or the permit has changed since.
    """
    office, day = actor.must("propose"), on or tx.today
    permit = await locked(tx, permit_id, day, version)
    law = await tx.law(on=day)
    ending = ending_for(law, permit, cause, ground=ground)
    if infraction is None and ending.on == PENALTY:
        raise Invalid("infraction", "missing", "A lei só prevê este fim como pena: diga por qual infração.")
    parts = [Decision(Outcome.NEEDS_DECISION, _waits(law, cause), rules=used(law, permit, ending))]
    if infraction is not None:
        penalty = await punished(tx, law, permit, infraction, declared(law, facts))
        if not any(effect.do == END and effect.cause == cause for effect in effects(penalty)):
            raise not_provided(
                law, f"que {infraction} acarrete {law.list('ending').get(cause, cause)}", Infraction.kind
            )
        parts.append(penalty)
    decision = combine(parts, message=parts[0].message)
    case = Case(permit, infraction or ending.on, day, why)
    return await write(tx, actor, case, effect=END, cause=cause, decision=decision, office=office)


async def propose_suspension(
    tx: Transaction,
    actor: Actor,
    *,
    permit_id: UUID,
    infraction: str,
    version: int | None = None,
    on: date | None = None,
    facts: Mapping[str, str] | None = None,
    why: str | None = None,
) -> UUID:
    """Propose that a permit's licence be suspended; answers the proposal's id. Raises as for an ending."""
    office, day = actor.must("propose"), on or tx.today
    permit = await locked(tx, permit_id, day, version)
    law = await tx.law(on=day)
    decision = await suspended_by(tx, law, permit, infraction, declared(law, facts))
    case = Case(permit, infraction, day, why)
    return await write(tx, actor, case, effect=SUSPEND, decision=decision, office=office)


def _waits(law: Law, cause: str) -> str:
    title = law.list("ending").get(cause, cause)
    return f"{title}: proposta à autoridade; produz efeito quando a decisão for definitiva."


async def write(
    tx: Transaction,
    actor: Actor,
    case: Case,
    *,
    effect: str,
    decision: Decision,
    office: str,
    cause: str | None = None,
) -> UUID:
    """The row, the act, and the notice to the holder. Raises Conflict where the same is proposed already."""
    permit, id = case.permit, await registry.new_id(tx)
    open_ones = [row for row in await endings.proposals_of(tx, permit.id) if row.state == "open"]
    if any((row.effect, row.ground) == (effect, case.ground) for row in open_ones):
        raise Conflict(message="O mesmo já foi proposto para esta outorga, e ainda não foi decidido.")
    act = await acts.record(
        tx,
        actor,
        "ending.proposed" if effect == END else "suspension.proposed",
        on=(NODE, id),
        decision=decision,
        office=office,
        legal_day=case.day,
        changes={"permit": permit.id, "cause": cause, "ground": case.ground},
        why=case.why,
    )
    row = Proposal(
        tenant_id=tx.tenant_id,
        id=id,
        permit_id=permit.id,
        effect=effect,
        cause=cause,
        ground=case.ground,
        proposed_on=case.day,
        office=decision.office,
        decision=decision.plain(),
        act_id=act.id,
    )
    await registry.add(tx, row)
    await store.touch(tx, permit.id)
    await _tell(tx, row, decision)
    return id


async def _tell(tx: Transaction, row: Proposal, decision: Decision) -> None:
    """The holder is told what is proposed and under which articles, and can answer."""
    law = await tx.law(on=row.proposed_on)
    title = law.list("ending").get(row.cause or "", "Suspensão do alvará")
    told = {"title": title, "article": "; ".join(str(citation) for citation in decision.citations)}
    key, of = f"proposed:{row.id}", row.permit_id
    await queue(tx, [NewNotice(key=key, template=TEMPLATE, subject_kind="permit", subject_id=of, payload=told)])
