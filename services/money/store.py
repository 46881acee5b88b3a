"""The SQL of what is due, was paid, or went to active debt."""

from datetime import date
from decimal import Decimal
from typing import Any
from uuid import UUID

from sqlalchemy import Row

from services.database import Reader, Transaction
from services.errors import NotFound

FINE = """
SELECT f.id, f.permit_id, f.number, f.infraction, f.brl, f.version, p.category,
       coalesce((SELECT sum(y.brl) FROM payment AS y WHERE y.tenant_id = f.tenant_id AND y.fine_id = f.id), 0) AS paid,
       (SELECT d.id FROM active_debt AS d WHERE d.tenant_id = f.tenant_id AND d.fine_id = f.id) AS debt
FROM fine AS f LEFT JOIN permit AS p ON p.tenant_id = f.tenant_id AND p.id = f.permit_id
WHERE f.tenant_id = :tenant AND f.id = :id
"""


async def fine(tx: Reader, id: UUID) -> Row[Any]:
    """What is due of a fine and what was paid. Raises NotFound, also for another town's."""
    found = await tx.row(FINE, id=id)
    if found is None:
        raise NotFound("fine", id)
    return found


async def lock_fine(tx: Transaction, id: UUID) -> Row[Any]:
    """The same; nobody else pays it or sends it on meanwhile: first lock, then count."""
    await tx.rows("SELECT id FROM fine WHERE tenant_id = :tenant AND id = :id FOR UPDATE", id=id)
    return await fine(tx, id)


async def due(tx: Reader, fine_id: UUID) -> list[Row[Any]]:
    """The terms by which it was to be paid, the first first."""
    return await tx.rows(
        "SELECT id, kind, state, last_day, suspended_on, opened_on FROM deadline WHERE tenant_id = :tenant "
        "AND subject_kind = 'fine' AND subject_id = :id ORDER BY id",
        id=fine_id,
    )


async def payments(tx: Reader, fine_id: UUID) -> list[Row[Any]]:
    return await tx.rows("SELECT * FROM payment WHERE tenant_id = :tenant AND fine_id = :id ORDER BY id", id=fine_id)


async def debt(tx: Reader, fine_id: UUID) -> Row[Any] | None:
    return await tx.row("SELECT * FROM active_debt WHERE tenant_id = :tenant AND fine_id = :id", id=fine_id)


async def charge_of(tx: Reader, fine_id: UUID) -> Row[Any] | None:
    """The charge of the case in which the fine is challenged, or was."""
    return await tx.row(
        "SELECT outcome, final_on FROM proceeding_charge WHERE tenant_id = :tenant AND fine_id = :id", id=fine_id
    )


async def reference_taken(tx: Reader, reference: str) -> bool:
    found: Any = await tx.scalar(
        "SELECT 1 FROM payment WHERE tenant_id = :tenant AND reference = :reference", reference=reference
    )
    return found is not None


def left(row: Row[Any]) -> Decimal:
    owed: Decimal = row.brl - row.paid
    return owed


def over(rows: list[Row[Any]], today: date) -> date | None:
    """The last day to pay, where it is past; None: it still runs, stands still, or nothing is due."""
    if not rows or any(row.state in ("open", "suspended") and row.last_day >= today for row in rows):
        return None
    last = rows[-1]
    return last.last_day if last.state == "expired" else None
