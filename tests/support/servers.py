"""One PostgreSQL and one Valkey for a whole run of the tests, started when the first test asks for a database.

The run's first process makes a folder and holds the lock `alive` in it. Whichever xdist worker needs servers first
starts a keeper: this module as a program, which outlives that worker, and which stops the servers and removes the
folder as soon as nobody holds `alive`, also when the run was killed.
"""

import asyncio
import fcntl
import json
import os
import shutil
import sys
import tempfile
import traceback
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path

import asyncpg

from deploy.cli.servers import LOGINS, make_database, migrate, sqlalchemy_url
from deploy.embedded.place import PYTHONPATH
from deploy.embedded.postgres import Postgres
from deploy.embedded.program import secret, wait_until
from deploy.embedded.valkey import Valkey

FOLDER = "PRACA_TEST_FOLDER"
TEMPLATE = "template_praca"
ENOUGH_MEMORY = 2**30
START_SECONDS = 120
MEMORY = Path("/dev/shm")  # noqa: S108 - a folder of our own in it


@dataclass(frozen=True, slots=True)
class Servers:
    """Where they are. In URLs `{database}` and `{login}` stand for what is asked."""

    superuser: str
    redis: str
    port: int
    passwords: Mapping[str, str]

    async def clone(self, database: str) -> str:
        """A database with every migration and no row; its address as the application role."""
        await self.command(f'create database "{database}" template {TEMPLATE}')
        return self.url(database)

    async def drop(self, database: str) -> None:
        await self.command(f'drop database "{database}" with (force)')

    async def command(self, sql: str) -> None:
        connection = await asyncpg.connect(self.superuser)
        try:
            await connection.execute(sql)
        finally:
            await connection.close()

    def url(self, database: str, login: str = "praca_app") -> str:
        return f"postgresql+asyncpg://{login}:{self.passwords[login]}@127.0.0.1:{self.port}/{database}"

    def redis_url(self, number: int) -> str:
        return f"{self.redis}/{number}"


def begin_run() -> int:
    """Make the run's folder, in memory when there is enough; returns the lock that tells that the run is alive."""
    in_memory = MEMORY.is_dir() and os.access(MEMORY, os.W_OK) and shutil.disk_usage(MEMORY).free > ENOUGH_MEMORY
    folder = Path(tempfile.mkdtemp(prefix="praca-tests-", dir=MEMORY if in_memory else None))
    folder.chmod(0o711)  # PostgreSQL may run as another user
    os.environ[FOLDER] = str(folder)
    alive = os.open(folder / "alive", os.O_RDWR | os.O_CREAT)
    fcntl.flock(alive, fcntl.LOCK_EX)
    return alive


def end_run(alive: int) -> None:
    """Returns when the keeper, if there is one, has stopped the servers."""
    folder = Path(os.environ.pop(FOLDER))
    os.close(alive)
    if (folder / "keeper.log").exists():
        wait_until(lambda: not folder.exists(), seconds=30)
    shutil.rmtree(folder, ignore_errors=True)


@cache
def servers() -> Servers:
    folder = Path(os.environ[FOLDER])
    ready, failed = folder / "ready.json", folder / "failed.txt"
    with (folder / "starting").open("w") as turn:
        fcntl.flock(turn, fcntl.LOCK_EX)
        if not ready.exists() and not failed.exists():
            start_keeper(folder)
            wait_until(lambda: ready.exists() or failed.exists(), seconds=START_SECONDS)
    if not ready.exists():
        raise RuntimeError(f"The servers for the tests did not start:\n{failed.read_text()}")
    return Servers(**json.loads(ready.read_text()))


def start_keeper(folder: Path) -> None:
    """Not as a `Popen`: whoever starts it does not wait for it."""
    log = os.open(folder / "keeper.log", os.O_WRONLY | os.O_CREAT)
    nothing = os.open(os.devnull, os.O_RDONLY)
    streams = [(os.POSIX_SPAWN_DUP2, ours, number) for number, ours in enumerate((nothing, log, log))]
    command = [sys.executable, "-m", "tests.support.servers", str(folder)]
    os.posix_spawn(command[0], command, {**os.environ, "PYTHONPATH": PYTHONPATH}, file_actions=streams, setsid=True)
    os.close(log)
    os.close(nothing)


def keep(folder: Path) -> None:
    postgres = Postgres(folder / "postgresql", durable=False)
    valkey = Valkey(folder / "valkey", durable=False)
    try:
        start(postgres, valkey, folder)
        with (folder / "alive").open("r") as alive:
            fcntl.flock(alive, fcntl.LOCK_SH)
    finally:
        valkey.stop()
        postgres.stop()
    shutil.rmtree(folder)


def start(postgres: Postgres, valkey: Valkey, folder: Path) -> None:
    """Start both, migrate the template, and tell the run with one rename."""
    postgres.start()
    valkey.start()
    passwords = {login: secret(folder / login) for login in LOGINS}
    asyncio.run(make_database(postgres, TEMPLATE, passwords))
    os.environ["PRACA_MIGRATE_URL"] = sqlalchemy_url(postgres, TEMPLATE, "praca_owner", passwords)
    migrate()
    made = Servers(postgres.url("postgres"), valkey.url().removesuffix("/0"), postgres.port, passwords)
    asyncio.run(made.command(f"alter database {TEMPLATE} with is_template true allow_connections false"))
    unfinished = folder / "ready.unfinished"
    unfinished.write_text(json.dumps(asdict(made)))
    unfinished.rename(folder / "ready.json")


def main(folder: Path) -> None:
    try:
        keep(folder)
    except BaseException:
        (folder / "failed.txt").write_text(traceback.format_exc())
        raise


if __name__ == "__main__":
    main(Path(sys.argv[1]))
