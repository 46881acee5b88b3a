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
SELECT coalesce(h.person_id, o.person_id) AS holder_person, h.company_id AS holder_company, d.person_id AS driver_person
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
          SELECT FROM occurrence AS o WHERE o.tenant_id = e.tenant_id AND o.client_id = e.client_id
          UNION ALL
          SELECT FROM proceeding_piece AS p WHERE p.tenant_id = e.tenant_id AND p.evidence_id = e.id)))
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


async def lock_record(tx: "Transaction", id: UUID) -> None:
    """The record that it shows, where it has come: nobody takes it to a process meanwhile."""
    await tx.rows(
        "SELECT o.id FROM evidence AS e JOIN occurrence AS o ON o.tenant_id = e.tenant_id "
        "AND o.client_id = e.client_id WHERE e.tenant_id = :tenant AND e.id = :id FOR UPDATE OF o",
        id=id,
    )


async def of_record(tx: "Reader", client_id: str) -> list[Row[Any]]:
    """What shows a record, by the device's name for it, in the order in which it came."""
    return await tx.rows(
        "SELECT id, media_type, size, sha256, received_at FROM evidence "
        "WHERE tenant_id = :tenant AND client_id = :client AND state = 'stored' ORDER BY act_id",
        client=client_id,
    )


# Where it stands in files that are not destroyed: whether anybody may see it there, and which cases they are.
SHOWN_IN = """
SELECT p.proceeding_id, p.restricted, p.content IS NULL AS disposed FROM proceeding_piece AS p
WHERE p.tenant_id = :tenant AND p.evidence_id = :id
"""


async def shown_in(tx: "Reader", id: UUID) -> list[Row[Any]]:
    return await tx.rows(SHOWN_IN, id=id)


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


# Shown in no file any more that stands.
GOES = """
UPDATE evidence AS e SET state = 'dropping', version = e.version + 1
WHERE e.tenant_id = :tenant AND e.state = 'stored'
  AND EXISTS (SELECT FROM proceeding_piece AS p
              WHERE p.tenant_id = e.tenant_id AND p.evidence_id = e.id AND p.proceeding_id = :case)
  AND NOT EXISTS (SELECT FROM proceeding_piece AS p
                  WHERE p.tenant_id = e.tenant_id AND p.evidence_id = e.id AND p.content IS NOT NULL)
RETURNING e.id
"""


async def go_with(tx: "Transaction", case_id: UUID) -> int:
    """The bytes of what a case showed, whose pieces have been destroyed, go too; their row and hash stay. How many."""
    return len(await tx.rows(GOES, case=case_id))


async def orphans(tx: "Transaction", before: datetime, most: int) -> list[UUID]:
    """Those to drop, which no record can have any more."""
    return [row.id for row in await tx.rows(ORPHANS, before=before, most=most)]
