"""What was proposed takes effect, or is dismissed: the competent office's act of finality (decisão definitiva)."""

from datetime import date
from typing import Any
from uuid import UUID

from sqlalchemy import Row

from services import acts, deadlines
from services.access import Actor
from services.database import Transaction
from services.errors import Conflict, Forbidden, Invalid
from services.permits import store
from services.permits.days import nothing_later
from services.permits.ending import ending_for, endings_of, locked, may_end, record_end
from services.permits.endings import store as endings
from services.permits.endings.grounds import SUSPEND
from services.permits.endings.proposing import END, NODE
from services.permits.offices import office_that
from services.proceedings.waiting import must_be_decided
from tenants.law.kinds.grants import Ending
from tenants.law.law import Law
from tenants.law.rule import OfficeRef

POWERS = {END: "cancel", SUSPEND: "suspend"}


async def finalize_ending(
    tx: Transaction,
    actor: Actor,
    *,
    proposal_id: UUID,
    version: int | None = None,
    on: date | None = None,
    why: str | None = None,
) -> UUID:
    """The decision to end a permit is final: it ends; answers the proposal's id.

    Args:
        version: The proposal as the caller saw it.
        on: The day of finality, the first without the permit; today when it is not said.

    Raises:
        Forbidden: The law gives the decision to another office.
        Conflict: It has been decided, or has changed, since the caller saw it.
    """
    actor.must(POWERS[END])
    day = on or tx.today
    proposal = await taken(tx, proposal_id, version, END, day)
    permit = await locked(tx, proposal.permit_id, day)
    law = await tx.law(on=day)
    ending = _ending(law, permit, proposal)
    office = office_that(law, actor, ending.decides, POWERS[END])
    decision = may_end(law, permit, ending, judged=True)
    await nothing_later(tx, permit, day)
    said: dict[str, Any] = {"why": why, "proposal_id": proposal_id, "result": proposal_id}
    await record_end(tx, actor, permit, ending, day, decision=decision, office=office, **said)
    return proposal_id


async def dismiss_proposal(
    tx: Transaction,
    actor: Actor,
    *,
    proposal_id: UUID,
    version: int | None = None,
    on: date | None = None,
    why: str | None = None,
) -> UUID:
    """The decision is final, and nothing comes of the proposal (improcedência); answers its id. Raises as above."""
    if not any(actor.may(power) for power in POWERS.values()):
        raise Forbidden(POWERS[END])
    day = on or tx.today
    proposal = await taken(tx, proposal_id, version, None, day)
    law = await tx.law(on=day)
    await deadlines.settle(tx, day, ("permit", proposal.permit_id))
    permit = await store.permit(tx, proposal.permit_id, day)
    decides = _ending(law, permit, proposal).decides if proposal.effect == END else named(proposal)
    office = office_that(law, actor, decides, POWERS[proposal.effect])
    act = await acts.record(
        tx, actor, "proposal.dismissed", on=(NODE, proposal_id), office=office, legal_day=day, why=why
    )
    await endings.close_proposal(tx, proposal_id, "dismissed", day, act.id)
    await store.touch(tx, permit.id)
    return proposal_id


async def taken(tx: Transaction, id: UUID, version: int | None, effect: str | None, day: date) -> Row[Any]:
    """The proposal, locked after its permit. Raises Conflict where another was faster, Invalid for another kind."""
    if day > tx.today:
        raise Invalid("on", "future", "O dia da decisão ainda não chegou.")
    seen = await endings.proposal(tx, id)
    law = await tx.law(on=day)
    permit = await store.permit(tx, seen.permit_id, day)
    await store.lock_category(tx, law.root(permit.category))
    await store.permit(tx, seen.permit_id, day, lock=True)
    proposal = await endings.proposal(tx, id, lock=True)
    if version is not None and proposal.version != version:
        raise Conflict(version, proposal.version)
    if proposal.state != "open":
        raise Conflict(message="Esta proposta já foi decidida.")
    await must_be_decided(tx, id)
    if effect is not None and proposal.effect != effect:
        raise Invalid("proposalId", "effect", "Esta proposta é de outra espécie.")
    if day < proposal.proposed_on:
        raise Invalid("on", "order", "A decisão não pode ser anterior à proposta.")
    return proposal


def _ending(law: Law, permit: Row[Any], proposal: Row[Any]) -> Ending:
    """The way of ending on which it was proposed; of those with its cause, one that asks for a process."""
    same = [each for each in endings_of(law, permit) if each.cause == proposal.cause]
    on_ground = [each for each in same if each.on == proposal.ground]
    after_process = [each for each in same if each.after_process]
    found = [*on_ground, *after_process]
    return found[0] if found else ending_for(law, permit, proposal.cause)


def named(proposal: Row[Any]) -> OfficeRef | None:
    """The office to which the law leaves it, as it was proposed."""
    return OfficeRef(office=proposal.office) if proposal.office else None
