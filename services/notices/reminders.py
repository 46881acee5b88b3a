"""Reminders ahead of a last day: whom the law reminds, and how long ahead."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from typing import TYPE_CHECKING

from tenants.law.calendar import Counting, count
from tenants.law.evaluation import Evaluation
from tenants.law.facts import Facts
from tenants.law.kinds.basis import NoticeItem
from tenants.law.quantity import Length

if TYPE_CHECKING:
    from tenants.law.law import Law

DAY = timedelta(days=1)
AHEAD = Counting(code="aviso")  # the day itself is not counted


@dataclass(frozen=True, slots=True)
class Reminder:
    """A rule's reminder so long before its deadlines' last day. `mark` is once for a deadline.

    It now tells of the last days from `first` to `latest`. Only the smallest lead still to come counts: a nearer last
    day is the next lead's to tell of, so that whatever is first seen inside several leads is told once.
    """

    rule: str
    lead: str
    first: date
    latest: date
    to: str
    template: str
    mark: str


def reminders(law: "Law") -> Iterator[Reminder]:
    """Those of a day's law, the longest lead first. A lead time that nobody has supplied yet reminds nobody."""
    nobody = Facts({}, law.book.vocabulary)
    taken: set[tuple[str, str]] = set()
    for _, item in law.all(NoticeItem):
        leads = [lead.resolve(Evaluation(law, nobody)) for lead in item.lead]
        known = {
            count(AHEAD, law.on, lead, law.calendar).last_day: str(lead) for lead in leads if isinstance(lead, Length)
        }
        nearest = sorted(known)
        firsts = [law.on, *(day + DAY for day in nearest)]
        for first, latest in reversed(list(zip(firsts, nearest, strict=False))):
            lead = known[latest]
            mark = f"{lead}:{item.code}" if (item.on, lead) in taken else lead  # who else is told of the same
            taken.add((item.on, lead))
            yield Reminder(item.on, lead, first, latest, item.to, item.template, mark)
