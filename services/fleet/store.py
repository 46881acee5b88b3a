"""The SQL of vehicles in service: whose they are on a day, what is approved on them, their sales."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import TYPE_CHECKING, Any
from uuid import UUID

from sqlalchemy import Row

from services.errors import NotFound

if TYPE_CHECKING:
    from services.database import Reader, Transaction
    from services.fleet.leaving import Leaving

# The permits of holders on a day, each with its last licence.
PERMITS_OF_HOLDERS = """
SELECT p.id, p.holder_id, p.category, p.instrument, p.granted_on, upper(p.during) - 1 AS until, l.issued_on,
       l.licence_until
FROM permit AS p
LEFT JOIN LATERAL (
    SELECT lower(during) AS issued_on, upper(during) - 1 AS licence_until FROM licence
    WHERE tenant_id = p.tenant_id AND permit_id = p.id AND NOT isempty(during) ORDER BY upper(during) DESC LIMIT 1
) AS l ON true
WHERE p.tenant_id = :tenant AND p.holder_id = ANY(CAST(:holders AS uuid[])) AND p.during @> CAST(:day AS date)
ORDER BY p.id
"""
# A vehicle on a day: in whose name, and which permit it serves.
SERVING = """
SELECT v.id, v.plate, v.holder_id, v.manufacture_year, v.model_year, v.first_registration, v.doors, v.seats, v.fuel,
       v.attributes, v.renavam, v.version, p.id AS permit_id, p.number AS permit_number, p.granted_on,
       coalesce(p.category, '') AS category, p.holder_id AS permit_holder_id, pv.id AS service_id
FROM vehicle AS v
LEFT JOIN permit_vehicle AS pv ON pv.tenant_id = v.tenant_id AND pv.vehicle_id = v.id
  AND pv.during @> CAST(:day AS date)
LEFT JOIN permit AS p ON p.tenant_id = pv.tenant_id AND p.id = pv.permit_id
WHERE v.tenant_id = :tenant AND v.id = :id
"""
# The permit in force that a vehicle served last, unless it was sold since.
SERVED = """
SELECT p.id, p.category, p.granted_on, p.holder_id
FROM permit_vehicle AS pv
JOIN permit AS p ON p.tenant_id = pv.tenant_id AND p.id = pv.permit_id AND p.during @> CAST(:day AS date)
WHERE pv.tenant_id = :tenant AND pv.vehicle_id = :id AND NOT isempty(pv.during) AND upper(pv.during) <= :day
  AND NOT EXISTS (
      SELECT FROM sale AS s
      WHERE s.tenant_id = pv.tenant_id AND s.vehicle_id = pv.vehicle_id AND s.sold_on >= upper(pv.during)
  )
ORDER BY upper(pv.during) DESC LIMIT 1
"""

# The vehicles of permits that have not ended, and whether each is in service: neither suspended nor away.
SHARED = """
SELECT v.plate, v.manufacture_year, v.model_year, v.first_registration, v.doors, v.seats, v.fuel, v.attributes,
       p.category, CAST(NULL AS uuid) AS holder_id,
       p.during @> CAST(:day AS date)
       AND NOT EXISTS (
           SELECT FROM suspension AS s
           WHERE s.tenant_id = p.tenant_id AND s.permit_id = p.id AND s.during @> CAST(:day AS date)
       )
       AND NOT EXISTS (
           SELECT FROM absence AS a
           WHERE a.tenant_id = p.tenant_id AND a.permit_id = p.id AND a.during @> CAST(:day AS date)
       ) AS active
FROM permit AS p
JOIN permit_vehicle AS pv ON pv.tenant_id = p.tenant_id AND pv.permit_id = p.id
  AND pv.during @> greatest(CAST(:day AS date), lower(p.during))
JOIN vehicle AS v ON v.tenant_id = pv.tenant_id AND v.id = pv.vehicle_id
WHERE p.tenant_id = :tenant AND p.category = ANY(CAST(:categories AS text[])) AND NOT isempty(p.during)
  AND (upper(p.during) IS NULL OR upper(p.during) > :day)
"""


async def shared(tx: "Reader", categories: Sequence[str], day: date) -> list[Row[Any]]:
    """The fleet of which the law may ask a share, in one statement."""
    return await tx.rows(SHARED, categories=list(categories), day=day)


async def permits_of_holders(tx: "Reader", holders: Sequence[UUID], day: date) -> list[Row[Any]]:
    """The permits that these holders have on a day."""
    return await tx.rows(PERMITS_OF_HOLDERS, holders=list(holders), day=day)


@dataclass(frozen=True, slots=True)
class Serving:
    """A vehicle on a day, in whose name it is, and the permit that it serves then, if it serves one.

    ``category``: the permit's; of a vehicle that serves none, empty or the one for which something is asked.
    """

    id: UUID
    plate: str
    renavam: str | None
    holder_id: UUID | None
    manufacture_year: int | None
    model_year: int | None
    first_registration: date | None
    doors: int | None
    seats: int | None
    fuel: str | None
    attributes: Mapping[str, Any]
    version: int
    permit_id: UUID | None = None
    permit_number: str | None = None
    category: str = ""
    granted_on: date | None = None
    permit_holder_id: UUID | None = None
    service_id: UUID | None = None


async def serving(tx: "Reader", id: UUID, day: date) -> Serving:
    """Raises NotFound, also for another town's vehicle."""
    found = await tx.row(SERVING, id=id, day=day)
    if found is None:
        raise NotFound("vehicle", id)
    return Serving(**found._mapping)


async def served(tx: "Reader", row: Serving, day: date) -> Serving:
    """One that serves none that day, under the permit in force that it served last; it has no service there."""
    found = None if row.permit_id else await tx.row(SERVED, id=row.id, day=day)
    if found is None:
        return row
    of = {"category": found.category, "granted_on": found.granted_on, "permit_holder_id": found.holder_id}
    return replace(row, permit_id=found.id, **of)


async def lock(tx: "Transaction", id: UUID) -> None:
    """Whoever changes a vehicle or its inspections waits for the others; its permit is locked before it."""
    if await tx.scalar("SELECT id FROM vehicle WHERE tenant_id = :tenant AND id = :id FOR UPDATE", id=id) is None:
        raise NotFound("vehicle", id)


async def change_hands(tx: "Transaction", id: UUID, holder: UUID | None) -> None:
    await tx.rows(
        "UPDATE vehicle SET holder_id = :holder, version = version + 1 WHERE tenant_id = :tenant AND id = :id",
        id=id,
        holder=holder,
    )


SALE = """
SELECT s.id, s.vehicle_id, s.sold_on, s.plate_released_on, a.body FROM sale AS s
JOIN act AS a ON a.tenant_id = s.tenant_id AND a.id = s.act_id WHERE s.tenant_id = :tenant
"""


async def last_sale(tx: "Reader", vehicle: UUID) -> Row[Any]:
    """With its act. Raises NotFound where there is none."""
    found = await tx.row(f"{SALE} AND s.vehicle_id = :vehicle ORDER BY s.id DESC LIMIT 1", vehicle=vehicle)
    if found is None:
        raise NotFound("sale", vehicle)
    return found


async def sale(tx: "Reader", id: UUID) -> Row[Any]:
    """The same of one by its id. Raises NotFound, also for another town's."""
    found = await tx.row(f"{SALE} AND s.id = :id", id=id)
    if found is None:
        raise NotFound("sale", id)
    return found


VEHICLES_OF_PERMITS = """
SELECT DISTINCT pv.permit_id, pv.vehicle_id
FROM unnest(CAST(:permits AS uuid[]), CAST(:days AS date[])) AS e (id, day)
JOIN permit_vehicle AS pv ON pv.tenant_id = :tenant AND pv.permit_id = e.id
WHERE NOT isempty(pv.during) AND (upper(pv.during) IS NULL OR upper(pv.during) >= e.day) AND NOT EXISTS (
    SELECT FROM permit_vehicle AS o
    WHERE o.tenant_id = :tenant AND o.vehicle_id = pv.vehicle_id AND o.permit_id <> pv.permit_id
      AND NOT isempty(o.during) AND (upper(o.during) IS NULL OR upper(o.during) > e.day)
)
"""


async def vehicles_of_permits(tx: "Reader", ended: Sequence[tuple[UUID, date, UUID]]) -> list[Row[Any]]:
    """Whatever served each permit until a day, its first without it, or would have later; not what serves another."""
    return await tx.rows(
        VEHICLES_OF_PERMITS, permits=[permit for permit, _, _ in ended], days=[day for _, day, _ in ended]
    )


CLOSE_TERMS = """
UPDATE deadline AS d SET state = 'met', closed_on = l.day, closed_act = l.act, version = d.version + 1
FROM unnest(CAST(:vehicles AS uuid[]), CAST(:days AS date[]), CAST(:acts AS uuid[])) AS l (vehicle, day, act)
WHERE d.tenant_id = :tenant AND d.subject_kind = 'vehicle' AND d.subject_id = l.vehicle
  AND (d.state = 'suspended' OR d.state = 'open' AND d.last_day >= l.day) AND d.rule = ANY(CAST(:rules AS text[]))
"""


async def close_terms(tx: "Transaction", leaving: "Sequence[Leaving]", rules: Sequence[str]) -> None:
    """What runs of these vehicles by these rules is closed."""
    await tx.rows(
        CLOSE_TERMS,
        vehicles=[each.vehicle_id for each in leaving],
        days=[each.on for each in leaving],
        acts=[each.act_id for each in leaving],
        rules=list(rules),
    )


async def was_extended(tx: "Reader", vehicle: UUID) -> bool:
    """Does a term run for it beyond the limit that was counted?"""
    found: bool = await tx.scalar(
        "SELECT EXISTS (SELECT FROM deadline WHERE tenant_id = :tenant AND subject_kind = 'vehicle' "
        "AND subject_id = :vehicle AND state IN ('open', 'suspended') "
        "AND counted ->> 'limit_day' < counted ->> 'last_day')",
        vehicle=vehicle,
    )
    return found


async def last_days(tx: "Reader", vehicle: UUID, rules: Sequence[str]) -> dict[str, date]:
    """The last day that each of these rules' terms has, if it still runs."""
    rows = await tx.rows(
        "SELECT rule, max(last_day) AS last_day FROM deadline WHERE tenant_id = :tenant AND subject_kind = 'vehicle' "
        "AND subject_id = :vehicle AND rule = ANY(CAST(:rules AS text[])) AND state IN ('open', 'suspended') "
        "GROUP BY rule",
        vehicle=vehicle,
        rules=list(rules),
    )
    return {row.rule: row.last_day for row in rows}


APPROVALS = """
SELECT id, vehicle_id, matter, number, facts, contents, during, lower(during) AS since, upper(during) - 1 AS until,
       version
FROM approval WHERE tenant_id = :tenant
"""


async def approval(tx: "Reader", id: UUID, *, lock: bool = False) -> Row[Any]:
    """Raises NotFound."""
    found = await tx.row(f"{APPROVALS} AND id = :id {'FOR UPDATE' if lock else ''}", id=id)
    if found is None:
        raise NotFound("approval", id)
    return found


async def approvals_of(tx: "Reader", vehicle: UUID) -> list[Row[Any]]:
    """All that was approved on a vehicle, the oldest first."""
    return await tx.rows(f"{APPROVALS} AND vehicle_id = :vehicle ORDER BY id", vehicle=vehicle)


async def end_approval(tx: "Transaction", id: UUID, day: date, act_id: UUID) -> None:
    """``day`` is the first without it."""
    await tx.rows(
        "UPDATE approval SET during = daterange(lower(during), :day), ended_act = :act, version = version + 1 "
        "WHERE tenant_id = :tenant AND id = :id",
        id=id,
        day=day,
        act=act_id,
    )
