"""What tests of dead letters look at and set."""

from uuid import UUID

import asyncpg

from services.database import Database
from services.dead_letters import store

POISON = "an unheard-of kind"


async def letters(database: Database, town: UUID) -> list[tuple[str, str, str, int]]:
    """Of each: kind, state, error, attempts; the oldest first."""
    async with database.reader(town) as tx:
        rows = await store.page(tx, 100, None, None)
    return [(row.kind, row.state, row.error, row.attempts) for row in reversed(rows)]


async def end_pauses(database: Database, town: UUID) -> None:
    """As if every pause were over."""
    async with database.transaction(town) as tx:
        await tx.rows(
            "UPDATE dead_letter SET again_at = clock_timestamp() - interval '1 second' WHERE state = 'waiting'"
        )


async def pause_of(database: Database, town: UUID) -> float:
    """Seconds until the only letter that waits is tried again."""
    async with database.reader(town) as tx:
        row = await tx.one(
            "SELECT extract(epoch FROM again_at - clock_timestamp()) AS left FROM dead_letter WHERE state = 'waiting'"
        )
    return float(row.left)


async def poison(database: Database, town: UUID) -> None:
    """From now on nobody can read its law: the newest publication has an item of a kind that nothing knows."""
    async with database.transaction(town) as tx:
        publication = await tx.scalar(
            "INSERT INTO publication (tenant_id, seq, recorded_at, norm, cause, act_id) "
            "SELECT :tenant, max(seq) + 1, :now, 'Lei 2/2000', 'amended', (SELECT min(id::text)::uuid FROM act) "
            "FROM publication RETURNING id",
            now=tx.now,
        )
        await tx.rows(
            "INSERT INTO law_item (tenant_id, publication_id, position, kind, code, payload) "
            "VALUES (:tenant, CAST(:publication AS uuid), 0, :kind, 'x', '{}')",
            publication=publication,
            kind=POISON,
        )


async def cure(superuser: asyncpg.Connection) -> None:
    """What nobody but the database's owner can do: the publication has never been."""
    await superuser.execute("DELETE FROM law_item WHERE kind = $1", POISON)
    await superuser.execute("DELETE FROM publication WHERE seq = 2")
