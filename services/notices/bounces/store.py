"""The bounces' SQL."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any
from uuid import UUID

from sqlalchemy import Row

if TYPE_CHECKING:
    from services.database import Reader


async def sent_to(tx: "Reader", message_id: str | None, address: str) -> list[Row[Any]]:
    """The notice of that message, whatever address it was sent on to; else the last one that went to the address."""
    of = "message_id = :wanted" if message_id else "lower(btrim(address)) = :wanted"
    return await tx.rows(
        f"""
        SELECT id, address, person_id, company_id FROM notice
        WHERE tenant_id = :tenant AND {of} AND state = 'sent' AND address IS NOT NULL
        ORDER BY id DESC LIMIT 1
        """,  # noqa: S608 - our own condition
        wanted=message_id or address,
    )


async def bounced_before(tx: "Reader", notices: Sequence[UUID]) -> set[tuple[UUID, str]]:
    """Of these, which came back with which status: a notification may come twice."""
    rows = await tx.rows(
        "SELECT notice_id, detail FROM notice_attempt WHERE tenant_id = :tenant AND outcome = 'bounced' "
        "AND notice_id = ANY(CAST(:ids AS uuid[]))",
        ids=list(notices),
    )
    return {(row.notice_id, row.detail) for row in rows}
