"""Long work: one job of a town at a time, each town in its turn, nothing of it lost or done twice."""

from collections.abc import Iterator
from uuid import UUID, uuid4

import pytest

from services import acts, jobs
from services.access import operator
from services.database import Database, Transaction
from services.errors import Conflict, Invalid
from services.jobs import Progress, Task, store, working
from services.jobs.steps import STEPS
from tests.support.register import found

CLERK = operator("clerk")
STEPS_OF_ONE = 3


class Broken(RuntimeError):
    pass


@pytest.fixture(autouse=True)
def counting() -> Iterator[list[UUID]]:
    """A kind of job that counts to three, one row of a counter a step."""
    done: list[UUID] = []

    async def count(tx: Transaction, task: Task) -> Progress:
        await tx.rows(
            "INSERT INTO counter VALUES (:tenant, 'job', 2026, 1) "
            "ON CONFLICT (tenant_id, name, year) DO UPDATE SET value = counter.value + 1"
        )
        done.append(tx.tenant_id)
        at = task.cursor.get("at", 0) + 1
        return Progress(at, total=STEPS_OF_ONE, cursor={"at": at}, finished=at == STEPS_OF_ONE, result={"at": at})

    async def breaks(tx: Transaction, task: Task) -> Progress:
        raise Broken("with what it held")

    async def refuses(tx: Transaction, task: Task) -> Progress:
        raise Invalid("file", "form", "O arquivo não serve.")

    kinds = {"count": count, "breaks": breaks, "refuses": refuses}
    STEPS.update(kinds)
    yield done
    for kind in kinds:
        del STEPS[kind]


async def queued(db: Database, town: UUID, kind: str = "count", subject: UUID | None = None) -> UUID:
    async with db.transaction(town) as tx:
        of = ("thing", subject or uuid4())
        act = await acts.record(tx, CLERK, "thing.asked", on=of)
        return await jobs.queue(tx, CLERK, act, kind=kind, subject=of, office=None)


async def job(db: Database, town: UUID, id: UUID) -> tuple[str, int, str | None]:
    async with db.reader(town) as tx:
        row = await store.one(tx, id)
    return row.state, row.done, row.error


def in_slices_of(db: Database, seconds: int, **more: int) -> None:
    db.settings = db.settings.model_copy(update={"job_slice_seconds": seconds, "job_retry_seconds": 0, **more})


async def counted(db: Database, town: UUID) -> int:
    async with db.reader(town) as tx:
        return int(await tx.scalar("SELECT value FROM counter WHERE name = 'job'") or 0)


async def test_a_job_is_done_step_by_step_and_says_how_far_it_is(own_database: Database) -> None:
    in_slices_of(own_database, 0)
    town = await found(own_database)
    id = await queued(own_database, town)

    seen = [await job(own_database, town, id)]
    while (await jobs.work(own_database, town)).more:
        seen.append(await job(own_database, town, id))

    assert [(state, done) for state, done, _ in seen] == [("queued", 0), ("running", 1), ("running", 2), ("done", 3)]
    async with own_database.reader(town) as tx:
        assert (await store.one(tx, id)).result == {"at": 3}


async def test_towns_take_turns(own_database: Database, counting: list[UUID]) -> None:
    """Two jobs of one town never come before the one of another that waits as long."""
    in_slices_of(own_database, 0)
    one, other = await found(own_database, "vila-um"), await found(own_database, "vila-dois")
    for town in (one, one, other):
        await queued(own_database, town)

    while towns := await jobs.towns_with_jobs(own_database):
        await jobs.work(own_database, towns[0])

    assert counting[:6] in ([one, other] * 3, [other, one] * 3)
    assert counting[6:] == [one] * 3


async def test_one_job_of_a_town_runs_at_a_time(own_database: Database) -> None:
    town = await found(own_database)
    first, second = await queued(own_database, town), await queued(own_database, town)

    async with own_database.transaction(town) as tx:
        held = await store.claim(tx, 60)
    async with own_database.transaction(town) as tx:
        beside = await store.claim(tx, 60)

    assert held is not None
    assert (held.id, beside) == (first, None)
    assert await jobs.towns_with_jobs(own_database) == []
    assert (await job(own_database, town, second))[0] == "queued"


async def test_whoever_lost_the_turn_writes_nothing(own_database: Database) -> None:
    """Its lease ran out and another took the job up: what the first still does is not kept."""
    town = await found(own_database)
    id = await queued(own_database, town)
    async with own_database.transaction(town) as tx:
        slow = await store.claim(tx, 0)
    async with own_database.transaction(town) as tx:
        quick = await store.claim(tx, 60)

    assert await working.one_step(own_database, town, slow) is False
    assert await working.one_step(own_database, town, quick) is True
    assert await counted(own_database, town) == 1
    assert (await job(own_database, town, id))[1] == 1


async def test_a_bug_is_tried_again_and_given_up_without_what_it_held(own_database: Database) -> None:
    in_slices_of(own_database, 0, job_attempts=3)
    town = await found(own_database)
    id = await queued(own_database, town, "breaks")

    states = []
    for _ in range(3):
        await jobs.work(own_database, town)
        states.append(await job(own_database, town, id))

    assert [state for state, _, _ in states] == ["running", "running", "failed"]
    assert states[-1][2] == "Broken"


async def test_a_worker_that_dies_every_time_ends_the_job_too(own_database: Database) -> None:
    in_slices_of(own_database, 0, job_attempts=2)
    town = await found(own_database)
    id = await queued(own_database, town)
    for _ in range(2):
        async with own_database.transaction(town) as tx:
            await store.claim(tx, 0)

    await jobs.work(own_database, town)

    assert await job(own_database, town, id) == ("failed", 0, working.GAVE_UP)


async def test_an_expected_no_ends_the_job_with_its_message_and_the_next_goes_on(own_database: Database) -> None:
    town = await found(own_database)
    bad, good = await queued(own_database, town, "refuses"), await queued(own_database, town)

    while (await jobs.work(own_database, town)).more:
        continue

    assert await job(own_database, town, bad) == ("failed", 0, "O arquivo não serve.")
    assert (await job(own_database, town, good))[0] == "done"


async def test_the_same_is_asked_once_at_a_time(own_database: Database) -> None:
    town, subject = await found(own_database), uuid4()
    await queued(own_database, town, subject=subject)

    with pytest.raises(Conflict):
        await queued(own_database, town, subject=subject)
    while (await jobs.work(own_database, town)).more:
        continue
    await queued(own_database, town, subject=subject)
