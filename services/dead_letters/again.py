"""Trying again what failed: nights, each kept by a letter while it fails, and the parts of messages."""

from collections.abc import Awaitable, Callable, Sequence
from datetime import date
from typing import TYPE_CHECKING
from uuid import UUID

from services import acts, jobs, nights, notices
from services.dead_letters import store
from services.dead_letters.letters import Letter, bury, failed, succeeded
from services.outages import named

if TYPE_CHECKING:
    from services.database import Database

NIGHT, SEAL, JOBS, RELAY = "night", "seal", "jobs", "relay"  # what messages do, in a town
LOST = "WorkerLostError"


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


async def try_again(db: "Database", towns: Sequence[UUID]) -> int:
    """Nights and messages of these towns whose pause is over: how many succeeded."""
    return sum([await _try_town(db, town) for town in towns])


async def _try_town(db: "Database", town: UUID) -> int:
    async with db.reader(town) as tx:
        ready = await store.ready(tx)
    tasks = {NIGHT if letter.kind == "night" else letter.task for letter in ready}
    return sum([await _try_task(db, town, task) for task in sorted(tasks)])


async def _try_task(db: "Database", town: UUID, task: str) -> bool:
    if task == NIGHT:
        (outcome,) = await night(db, [town])
        return outcome.error is None
    try:
        await WORK[task](db, town)
    except Exception as error:
        async with db.transaction(town) as tx:
            await failed(tx, Letter.of_message(task), named(error))
        return False
    await done(db, task, [town])
    return True


async def _relay(db: "Database", town: UUID) -> None:
    await notices.turn(db, town, notices.Smtp(db.settings), None)


WORK: dict[str, Callable[["Database", UUID], Awaitable[object]]] = {
    SEAL: acts.seal_all,
    JOBS: jobs.work,
    RELAY: _relay,
}
