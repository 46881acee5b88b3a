"""A permit's vehicle gives way to another (substituição do veículo)."""

from datetime import date
from typing import Any
from uuid import UUID

from sqlalchemy import Row
from sqlalchemy.dialects.postgresql import Range

from services import acts, deadlines, terms
from services.access import Actor
from services.acts.record import Act
from services.database import Transaction
from services.deadlines.store import open_of
from services.deadlines.succession import hand_over
from services.errors import Conflict, Invalid, Refused
from services.fleet.leaving import Leaving, left
from services.permits import fleet, store
from services.permits.days import must_stand, nothing_later
from services.permits.eligibility import Case, Pairing, case_of
from services.permits.granting import drive
from tenants.law.decision import combine, first_no
from tenants.law.law import Law

SWAPPED = "vehicle.swapped"


async def swap_vehicle(
    tx: Transaction,
    actor: Actor,
    *,
    permit_id: UUID,
    vehicle_id: UUID,
    version: int | None = None,
    on: date | None = None,
    acquired_on: date | None = None,
    judged: bool = False,
) -> UUID:
    """Put another vehicle in a permit's service, in place of the one that it has or had; answers the permit's id.

    Args:
        version: The permit as the caller saw it.
        acquired_on: The day from which the law's term for the new vehicle counts; that of the swap by default.

    Raises:
        Refused: The vehicle does not meet the law, or a share of the fleet would be broken.
        Conflict: The permit has changed since, or the vehicle serves another permit.
    """
    office = actor.must("license")
    law = await tx.law(on=on or tx.today)
    if law.on > tx.today:
        raise Invalid("on", "future", "O dia da troca ainda não chegou.")
    begins = acquired_on or law.on
    if begins > law.on:
        raise Invalid("acquiredOn", "order", "O veículo foi adquirido depois da troca.")
    permit, current = await _locked(tx, law, permit_id, vehicle_id, version)
    gone = current.vehicle_id if current else None
    case = await case_of(tx, law, Pairing(permit.category, permit.holder_id, vehicle_id, permit.granted_on))
    parts = [
        await fleet.shares(tx, law, permit.category, entering=vehicle_id, leaving=gone),
        case.eligible(law, "swap"),
    ]
    decision = combine(parts, message="A troca atende à lei.")
    if not decision.carries(judged=judged):
        raise Refused(combine(parts, message=first_no(decision)))
    said, subject = {"from": gone, "to": vehicle_id, "acquiredOn": acquired_on}, ("permit", permit_id)
    act = await acts.record(
        tx, actor, SWAPPED, on=subject, decision=decision, office=office, legal_day=law.on, changes=said
    )
    await _drives(tx, law, act, permit, current, vehicle_id)
    await _regularise(tx, law, act, permit, case, begins)
    return permit_id


async def _locked(
    tx: Transaction, law: Law, permit_id: UUID, vehicle_id: UUID, version: int | None
) -> tuple[Row[Any], Row[Any] | None]:
    """The permit and its vehicle, if it has one, once nobody else changes the fleet of the category."""
    seen = await store.permit(tx, permit_id, law.on)
    await store.lock_category(tx, law.root(seen.category))
    permit = await store.permit(tx, permit_id, law.on, lock=True)
    if version is not None and permit.version != version:
        raise Conflict(version, permit.version)
    await deadlines.settle(tx, law.on, [("permit", permit_id), ("vehicle", vehicle_id)])
    permit = await store.permit(tx, permit_id, law.on)
    current = await store.vehicle_of(tx, permit_id, law.on)
    must_stand(permit, law.on)
    await nothing_later(tx, permit, law.on, ("vehicle",))
    return permit, current


async def _drives(
    tx: Transaction, law: Law, act: Act, permit: Row[Any], current: Row[Any] | None, vehicle_id: UUID
) -> None:
    """The one leaves the service, the other enters it."""
    if current is not None:
        await store.close_vehicle(tx, current.id, law.on)
        await left(tx, [Leaving(current.vehicle_id, law.on, act.id)])
    await drive(tx, permit.id, vehicle_id, Range(law.on, permit.during.upper), act.id)
    await store.touch(tx, permit.id)


async def _regularise(tx: Transaction, law: Law, act: Act, permit: Row[Any], case: Case, begins: date) -> None:
    """The terms of a new vehicle, in place of those of one that came before it and was never regularised."""
    subject, keys = ("permit", permit.id), {"category": permit.category}
    for each in terms.started(law, case.facts, of="permit", event="vehicle_swapped", on=begins, keys=keys):
        before = await open_of(tx, subject, [each.term.code])
        made = await terms.open_started(tx, act, [each], subject=subject, on=begins)
        await hand_over(tx, before, made, on=law.on, act_id=act.id)
