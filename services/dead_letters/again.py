"""Trying again what failed: nights, each kept by a letter while it fails, and the parts of messages."""

from collections.abc import Awaitable, Callable, Sequence
from datetime import date
from typing import TYPE_CHECKING, Any
from uuid import UUID

from services import acts, jobs, nights, notices, watching
from services.dead_letters import store
from services.dead_letters.letters import Letter, bury, failed, succeeded
from services.outages import named, outage

if TYPE_CHECKING:
    from services.database import Database

NIGHT, SEAL, JOBS, RELAY = "night", "seal", "jobs", "relay"  # what messages do, in a town
LOST, TIMED_OUT = "WorkerLostError", "SoftTimeLimitExceeded"


async def towns_held(db: "Database") -> list[UUID]:
    """Towns whose night of today has failed: only `try_again` and a replay take it up."""
    async with db.directory() as directory:
        return await store.towns_held(directory)


async def towns_to_try_again(db: "Database") -> list[UUID]:
    """Towns with something whose pause is over."""
    async with db.directory() as directory:
        return await store.towns_to_try_again(directory)


async def night(db: "Database", towns: Sequence[UUID], day: date | None = None) -> list[nights.Outcome]:
    """A night in these towns: of each that fails there is a letter then, of each that succeeds there is none."""
    outcomes = await nights.night(db, towns, day)
    for outcome in outcomes:
        if outcome.error is not None:
            await _night_failed(db, outcome.tenant_id, outcome.error)
    await done(db, NIGHT, [outcome.tenant_id for outcome in outcomes if outcome.error is None])
    return outcomes


async def _night_failed(db: "Database", town: UUID, error: str) -> None:
    async with db.transaction(town) as tx:
        day = await store.failed_night(tx) or tx.today
        ready = [letter.day for letter in await store.ready(tx) if letter.kind == "night"]
        for each in sorted({day, *ready}):
            await failed(tx, Letter.of_night(each), error)


async def lost(db: "Database", town: UUID) -> bool:
    """A process has ended in the middle of this town's night: written down before it is begun again.

    Whether it may be: a town that ends every process that touches it is left alone in the end.
    """
    async with db.transaction(town) as tx:
        return not await failed(tx, Letter.of_night(tx.today), LOST)


async def done(db: "Database", task: str, towns: Sequence[UUID]) -> None:
    """Close what had failed of this task in these towns: hardly ever is there any."""
    async with db.directory() as directory:
        had_failed = set(await store.towns_with_letters(directory, task))
    for town in towns:
        if town in had_failed:
            async with db.transaction(town) as tx:
                letters = [Letter.of_message(task)]
                await succeeded(tx, [*letters, Letter.of_night(tx.today)] if task == NIGHT else letters)


async def message_failed(db: "Database", task: str, towns: Sequence[UUID], error: BaseException) -> None:
    """A message that failed as a whole for the last time: a dead letter in each of its towns."""
    for town in towns:
        async with db.transaction(town) as tx:
            await bury(tx, Letter.of_message(task), named(error))


async def in_each(db: "Database", task: str, towns: Sequence[UUID]) -> int:
    """The task in each of these towns; the failure of one is kept and the others go on: in how many it succeeded.

    Raises when it is the database that is away.
    """
    succeeded_in = [town for town in towns if await _kept(db, task, town)]
    await done(db, task, succeeded_in)
    return len(succeeded_in)


async def _kept(db: "Database", task: str, town: UUID) -> bool:
    with watching.work(task, town):
        try:
            await WORK[task](db, town)
        except Exception as error:
            if outage(error):
                raise
            watching.failed(task, town)
            async with db.transaction(town) as tx:
                await failed(tx, Letter.of_message(task), named(error))
            return False
        return True


async def progress(db: "Database", town: UUID) -> object:
    """How far the town's night has come: something that is another after each of its steps."""
    async with db.reader(town) as tx:
        return await store.progress(tx, tx.today)


async def timed_out(db: "Database", town: UUID, before: object) -> bool:
    """The town's night did not end in the time of a task. Whether it goes on at once: not without any progress."""
    if await progress(db, town) != before:
        return True
    await _night_failed(db, town, TIMED_OUT)
    return False


async def try_again(db: "Database", town: UUID) -> bool:
    """What of this town has waited: its night, its parts of messages. Whether all of it succeeded."""
    tasks = {NIGHT if letter.kind == "night" else letter.task for letter in await _ready(db, town)}
    return all([await _try_task(db, town, task) for task in sorted(tasks)])


async def _try_task(db: "Database", town: UUID, task: str) -> bool:
    if task == NIGHT:
        (outcome,) = await night(db, [town])
        return outcome.error is None
    return await in_each(db, task, [town]) == 1


async def lost_again(db: "Database", town: UUID) -> None:
    """A process has ended while it tried again: what it may have been about waits longer."""
    async with db.transaction(town) as tx:
        for letter in await store.ready(tx):
            await failed(tx, Letter(letter.kind, letter.key, day=letter.day, task=letter.task), LOST)


async def _ready(db: "Database", town: UUID) -> list[Any]:
    async with db.reader(town) as tx:
        return await store.ready(tx)


async def _relay(db: "Database", town: UUID) -> None:
    await notices.turn(db, town, notices.Smtp(db.settings), None)


WORK: dict[str, Callable[["Database", UUID], Awaitable[object]]] = {
    SEAL: acts.seal_all,
    JOBS: jobs.work,
    RELAY: _relay,
}
