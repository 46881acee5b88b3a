"""What the register knows of a driver on a day, as facts of the law's vocabulary."""

from collections.abc import Sequence
from datetime import date
from typing import Any
from uuid import UUID

from sqlalchemy import Row

from services.registry.attributes import stored
from tenants.law.calendar import years_between
from tenants.law.facts import FactValue
from tenants.law.law import Law


def driver_facts(law: Law, row: Row[Any], on: date, *, is_holder: bool) -> dict[str, FactValue | None]:
    """Of one row of a driver's standing. Who holds the permit drives without being enrolled with anybody."""
    enrolled = row.holder_id is not None
    return {
        **stored(law, row.person_attributes),
        **stored(law, row.driver_attributes),
        "driver.age": years_between(row.birth_on, on) if row.birth_on else None,
        "driver.cnh.categories": tuple(row.cnh_categories),
        "driver.cnh.ear": row.cnh_ear,
        "driver.cnh.first_on": row.cnh_first_on,
        "driver.cnh.until": row.cnh_until,
        "driver.registered": (enrolled or is_holder) and not row.struck_off,
        "driver.registered_on": row.registered_on,
        "driver.suspended": row.suspended or row.struck_off,
        "driver.is_holder": is_holder,
        "driver.employed": row.employed,
        "driver.role": row.role,
    }


def driving(rows: Sequence[Row[Any]], *, own: UUID | None, holder: UUID, category: str) -> Row[Any] | None:
    """Who drives for a holder: they themselves, or the first of those enrolled with them who may."""
    if own is not None:
        mine = [row for row in rows if row.driver_id == own]
        return next((row for row in mine if (row.holder_id, row.category) == (holder, category)), mine[0])
    theirs = [row for row in rows if (row.holder_id, row.category) == (holder, category)]
    return next((row for row in theirs if not (row.suspended or row.struck_off)), theirs[0] if theirs else None)


def of_driver(law: Law, code: str) -> bool:
    """Whether a fact is about who drives; what a driver told as a candidate, or of a permit of their own, is not."""
    spec = law.vocabulary.get(code)
    return spec is not None and spec.of == "driver"
