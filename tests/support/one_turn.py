"""Turns at a town's jobs as a process of its own, which a test can kill: python -m tests.support.one_turn TOWN"""

import asyncio
import sys
from uuid import UUID

from services import jobs
from services.campaigns import opening  # noqa: F401 - it names what its jobs do
from services.clock import clock_of
from services.database import Database
from services.importing import checking, running  # noqa: F401 - they name what their jobs do
from services.recomputing import running as recomputing  # noqa: F401 - so does this
from services.settings import settings


async def main(town: UUID) -> None:
    database = Database(settings(), clock_of(settings()))
    while (await jobs.work(database, town)).more:
        continue
    await database.close()


if __name__ == "__main__":
    asyncio.run(main(UUID(sys.argv[1])))
