"""The inspections' SQL."""

from collections.abc import Sequence
from datetime import date
from typing import Any
from uuid import UUID

from sqlalchemy import Row

from services.database import Reader, Transaction
from services.errors import NotFound

# What is known of vehicles on a day: the last inspection, the last one of its rule that passed, what is approved.
SEEN = """
SELECT v.id AS vehicle_id, i.rule, i.inspected_on, i.passed, i.carried, i.seen, p.passed_on, a.approved
FROM unnest(CAST(:ids AS uuid[])) AS v (id)
LEFT JOIN LATERAL (
    SELECT rule, inspected_on, passed, carried, seen FROM inspection
    WHERE tenant_id = :tenant AND vehicle_id = v.id AND what = 'vehicle' AND inspected_on <= :day
    ORDER BY inspected_on DESC, id DESC LIMIT 1
) AS i ON true
LEFT JOIN LATERAL (
    SELECT max(inspected_on) AS passed_on FROM inspection
    WHERE tenant_id = :tenant AND vehicle_id = v.id AND rule = i.rule AND passed AND inspected_on <= :day
) AS p ON true
LEFT JOIN LATERAL (
    SELECT jsonb_object_agg(f.key, f.value ORDER BY a.id) AS approved
    FROM approval AS a CROSS JOIN LATERAL jsonb_each(a.facts) AS f (key, value)
    WHERE a.tenant_id = :tenant AND a.vehicle_id = v.id AND a.during @> CAST(:day AS date)
) AS a ON true
"""


async def seen(tx: Reader, vehicles: Sequence[UUID], day: date) -> dict[UUID, Row[Any]]:
    """One statement for all of them."""
    return {row.vehicle_id: row for row in await tx.rows(SEEN, ids=list(vehicles), day=day)}


COLUMNS = """
id, vehicle_id, permit_id, category, rule, what, scheduled_on, again_of, number, inspected_on, passed, carried, seen,
faults, cure_until, due_on, version
"""
ONE = f"SELECT {COLUMNS} FROM inspection WHERE tenant_id = :tenant AND id = :id"  # noqa: S608 - our own columns
LAST_PASSED = """
SELECT max(inspected_on) FROM inspection
WHERE tenant_id = :tenant AND vehicle_id = :vehicle AND rule = :rule AND passed AND inspected_on <= :day
"""
LAST = f"""
SELECT {COLUMNS} FROM inspection AS i
WHERE tenant_id = :tenant AND vehicle_id = :vehicle AND rule = :rule AND inspected_on <= :day
ORDER BY inspected_on DESC, id DESC LIMIT 1
"""  # noqa: S608
SCHEDULED = f"""
SELECT {COLUMNS} FROM inspection
WHERE tenant_id = :tenant AND vehicle_id = :vehicle AND rule = :rule AND inspected_on IS NULL FOR UPDATE
"""  # noqa: S608


async def one(tx: Reader, id: UUID) -> Row[Any]:
    """Raises NotFound, also for another town's inspection."""
    found = await tx.row(ONE, id=id)
    if found is None:
        raise NotFound("inspection", id)
    return found


async def last_passed(tx: Reader, vehicle: UUID, rule: str, day: date) -> date | None:
    found: date | None = await tx.scalar(LAST_PASSED, vehicle=vehicle, rule=rule, day=day)
    return found


async def last(tx: Reader, vehicle: UUID, rule: str, day: date) -> Row[Any] | None:
    """The last one recorded of a rule, passed or not."""
    return await tx.row(LAST, vehicle=vehicle, rule=rule, day=day)


async def scheduled(tx: Transaction, vehicle: UUID, rule: str) -> Row[Any] | None:
    """The appointment that waits, locked."""
    return await tx.row(SCHEDULED, vehicle=vehicle, rule=rule)


async def move(tx: Transaction, id: UUID, day: date, act_id: UUID) -> None:
    """Another day for an appointment."""
    await tx.rows(
        "UPDATE inspection SET scheduled_on = :day, scheduled_act = :act, version = version + 1 "
        "WHERE tenant_id = :tenant AND id = :id",
        id=id,
        day=day,
        act=act_id,
    )


PAGE = f"SELECT {COLUMNS} FROM inspection WHERE tenant_id = :tenant"  # noqa: S608
CONDITIONS = {
    "vehicle": "AND vehicle_id = :vehicle",
    "waiting": "AND inspected_on IS NULL AND scheduled_on <= CAST(:waiting AS date)",
    "after": "AND id > :after",
}


async def page(tx: Reader, limit: int, **only: Any) -> list[Row[Any]]:
    """Inspections in the order of their entry; ``waiting``: appointments up to a day that nobody has kept."""
    asked = {name: value for name, value in only.items() if value is not None}
    where = " ".join(CONDITIONS[name] for name in CONDITIONS if name in asked)
    return await tx.rows(f"{PAGE} {where} ORDER BY id LIMIT :limit", limit=limit, **asked)


# One with all that its report names. The holder: of the permit that the vehicle served; of one that served none, whose
# the vehicle was on that day, which is who sold it next, if it was sold since.
REPORT = """
SELECT i.vehicle_id, i.rule, i.number, i.inspected_on, i.passed, i.faults, i.cure_until, i.due_on, i.again_of,
       i.recorded_act, v.plate, v.manufacture_year, v.model_year, p.number AS permit_number, h.person_id, h.company_id,
       coalesce(n.name, c.name) AS holder_name, b.number AS again_number, b.inspected_on AS again_on,
       a.actor AS act_actor, a.office AS act_office, a.body AS act_body, a.hash AS act_hash, u.name AS inspector
FROM inspection AS i
JOIN vehicle AS v ON v.tenant_id = i.tenant_id AND v.id = i.vehicle_id
LEFT JOIN permit AS p ON p.tenant_id = i.tenant_id AND p.id = i.permit_id
LEFT JOIN LATERAL (
    SELECT id, from_holder_id FROM sale
    WHERE tenant_id = i.tenant_id AND vehicle_id = i.vehicle_id AND sold_on >= i.inspected_on
    ORDER BY sold_on, id LIMIT 1
) AS s ON true
LEFT JOIN holder AS h ON h.tenant_id = i.tenant_id AND h.id = CASE
    WHEN p.id IS NOT NULL THEN p.holder_id WHEN s.id IS NOT NULL THEN s.from_holder_id ELSE v.holder_id END
LEFT JOIN person AS n ON n.tenant_id = h.tenant_id AND n.id = h.person_id
LEFT JOIN company AS c ON c.tenant_id = h.tenant_id AND c.id = h.company_id
LEFT JOIN inspection AS b ON b.tenant_id = i.tenant_id AND b.id = i.again_of
LEFT JOIN act AS a ON a.tenant_id = i.tenant_id AND a.id = i.recorded_act
LEFT JOIN account AS u ON u.tenant_id = a.tenant_id AND u.subject = a.actor
WHERE i.tenant_id = :tenant AND i.id = :id
"""
TERM = """
SELECT last_day, article FROM deadline
WHERE tenant_id = :tenant AND subject_kind = 'vehicle' AND subject_id = :vehicle AND kind = :kind AND opened_on <= :day
ORDER BY opened_on DESC, id DESC LIMIT 1
"""


async def report(tx: Reader, id: UUID) -> Row[Any] | None:
    return await tx.row(REPORT, id=id)


async def term_of(tx: Reader, vehicle: UUID, kind: str, day: date) -> Row[Any] | None:
    """The term of a vehicle that an inspection of this day set running, or that ran when it was done."""
    return await tx.row(TERM, vehicle=vehicle, kind=kind, day=day)
