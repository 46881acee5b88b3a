"""`./praca migrate`: the migrations alone, on the user's servers (PRACA_MIGRATE_URL) or the embedded ones."""

import argparse
import os

from deploy.cli.progress import say
from deploy.cli.servers import given, migrate, servers


def add(parser: argparse.ArgumentParser) -> None:
    """No arguments."""


def run(args: argparse.Namespace) -> int:
    if given() and not os.environ.get("PRACA_MIGRATE_URL"):
        raise SystemExit("Set PRACA_MIGRATE_URL to the database as its owner, praca_owner.")
    with servers():
        migrate()
    say("The database is at the newest migration")
    return 0
