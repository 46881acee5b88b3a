"""A town's calendar as its law knows it: each holiday on the days on which its version counts."""

from collections.abc import Iterator
from datetime import date, timedelta
from typing import TYPE_CHECKING

from tenants.law.calendar import Calendar, Holiday
from tenants.law.kinds.basis import HolidayItem

if TYPE_CHECKING:
    from tenants.law.law import Law

Period = tuple[date, date]
_DAY = timedelta(days=1)


def calendar_of(law: "Law") -> Calendar:
    """All holidays published by the law's moment, also those of other days: a term may begin or end there."""
    codes = law.book.codes(HolidayItem.kind)
    return Calendar(law.book.town.uf, tuple(holiday for code in codes for holiday in _holidays(law, code)))


def _holidays(law: "Law", code: str) -> Iterator[Holiday]:
    taken: list[Period] = []
    for item in law.published(HolidayItem, code):
        since, until = law.period(item)
        pieces = [(since or date.min, until or date.max)]
        for other in taken:
            pieces = [rest for piece in pieces for rest in _without(piece, other)]
        taken.append((since or date.min, until or date.max))
        for first, last in pieces:
            yield Holiday(item.day, item.title, item.sort, item.act, first, last, item.easter)


def _without(piece: Period, taken: Period) -> Iterator[Period]:
    """What is left of a period: of two versions of one holiday the later published counts where both would."""
    if taken[1] < piece[0] or taken[0] > piece[1]:
        yield piece
        return
    if piece[0] < taken[0]:
        yield piece[0], taken[0] - _DAY
    if taken[1] < piece[1]:
        yield taken[1] + _DAY, piece[1]
