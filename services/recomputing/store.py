"""The SQL of what is counted again: always many rows at once, in the order of their ids."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, Any
from uuid import UUID

from sqlalchemy import Row

from services.acts.body import canonical, simple
from services.errors import NotFound

if TYPE_CHECKING:
    from services.transactions import Reader, Transaction

FIRST = UUID(int=0)
PUBLICATION = "SELECT id, seq, norm, official_on, act_id FROM publication WHERE tenant_id = :tenant"
# A deadline with what its rule may ask of whose it is: the category, and since when the permit is held.
DEADLINES = """
SELECT d.id, d.kind, d.rule, d.subject_kind, d.subject_id, d.opened_on, d.last_day, d.state, d.closed_on, d.article,
       d.inputs - '{rule,readings,message,recounted,told}'::text[] AS inputs,
       CASE jsonb_typeof(d.counted -> 'days')
           WHEN 'object' THEN d.counted -> 'days' ->> 'start' WHEN 'array' THEN d.counted ->> 'start' END AS started,
       coalesce(p.category, c.category, t.category, s.category, m.category) AS category, p.granted_on,
       v.plate, m.granted_on AS serves_since
FROM deadline AS d
LEFT JOIN licence AS l ON d.subject_kind = 'licence' AND l.tenant_id = d.tenant_id AND l.id = d.subject_id
LEFT JOIN fine AS f ON d.subject_kind = 'fine' AND f.tenant_id = d.tenant_id AND f.id = d.subject_id
LEFT JOIN permit AS p ON p.tenant_id = d.tenant_id AND p.id = CASE d.subject_kind
    WHEN 'permit' THEN d.subject_id WHEN 'licence' THEN l.permit_id WHEN 'fine' THEN f.permit_id END
LEFT JOIN proceeding AS c ON d.subject_kind = 'case' AND c.tenant_id = d.tenant_id AND c.id = d.subject_id
LEFT JOIN tariff AS t ON d.subject_kind = 'tariff' AND t.tenant_id = d.tenant_id AND t.id = d.subject_id
LEFT JOIN selection_candidate AS k
    ON d.subject_kind = 'candidate' AND k.tenant_id = d.tenant_id AND k.id = d.subject_id
LEFT JOIN selection_call AS s ON s.tenant_id = d.tenant_id AND s.id = CASE d.subject_kind
    WHEN 'selection' THEN d.subject_id WHEN 'candidate' THEN k.call_id END
LEFT JOIN vehicle AS v ON d.subject_kind = 'vehicle' AND v.tenant_id = d.tenant_id AND v.id = d.subject_id
LEFT JOIN LATERAL (
    SELECT o.category, o.granted_on FROM permit_vehicle AS u
    JOIN permit AS o ON o.tenant_id = u.tenant_id AND o.id = u.permit_id
    WHERE u.tenant_id = d.tenant_id AND u.vehicle_id = v.id ORDER BY u.during DESC LIMIT 1
) AS m ON true
WHERE d.tenant_id = :tenant AND d.id > :after
"""
RUNNING = "AND d.state = 'open' AND d.last_day >= CAST(:today AS date)"
CLOSED = "AND (d.state IN ('expired', 'met') OR (d.state = 'open' AND d.last_day < CAST(:today AS date)))"
# Fees as they were charged; whether anybody paid them the register does not know.
FEES = """
SELECT * FROM (
    SELECT 'licence' AS kind, l.id, l.number AS shown, a.legal_day AS charged_on, p.category, l.fee_units AS units,
           l.fee_unit AS unit, l.fee_rate AS rate, l.fee_brl AS brl
    FROM licence AS l JOIN act AS a ON a.tenant_id = l.tenant_id AND a.id = l.act_id
    JOIN permit AS p ON p.tenant_id = l.tenant_id AND p.id = l.permit_id
    WHERE l.tenant_id = :tenant
    UNION ALL
    SELECT 'transfer', t.id, '', t.transferred_on, p.category, t.fee_units, t.fee_unit, t.fee_rate, t.fee_brl
    FROM transfer AS t JOIN permit AS p ON p.tenant_id = t.tenant_id AND p.id = t.from_permit
    WHERE t.tenant_id = :tenant
) AS fee
WHERE id > :after AND units IS NOT NULL AND rate IS NOT NULL ORDER BY id LIMIT :most
"""
# What their acts drew on, as long as it is kept, and what was said of a transfer.
FACTS_OF_FEES = """
SELECT o.id, jsonb_strip_nulls(
    coalesce(CASE WHEN a.body LIKE '{%' THEN CAST(a.body AS jsonb) #> '{decision,facts}' END, '{}') || o.facts
) AS facts
FROM (
    SELECT tenant_id, id, act_id, CAST('{}' AS jsonb) AS facts FROM licence
    UNION ALL
    SELECT tenant_id, id, act_id, declared || jsonb_build_object(
        'transfer.cause', cause, 'transfer.on', event_on, 'transfer.requested_on', requested_on
    ) FROM transfer
) AS o JOIN act AS a ON a.tenant_id = o.tenant_id AND a.id = o.act_id
WHERE o.tenant_id = :tenant AND o.id = ANY(CAST(:ids AS uuid[]))
"""


async def publication(tx: "Reader", id: UUID) -> Row[Any]:
    """Raises NotFound, also for another town's."""
    found = await tx.row(f"{PUBLICATION} AND id = :id", id=id)
    if found is None:
        raise NotFound("publication", id)
    return found


async def deadlines(tx: "Reader", *, closed: bool, after: UUID, most: int) -> list[Row[Any]]:
    """Deadlines in course on the town's day, or those that are over or were met."""
    sql = f"{DEADLINES} {CLOSED if closed else RUNNING} ORDER BY d.id LIMIT :most"
    return await tx.rows(sql, after=after, most=most, today=tx.today)


LOCK_DEADLINES = "SELECT id FROM deadline WHERE tenant_id = :tenant AND id = ANY(CAST(:ids AS uuid[])) "


async def lock_deadlines(tx: "Transaction", ids: Sequence[UUID]) -> None:
    """Nobody else changes them until the transaction ends: first lock, then read."""
    await tx.rows(f"{LOCK_DEADLINES} ORDER BY id FOR UPDATE", ids=list(ids))


IDS = "SELECT d.id FROM deadline AS d WHERE d.tenant_id = :tenant AND d.id > :after"


async def ids_of_running(tx: "Reader", after: UUID, most: int) -> list[UUID]:
    rows = await tx.rows(f"{IDS} {RUNNING} ORDER BY d.id LIMIT :most", after=after, most=most, today=tx.today)
    return [row.id for row in rows]


async def sizes(tx: "Reader") -> int:
    """How many rows there are to look at, in all."""
    found: int = await tx.scalar(
        "SELECT (SELECT count(*) FROM deadline WHERE tenant_id = :tenant AND state IN ('open', 'expired', 'met')) "
        "+ (SELECT count(*) FROM fine WHERE tenant_id = :tenant) "
        "+ (SELECT count(*) FROM licence WHERE tenant_id = :tenant) "
        "+ (SELECT count(*) FROM transfer WHERE tenant_id = :tenant)"
    )
    return found


@dataclass(frozen=True, slots=True)
class Move:
    """A deadline's new last day, its count and what follows it as JSON (None: as before); the note that it keeps."""

    id: UUID
    last_day: date
    counted: str | None
    follows: str | None
    note: Any


async def move(tx: "Transaction", moves: Sequence[Move]) -> None:
    await tx.rows(
        """
        UPDATE deadline AS d SET last_day = m.last_day, version = d.version + 1,
            counted = coalesce(CAST(m.counted AS jsonb), d.counted),
            follows = coalesce(CAST(m.follows AS jsonb), d.follows),
            inputs = jsonb_set(
                d.inputs, '{recounted}', coalesce(d.inputs -> 'recounted', '[]') || CAST(m.note AS jsonb)
            )
        FROM unnest(
            CAST(:ids AS uuid[]), CAST(:lasts AS date[]), CAST(:counted AS text[]), CAST(:follows AS text[]),
            CAST(:notes AS text[])
        ) AS m (id, last_day, counted, follows, note)
        WHERE d.tenant_id = :tenant AND d.id = m.id AND d.state = 'open'
        """,
        ids=[each.id for each in moves],
        lasts=[each.last_day for each in moves],
        counted=[each.counted for each in moves],
        follows=[each.follows for each in moves],
        notes=[written([each.note]) for each in moves],
    )
    await tx.rows(
        "UPDATE campaign_call AS c SET last_day = m.last_day "
        "FROM unnest(CAST(:ids AS uuid[]), CAST(:lasts AS date[])) AS m (id, last_day) "
        "WHERE c.tenant_id = :tenant AND c.deadline_id = m.id",
        ids=[each.id for each in moves],
        lasts=[each.last_day for each in moves],
    )


def written(value: Any) -> str:
    """As the database keeps it."""
    return canonical(simple(value))


STRETCH = """
WITH moved AS (
    SELECT * FROM unnest(CAST(:ids AS uuid[]), CAST(:olds AS date[]), CAST(:uppers AS date[])) AS m (id, old, upper)
), vehicle AS (
    UPDATE permit_vehicle AS v SET during = daterange(lower(v.during), m.upper), version = v.version + 1
    FROM moved AS m WHERE v.tenant_id = :tenant AND v.permit_id = m.id AND upper(v.during) = m.old
      AND lower(v.during) < m.upper
), stand AS (
    UPDATE stand_assignment AS s SET during = daterange(lower(s.during), m.upper), version = s.version + 1
    FROM moved AS m WHERE s.tenant_id = :tenant AND s.permit_id = m.id AND upper(s.during) = m.old
      AND lower(s.during) < m.upper
), licence AS (
    UPDATE licence AS l SET during = daterange(lower(l.during), m.upper), version = l.version + 1
    FROM moved AS m WHERE l.tenant_id = :tenant AND l.id = m.id AND upper(l.during) = m.old
)
UPDATE permit AS p SET during = daterange(lower(p.during), m.upper), version = p.version + 1
FROM moved AS m WHERE p.tenant_id = :tenant AND p.id = m.id AND upper(p.during) = m.old
"""


async def stretch(tx: "Transaction", moved: Sequence[tuple[UUID, date, date]]) -> None:
    """Permits and licences are valid as long as their terms run: id, first day without it before and now."""
    await tx.rows(
        STRETCH,
        ids=[id for id, _, _ in moved],
        olds=[old for _, old, _ in moved],
        uppers=[upper for _, _, upper in moved],
    )


async def fees(tx: "Reader", *, after: UUID, most: int) -> list[Row[Any]]:
    return await tx.rows(FEES, after=after, most=most)


async def facts_of_fees(tx: "Reader", ids: Sequence[UUID]) -> list[Row[Any]]:
    return await tx.rows(FACTS_OF_FEES, ids=list(ids))


@dataclass(frozen=True, slots=True)
class NewReview:
    subject: tuple[str, UUID]
    finding: str
    before: Any
    after: Any
    decision: Any


async def add_reviews(tx: "Transaction", publication_id: UUID, act_id: UUID, new: Sequence[NewReview]) -> int:
    """Each subject once for a publication; how many are new."""
    made = await tx.rows(
        """
        INSERT INTO recomputation_review (tenant_id, publication_id, subject_kind, subject_id, finding, before, after,
                                          decision, found_on, found_act)
        SELECT :tenant, :publication, kind, id, finding, CAST(before AS jsonb), CAST(after AS jsonb),
               CAST(decision AS jsonb), CAST(:today AS date), :act
        FROM unnest(
            CAST(:kinds AS text[]), CAST(:ids AS uuid[]), CAST(:findings AS text[]), CAST(:befores AS text[]),
            CAST(:afters AS text[]), CAST(:decisions AS text[])
        ) AS r (kind, id, finding, before, after, decision)
        ON CONFLICT (tenant_id, publication_id, subject_kind, subject_id) DO NOTHING
        RETURNING id
        """,
        publication=publication_id,
        act=act_id,
        today=tx.today,
        kinds=[each.subject[0] for each in new],
        ids=[each.subject[1] for each in new],
        findings=[each.finding for each in new],
        befores=[written(each.before) for each in new],
        afters=[written(each.after) for each in new],
        decisions=[written(each.decision) for each in new],
    )
    return len(made)


REVIEWS = """
SELECT r.*, p.norm, p.seq, coalesce(d.kind, f.infraction, l.number, '') AS shown, d.article
FROM recomputation_review AS r
JOIN publication AS p ON p.tenant_id = r.tenant_id AND p.id = r.publication_id
LEFT JOIN deadline AS d ON r.subject_kind = 'deadline' AND d.tenant_id = r.tenant_id AND d.id = r.subject_id
LEFT JOIN fine AS f ON r.subject_kind = 'fine' AND f.tenant_id = r.tenant_id AND f.id = r.subject_id
LEFT JOIN licence AS l ON r.subject_kind = 'licence' AND l.tenant_id = r.tenant_id AND l.id = r.subject_id
WHERE r.tenant_id = :tenant
"""
CONDITIONS = {
    "state": "AND r.state = :state",
    "publication": "AND r.publication_id = :publication",
    "after": "AND r.id > :after",
}


async def reviews(tx: "Reader", limit: int, **only: Any) -> list[Row[Any]]:
    """What is listed, the first found first; ``only`` names conditions."""
    asked = {name: value for name, value in only.items() if value is not None}
    where = " ".join(CONDITIONS[name] for name in CONDITIONS if name in asked)
    return await tx.rows(f"{REVIEWS} {where} ORDER BY r.id LIMIT :limit", limit=limit, **asked)


async def review(tx: "Reader", id: UUID, *, lock: bool = False) -> Row[Any]:
    """Raises NotFound, also for another town's."""
    found = await tx.row(f"{REVIEWS} AND r.id = :id {'FOR UPDATE OF r' if lock else ''}", id=id)
    if found is None:
        raise NotFound("recomputation_review", id)
    return found


async def decide(tx: "Transaction", id: UUID, *, outcome: str, why: str, by: str, act_id: UUID) -> None:
    await tx.rows(
        "UPDATE recomputation_review SET state = 'decided', outcome = :outcome, why = :why, decided_by = :by, "
        "decided_on = CAST(:today AS date), decided_act = :act, version = version + 1 "
        "WHERE tenant_id = :tenant AND id = :id",
        id=id,
        outcome=outcome,
        why=why,
        by=by,
        today=tx.today,
        act=act_id,
    )
