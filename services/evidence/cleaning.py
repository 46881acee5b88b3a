"""Photographs of records that never came are removed (limpeza de provas sem registro)."""

from datetime import timedelta
from uuid import UUID

from services.database import Database
from services.evidence import store
from services.evidence.keeping import DROPPED, key_of
from services.evidence.storage import Storage


async def drop_orphans(db: Database, storage: Storage, tenant_id: UUID) -> int:
    """How many were removed; safe twice, in parallel, and after a crash.

    They are marked first, so that no upload revives one while it goes.
    """
    total = 0
    while True:
        async with db.transaction(tenant_id) as tx:
            before = tx.now - timedelta(hours=tx.settings.evidence_orphan_hours)
            found = await store.orphans(tx, before, tx.settings.evidence_batch)
        if not found:
            return total
        for id in found:
            await storage.delete(key_of(tenant_id, id))
        async with db.transaction(tenant_id) as tx:
            await store.become(tx, found, DROPPED)
        total += len(found)
