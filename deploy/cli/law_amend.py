"""`./praca law amend TOWN FILE`: publish what an act changes in a town's law."""

import argparse
from datetime import date
from pathlib import Path

from deploy.cli.database import OPERATOR, on_servers, refused, text_of, town_called
from services.database import Database
from services.municipalities.publishing import PackInvalid, amend
from services.municipalities.store import Head


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("town", help="the town's slug, such as vila-nova")
    parser.add_argument("file", type=Path, help="only the changed items, in the form of a law pack")
    parser.add_argument("--norm", required=True, help="the act that enacts it, such as 'Lei 4.000/2026'")
    parser.add_argument(
        "--official-on", required=True, type=date.fromisoformat, metavar="DAY", help="its official publication day, ISO"
    )
    parser.add_argument("--why", help="a reason to be kept with the act")


def run(args: argparse.Namespace) -> int:
    text = text_of(args.file)
    head = on_servers(lambda database: published(database, text, args))
    print(f"{args.norm} is publication {head.seq} of {args.town}, official on {args.official_on:%Y-%m-%d}.")
    return 0


async def published(database: Database, text: str, args: argparse.Namespace) -> Head:
    town = await town_called(database, args.town)
    try:
        async with database.transaction(town) as tx:
            return await amend(tx, OPERATOR, text=text, norm=args.norm, official_on=args.official_on, why=args.why)
    except PackInvalid as invalid:
        raise refused(args.file, invalid.problems) from invalid
