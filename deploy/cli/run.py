"""`./praca run`: servers, migrations, API, worker, beat and mail, kept running until Ctrl-C."""

import argparse
import os
import signal
import socket
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from types import FrameType

from deploy.cli.programs import api, beat, importer, local_environment, mail, worker
from deploy.cli.progress import say
from deploy.cli.servers import alone, announced, given, migrate, start_embedded
from deploy.embedded.place import make_data_folder
from deploy.embedded.program import free_port
from deploy.embedded.supervisor import Supervisor

USUAL_PORT = 8000
READY_SECONDS = 90
WATCH_SECONDS = 0.2
STOPPING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Stopped(Exception):
    """Somebody asked for the end: Ctrl-C, SIGTERM, a closed terminal."""


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--port", type=int, help=f"of the API; {USUAL_PORT}, or another where that is taken")
    parser.add_argument(
        "--clock",
        type=instant,
        metavar="ISO",
        help="let it be this instant: 2027-01-01T12:00-04:00 (only for trying out)",
    )


def instant(text: str) -> datetime:
    moment = datetime.fromisoformat(text)
    if moment.tzinfo is None:
        raise argparse.ArgumentTypeError("an instant needs its offset, as in 2027-01-01T12:00-04:00")
    return moment


def run(args: argparse.Namespace) -> int:
    if given() and args.clock:
        raise SystemExit("--clock is for the embedded servers only.")
    for asked in STOPPING:
        signal.signal(asked, stop)
    try:
        with alone(make_data_folder()) as (folder, lock), stopping(Supervisor(say)) as supervisor:
            serve(supervisor, folder, lock, args)
    except Stopped:
        pass
    return 0


@contextmanager
def stopping(supervisor: Supervisor) -> Iterator[Supervisor]:
    try:
        yield supervisor
    finally:
        for asked in STOPPING:
            signal.signal(asked, signal.SIG_IGN)
        say("Stopping …")
        supervisor.stop()
        say("Everything is stopped; the data are kept.")


def stop(number: int, frame: FrameType | None) -> None:
    raise Stopped


def serve(supervisor: Supervisor, folder: Path, lock: int, args: argparse.Namespace) -> None:
    port = api_port(args.port)
    address = f"http://127.0.0.1:{port}"
    embedded = os.environ.setdefault("PRACA_EMBEDDED", "1") == "1"
    if embedded:
        os.environ.update(local_environment(folder))
        supervisor.start(mail(folder, os.environ["PRACA_SMTP_PORT"], lock))
    if not given():
        os.environ.update(start_embedded(supervisor, folder))
    if args.clock:
        os.environ["PRACA_CLOCK"] = args.clock.isoformat()
    if "PRACA_MIGRATE_URL" in os.environ:
        migrate()
        say("The database is migrated")
    # It reads the whole program: not before the first signs of life.
    from deploy.cli.welcome import prepare_register, welcome

    examples = prepare_register() if embedded else []
    with announced(folder, address):
        say("API, worker and beat are starting")
        serving = api(folder, port, lock)
        for program in (serving, worker(folder, lock), importer(folder, lock), beat(folder, lock)):
            supervisor.start(program)
        serving.wait_ready(lambda: answers(f"{address}/ready"), seconds=READY_SECONDS)
        say("Everything runs; Ctrl-C stops it")
        welcome(address, folder, examples)
        while True:
            supervisor.watch()
            time.sleep(WATCH_SECONDS)


def api_port(wanted: int | None) -> int:
    port = wanted or USUAL_PORT
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            if wanted:
                raise SystemExit(f"Port {wanted} is taken.") from None
            return free_port()
    return port


def answers(url: str) -> bool:
    try:
        with urllib.request.urlopen(url, timeout=2) as answer:  # noqa: S310 - our own address
            return bool(answer.status == 200)
    except OSError:
        return False
