"""A substitute's time is over: with the certificate, by the night; or before, when the holder is back."""

from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from typing import TYPE_CHECKING, Any
from uuid import UUID

from services import acts, deadlines
from services.access import system
from services.acts import Entry
from services.deadlines import Due, consequence
from services.deadlines.consequences import ENDS
from services.deadlines.store import NoMore
from services.errors import Conflict, Invalid
from services.permits.substitutes import store

if TYPE_CHECKING:
    from services.access import Actor
    from services.database import Transaction

DAY = timedelta(days=1)
END_SUBSTITUTE = "end_substitute"
NODE = "substitute"


@consequence(END_SUBSTITUTE, turn=ENDS)
async def over(tx: "Transaction", batch: Sequence[tuple[Due, Mapping[str, Any]]]) -> None:
    """Who drove in the holder's stead no longer may, from the day after the last."""
    entries = [
        Entry(
            subject_id=due.subject_id,
            legal_day=due.last_day + DAY,
            subject_kind=NODE,
            changes={"until": due.last_day, "article": due.article},
        )
        for due, _ in batch
        if due.subject_kind == NODE
    ]
    made = await acts.record_each(tx, system(tx.tenant_id), "substitute.ended", entries)
    await store.are_over(tx, list(made), list(made.values()))


async def end_substitute(
    tx: "Transaction",
    actor: "Actor",
    *,
    substitute_id: UUID,
    version: int | None = None,
    on: date | None = None,
    why: str | None = None,
) -> UUID:
    """The holder drives again before the substitute's last day; answers the substitute's id.

    Args:
        on: The first day without the substitute; today when it is not said.

    Raises:
        Conflict: The row has changed since the caller saw it, or their time is over.
    """
    office, day = actor.must("license"), on or tx.today
    if day > tx.today:
        raise Invalid("on", "future", "O dia do fim da substituição ainda não chegou.")
    await deadlines.settle(tx, day, (NODE, substitute_id))
    found = await store.substitute(tx, substitute_id, day, lock=True)
    if version is not None and found.version != version:
        raise Conflict(version, found.version)
    over = found.during.isempty or (found.during.upper is not None and found.during.upper <= tx.today)
    if found.state == "ended" or over:
        raise Conflict(message="Esta substituição já terminou.")
    act = await acts.record(
        tx, actor, "substitute.ended", on=(NODE, substitute_id), office=office, legal_day=day, why=why
    )
    await store.leave(tx, substitute_id, day, act.id)
    await deadlines.meet_all(tx, [NoMore((NODE, substitute_id), day, act.id)])
    return substitute_id
