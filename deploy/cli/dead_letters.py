"""`./praca dead-letters`: what failed and waits in every town; `replay` tries it again now."""

import argparse
from typing import Any
from uuid import UUID

from sqlalchemy import Row

from deploy.cli.database import OPERATOR, on_servers
from services.database import Database, Town
from services.dead_letters import again, store
from services.dead_letters.replaying import replay
from services.municipalities import store as municipalities


def add(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", metavar="ACTION")
    actions.add_parser("list", help="what waits to be tried again, or for somebody (by default)")
    replaying = actions.add_parser("replay", help="try one, or all of them, again now")
    which = replaying.add_mutually_exclusive_group(required=True)
    which.add_argument("id", nargs="?", type=UUID, metavar="ID", help="as the list shows it")
    which.add_argument("--all", action="store_true", help="of every town")


def run(args: argparse.Namespace) -> int:
    if args.action == "replay":
        return on_servers(lambda database: replayed(database, args.id))
    return on_servers(listed)


async def listed(database: Database) -> int:
    found = await live(database)
    for town, letter in found:
        print(f"{letter.id}  {letter.state:<8}{town.slug:<24}{about(letter)}")
    if not found:
        print("Nothing has failed, or all of it has succeeded since.")
    return 0


async def replayed(database: Database, id: UUID | None) -> int:
    """Nights and messages are done here and now; notices and jobs by the workers."""
    found = [(town, letter) for town, letter in await live(database) if id in (None, letter.id)]
    if id is not None and not found:
        raise SystemExit(f"Nothing that failed and is not done has the id {id}.")
    for town, letter in found:
        async with database.transaction(town.id) as tx:
            await replay(tx, OPERATOR, dead_letter_id=letter.id)
    for town in {town.id: town for town, _ in found}.values():
        await again.try_again(database, town.id)
    failed = 0
    for town, letter in found:
        async with database.reader(town.id) as tx:
            now = await store.one(tx, letter.id)
        waits = now.state == "waiting" and now.kind in ("notice", "job")
        failed += not (now.state == "closed" or waits)
        print(f"{letter.id}  {'queued' if waits else now.state:<8}{town.slug:<24}{about(now)}")
    return 1 if failed else 0


async def live(database: Database) -> list[tuple[Town, Row[Any]]]:
    async with database.directory() as directory:
        towns = await municipalities.towns(directory)
    found: list[tuple[Town, Row[Any]]] = []
    for each in towns:
        async with database.reader(each.id) as tx:
            found += [(tx.town, letter) for letter in await store.live(tx)]
    return found


def about(letter: Row[Any]) -> str:
    what = letter.day or letter.task or letter.subject_id
    return f"{letter.kind} {what}: {letter.error}, {letter.attempts} attempt(s), last {letter.last_at:%Y-%m-%d %H:%M}Z"
