"""`./praca onboard FILE`: a new town from its law pack alone."""

import argparse
from pathlib import Path

from deploy.cli.database import OPERATOR, on_servers, refused, show, text_of
from services.database import Database, Town
from services.errors import Conflict, Invalid
from services.municipalities.publishing import check_text, onboard


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", type=Path, help="the town's law pack, in TOML")
    parser.add_argument(
        "--fictitious",
        action="store_true",
        help="for trying out: sample values are taken; for good, it cannot be undone",
    )


def run(args: argparse.Namespace) -> int:
    text = text_of(args.file)
    checked = check_text(text)  # before any server starts
    if checked.refused:
        raise refused(args.file, checked.problems)
    show(args.file, checked.problems)
    town = on_servers(lambda database: brought(database, text, args))
    print(f"{town.name}/{town.uf} is onboarded as {town.slug!r}, with {len(checked.raws)} items of law.")
    return 0


async def brought(database: Database, text: str, args: argparse.Namespace) -> Town:
    try:
        return await onboard(database, OPERATOR, text=text, fictitious=args.fictitious)
    except Conflict as conflict:
        raise SystemExit(
            "The town, its IBGE code or one of its hosts is there already. "
            f"A change of its law is an amendment: ./praca law amend TOWN FILE. ({conflict})"
        ) from conflict
    except Invalid as invalid:
        if invalid.problem != "sample":
            raise
        raise SystemExit(f"The pack has sample values, which only --fictitious admits. ({invalid})") from invalid
