"""The complaints' SQL."""

from datetime import datetime
from typing import TYPE_CHECKING, Any
from uuid import UUID

from sqlalchemy import Row

from services.errors import Conflict, NotFound

if TYPE_CHECKING:
    from services.database import Reader, Transaction

COMPLAINT = """
SELECT c.id, c.number, c.secret_hash, c.received_at, c.received_on, c.text, c.plate, c.happened_on, c.permit_id,
       c.email, c.decision, c.answer, c.founded, c.answered_on, c.version, p.number AS permit_number,
       d.last_day AS answer_until, d.article, k.number AS case_number
FROM complaint AS c
LEFT JOIN permit AS p ON p.tenant_id = c.tenant_id AND p.id = c.permit_id
LEFT JOIN deadline AS d ON d.tenant_id = c.tenant_id AND d.id = c.deadline_id
LEFT JOIN proceeding AS k ON k.tenant_id = c.tenant_id AND k.source_kind = 'complaint' AND k.source_id = c.id
WHERE c.tenant_id = :tenant
"""
CONDITIONS = {
    "answered": "AND (c.answered_on IS NOT NULL) = :answered",
    "after": "AND c.id < :after",
}


async def received_since(tx: "Reader", moment: datetime) -> int:
    return int(
        await tx.scalar(
            "SELECT count(*) FROM complaint WHERE tenant_id = :tenant AND received_at > :moment", moment=moment
        )
    )


async def complaint(tx: "Reader", id: UUID) -> Row[Any]:
    """Raises NotFound, also for another town's."""
    found = await tx.row(f"{COMPLAINT} AND c.id = :id", id=id)
    if found is None:
        raise NotFound("complaint", id)
    return found


async def by_number(tx: "Reader", number: str) -> Row[Any] | None:
    return await tx.row(f"{COMPLAINT} AND c.number = :number", number=number)


async def lock(tx: "Transaction", id: UUID, version: int | None) -> Row[Any]:
    """Raises NotFound; Conflict when it has changed since the caller saw it."""
    found = await tx.row("SELECT version FROM complaint WHERE tenant_id = :tenant AND id = :id FOR UPDATE", id=id)
    if found is None:
        raise NotFound("complaint", id)
    if version is not None and found.version != version:
        raise Conflict(version, found.version)
    return await complaint(tx, id)


async def answered(tx: "Transaction", id: UUID, answer: str, founded: bool, on: Any, act_id: UUID) -> None:
    await tx.rows(
        "UPDATE complaint SET answer = :answer, founded = :founded, answered_on = :day, answered_act = :act, "
        "version = version + 1 WHERE tenant_id = :tenant AND id = :id",
        id=id,
        answer=answer,
        founded=founded,
        day=on,
        act=act_id,
    )


async def touch(tx: "Transaction", id: UUID) -> None:
    await tx.rows("UPDATE complaint SET version = version + 1 WHERE tenant_id = :tenant AND id = :id", id=id)


async def page(tx: "Reader", limit: int, **only: Any) -> list[Row[Any]]:
    """Complaints, the newest first; ``only`` names conditions."""
    asked = {name: value for name, value in only.items() if value is not None}
    where = " ".join(CONDITIONS[name] for name in CONDITIONS if name in asked)
    return await tx.rows(f"{COMPLAINT} {where} ORDER BY c.id DESC LIMIT :limit", limit=limit, **asked)
