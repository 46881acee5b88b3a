"""The sealer: alone in its town, after the fact, so that nobody who acts waits for a chain."""

from collections.abc import Sequence
from typing import TYPE_CHECKING
from uuid import UUID

import structlog

from services.acts import store

if TYPE_CHECKING:
    from services.database import Database, Transaction

log = structlog.get_logger(__name__)


async def seal(tx: "Transaction", most: int) -> int:
    """Seal the oldest acts that wait, at most so many: how many it were. An act still in flight waits for the next."""
    return await store.set_seal(tx, most)


async def seal_all(db: "Database", tenant_id: UUID) -> int:
    """Everything that waits in a town, a transaction for each seal."""
    most, total = db.settings.seal_most_acts, 0
    while True:
        async with db.transaction(tenant_id) as tx:
            sealed = await seal(tx, most)
        total += sealed
        if sealed < most:
            return total


async def seal_many(db: "Database", tenant_ids: Sequence[UUID]) -> list[UUID]:
    """A seal in each of these towns, in one transaction: in which of them everything that waited is sealed now.

    The others failed, have more than one seal holds, or are in the hands of somebody else.
    """
    try:
        async with db.directory() as directory:
            rows = await store.set_seals(directory, tenant_ids, db.settings)
    except Exception:
        log.exception("seals of many towns failed", count=len(tenant_ids))
        return []
    for row in rows:
        if row.error:
            log.warning("seals of many towns left one", tenant=str(row.town), code=row.error)
    return [row.town for row in rows if row.sealed is not None and row.sealed < db.settings.seal_most_acts]
