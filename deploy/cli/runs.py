"""`./praca runs`: what the operator has to look at, in all towns: nights that failed or have not ended."""

import argparse

from deploy.cli.database import on_servers
from services.database import Database
from services.watching import saying, store


def add(parser: argparse.ArgumentParser) -> None:
    """No arguments."""


def run(args: argparse.Namespace) -> int:
    return on_servers(unfinished)


async def unfinished(database: Database) -> int:
    """1 when there is one that failed."""
    async with database.directory() as directory:
        towns = await store.towns_with_unfinished_runs(directory)
    failed = False
    for town in towns:
        async with database.reader(town) as tx:
            for row in await store.unfinished_runs(tx):
                failed = failed or row.error is not None
                what = f"failed: {row.error}: {saying.meaning(row.error)}" if row.error else "runs, or was cut short"
                print(f"{tx.town.slug:<28}{row.day}  {row.kind:<8}{row.attempts} attempt(s)  {what}")
    if not towns:
        print("Every run has ended.")
    return 1 if failed else 0
