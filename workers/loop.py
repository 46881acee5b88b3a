"""One event loop for each pool process, with the database that lives on it; both are made after the fork."""

import asyncio
import threading
from collections.abc import Awaitable, Callable
from typing import TypeVar

from celery.exceptions import SoftTimeLimitExceeded
from celery.signals import worker_process_init, worker_process_shutdown

from services.clock import clock_of
from services.database import Database
from services.settings import settings

T = TypeVar("T")
ANSWER_SECONDS = 1  # law-free: how long a loop that was told to stop something may take to turn


class Loop:
    """It runs in a thread. The process's main thread waits, so that a soft time limit lands there and cancels."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="loop", daemon=True)
        self._thread.start()
        self._database: Database | None = None
        self.stuck = False

    def run(self, work: Callable[[Database], Awaitable[T]]) -> T:
        async def whole() -> T:
            return await work(await self._connected())

        future = asyncio.run_coroutine_threadsafe(whole(), self._loop)
        try:
            return future.result()
        except (SoftTimeLimitExceeded, KeyboardInterrupt):
            future.cancel()
            self.stuck = not self._answers()
            raise

    def _answers(self) -> bool:
        """Whether the loop still turns: what never waits for anything cannot be cancelled."""
        turned = threading.Event()
        self._loop.call_soon_threadsafe(turned.set)
        return turned.wait(ANSWER_SECONDS)

    async def _connected(self) -> Database:
        if self._database is None:
            database = Database(settings(), clock_of(settings()))
            await database.check_role()
            self._database = database
        return self._database

    def close(self) -> None:
        if self._database is not None:
            asyncio.run_coroutine_threadsafe(self._database.close(), self._loop).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()


class Process:
    """What this process has. A pool that does not fork makes its loop with the first task."""

    loop: Loop | None = None

    @classmethod
    def run(cls, work: Callable[[Database], Awaitable[T]]) -> T:
        """Do some work with the process's database."""
        if cls.loop is None or cls.loop.stuck:
            cls.loop = Loop()
        return cls.loop.run(work)

    @classmethod
    def close(cls) -> None:
        if cls.loop is not None and not cls.loop.stuck:
            cls.loop.close()
        cls.loop = None


@worker_process_init.connect
def begin(**_: object) -> None:
    Process.loop = Loop()


@worker_process_shutdown.connect
def end(**_: object) -> None:
    Process.close()
