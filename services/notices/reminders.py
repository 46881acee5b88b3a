"""Reminders ahead of a last day: whom the law reminds, and how long ahead."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, Any

from services.notices import store
from services.notices.queue import NewNotice, queue
from tenants.law.calendar import Counting, count
from tenants.law.evaluation import Evaluation
from tenants.law.facts import Facts
from tenants.law.kinds.basis import NoticeItem
from tenants.law.quantity import Length

if TYPE_CHECKING:
    from services.database import Transaction
    from tenants.law.law import Law

AHEAD = Counting(code="aviso")  # the day itself is not counted


@dataclass(frozen=True, slots=True)
class Reminder:
    """A rule's reminder so long before its deadlines' last day; `latest` is the last one that it now tells of."""

    rule: str
    lead: str
    latest: date
    to: str
    template: str


def reminders(law: "Law") -> Iterator[Reminder]:
    """Those of a day's law, the longest lead first. A lead time that nobody has supplied yet reminds nobody."""
    nobody = Facts({}, law.book.vocabulary)
    for _, item in law.all(NoticeItem):
        leads = [lead.resolve(Evaluation(law, nobody)) for lead in item.lead]
        known = [
            (count(AHEAD, law.on, lead, law.calendar).last_day, lead) for lead in leads if isinstance(lead, Length)
        ]
        for latest, lead in sorted(known, key=lambda pair: pair[0], reverse=True):
            yield Reminder(item.on, str(lead), latest, item.to, item.template)


async def remind_batch(tx: "Transaction", today: date, most: int) -> int:
    """Write at most so many reminders that are due and not yet written: how many. None is left when it is none.

    A reminder is due from its lead before the last day until the last day, so that a missed night loses none.
    """
    if not await store.anything_open(tx, today):
        return 0
    for reminder in reminders(await tx.law(on=today)):
        found = await store.to_remind(tx, reminder.rule, reminder.lead, today, reminder.latest, most)
        if found:
            return await queue(tx, [notice(reminder, row) for row in found])
    return 0


def notice(reminder: Reminder, deadline: Any) -> NewNotice:
    return NewNotice(
        key=f"reminder:{deadline.id}:{reminder.lead}",
        template=reminder.template,
        subject_kind=deadline.subject_kind,
        subject_id=deadline.subject_id,
        to=reminder.to,
        deadline_id=deadline.id,
        holds_while="open",
        lead=reminder.lead,
    )
