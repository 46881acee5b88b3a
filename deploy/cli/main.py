"""Reads the command line and calls the verb's module: `add(parser)` declares its arguments, `run(args)` does it."""

import argparse
import importlib
from collections.abc import Sequence

from deploy.embedded.program import StartFailed

# Verb and what `./praca --help` says of it; each is a module of this package.
VERBS = {
    "run": "start everything on this machine, show its address and tokens; Ctrl-C stops all of it",
    "test": "run the tests (what follows goes to pytest)",
    "check": "format, lint, types, import contracts, schema drift and house rules",
    "migrate": "bring the database to the newest migration",
    "schema": "export graphql/schema.graphql from the code",
    "onboard": "bring a new town from its law pack",
    "law": "check a law pack, list what it does not answer yet, publish a change of a town's law",
    "night": "record what is over and remind of what is due, now, in every town",
    "bounce": "take in a mail server's notification that it could not deliver a notice",
    "runs": "nights of all towns that failed or have not ended",
    "dead-letters": "what failed and waits, in every town; replay it",
    "token": "a token of the embedded mode, for trying out",
    "reset": "forget the embedded data",
}


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="./praca",
        description="Praça: taxi and school-transport licensing for many municipalities, each under its own law.",
        epilog="./praca VERB --help says more. With PRACA_DATABASE_URL and PRACA_REDIS_URL set, "
        "a verb works on those servers; otherwise on its own, whose data lie in .data.",
    )
    verbs = parser.add_subparsers(dest="verb", metavar="VERB", required=True)
    for verb, purpose in VERBS.items():
        of_verb = verbs.add_parser(verb, help=purpose, description=f"{purpose[0].upper()}{purpose[1:]}.")
        if argv[:1] == [verb]:  # the modules of the other verbs stay unread: a call starts at once
            module = importlib.import_module(f"deploy.cli.{verb.replace('-', '_')}")
            of_verb.set_defaults(run=module.run, passes_on=False)
            module.add(of_verb)
    args, rest = parser.parse_known_args(argv)
    if rest and not args.passes_on:
        parser.error(f"not understood: {' '.join(rest)}")
    args.rest = rest
    try:
        result: int = args.run(args)
    except StartFailed as failure:
        raise SystemExit(str(failure)) from failure
    return result
