"""`./praca night`: what beat starts every quarter of an hour, now and for every town."""

import argparse
from datetime import date

from deploy.cli.database import on_servers
from services.clock import local_day
from services.database import Database
from services.dead_letters.again import night
from services.municipalities import store


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--day", type=date.fromisoformat, metavar="DAY", help="of each town, ISO; today by default")


def run(args: argparse.Namespace) -> int:
    return on_servers(lambda database: of_all_towns(database, args.day))


async def of_all_towns(database: Database, day: date | None) -> int:
    async with database.directory() as directory:
        towns, now = await store.towns(directory), directory.now
    if not towns:
        print("There is no town yet: ./praca onboard FILE brings one.")
        return 0
    early = [town.name for town in towns if day is not None and day > local_day(now, town.zone)]
    if early:
        raise SystemExit(f"{day} has not begun in {', '.join(early)}.")
    outcomes = await night(database, [town.id for town in towns], day)
    for town, outcome in zip(towns, outcomes, strict=True):
        done = f"{outcome.expired} expired, {outcome.reminded} reminded"
        print(f"{town.name:<24}{day or local_day(now, town.zone)}  {outcome.error or done}")
    return 1 if any(outcome.error for outcome in outcomes) else 0
