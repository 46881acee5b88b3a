"""The night: each town in batches, each batch committed, so that whoever cuts it short loses none."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import TYPE_CHECKING
from uuid import UUID

import structlog

from services import deadlines, watching
from services.acts.store import forget_plans
from services.clock import local_day
from services.errors import Invalid
from services.nights import store
from services.nights.deriving import night_law
from services.outages import named

if TYPE_CHECKING:
    from services.database import Database, Transaction

log = structlog.get_logger(__name__)


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


async def towns_with_orphans(db: "Database", tenant_ids: Sequence[UUID]) -> list[UUID]:
    """Of these towns, those in which evidence waits that no record will have any more."""
    async with db.directory() as directory:
        before = directory.now - timedelta(hours=db.settings.evidence_orphan_hours)
        return await store.towns_with_orphans(directory, tenant_ids, before)


async def night(
    db: "Database", tenant_ids: Sequence[UUID], day: date | None = None, *, at_once: bool = True
) -> list[Outcome]:
    """The work of `day` (each town's own, by default) in these towns; one's failure is recorded, the others go on.

    Safe twice, in parallel, and after a crash: what is done is done once, what is left is taken up.

    Args:
        at_once: Take those with nothing out of the ordinary together in one transaction; the others, and any that
            failed in it, have a night of their own.
    """
    done = await many(db, tenant_ids) if at_once and day is None else {}
    return [done[town] if town in done else await guarded(db, town, day) for town in tenant_ids]


async def many(db: "Database", tenant_ids: Sequence[UUID]) -> dict[UUID, Outcome]:
    """The towns that were done together; none when that failed as a whole."""
    try:
        async with db.directory() as directory:
            zones = await store.zones(directory, tenant_ids)
            days = {town: local_day(directory.now, zone) for town, zone in sorted(zones.items())}
            rows = await store.night_of_many(directory, days, db.settings)
    except Exception:
        log.exception("night of many towns failed", count=len(tenant_ids))
        return {}
    for row in rows:
        if row.error:
            log.warning("night of many towns left one", tenant=str(row.town), code=row.error)
    return {row.town: Outcome(row.town, row.expired, row.reminded) for row in rows if row.done}


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
    while done := await db.perform(tenant_id, lambda tx: turn(tx, chosen), at_night=True):
        expired, reminded = expired + done[0], reminded + done[1]
    return Outcome(tenant_id, expired, reminded)


async def turn(tx: "Transaction", day: date) -> tuple[int, int] | None:
    """One batch, after whoever is at it; None when the run has ended."""
    if not await store.claim(tx, day):
        return None
    await forget_plans(tx)
    return await batch(tx, day)


async def batch(tx: "Transaction", day: date) -> tuple[int, int]:
    """One batch, first of what is over, then of reminders; when neither is left, the run ends."""
    if closed := await deadlines.settle_batch(tx, day, tx.settings.night_batch):
        await store.add_counts(tx, day, "expired", closed)
        return closed, 0
    if told := await remind(tx, day, tx.settings.night_batch):
        await store.add_counts(tx, day, "reminded", told)
        return 0, told
    await store.finish(tx, day)
    return 0, 0


async def remind(tx: "Transaction", day: date, most: int) -> int:
    """Write at most so many reminders that are due and not yet written: how many. None is left when it is none.

    A reminder is due from its lead before the last day until the next lead, the smallest one until the last day
    itself, so that a missed night loses none and nobody is told twice of one day.
    """
    if not await store.anything_open(tx, day):
        return 0
    return await store.remind(tx, day, await night_law(tx, day), most)
