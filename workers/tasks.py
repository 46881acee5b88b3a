"""Sweeps, which beat sends and which look for towns with work, and the work itself, a chunk of towns a message.

Nothing is retried here: what was not done is still to be seen in the database, and the next sweep sees it.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any
from uuid import UUID

from celery import Task
from celery.exceptions import SoftTimeLimitExceeded
from celery.signals import beat_init

from services import acts, nights, notices
from services.database import Database
from services.evidence.cleaning import drop_orphans
from services.evidence.storage import storage_of
from services.settings import settings
from workers.app import app
from workers.loop import Process


def chunks(towns: Sequence[UUID]) -> Iterator[list[str]]:
    size = settings().night_towns_a_message
    for start in range(0, len(towns), size):
        yield [str(town) for town in towns[start : start + size]]


def send(task: "Task[[list[str]], Any]", towns: Sequence[UUID], every_seconds: int) -> int:
    """In so many messages; one not taken until the next sweep is left to that."""
    sent = [task.apply_async((chunk,), expires=every_seconds) for chunk in chunks(towns)]
    return len(sent)


@app.task(name="workers.tasks.start_nights")
def start_nights() -> int:
    return send(night, Process.run(nights.due_towns), settings().night_every_seconds)


@app.task(name="workers.tasks.start_relays")
def start_relays() -> int:
    return send(relay, Process.run(nights.towns_with_notices), settings().relay_every_seconds)


@app.task(name="workers.tasks.start_seals")
def start_seals() -> int:
    return send(seal, Process.run(nights.towns_to_seal), settings().seal_every_seconds)


@app.task(name="workers.tasks.night")
def night(tenant_ids: list[str]) -> int:
    """Each town in its own batches under its own run; one that fails is recorded and the others go on."""
    towns = [UUID(town) for town in tenant_ids]

    async def work(db: Database) -> int:
        done = sum(outcome.expired + outcome.reminded for outcome in await nights.night(db, towns))
        return done + sum([await drop_orphans(db, storage_of(db.settings), town) for town in towns])

    try:
        return Process.run(work)
    except SoftTimeLimitExceeded:
        night.apply_async((tenant_ids,))  # what is done is done; the rest goes on in a task of its own
        raise


@app.task(name="workers.tasks.relay")
def relay(tenant_ids: list[str]) -> dict[str, int]:
    """Send what these towns have queued."""
    towns = [UUID(town) for town in tenant_ids]

    async def work(db: Database) -> Counter[str]:
        return await notices.relay_towns(db, towns, notices.Smtp(db.settings))

    return dict(Process.run(work))


@app.task(name="workers.tasks.seal")
def seal(tenant_ids: list[str]) -> int:
    """Seal what these towns' acts wait for."""
    towns = [UUID(town) for town in tenant_ids]

    async def work(db: Database) -> int:
        return sum([await acts.seal_all(db, town) for town in towns])

    return Process.run(work)


@beat_init.connect
def look_at_once(**_: object) -> None:
    """Beat waits a whole interval before its first round; a night that was missed need not."""
    start_nights.apply_async()
