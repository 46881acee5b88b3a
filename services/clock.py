"""The only place that reads the time."""

from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Protocol
from zoneinfo import ZoneInfo

from services.settings import Settings


class Clock(Protocol):
    def now(self) -> datetime:
        """This moment, in UTC."""


class SystemClock:
    """The machine's."""

    __slots__ = ()

    def now(self) -> datetime:
        return datetime.now(UTC)


@dataclass(slots=True)
class FixedClock:
    """Stands still until it is set: for tests and for trying another day in the embedded mode."""

    at: datetime

    def __post_init__(self) -> None:
        if self.at.tzinfo is None:
            raise ValueError("a clock needs a time zone")

    def now(self) -> datetime:
        return self.at.astimezone(UTC)

    def advance(self, by: timedelta) -> None:
        self.at += by


def clock_of(settings: Settings) -> Clock:
    return SystemClock() if settings.clock is None else FixedClock(settings.clock)


def local_day(moment: datetime, zone: str) -> date:
    """The day in the town's time zone, which is not the server's."""
    return moment.astimezone(ZoneInfo(zone)).date()


def moment_of(seconds: float) -> datetime:
    """The moment that a token names in seconds since 1970."""
    return datetime.fromtimestamp(seconds, UTC)
