"""Files of a register are dropped when they have been kept long enough (descarte): what they say of people goes.

The file's name, hash and counts stay, and of each problem where it was and of which kind; so do the acts.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from uuid import UUID

from services import acts
from services.access import system
from services.database import Database, Transaction
from services.importing import store

DROPPED = "import.dropped"
SAID = "O texto foi descartado com a planilha."


def kept_since(now: datetime, days: int) -> datetime:
    """Whatever came before this moment is dropped."""
    return now - timedelta(days=days)


async def towns_with_old_files(db: Database, tenant_ids: Sequence[UUID]) -> list[UUID]:
    """Of these towns, those that keep a file for too long."""
    async with db.directory() as directory:
        return await store.towns_with_old(
            directory, tenant_ids, kept_since(directory.now, db.settings.import_keep_days)
        )


async def drop_old_files(db: Database, tenant_id: UUID) -> int:
    """How many were dropped, each in a transaction of its own; safe twice, in parallel, and after a crash.

    One that is being checked or imported waits for the next night.
    """
    total = 0
    while True:
        async with db.transaction(tenant_id) as tx:
            found = await store.take_old(tx, kept_since(tx.now, tx.settings.import_keep_days))
            if found is None:
                return total
            await drop(tx, found)
        total += 1


async def drop(tx: Transaction, import_id: UUID) -> None:
    """What a locked file says goes, with the act that says so."""
    act = await acts.record(tx, system(tx.tenant_id), DROPPED, on=("import", import_id))
    await store.empty(tx, import_id, on=tx.today, act_id=act.id, said=SAID)
