"""The programs that `./praca run` keeps running beside the servers."""

import os
import sys
from pathlib import Path

from deploy.embedded.place import PYTHONPATH, ROOT
from deploy.embedded.program import Program, free_port


def local_environment(folder: Path) -> dict[str, str]:
    """For trying out on one machine: our own issuer of tokens, and a mail server that only keeps what it gets."""
    keys = folder / "keys"
    keys.mkdir(mode=0o700, exist_ok=True)
    return {
        "PRACA_EMBEDDED": "1",
        "PRACA_KEYS_DIR": str(keys),
        "PRACA_EVIDENCE_FOLDER": str(folder / "evidence"),
        "PRACA_JWKS_FILE": str(keys / "jwks.json"),
        "PRACA_ISSUER": "praca-embedded",
        "PRACA_SMTP_HOST": "127.0.0.1",
        "PRACA_SMTP_PORT": str(free_port()),
    }


def mail(folder: Path, port: str, lock: int) -> Program:
    return module("mail", ["deploy.embedded.mail", "--port", port, "--folder", str(folder / "mail")], folder, lock)


def api(folder: Path, port: int, lock: int) -> Program:
    address = ["--host", "127.0.0.1", "--port", str(port), "--no-server-header"]
    manner = ["--ws", "websockets-sansio", "--ws-max-size", "1000000", "--timeout-graceful-shutdown", "5"]
    command = ["uvicorn", "api.app:create_app", "--factory", *address, *manner]
    return module("API", command, folder, lock, metrics=0)


def worker(folder: Path, lock: int) -> Program:
    return celery_worker("worker", "sweeps,night,notices", folder, lock, processes="2", metrics=1)


def importer(folder: Path, lock: int) -> Program:
    """Apart, so that a town's long work never delays another's notices."""
    return celery_worker("importer", "imports", folder, lock, processes="1", metrics=2)


def celery_worker(name: str, queues: str, folder: Path, lock: int, *, processes: str, metrics: int) -> Program:
    manner = ["-n", f"{name}@%h", "-Q", queues, "-c", processes, "-l", "INFO"]
    alone = ["--without-gossip", "--without-mingle"]  # there is nothing to tell one another
    command = ["celery", "-q", "-A", "workers.app", "worker", *manner, *alone]
    return module(name, command, folder, lock, metrics=metrics)


def beat(folder: Path, lock: int) -> Program:
    files = ["--pidfile=", "--schedule", str(folder / "beat")]
    return module("beat", ["celery", "-q", "-A", "workers.app", "beat", "-l", "INFO", *files], folder, lock)


def module(name: str, command: list[str], folder: Path, lock: int, *, metrics: int | None = None) -> Program:
    """A Python module with our environment, its log in the data folder; it holds the folder's lock while it runs.

    Args:
        metrics: How many ports after the first one (PRACA_METRICS_PORT) it shows its metrics.
    """
    logs = folder / "log"
    logs.mkdir(mode=0o700, exist_ok=True)
    return Program(
        name=name,
        argv=[sys.executable, "-m", *command],
        log=logs / f"{name.lower()}.log",
        environment={**os.environ, **metrics_port(metrics), "PYTHONPATH": PYTHONPATH, "PYTHONUNBUFFERED": "1"},
        folder=ROOT,
        inherits=(lock,),
    )


def metrics_port(after: int | None) -> dict[str, str]:
    """Each program of one machine has its own."""
    first = os.environ.get("PRACA_METRICS_PORT")
    return {} if first is None or after is None else {"PRACA_METRICS_PORT": str(int(first) + after)}
