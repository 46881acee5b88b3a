"""Quantities as the law writes them: ``47``, ``30 UPM``, ``6 months``, ``50%``, ``01-31``, ``22:00-06:00``.

``str()`` of a quantity is its literal, which ``parse_literal`` reads back; ``text()`` is what people read.
"""

import calendar
import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime, time
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_EVEN, ROUND_HALF_UP, Decimal
from typing import Annotated, Any, Literal, get_args

from pydantic import AliasChoices, Field

Per = Literal["hours", "days", "working_days", "weeks", "months", "years"]
RoundingMode = Literal["half-up", "half-even", "up", "down"]
PERCENT = Decimal(100)  # law-free: what per cent means
_CENTS = Decimal("0.01")  # law-free: the smallest coin
_PER_TEXT: dict[Per, tuple[str, str]] = {
    "hours": ("hora", "horas"),
    "days": ("dia", "dias"),
    "working_days": ("dia útil", "dias úteis"),
    "weeks": ("semana", "semanas"),
    "months": ("mês", "meses"),
    "years": ("ano", "anos"),
}
_MONTHS = (
    *("janeiro", "fevereiro", "março", "abril", "maio", "junho"),
    *("julho", "agosto", "setembro", "outubro", "novembro", "dezembro"),
)
LEAP_YEAR = 2000  # law-free: any leap year, in which every day of the year exists


def number_text(value: Decimal, digits: int | None = None) -> str:
    """As Brazil writes it: ``1.234,5``; ``digits`` after the comma, or as many as there are."""
    plain = f"{value:,f}" if digits is None else f"{value:,.{digits}f}"
    if digits is None and "." in plain:
        plain = plain.rstrip("0").rstrip(".")
    return plain.translate(str.maketrans(",.", ".,"))


@dataclass(frozen=True, slots=True, order=True)
class Number:
    """A bare number, exact."""

    value: Decimal

    def __str__(self) -> str:
        return f"{self.value:f}"

    @property
    def text(self) -> str:
        return number_text(self.value)


@dataclass(frozen=True, slots=True, order=True)
class Percent:
    """``Percent(Decimal(50))`` is fifty per cent."""

    value: Decimal

    @property
    def fraction(self) -> Decimal:
        return self.value / PERCENT

    def __str__(self) -> str:
        return f"{self.value:f}%"

    @property
    def text(self) -> str:
        return f"{number_text(self.value)}%"


@dataclass(frozen=True, slots=True)
class Amount:
    """A number of a unit of account: a fiscal unit, or BRL. Amounts of two units do not compare: TypeError."""

    value: Decimal
    unit: str

    def __str__(self) -> str:
        return f"{self.value:f} {self.unit}"

    @property
    def text(self) -> str:
        if self.unit != "BRL":
            return f"{number_text(self.value)} {self.unit}"
        whole = self.value == self.value.quantize(_CENTS)
        return f"R$ {number_text(self.value, 2 if whole else None)}"

    def _same(self, other: "Amount") -> Decimal:
        if other.unit != self.unit:
            raise TypeError(f"{self} and {other} are of different units")
        return other.value

    def __add__(self, other: "Amount") -> "Amount":
        return Amount(self.value + self._same(other), self.unit)

    def __lt__(self, other: "Amount") -> bool:
        return self.value < self._same(other)

    def __gt__(self, other: "Amount") -> bool:
        return self.value > self._same(other)


@dataclass(frozen=True, slots=True)
class Length:
    """A length of time as a law gives it. A month is not thirty days: lengths of two kinds do not compare."""

    count: int
    per: Per

    def __str__(self) -> str:
        word = self.per.replace("_", " ")
        return f"{self.count} {word.removesuffix('s') if self.count == 1 else word}"

    @property
    def text(self) -> str:
        one, many = _PER_TEXT[self.per]
        return f"{self.count} {one if self.count == 1 else many}"

    def _same(self, other: "Length") -> int:
        if other.per != self.per:
            raise TypeError(f"{self} and {other} are of different kinds")
        return other.count

    def __lt__(self, other: "Length") -> bool:
        return self.count < self._same(other)

    def __gt__(self, other: "Length") -> bool:
        return self.count > self._same(other)


@dataclass(frozen=True, slots=True)
class MonthDay:
    """A day of every year; ``day`` 0 is the last of its month."""

    month: int
    day: int

    def __post_init__(self) -> None:
        date(LEAP_YEAR, self.month, self.day or 1)  # raises ValueError

    def in_year(self, year: int) -> date:
        """29 February is the 28th in a year that has none."""
        last = calendar.monthrange(year, self.month)[1]
        return date(year, self.month, min(self.day or last, last))

    def on_or_after(self, day: date) -> date:
        this = self.in_year(day.year)
        return this if this >= day else self.in_year(day.year + 1)

    def __str__(self) -> str:
        return f"{self.month:02}-{f'{self.day:02}' if self.day else 'last'}"

    @property
    def text(self) -> str:
        day = "último dia" if not self.day else "1º" if self.day == 1 else str(self.day)
        return f"{day} de {_MONTHS[self.month - 1]}"


@dataclass(frozen=True, slots=True)
class Hours:
    """A band of the day, first minute in, last out; it may wrap midnight; equal ends are the whole day."""

    start: time
    end: time

    def contains(self, moment: time) -> bool:
        if self.start < self.end:
            return self.start <= moment < self.end
        return moment >= self.start or moment < self.end

    def __str__(self) -> str:
        return f"{_clock(self.start)}-{_clock(self.end)}"

    @property
    def text(self) -> str:
        return f"das {_clock(self.start)} às {_clock(self.end)}"


Quantity = Number | Amount | Length | Percent | MonthDay | Hours | date | time


def _clock(moment: time) -> str:
    return moment.isoformat("seconds" if moment.second else "minutes")


def _hours(start: str, end: str) -> Hours:
    return Hours(time.fromisoformat(start), time.fromisoformat(end))


def _length(count: str, word: str) -> Length:
    per: Per = next(per for per in get_args(Per) if per == f"{word.removesuffix('s')}s".replace(" ", "_"))
    return Length(int(count), per)


_DECIMAL = r"(-?\d+(?:\.\d+)?)"
_CLOCK = r"(\d\d:\d\d(?::\d\d)?)"
_LITERALS: tuple[tuple[re.Pattern[str], Callable[..., Quantity]], ...] = (
    (re.compile(_DECIMAL), lambda n: Number(Decimal(n))),
    (re.compile(rf"{_DECIMAL}\s?%"), lambda n: Percent(Decimal(n))),
    (re.compile(r"(\d+) (hours?|days?|working days?|weeks?|months?|years?)"), _length),
    (re.compile(rf"{_DECIMAL} ([A-ZÀ-Ü][\w.$-]*)"), lambda n, unit: Amount(Decimal(n), unit)),
    (re.compile(r"(\d\d)-(\d\d|last)"), lambda month, day: MonthDay(int(month), 0 if day == "last" else int(day))),
    (re.compile(r"(\d{4}-\d\d-\d\d)"), date.fromisoformat),
    (re.compile(_CLOCK), time.fromisoformat),
    (re.compile(rf"{_CLOCK}-{_CLOCK}"), _hours),
)
_FORMS = (
    "a number, an amount (a number and a unit), a length (a number and days, working days, weeks, months, years), "
    "a percentage, a yearly day (month-day, or month-last), a day (year-month-day), a time, or two times in a list"
)


def parse_literal(raw: object) -> Quantity:
    """A quantity from what TOML or JSON gives. Raises ValueError, saying which forms exist."""
    match raw:
        case bool() | float() | datetime():
            raise ValueError(f"{raw!r} is no literal of the law: {_FORMS}")
        case int() | Decimal():
            return Number(Decimal(raw))
        case Number() | Amount() | Length() | Percent() | MonthDay() | Hours() | date() | time():
            return raw
        case [time() as start, time() as end]:
            return Hours(start, end)
        case [str(start), str(end)] if re.fullmatch(_CLOCK, start) and re.fullmatch(_CLOCK, end):
            return _hours(start, end)
        case str():
            for pattern, make in _LITERALS:
                if found := pattern.fullmatch(raw):
                    return make(*found.groups())
    raise ValueError(f"{raw!r} is no literal of the law: {_FORMS}")


def literal(quantity: Quantity) -> str:
    """The one text that ``parse_literal`` reads as ``quantity``."""
    return _clock(quantity) if isinstance(quantity, time) else str(quantity)


def text(quantity: Quantity) -> str:
    """What people read, in Portuguese."""
    match quantity:
        case date():
            return quantity.strftime("%d/%m/%Y")
        case time():
            return _clock(quantity)
    return quantity.text


def scaled(base: Any, factor: Number | Percent) -> Any:
    """A multiple or percentage of a number, an amount, a percentage or (whole) a length.

    Raises:
        TypeError: ``base`` cannot be multiplied.
        ValueError: A length would no longer be whole.
    """
    by = factor.fraction if isinstance(factor, Percent) else factor.value
    match base:
        case Number(value):
            return Number(value * by)
        case Percent(value):
            return Percent(value * by)
        case Amount(value, unit):
            return Amount(value * by, unit)
        case Length(count, per):
            product = count * by
            if product != product.to_integral_value():
                raise ValueError(f"{literal(factor)} of {base} is no whole number of {per}")
            return Length(int(product), per)
    raise TypeError(f"{base!r} has no multiple")


@dataclass(frozen=True, slots=True)
class Rounding:
    """``up`` and ``down`` go towards the greater and the smaller number; ``digits`` after the comma."""

    mode: Annotated[RoundingMode, Field(validation_alias=AliasChoices("round", "mode"))]  # packs write ``round``
    digits: int = 0

    def __post_init__(self) -> None:
        if self.mode not in _ROUND:
            raise ValueError(f"{self.mode!r} is no rounding: one of {', '.join(_ROUND)}")

    def apply(self, value: Decimal) -> Decimal:
        return value.quantize(Decimal(1).scaleb(-self.digits), _ROUND[self.mode])


_ROUND = {"half-up": ROUND_HALF_UP, "half-even": ROUND_HALF_EVEN, "up": ROUND_CEILING, "down": ROUND_FLOOR}
