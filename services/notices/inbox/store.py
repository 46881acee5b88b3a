"""The inbox's SQL. A notice that waits is there as long as it holds; one that was sent stays."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any
from uuid import UUID

from sqlalchemy import Row

if TYPE_CHECKING:
    from services.database import Reader, Transaction
    from services.notices.inbox.reading import Inbox

THERE = """
    n.tenant_id = :tenant AND n.account_id IS NULL AND n.state <> 'dropped'
    AND (n.state <> 'queued' OR n.deadline_id IS NULL OR EXISTS (
        SELECT FROM deadline AS d
        WHERE d.tenant_id = n.tenant_id AND d.id = n.deadline_id AND state(d, CAST(:today AS date)) = n.holds_while
    ))
"""
OWNERS = (
    "n.person_id = CAST(:person AS uuid)",
    "n.company_id = CAST(:company AS uuid)",
    "n.office = ANY(CAST(:offices AS text[]))",
)
READ = """
    EXISTS (SELECT FROM notice_reading AS r
            WHERE r.tenant_id = n.tenant_id AND r.notice_id = n.id AND r.reader = :reader)
"""


def _given(tx: "Reader", inbox: "Inbox") -> Mapping[str, Any]:
    return {
        "person": inbox.person_id,
        "company": inbox.company_id,
        "offices": list(inbox.offices),
        "today": tx.today,
    }


async def page(tx: "Reader", inbox: "Inbox", limit: int, after: UUID | None, *, unread_only: bool) -> list[Row[Any]]:
    """The newest first; ``after``: the id of the row before. Each kind of owner is walked by its own index."""
    later = "AND n.id < :after" if after else ""
    unread = f"AND NOT {READ}" if unread_only else ""
    branches = " UNION ALL ".join(
        f"(SELECT n.* FROM notice AS n WHERE {owner} AND {THERE} {later} {unread} ORDER BY n.id DESC LIMIT :limit)"  # noqa: S608 - our own conditions
        for owner in OWNERS
    )
    given = {**_given(tx, inbox), "reader": inbox.reader, "limit": limit, **({"after": after} if after else {})}
    return await tx.rows(
        f"""
        SELECT n.id, n.template, n.subject_kind, n.subject_id, n.deadline_id, n.lead, n.payload, n.office, n.state,
               n.created_at, n.sent_at, n.subject, n.body, n.html, coalesce(p.name, c.name) AS name,
               d.rule, d.kind, d.last_day, d.article, own.read_at,
               coalesce((
                   SELECT jsonb_agg(jsonb_build_object('reader', r.reader, 'at', r.read_at) ORDER BY r.read_at, r.id)
                   FROM notice_reading AS r
                   WHERE r.tenant_id = n.tenant_id AND r.notice_id = n.id AND n.office IS NOT NULL
               ), '[]') AS readings
        FROM ({branches}) AS n
        LEFT JOIN deadline AS d ON d.tenant_id = :tenant AND d.id = n.deadline_id
        LEFT JOIN person AS p ON p.tenant_id = :tenant AND p.id = n.person_id
        LEFT JOIN company AS c ON c.tenant_id = :tenant AND c.id = n.company_id
        LEFT JOIN notice_reading AS own ON own.tenant_id = :tenant AND own.notice_id = n.id AND own.reader = :reader
        ORDER BY n.id DESC LIMIT :limit
        """,  # noqa: S608 - our own conditions
        **given,
    )


async def unread(tx: "Reader", inbox: "Inbox") -> int:
    found: int = await tx.scalar(
        f"SELECT count(*) FROM notice AS n WHERE ({' OR '.join(OWNERS)}) AND {THERE} AND NOT {READ}",  # noqa: S608
        **_given(tx, inbox),
        reader=inbox.reader,
    )
    return found


async def there(tx: "Reader", inbox: "Inbox", ids: Sequence[UUID]) -> set[UUID]:
    """Those of these notices that are in the inbox."""
    rows = await tx.rows(
        f"SELECT n.id FROM notice AS n WHERE n.id = ANY(CAST(:ids AS uuid[])) "  # noqa: S608 - our own conditions
        f"AND ({' OR '.join(OWNERS)}) AND {THERE}",
        **_given(tx, inbox),
        ids=list(ids),
    )
    return {row.id for row in rows}


async def mark(tx: "Transaction", reader: str, ids: Sequence[UUID]) -> int:
    made = await tx.rows(
        """
        INSERT INTO notice_reading (tenant_id, notice_id, reader, read_at)
        SELECT :tenant, id, :reader, :now FROM unnest(CAST(:ids AS uuid[])) AS read (id)
        ON CONFLICT (tenant_id, notice_id, reader) DO NOTHING RETURNING id
        """,
        ids=list(ids),
        reader=reader,
        now=tx.now,
    )
    return len(made)
