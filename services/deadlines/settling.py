"""Recording that deadlines are over. A missed night changes no answer: what is due is due by its last day alone."""

from collections.abc import Sequence
from datetime import date
from importlib import import_module
from typing import TYPE_CHECKING, Any
from uuid import UUID

from services import acts
from services.access import system
from services.acts import Entry
from services.deadlines import store
from services.deadlines.consequences import FOLLOWING, Due, carry_out, consequence
from services.notices.queue import tell_of_expiry

if TYPE_CHECKING:
    from services.database import Transaction

Subject = tuple[str, UUID]

consequence("notify")(tell_of_expiry)


async def settle(
    tx: "Transaction", today: date | None = None, subject: Subject | Sequence[Subject] | None = None
) -> int:
    """Record every deadline that is over before `today` (the town's, by default) until none is: how many.

    A mutation calls it first for what it is about, so that an expiry always precedes the act after it. What follows
    may itself be over, and is then recorded too, each on its own legal day.
    """
    today = tx.today if today is None else today
    total = 0
    if subject is None:
        while closed := await settle_batch(tx, today, tx.settings.night_batch):
            total += closed
        return total
    subjects = several(subject)
    while await store.any_due_of(tx, today, subjects):
        rows = await store.close_due_of(tx, today, subjects)
        await record_expired(tx, rows)
        total += len(rows)
    return total


async def settle_batch(tx: "Transaction", today: date, most: int) -> int:
    """At most so many, oldest first. None is the answer only when none is left, also of those that others held."""
    while await store.any_due(tx, today):
        rows = await store.close_due(tx, today, most)
        await record_expired(tx, rows)
        if rows:
            return len(rows)
    return 0


def several(subject: Subject | Sequence[Subject]) -> list[Subject]:
    match subject:
        case (str(kind), UUID() as subject_id):
            return [(kind, subject_id)]
    return [(str(kind), subject_id) for kind, subject_id in subject]


async def record_expired(tx: "Transaction", rows: Sequence[Any]) -> None:
    """Their acts, on their last days, and what follows."""
    if not rows:
        return
    made = await acts.record_each(tx, system(tx.tenant_id), "deadline.expired", [entry(row) for row in rows])
    await store.name_closing_acts(tx, made)
    import_module(FOLLOWING)
    await carry_out(tx, [(due(row, made[row.id]), row.follows) for row in rows])


def entry(row: Any) -> Entry:
    changes = {
        "state": "expired",
        "kind": row.kind,
        "rule": row.rule,
        "of": {"kind": row.subject_kind, "id": row.subject_id},
        "openedOn": row.opened_on,
        "lastDay": row.last_day,
        "article": row.article,
    }
    return Entry(subject_id=row.id, legal_day=row.last_day, subject_kind="deadline", changes=changes)


def due(row: Any, act_id: UUID) -> Due:
    return Due(
        id=row.id,
        kind=row.kind,
        rule=row.rule,
        subject_kind=row.subject_kind,
        subject_id=row.subject_id,
        last_day=row.last_day,
        article=row.article,
        act_id=act_id,
    )
