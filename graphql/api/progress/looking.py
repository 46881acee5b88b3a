"""One look for all who watch: a process asks for the jobs that somebody watches, town by town, on one connection."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

import structlog
from sqlalchemy import Row

from services import access, metrics
from services.database import Database, Reader
from services.errors import Forbidden
from services.jobs import store
from services.tokens import Claims

log = structlog.get_logger(__name__)
ENDED = frozenset({"done", "failed"})
MILLISECONDS = 1_000  # law-free: in a second


@dataclass(eq=False, slots=True)
class Watcher:
    """Somebody and the job that they watch. `news`: its newest state that they were not told, or their no."""

    job: UUID
    claims: Claims
    told: tuple[Any, ...]
    news: "asyncio.Queue[Row[Any] | Forbidden]" = field(default_factory=lambda: asyncio.Queue(1))

    def tell(self, row: "Row[Any] | Forbidden") -> None:
        """Whoever is slow is told the newest alone."""
        if not self.news.empty():
            self.news.get_nowait()
        self.news.put_nowait(row)


def seen(row: Row[Any]) -> tuple[Any, ...]:
    """What a watcher can tell apart."""
    return (row.state, row.done, row.total)


class JobLooker:
    """Made at start. It looks only while somebody watches."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._watchers: dict[UUID, set[Watcher]] = {}
        self._looking: asyncio.Task[None] | None = None

    @property
    def watchers(self) -> int:
        return sum(map(len, self._watchers.values()))

    async def changes(self, town: UUID, row: Row[Any], claims: Claims) -> AsyncGenerator[Row[Any], None]:
        """The job as it is, then whenever it changes, until it has ended. Raises Forbidden when the office is lost."""
        yield row
        if row.state in ENDED:
            return
        async with self._watching(town, Watcher(row.id, claims, seen(row))) as watcher:
            while row.state not in ENDED:
                news = await watcher.news.get()
                if isinstance(news, Forbidden):
                    raise news
                row = news
                yield row

    @asynccontextmanager
    async def _watching(self, town: UUID, watcher: Watcher) -> AsyncIterator[Watcher]:
        self._watchers.setdefault(town, set()).add(watcher)
        metrics.SUBSCRIPTIONS.inc()
        if self._looking is None or self._looking.done():
            self._looking = asyncio.create_task(self._look_again_and_again(), name="jobs that are watched")
        try:
            yield watcher
        finally:
            metrics.SUBSCRIPTIONS.dec()
            self._watchers[town].discard(watcher)
            if not self._watchers[town]:
                del self._watchers[town]

    async def _look_again_and_again(self) -> None:
        while self._watchers:
            for town, watchers in list(self._watchers.items()):
                try:
                    await self._look(town, tuple(watchers))
                except Exception:  # the database is away, or a bug: the next look may be luckier
                    log.exception("jobs.unseen", tenant=str(town))
            await asyncio.sleep(self._database.settings.progress_every_ms / MILLISECONDS)

    async def _look(self, town: UUID, watchers: Iterable[Watcher]) -> None:
        async with self._database.reader(town) as tx:
            rows = {row.id: row for row in await store.several(tx, [watcher.job for watcher in watchers])}
            refused = await self._refused(tx, {watcher.claims.subject: watcher.claims for watcher in watchers})
        for watcher in watchers:
            if watcher.claims.subject in refused:
                watcher.tell(refused[watcher.claims.subject])
            elif (row := rows.get(watcher.job)) is not None and seen(row) != watcher.told:
                watcher.told = seen(row)
                watcher.tell(row)

    async def _refused(self, tx: Reader, askers: dict[str, Claims]) -> dict[str, Forbidden]:
        """Who may read no longer: an office may be lost meanwhile."""
        found = {}
        for subject, claims in askers.items():
            actor = access.operator(subject) if claims.operator else await access.actor_of(tx, subject)
            if not actor.may("read"):
                found[subject] = Forbidden("read", actor.articles.get("read", ()))
        return found

    async def close(self) -> None:
        if self._looking is not None:
            self._looking.cancel()
            await asyncio.gather(self._looking, return_exceptions=True)
