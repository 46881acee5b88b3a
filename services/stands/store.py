"""The stands' SQL: who waits where."""

from collections.abc import Iterable, Sequence
from datetime import date
from typing import Any
from uuid import UUID

from sqlalchemy import Row

from services.database import Reader, Transaction

TAKEN = """
SELECT stand, count(*) AS taken FROM stand_assignment
WHERE tenant_id = :tenant AND NOT isempty(during) AND (upper(during) IS NULL OR upper(during) > :day)
GROUP BY stand
"""


async def taken(tx: Reader, day: date) -> dict[str, int]:
    """Slots taken at each stand: by those who are there on the day, and by those who will come."""
    return {row.stand: row.taken for row in await tx.rows(TAKEN, day=day)}


TAKEN_OF = """
SELECT s.stand, p.category, count(*) AS taken
FROM stand_assignment AS s JOIN permit AS p ON p.tenant_id = s.tenant_id AND p.id = s.permit_id
WHERE s.tenant_id = :tenant AND NOT isempty(s.during) AND (upper(s.during) IS NULL OR upper(s.during) > :day)
GROUP BY s.stand, p.category
"""


async def taken_of(tx: Reader, day: date) -> dict[str, dict[str, int]]:
    """The same, of the permits of each category."""
    found: dict[str, dict[str, int]] = {}
    for row in await tx.rows(TAKEN_OF, day=day):
        found.setdefault(row.stand, {})[row.category] = row.taken
    return found


async def lock(tx: Transaction, stand: str) -> None:
    """Whoever takes a slot waits for the others: first lock, then read the law and count."""
    await lock_all(tx, [stand])


async def lock_all(tx: Transaction, stands: Iterable[str]) -> None:
    """Several, always in the same order. The law is read anew: meanwhile a stand may have been closed."""
    for stand in sorted(set(stands)):
        await tx.rows(
            "SELECT pg_advisory_xact_lock(hashtextextended('stand ' || :stand || CAST(:tenant AS uuid), 0))",
            stand=stand,
        )
    tx.forget_law()


async def leave(tx: Transaction, permit_id: UUID, day: date) -> None:
    """The permit leaves the stand it has, or was to have later: ``day`` is the first without it."""
    await tx.rows(
        "UPDATE stand_assignment SET during = daterange(lower(during), greatest(lower(during), CAST(:day AS date))), "
        "version = version + 1 WHERE tenant_id = :tenant AND permit_id = :permit "
        "AND NOT isempty(during) AND (upper(during) IS NULL OR upper(during) > :day)",
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


OCCUPANTS = """
SELECT s.permit_id, s.stand, p.number FROM stand_assignment AS s
JOIN permit AS p ON p.tenant_id = s.tenant_id AND p.id = s.permit_id
WHERE s.tenant_id = :tenant AND s.stand = ANY(CAST(:stands AS text[])) AND NOT isempty(s.during)
  AND (upper(s.during) IS NULL OR upper(s.during) > :day)
ORDER BY p.number, s.id
"""


async def occupants(tx: Reader, stands: Sequence[str], day: date) -> list[Row[Any]]:
    """Whoever has a slot at these stands from a day on, by the permits' numbers."""
    return await tx.rows(OCCUPANTS, stands=list(stands), day=day)


WAITING = """
SELECT s.permit_id, s.stand, p.number FROM stand_assignment AS s
JOIN permit AS p ON p.tenant_id = s.tenant_id AND p.id = s.permit_id
WHERE s.tenant_id = :tenant AND s.stand = ANY(CAST(:stands AS text[])) AND s.during @> CAST(:day AS date)
  AND p.during @> CAST(:day AS date)
ORDER BY s.stand, p.number, s.id
"""


async def waiting(tx: Reader, stands: Sequence[str], day: date) -> list[Row[Any]]:
    """Whoever waits at these stands on a day, by the permits' numbers."""
    return await tx.rows(WAITING, stands=list(stands), day=day)
