"""For tests of what takes turns: to go on when the others do wait, instead of after a while."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from services.database import Reader

WAITING = """
SELECT count(DISTINCT pid) FROM pg_locks WHERE NOT granted AND pid IN (
    SELECT pid FROM pg_locks WHERE database = (SELECT oid FROM pg_database WHERE datname = current_database())
)
"""


async def until_waiting(tx: Reader, how_many: int) -> None:
    """Until so many wait for a lock in this database, which must be the test's own. Raises TimeoutError."""
    async with asyncio.timeout(20):
        while await tx.scalar(WAITING) < how_many:  # noqa: ASYNC110 - others bring it about
            await asyncio.sleep(0.01)
