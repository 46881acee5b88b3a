"""`./praca law VERB`: reading, checking and changing law. Each verb is a module `law_VERB` of this package."""

import argparse
import importlib

VERBS = {
    "check": "say what is wrong or doubtful in a law pack, where, and what to do",
    "coverage": "list the demands on the system that no rule of a town's pack answers",
    "deadlines": "list every kind of deadline that a law sets running, and what each lacks",
    "amend": "publish what an act changes in a town's law",
}


def add(parser: argparse.ArgumentParser) -> None:
    verbs = parser.add_subparsers(dest="law_verb", metavar="VERB", required=True)
    for verb, purpose in VERBS.items():
        of_verb = verbs.add_parser(verb, help=purpose, description=f"{purpose[0].upper()}{purpose[1:]}.")
        importlib.import_module(f"deploy.cli.law_{verb}").add(of_verb)


def run(args: argparse.Namespace) -> int:
    result: int = importlib.import_module(f"deploy.cli.law_{args.law_verb}").run(args)
    return result
