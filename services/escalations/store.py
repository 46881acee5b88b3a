"""The SQL of what an authority has left undone."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, Any
from uuid import UUID

from sqlalchemy import Row

if TYPE_CHECKING:
    from services.transactions import Reader, Transaction

CLOSE = """
UPDATE escalation AS e SET closed_on = greatest(CAST(:on AS date), e.since), closed_act = :act, version = e.version + 1,
    closed_as = CASE WHEN e.kind = ANY(CAST(:kinds AS text[])) OR e.rule = ANY(CAST(:kinds AS text[]))
                THEN 'met' ELSE 'passed' END
WHERE e.tenant_id = :tenant AND e.subject_kind = :of AND e.subject_id = :id AND e.closed_on IS NULL
  AND (e.passes OR e.kind = ANY(CAST(:kinds AS text[])) OR e.rule = ANY(CAST(:kinds AS text[])))
"""
CLOSE_ALL = """
UPDATE escalation AS e SET closed_on = greatest(n.day, e.since), closed_as = 'no_more', closed_act = n.act,
    version = e.version + 1
FROM unnest(CAST(:kinds AS text[]), CAST(:ids AS uuid[]), CAST(:days AS date[]), CAST(:acts AS uuid[]))
     AS n (kind, id, day, act)
WHERE e.tenant_id = :tenant AND e.subject_kind = n.kind AND e.subject_id = n.id AND e.closed_on IS NULL
"""
PAGE = """
SELECT e.*, coalesce(e.closed_on, CAST(:today AS date)) - e.due_on AS days_late
FROM escalation AS e WHERE e.tenant_id = :tenant
"""
CONDITIONS = {
    "office": "AND (e.office = :office OR e.office IS NULL)",
    "open": "AND (e.closed_on IS NULL) = :open",
    "id": "AND e.id = :id",
    "after": "AND (e.due_on, e.id) > (CAST(:due AS date), CAST(:after AS uuid))",
}


@dataclass(frozen=True, slots=True)
class New:
    """What came before an office, by which act."""

    deadline_id: UUID
    kind: str
    rule: str
    subject: tuple[str, UUID]
    office: str | None
    level: int
    due_on: date
    since: date
    article: str
    passes: bool
    act_id: UUID


async def add(tx: "Transaction", new: Sequence[New]) -> None:
    """Each level of each deadline once."""
    await tx.rows(
        """
        INSERT INTO escalation (tenant_id, deadline_id, kind, rule, subject_kind, subject_id, office, level, due_on,
                                since, article, passes, act_id)
        SELECT :tenant, deadline, kind, rule, subject_kind, subject, office, level, due, since, article, passes, act
        FROM unnest(
            CAST(:deadlines AS uuid[]), CAST(:kinds AS text[]), CAST(:rules AS text[]), CAST(:of AS text[]),
            CAST(:ids AS uuid[]), CAST(:offices AS text[]), CAST(:levels AS integer[]), CAST(:dues AS date[]),
            CAST(:sinces AS date[]), CAST(:articles AS text[]), CAST(:passes AS boolean[]), CAST(:acts AS uuid[])
        ) AS e (deadline, kind, rule, subject_kind, subject, office, level, due, since, article, passes, act)
        ON CONFLICT (tenant_id, deadline_id, level) DO NOTHING
        """,
        deadlines=[each.deadline_id for each in new],
        kinds=[each.kind for each in new],
        rules=[each.rule for each in new],
        of=[each.subject[0] for each in new],
        ids=[each.subject[1] for each in new],
        offices=[each.office for each in new],
        levels=[each.level for each in new],
        dues=[each.due_on for each in new],
        sinces=[each.since for each in new],
        articles=[each.article for each in new],
        passes=[each.passes for each in new],
        acts=[each.act_id for each in new],
    )


async def close(tx: "Transaction", subject: tuple[str, UUID], kinds: Sequence[str], on: date, act_id: UUID) -> None:
    """The duty is done, late; what the matter has gone on without is over with it."""
    await tx.rows(CLOSE, of=subject[0], id=subject[1], kinds=list(kinds), on=on, act=act_id)


async def close_all(tx: "Transaction", over: Sequence[tuple[tuple[str, UUID], date, UUID]]) -> None:
    """Of these subjects nothing is demanded any more, from a day on, by an act."""
    await tx.rows(
        CLOSE_ALL,
        kinds=[kind for (kind, _), _, _ in over],
        ids=[id for (_, id), _, _ in over],
        days=[day for _, day, _ in over],
        acts=[act for _, _, act in over],
    )


async def page(tx: "Reader", limit: int, *, after: tuple[date, UUID] | None = None, **only: Any) -> list[Row[Any]]:
    """What waits for an office, or waited; the earliest last day first. ``only``: `office`, `open`, `id`."""
    asked = {name: value for name, value in only.items() if value is not None}
    if after is not None:
        asked |= {"due": after[0], "after": after[1]}
    where = " ".join(CONDITIONS[name] for name in CONDITIONS if name in asked)
    return await tx.rows(f"{PAGE} {where} ORDER BY e.due_on, e.id LIMIT :limit", today=tx.today, limit=limit, **asked)
