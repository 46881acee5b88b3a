"""The SQL of how permits end or rest: what is proposed, suspensions, absences, and the end itself."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, Any
from uuid import UUID

from sqlalchemy import Row

from services.errors import NotFound

if TYPE_CHECKING:
    from services.database import Reader, Transaction

# What a permit has is cut at its end; what was to begin later never does, and its range is empty.
END = """
WITH ending AS (
    SELECT * FROM unnest(
        CAST(:ids AS uuid[]), CAST(:days AS date[]), CAST(:causes AS text[]), CAST(:acts AS uuid[])
    ) AS e (permit_id, day, cause, act)
), vehicle AS (
    UPDATE permit_vehicle AS r SET during = r.during * daterange(NULL, e.day), version = r.version + 1 FROM ending AS e
    WHERE r.tenant_id = :tenant AND r.permit_id = e.permit_id AND NOT r.during <@ daterange(NULL, e.day)
), stand AS (
    UPDATE stand_assignment AS r SET during = r.during * daterange(NULL, e.day), version = r.version + 1
    FROM ending AS e
    WHERE r.tenant_id = :tenant AND r.permit_id = e.permit_id AND NOT r.during <@ daterange(NULL, e.day)
), licence AS (
    UPDATE licence AS r SET during = r.during * daterange(NULL, e.day), version = r.version + 1 FROM ending AS e
    WHERE r.tenant_id = :tenant AND r.permit_id = e.permit_id AND NOT r.during <@ daterange(NULL, e.day)
), substitute AS (
    UPDATE substitute AS r SET during = r.during * daterange(NULL, e.day), ended_act = e.act, version = r.version + 1
    FROM ending AS e
    WHERE r.tenant_id = :tenant AND r.permit_id = e.permit_id AND NOT r.during <@ daterange(NULL, e.day)
), suspension AS (
    UPDATE suspension AS r SET during = r.during * daterange(NULL, e.day), lifted_act = e.act, version = r.version + 1
    FROM ending AS e
    WHERE r.tenant_id = :tenant AND r.permit_id = e.permit_id AND NOT r.during <@ daterange(NULL, e.day)
), absence AS (
    UPDATE absence AS r SET during = r.during * daterange(NULL, e.day), version = r.version + 1 FROM ending AS e
    WHERE r.tenant_id = :tenant AND r.permit_id = e.permit_id AND NOT r.during <@ daterange(NULL, e.day)
), proposal AS (
    UPDATE proposal AS r SET state = 'dismissed', closed_on = e.day, closed_act = e.act, version = r.version + 1
    FROM ending AS e
    WHERE r.tenant_id = :tenant AND r.permit_id = e.permit_id AND r.state = 'open'
)
UPDATE permit AS p SET during = p.during * daterange(NULL, e.day), ended_on = e.day, ended_cause = e.cause,
                       ended_act = e.act, version = p.version + 1
FROM ending AS e WHERE p.tenant_id = :tenant AND p.id = e.permit_id AND p.ended_on IS NULL
RETURNING p.id
"""


@dataclass(frozen=True, slots=True)
class End:
    """That a permit ends: ``day`` is the first without it; ``cause`` None: its mere term is over."""

    permit_id: UUID
    day: date
    cause: str | None
    act_id: UUID


async def end(tx: "Transaction", ends: Sequence[End]) -> set[UUID]:
    """The permits end, and what serves them; those that had not ended before."""
    rows = await tx.rows(
        END,
        ids=[each.permit_id for each in ends],
        days=[each.day for each in ends],
        causes=[each.cause for each in ends],
        acts=[each.act_id for each in ends],
    )
    return {row.id for row in rows}


async def not_ended(tx: "Reader", ids: Sequence[UUID]) -> set[UUID]:
    """Those of these permits of which no end is recorded."""
    rows = await tx.rows(
        "SELECT id FROM permit WHERE tenant_id = :tenant AND id = ANY(CAST(:ids AS uuid[])) AND ended_on IS NULL",
        ids=list(ids),
    )
    return {row.id for row in rows}


SUBJECTS_OF = """
SELECT 'permit' AS kind, id, id AS permit_id
FROM permit WHERE tenant_id = :tenant AND id = ANY(CAST(:ids AS uuid[]))
UNION ALL
SELECT 'licence', id, permit_id FROM licence WHERE tenant_id = :tenant AND permit_id = ANY(CAST(:ids AS uuid[]))
UNION ALL
SELECT 'substitute', id, permit_id FROM substitute WHERE tenant_id = :tenant AND permit_id = ANY(CAST(:ids AS uuid[]))
"""


async def subjects_of(tx: "Reader", ids: Sequence[UUID]) -> list[Row[Any]]:
    """Whatever of these permits may have deadlines of its own; not what has been fined, which stays due."""
    return await tx.rows(SUBJECTS_OF, ids=list(ids))


PROPOSAL = """
SELECT id, permit_id, effect, cause, ground, proposed_on, office, decision, state, closed_on, version
FROM proposal WHERE tenant_id = :tenant
"""


async def proposal(tx: "Reader", id: UUID, *, lock: bool = False) -> Row[Any]:
    """Raises NotFound, also for another town's."""
    found = await tx.row(f"{PROPOSAL} AND id = :id" + (" FOR UPDATE" if lock else ""), id=id)
    if found is None:
        raise NotFound("proposal", id)
    return found


async def proposals_of(tx: "Reader", permit_id: UUID) -> list[Row[Any]]:
    """What has been proposed for a permit, the first first."""
    return await tx.rows(f"{PROPOSAL} AND permit_id = :permit ORDER BY id", permit=permit_id)


async def close_proposal(tx: "Transaction", id: UUID, state: str, on: date, act_id: UUID) -> None:
    """``applied`` or ``dismissed``; the ending of its permit may have closed it already."""
    await tx.rows(
        "UPDATE proposal SET state = :state, closed_on = :on, closed_act = :act, version = version + 1 "
        "WHERE tenant_id = :tenant AND id = :id AND state = 'open'",
        id=id,
        state=state,
        on=on,
        act=act_id,
    )


SUSPENSION = """
SELECT s.id, s.permit_id, s.proposal_id, s.during, lower(s.during) AS since, upper(s.during) - 1 AS until, s.version,
       state(s, CAST(:day AS date)) AS state
FROM suspension AS s WHERE s.tenant_id = :tenant
"""


async def suspension(tx: "Reader", id: UUID, day: date, *, lock: bool = False) -> Row[Any]:
    """Raises NotFound, also for another town's."""
    found = await tx.row(f"{SUSPENSION} AND s.id = :id" + (" FOR UPDATE" if lock else ""), id=id, day=day)
    if found is None:
        raise NotFound("suspension", id)
    return found


async def suspensions_of(tx: "Reader", permit_id: UUID, day: date) -> list[Row[Any]]:
    return await tx.rows(f"{SUSPENSION} AND s.permit_id = :permit ORDER BY s.id", permit=permit_id, day=day)


async def lift(tx: "Transaction", id: UUID, on: date, act_id: UUID) -> None:
    """The suspension ends early: ``on`` is the first day without it."""
    await tx.rows(
        "UPDATE suspension SET during = during * daterange(NULL, :on), lifted_act = :act, version = version + 1 "
        "WHERE tenant_id = :tenant AND id = :id",
        id=id,
        on=on,
        act=act_id,
    )


ABSENCE = """
SELECT id, permit_id, during, lower(during) AS since, upper(during) - 1 AS until, justified
FROM absence WHERE tenant_id = :tenant
"""


async def absence(tx: "Reader", id: UUID) -> Row[Any]:
    """Raises NotFound, also for another town's."""
    found = await tx.row(f"{ABSENCE} AND id = :id", id=id)
    if found is None:
        raise NotFound("absence", id)
    return found


async def absences_of(tx: "Reader", permit_id: UUID) -> list[Row[Any]]:
    return await tx.rows(f"{ABSENCE} AND permit_id = :permit ORDER BY id", permit=permit_id)


async def absence_on(tx: "Reader", permit_id: UUID, day: date) -> Row[Any] | None:
    """The absence that runs on a day."""
    running = f"{ABSENCE} AND permit_id = :permit AND during @> CAST(:day AS date)"
    return await tx.row(running, permit=permit_id, day=day)


async def justify(tx: "Transaction", id: UUID) -> None:
    """The absence has a just cause."""
    await tx.rows(
        "UPDATE absence SET justified = true, version = version + 1 WHERE tenant_id = :tenant AND id = :id", id=id
    )


async def come_back(tx: "Transaction", id: UUID, day: date) -> None:
    """``day`` is the first in service again."""
    await tx.rows(
        "UPDATE absence SET during = during * daterange(NULL, :day), version = version + 1 "
        "WHERE tenant_id = :tenant AND id = :id",
        id=id,
        day=day,
    )


# Of each permit on a day: what facts of the vocabulary say of its life so far, over the permits that it came from.
LIVES = """
WITH RECURSIVE chain AS (
    SELECT p.id AS permit_id, p.id AS link, CAST(NULL AS text) AS remaining
    FROM permit AS p WHERE p.tenant_id = :tenant AND p.id = ANY(CAST(:ids AS uuid[]))
    UNION ALL
    SELECT c.permit_id, t.from_permit, coalesce(nullif(c.remaining, 'rest'), t.remaining)
    FROM chain AS c JOIN transfer AS t ON t.tenant_id = :tenant AND t.to_permit = c.link
)
SELECT p.id, upper(p.during) - 1 AS until, p.granted_on,
       EXISTS (SELECT FROM suspension AS s WHERE s.tenant_id = :tenant AND s.permit_id = p.id
               AND s.during @> CAST(:day AS date)) AS suspended,
       (SELECT count(*) - 1 FROM chain AS c WHERE c.permit_id = p.id) AS transfers,
       (SELECT count(*) FROM chain AS c JOIN extension AS e ON e.tenant_id = :tenant AND e.permit_id = c.link
        WHERE c.permit_id = p.id AND c.remaining IS DISTINCT FROM 'new') AS renewals
FROM permit AS p WHERE p.tenant_id = :tenant AND p.id = ANY(CAST(:ids AS uuid[]))
"""


async def lives(tx: "Reader", ids: Sequence[UUID], day: date) -> Mapping[UUID, Row[Any]]:
    """Last day, whether suspended, how often passed on and how often prolonged: one statement for all of them."""
    return {row.id: row for row in await tx.rows(LIVES, ids=list(ids), day=day)}
