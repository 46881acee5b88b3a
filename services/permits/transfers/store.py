"""The SQL of transfers: what passed on to whom, and whom that bars."""

from datetime import date
from typing import Any
from uuid import UUID

from sqlalchemy import Row

from services.database import Reader, Transaction
from services.errors import NotFound

TRANSFER = """
SELECT t.id, t.from_permit, t.to_permit, t.cause, t.rule, t.requested_on, t.event_on, t.transferred_on, t.remaining,
       t.locked_until, t.barred_until, t.fee_units, t.fee_unit, t.fee_rate, t.fee_brl, t.declared,
       f.number AS from_number, n.number AS to_number
FROM transfer AS t
JOIN permit AS f ON f.tenant_id = t.tenant_id AND f.id = t.from_permit
JOIN permit AS n ON n.tenant_id = t.tenant_id AND n.id = t.to_permit
WHERE t.tenant_id = :tenant
"""


async def of_permit(tx: Reader, permit_id: UUID) -> list[Row[Any]]:
    """How a permit came from another, and how it passed on."""
    return await tx.rows(f"{TRANSFER} AND :permit IN (t.from_permit, t.to_permit) ORDER BY t.id", permit=permit_id)


async def transfer(tx: Reader, id: UUID) -> Row[Any]:
    """Raises NotFound, also for another town's."""
    found = await tx.row(f"{TRANSFER} AND t.id = :id", id=id)
    if found is None:
        raise NotFound("transfer", id)
    return found


async def acquired(tx: Reader, permit_id: UUID) -> Row[Any] | None:
    """How a permit came from another; none where it was granted."""
    return await tx.row(f"{TRANSFER} AND t.to_permit = :permit", permit=permit_id)


BARRED = """
SELECT t.rule, t.transferred_on, t.barred_until
FROM holder AS asked
JOIN holder AS h ON h.tenant_id = asked.tenant_id
  AND (h.person_id = asked.person_id OR h.company_id = asked.company_id)
JOIN permit AS p ON p.tenant_id = h.tenant_id AND p.holder_id = h.id
JOIN transfer AS t ON t.tenant_id = p.tenant_id AND t.from_permit = p.id
WHERE asked.tenant_id = :tenant AND asked.id = :holder AND t.barred_until >= :day
ORDER BY t.barred_until DESC LIMIT 1
"""


async def barring(tx: Reader, holder_id: UUID, day: date) -> Row[Any] | None:
    """What the same person or company passed on, and is therefore barred on a day."""
    return await tx.row(BARRED, holder=holder_id, day=day)


async def put_in_name(tx: Transaction, vehicle_id: UUID, holder_id: UUID) -> None:
    """The vehicle stands in another's name."""
    await tx.rows(
        "UPDATE vehicle SET holder_id = :holder, version = version + 1 WHERE tenant_id = :tenant AND id = :id",
        id=vehicle_id,
        holder=holder_id,
    )


async def stand_of(tx: Reader, permit_id: UUID, day: date) -> str | None:
    """Where a permit waits on a day: the stand's code in the law."""
    found: str | None = await tx.scalar(
        "SELECT stand FROM stand_assignment WHERE tenant_id = :tenant AND permit_id = :permit "
        "AND during @> CAST(:day AS date)",
        permit=permit_id,
        day=day,
    )
    return found
