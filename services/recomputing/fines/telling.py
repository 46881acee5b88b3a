"""What is kept of the facts of fines, of those on whose drawing a publication may bear: three statements for all."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any
from uuid import UUID

from sqlalchemy import Row

from services.enforcement.store import events_of_each
from services.recomputing.bearing import Bearing
from services.recomputing.fines import store
from services.recomputing.fines.drawing import Told

if TYPE_CHECKING:
    from services.transactions import Reader


async def told(tx: "Reader", rows: Sequence[Row[Any]], bearing: Bearing) -> dict[UUID, Told]:
    """No statement where it bears on none; what went before is asked for only where the law counts repetition."""
    drawn = [row for row in rows if bearing.on(row.codes, row.seen_on)]
    if not drawn:
        return {}
    kept = await store.told(tx, [row.id for row in drawn])
    again = [row for row in drawn if bearing.reach(row.codes).repeats]
    past = {row.id: events for row, events in zip(again, await events_of_each(tx, again), strict=True)} if again else {}
    return {id: Told(row.facts, row.decision, past.get(id, ())) for id, row in kept.items()}
