"""A night of some towns as a process of its own, which a test can kill: python -m tests.support.one_night TOWN…"""

import asyncio
import sys
from uuid import UUID

from services.clock import clock_of
from services.database import Database
from services.nights import night
from services.settings import settings


async def main(towns: list[UUID]) -> None:
    database = Database(settings(), clock_of(settings()))
    await night(database, towns)
    await database.close()


if __name__ == "__main__":
    asyncio.run(main([UUID(town) for town in sys.argv[1:]]))
