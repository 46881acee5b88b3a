"""Holders agree to a roster or not (acordo); it is approved by their agreement, by the law alone, or by decree."""

from datetime import date
from typing import Any
from uuid import UUID

from sqlalchemy import Row

from services import acts, deadlines
from services.access import Actor
from services.database import Reader, Transaction
from services.errors import Conflict, Invalid, NotFound, Refused
from services.stands.rosters import checking, store
from services.stands.rosters.checking import Plan
from tenants.law.decision import Decision, Outcome
from tenants.law.law import Law

LAW, AGREEMENT, DECREE = "law", "agreement", "decree"


async def answer_roster(
    tx: Transaction, actor: Actor, *, roster_id: UUID, permit_id: UUID, agrees: bool, source: str | None = None
) -> UUID:
    """Record whether the holder of a permit agrees to a proposed roster; answers the roster's id.

    Args:
        source: Where an office that records it for a holder has it from (a signed paper).

    Raises:
        Forbidden: Neither the holder of the permit nor an office that records for them.
        NotFound: The roster does not bind the permit.
        Conflict: The roster is no proposal any more.
    """
    office = await speaks_for(tx, actor, permit_id, source)
    row = await locked(tx, roster_id)
    _must_be(row, "proposed")
    member = await member_of(tx, roster_id, permit_id)
    act = await acts.record(
        tx,
        actor,
        "roster.answered",
        on=("roster", roster_id),
        office=office,
        changes={"permit": member.number, "agrees": agrees, "source": source},
    )
    await store.answer(tx, roster_id, permit_id, agrees=agrees, act_id=act.id)
    await store.touch(tx, roster_id)
    return roster_id


async def approve_roster(
    tx: Transaction, actor: Actor, *, roster_id: UUID, version: int | None = None, norm: str | None = None
) -> UUID:
    """Approve a proposed roster (homologar escala); answers its id.

    Args:
        version: The roster as the caller saw it.
        norm: The decree that sets it, where those whom the law asks have not agreed.

    Raises:
        Refused: It breaks the law; or there is no agreement, and no decree either.
        Forbidden: The law gives the decree to another office.
        Conflict: It has changed since, or another roster governs some of its days.
    """
    actor.must("decide")
    row = await locked(tx, roster_id, version)
    _must_be(row, "proposed")
    law = await tx.law(on=row.since)
    plan = await checking.plan_in(tx, row)
    await _same_crew(tx, law, plan)
    decision = await judged(tx, law, plan, row.id)
    office, basis = _basis(law, actor, plan, decision, norm)
    act = await acts.record(
        tx,
        actor,
        "roster.approved",
        on=("roster", roster_id),
        decision=decision,
        office=office,
        legal_day=row.since,
        changes={"basis": basis, "norm": norm},
    )
    await store.approve(tx, roster_id, basis, norm, act.id)
    return roster_id


async def close_roster(
    tx: Transaction,
    actor: Actor,
    *,
    roster_id: UUID,
    version: int | None = None,
    on: date | None = None,
    why: str | None = None,
) -> UUID:
    """Withdraw a proposal, or end an approved roster before its last day; answers its id.

    Args:
        on: The first day without it; today when it is not said.
    """
    office = actor.must("decide")
    row = await locked(tx, roster_id, version)
    _must_be(row, "proposed", "future", "active")
    day = max(on or tx.today, tx.today)
    act = await acts.record(
        tx, actor, "roster.closed", on=("roster", roster_id), office=office, legal_day=day, changes={"on": day}, why=why
    )
    await store.close(tx, roster_id, day, act.id)
    return roster_id


async def judged(tx: Reader, law: Law, plan: Plan, roster_id: UUID) -> Decision:
    """Does it keep the law, and have those agreed whom the law asks? Only all who are bound agree for them."""
    members = await store.members(tx, [roster_id])
    agreed = bool(members) and all(member.agrees for member in members)
    asked = checking.demands(law, plan).agreed_by
    return await checking.check(tx, law, plan, agreed_by=(asked if agreed else ()) if asked else None)


def _basis(law: Law, actor: Actor, plan: Plan, decision: Decision, norm: str | None) -> tuple[str, str]:
    """In which office the actor approves, and on what it rests. Raises Refused, Forbidden, Invalid."""
    if decision.permits:
        office = actor.must("decide")
        if norm is not None:
            raise Invalid("norm", "not_needed", "Esta escala não precisa de decreto.")
        return office, AGREEMENT if checking.demands(law, plan).agreed_by else LAW
    if decision.outcome is not Outcome.NEEDS_DECISION or decision.office is None or norm is None:
        raise Refused(decision)
    return actor.must_hold(decision.office, "decide"), DECREE


async def locked(tx: Transaction, roster_id: UUID, version: int | None = None) -> Row[Any]:
    """The roster, once nobody else changes it; what is over of its permits is recorded. Raises NotFound, Conflict."""
    row = await store.roster(tx, roster_id, tx.today, lock=True)
    if version is not None and row.version != version:
        raise Conflict(version, row.version)
    members = await store.members(tx, [roster_id])
    await deadlines.settle(tx, tx.today, [("permit", member.permit_id) for member in members])
    return row


def _must_be(row: Row[Any], *states: str) -> None:
    if row.state not in states:
        raise Conflict(message="A escala já não está em condições de mudar.")


async def _same_crew(tx: Transaction, law: Law, plan: Plan) -> None:
    crew = await store.crew(tx, law.branch(plan.category), plan.since)
    if {row.id for row in crew} != set(plan.permits.values()):
        raise Conflict(message="As outorgas mudaram desde a proposta: proponha outra escala.")


async def member_of(tx: Reader, roster_id: UUID, permit_id: UUID) -> Row[Any]:
    """Raises NotFound: the roster does not bind this permit."""
    members = await store.members(tx, [roster_id])
    found = next((member for member in members if member.permit_id == permit_id), None)
    if found is None:
        raise NotFound("permit", permit_id)
    return found


async def speaks_for(tx: Reader, actor: Actor, permit_id: UUID | None, source: str | None) -> str | None:
    """The office in which somebody records what the holder of a permit says; None: it is the holder.

    Raises:
        Forbidden: Somebody else's permit, or none that there is, and no office that registers.
        Invalid: The office does not say where it has it from.
    """
    own = []
    if actor.person_id or actor.company_id:
        own = await store.mine(tx, person=actor.person_id, company=actor.company_id)
    if permit_id in own:
        return None
    office = actor.must("register")
    if not source:
        raise Invalid("source", "missing", "Diga de onde consta a vontade do titular.")
    return office
