"""`./praca law check FILE`: what is wrong or doubtful in a law pack, where, and what to do about it."""

import argparse
from pathlib import Path

from deploy.cli.database import refused, show, text_of
from services.municipalities.publishing import check_text
from tenants.law.book import Book, Published
from tenants.law.loader import load


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", type=Path, help="a law pack in TOML")
    parser.add_argument("--against", type=Path, metavar="PACK", help="the pack that the file amends")


def run(args: argparse.Namespace) -> int:
    checked = check_text(text_of(args.file), base=book_of(args.against) if args.against else None)
    if checked.refused:
        raise refused(args.file, checked.problems)
    show(args.file, checked.problems)
    print(f"{args.file} is in order: {len(checked.raws)} items, {len(checked.problems)} warning(s).")
    return 0


def book_of(pack: Path) -> Book:
    """The law of a pack alone, as if published today."""
    return Book.of(Published(1, None, pack.name, raw) for raw in load(text_of(pack)).raws)
