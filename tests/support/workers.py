"""A worker of its own process, as in production: its log, its metrics, and what it is asked to do."""

import os
import re
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from deploy.embedded.place import PYTHONPATH, ROOT
from deploy.embedded.program import free_port, wait_until
from services.database import Database

PATIENCE_SECONDS = 60
SAMPLE = re.compile(r"^(?P<name>[a-z_]+)(?:\{(?P<labels>.*)\})? (?P<value>\S+)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Worker:
    environment: dict[str, str]
    log: Path
    metrics_port: int
    pid: int

    def asked(self, task: str, arguments: str, queue: str) -> None:
        """Put a message for it on the queue."""
        command = ["celery", "-A", "workers.app", "call", task, "--args", arguments, "--queue", queue]
        subprocess.run(
            [sys.executable, "-m", *command], cwd=ROOT, env=self.environment, check=True, capture_output=True
        )

    def sample(self, name: str, **labels: str) -> float | None:
        """A value that it shows to Prometheus."""
        return sample(scraped(self.metrics_port), name, **labels)

    def shows(self, name: str, **labels: str) -> bool:
        """Waits until it shows a value above nothing."""
        return wait_until(lambda: (self.sample(name, **labels) or 0) > 0, seconds=PATIENCE_SECONDS)


def scraped(port: int) -> str:
    with suppress(OSError), urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=5) as answer:
        return str(answer.read().decode())
    return ""


def sample(exposition: str, name: str, **labels: str) -> float | None:
    for found in SAMPLE.finditer(exposition):
        given = dict(re.findall(r'(\w+)="([^"]*)"', found["labels"] or ""))
        if found["name"] == name and labels.items() <= given.items():
            return float(found["value"])
    return None


@contextmanager
def worker(database: Database, folder: Path, *, processes: int = 1, **more: str) -> Iterator[Worker]:
    """Ends with everything that it started."""
    settings, port = database.settings, free_port()
    environment = {
        **{name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ},
        "PYTHONPATH": PYTHONPATH,
        "PRACA_DATABASE_URL": str(settings.database_url),
        "PRACA_REDIS_URL": str(settings.redis_url),
        "PRACA_EMBEDDED": "1",
        "PRACA_CLOCK": database.clock.now().isoformat(),
        "PRACA_METRICS_PORT": str(port),
        **more,
    }
    log = folder / "worker.log"
    command = ["celery", "-A", "workers.app", "worker", "-c", str(processes), "--without-gossip", "--without-mingle"]
    with log.open("ab") as out:
        process = subprocess.Popen(
            [sys.executable, "-m", *command], cwd=ROOT, env=environment, stdout=out, stderr=out, start_new_session=True
        )
    try:
        yield Worker(environment, log, port, process.pid)
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
