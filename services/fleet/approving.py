"""What an office approves on a vehicle (publicidade …), under all restrictions that the law names for the matter."""

from collections.abc import Mapping, Sequence
from datetime import date
from uuid import UUID

from sqlalchemy.dialects.postgresql import Range

from services import acts, deadlines, numbers
from services.access import Actor
from services.database import Transaction
from services.errors import Conflict, Invalid
from services.fleet import running, store
from services.fleet.deciding import must_permit
from services.fleet.extending import serving
from services.fleet.tables import Approval
from services.permits.unforeseen import not_provided
from services.registry import store as registry
from services.registry.attributes import checked, parsed
from services.terms import day_after
from tenants.law.decide import decide
from tenants.law.decision import Decision
from tenants.law.kinds.requirements import Restriction
from tenants.law.law import Law
from tenants.law.quantity import Quantity, parse_literal
from tenants.law.questions import RestrictionQuestion

GRANTED, ENDED = "approval.granted", "approval.ended"


async def grant_approval(
    tx: Transaction,
    actor: Actor,
    *,
    vehicle_id: UUID,
    matter: str,
    facts: Mapping[str, str] | None = None,
    contents: Sequence[str] = (),
    measured: str | None = None,
    on: date | None = None,
    until: date | None = None,
    judged: bool = False,
) -> Approval:
    """Approve something on a vehicle in service.

    Args:
        matter: What is approved, as the law's restrictions call it.
        facts: What it will be like; known of the vehicle while the approval lasts.
        contents: What it shows, in the codes that the law bans.
        measured: How much of it there is, as the law writes what it limits: a percentage, a number.

    Raises:
        Refused: A restriction stands against it, or the law of the town knows no such matter.
        Conflict: The matter is approved already.
    """
    office = actor.must("license")
    law = await tx.law(on=on or tx.today)
    if until is not None and until < law.on:
        raise Invalid("until", "order", "A aprovação terminaria antes de começar.")
    await deadlines.settle(tx, min(law.on, tx.today), ("vehicle", vehicle_id))
    decision = await _decision(tx, law, vehicle_id, matter, facts or {}, contents, measured)
    must_permit(decision, judged=judged)
    approval = Approval(
        tenant_id=tx.tenant_id,
        id=await registry.new_id(tx),
        vehicle_id=vehicle_id,
        matter=matter,
        number="",
        facts=checked(law, facts or {}, "facts"),
        contents=list(dict.fromkeys(contents)),
        during=Range(law.on, day_after(until)),
        act_id=UUID(int=0),  # until the act is recorded
    )
    return await _write(tx, actor, office, law, approval, decision)


async def _write(
    tx: Transaction, actor: Actor, office: str, law: Law, approval: Approval, decision: Decision
) -> Approval:
    said = {"matter": approval.matter, "of": f"vehicle {approval.vehicle_id}"}
    on = ("approval", approval.id)
    act = await acts.record(tx, actor, GRANTED, on=on, decision=decision, office=office, legal_day=law.on, changes=said)
    approval.act_id, approval.number = act.id, await numbers.take(tx, "approval", law.on.year)
    await registry.add(tx, approval)
    return approval


async def _decision(
    tx: Transaction,
    law: Law,
    vehicle_id: UUID,
    matter: str,
    facts: Mapping[str, str],
    contents: Sequence[str],
    measured: str | None,
) -> Decision:
    """Every restriction of the matter, on the vehicle as it would be."""
    if not any(rule.matter == matter for _, rule in law.all(Restriction)):
        raise not_provided(law, f"a aprovação de {matter} em veículos", Restriction.kind)
    row = await serving(tx, vehicle_id, law.on, lock=True)
    known, _ = await running.known_of(tx, law, row)
    how_much = _quantity(measured) if measured else None
    question = RestrictionQuestion(category=row.category, matter=matter, about=tuple(contents), measured=how_much)
    return decide(law, question, known.with_(parsed(law, facts, "facts")))


def _quantity(text: str) -> Quantity:
    try:
        return parse_literal(text)
    except ValueError as error:
        raise Invalid("measured", "form", "Escreva a medida como a lei: 40%, 3.") from error


async def end_approval(
    tx: Transaction,
    actor: Actor,
    *,
    approval_id: UUID,
    version: int | None = None,
    on: date | None = None,
    why: str | None = None,
) -> UUID:
    """Take an approval back; answers its id. Raises Conflict for one that ended before or changed since."""
    office = actor.must("license")
    day = on or tx.today
    row = await store.approval(tx, approval_id, lock=True)
    await deadlines.settle(tx, min(day, tx.today), ("vehicle", row.vehicle_id))
    if version is not None and row.version != version:
        raise Conflict(version, row.version)
    if row.since is None or not row.since <= day <= (row.until or day):
        raise Conflict(message=f"A aprovação {row.number} não vigora em {day:%d/%m/%Y}.")
    act = await acts.record(
        tx, actor, ENDED, on=("approval", approval_id), office=office, legal_day=day, changes={"endedOn": day}, why=why
    )
    await store.end_approval(tx, approval_id, day, act.id)
    return approval_id
