"""The SQL of what is due, was paid, or went to active debt."""

from datetime import date
from decimal import Decimal
from typing import Any
from uuid import UUID

from sqlalchemy import Row

from services.database import Reader, Transaction
from services.errors import NotFound

FINE = """
SELECT f.id, f.permit_id, f.number, f.infraction, f.seen_on, f.brl, f.version, p.category,
       coalesce((SELECT sum(y.brl) FROM payment AS y WHERE y.tenant_id = f.tenant_id AND y.fine_id = f.id), 0) AS paid,
       (SELECT d.id FROM active_debt AS d WHERE d.tenant_id = f.tenant_id AND d.fine_id = f.id
        AND d.cancelled_on IS NULL) AS debt
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
        "SELECT id, kind, state, last_day, suspended_on, opened_on, article FROM deadline WHERE tenant_id = :tenant "
        "AND subject_kind = 'fine' AND subject_id = :id ORDER BY id",
        id=fine_id,
    )


async def payments(tx: Reader, fine_id: UUID) -> list[Row[Any]]:
    return await tx.rows("SELECT * FROM payment WHERE tenant_id = :tenant AND fine_id = :id ORDER BY id", id=fine_id)


async def payment(tx: Reader, id: UUID) -> Row[Any]:
    """Raises NotFound, also for another town's."""
    found = await tx.row("SELECT * FROM payment WHERE tenant_id = :tenant AND id = :id", id=id)
    if found is None:
        raise NotFound("payment", id)
    return found


async def debt_by(tx: Reader, id: UUID) -> Row[Any]:
    """One entry by its id. Raises NotFound, also for another town's."""
    found = await tx.row("SELECT * FROM active_debt WHERE tenant_id = :tenant AND id = :id", id=id)
    if found is None:
        raise NotFound("active_debt", id)
    return found


async def debt(tx: Reader, fine_id: UUID) -> Row[Any] | None:
    """The entry that stands; else the last one that fell."""
    return await tx.row(
        "SELECT * FROM active_debt WHERE tenant_id = :tenant AND fine_id = :id "
        "ORDER BY cancelled_on IS NULL DESC, id DESC LIMIT 1",
        id=fine_id,
    )


async def cancel_debt(tx: Transaction, id: UUID, on: date, act_id: UUID) -> None:
    await tx.rows(
        "UPDATE active_debt SET cancelled_on = :on, cancelled_act = :act WHERE tenant_id = :tenant AND id = :id",
        id=id,
        on=on,
        act=act_id,
    )


async def charge_of(tx: Reader, fine_id: UUID) -> Row[Any] | None:
    """The charge of the case in which the fine is challenged, or was; and its case's number."""
    return await tx.row(
        "SELECT g.outcome, g.final_on, c.number FROM proceeding_charge AS g "
        "JOIN proceeding AS c ON c.tenant_id = g.tenant_id AND c.id = g.proceeding_id "
        "WHERE g.tenant_id = :tenant AND g.fine_id = :id",
        id=fine_id,
    )


async def case_of(tx: Reader, fine_id: UUID) -> UUID | None:
    found: UUID | None = await tx.scalar(
        "SELECT proceeding_id FROM proceeding_charge WHERE tenant_id = :tenant AND fine_id = :id", id=fine_id
    )
    return found


async def defence_of(tx: Reader, fine_id: UUID) -> Row[Any] | None:
    """Until when a fine that no case is about may be defended; none: the law gives no defence, or nobody was told."""
    return await tx.row(
        "SELECT d.last_day, d.state, p.final_on, p.notified_on FROM penalty AS p "
        "LEFT JOIN deadline AS d ON d.tenant_id = p.tenant_id AND d.id = p.defence_id "
        "WHERE p.tenant_id = :tenant AND p.fine_id = :id",
        id=fine_id,
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
