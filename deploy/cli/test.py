"""`./praca test`: the suite, or what the arguments choose; `tests/conftest.py` brings the servers."""

import argparse
import os
import sys


def add(parser: argparse.ArgumentParser) -> None:
    parser.set_defaults(passes_on=True)
    parser.epilog = "For example: ./praca test tests/unit -k age -x"


def run(args: argparse.Namespace) -> int:
    workers = [] if "-n" in args.rest else ["-n", "2", "--dist", "worksteal"]
    os.execv(sys.executable, [sys.executable, "-m", "pytest", *workers, *args.rest])  # noqa: S606
    return 1
