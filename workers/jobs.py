"""Long work, a town a message: each town has its turn, however much another has to do."""

from uuid import UUID

from services import jobs
from services.campaigns import opening  # noqa: F401 - it names what its jobs do
from services.database import Database
from services.importing import checking, running  # noqa: F401 - they name what their jobs do
from services.recomputing import running as recomputing  # noqa: F401 - so does this
from services.settings import settings
from workers.app import app
from workers.kept import Kept
from workers.loop import Process


@app.task(name="workers.jobs.start_jobs")
def start_jobs() -> int:
    """In the order of who waited longest; what is not taken until the next sweep is left to that."""
    towns = Process.run(jobs.towns_with_jobs)
    for town in towns:
        work.apply_async((str(town),), expires=settings().job_every_seconds)
    return len(towns)


@app.task(name="workers.jobs.work", base=Kept)
def work(tenant_id: str) -> int:
    """One turn of a town; what is left goes to the end of the queue."""
    town = UUID(tenant_id)

    async def turn(db: Database) -> jobs.Turn:
        return await jobs.work(db, town)

    done = Process.run(turn)
    if done.more:
        work.apply_async((tenant_id,), expires=settings().job_lease_seconds)
    return done.steps
