"""The enforcement's SQL: fines, and the past that repetition looks at."""

from collections.abc import Sequence
from datetime import date
from typing import Any
from uuid import UUID

from sqlalchemy import Row

from services.database import Reader
from services.errors import NotFound
from tenants.law.questions import Event

EVENTS = """
SELECT f.infraction, f.seen_on, p.category
FROM fine AS f JOIN permit AS p ON p.tenant_id = f.tenant_id AND p.id = f.permit_id
WHERE f.tenant_id = :tenant AND p.holder_id = :holder AND f.seen_on < :day
ORDER BY f.seen_on, f.id
"""


async def events(tx: Reader, holder_id: UUID, day: date) -> tuple[Event, ...]:
    """What a holder was fined for before a day, oldest first."""
    rows = await tx.rows(EVENTS, holder=holder_id, day=day)
    keys = {"holder": str(holder_id)}
    return tuple(Event(r.seen_on, {**keys, "infraction": r.infraction}, penalty="fine") for r in rows)


FINES_OF = """
SELECT f.* FROM unnest(CAST(:ids AS uuid[])) AS asked (id)
CROSS JOIN LATERAL (
    SELECT permit_id, id, number, infraction, seen_on, units, unit, rate, brl
    FROM fine WHERE tenant_id = :tenant AND permit_id = asked.id ORDER BY seen_on DESC, id DESC LIMIT :most
) AS f
"""


async def fines_of(tx: Reader, ids: Sequence[UUID], *, most: int) -> dict[UUID, list[Row[Any]]]:
    """At most so many fines of each permit, the latest first: one statement for all of them."""
    found: dict[UUID, list[Row[Any]]] = {}
    for row in await tx.rows(FINES_OF, ids=list(ids), most=most):
        found.setdefault(row.permit_id, []).append(row)
    return found


async def fine(tx: Reader, id: UUID) -> Row[Any]:
    """Raises NotFound, also for another town's fine."""
    found = await tx.row(
        "SELECT id, permit_id, number, infraction, seen_on, units, unit, rate, brl, decision "
        "FROM fine WHERE tenant_id = :tenant AND id = :id",
        id=id,
    )
    if found is None:
        raise NotFound("fine", id)
    return found
