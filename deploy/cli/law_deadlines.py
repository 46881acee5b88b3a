"""`./praca law deadlines FILE`: every kind of deadline that a law sets running, and what each of them lacks."""

import argparse
import sys
from datetime import date
from pathlib import Path

from deploy.cli.law_check import book_of
from services.clock import SystemClock, local_day
from services.inventory import executors, lacking, named
from tenants.law.deadline_kinds import DeadlineKind
from tenants.law.inventory import inventory


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", type=Path, help="a law pack in TOML")
    parser.add_argument("--on", type=date.fromisoformat, metavar="DAY", help="the law of this day; by default of today")


def run(args: argparse.Namespace) -> int:
    book = book_of(args.file)
    law = book.on(args.on or local_day(SystemClock().now(), book.town.zone))
    kinds = inventory(law)
    for each in kinds:
        show(each)
    wrong = list(lacking(kinds))
    for each_wrong in wrong:
        print(f"{args.file}: {each_wrong}", file=sys.stderr)
    print(f"{args.file}: {len(kinds)} kinds of deadline on {law.on}; {len(wrong)} lack something.")
    return 1 if wrong else 0


def show(kind: DeadlineKind) -> None:
    known = executors()
    print(f"{kind.kind}: {kind.title or kind.rule} ({'; '.join(map(str, kind.cite))})")
    print(f"  rule   {kind.rule_kind} {kind.rule}; of {kind.of}; binds the {kind.binds}; {kind.length.said}")
    for missing in kind.length.missing:
        print(f"  missing {missing.kind} {missing.code}: {missing.ask}")
    met = ", ".join(kind.meets) or "nothing"
    print(f"  opens  {', '.join(kind.opens)}; meets  {met}{'; its last day ends it' if kind.ends else ''}")
    for each in kind.follows:
        after = f" {each.after.said} after" if each.after else ""
        whose = f", of {each.office}" if each.office else ""
        by = named(known[each.do]) if each.do in known else "NOTHING"
        print(f"  then  {after} {each.do} {each.draws}{whose}: {by}")
    for told in kind.told:
        print(f"  tells  {told.to}, {' and '.join(lead.said for lead in told.leads)} ahead ({told.template})")
