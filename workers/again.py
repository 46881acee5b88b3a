"""What failed and has waited is tried again: nights, and the parts of messages, of towns alone."""

from uuid import UUID

from services.database import Database
from services.dead_letters import again as letters
from services.settings import settings
from workers.app import app
from workers.kept import Kept
from workers.loop import Process


@app.task(name="workers.again.start_again")
def start_again() -> int:
    """A town a message: there are few, and one that ends the process takes no other with it."""
    towns = Process.run(letters.towns_to_try_again)
    for town in towns:
        again.apply_async((str(town),), expires=settings().again_every_seconds)
    return len(towns)


@app.task(name="workers.again.again", base=Kept, bind=True)
def again(self: Kept, tenant_id: str) -> bool:
    """What fails again waits longer, and so does what ended the process."""
    town, given_out_again = UUID(tenant_id), self.given_out_again

    async def work(db: Database) -> bool:
        if given_out_again:
            await letters.lost_again(db, town)
            return False
        return await letters.try_again(db, town)

    return Process.run(work)
