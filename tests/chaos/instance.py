"""A whole instance of its own: servers, API, workers, beats and a mail server, each of which can be killed and is
started again at once, as a supervisor would.
"""

import asyncio
import os
import shutil
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from random import Random
from typing import Any

import asyncpg
import httpx

from deploy.cli.servers import LOGINS, make_database, migrate, sqlalchemy_url
from deploy.embedded.place import PYTHONPATH, ROOT
from deploy.embedded.postgres import Postgres
from deploy.embedded.program import Program, free_port, secret
from deploy.embedded.valkey import Valkey
from services.clock import FixedClock
from services.database import Database
from services.settings import Settings

DATABASE = "praca"
LAST_LINES = 30
CELERY = ("celery", "-A", "workers.app")
# Short pauses everywhere: what a day would see in hours is to be seen in seconds.
HURRIED = {
    "PRACA_NIGHT_EVERY_SECONDS": "2",
    "PRACA_NIGHT_RETRY_SECONDS": "1",
    "PRACA_NIGHT_RETRY_MOST_SECONDS": "4",
    "PRACA_NIGHT_ATTEMPTS": "30",
    "PRACA_NIGHT_TOWNS_A_MESSAGE": "10",
    "PRACA_AGAIN_EVERY_SECONDS": "1",
    "PRACA_RELAY_EVERY_SECONDS": "1",
    "PRACA_SEAL_EVERY_SECONDS": "2",
    "PRACA_BROKER_RESTORE_SECONDS": "1",
    "PRACA_TASK_RETRY_SECONDS": "1",
    "PRACA_NOTICE_BATCH": "5",
    "PRACA_NOTICE_LEASE_SECONDS": "16",
    "PRACA_SMTP_TIMEOUT_SECONDS": "1",
    "PRACA_NOTICE_RECORD_SECONDS": "10",
    "PRACA_NOTICE_RETRY_SECONDS": "1",
}


class Instance:
    def __init__(self, folder: Path, clock: FixedClock, *, beats: int = 1, workers: int = 2, children: int = 2) -> None:
        self.folder, self.clock = folder, clock
        self.postgres, self.valkey = Postgres(folder / "postgresql"), Valkey(folder / "valkey")
        self.mail = folder / "mail"
        self.mail.mkdir()
        self.mail_port, self.api_port = free_port(), free_port()
        self.parts = {"beats": beats, "workers": workers, "children": children}
        self.programs: dict[str, Program] = {}
        self.restarts = 0

    async def prepare(self) -> Database:
        """Servers and an empty database; nothing works in it yet."""
        self.postgres.start()
        self.valkey.start()
        passwords = {login: secret(self.folder / login) for login in LOGINS}
        await make_database(self.postgres, DATABASE, passwords)
        with environ(PRACA_MIGRATE_URL=sqlalchemy_url(self.postgres, DATABASE, "praca_owner", passwords)):
            migrate()
        self.settings = Settings(
            database_url=sqlalchemy_url(self.postgres, DATABASE, "praca_app", passwords),
            redis_url=self.valkey.url(),
            embedded=True,
        )
        return Database(self.settings, self.clock)

    def start(self) -> None:
        self.programs["mail"] = self.program("mail", "tests.chaos.sink", str(self.mail_port), str(self.mail))
        self.programs["mail"].start()
        self.programs["mail"].wait_ready((self.mail / "ready").exists, seconds=30)
        uvicorn = ("uvicorn", "api.app:create_app", "--factory", "--port", str(self.api_port))
        self.programs["api"] = self.program("api", *uvicorn)
        manner = ("worker", "-c", str(self.parts["children"]), "-l", "WARNING", "--without-gossip", "--without-mingle")
        for number in range(self.parts["workers"]):
            name = f"worker-{number}"
            self.programs[name] = self.program(name, *CELERY, *manner, "-n", f"{name}@%h")
        for number in range(self.parts["beats"]):
            name = f"beat-{number}"
            files = ("beat", "--pidfile=", "--schedule", str(self.folder / name), "-l", "WARNING")
            self.programs[name] = self.program(name, *CELERY, *files)
        for name in self.programs:
            if name != "mail":
                self.programs[name].start()

    def program(self, name: str, module: str, *arguments: str) -> Program:
        kept = {key: os.environ[key] for key in ("PATH", "HOME", "LANG") if key in os.environ}
        environment = {
            **kept,
            "PYTHONPATH": PYTHONPATH,
            "PRACA_DATABASE_URL": str(self.settings.database_url),
            "PRACA_REDIS_URL": str(self.settings.redis_url),
            "PRACA_EMBEDDED": "1",
            "PRACA_CLOCK": self.clock.now().isoformat(),
            "PRACA_SMTP_PORT": str(self.mail_port),
            "PRACA_ISSUER": "chaos",
            "PRACA_KEYS_DIR": str(self.folder),
            "PRACA_JWKS_FILE": str(self.folder / "jwks.json"),
            **HURRIED,
        }
        argv = [sys.executable, "-m", module, *arguments]
        log = self.folder / f"{name}.log"
        return Program(name=name, argv=argv, log=log, environment=environment, folder=ROOT)

    def watch(self) -> None:
        """Start again whatever has ended, servers first."""
        for server in (self.postgres, self.valkey):
            if not server.running():
                server.start()
                self.restarts += 1
        for program in self.programs.values():
            if not program.running():
                program.start()
                self.restarts += 1

    def stop(self) -> None:
        for program in self.programs.values():
            program.end_group()
        self.valkey.stop()
        self.postgres.stop()

    # --- Killing ------------------------------------------------------------------------------------------------------

    def kill(self, name: str) -> int:
        """The program with all that it forked: how many processes could have been in the middle of a message."""
        process = self.programs[name].process
        assert process is not None
        forked = len(children(process.pid))
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        return forked

    def kill_child(self, name: str, chance: Random) -> int:
        process = self.programs[name].process
        found = children(process.pid) if process else []
        if found:
            with suppress(ProcessLookupError):
                os.kill(chance.choice(found), signal.SIGKILL)
        return min(1, len(found))

    def kill_valkey(self) -> None:
        """With everything that it had."""
        self._kill(self.valkey.program, signal.SIGKILL)
        shutil.rmtree(self.valkey.folder / "appendonlydir", ignore_errors=True)

    def kill_postgres(self) -> None:
        """`immediate`: no checkpoint, no goodbye; it recovers when it starts."""
        self._kill(self.postgres.program, signal.SIGQUIT)

    @staticmethod
    def _kill(program: Program, by: signal.Signals) -> None:
        assert program.process is not None
        program.process.send_signal(by)
        program.process.wait()

    # --- Looking ------------------------------------------------------------------------------------------------------

    def of(self, kind: str) -> list[str]:
        return [name for name in self.programs if name.startswith(kind)]

    def journal(self) -> list[str]:
        """The Message-IDs that were accepted, in order."""
        file = self.mail / "journal"
        return [line.split()[0] for line in file.read_text().splitlines()] if file.exists() else []

    async def rows(self, sql: str, *given: Any) -> list[asyncpg.Record]:
        """Past every policy, also while the database comes back."""
        async with asyncio.timeout(60):
            while True:
                try:
                    connection = await asyncpg.connect(self.postgres.url(DATABASE))
                    try:
                        return list(await connection.fetch(sql, *given))
                    finally:
                        await connection.close()
                except (OSError, asyncpg.PostgresError, asyncpg.InterfaceError):
                    self.watch()
                    await asyncio.sleep(0.1)

    async def told(self, sql: str) -> str:
        """Where it stands: what this question finds, and the last lines of every log."""
        rows = [dict(row) for row in await self.rows(sql)]
        ends = [f"--- {log.name}\n{tail(log)}" for log in sorted(self.folder.glob("*.log"))]
        return "\n".join([str(rows), *ends])

    async def until(self, condition: Callable[[], Any], *, seconds: float) -> None:
        """Raises TimeoutError. Meanwhile what ends starts again."""
        async with asyncio.timeout(seconds):
            while not await condition():
                self.watch()
                await asyncio.sleep(0.1)

    async def answers(self) -> bool:
        async with httpx.AsyncClient() as client:
            with suppress(httpx.HTTPError):
                return (await client.get(f"http://127.0.0.1:{self.api_port}/ready", timeout=5)).is_success
        return False


def tail(log: Path) -> str:
    return "\n".join(log.read_text(errors="replace").splitlines()[-LAST_LINES:])


def children(pid: int) -> list[int]:
    try:
        return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except OSError:
        return []


@contextmanager
def environ(**names: str) -> Iterator[None]:
    before = dict(os.environ)
    os.environ.update(names)
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)
