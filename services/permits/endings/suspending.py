"""A permit's licence is suspended for some days (suspensão do alvará), and serves again (reativação)."""

from datetime import date
from typing import Any
from uuid import UUID

from sqlalchemy import Row
from sqlalchemy.dialects.postgresql import Range

from services import acts, deadlines
from services.access import Actor
from services.database import Transaction
from services.errors import Conflict, Invalid, Refused
from services.permits import store
from services.permits.ending import locked
from services.permits.endings import store as endings
from services.permits.endings.finalizing import POWERS, named, taken
from services.permits.endings.grounds import SUSPEND
from services.permits.offices import office_that
from services.permits.tables import Suspension
from services.registry import store as registry
from services.registry.facts import facts
from services.terms import DAY
from tenants.law.decide import decide
from tenants.law.decision import Decision
from tenants.law.kinds.infractions import Infraction
from tenants.law.kinds.sanctions import Sanction
from tenants.law.law import Law
from tenants.law.questions import SuspensionQuestion

NODE = "suspension"


async def finalize_suspension(
    tx: Transaction,
    actor: Actor,
    *,
    proposal_id: UUID,
    since: date | None = None,
    until: date | None = None,
    version: int | None = None,
    on: date | None = None,
    why: str | None = None,
) -> UUID:
    """The decision to suspend is final; answers the suspension's id.

    Args:
        since: Its first day; that of the decision when it is not said.
        until: Its last day, which the decision says within what the law allows; not said where the law fixes it.
        version: The proposal as the caller saw it.

    Raises:
        Forbidden: The law gives the decision to another office.
        Refused: It is longer or shorter than the law allows, or the length is missing.
        Conflict: It has been decided since, or the permit is suspended in these days already.
    """
    actor.must(POWERS[SUSPEND])
    day = on or tx.today
    proposal = await taken(tx, proposal_id, version, SUSPEND, day)
    law = await tx.law(on=day)
    office = office_that(law, actor, named(proposal), POWERS[SUSPEND])
    permit = await locked(tx, proposal.permit_id, day)
    first = since or day
    if first < day:
        raise Invalid("since", "order", "A suspensão não começa antes da decisão.")
    question = SuspensionQuestion(code=_code(law, proposal), since=first, until=until)
    decision = decide(law, question, facts(law, {"permit.category": permit.category}))
    if not decision.permits:
        raise Refused(decision)
    return await _write(tx, actor, proposal, decision, office=office, day=day, why=why)


def _code(law: Law, proposal: Row[Any]) -> str:
    """The infraction where it suspends by itself, else the sanction that the law provides for any."""
    rule = law.get(Infraction, proposal.ground)
    if rule is not None and SUSPEND in (rule.do, *(each.do for each in rule.also)):
        return rule.code
    return next((item.code for _, item in law.all(Sanction) if item.do == SUSPEND), proposal.ground)


async def _write(
    tx: Transaction, actor: Actor, proposal: Row[Any], decision: Decision, *, office: str, day: date, why: str | None
) -> UUID:
    id, lasts = await registry.new_id(tx), decision.value
    act = await acts.record(
        tx,
        actor,
        "permit.suspended",
        on=(NODE, id),
        decision=decision,
        office=office,
        legal_day=day,
        changes={"permit": proposal.permit_id, "since": lasts.since, "until": lasts.until},
        why=why,
    )
    row = Suspension(
        tenant_id=tx.tenant_id,
        id=id,
        permit_id=proposal.permit_id,
        proposal_id=proposal.id,
        during=Range(lasts.since, lasts.until + DAY),
        act_id=act.id,
    )
    await registry.add(tx, row)
    await endings.close_proposal(tx, proposal.id, "applied", day, act.id)
    await store.touch(tx, proposal.permit_id)
    return id


async def reactivate_permit(
    tx: Transaction,
    actor: Actor,
    *,
    suspension_id: UUID,
    version: int | None = None,
    on: date | None = None,
    why: str | None = None,
) -> UUID:
    """A suspension ends before its last day; answers its id.

    Args:
        on: The first day on which the licence serves again; today when it is not said.

    Raises:
        Conflict: It has changed since the caller saw it, or is over.
    """
    actor.must(POWERS[SUSPEND])
    day = on or tx.today
    if day > tx.today:
        raise Invalid("on", "future", "O dia da reativação ainda não chegou.")
    seen = await endings.suspension(tx, suspension_id, day)
    await store.permit(tx, seen.permit_id, day, lock=True)
    await deadlines.settle(tx, day, ("permit", seen.permit_id))
    found = await endings.suspension(tx, suspension_id, day, lock=True)
    if version is not None and found.version != version:
        raise Conflict(version, found.version)
    law = await tx.law(on=day)
    proposal = await endings.proposal(tx, found.proposal_id)
    office = office_that(law, actor, named(proposal), POWERS[SUSPEND])
    if found.state == "ended" or found.during.isempty or found.during.upper <= tx.today:
        raise Conflict(message="Esta suspensão já terminou.")
    act = await acts.record(
        tx, actor, "permit.reactivated", on=(NODE, suspension_id), office=office, legal_day=day, why=why
    )
    await endings.lift(tx, suspension_id, day, act.id)
    await store.touch(tx, found.permit_id)
    return suspension_id
