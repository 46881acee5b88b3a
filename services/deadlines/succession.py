"""A term that takes the place of the one of its kind that still runs: a newer paper, a prolonged stay."""

from collections.abc import Sequence
from datetime import date
from typing import TYPE_CHECKING
from uuid import UUID

from services.deadlines import store
from services.deadlines.changes import NewDeadline, close, meet, open_, replace

if TYPE_CHECKING:
    from services.database import Transaction


async def succeed(tx: "Transaction", new: NewDeadline, *, on: date) -> UUID:
    """Open it, and close as replaced what ran of its kind for the same subject."""
    running = await store.open_of(tx, (new.subject_kind, new.subject_id), [new.kind])
    if not running:
        return await open_(
            tx,
            kind=new.kind,
            rule=new.rule,
            subject=(new.subject_kind, new.subject_id),
            opened_on=new.opened_on,
            last_day=new.last_day,
            article=new.article,
            act_id=new.opened_act,
            inputs=new.inputs,
            counted=new.counted,
            follows=new.follows,
        )
    for other in running[1:]:
        await meet(tx, other, on=on, act_id=new.opened_act)
    return await replace(tx, running[0], new, on=on)


async def hand_over(
    tx: "Transaction", running: Sequence[UUID], successors: Sequence[UUID], *, on: date, act_id: UUID
) -> None:
    """What ran of a kind is replaced by the newer one; where several ran, or none follows, it is met."""
    for at, old in enumerate(running):
        closing = (
            store.Closing("replaced", on, act_id, successors[at])
            if at < len(successors)
            else store.Closing("met", on, act_id)
        )
        await close(tx, old, closing, None)
