"""Keeps what it started running, and stops it in order."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

from deploy.embedded.program import Program, StartFailed

SETTLED_SECONDS = 60  # after so long a life an end is a first failure again
LONGEST_PAUSE_SECONDS = 30


class Part(Protocol):
    """A server or a program; `start` returns when it is ready to be used."""

    @property
    def name(self) -> str: ...
    def start(self) -> None: ...
    def running(self) -> bool: ...
    def stop(self) -> None: ...


@dataclass(slots=True)
class Watched:
    part: Part
    started: float = field(default_factory=time.monotonic)
    failures: int = 0
    again_at: float | None = None


class Supervisor:
    def __init__(self, say: Callable[[str], None]) -> None:
        self.say = say
        self.watched: list[Watched] = []

    def start(self, part: Part) -> None:
        """Watched from before its start: what is cut off while starting is stopped too."""
        self.watched.append(Watched(part))
        part.start()

    def watch(self) -> None:
        """Restart what has ended: at once the first time, then with longer and longer pauses."""
        for watched in self.watched:
            if watched.part.running():
                continue
            if watched.again_at is None:
                self.plan_restart(watched)
            elif time.monotonic() >= watched.again_at:
                self.restart(watched)

    def plan_restart(self, watched: Watched) -> None:
        now = time.monotonic()
        if now - watched.started > SETTLED_SECONDS:
            watched.failures = 0
        pause = min(LONGEST_PAUSE_SECONDS, 2**watched.failures - 1)
        watched.failures += 1
        watched.again_at = now + pause
        self.say(f"{watched.part.name} has ended; it starts again {f'in {pause} s' if pause else 'now'}")

    def restart(self, watched: Watched) -> None:
        watched.again_at, watched.started = None, time.monotonic()
        try:
            watched.part.start()
        except StartFailed as failure:
            self.say(str(failure))

    def stop(self) -> None:
        """All programs together, since a worker takes its time; then, latest first, the servers that they needed."""
        parts = [watched.part for watched in reversed(self.watched)]
        for part in parts:
            if isinstance(part, Program):
                part.ask_to_end()
        for part in parts:
            part.stop()
        self.watched.clear()
