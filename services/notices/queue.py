"""Writing notices down, in the transaction of what they tell of."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from uuid import UUID

from services.notices import store

if TYPE_CHECKING:
    from services.database import Transaction
    from services.deadlines.consequences import Due


@dataclass(frozen=True, slots=True, kw_only=True)
class NewNotice:
    """`key` is once in a town: writing it twice is writing it once.

    `to`: whom of the subject's people (`holder`, `driver`). `holds_while`: the state in which `deadline_id` must
    still be when it is sent. `payload`: what the text needs beyond what the register knows; no personal data.
    """

    key: str
    template: str
    subject_kind: str
    subject_id: UUID
    to: str = "holder"
    deadline_id: UUID | None = None
    holds_while: str | None = None
    lead: str | None = None
    payload: Mapping[str, Any] = field(default_factory=dict)


async def queue(tx: "Transaction", new: Sequence[NewNotice]) -> int:
    """How many are new. One whose person has no address is kept as dropped, so that it shows."""
    return await store.add(tx, new, tx.settings.mail_domain) if new else 0


async def tell_of_expiry(tx: "Transaction", batch: Sequence[tuple["Due", Mapping[str, Any]]]) -> None:
    """The consequence `notify`: that a deadline is over, with the template that the law names."""
    await queue(
        tx,
        [
            NewNotice(
                key=f"expired:{due.id}",
                template=follow.get("template", "term_expired"),
                subject_kind=due.subject_kind,
                subject_id=due.subject_id,
                to=follow.get("to", "holder"),
                deadline_id=due.id,
                holds_while="expired",
            )
            for due, follow in batch
        ],
    )
