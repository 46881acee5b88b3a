"""API processes of their own, as in production: several of them on one database."""

import contextlib
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import httpx

from services.database import Database

ROOT = Path(__file__).resolve().parents[2]
ISSUER = "https://login.test"
PATIENCE_SECONDS = 60


def environment(database: Database, keys: Path, **more: str) -> dict[str, str]:
    """What a process of the product reads, and nothing of the test run's own."""
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
    settings = database.settings
    return {
        **kept,
        "PYTHONPATH": f"{ROOT}:{ROOT / 'graphql'}",
        "PRACA_DATABASE_URL": str(settings.database_url),
        "PRACA_REDIS_URL": str(settings.redis_url),
        "PRACA_EMBEDDED": "1",
        "PRACA_ISSUER": ISSUER,
        "PRACA_KEYS_DIR": str(keys),
        "PRACA_JWKS_FILE": str(keys / "jwks.json"),
        **more,
    }


@contextlib.contextmanager
def api_processes(count: int, env: dict[str, str], folder: Path) -> Iterator[list[str]]:
    """Addresses of so many API processes, ready to answer; all are gone afterwards."""
    ports = free_ports(count)
    with contextlib.ExitStack() as stack:
        processes = [stack.enter_context(api(port, env, folder / f"api-{port}.log")) for port in ports]
        for process, port in zip(processes, ports, strict=True):
            wait_ready(process, port, folder / f"api-{port}.log")
        yield [f"http://127.0.0.1:{port}" for port in ports]


@contextlib.contextmanager
def api(port: int, env: dict[str, str], log: Path) -> Iterator[subprocess.Popen[bytes]]:
    command = [sys.executable, "-m", "uvicorn", "api.app:create_app", "--factory", "--port", str(port)]
    with log.open("wb") as out:
        process = subprocess.Popen([*command, "--log-level", "warning"], env=env, cwd=ROOT, stdout=out, stderr=out)
    try:
        yield process
    finally:
        process.terminate()
        try:
            process.wait(PATIENCE_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def wait_ready(process: subprocess.Popen[bytes], port: int, log: Path) -> None:
    """Asks until the process answers: readiness has no other sign."""
    give_up = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < give_up:
        if process.poll() is not None:
            raise RuntimeError(f"the API process ended: {log.read_text(errors='replace')[-2000:]}")
        with contextlib.suppress(httpx.TransportError):
            if httpx.get(f"http://127.0.0.1:{port}/ready", timeout=5).is_success:
                return
        time.sleep(0.05)
    raise RuntimeError(f"the API process is not ready: {log.read_text(errors='replace')[-2000:]}")


def free_ports(count: int) -> Sequence[int]:
    """Ports that nobody had a moment ago, all different."""
    with contextlib.ExitStack() as stack:
        sockets = [stack.enter_context(socket.socket()) for _ in range(count)]
        for each in sockets:
            each.bind(("127.0.0.1", 0))
        return [each.getsockname()[1] for each in sockets]
