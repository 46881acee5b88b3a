"""Campaigns in SQL: who is in service and to be called, who came."""

from collections.abc import Mapping, Sequence
from datetime import date
from typing import TYPE_CHECKING, Any
from uuid import UUID

from sqlalchemy import Row

from services.acts.body import canonical, simple
from services.errors import NotFound

if TYPE_CHECKING:
    from services.database import Reader, Transaction

CAMPAIGN = """
SELECT c.id, c.rule, c.title, c.whom, c.edition, c.opens_on, c.opened_on, c.closed_on, c.version
FROM campaign AS c WHERE c.tenant_id = :tenant
"""
SERVING = """
SELECT p.id AS permit_id, CAST(NULL AS uuid) AS driver_id, p.id AS place, p.category, p.holder_id, p.granted_on,
       v.id AS vehicle_id, v.plate
FROM permit AS p
LEFT JOIN permit_vehicle AS pv ON pv.tenant_id = p.tenant_id AND pv.permit_id = p.id AND pv.during @> CAST(:day AS date)
LEFT JOIN vehicle AS v ON v.tenant_id = pv.tenant_id AND v.id = pv.vehicle_id
WHERE p.tenant_id = :tenant AND p.during @> CAST(:day AS date) AND p.id > CAST(:after AS uuid)
ORDER BY p.id LIMIT :most
"""
# Holders who drive, and drivers enrolled with them: each with one of the permits in which they may drive.
DRIVING = """
SELECT DISTINCT ON (d.id) p.id AS permit_id, d.id AS driver_id, d.id AS place, p.category, p.holder_id, p.granted_on,
       v.id AS vehicle_id, v.plate
FROM driver AS d
JOIN (
    SELECT h.tenant_id, own.id AS driver_id, h.id AS holder_id, CAST(NULL AS text) AS category
    FROM holder AS h JOIN driver AS own ON own.tenant_id = h.tenant_id AND own.person_id = h.person_id
    UNION ALL
    SELECT tenant_id, driver_id, holder_id, category FROM enrolment WHERE during @> CAST(:day AS date)
) AS drives ON drives.tenant_id = d.tenant_id AND drives.driver_id = d.id
JOIN permit AS p ON p.tenant_id = d.tenant_id AND p.holder_id = drives.holder_id AND p.during @> CAST(:day AS date)
  AND p.category = coalesce(drives.category, p.category)
LEFT JOIN permit_vehicle AS pv ON pv.tenant_id = p.tenant_id AND pv.permit_id = p.id AND pv.during @> CAST(:day AS date)
LEFT JOIN vehicle AS v ON v.tenant_id = pv.tenant_id AND v.id = pv.vehicle_id
WHERE d.tenant_id = :tenant AND d.id > CAST(:after AS uuid)
ORDER BY d.id, p.id LIMIT :most
"""
CALL = """
SELECT k.id, k.campaign_id, k.permit_id, k.driver_id, k.category, k.last_day, k.infraction, k.deadline_id, k.missed_on,
       k.attended_on, k.version, state(k, CAST(:day AS date)) AS state, p.number, p.holder_id, p.granted_on,
       coalesce(n.name, hn.name, hc.name) AS name
FROM campaign_call AS k
JOIN permit AS p ON p.tenant_id = k.tenant_id AND p.id = k.permit_id
JOIN holder AS h ON h.tenant_id = p.tenant_id AND h.id = p.holder_id
LEFT JOIN person AS hn ON hn.tenant_id = h.tenant_id AND hn.id = h.person_id
LEFT JOIN company AS hc ON hc.tenant_id = h.tenant_id AND hc.id = h.company_id
LEFT JOIN driver AS d ON d.tenant_id = k.tenant_id AND d.id = k.driver_id
LEFT JOIN person AS n ON n.tenant_id = d.tenant_id AND n.id = d.person_id
WHERE k.tenant_id = :tenant
"""


async def lock_rule(tx: "Transaction", rule: str) -> None:
    """Whoever opens the same campaign waits."""
    await tx.rows(
        "SELECT pg_advisory_xact_lock(hashtextextended('campaign ' || :rule || CAST(:tenant AS uuid), 0))", rule=rule
    )


async def editions(tx: "Reader", rule: str) -> list[int]:
    rows = await tx.rows("SELECT edition FROM campaign WHERE tenant_id = :tenant AND rule = :rule", rule=rule)
    return [row.edition for row in rows]


async def campaign(tx: "Reader", id: UUID, *, lock: bool = False) -> Row[Any]:
    """Raises NotFound, also for another town's."""
    found = await tx.row(f"{CAMPAIGN} AND c.id = :id" + (" FOR UPDATE" if lock else ""), id=id)
    if found is None:
        raise NotFound("campaign", id)
    return found


async def page(tx: "Reader", limit: int, after: UUID | None) -> list[Row[Any]]:
    """The newest first."""
    earlier = "AND c.id < :after" if after else ""
    sql = f"{CAMPAIGN} {earlier} ORDER BY c.id DESC LIMIT :limit"
    return await tx.rows(sql, limit=limit, **({"after": after} if after else {}))


async def counts(tx: "Reader", ids: Sequence[UUID], day: date) -> dict[UUID, dict[str, int]]:
    """How many calls of each campaign are in which state on a day."""
    rows = await tx.rows(
        "SELECT campaign_id, state(k, CAST(:day AS date)) AS state, count(*) AS many FROM campaign_call AS k "
        "WHERE tenant_id = :tenant AND campaign_id = ANY(CAST(:ids AS uuid[])) GROUP BY campaign_id, 2",
        ids=list(ids),
        day=day,
    )
    found: dict[UUID, dict[str, int]] = {id: {} for id in ids}
    for row in rows:
        found[row.campaign_id][row.state] = row.many
    return found


async def to_call(tx: "Reader", *, drivers: bool, day: date, after: UUID, most: int) -> list[Row[Any]]:
    """Permits in service on a day, or whoever drives in them, in the order of their ids."""
    return await tx.rows(DRIVING if drivers else SERVING, day=day, after=after, most=most)


async def add_calls(tx: "Transaction", campaign_id: UUID, rows: Sequence[Mapping[str, Any]]) -> None:
    await tx.rows(
        "INSERT INTO campaign_call (tenant_id, campaign_id, permit_id, driver_id, category, last_day, infraction, "
        "deadline_id) SELECT :tenant, :campaign, permit_id, driver_id, category, last_day, infraction, deadline_id "
        "FROM jsonb_to_recordset(CAST(:rows AS jsonb)) AS r (permit_id uuid, driver_id uuid, category text, "
        "last_day date, infraction text, deadline_id uuid)",
        campaign=campaign_id,
        rows=canonical(simple([dict(row) for row in rows])),
    )


async def call(tx: "Reader", id: UUID, day: date, *, lock: bool = False) -> Row[Any]:
    """Raises NotFound, also for another town's."""
    found = await tx.row(f"{CALL} AND k.id = :id" + (" FOR UPDATE OF k" if lock else ""), id=id, day=day)
    if found is None:
        raise NotFound("summons", id)
    return found


async def calls(
    tx: "Reader", campaign_id: UUID, day: date, limit: int, after: UUID | None, state: str | None
) -> list[Row[Any]]:
    later = "AND k.id > :after" if after else ""
    only = "AND state(k, CAST(:day AS date)) = :state" if state else ""
    sql = f"{CALL} AND k.campaign_id = :campaign {later} {only} ORDER BY k.id LIMIT :limit"
    given = ({"after": after} if after else {}) | ({"state": state} if state else {})
    return await tx.rows(sql, campaign=campaign_id, day=day, limit=limit, **given)


async def attend(tx: "Transaction", id: UUID, on: date, act_id: UUID, decision: Mapping[str, Any]) -> None:
    await tx.rows(
        "UPDATE campaign_call SET attended_on = :on, attended_act = :act, decision = CAST(:decision AS jsonb), "
        "version = version + 1 WHERE tenant_id = :tenant AND id = :id",
        id=id,
        on=on,
        act=act_id,
        decision=canonical(decision),
    )


async def miss(tx: "Transaction", deadlines: Sequence[UUID]) -> dict[UUID, Row[Any]]:
    """Those whose day is over have missed it; by deadline."""
    rows = await tx.rows(
        "UPDATE campaign_call SET missed_on = last_day, version = version + 1 "
        "WHERE tenant_id = :tenant AND deadline_id = ANY(CAST(:ids AS uuid[])) "
        "RETURNING id, deadline_id, permit_id, infraction",
        ids=list(deadlines),
    )
    return {row.deadline_id: row for row in rows}


async def close(tx: "Transaction", id: UUID, on: date, act_id: UUID) -> None:
    await tx.rows(
        "UPDATE campaign SET closed_on = :on, closed_act = :act, version = version + 1 "
        "WHERE tenant_id = :tenant AND id = :id",
        id=id,
        on=on,
        act=act_id,
    )
