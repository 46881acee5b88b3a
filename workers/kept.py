"""A task that loses nothing: tried again while database or broker is away, and in the end a dead letter."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any
from uuid import UUID

import structlog
from celery import Task
from celery.exceptions import SoftTimeLimitExceeded

from services.database import Database
from services.dead_letters import again
from services.settings import settings
from workers.loop import Process

if TYPE_CHECKING:
    _Task = Task[Any, Any]
else:
    _Task = Task  # it is not generic at run time

log = structlog.get_logger(__name__)
WORDS = {  # of those whose messages are about towns
    "workers.tasks.night": again.NIGHT,
    "workers.tasks.seal": again.SEAL,
    "workers.jobs.work": again.JOBS,
}


class Kept(_Task):
    """What one town makes fail is kept in that town; what arrives here has failed as a whole.

    It comes back after a pause that doubles, shortened by chance, so that a hundred messages which failed together do
    not come back together. A message whose process ended comes back by itself.
    """

    abstract = True
    autoretry_for = (Exception,)
    dont_autoretry_for = (SoftTimeLimitExceeded,)
    retry_backoff = settings().task_retry_seconds
    retry_backoff_max = settings().task_retry_most_seconds
    retry_jitter = True
    max_retries = settings().task_attempts - 1

    @property
    def given_out_again(self) -> bool:
        """Whether a process has ended in the middle of this message, or may have."""
        return bool((self.request.delivery_info or {}).get("redelivered"))

    def on_failure(self, exc: BaseException, task_id: str, args: Sequence[Any], *_: object) -> None:
        """The last attempt has failed. What it was about stays to be seen by the next sweep as well."""
        towns = towns_of(args)
        log.error("message failed", task=self.name, count=len(towns), kind=type(exc).__name__)
        if self.name not in WORDS:
            return

        async def bury(db: Database) -> None:
            await again.message_failed(db, WORDS[self.name], towns, exc)

        try:
            Process.run(bury)
        except Exception as error:  # the database is still away
            log.error("dead letter unwritten", task=self.name, count=len(towns), kind=type(error).__name__)


def towns_of(args: Sequence[Any]) -> list[UUID]:
    """A message is about the towns of its first argument."""
    first = args[0] if args else ()
    return [UUID(first)] if isinstance(first, str) else [UUID(town) for town in first]
