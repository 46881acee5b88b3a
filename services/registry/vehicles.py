"""Vehicles enter the register."""

from collections.abc import Mapping
from datetime import date
from uuid import UUID

from services import acts
from services.access import Actor
from services.database import Transaction
from services.errors import Invalid
from services.registry import identity, store
from services.registry.attributes import checked
from services.registry.tables import Vehicle


async def register_vehicle(
    tx: Transaction,
    actor: Actor,
    *,
    plate: str,
    renavam: str | None = None,
    holder_id: UUID | None = None,
    manufacture_year: int | None = None,
    model_year: int | None = None,
    first_registration: date | None = None,
    doors: int | None = None,
    seats: int | None = None,
    fuel: str | None = None,
    attributes: Mapping[str, str] | None = None,
) -> Vehicle:
    """Register a vehicle (veículo); ``holder_id``: in whose name it stands."""
    office = actor.must("register")
    law = await tx.law(on=tx.today)
    if holder_id is not None:
        await store.must_exist(tx, "holder", holder_id)
    _plausible(tx.today, manufacture_year, model_year, first_registration)
    _counts(doors=doors, seats=seats)
    vehicle = Vehicle(
        tenant_id=tx.tenant_id,
        plate=identity.plate(plate),
        renavam=identity.renavam(renavam) if renavam else None,
        holder_id=holder_id,
        manufacture_year=manufacture_year,
        model_year=model_year,
        first_registration=first_registration,
        doors=doors,
        seats=seats,
        fuel=fuel,
        attributes=checked(law, attributes or {}),
    )
    await store.add_once(tx, vehicle, field="plate", message="Esta placa ou este RENAVAM já está cadastrado.")
    await acts.record(
        tx, actor, "vehicle.registered", on=("vehicle", vehicle.id), office=office, changes={"plate": vehicle.plate}
    )
    return vehicle


def must_be_plausible(today: date, vehicle: Vehicle) -> None:
    """Raises Invalid."""
    _plausible(today, vehicle.manufacture_year, vehicle.model_year, vehicle.first_registration)
    _counts(doors=vehicle.doors, seats=vehicle.seats)


def _plausible(today: date, made: int | None, model: int | None, first: date | None) -> None:
    if made is not None and made > today.year:
        raise Invalid("manufactureYear", "future", "O ano de fabricação está no futuro.")
    if made is not None and model is not None and not made <= model <= made + 1:
        raise Invalid("modelYear", "order", "O ano do modelo é o de fabricação ou o seguinte.")
    if first is not None and first > today:
        raise Invalid("firstRegistration", "future", "O primeiro emplacamento está no futuro.")
    if first is not None and made is not None and first.year < made:
        raise Invalid("firstRegistration", "order", "O primeiro emplacamento é anterior à fabricação.")


def _counts(**counts: int | None) -> None:
    for field, count in counts.items():
        if count is not None and count < 1:
            raise Invalid(field, "positive", "Informe um número maior que zero.")
