"""`./praca bounce FILE`: what a mail server says that it could not deliver, as its mailbox hands it on."""

import argparse
import sys
from pathlib import Path
from uuid import UUID

from deploy.cli.database import OPERATOR, on_servers, text_of, town_called
from services.database import Database
from services.errors import NotFound
from services.municipalities import store
from services.notices.bounces import Bounced, failures, report_bounce

STANDARD_INPUT = Path("-")


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", type=Path, help="the notification with its headers (RFC 3464); - is standard input")
    parser.add_argument("--town", help="the town's slug; without it, the town whose notice it was is looked for")


def run(args: argparse.Namespace) -> int:
    text = sys.stdin.read() if args.file == STANDARD_INPUT else text_of(args.file)
    town, made = on_servers(lambda database: reported(database, text, args.town))
    print(f"{town}: {made.notices} notice(s) came back, {made.tasks} new task(s).")
    return 0


async def reported(database: Database, text: str, slug: str | None) -> tuple[str, Bounced]:
    """Raises SystemExit when no town has such a notice, or nothing says whose it was; Invalid for no notification.

    Two towns may have written to one address: without the message's own name it is nobody's to guess.
    """
    if slug is None and not all(failure.message_id for failure in failures(text)):
        raise SystemExit("The notification does not name its message: say with --town whose notice it was.")
    for name, town in await places(database, slug):
        try:
            async with database.transaction(town) as tx:
                return name, await report_bounce(tx, OPERATOR, message=text)
        except NotFound:
            continue
    raise SystemExit("No town has sent such a notice.")


async def places(database: Database, slug: str | None) -> list[tuple[str, UUID]]:
    if slug is not None:
        return [(slug, await town_called(database, slug))]
    async with database.directory() as directory:
        return [(town.slug, town.id) for town in await store.towns(directory)]
