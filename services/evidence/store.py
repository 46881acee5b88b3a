"""The evidence's SQL: one by its id, who may see it, and what nobody's record names."""

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any
from uuid import UUID

from sqlalchemy import Row

from services.errors import NotFound

if TYPE_CHECKING:
    from services.database import Reader, Transaction

LOCK = "SELECT pg_advisory_xact_lock(hashtextextended('evidence ' || CAST(:id AS uuid) || CAST(:tenant AS uuid), 0))"
EVIDENCE = """
SELECT id, client_id, media_type, size, sha256, received_at, state, version FROM evidence
WHERE tenant_id = :tenant AND id = :id
"""
# Whom the record of a piece of evidence is about.
ABOUT = """
SELECT h.person_id AS holder_person, h.company_id AS holder_company, d.person_id AS driver_person
FROM evidence AS e
JOIN occurrence AS o ON o.tenant_id = e.tenant_id AND o.client_id = e.client_id
LEFT JOIN holder AS h ON h.tenant_id = o.tenant_id AND h.id = o.holder_id
LEFT JOIN driver AS d ON d.tenant_id = o.tenant_id AND d.id = o.driver_id
WHERE e.tenant_id = :tenant AND e.id = :id
"""
# What came before a moment and belongs to no record, or was left half done.
ORPHANS = """
UPDATE evidence AS e SET state = 'dropping', version = e.version + 1
FROM (
    SELECT id FROM evidence AS e
    WHERE e.tenant_id = :tenant AND e.received_at < :before
      AND (e.state IN ('pending', 'dropping') OR (e.state = 'stored' AND NOT EXISTS (
          SELECT FROM occurrence AS o WHERE o.tenant_id = e.tenant_id AND o.client_id = e.client_id)))
    ORDER BY e.received_at LIMIT :most FOR UPDATE SKIP LOCKED
) AS o
WHERE e.tenant_id = :tenant AND e.id = o.id
RETURNING e.id
"""


async def lock(tx: "Transaction", id: UUID) -> Row[Any] | None:
    """What there is of it; another upload of the same waits."""
    await tx.rows(LOCK, id=id)
    return await tx.row(f"{EVIDENCE} FOR UPDATE", id=id)


async def evidence(tx: "Reader", id: UUID) -> Row[Any]:
    """One that is kept. Raises NotFound, also for another town's."""
    found = await tx.row(f"{EVIDENCE} AND state = 'stored'", id=id)
    if found is None:
        raise NotFound("evidence", id)
    return found


async def about(tx: "Reader", id: UUID) -> Row[Any] | None:
    return await tx.row(ABOUT, id=id)


async def become(tx: "Transaction", ids: Sequence[UUID], state: str) -> None:
    await tx.rows(
        "UPDATE evidence SET state = :state, version = version + 1 "
        "WHERE tenant_id = :tenant AND id = ANY(CAST(:ids AS uuid[]))",
        ids=list(ids),
        state=state,
    )


async def renew(tx: "Transaction", id: UUID, client_id: str, act_id: UUID) -> None:
    """What was dropped is sent again."""
    await tx.rows(
        "UPDATE evidence SET state = 'pending', client_id = :client, received_at = :now, act_id = :act, "
        "version = version + 1 WHERE tenant_id = :tenant AND id = :id",
        id=id,
        client=client_id,
        now=tx.now,
        act=act_id,
    )


async def orphans(tx: "Transaction", before: datetime, most: int) -> list[UUID]:
    """Those to drop, which no record can have any more."""
    return [row.id for row in await tx.rows(ORPHANS, before=before, most=most)]
