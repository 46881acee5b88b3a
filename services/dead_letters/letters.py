"""Writing down what failed, and that it has succeeded since."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, Literal, Self
from uuid import UUID

import structlog

from services.dead_letters import store

if TYPE_CHECKING:
    from services.database import Transaction
    from services.settings import Settings

log = structlog.get_logger(__name__)
Kind = Literal["night", "notice", "job", "message"]


@dataclass(frozen=True, slots=True)
class Letter:
    """A thing that may fail, by the key that is its own in a town."""

    kind: Kind
    key: str
    day: date | None = None
    subject_id: UUID | None = None
    task: str | None = None

    @classmethod
    def of_night(cls, day: date) -> Self:
        return cls("night", f"night:{day}", day=day)

    @classmethod
    def of_notice(cls, notice_id: UUID) -> Self:
        return cls("notice", f"notice:{notice_id}", subject_id=notice_id)

    @classmethod
    def of_job(cls, job_id: UUID) -> Self:
        return cls("job", f"job:{job_id}", subject_id=job_id)

    @classmethod
    def of_message(cls, task: str) -> Self:
        """A whole message of the queue, for its part in this town."""
        return cls("message", f"message:{task}", task=task)


@dataclass(frozen=True, slots=True)
class Pause:
    """How often a thing is tried, and how long it waits: first so long, then twice, up to the longest."""

    attempts: int
    seconds: float
    longest_seconds: float

    @classmethod
    def of(cls, settings: "Settings") -> Self:
        return cls(settings.night_attempts, settings.night_retry_seconds, settings.night_retry_most_seconds)


ONCE = Pause(1, 0, 0)  # whoever tried has come to the end of its own attempts


async def failed(tx: "Transaction", letter: Letter, error: str) -> bool:
    """It will be tried again after a pause, longer each time; whether this was the last attempt."""
    return await _failed(tx, letter, error, Pause.of(tx.settings))


async def bury(tx: "Transaction", letter: Letter, error: str) -> None:
    """Nothing tries it again but a replay. ``error``: its kind alone."""
    await _failed(tx, letter, error, ONCE)


async def _failed(tx: "Transaction", letter: Letter, error: str, pause: Pause) -> bool:
    row = await store.fail(tx, letter, error, pause)
    dead = bool(row.state == "dead")
    if dead:
        log.error("dead letter", tenant=str(tx.tenant_id), kind=letter.kind, code=error, attempts=row.attempts)
    return dead


async def succeeded(tx: "Transaction", letters: Sequence[Letter]) -> int:
    """What had failed and is done now is closed: how many. A night does what every earlier one left."""
    nights = any(letter.kind == "night" for letter in letters)
    return await store.close(tx, [letter.key for letter in letters], nights=nights)
