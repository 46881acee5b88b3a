"""Recording that deadlines are over. A missed night changes no answer: what is due is due by its last day alone.

Day by day, the oldest first: what follows from one day may change what is due on the next, so that a night that
catches up comes to what the nights would have come to, each on its day.
"""

from collections.abc import Sequence
from datetime import date
from typing import TYPE_CHECKING, Any
from uuid import UUID

from services.deadlines import store
from services.deadlines.consequences import Due, carry_out, consequence, turns
from services.notices.queue import tell_of_expiry

if TYPE_CHECKING:
    from services.database import Transaction

Subject = tuple[str, UUID]

consequence("notify")(tell_of_expiry)


async def settle(
    tx: "Transaction", today: date | None = None, subject: Subject | Sequence[Subject] | None = None
) -> int:
    """Record every deadline that is over before `today` (the town's, and never a later one) until none is: how many.

    A mutation calls it first for what it is about, so that an expiry always precedes the act after it. What follows
    may itself be over, and is then recorded too, each on its own legal day.
    """
    today = tx.today if today is None else min(today, tx.today)
    total = 0
    if subject is None:
        while closed := await settle_batch(tx, today, tx.settings.night_batch):
            total += closed
        return total
    subjects = several(subject)
    while last_day := await store.oldest_due_of(tx, today, subjects):
        rows = await store.expire_day_of(tx, last_day, subjects)
        await follow(tx, rows)
        total += len(rows)
    return total


async def settle_batch(tx: "Transaction", today: date, most: int) -> int:
    """At most so many of the oldest day. None is the answer only when none is left, also of those that others held.

    Within a day, first that of which nothing ends: where a day is cut into batches makes no difference to its outcome.
    """
    while last_day := await store.oldest_due(tx, today):
        await store.lock_permits_due(tx, last_day)
        rows = await store.expire_day(tx, last_day, most, turns())
        await follow(tx, rows)
        if rows:
            return len(rows)
    return 0


def several(subject: Subject | Sequence[Subject]) -> list[Subject]:
    match subject:
        case (str(kind), UUID() as subject_id):
            return [(kind, subject_id)]
    return [(str(kind), subject_id) for kind, subject_id in subject]


async def follow(tx: "Transaction", rows: Sequence[Any]) -> None:
    """What follows, in the order of the last days."""
    ordered = sorted(rows, key=lambda row: (row.last_day, row.id))
    await carry_out(tx, [(due(row), row.follows) for row in ordered])


def due(row: Any) -> Due:
    return Due(
        id=row.id,
        kind=row.kind,
        rule=row.rule,
        subject_kind=row.subject_kind,
        subject_id=row.subject_id,
        last_day=row.last_day,
        article=row.article,
        act_id=row.act_id,
    )
