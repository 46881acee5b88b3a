"""What moves with such a deadline: what an inspection says of it, how long a substitute drives, a paper's demand."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from services.recomputing.counting import Moved
from services.recomputing.known import store
from services.recomputing.known.knowing import SUBSTITUTE, VEHICLE
from services.terms import DAY

if TYPE_CHECKING:
    from services.database import Transaction


async def follow(tx: "Transaction", moved: Sequence[Moved]) -> None:
    """The deadlines have their new days already."""
    vehicles = [each.row.id for each in moved if each.row.subject_kind == VEHICLE]
    if vehicles:
        await store.inspected(tx, vehicles)
    driving = [
        (each.row.subject_id, each.row.last_day + DAY, each.count.last_day + DAY)
        for each in moved
        if each.row.subject_kind == SUBSTITUTE
    ]
    if driving:
        await store.drive(tx, driving)
    demanded = [
        (each.row.id, each.count.rule, each.count.article)
        for each in moved
        if each.count.rule is not None and each.count.article is not None
    ]
    if demanded:
        await store.demanded(tx, demanded)
