"""Slots of stands (vagas): how many a stand has is the law's, how many are taken is the register's."""

from dataclasses import replace
from datetime import date
from typing import Any
from uuid import UUID

from sqlalchemy import Row
from sqlalchemy.dialects.postgresql import Range

from services import acts, deadlines
from services.access import Actor
from services.acts.record import Act
from services.database import Reader, Transaction
from services.errors import Conflict, Invalid, Refused
from services.permits import store as permits
from services.permits import vacancies
from services.permits.days import must_stand, nothing_later
from services.registry.facts import facts
from services.stands import store
from services.stands.tables import StandAssignment
from tenants.law.decide import decide
from tenants.law.decision import Decision, combine, first_no
from tenants.law.kinds.stands import Stand, StandPolicy
from tenants.law.law import InForce, Law
from tenants.law.questions import StandRoomQuestion


async def room_at(tx: Reader, law: Law, code: str, category: str | None = None) -> Decision:
    """Is there a free slot at a stand? Whoever acts on the answer has locked the stand before.

    Raises:
        Invalid: The law has no such stand that day, or has none any more.
    """
    law = await tx.law(on=law.on, known_at=law.known_at)
    stand_in(law, code)
    taken = (await store.taken(tx, law.on)).get(code, 0)
    keys = {"category": category} if category else {}
    return decide(law, StandRoomQuestion(code, taken, keys), facts(law))


def stand_in(law: Law, code: str) -> tuple[InForce, Stand]:
    """A stand as the law of the day describes it. Raises Invalid."""
    found = law.find(Stand.kind, code)
    if found is None or not isinstance(found.item, Stand):
        raise Invalid("stand", "unknown_code", f"A lei não tem o ponto {code} em {law.on:%d/%m/%Y}.")
    return found, found.item


def own_stand(law: Law, category: str) -> list[InForce]:
    """The rules by which each permit of a category has a stand of its own; none: it may wait nowhere."""
    return [
        found for found, rule in law.all(StandPolicy) if rule.assigned and law.concerns(rule, {"category": category})
    ]


async def place(tx: Transaction, act: Act, permit_id: UUID, code: str, during: Range[date]) -> None:
    """Write who waits where, no longer than the permit lasts: with it the slot is free again."""
    row = StandAssignment(tenant_id=tx.tenant_id, permit_id=permit_id, stand=code, during=during, act_id=act.id)
    tx.session.add(row)
    await tx.session.flush()


async def assign_stand(
    tx: Transaction,
    actor: Actor,
    *,
    permit_id: UUID,
    stand: str,
    version: int | None = None,
    on: date | None = None,
) -> UUID:
    """Assign a permit to a stand, leaving the one it had (designar ou mudar de ponto); answers the permit's id.

    Args:
        version: The permit as the caller saw it.

    Raises:
        Refused: The stand is full, takes nobody of its own, or the permit is not active.
        Invalid: The permit waits there already.
        Conflict: The permit has changed since.
    """
    office = actor.must("stands")
    await store.lock(tx, stand)
    law = await tx.law(on=on or tx.today)
    permit = await settled(tx, law, permit_id, version)
    await move(tx, actor, office, law, permit, stand)
    return permit_id


async def settled(tx: Transaction, law: Law, permit_id: UUID, version: int | None = None) -> Row[Any]:
    """The permit, locked, as it is once what is over of it is recorded. Raises NotFound, Conflict."""
    permit = await permits.permit(tx, permit_id, law.on, lock=True)
    if version is not None and permit.version != version:
        raise Conflict(version, permit.version)
    await deadlines.settle(tx, min(law.on, tx.today), ("permit", permit_id))
    return await permits.permit(tx, permit_id, law.on)


async def move(tx: Transaction, actor: Actor, office: str, law: Law, permit: Row[Any], stand: str) -> None:
    """Give a locked permit a slot at a locked stand, from the law's day on. Raises Refused, Invalid."""
    must_stand(permit, law.on)
    await nothing_later(tx, permit, law.on, ("stand",))
    before = (await store.of_permits(tx, [permit.id], law.on)).get(permit.id)
    if before == stand:
        raise Invalid("stand", "same", f"A outorga {permit.number} já está neste ponto.")
    parts = [
        await room_at(tx, law, stand, permit.category),
        *await vacancies.for_a_move(tx, law, permit.category, stand, before),
    ]
    decision = combine(parts, message=parts[0].message)
    if not decision.permits:
        raise Refused(replace(decision, message=first_no(decision)))
    await store.leave(tx, permit.id, law.on)
    act = await acts.record(
        tx,
        actor,
        "stand.assigned",
        on=("permit", permit.id),
        decision=decision,
        office=office,
        legal_day=law.on,
        changes={"from": before, "to": stand},
    )
    await place(tx, act, permit.id, stand, Range(law.on, permit.during.upper))
    await permits.touch(tx, permit.id)
