"""The sealer: alone in its town, after the fact, so that nobody who acts waits for a chain."""

from typing import TYPE_CHECKING
from uuid import UUID

from services.acts import store
from services.acts.body import digest, seal_body

if TYPE_CHECKING:
    from services.database import Database, Transaction


async def seal(tx: "Transaction", most: int) -> int:
    """Seal the oldest acts that wait, at most so many: how many it were. An act still in flight waits for the next."""
    await store.lock_seals(tx)
    acts = await store.take_unsealed(tx, most)
    if not acts:
        return 0
    last = await store.last_seal(tx)
    seq, previous = (1, None) if last is None else (last.seq + 1, last.hash)
    body = seal_body(tx.tenant_id, seq, tx.now, previous, [(act.id, act.hash) for act in acts])
    await store.add_seal(tx, seq=seq, at=tx.now, body=body, previous=previous, digest=digest(body))
    return len(acts)


async def seal_all(db: "Database", tenant_id: UUID) -> int:
    """Everything that waits in a town, a transaction for each seal."""
    most, total = db.settings.seal_most_acts, 0
    while True:
        async with db.transaction(tenant_id) as tx:
            sealed = await seal(tx, most)
        total += sealed
        if sealed < most:
            return total
