"""The rosters' SQL: whom one binds, its shifts, who agrees, who is at work."""

from collections.abc import Collection, Sequence
from datetime import date, datetime
from typing import Any
from uuid import UUID

from sqlalchemy import Row

from services.database import Reader, Transaction
from services.errors import NotFound

CREW = """
SELECT id, number, holder_id FROM permit
WHERE tenant_id = :tenant AND category = ANY(CAST(:categories AS text[])) AND during @> CAST(:day AS date)
ORDER BY number, id
"""
ROSTER = """
SELECT r.id, r.version, r.category, r.first_day AS since, r.last_day, upper(r.during) - 1 AS until, r.exempt,
       r.basis, r.norm, state(r, CAST(:day AS date)) AS state
FROM roster AS r WHERE r.tenant_id = :tenant
"""
SHIFTS = """
SELECT s.id, s.roster_id, s.permit_id, s.version, lower(s.during) AS starts, upper(s.during) AS ends, p.number
FROM roster_shift AS s JOIN permit AS p ON p.tenant_id = s.tenant_id AND p.id = s.permit_id
WHERE s.tenant_id = :tenant AND s.roster_id = ANY(CAST(:ids AS uuid[]))
ORDER BY s.roster_id, lower(s.during), p.number, s.id
"""
MEMBERS = """
SELECT m.roster_id, m.permit_id, m.agrees, p.number, p.holder_id, h.person_id, h.company_id
FROM roster_member AS m
JOIN permit AS p ON p.tenant_id = m.tenant_id AND p.id = m.permit_id
JOIN holder AS h ON h.tenant_id = p.tenant_id AND h.id = p.holder_id
WHERE m.tenant_id = :tenant AND m.roster_id = ANY(CAST(:ids AS uuid[]))
ORDER BY m.roster_id, p.number, m.id
"""
# Whoever is still at work when a roster begins, by the one before it.
CARRIED = """
SELECT p.number, lower(s.during) AS starts, upper(s.during) AS ends
FROM roster AS r
JOIN roster_shift AS s ON s.tenant_id = r.tenant_id AND s.roster_id = r.id
JOIN permit AS p ON p.tenant_id = s.tenant_id AND p.id = s.permit_id
WHERE r.tenant_id = :tenant AND r.category = :category AND r.approved_act IS NOT NULL
  AND lower(s.during) < CAST(:start AS timestamp) AND upper(s.during) > CAST(:start AS timestamp)
  AND r.during @> CAST(lower(s.during) AS date)
ORDER BY p.number
"""
ON_DUTY = """
SELECT p.number, v.plate, a.stand, lower(s.during) AS starts, upper(s.during) AS ends
FROM roster AS r
JOIN roster_shift AS s ON s.tenant_id = r.tenant_id AND s.roster_id = r.id AND s.during @> CAST(:at AS timestamp)
JOIN permit AS p ON p.tenant_id = s.tenant_id AND p.id = s.permit_id AND p.during @> CAST(:day AS date)
LEFT JOIN permit_vehicle AS pv ON pv.tenant_id = p.tenant_id AND pv.permit_id = p.id
  AND pv.during @> CAST(:day AS date)
LEFT JOIN vehicle AS v ON v.tenant_id = pv.tenant_id AND v.id = pv.vehicle_id
LEFT JOIN stand_assignment AS a ON a.tenant_id = p.tenant_id AND a.permit_id = p.id AND a.during @> CAST(:day AS date)
WHERE r.tenant_id = :tenant AND r.category = :category AND r.approved_act IS NOT NULL
  AND r.during @> CAST(lower(s.during) AS date)
ORDER BY p.number
"""


async def crew(tx: Reader, categories: Collection[str], day: date) -> list[Row[Any]]:
    """The permits in force on a day whose vehicles a roster binds, by their numbers."""
    return await tx.rows(CREW, categories=sorted(categories), day=day)


async def roster(tx: Reader, id: UUID, day: date, *, lock: bool = False) -> Row[Any]:
    """Raises NotFound, also for another town's roster."""
    found = await tx.row(f"{ROSTER} AND r.id = :id {'FOR UPDATE' if lock else ''}", id=id, day=day)
    if found is None:
        raise NotFound("roster", id)
    return found


async def page(
    tx: Reader,
    day: date,
    limit: int,
    *,
    category: str | None = None,
    after: UUID | None = None,
    binding: Sequence[UUID] | None = None,
) -> list[Row[Any]]:
    """Rosters with their state on a day, the newest first; ``binding``: only those that bind one of these permits."""
    bound = (
        "AND EXISTS (SELECT FROM roster_member AS m WHERE m.tenant_id = r.tenant_id AND m.roster_id = r.id "
        "AND m.permit_id = ANY(CAST(:binding AS uuid[])))"
    )
    conditions = {
        "category": ("AND r.category = :category", category),
        "after": ("AND r.id < :after", after),
        "binding": (bound, binding),
    }
    asked = {name: value for name, (_, value) in conditions.items() if value is not None}
    where = " ".join(sql for name, (sql, _) in conditions.items() if name in asked)
    return await tx.rows(f"{ROSTER} {where} ORDER BY r.id DESC LIMIT :limit", day=day, limit=limit, **asked)


async def shifts(tx: Reader, rosters: Sequence[UUID]) -> list[Row[Any]]:
    """The shifts of rosters, in order of time."""
    return await tx.rows(SHIFTS, ids=list(rosters))


async def members(tx: Reader, rosters: Sequence[UUID]) -> list[Row[Any]]:
    """Whom rosters bind, and whether they agree."""
    return await tx.rows(MEMBERS, ids=list(rosters))


async def carried(tx: Reader, category: str, start: datetime) -> list[Row[Any]]:
    return await tx.rows(CARRIED, category=category, start=start)


async def on_duty(tx: Reader, category: str, at: datetime) -> list[Row[Any]]:
    """Who is at work at a moment of the town's clock, with plate and stand."""
    return await tx.rows(ON_DUTY, category=category, at=at, day=at.date())


async def add_shifts(
    tx: Transaction, roster_id: UUID, permits: Sequence[UUID], starts: Sequence[datetime], ends: Sequence[datetime]
) -> None:
    await tx.rows(
        """
        INSERT INTO roster_shift (tenant_id, roster_id, permit_id, during)
        SELECT :tenant, :roster, permit, tsrange(starts, ends)
        FROM unnest(CAST(:permits AS uuid[]), CAST(:starts AS timestamp[]), CAST(:ends AS timestamp[]))
             WITH ORDINALITY AS shift (permit, starts, ends, position)
        ORDER BY position
        """,
        roster=roster_id,
        permits=list(permits),
        starts=list(starts),
        ends=list(ends),
    )


async def add_members(tx: Transaction, roster_id: UUID, permits: Sequence[UUID]) -> None:
    await tx.rows(
        "INSERT INTO roster_member (tenant_id, roster_id, permit_id) "
        "SELECT :tenant, :roster, permit FROM unnest(CAST(:permits AS uuid[])) AS permit",
        roster=roster_id,
        permits=list(permits),
    )


async def answer(tx: Transaction, roster_id: UUID, permit_id: UUID, *, agrees: bool, act_id: UUID) -> None:
    await tx.rows(
        "UPDATE roster_member SET agrees = :agrees, answered_act = :act, version = version + 1 "
        "WHERE tenant_id = :tenant AND roster_id = :roster AND permit_id = :permit",
        roster=roster_id,
        permit=permit_id,
        agrees=agrees,
        act=act_id,
    )


async def approve(tx: Transaction, roster_id: UUID, basis: str, norm: str | None, act_id: UUID) -> None:
    await tx.rows(
        "UPDATE roster SET basis = :basis, norm = :norm, approved_act = :act, version = version + 1 "
        "WHERE tenant_id = :tenant AND id = :id",
        id=roster_id,
        basis=basis,
        norm=norm,
        act=act_id,
    )


async def close(tx: Transaction, roster_id: UUID, day: date, act_id: UUID) -> None:
    """``day``: the first one that it no longer governs; a proposal keeps the days for which it was made."""
    await tx.rows(
        "UPDATE roster SET closed_act = :act, version = version + 1, during = CASE WHEN approved_act IS NULL "
        "THEN during ELSE daterange(lower(during), greatest(lower(during), least(upper(during), CAST(:day AS date)))) "
        "END WHERE tenant_id = :tenant AND id = :id",
        id=roster_id,
        day=day,
        act=act_id,
    )


async def touch(tx: Transaction, roster_id: UUID) -> None:
    await tx.rows("UPDATE roster SET version = version + 1 WHERE tenant_id = :tenant AND id = :id", id=roster_id)


SWAP = """
SELECT w.id, w.version, w.shift_id, w.other_shift_id, w.asked_by, w.asked_of, w.agrees, s.roster_id,
       a.number AS asking, b.number AS asked, lower(s.during) AS gives_from, upper(s.during) AS gives_to,
       lower(o.during) AS takes_from, upper(o.during) AS takes_to
FROM roster_swap AS w
JOIN roster_shift AS s ON s.tenant_id = w.tenant_id AND s.id = w.shift_id
JOIN roster_shift AS o ON o.tenant_id = w.tenant_id AND o.id = w.other_shift_id
JOIN permit AS a ON a.tenant_id = w.tenant_id AND a.id = w.asked_by
JOIN permit AS b ON b.tenant_id = w.tenant_id AND b.id = w.asked_of
WHERE w.tenant_id = :tenant
"""
# Of those who ask: the permits of holders that are this person or company.
MINE = """
SELECT p.id FROM permit AS p JOIN holder AS h ON h.tenant_id = p.tenant_id AND h.id = p.holder_id
WHERE p.tenant_id = :tenant AND (h.person_id = :person OR h.company_id = :company)
"""


async def mine(tx: Reader, *, person: UUID | None, company: UUID | None) -> list[UUID]:
    return [row.id for row in await tx.rows(MINE, person=person, company=company)]


async def find_swap(tx: Reader, id: UUID) -> Row[Any] | None:
    return await tx.row(SWAP + " AND w.id = :id", id=id)


async def swap(tx: Reader, id: UUID) -> Row[Any]:
    """Raises NotFound."""
    found = await find_swap(tx, id)
    if found is None:
        raise NotFound("swap", id)
    return found


async def swaps_of(tx: Reader, permits: Sequence[UUID]) -> list[Row[Any]]:
    """Swaps that nobody has answered, asked by or of these permits' holders."""
    ours = "(w.asked_by = ANY(CAST(:ids AS uuid[])) OR w.asked_of = ANY(CAST(:ids AS uuid[])))"
    return await tx.rows(f"{SWAP} AND w.agrees IS NULL AND {ours} ORDER BY w.id", ids=list(permits))


async def shift_pair(tx: Reader, ids: Sequence[UUID]) -> dict[UUID, Row[Any]]:
    rows = await tx.rows(
        "SELECT id, roster_id, permit_id, lower(during) AS starts, upper(during) AS ends FROM roster_shift "
        "WHERE tenant_id = :tenant AND id = ANY(CAST(:ids AS uuid[]))",
        ids=list(ids),
    )
    return {row.id: row for row in rows}


async def exchange(tx: Transaction, one: Row[Any], other: Row[Any]) -> None:
    """The two shifts change hands."""
    await tx.rows(
        "UPDATE roster_shift SET permit_id = CASE id WHEN :one THEN CAST(:others AS uuid) ELSE CAST(:ones AS uuid) "
        "END, version = version + 1 WHERE tenant_id = :tenant AND id IN (:one, :other)",
        one=one.id,
        other=other.id,
        ones=one.permit_id,
        others=other.permit_id,
    )


async def answer_swap(tx: Transaction, id: UUID, *, agrees: bool, act_id: UUID) -> None:
    await tx.rows(
        "UPDATE roster_swap SET agrees = :agrees, answered_act = :act, version = version + 1 "
        "WHERE tenant_id = :tenant AND id = :id",
        id=id,
        agrees=agrees,
        act=act_id,
    )
