"""A permit that ends because its term is over (caducidade pelo termo): the night records what the law brought about."""

from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from services import acts, deadlines
from services.access import system
from services.acts import Entry
from services.deadlines import Due, consequence
from services.deadlines.consequences import ENDS
from services.deadlines.store import NoMore
from services.fleet.leaving import permits_ended
from services.permits.endings import store

if TYPE_CHECKING:
    from services.database import Transaction

DAY = timedelta(days=1)
END_PERMIT = "end_permit"


async def end(tx: "Transaction", ends: Sequence[store.End]) -> None:
    """Permits end with all that serves them, and nothing more is demanded of them; what was fined is still due."""
    by_permit = {each.permit_id: each for each in ends}
    subjects = await store.subjects_of(tx, list(by_permit))
    await permits_ended(tx, [(each.permit_id, each.day, each.act_id) for each in ends])
    await store.end(tx, ends)
    closing = [(row, by_permit[row.permit_id]) for row in subjects]
    await deadlines.meet_all(tx, [NoMore((row.kind, row.id), end.day, end.act_id) for row, end in closing])


@consequence(END_PERMIT, turn=ENDS)
async def lapse(tx: "Transaction", batch: Sequence[tuple[Due, Mapping[str, Any]]]) -> None:
    """Each permit whose term is over ends with the cause that the law gives, on the day after its last."""
    over = {due.subject_id: (due, follow) for due, follow in batch if due.subject_kind == "permit"}
    running = await store.not_ended(tx, list(over))
    due_now = [(due, follow) for id, (due, follow) in over.items() if id in running]
    if not due_now:
        return
    entries = [
        Entry(
            subject_id=due.subject_id,
            legal_day=due.last_day + DAY,
            subject_kind="permit",
            changes={"cause": follow["cause"], "endedOn": due.last_day + DAY, "article": due.article},
        )
        for due, follow in due_now
    ]
    made = await acts.record_each(tx, system(tx.tenant_id), "permit.ended", entries)
    ends = [
        store.End(due.subject_id, due.last_day + DAY, follow["cause"], made[due.subject_id]) for due, follow in due_now
    ]
    await end(tx, ends)
