"""Which servers a verb works on: the user's, those of a `./praca run` beside us, or embedded ones for this call.

Whichever they are, the environment variables `PRACA_…` name them, and `services.settings` reads those.
"""

import asyncio
import fcntl
import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TypedDict

import asyncpg

from deploy.cli.programs import local_environment
from deploy.cli.progress import say
from deploy.embedded.place import PYTHONPATH, ROOT, make_data_folder
from deploy.embedded.postgres import Postgres
from deploy.embedded.program import command_line, secret, wait_until
from deploy.embedded.supervisor import Supervisor
from deploy.embedded.valkey import Valkey

DATABASE = "praca"
LOGINS = ("praca_owner", "praca_app")
LONGEST_END_SECONDS = 120  # above the longest task of a worker


class Running(TypedDict):
    """What `running.json` in the data folder says of a `./praca run`."""

    pid: int
    address: str
    environment: dict[str, str]


def given() -> dict[str, str] | None:
    """The user's own servers, when the environment names them."""
    names = ("PRACA_DATABASE_URL", "PRACA_REDIS_URL")
    found = {name: os.environ[name] for name in names if os.environ.get(name)}
    if len(found) == 1:
        raise SystemExit(f"Set both {' and '.join(names)}, or neither to use embedded servers.")
    return found or None


@contextmanager
def servers() -> Iterator[None]:
    """The environment names migrated servers, for as long as the block lasts."""
    before = dict(os.environ)
    try:
        if given():
            yield
        elif running := running_beside(make_data_folder()):
            os.environ.update(running["environment"])
            yield
        else:
            with started():
                yield
    finally:
        os.environ.clear()
        os.environ.update(before)


@contextmanager
def started() -> Iterator[None]:
    supervisor = Supervisor(say)
    with alone(make_data_folder()) as (folder, _):
        try:
            os.environ.update(local_environment(folder))
            os.environ.update(start_embedded(supervisor, folder))
            migrate()
            yield
        finally:
            supervisor.stop()


def start_embedded(supervisor: Supervisor, folder: Path) -> dict[str, str]:
    """Start PostgreSQL and Valkey, make roles and database, and say in `PRACA_…` variables where they are."""
    postgres, valkey = Postgres(folder / "postgresql"), Valkey(folder / "valkey")
    supervisor.start(postgres)
    say(f"PostgreSQL is ready on 127.0.0.1:{postgres.port}")
    supervisor.start(valkey)
    say(f"Valkey is ready on 127.0.0.1:{valkey.port}")
    passwords = {login: secret(folder / f"{login}.password") for login in LOGINS}
    asyncio.run(make_database(postgres, DATABASE, passwords))
    return {
        "PRACA_DATABASE_URL": sqlalchemy_url(postgres, DATABASE, "praca_app", passwords),
        "PRACA_MIGRATE_URL": sqlalchemy_url(postgres, DATABASE, "praca_owner", passwords),
        "PRACA_REDIS_URL": valkey.url(),
    }


async def make_database(postgres: Postgres, database: str, passwords: Mapping[str, str]) -> None:
    """The database, with the roles of `deploy/roles.sql` and these passwords; safe to repeat."""
    cluster = await asyncpg.connect(postgres.url("postgres"))
    try:
        if not await cluster.fetchval("select 1 from pg_database where datname = $1", database):
            await cluster.execute(f'create database "{database}"')
    finally:
        await cluster.close()
    inside = await asyncpg.connect(postgres.url(database))
    try:
        await inside.execute("set client_min_messages = warning")
        await inside.execute((ROOT / "deploy/roles.sql").read_text())
        for login, password in passwords.items():
            await inside.execute(f"alter role {login} password '{password}'")
    finally:
        await inside.close()


def sqlalchemy_url(postgres: Postgres, database: str, login: str, passwords: Mapping[str, str]) -> str:
    return postgres.url(database, login, passwords[login]).replace("postgresql:", "postgresql+asyncpg:", 1)


def migrate() -> None:
    """To the newest migration, as the owner whom PRACA_MIGRATE_URL names."""
    done = subprocess.run(
        [sys.executable, "-m", "alembic", "upgrade", "head"],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": PYTHONPATH},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise SystemExit(f"The migrations failed:\n{done.stdout}{done.stderr}")


@contextmanager
def alone(folder: Path) -> Iterator[tuple[Path, int]]:
    """Hold the data folder: one run at a time.

    The programs of a run inherit the descriptor: a run that was killed holds the folder until its last one has ended.
    """
    lock = os.open(folder / "lock", os.O_RDWR | os.O_CREAT, 0o600)
    try:
        if not locked(lock):
            if running := running_beside(folder):
                raise SystemExit(f"Praça already runs at {running['address']} (process {running['pid']}).")
            say("Waiting for an earlier run to end …")
            if not wait_until(lambda: locked(lock), seconds=LONGEST_END_SECONDS):
                raise SystemExit(f"Programs of an earlier run still hold {folder}.")
        yield folder, lock
    finally:
        os.close(lock)


def locked(lock: int) -> bool:
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


@contextmanager
def announced(folder: Path, address: str) -> Iterator[None]:
    """Tell the verbs called meanwhile which servers to use."""
    environment = {name: value for name, value in os.environ.items() if name.startswith("PRACA_")}
    state = folder / "running.json"
    state.unlink(missing_ok=True)
    state.touch(mode=0o600)
    state.write_text(json.dumps(Running(pid=os.getpid(), address=address, environment=environment)))
    try:
        yield
    finally:
        state.unlink()


def running_beside(folder: Path) -> Running | None:
    try:
        running: Running = json.loads((folder / "running.json").read_text())
    except (FileNotFoundError, json.JSONDecodeError):  # none, or one that is just being written
        return None
    return running if "deploy.cli" in command_line(running["pid"]) else None
