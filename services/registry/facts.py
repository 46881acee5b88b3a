"""What the register knows of a candidate, holder, driver or vehicle on a day, as facts of the law's vocabulary.

What a row does not say is absent, and so UNPROVEN where a rule asks for it.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from typing import Any
from uuid import UUID

from sqlalchemy import Row

from services.registry.attributes import stored
from tenants.law.calendar import years_between
from tenants.law.facts import Facts, FactValue
from tenants.law.law import Law
from tenants.law.questions import PaperFact

DECEMBER, LAST = 12, 31  # law-free: the last day of a year


def holder_facts(law: Law, row: Row[Any], on: date) -> dict[str, FactValue | None]:
    """Facts of a holder and of the driver that a natural person is."""
    found: dict[str, FactValue | None] = {
        "holder.kind": row.kind,
        "holder.natural": row.person_id is not None,
        "holder.age": years_between(row.birth_on, on) if row.birth_on else None,
        "driver.age": years_between(row.birth_on, on) if row.birth_on else None,
        "driver.cnh.categories": tuple(row.cnh_categories) if row.driver_id else None,
        "driver.cnh.ear": row.cnh_ear,
        "driver.cnh.first_on": row.cnh_first_on,
        "driver.cnh.until": row.cnh_until,
        "driver.registered": row.driver_id is not None,
        "driver.is_holder": True if row.driver_id else None,
    }
    for attributes in (row.person_attributes, row.company_attributes, row.driver_attributes, row.holder_attributes):
        found |= stored(law, attributes or {})
    return found


def vehicle_facts(law: Law, row: Any, *, holder_id: UUID | None = None) -> dict[str, FactValue | None]:
    """Facts of a vehicle; ``holder_id``: in whose name it must stand to be their own."""
    made, model = row.manufacture_year, row.model_year
    return {
        "vehicle.plate": row.plate,
        "vehicle.plate_ending": int(row.plate[-1]) if row.plate[-1].isdigit() else None,
        "vehicle.manufacture_year": made,
        "vehicle.manufacture_year_end": date(made, DECEMBER, LAST) if made else None,
        "vehicle.model_year": model,
        "vehicle.model_year_end": date(model, DECEMBER, LAST) if model else None,
        "vehicle.first_registration": row.first_registration,
        "vehicle.doors": row.doors,
        "vehicle.seats": row.seats,
        "vehicle.passengers": row.seats - 1 if row.seats else None,
        "vehicle.fuel": row.fuel,
        "vehicle.own_name": row.holder_id == holder_id if holder_id and row.holder_id else None,
        **stored(law, row.attributes),
    }


def facts(law: Law, *known: Mapping[str, FactValue | None]) -> Facts:
    """One set of facts of several; the later ones win, what is not known is left out."""
    merged = {code: value for each in known for code, value in each.items() if value is not None}
    return Facts.of({code: value for code, value in merged.items() if code in law.vocabulary}, law.vocabulary)


def paper_facts(filed: Mapping[UUID, Sequence[Row[Any]]], ids: Iterable[UUID | None]) -> tuple[PaperFact, ...]:
    """The papers of several subjects, as eligibility asks for them."""
    return tuple(
        PaperFact(code=row.code, of=row.subject_kind, issued_on=row.issued_on, valid_until=row.valid_until)
        for id in ids
        if id is not None
        for row in filed.get(id, ())
    )
