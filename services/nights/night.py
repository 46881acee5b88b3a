"""The night: each town in batches, each batch committed, so that whoever cuts it short loses none."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING
from uuid import UUID

import services.fleet.drawing
import services.permits.endings.lapsing
import services.permits.substitutes.leaving  # noqa: F401 - all carry out what follows a last day
from services import deadlines, watching
from services.errors import Invalid
from services.nights import store
from services.notices import remind_batch
from services.outages import named as named

if TYPE_CHECKING:
    from services.database import Database, Transaction


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one call did for one town: how many it recorded and reminded of, or the kind of error that stopped it."""

    tenant_id: UUID
    expired: int = 0
    reminded: int = 0
    error: str | None = None


async def due_towns(db: "Database") -> list[UUID]:
    """Towns whose own day has begun and which have something to do in it."""
    async with db.directory() as directory:
        return await store.towns_with_due(directory, db.settings.night_ahead_days)


async def towns_with_notices(db: "Database") -> list[UUID]:
    async with db.directory() as directory:
        return await store.towns_with_notices(directory)


async def towns_to_seal(db: "Database") -> list[UUID]:
    async with db.directory() as directory:
        return await store.towns_to_seal(directory)


async def night(db: "Database", tenant_ids: Sequence[UUID], day: date | None = None) -> list[Outcome]:
    """The work of `day` (each town's own, by default) in these towns; one's failure is recorded, the others go on.

    Safe twice, in parallel, and after a crash: what is done is done once, what is left is taken up.
    """
    return [await guarded(db, tenant_id, day) for tenant_id in tenant_ids]


async def guarded(db: "Database", tenant_id: UUID, day: date | None) -> Outcome:
    with watching.work(store.NIGHT, tenant_id):
        try:
            return await town_night(db, tenant_id, day)
        except Exception as error:
            watching.failed(store.NIGHT, tenant_id)
            name = named(error)
            async with db.transaction(tenant_id) as tx:
                await store.record_error(tx, day or tx.today, name)
            return Outcome(tenant_id, error=name)


async def town_night(db: "Database", tenant_id: UUID, day: date | None) -> Outcome:
    async with db.transaction(tenant_id) as tx:
        chosen = tx.today if day is None else day
        if chosen > tx.today:
            raise Invalid("day", "future", "Esse dia ainda não começou no município.")
        if not await store.start(tx, chosen):
            return Outcome(tenant_id)
    expired = reminded = 0
    while True:
        async with db.transaction(tenant_id, at_night=True) as tx:
            if not await store.claim(tx, chosen):
                return Outcome(tenant_id, expired, reminded)
            closed, told = await batch(tx, chosen)
        expired, reminded = expired + closed, reminded + told


async def batch(tx: "Transaction", day: date) -> tuple[int, int]:
    """One batch, first of what is over, then of reminders; when neither is left, the run ends."""
    if closed := await deadlines.settle_batch(tx, day, tx.settings.night_batch):
        await store.add_counts(tx, day, "expired", closed)
        return closed, 0
    if told := await remind_batch(tx, day, tx.settings.night_batch):
        await store.add_counts(tx, day, "reminded", told)
        return 0, told
    await store.finish(tx, day)
    return 0, 0
