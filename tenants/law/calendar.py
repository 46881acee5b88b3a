"""Working days of a town, and the counting of legal terms in its local days."""

from calendar import SATURDAY, SUNDAY, monthrange
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cache
from types import MappingProxyType
from typing import Literal

from dateutil.easter import easter  # type: ignore[import-untyped]
from holidays import country_holidays
from pydantic import BaseModel, ConfigDict, Field

from tenants.law.quantity import Length, MonthDay

HolidayKind = Literal["holiday", "optional", "short_hours"]
MONTHS_A_YEAR = 12  # law-free: the calendar's
DAYS_A_WEEK = 7  # law-free: the calendar's
_DAY = timedelta(days=1)
_GOOD_FRIDAY = timedelta(days=-2)
_WEEKEND = {SATURDAY: "sábado", SUNDAY: "domingo"}
_KINDS: Mapping[HolidayKind, str] = {
    "holiday": "feriado",
    "optional": "ponto facultativo",
    "short_hours": "expediente reduzido",
}
_WEAKEST_FIRST: tuple[HolidayKind, ...] = ("short_hours", "optional", "holiday")


@dataclass(frozen=True, slots=True)
class Holiday:
    """A holiday of the town: on one day, on a day of every year, or ``easter`` days after Easter (before: negative).

    ``from_`` and ``until`` bound the days on which it is one. Raises ValueError unless exactly one day is given.
    """

    day: date | MonthDay | None
    title: str
    kind: HolidayKind = "holiday"
    act: str = ""
    from_: date | None = None
    until: date | None = None
    easter: int | None = None

    def __post_init__(self) -> None:
        if (self.day is None) == (self.easter is None):
            raise ValueError(f"{self.title}: a holiday has either a day or a distance from Easter")

    def in_year(self, year: int) -> date | None:
        if self.day is None:
            day = _easter(year) + timedelta(days=self.easter or 0)
        else:
            day = self.day.in_year(year) if isinstance(self.day, MonthDay) else self.day
        bounded = (self.from_ or date.min) <= day <= (self.until or date.max)
        return day if bounded and day.year == year else None


def _easter(year: int) -> date:
    day: date = easter(year)
    return day


@cache
def _official(uf: str, year: int) -> Mapping[date, str]:
    """National and state holidays. Good Friday is for each town to declare, and the library's is left out."""
    days = country_holidays("BR", subdiv=uf, years=year, language="pt_BR")
    good_friday = _easter(year) + _GOOD_FRIDAY
    return MappingProxyType({day: title for day, title in days.items() if day != good_friday})


class Calendar:
    """Which days a town works. Raises ValueError for a state that does not exist."""

    __slots__ = ("_municipal", "_uf", "_years")

    def __init__(self, uf: str, municipal: Sequence[Holiday] = ()) -> None:
        try:
            _official(uf, date.max.year)
        except NotImplementedError as error:
            raise ValueError(f"{uf!r} is no Brazilian state") from error
        self._uf, self._municipal = uf, tuple(municipal)
        self._years: dict[int, Mapping[date, tuple[HolidayKind, str]]] = {}

    def _year(self, year: int) -> Mapping[date, tuple[HolidayKind, str]]:
        """A full holiday wins over an optional one, and that over short hours."""
        if year not in self._years:
            days: dict[date, tuple[HolidayKind, str]] = {}
            for kind in _WEAKEST_FIRST:
                of_kind = ((h.in_year(year), h.title) for h in self._municipal if h.kind == kind)
                days |= {day: (kind, title) for day, title in of_kind if day}
            days |= {day: ("holiday", title) for day, title in _official(self._uf, year).items()}
            self._years[year] = days
        return self._years[year]

    def why_no_ending(self, day: date) -> str | None:
        """Why a term does not end on ``day``, in Portuguese: no work, or an office that closes early."""
        if weekend := _WEEKEND.get(day.weekday()):
            return weekend
        found = self._year(day.year).get(day)
        return found and f"{_KINDS[found[0]]}: {found[1]}"

    def why_not_working(self, day: date) -> str | None:
        """Why nobody works on ``day``, in Portuguese; a day of short hours is a working day."""
        found = self._year(day.year).get(day)
        short = found is not None and found[0] == "short_hours" and day.weekday() not in _WEEKEND
        return None if short else self.why_no_ending(day)

    def is_holiday(self, day: date) -> bool:
        """A full holiday, on whatever day of the week."""
        found = self._year(day.year).get(day)
        return found is not None and found[0] == "holiday"

    def is_working(self, day: date) -> bool:
        return self.why_not_working(day) is None


class Counting(BaseModel):
    """How a law counts a term (contagem de prazo), with its readings resolved.

    ``unit`` is what a "day" of the term means (none: as the length says); ``missing_day`` what stands for a day that
    the last month lacks: its last day, or the next day.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    code: str = Field(min_length=1)
    unit: Literal["days", "working_days", "months", "years"] | None = None
    first: Literal["out", "in"] = "out"
    start: Literal["any_day", "next_working"] = "any_day"
    roll: Literal["none", "next", "previous"] = "none"
    missing_day: Literal["last", "next"] = "last"

    def spelt(self, length: Length) -> tuple[int, Literal["days", "working_days", "months"]]:
        """``length`` in what is counted. Raises ValueError for hours, or for days where months are counted."""
        match length:
            case Length(count, "months" | "years" as per):
                return count * (MONTHS_A_YEAR if per == "years" else 1), "months"
            case Length(count, "working_days") if self.unit not in ("months", "years"):
                return count, "working_days"
            case Length(count, "days" | "weeks" as per) if self.unit not in ("months", "years"):
                unit: Literal["days", "working_days"] = "working_days" if self.unit == "working_days" else "days"
                return count * (DAYS_A_WEEK if per == "weeks" else 1), unit
        raise ValueError(f"the counting {self.code} does not count {length}")


@dataclass(frozen=True, slots=True)
class CountedDay:
    """One day of a count, whether it counts, and why (not), in Portuguese."""

    day: date
    counted: bool
    why: str


@dataclass(frozen=True, slots=True)
class DayCount:
    """A counted term: its event, its last day, the days that tell how; months are not told day by day."""

    start: date
    last_day: date
    days: tuple[CountedDay, ...]
    rolled_from: date | None = None


Suspensions = Sequence[tuple[date, date]]


@dataclass(frozen=True, slots=True)
class _Walk:
    """The parts of a count, forwards (``step`` one day) or backwards (minus one)."""

    counting: Counting
    calendar: Calendar
    suspensions: Suspensions
    step: timedelta

    def suspended(self, day: date) -> str | None:
        return "prazo suspenso" if any(first <= day <= last for first, last in self.suspensions) else None

    def opening(self, event: date) -> Iterator[CountedDay]:
        """What is passed over before the first day that counts."""
        day = event
        if self.counting.first == "out":
            yield CountedDay(day, False, "dia do começo: não se conta")
            day += self.step
        while self.counting.start == "next_working" and (
            why := self.suspended(day) or self.calendar.why_not_working(day)
        ):
            yield CountedDay(day, False, f"{why}: a contagem ainda não começa")
            day += self.step

    def by_days(self, day: date, count: int, *, working: bool) -> Iterator[CountedDay]:
        done = 0
        while done < count:
            why = self.suspended(day) or (self.calendar.why_not_working(day) if working else None)
            done += why is None
            yield CountedDay(day, why is None, why or f"{done}º dia")
            day += self.step

    def by_months(self, first: date, count: int) -> date:
        """The day of the same number, and as many days more as were suspended."""
        out = self.counting.first == "out"
        base = first - self.step if out else first
        there = add_months(base, count if self.step > timedelta() else -count)
        exact = there.day == base.day
        if out:
            there += _DAY * (not exact and self.counting.missing_day == "next")
        elif exact or self.step < timedelta():
            there -= self.step
        held = 0
        while True:
            last = there + held * self.step
            suspended = sum(1 for day in _between(first, last, self.step) if self.suspended(day))
            if suspended == held:
                return last
            held = suspended

    def roll(self, day: date) -> Iterator[CountedDay]:
        """The days passed over from ``day`` on, and then the day that stands instead; nothing if ``day`` stands."""
        step = {"none": timedelta(), "next": _DAY, "previous": -_DAY}[self.counting.roll]
        moved = False
        while step and (why := self.suspended(day) or self.calendar.why_no_ending(day)):
            yield CountedDay(day, False, f"{why}: o vencimento se desloca")
            day, moved = day + step, True
        if moved:
            yield CountedDay(day, True, "vencimento deslocado")

    def count(self, event: date, length: Length) -> DayCount:
        count, unit = self.counting.spelt(length)
        days = list(self.opening(event))
        first = days[-1].day + self.step if days else event
        if count and unit == "months":
            days.append(CountedDay(self.by_months(first, count), True, length.text))
        elif count:
            days += self.by_days(first, count, working=unit == "working_days")
        nominal = days[-1].day if count else event
        rolled = tuple(self.roll(nominal))
        last = rolled[-1].day if rolled else nominal
        return DayCount(event, last, (*days, *rolled), nominal if rolled else None)


def count(
    counting: Counting, start_event: date, length: Length, calendar: Calendar, suspensions: Suspensions = ()
) -> DayCount:
    """The last day of a term. ``suspensions``: first and last day, both suspended; none may still be open.

    Raises:
        ValueError: The counting does not count such a length, or it is one of hours.
    """
    return _Walk(counting, calendar, suspensions, _DAY).count(start_event, length)


def count_back(
    counting: Counting, planned: date, length: Length, calendar: Calendar, suspensions: Suspensions = ()
) -> DayCount:
    """The last day that is still ``length`` before ``planned``. ``roll`` keeps its direction in the calendar."""
    return _Walk(counting, calendar, suspensions, -_DAY).count(planned, length)


def _between(first: date, last: date, step: timedelta) -> Iterator[date]:
    day = first
    while (day <= last) if step > timedelta() else (day >= last):
        yield day
        day += step


def add_months(day: date, months: int) -> date:
    """The day of the same number, or the last of a month that has none. Raises ValueError beyond the year 9999."""
    year, month = divmod(day.year * MONTHS_A_YEAR + day.month - 1 + months, MONTHS_A_YEAR)
    if not date.min.year <= year <= date.max.year:
        raise ValueError(f"{day} and {months} months is no day")
    return date(year, month + 1, min(day.day, monthrange(year, month + 1)[1]))


def months_between(first: date, last: date) -> int:
    """Whole months from ``first`` to ``last``: complete on the day of the same number; negative when reversed."""
    if last < first:
        return -months_between(last, first)
    months = (last.year - first.year) * MONTHS_A_YEAR + last.month - first.month
    return months - (add_months(first, months) > last)


def years_between(first: date, last: date) -> int:
    """Whole years from ``first`` to ``last``: complete on the anniversary; negative when reversed."""
    if last < first:
        return -years_between(last, first)
    return months_between(first, last) // MONTHS_A_YEAR
