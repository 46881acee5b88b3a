"""What the register knows of the people, vehicles and permits that some rows name; grown by what rows would add."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import TYPE_CHECKING, Any
from uuid import UUID

from services.importing.cleaning import Record
from services.importing.register import store

if TYPE_CHECKING:
    from services.database import Reader

Span = tuple[date, date | None]  # the first day, and the first day after: None, open
COLUMNS = {
    "person": ("name", "email", "birth_on"),
    "company": ("name", "email"),
    "driver": ("cnh_number", "cnh_categories", "cnh_ear", "cnh_first_on", "cnh_until"),
    "vehicle": (
        *("renavam", "holder_id", "manufacture_year", "model_year", "first_registration", "doors", "seats", "fuel"),
    ),
}


@dataclass(slots=True)
class Found:
    """A row of the register; `row`: of the file, where that is what would add it."""

    id: UUID
    values: dict[str, Any] = field(default_factory=dict)
    row: int | None = None


@dataclass(slots=True)
class Known:
    """By natural key: CPF, CNPJ; owner and kind; person; plate; category and number; number."""

    person: dict[str, Found] = field(default_factory=dict)
    company: dict[str, Found] = field(default_factory=dict)
    holder: dict[tuple[UUID, str], Found] = field(default_factory=dict)
    driver: dict[UUID, Found] = field(default_factory=dict)
    vehicle: dict[str, Found] = field(default_factory=dict)
    renavam: dict[str, str] = field(default_factory=dict)
    permit: dict[tuple[str, str], Found] = field(default_factory=dict)
    licence: dict[str, UUID] = field(default_factory=dict)
    serving: dict[UUID, list[tuple[Span, UUID]]] = field(default_factory=dict)  # of a vehicle, when which permit
    vehicle_of: dict[UUID, UUID] = field(default_factory=dict)  # of a permit, now or later
    has_stand: set[UUID] = field(default_factory=set)
    licensed: dict[UUID, list[Span]] = field(default_factory=dict)


def overlaps(one: Span, other: Span) -> bool:
    return (other[1] is None or one[0] < other[1]) and (one[1] is None or other[0] < one[1])


def keys_of(record: Mapping[str, Any]) -> list[str]:
    """By which a row's subjects are found again: `vehicle:ABC1D23`."""
    owner = record.get("cpf") or record.get("cnpj")
    found = {
        "person": record.get("cpf"),
        "company": record.get("cnpj") if not record.get("cpf") else None,
        "holder": owner,
        "driver": record.get("driver_cpf") or record.get("cpf"),
        "vehicle": record.get("plate"),
        "renavam": record.get("renavam"),
        "permit": permit_key(record),
        "licence": record.get("licence_number"),
    }
    extra = [f"person:{record['driver_cpf']}"] if record.get("driver_cpf") else []
    return [*(f"{kind}:{value}" for kind, value in found.items() if value), *extra]


def permit_key(record: Mapping[str, Any]) -> str | None:
    number = record.get("permit_number")
    return f"{record.get('category', '')}/{number}" if number else None


async def load(tx: "Reader", records: Sequence[Record], day: date) -> Known:
    """Everything that these rows name, in as many statements as for one row."""
    known = Known()
    for row in await store.people(tx, _all(records, "cpf", "driver_cpf")):
        known.person[row.cpf] = _found(row, "person")
    for row in await store.companies(tx, _all(records, "cnpj")):
        known.company[row.cnpj] = _found(row, "company")
    people, companies = [each.id for each in known.person.values()], [each.id for each in known.company.values()]
    for row in await store.holders(tx, people, companies):
        owner = row.person_id or row.company_id
        known.holder.setdefault((owner, row.kind), Found(row.id, {"attributes": dict(row.attributes)}))
    for row in await store.drivers(tx, people):
        known.driver[row.person_id] = _found(row, "driver")
    for row in await store.vehicles(tx, _all(records, "plate"), _all(records, "renavam")):
        known.vehicle[row.plate] = _found(row, "vehicle")
        if row.renavam:
            known.renavam[row.renavam] = row.plate
    await _permits(tx, known, records, day)
    return known


async def _permits(tx: "Reader", known: Known, records: Sequence[Record], day: date) -> None:
    for row in await store.permits(tx, _all(records, "permit_number"), _all(records, "licence_number")):
        known.permit[row.category, row.number] = Found(
            row.id, {"holder_id": row.holder_id, "during": (row.since, row.until), "granted_on": row.granted_on}
        )
    ids, vehicles = [each.id for each in known.permit.values()], [each.id for each in known.vehicle.values()]
    for row in await store.services(tx, ids, vehicles):
        known.serving.setdefault(row.vehicle_id, []).append(((row.since, row.until), row.permit_id))
        if row.until is None or row.until > day:
            known.vehicle_of[row.permit_id] = row.vehicle_id
    known.has_stand |= await store.with_stand(tx, ids, day)
    for row in await store.licences(tx, ids, _all(records, "licence_number")):
        known.licence[row.number] = row.permit_id
        known.licensed.setdefault(row.permit_id, []).append((row.since, row.until))


def _all(records: Iterable[Record], *names: str) -> list[str]:
    return sorted({record[name] for record in records for name in names if record.get(name)})


def _found(row: Any, kind: str) -> Found:
    values = {name: _plain(getattr(row, name)) for name in COLUMNS[kind]}
    return Found(row.id, {**values, "attributes": dict(row.attributes)})


def _plain(value: Any) -> Any:
    """As records have it."""
    return value.isoformat() if isinstance(value, date) else value
