"""`./praca schema`: the contract that front ends see, written where it is reviewed as code."""

import argparse

from deploy.embedded.place import ROOT

CONTRACT = ROOT / "graphql" / "schema.graphql"


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--check", action="store_true", help="write nothing; fail when the file differs from the code")


def run(args: argparse.Namespace) -> int:
    from api.schema import schema

    exported = schema.as_str() + "\n"
    if not args.check:
        CONTRACT.write_text(exported)
        print(f"{CONTRACT.relative_to(ROOT)} is written.")
        return 0
    if CONTRACT.exists() and CONTRACT.read_text() == exported:
        return 0
    print(f"{CONTRACT.relative_to(ROOT)} differs from the code: ./praca schema writes it.")
    return 1
