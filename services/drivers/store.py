"""The drivers' SQL: who is enrolled with whom, and who may not drive."""

from collections.abc import Sequence
from datetime import date
from typing import Any
from uuid import UUID

from sqlalchemy import Row

from services.database import Reader, Transaction
from services.errors import NotFound

# Drivers with each of their enrolments on a day and whether something keeps them away then.
STANDING = """
SELECT d.id AS driver_id, d.person_id, d.cnh_number, d.cnh_categories, d.cnh_ear, d.cnh_first_on, d.cnh_until,
       d.attributes AS driver_attributes, d.version, p.birth_on, p.attributes AS person_attributes,
       e.holder_id, e.category, e.role, e.employed, lower(e.during) AS registered_on, b.suspended, b.struck_off
FROM driver AS d
JOIN person AS p ON p.tenant_id = d.tenant_id AND p.id = d.person_id
LEFT JOIN enrolment AS e ON e.tenant_id = d.tenant_id AND e.driver_id = d.id AND e.during @> CAST(:day AS date)
CROSS JOIN LATERAL (
    SELECT coalesce(bool_or(what = 'suspended'), false) AS suspended,
           coalesce(bool_or(what = 'struck_off'), false) AS struck_off
    FROM driver_bar WHERE tenant_id = d.tenant_id AND driver_id = d.id AND during @> CAST(:day AS date)
) AS b
WHERE d.tenant_id = :tenant AND d.id IN (
    SELECT unnest(CAST(:drivers AS uuid[]))
    UNION ALL
    SELECT driver_id FROM enrolment
    WHERE tenant_id = :tenant AND holder_id = ANY(CAST(:holders AS uuid[])) AND during @> CAST(:day AS date)
)
ORDER BY e.id, d.id
"""


async def standing(
    tx: Reader, day: date, *, drivers: Sequence[UUID] = (), holders: Sequence[UUID] = ()
) -> list[Row[Any]]:
    """These drivers, and those enrolled with these holders: one row for each enrolment, one for who has none."""
    if not drivers and not holders:
        return []
    return await tx.rows(STANDING, day=day, drivers=list(drivers), holders=list(holders))


async def lock(tx: Transaction, id: UUID) -> Row[Any]:
    """Whoever changes a driver's standing waits for the others. Raises NotFound, also for another town's driver."""
    found = await tx.row(
        "SELECT id, person_id, version FROM driver WHERE tenant_id = :tenant AND id = :id FOR UPDATE", id=id
    )
    if found is None:
        raise NotFound("driver", id)
    return found


ENROLMENTS = """
SELECT e.id, e.driver_id, e.holder_id, e.category, e.role, e.number, e.employed, e.during, lower(e.during) AS since,
       upper(e.during) - 1 AS until, e.version, coalesce(p.name, c.name) AS holder_name
FROM enrolment AS e
JOIN holder AS h ON h.tenant_id = e.tenant_id AND h.id = e.holder_id
LEFT JOIN person AS p ON p.tenant_id = h.tenant_id AND p.id = h.person_id
LEFT JOIN company AS c ON c.tenant_id = h.tenant_id AND c.id = h.company_id
WHERE e.tenant_id = :tenant
"""


async def enrolment(tx: Reader, id: UUID, *, lock: bool = False) -> Row[Any]:
    """Raises NotFound."""
    found = await tx.row(f"{ENROLMENTS} AND e.id = :id {'FOR UPDATE OF e' if lock else ''}", id=id)
    if found is None:
        raise NotFound("enrolment", id)
    return found


async def enrolments_of(tx: Reader, driver: UUID) -> list[Row[Any]]:
    """All that a driver has had, the oldest first."""
    return await tx.rows(f"{ENROLMENTS} AND e.driver_id = :driver ORDER BY e.id", driver=driver)


async def enrolled(tx: Reader, holder: UUID, category: str, role: str, day: date) -> int:
    """How many a holder has in a role."""
    return int(
        await tx.scalar(
            "SELECT count(*) FROM enrolment WHERE tenant_id = :tenant AND holder_id = :holder "
            "AND category = :category AND role = :role AND during @> CAST(:day AS date)",
            holder=holder,
            category=category,
            role=role,
            day=day,
        )
    )


async def end_enrolments(
    tx: Transaction, day: date, act_id: UUID, *, driver: UUID | None = None, id: UUID | None = None
) -> None:
    """One, or all of a driver that are in force: ``day`` is the first without them."""
    which = "id = :id" if id else "driver_id = :driver AND during @> CAST(:day AS date)"
    await tx.rows(
        "UPDATE enrolment SET during = daterange(lower(during), :day), ended_act = :act, version = version + 1 "  # noqa: S608
        f"WHERE tenant_id = :tenant AND {which}",
        day=day,
        act=act_id,
        **({"id": id} if id else {"driver": driver}),
    )


async def bars_of(tx: Reader, driver: UUID) -> list[Row[Any]]:
    """What has kept a driver away, the oldest first."""
    return await tx.rows(
        "SELECT id, what, lower(during) AS since, upper(during) - 1 AS until, during, version FROM driver_bar "
        "WHERE tenant_id = :tenant AND driver_id = :driver ORDER BY id",
        driver=driver,
    )


async def bar_on(tx: Transaction, driver: UUID, what: str, day: date) -> Row[Any] | None:
    """The one that holds on a day, locked."""
    return await tx.row(
        "SELECT id, during, version FROM driver_bar WHERE tenant_id = :tenant AND driver_id = :driver "
        "AND what = :what AND during @> CAST(:day AS date) FOR UPDATE",
        driver=driver,
        what=what,
        day=day,
    )


async def lift(tx: Transaction, id: UUID, day: date, act_id: UUID) -> None:
    """``day`` is the first without it."""
    await tx.rows(
        "UPDATE driver_bar SET during = daterange(lower(during), :day), lifted_act = :act, version = version + 1 "
        "WHERE tenant_id = :tenant AND id = :id",
        id=id,
        day=day,
        act=act_id,
    )
