"""A program run as our child: logged, stopped with us, and whole: what it forked ends with it."""

import contextlib
import ctypes
import os
import pwd
import secrets
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypedDict

PR_SET_PDEATHSIG = 1
LIBC = ctypes.CDLL(None) if sys.platform == "linux" else None  # found before a fork: a child must not load libraries
PLAIN_ENVIRONMENT = {"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "TZ": "UTC"}


class StartFailed(RuntimeError):
    """A program ended before it was ready, or was not ready in time."""


class Identity(TypedDict, total=False):
    """The user of a child, as `subprocess.Popen` takes it; empty for our own."""

    user: int
    group: int
    extra_groups: list[int]


def unprivileged() -> Identity:
    """PostgreSQL refuses to run as root: root starts it as `nobody`."""
    if os.geteuid() != 0:
        return {}
    nobody = pwd.getpwnam("nobody")
    return {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}


def succeeds(argv: Sequence[str | Path], identity: Identity) -> bool:
    try:
        done = subprocess.run(argv, env=PLAIN_ENVIRONMENT, capture_output=True, cwd="/", check=False, **identity)
    except OSError:
        return False
    return done.returncode == 0


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def secret(path: Path, identity: Identity | None = None) -> str:
    """The password kept in this file, which only its owner may read; made at random the first time."""
    with contextlib.suppress(FileExistsError):
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        os.write(handle, secrets.token_urlsafe(24).encode())
        os.close(handle)
        if identity:
            os.chown(path, identity["user"], identity["group"])
    return path.read_text()


def stop_stale(pid_file: Path, marker: str) -> None:
    """Stop a server that outlived whoever started it; `marker` in its command line tells it from a stranger."""
    try:
        pid = int(pid_file.read_text().split()[0])
    except (OSError, ValueError, IndexError):
        return
    if marker not in command_line(pid):
        return
    os.kill(pid, signal.SIGINT)
    if not wait_until(lambda: not command_line(pid), seconds=20):
        raise StartFailed(f"process {pid} still holds {pid_file.parent}")


def command_line(pid: int) -> str:
    """Empty for a process that is gone or a zombie."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_text(errors="replace")
    except OSError:
        return ""


def wait_until(condition: Callable[[], bool], *, seconds: float, every: float = 0.03) -> bool:
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(every)
    return True


@dataclass(slots=True, kw_only=True)
class Program:
    name: str
    argv: Sequence[str | Path]
    log: Path
    environment: Mapping[str, str] = field(default_factory=lambda: PLAIN_ENVIRONMENT)
    folder: Path = Path("/")
    identity: Identity = field(default_factory=Identity)
    ends_with: signal.Signals = signal.SIGTERM
    grace_seconds: float = 20
    inherits: tuple[int, ...] = ()  # file descriptors
    process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        self.end_group()
        parent, death = os.getpid(), int(self.ends_with)

        def die_with_parent() -> None:  # in the child, after the change of user, which would undo it
            if LIBC is not None:
                LIBC.prctl(PR_SET_PDEATHSIG, death)
                if os.getppid() != parent:
                    os._exit(1)

        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                self.argv,
                env=self.environment,
                cwd=self.folder,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,  # Ctrl-C reaches us alone, so that we stop the parts in order
                preexec_fn=die_with_parent,
                pass_fds=self.inherits,
                **self.identity,
            )

    def wait_ready(self, ready: Callable[[], bool], *, seconds: float) -> None:
        """Raises StartFailed, with the end of the log, when the program ends or the time is over."""
        if not wait_until(lambda: not self.running() or ready(), seconds=seconds) or not self.running():
            raise StartFailed(f"{self.name} did not start:\n{self.log.read_text(errors='replace')[-1500:]}")

    def running(self) -> bool:
        return self.process is not None and self.process.poll() is None

    def ask_to_end(self) -> None:
        if self.process is not None and self.running():
            self.process.send_signal(self.ends_with)

    def stop(self) -> None:
        self.ask_to_end()
        if self.process is not None:
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.process.wait(self.grace_seconds)
        self.end_group()

    def end_group(self) -> None:
        """Kill what is left of the program's session: itself if it would not end, and children that it left behind."""
        if self.process is not None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
            self.process = None  # its number may soon be another's


class Server:
    """A program that is a server of ours; whoever makes one says how it starts."""

    program: Program

    def running(self) -> bool:
        return self.program.running()

    def stop(self) -> None:
        self.program.stop()
