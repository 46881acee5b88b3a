"""The permits' SQL: what is active on a day, the fleet, and the locks that a grant takes."""

from collections.abc import Sequence
from datetime import date
from typing import Any
from uuid import UUID

from sqlalchemy import Row

from services.database import Reader, Transaction
from services.errors import NotFound

LOCK_CATEGORY = "SELECT pg_advisory_xact_lock(hashtextextended(CAST(:tenant AS text) || ' category ' || :category, 0))"

# A permit counts from the day on: one that begins later takes its place already.
ACTIVE = """
SELECT count(*) FROM permit
WHERE tenant_id = :tenant AND category = ANY(CAST(:categories AS text[])) AND NOT isempty(during)
  AND (upper(during) IS NULL OR upper(during) > :day)
"""
HELD = """
SELECT holder_id, count(*) AS held FROM permit
WHERE tenant_id = :tenant AND holder_id = ANY(CAST(:holders AS uuid[])) AND NOT isempty(during)
  AND (upper(during) IS NULL OR upper(during) > :day)
GROUP BY holder_id
"""
# How earlier permits of the same person or company ended, under whichever holder they were.
ENDINGS = """
SELECT asked.id AS holder_id, array_agg(DISTINCT p.ended_cause ORDER BY p.ended_cause) AS causes
FROM holder AS asked
JOIN holder AS h ON h.tenant_id = asked.tenant_id
  AND (h.person_id = asked.person_id OR h.company_id = asked.company_id)
JOIN permit AS p ON p.tenant_id = h.tenant_id AND p.holder_id = h.id
WHERE asked.tenant_id = :tenant AND asked.id = ANY(CAST(:holders AS uuid[]))
  AND p.ended_cause IS NOT NULL AND p.ended_on <= :day
GROUP BY asked.id
"""
FLEET = """
SELECT v.plate, v.manufacture_year, v.model_year, v.first_registration, v.doors, v.seats, v.fuel, v.attributes,
       CAST(NULL AS uuid) AS holder_id
FROM permit AS p
JOIN permit_vehicle AS pv ON pv.tenant_id = p.tenant_id AND pv.permit_id = p.id
JOIN vehicle AS v ON v.tenant_id = pv.tenant_id AND v.id = pv.vehicle_id
WHERE p.tenant_id = :tenant AND p.category = ANY(CAST(:categories AS text[])) AND p.during @> CAST(:day AS date)
  AND pv.during @> CAST(:day AS date)
"""
PERMIT = """
SELECT id, number, category, instrument, holder_id, granted_on, during, ended_on, ended_cause, version,
       state(permit, CAST(:day AS date)) AS state
FROM permit WHERE tenant_id = :tenant AND id = :id
"""


async def lock_category(tx: Transaction, category: str) -> None:
    """Whoever changes how many there are, or what the fleet is, waits for the others: first lock, then count."""
    await tx.rows(LOCK_CATEGORY, category=category)


async def active(tx: Reader, categories: Sequence[str], day: date) -> int:
    return int(await tx.scalar(ACTIVE, categories=list(categories), day=day))


async def held(tx: Reader, holders: Sequence[UUID], day: date) -> dict[UUID, int]:
    """How many permits each holder has on a day or will have."""
    return {row.holder_id: row.held for row in await tx.rows(HELD, holders=list(holders), day=day)}


async def endings(tx: Reader, holders: Sequence[UUID], day: date) -> dict[UUID, tuple[str, ...]]:
    """The causes by which former permits of each ended."""
    return {row.holder_id: tuple(row.causes) for row in await tx.rows(ENDINGS, holders=list(holders), day=day)}


async def fleet(tx: Reader, categories: Sequence[str], day: date) -> list[Row[Any]]:
    """The vehicles in service on a day."""
    return await tx.rows(FLEET, categories=list(categories), day=day)


async def permit(tx: Reader, id: UUID, day: date, *, lock: bool = False) -> Row[Any]:
    """Raises NotFound, also for another town's permit."""
    found = await tx.row(PERMIT + (" FOR UPDATE" if lock else ""), id=id, day=day)
    if found is None:
        raise NotFound("permit", id)
    return found


async def vehicle_of(tx: Reader, permit_id: UUID, day: date) -> Row[Any] | None:
    """The row that says which vehicle a permit has on a day."""
    return await tx.row(
        "SELECT id, vehicle_id, during FROM permit_vehicle WHERE tenant_id = :tenant AND permit_id = :permit "
        "AND during @> CAST(:day AS date)",
        permit=permit_id,
        day=day,
    )


async def close_vehicle(tx: Transaction, row_id: UUID, day: date) -> None:
    """The vehicle leaves the permit: ``day`` is the first without it."""
    await tx.rows(
        "UPDATE permit_vehicle SET during = daterange(lower(during), :day), version = version + 1 "
        "WHERE tenant_id = :tenant AND id = :id",
        id=row_id,
        day=day,
    )


async def touch(tx: Transaction, permit_id: UUID) -> None:
    """The permit as someone saw it is no longer the permit as it is."""
    await tx.rows("UPDATE permit SET version = version + 1 WHERE tenant_id = :tenant AND id = :id", id=permit_id)


async def last_licence(tx: Reader, permit_id: UUID) -> Row[Any] | None:
    return await tx.row(
        "SELECT id, number, during FROM licence WHERE tenant_id = :tenant AND permit_id = :permit "
        "ORDER BY upper(during) DESC LIMIT 1",
        permit=permit_id,
    )


IN_FORCE = """
SELECT p.id, p.number, p.category, p.holder_id, pv.vehicle_id, v.plate
FROM permit AS p
JOIN permit_vehicle AS pv ON pv.tenant_id = p.tenant_id AND pv.permit_id = p.id AND pv.during @> CAST(:day AS date)
JOIN vehicle AS v ON v.tenant_id = pv.tenant_id AND v.id = pv.vehicle_id
WHERE p.tenant_id = :tenant AND p.during @> CAST(:day AS date) AND p.id > :after
ORDER BY p.id LIMIT :most
"""


async def in_force(tx: Reader, day: date, *, after: UUID, most: int) -> list[Row[Any]]:
    """Permits in force on a day with their vehicles, a batch at a time, by id."""
    return await tx.rows(IN_FORCE, day=day, after=after, most=most)
