"""`./praca reset`: the embedded servers' data are gone; the next run begins anew."""

import argparse
import shutil

from deploy.cli.servers import alone
from deploy.embedded.place import data_folder
from deploy.embedded.postgres import Postgres
from deploy.embedded.valkey import Valkey


def add(parser: argparse.ArgumentParser) -> None:
    """No arguments."""


def run(args: argparse.Namespace) -> int:
    folder = data_folder()
    if not folder.exists():
        print(f"There is nothing in {folder}.")
        return 0
    with alone(folder):
        Postgres(folder / "postgresql").stop_stale()
        Valkey(folder / "valkey").stop_stale()
        shutil.rmtree(folder)
    print(f"{folder} is deleted.")
    return 0
