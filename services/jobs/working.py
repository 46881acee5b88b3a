"""A worker's turn at a town's jobs: claim the next for a while, do steps until the turn is over, leave the rest."""

from dataclasses import dataclass
from time import monotonic
from typing import TYPE_CHECKING, Any
from uuid import UUID

from services import dead_letters, watching
from services.errors import Conflict, Expected
from services.jobs import store
from services.jobs.steps import STEPS, Task
from services.outages import named

if TYPE_CHECKING:
    from services.database import Database

GAVE_UP = "gave up"


@dataclass(frozen=True, slots=True)
class Turn:
    """What came of it. ``more``: there is work left that may be taken up at once."""

    steps: int = 0
    more: bool = False


async def towns_with_jobs(db: "Database") -> list[UUID]:
    """Towns with something to take up, those first that were longest without."""
    async with db.directory() as directory:
        return await store.towns_with_jobs(directory)


async def work(db: "Database", tenant_id: UUID) -> Turn:
    """One turn: at most a slice of time, at least one step, of one job. Safe beside others and after a crash."""
    settings = db.settings
    async with db.transaction(tenant_id) as tx:
        claimed = await store.claim(tx, settings.job_lease_seconds)
        if claimed is not None and claimed.attempts > settings.job_attempts:
            await store.fail(tx, claimed.id, claimed.lease, GAVE_UP)
            await dead_letters.bury(tx, dead_letters.Letter.of_job(claimed.id), GAVE_UP)
            return Turn(more=True)
    if claimed is None:
        return Turn()
    with watching.work("job", tenant_id, trace=claimed.traceparent, job=claimed.id, operation=claimed.kind):
        return await steps_of(db, tenant_id, claimed)


async def steps_of(db: "Database", tenant_id: UUID, claimed: Any) -> Turn:
    """As many as its slice of time is long for, at least one."""
    settings = db.settings
    until, steps = monotonic() + settings.job_slice_seconds, 0
    while True:
        try:
            left = await one_step(db, tenant_id, claimed)
        except Exception as error:
            return Turn(steps, more=await failed(db, tenant_id, claimed, error))
        steps += 1
        if not left:
            return Turn(steps, more=True)
        if monotonic() >= until:
            async with db.transaction(tenant_id) as tx:
                await store.release(tx, claimed.id, claimed.lease, 0)
            return Turn(steps, more=True)


async def one_step(db: "Database", tenant_id: UUID, claimed: Any) -> bool:
    """Whether more of the job is left for this turn."""
    async with db.transaction(tenant_id, at_night=True) as tx:
        held = await store.hold(tx, claimed.id, claimed.lease)
        if held is None:
            return False
        await store.plan_anew(tx)
        task = Task(
            id=held.id,
            subject_id=held.subject_id,
            done=held.done,
            total=held.total,
            cursor=held.cursor,
            requested_by=held.requested_by,
            office=held.office,
            requested_act=held.requested_act,
        )
        made = await STEPS[held.kind](tx, task)
        total = held.total if made.total is None else made.total
        if made.finished:
            await store.finish(tx, held.id, done=made.done, total=total, result=made.result)
            await dead_letters.succeeded(tx, [dead_letters.Letter.of_job(held.id)])
            return False
        seconds = db.settings.job_lease_seconds
        await store.advance(tx, held.id, done=made.done, total=total, cursor=made.cursor, lease_seconds=seconds)
        return True


async def failed(db: "Database", tenant_id: UUID, claimed: Any, error: Exception) -> bool:
    """An expected no ends the job, with its message; what else went wrong is tried again, later each time."""
    lost = isinstance(error, Expected) and not isinstance(error, Conflict)
    if not lost:
        watching.failed("job", tenant_id, job=claimed.id)
    async with db.transaction(tenant_id) as tx:
        if lost or claimed.attempts >= db.settings.job_attempts:
            await store.fail(tx, claimed.id, claimed.lease, str(error) if lost else named(error))
            if not lost:
                await dead_letters.bury(tx, dead_letters.Letter.of_job(claimed.id), named(error))
            return True
        pause = db.settings.job_retry_seconds * 2 ** (claimed.attempts - 1)
        await store.release(tx, claimed.id, claimed.lease, pause)
        return False
