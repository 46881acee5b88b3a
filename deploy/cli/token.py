"""`./praca token SUBJECT`: a token of the embedded mode's own issuer, for trying out."""

import argparse
import os

from deploy.cli.programs import local_environment
from deploy.cli.servers import given, running_beside
from deploy.embedded.place import make_data_folder


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("subject", help="whom the token means, as the town's register knows them")
    parser.add_argument("--town", metavar="SLUG", help="the town in which it counts")
    parser.add_argument("--operator", action="store_true", help="the platform's operator")


def run(args: argparse.Namespace) -> int:
    from services.clock import clock_of
    from services.settings import Settings
    from services.tokens import Issuer

    folder = make_data_folder()
    if running := running_beside(folder):
        os.environ.update(running["environment"])
    elif given() and os.environ.get("PRACA_EMBEDDED", "1") == "1":
        os.environ.update(local_environment(folder))
    elif given():
        raise SystemExit("Only the embedded mode issues tokens; elsewhere they come from the issuer of PRACA_ISSUER.")
    else:
        raise SystemExit("Nothing runs here that a token would open: ./praca run first.")
    settings = Settings()
    if not settings.embedded or settings.keys_dir is None:
        raise SystemExit("Only the embedded mode issues tokens; elsewhere they come from the issuer of PRACA_ISSUER.")
    issuer = Issuer(settings.keys_dir)
    print(issuer.token(settings, clock_of(settings), subject=args.subject, town=args.town, operator=args.operator))
    return 0
