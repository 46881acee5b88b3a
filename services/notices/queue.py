"""Writing notices down, in the transaction of what they tell of."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from uuid import UUID

from services.errors import NoLawInForce
from services.notices import store
from services.notices.offices import offices, reaches
from tenants.law.receivers import WORDS

if TYPE_CHECKING:
    from services.database import Transaction
    from services.deadlines.consequences import Due


@dataclass(frozen=True, slots=True, kw_only=True)
class NewNotice:
    """`key` is once in a town: writing it twice is writing it once. Who else it reaches has its row behind that key.

    `to`: whom of the subject's people (`holder`, `driver`, `candidate`, `party`, `representative`, `complainant`), or
    `office`: those who see to such a subject; or an office by its code, or by a power. `holds_while`: the state in
    which `deadline_id` must still be when it is sent. `payload`: what the text needs beyond what the register knows;
    no personal data.
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
    """How many are new. Raises ValueError for a kind of subject, or a word of it, that stands for nobody."""
    known = await _offices(tx, new)
    for each in new:
        if not reaches(known, each.subject_kind, each.to):
            raise ValueError(f"nobody is {each.to!r} of a {each.subject_kind!r}")
    return await store.add(tx, new, known, tx.settings.mail_domain) if new else 0


async def queue_as_told(tx: "Transaction", new: Sequence[NewNotice]) -> int:
    """The same for what a law or a row of the register says: whoever it means to reach in vain is a clerk's task."""
    return await store.add(tx, new, await _offices(tx, new), tx.settings.mail_domain) if new else 0


async def _offices(tx: "Transaction", new: Sequence[NewNotice]) -> dict[str, list[str]]:
    """The law need not be read for those that are to people."""
    if all(each.to in WORDS for each in new):
        return {}
    try:
        return offices(await tx.law(on=tx.today))
    except NoLawInForce:
        return {}


async def tell_of_expiry(tx: "Transaction", batch: Sequence[tuple["Due", Mapping[str, Any]]]) -> None:
    """The consequence `notify`: that a deadline is over, with the template that the law names."""
    await queue_as_told(
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
