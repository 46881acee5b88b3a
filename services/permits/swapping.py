"""A permit's vehicle gives way to another (substituição do veículo)."""

from datetime import date
from typing import Any
from uuid import UUID

from sqlalchemy import Row
from sqlalchemy.dialects.postgresql import Range

from services import acts, terms
from services.access import Actor
from services.acts.record import Act
from services.database import Transaction
from services.errors import Conflict, Refused
from services.permits import fleet, store
from services.permits.eligibility import Case, Pairing, case_of
from services.permits.granting import drive, first_no
from tenants.law.decision import Outcome, combine
from tenants.law.law import Law


async def swap_vehicle(
    tx: Transaction,
    actor: Actor,
    *,
    permit_id: UUID,
    vehicle_id: UUID,
    version: int | None = None,
    on: date | None = None,
    judged: bool = False,
) -> UUID:
    """Put another vehicle in a permit's service; answers the permit's id.

    Args:
        version: The permit as the caller saw it.

    Raises:
        Refused: The vehicle does not meet the law, or a share of the fleet would be broken.
        Conflict: The permit has changed since, or the vehicle serves another permit.
    """
    office = actor.must("license")
    law = await tx.law(on=on or tx.today)
    permit, current = await _locked(tx, law, permit_id, version)
    case = await case_of(tx, law, Pairing(permit.category, permit.holder_id, vehicle_id, permit.granted_on))
    parts = [
        await fleet.shares(tx, law, permit.category, entering=vehicle_id, leaving=current.vehicle_id),
        case.eligible(law, "swap"),
    ]
    decision = combine(parts, message="A troca atende à lei.")
    if not (decision.permits or (judged and decision.outcome is Outcome.NEEDS_DECISION)):
        raise Refused(combine(parts, message=first_no(decision)))
    act = await acts.record(
        tx,
        actor,
        "vehicle.swapped",
        on=("permit", permit_id),
        decision=decision,
        office=office,
        legal_day=law.on,
        changes={"from": str(current.vehicle_id), "to": str(vehicle_id)},
    )
    await _write(tx, law, act, permit, current.id, vehicle_id, case)
    return permit_id


async def _locked(tx: Transaction, law: Law, permit_id: UUID, version: int | None) -> tuple[Row[Any], Row[Any]]:
    """The permit and its vehicle, once nobody else changes the fleet of the category."""
    seen = await store.permit(tx, permit_id, law.on)
    await store.lock_category(tx, law.root(seen.category))
    permit = await store.permit(tx, permit_id, law.on, lock=True)
    if version is not None and permit.version != version:
        raise Conflict(version, permit.version)
    current = await store.vehicle_of(tx, permit_id, law.on)
    if permit.state != "active" or current is None:
        raise Refused(store.not_active(permit, law.on))
    return permit, current


async def _write(
    tx: Transaction, law: Law, act: Act, permit: Row[Any], current: UUID, vehicle_id: UUID, case: Case
) -> None:
    await store.close_vehicle(tx, current, law.on)
    await drive(tx, permit.id, vehicle_id, Range(law.on, permit.during.upper), act.id)
    await store.touch(tx, permit.id)
    keys = {"category": permit.category}
    running = terms.started(law, case.facts, of="permit", event="vehicle_swapped", on=law.on, keys=keys)
    await terms.open_started(tx, act, running, subject=("permit", permit.id), on=law.on)
