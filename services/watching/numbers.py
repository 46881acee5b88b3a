"""What Prometheus is shown of the whole register, read when it looks and remembered for a while."""

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from time import monotonic
from typing import TYPE_CHECKING, Any

import structlog
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.metrics_core import Metric
from prometheus_client.registry import Collector
from sqlalchemy import Row

from services.watching import store

if TYPE_CHECKING:
    from services.database import Database

log = structlog.get_logger(__name__)

SIMPLE = {
    "deadlines_overdue": ("praca_deadlines_overdue", "Open deadlines whose last day is over."),
    "overdue_days": ("praca_deadlines_overdue_oldest_days", "How many days the oldest of them is over."),
    "notices_queued": ("praca_notices_queued", "Notices that wait to be sent."),
    "notice_age": ("praca_notices_queued_oldest_seconds", "How long the oldest of them waits."),
    "runs_unfinished": ("praca_runs_unfinished", "Nights that have begun and not ended."),
    "runs_failed": ("praca_runs_failed", "Those of them that failed."),
    "acts_unsealed": ("praca_acts_unsealed", "Acts that no seal holds yet."),
    "unsealed_age": ("praca_acts_unsealed_oldest_seconds", "How long the oldest of them waits."),
}
JOBS = ("queued", "running", "failed")
LETTERS = ("waiting", "dead")


@dataclass(frozen=True, slots=True)
class Found:
    numbers: Row[Any]
    nights: Sequence[Row[Any]]
    trouble: Sequence[Row[Any]]
    letters: Row[Any]


async def look(db: "Database") -> Found:
    settings = db.settings
    async with db.directory() as directory:
        since = directory.now - timedelta(hours=settings.metrics_recent_hours)
        return Found(
            await store.numbers(directory, since),
            await store.nights(directory),
            await store.trouble(directory, settings.metrics_late_seconds),
            await store.letters(directory),
        )


def shown(found: Found) -> Iterator[Metric]:
    for column, (name, says) in SIMPLE.items():
        yield GaugeMetricFamily(name, says, value=getattr(found.numbers, column) or 0)
    jobs = GaugeMetricFamily("praca_jobs", "Long work by state; failed: of late.", labels=["state"])
    for state in JOBS:
        jobs.add_metric([state], getattr(found.numbers, f"jobs_{state}"))
    yield jobs
    letters = GaugeMetricFamily("praca_dead_letters", "waiting: tried again; dead: for somebody.", labels=["state"])
    for state in LETTERS:
        letters.add_metric([state], getattr(found.letters, state))
    yield letters
    towns = GaugeMetricFamily("praca_towns", "Towns by their time zone.", labels=["zone"])
    nights = GaugeMetricFamily(
        "praca_night_last_ended_timestamp_seconds", "When a night last ended in a time zone.", labels=["zone"]
    )
    for row in found.nights:
        towns.add_metric([row.zone], row.towns)
        if row.ended_at is not None:
            nights.add_metric([row.zone], row.ended_at.timestamp())
    yield from (towns, nights)
    trouble = GaugeMetricFamily(
        "praca_town_trouble",
        "1: its night failed, or its notices or seals are late.",
        labels=["town", "trouble"],
    )
    for row in found.trouble:
        trouble.add_metric([row.slug, row.trouble], 1)
    yield trouble


class RegisterNumbers(Collector):
    """Prometheus looks in a thread of its own; the database is read on the loop that it belongs to."""

    def __init__(self, db: "Database", loop: asyncio.AbstractEventLoop) -> None:
        self._db, self._loop = db, loop
        self._found: Found | None = None
        self._read_at = 0.0

    def describe(self) -> list[Metric]:
        """Nothing is read when it is registered."""
        return []

    def collect(self) -> Iterator[Metric]:
        """With the database away there are no numbers, and 0 for whether there are."""
        try:
            found: Found | None = self._fresh()
        except Exception:
            log.exception("numbers.unread")
            found = None
        read = float(found is not None)
        yield GaugeMetricFamily("praca_register_read", "1: the register's numbers could be read.", value=read)
        if found is not None:
            yield from shown(found)

    def _fresh(self) -> Found:
        settings = self._db.settings
        if self._found is None or monotonic() - self._read_at >= settings.metrics_keep_seconds:
            reading = asyncio.run_coroutine_threadsafe(look(self._db), self._loop)
            self._found = reading.result(settings.metrics_timeout_seconds)
            self._read_at = monotonic()
        return self._found
