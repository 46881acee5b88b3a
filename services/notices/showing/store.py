"""Notices with whom they are to and every attempt, in SQL."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any
from uuid import UUID

from sqlalchemy import Row

from services.errors import NotFound

if TYPE_CHECKING:
    from services.database import Reader

SHOWN = """
SELECT n.id, n.template, n.subject_kind, n.subject_id, n.state, n.reason, n.address, n.office, n.account_id,
       n.created_at, n.sent_at, n.attempts, n.subject, n.body, n.html, coalesce(p.name, c.name, a.name) AS name
FROM notice AS n
LEFT JOIN person AS p ON p.tenant_id = n.tenant_id AND p.id = n.person_id
LEFT JOIN company AS c ON c.tenant_id = n.tenant_id AND c.id = n.company_id
LEFT JOIN account AS a ON a.tenant_id = n.tenant_id AND a.id = n.account_id
WHERE n.tenant_id = :tenant
"""


async def page(tx: "Reader", limit: int, after: UUID | None) -> list[Row[Any]]:
    """Notices of the town, the newest first; ``after``: the id of the row before."""
    earlier = "AND n.id < :after" if after else ""
    return await tx.rows(
        f"{SHOWN} {earlier} ORDER BY n.id DESC LIMIT :limit", limit=limit, **({"after": after} if after else {})
    )


async def one(tx: "Reader", notice_id: UUID) -> Row[Any]:
    """Raises NotFound."""
    found = await tx.row(f"{SHOWN} AND n.id = :id", id=notice_id)
    if found is None:
        raise NotFound("notice", notice_id)
    return found


async def attempts_of(tx: "Reader", notices: Sequence[UUID]) -> list[Row[Any]]:
    """Every attempt at these notices and what was answered, in order."""
    return await tx.rows(
        "SELECT notice_id, at, outcome, detail FROM notice_attempt "
        "WHERE tenant_id = :tenant AND notice_id = ANY(CAST(:ids AS uuid[])) ORDER BY notice_id, id",
        ids=list(notices),
    )
