"""Sweeps, which beat sends and which look for towns with work, and the work itself, a chunk of towns a message.

A sweep is not retried: what was not done is still to be seen in the database, and the next sweep sees it.
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
from services.dead_letters import again as letters
from services.evidence.cleaning import drop_orphans
from services.evidence.storage import storage_of
from services.importing.dropping import drop_old_files, towns_with_old_files
from services.settings import settings
from workers.app import app
from workers.kept import Kept
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
    """Towns whose night has failed today are left to `workers.again`, which pauses."""

    async def due(db: Database) -> list[UUID]:
        held = set(await letters.towns_held(db))
        return [town for town in await nights.due_towns(db) if town not in held]

    return send(night, Process.run(due), settings().night_every_seconds)


@app.task(name="workers.tasks.start_relays")
def start_relays() -> int:
    """As many hands as towns to share, up to a number: each goes from town to town."""
    towns = Process.run(nights.towns_with_notices)
    hands = min(len(towns), settings().relay_hands)
    for _ in range(hands):
        relay.apply_async(expires=settings().relay_every_seconds)
    return hands


@app.task(name="workers.tasks.start_seals")
def start_seals() -> int:
    return send(seal, Process.run(nights.towns_to_seal), settings().seal_every_seconds)


@app.task(name="workers.tasks.night", base=Kept, bind=True)
def night(self: Kept, tenant_ids: list[str]) -> int:
    """Each town in its own batches under its own run; one that fails is recorded and the others go on.

    A message that came back because a process ended, or that did not end in its time, goes on in halves: what ends
    every process or takes all time is soon alone.
    """
    towns = [UUID(town) for town in tenant_ids]
    given_out_again = self.given_out_again  # known to this thread alone
    if given_out_again and halved(towns):
        return 0

    alone = towns[0] if len(towns) == 1 else None
    begun: list[object] = []

    async def work(db: Database) -> int:
        if alone is not None:
            begun.append(await letters.progress(db, alone))
            if given_out_again and not await letters.lost(db, alone):
                return 0
        done = sum(outcome.expired + outcome.reminded for outcome in await letters.night(db, towns))
        orphaned = await nights.towns_with_orphans(db, towns)
        done += sum([await drop_orphans(db, storage_of(db.settings), town) for town in orphaned])
        return done + sum([await drop_old_files(db, town) for town in await towns_with_old_files(db, towns)])

    try:
        return Process.run(work)
    except SoftTimeLimitExceeded:
        if not halved(towns) and Process.run(lambda db: letters.timed_out(db, towns[0], begun[0] if begun else None)):
            night.apply_async((tenant_ids,))
        return 0


def halved(towns: Sequence[UUID]) -> bool:
    """What is done is done; the rest goes on in messages of its own. False for one town alone."""
    middle = len(towns) // 2
    halves = (towns[:middle], towns[middle:]) if middle else ()
    for half in halves:
        night.apply_async(([str(town) for town in half],))
    return bool(halves)


@app.task(name="workers.tasks.relay", base=Kept)
def relay() -> dict[str, int]:
    """A hand that sends, a turn of each town, for a slice of time; sweeps come sooner than that is over."""

    async def work(db: Database) -> Counter[str]:
        return await notices.go_round(db, notices.Smtp(db.settings))

    return dict(Process.run(work))


@app.task(name="workers.tasks.seal", base=Kept)
def seal(tenant_ids: list[str]) -> int:
    """Seal what these towns' acts wait for; the failure of one is kept and the others go on."""
    towns = [UUID(town) for town in tenant_ids]

    async def work(db: Database) -> int:
        sealed = await acts.seal_many(db, towns)
        await letters.done(db, letters.SEAL, sealed)
        left = [town for town in towns if town not in set(sealed)]
        return len(sealed) + await letters.in_each(db, letters.SEAL, left)

    return Process.run(work)


@beat_init.connect
def look_at_once(**_: object) -> None:
    """Beat waits a whole interval before its first round; a night that was missed need not."""
    start_nights.apply_async()
