"""When, on a town's clock, a band of hours is open: for fares and for rosters."""

import itertools
from collections.abc import Iterable, Iterator
from datetime import date, datetime, time, timedelta
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from tenants.law.quantity import Hours

if TYPE_CHECKING:
    from tenants.law.evaluation import Evaluation

DAY = timedelta(days=1)
MINUTE = timedelta(minutes=1)
WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
Span = tuple[datetime, datetime]  # first moment in, last one out


def local(ev: "Evaluation", moment: datetime) -> datetime:
    """A moment on the town's clock; one without a zone is already on it."""
    return moment if moment.tzinfo is None else moment.astimezone(ZoneInfo(ev.law.book.town.zone)).replace(tzinfo=None)


def days_of(span: Span) -> Iterator[date]:
    """Every day that has a moment of a span; of an empty one the day of its start."""
    day, end = span[0].date(), span[1]
    yield day
    while datetime.combine(day + DAY, time()) < end:
        day += DAY
        yield day


def segments(span: Span, edges: Iterable[datetime], bands: Iterable[Hours]) -> list[Span]:
    """A span cut at every edge, at midnight, and where a band opens or closes."""
    clocks = {time(), *(clock for band in bands for clock in (band.start, band.end))}
    cuts = {*span, *edges} | {datetime.combine(day, clock) for day in days_of(span) for clock in clocks}
    inside = sorted(cut for cut in cuts if span[0] <= cut <= span[1])
    return list(itertools.pairwise(inside))
