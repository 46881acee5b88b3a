"""The stands' SQL: who waits where."""

from collections.abc import Sequence
from datetime import date
from uuid import UUID

from services.database import Reader, Transaction

TAKEN = """
SELECT stand, count(*) AS taken FROM stand_assignment
WHERE tenant_id = :tenant AND NOT isempty(during) AND (upper(during) IS NULL OR upper(during) > :day)
GROUP BY stand
"""


async def taken(tx: Reader, day: date) -> dict[str, int]:
    """Slots taken at each stand: by those who are there on the day, and by those who will come."""
    return {row.stand: row.taken for row in await tx.rows(TAKEN, day=day)}


async def lock(tx: Transaction, stand: str) -> None:
    """Whoever takes a slot waits for the others: first lock, then count."""
    await tx.rows(
        "SELECT pg_advisory_xact_lock(hashtextextended('stand ' || :stand || CAST(:tenant AS uuid), 0))", stand=stand
    )


async def leave(tx: Transaction, permit_id: UUID, day: date) -> None:
    """The permit leaves the stand it has: ``day`` is the first without it."""
    await tx.rows(
        "UPDATE stand_assignment SET during = daterange(lower(during), :day), version = version + 1 "
        "WHERE tenant_id = :tenant AND permit_id = :permit AND during @> CAST(:day AS date)",
        permit=permit_id,
        day=day,
    )


async def of_permits(tx: Reader, ids: Sequence[UUID], day: date) -> dict[UUID, str]:
    """The stand of each permit on a day, by its code in the law."""
    rows = await tx.rows(
        "SELECT permit_id, stand FROM stand_assignment "
        "WHERE tenant_id = :tenant AND permit_id = ANY(CAST(:ids AS uuid[])) AND during @> CAST(:day AS date)",
        ids=list(ids),
        day=day,
    )
    return {row.permit_id: row.stand for row in rows}
