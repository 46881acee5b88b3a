"""The permits' SQL: what is active on a day, the fleet, and the locks that a grant takes."""

from collections.abc import Sequence
from datetime import date
from typing import Any
from uuid import UUID

from sqlalchemy import Row

from services.database import Reader, Transaction
from services.errors import NotFound
from tenants.law.decision import Decision, Outcome
from tenants.law.questions import PastEnding

LOCK_CATEGORY = "SELECT pg_advisory_xact_lock(hashtextextended('category ' || :category || CAST(:tenant AS uuid), 0))"

# A permit counts from the day on: one that begins later takes its place already.
ACTIVE = """
SELECT category, count(*) AS active FROM permit
WHERE tenant_id = :tenant AND NOT isempty(during) AND (upper(during) IS NULL OR upper(during) > :day)
GROUP BY category
"""
# How many the same person or company has, under whichever holder they are.
HELD = """
SELECT asked.id AS holder_id, count(*) AS held
FROM holder AS asked
JOIN holder AS h ON h.tenant_id = asked.tenant_id
  AND (h.person_id = asked.person_id OR h.company_id = asked.company_id)
JOIN permit AS p ON p.tenant_id = h.tenant_id AND p.holder_id = h.id
WHERE asked.tenant_id = :tenant AND asked.id = ANY(CAST(:holders AS uuid[])) AND NOT isempty(p.during)
  AND (upper(p.during) IS NULL OR upper(p.during) > :day)
GROUP BY asked.id
"""
# How earlier permits of the same person or company ended, under whichever holder they were.
ENDINGS = """
SELECT DISTINCT asked.id AS holder_id, p.ended_cause AS cause, p.ended_on
FROM holder AS asked
JOIN holder AS h ON h.tenant_id = asked.tenant_id
  AND (h.person_id = asked.person_id OR h.company_id = asked.company_id)
JOIN permit AS p ON p.tenant_id = h.tenant_id AND p.holder_id = h.id
WHERE asked.tenant_id = :tenant AND asked.id = ANY(CAST(:holders AS uuid[]))
  AND p.ended_cause IS NOT NULL AND p.ended_on <= :day
ORDER BY p.ended_on, cause
"""
FLEET = """
SELECT v.plate, v.manufacture_year, v.model_year, v.first_registration, v.doors, v.seats, v.fuel, v.attributes,
       p.category, CAST(NULL AS uuid) AS holder_id
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


async def active(tx: Reader, day: date) -> dict[str, int]:
    """How many permits of each category there are on a day or will be."""
    return {row.category: row.active for row in await tx.rows(ACTIVE, day=day)}


async def held(tx: Reader, holders: Sequence[UUID], day: date) -> dict[UUID, int]:
    """How many permits each holder has on a day or will have, also under another entry of the same person."""
    return {row.holder_id: row.held for row in await tx.rows(HELD, holders=list(holders), day=day)}


async def endings(tx: Reader, holders: Sequence[UUID], day: date) -> dict[UUID, tuple[PastEnding, ...]]:
    """How former permits of each ended, the oldest first."""
    found: dict[UUID, tuple[PastEnding, ...]] = {}
    for row in await tx.rows(ENDINGS, holders=list(holders), day=day):
        found[row.holder_id] = (*found.get(row.holder_id, ()), PastEnding(row.cause, row.ended_on))
    return found


async def fleet(tx: Reader, categories: Sequence[str], day: date) -> list[Row[Any]]:
    """The vehicles in service on a day."""
    return await tx.rows(FLEET, categories=list(categories), day=day)


async def permit(tx: Reader, id: UUID, day: date, *, lock: bool = False) -> Row[Any]:
    """Raises NotFound, also for another town's permit."""
    found = await tx.row(PERMIT + (" FOR UPDATE" if lock else ""), id=id, day=day)
    if found is None:
        raise NotFound("permit", id)
    return found


def not_active(permit: Row[Any], day: date) -> Decision:
    """What is said of a permit that no longer, or not yet, counts on a day."""
    return Decision(Outcome.DENIED, f"A outorga {permit.number} não está vigente em {day:%d/%m/%Y}.")


# What was both done and began after a day. What a permit came with began with it, and what was done in advance stands.
FIRST_AFTER = """
SELECT what, day FROM (
    SELECT 'licence' AS what, r.during, r.act_id FROM licence AS r WHERE r.tenant_id = :tenant AND r.permit_id = :permit
    UNION ALL
    SELECT 'extension', r.during, r.act_id FROM extension AS r WHERE r.tenant_id = :tenant AND r.permit_id = :permit
    UNION ALL
    SELECT 'vehicle', r.during, r.act_id FROM permit_vehicle AS r
    WHERE r.tenant_id = :tenant AND r.permit_id = :permit
    UNION ALL
    SELECT 'stand', r.during, r.act_id FROM stand_assignment AS r
    WHERE r.tenant_id = :tenant AND r.permit_id = :permit
    UNION ALL
    SELECT 'suspension', r.during, r.act_id FROM suspension AS r WHERE r.tenant_id = :tenant AND r.permit_id = :permit
    UNION ALL
    SELECT 'substitute', r.during, r.act_id FROM substitute AS r WHERE r.tenant_id = :tenant AND r.permit_id = :permit
) AS done
JOIN act AS a ON a.tenant_id = :tenant AND a.id = done.act_id
CROSS JOIN LATERAL (SELECT least(a.legal_day, lower(done.during)) AS day) AS began
WHERE done.what = ANY(CAST(:what AS text[])) AND NOT isempty(done.during) AND began.day > CAST(:day AS date)
ORDER BY day, what LIMIT 1
"""


async def first_after(tx: Reader, permit_id: UUID, day: date, what: Sequence[str]) -> Row[Any] | None:
    """The first thing that was done with a permit, of these kinds, after a day."""
    return await tx.row(FIRST_AFTER, permit=permit_id, day=day, what=list(what))


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
        "AND NOT isempty(during) ORDER BY upper(during) DESC LIMIT 1",
        permit=permit_id,
    )


async def licence_on(tx: Reader, permit_id: UUID, day: date) -> Row[Any] | None:
    """The licence that is valid on a day."""
    return await tx.row(
        "SELECT id, number, during FROM licence "
        "WHERE tenant_id = :tenant AND permit_id = :permit AND during @> CAST(:day AS date)",
        permit=permit_id,
        day=day,
    )


async def cut_licence(tx: Transaction, id: UUID, day: date) -> None:
    """The licence ends early: ``day`` is the first without it."""
    await tx.rows(
        "UPDATE licence SET during = during * daterange(NULL, :day), version = version + 1 "
        "WHERE tenant_id = :tenant AND id = :id",
        id=id,
        day=day,
    )


IN_FORCE = """
SELECT p.id, p.number, p.category, p.holder_id, p.granted_on, pv.vehicle_id, v.plate
FROM permit AS p
JOIN permit_vehicle AS pv ON pv.tenant_id = p.tenant_id AND pv.permit_id = p.id AND pv.during @> CAST(:day AS date)
JOIN vehicle AS v ON v.tenant_id = pv.tenant_id AND v.id = pv.vehicle_id
WHERE p.tenant_id = :tenant AND p.during @> CAST(:day AS date) AND p.id > :after
ORDER BY p.id LIMIT :most
"""


async def in_force(tx: Reader, day: date, *, after: UUID, most: int) -> list[Row[Any]]:
    """Permits in force on a day with their vehicles, a batch at a time, by id."""
    return await tx.rows(IN_FORCE, day=day, after=after, most=most)


PAGE = """
SELECT p.id, p.number, p.category, p.instrument, p.holder_id, p.granted_on, lower(p.during) AS since,
       upper(p.during) - 1 AS until, p.ended_on, p.ended_cause, p.version, state(p, CAST(:day AS date)) AS state
FROM permit AS p WHERE p.tenant_id = :tenant
"""
CONDITIONS = {
    "category": "AND p.category = :category",
    "state": "AND state(p, CAST(:day AS date)) = :state",
    "licence": """AND :licence = (
        SELECT state(l, CAST(:day AS date)) FROM licence AS l
        WHERE l.tenant_id = p.tenant_id AND l.permit_id = p.id ORDER BY upper(l.during) DESC LIMIT 1
    )""",
    "holders": "AND p.holder_id = ANY(CAST(:holders AS uuid[]))",
    "ids": "AND p.id = ANY(CAST(:ids AS uuid[]))",
    "after": "AND p.id > :after",
}


async def page(tx: Reader, day: date, limit: int, **only: Any) -> list[Row[Any]]:
    """Permits with their state on a day, oldest first; ``only`` names conditions: one statement for each shape."""
    asked = {name: value for name, value in only.items() if value is not None}
    where = " ".join(CONDITIONS[name] for name in CONDITIONS if name in asked)
    return await tx.rows(f"{PAGE} {where} ORDER BY p.id LIMIT :limit", day=day, limit=limit, **asked)


async def count(tx: Reader, day: date, **only: Any) -> int:
    asked = {name: value for name, value in only.items() if value is not None and name != "after"}
    where = " ".join(CONDITIONS[name] for name in CONDITIONS if name in asked)
    of_day = {"day": day} if {"state", "licence"} & set(asked) else {}
    sql = f"SELECT count(*) FROM permit AS p WHERE p.tenant_id = :tenant {where}"  # noqa: S608 - our own conditions
    return int(await tx.scalar(sql, **of_day, **asked))


VEHICLES_OF = """
SELECT pv.permit_id, v.id, v.plate, v.renavam, v.manufacture_year, v.model_year, v.first_registration, v.doors, v.seats,
       v.fuel, v.version
FROM permit_vehicle AS pv JOIN vehicle AS v ON v.tenant_id = pv.tenant_id AND v.id = pv.vehicle_id
WHERE pv.tenant_id = :tenant AND pv.permit_id = ANY(CAST(:ids AS uuid[])) AND pv.during @> CAST(:day AS date)
"""
LICENCES_OF = """
SELECT DISTINCT ON (l.permit_id) l.permit_id, l.id, l.number, lower(l.during) AS since, upper(l.during) - 1 AS until,
       l.fee_units, l.fee_unit, l.fee_rate, l.fee_brl, state(l, CAST(:day AS date)) AS state
FROM licence AS l WHERE l.tenant_id = :tenant AND l.permit_id = ANY(CAST(:ids AS uuid[])) AND NOT isempty(l.during)
ORDER BY l.permit_id, upper(l.during) DESC
"""


async def vehicles_of(tx: Reader, ids: Sequence[UUID], day: date) -> dict[UUID, Row[Any]]:
    """The vehicle of each permit on a day."""
    return {row.permit_id: row for row in await tx.rows(VEHICLES_OF, ids=list(ids), day=day)}


async def licences_of(tx: Reader, ids: Sequence[UUID], day: date) -> dict[UUID, Row[Any]]:
    """The last licence of each permit, with its state on a day."""
    return {row.permit_id: row for row in await tx.rows(LICENCES_OF, ids=list(ids), day=day)}


BY_PLATE = """
SELECT p.number, p.category, v.plate, state(p, CAST(:day AS date)) AS state,
       (SELECT s.stand FROM stand_assignment AS s
        WHERE s.tenant_id = p.tenant_id AND s.permit_id = p.id AND s.during @> CAST(:day AS date)) AS stand,
       (SELECT max(upper(l.during)) - 1 FROM licence AS l
        WHERE l.tenant_id = p.tenant_id AND l.permit_id = p.id) AS licence_until,
       lower(rest.during) AS suspended_since, upper(rest.during) - 1 AS suspended_until
FROM vehicle AS v
JOIN permit_vehicle AS pv ON pv.tenant_id = v.tenant_id AND pv.vehicle_id = v.id AND pv.during @> CAST(:day AS date)
JOIN permit AS p ON p.tenant_id = pv.tenant_id AND p.id = pv.permit_id
LEFT JOIN suspension AS rest ON rest.tenant_id = p.tenant_id AND rest.permit_id = p.id
  AND rest.during @> CAST(:day AS date)
WHERE v.tenant_id = :tenant AND v.plate = :plate
"""


async def by_plate(tx: Reader, plate: str, day: date) -> Row[Any] | None:
    """The permit that a vehicle serves on a day, with nothing of its holder."""
    return await tx.row(BY_PLATE, plate=plate, day=day)


async def licence(tx: Reader, id: UUID, day: date) -> Row[Any]:
    """Raises NotFound, also for another town's licence."""
    found = await tx.row(
        "SELECT l.id, l.number, lower(l.during) AS since, upper(l.during) - 1 AS until, l.fee_units, l.fee_unit, "
        "l.fee_rate, l.fee_brl, state(l, CAST(:day AS date)) AS state FROM licence AS l "
        "WHERE l.tenant_id = :tenant AND l.id = :id",
        id=id,
        day=day,
    )
    if found is None:
        raise NotFound("licence", id)
    return found
