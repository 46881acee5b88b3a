"""Whose a fact is (autuado): found by plate on its day, or named."""

from typing import TYPE_CHECKING, Any
from uuid import UUID

from sqlalchemy import Row

from services.database import Reader, Transaction
from services.enforcement.drawing import Offender
from services.enforcement.occurrences import store
from services.errors import Invalid
from services.permits import store as permits
from services.registry import identity
from services.registry import store as registry
from tenants.law.kinds.grants import Category
from tenants.law.law import Law

if TYPE_CHECKING:
    from services.enforcement.occurrences.recording import Seen


async def found(tx: Transaction, law: Law, seen: "Seen") -> Offender:
    """By plate or permit, on the day of the fact; the permit's row is locked.

    Raises:
        Invalid: Nobody is named, plate and permit are of two, or the law has no such category.
        NotFound: There is no such permit or driver, or it is another town's.
    """
    if not (seen.plate or seen.permit_id or seen.driver_id or seen.offender_name):
        raise Invalid("plate", "missing", "Informe a placa, a outorga, o condutor ou o nome do autuado.")
    if seen.category is not None and law.get(Category, seen.category) is None:
        raise Invalid("category", "unknown_code", f"A lei não tem a categoria {seen.category}.")
    if seen.driver_id is not None:
        await registry.must_exist(tx, "driver", seen.driver_id)
    plate = identity.plate(seen.plate) if seen.plate else None
    vehicle = await store.vehicle_by_plate(tx, plate, law.on) if plate else None
    permit_id = seen.permit_id or (vehicle.permit_id if vehicle is not None else None)
    permit = await permits.permit(tx, permit_id, law.on, lock=True) if permit_id else None
    if vehicle is not None and permit is not None and vehicle.permit_id != permit.id:
        raise Invalid("permitId", "vehicle", "Nesse dia o veículo desta placa não servia a esta outorga.")
    if vehicle is None and permit is not None and plate is None:
        vehicle = await store.vehicle_of_permit(tx, permit.id, law.on)
    return Offender(
        permit=permit,
        vehicle=vehicle,
        driver_id=seen.driver_id,
        plate=plate or (vehicle.plate if vehicle is not None else None),
        name=seen.offender_name,
        told_category=seen.category,
    )


async def of_occurrence(tx: Reader, row: Row[Any], law: Law, *, lock: bool = False) -> Offender:
    """The same of a record that was made before."""
    permit_id: UUID | None = row.permit_id
    permit = await permits.permit(tx, permit_id, law.on, lock=lock) if permit_id else None
    vehicle = await store.vehicle_by_id(tx, row.vehicle_id) if row.vehicle_id else None
    return Offender(
        permit=permit,
        vehicle=vehicle,
        driver_id=row.driver_id,
        plate=row.plate,
        name=row.offender_name,
        told_category=row.category,
        known_holder=row.holder_id,
        person_id=row.person_id,
    )
