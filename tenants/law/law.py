"""The law of one day as known on another: which version of which item counts."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar

from tenants.law import standing
from tenants.law.calendar import Calendar, Counting, count
from tenants.law.citation import Norm
from tenants.law.decision import Missing, RuleUsed
from tenants.law.facts import Vocabulary
from tenants.law.kinds.basis import (
    Choice,
    CodeList,
    CountingItem,
    NormItem,
    Office,
    Reading,
    Series,
    Supplied,
)
from tenants.law.kinds.grants import Category
from tenants.law.quantity import Length, Number, Quantity, parse_literal
from tenants.law.rule import Item, OfficeRef, Rule
from tenants.law.town_calendar import calendar_of
from tenants.law.values import Const, ParamValue, Value, Word

if TYPE_CHECKING:
    from tenants.law.book import Book

I = TypeVar("I", bound=Item)  # noqa: E741
_CIVIL = Counting(code="civil")  # the day of the event out, no roll


def _ended(item: Item) -> bool:
    """A version that is off, whatever is read, ends its rule from its own first day on (revogação expressa)."""
    return isinstance(item, Rule) and item.off.reading is None and item.off.word == "yes"


@dataclass(frozen=True, slots=True)
class Version:
    """One version of an item. ``official_on`` None: official since ever, as far as the town's pack says."""

    item: Item
    seq: int
    official_on: date | None
    publication: str
    pack: str = ""  # "": the town's own; else the federal or state pack that it comes from
    payload: Mapping[str, Any] = field(default_factory=dict)  # as published, in JSON's own types


@dataclass(frozen=True, slots=True)
class InForce:
    """An item that counts on the law's day. ``doubt``: what must be supplied before that is certain."""

    item: Item
    since: date | None
    publication: str
    doubt: Missing | None = None
    payload: Mapping[str, Any] = field(default_factory=dict)

    @property
    def used(self) -> RuleUsed:
        item = self.item
        return RuleUsed(item.kind, item.code, item.title, item.cite, self.since, self.publication)


class Law:
    """Look-ups answer for ``on`` as officially published by ``known_at`` (None: all that is published)."""

    def __init__(self, book: "Book", on: date, known_at: date | None = None) -> None:
        self.book, self.on, self.known_at = book, on, known_at
        self._found: dict[tuple[str, str], InForce | None] = {}

    def at(self, day: date) -> "Law":
        """The same book and knowledge, on another day."""
        return self if day == self.on else Law(self.book, day, self.known_at)

    # --- items -------------------------------------------------------------------------------------------------

    def find(self, kind: str, code: str) -> InForce | None:
        """The version in force of an item, or None where the law has none that day."""
        key = (kind, code)
        if key not in self._found:
            found = self._latest(self.book.versions(kind, code))
            self._found[key] = None if found is not None and _ended(found.item) else found
        return self._found[key]

    def all(self, cls: type[I]) -> Iterator[tuple[InForce, I]]:
        """Every item of a kind that is in force, in the order of the book."""
        for code in self.book.codes(cls.kind):
            found = self.find(cls.kind, code)
            if found is not None and isinstance(found.item, cls):
                yield found, found.item

    def get(self, cls: type[I], code: str) -> I | None:
        found = self.find(cls.kind, code)
        return found.item if found is not None and isinstance(found.item, cls) else None

    def upcoming(self, cls: type[I]) -> list[InForce]:
        """What is published of a kind and not yet in force, with the day from which it will be, if that is known."""
        known = [v for code in self.book.codes(cls.kind) for v in self.book.versions(cls.kind, code) if self._known(v)]
        coming = []
        for version in known:
            item = version.item
            since, doubt = standing.start(self, item) if item.since is None else self._day(item.since)
            if doubt is not None or (since is not None and since > self.on):
                coming.append(InForce(item, since, version.publication, doubt))
        return coming

    def older(self, cls: type[I], code: str) -> InForce | None:
        """The version before the one that counts, even where it has ended: what a transition may keep."""
        current = self.find(cls.kind, code)
        versions = [v for v in self.book.versions(cls.kind, code) if current is None or v.item is not current.item]
        return self._latest(versions) or self._latest(versions, ended=True)

    def _latest(self, versions: Iterable[Version], *, ended: bool = False) -> InForce | None:
        """Of the versions whose period contains the day, the latest officially published; then the latest recorded."""
        for version in self._published(versions):
            found = self._in_force(version, ended=ended)
            if found is not None:
                return found
        return None

    def _published(self, versions: Iterable[Version]) -> list[Version]:
        """Those officially published by the law's moment, the latest first."""
        known = [version for version in versions if self._known(version)]
        return sorted(known, key=lambda v: (v.official_on or date.min, v.seq), reverse=True)

    def published(self, cls: type[I], code: str) -> Iterator[I]:
        """Every version of an item, of whatever day, the latest published first."""
        for version in self._published(self.book.versions(cls.kind, code)):
            if isinstance(version.item, cls):
                yield version.item

    def period(self, item: Item) -> tuple[date | None, date | None]:
        """The first and last day that an item itself states; None: open, or not known."""
        return self._day(item.since)[0], self._day(item.until)[0]

    def _in_force(self, version: Version, *, ended: bool) -> InForce | None:
        item = version.item
        since, doubt = standing.start(self, item) if item.since is None else self._day(item.since)
        until, late_doubt = self._day(item.until)
        if (since is not None and since > self.on) or (until is not None and until < self.on and not ended):
            return None
        back = item.since is not None
        binding, norm_doubt = standing.binds(self, item.cite[0], reaches_back=back) if item.cite else (True, None)
        if not binding:
            return None
        return InForce(item, since, version.publication, doubt or late_doubt or norm_doubt, version.payload)

    def _day(self, value: Value | None) -> tuple[date | None, Missing | None]:
        """A day of the law's own: a literal, or a parameter plus a length."""
        match value:
            case None:
                return None, None
            case Const(literal=date() as day):
                return day, None
            case ParamValue(param=code, add=add):
                found = self.param(code)
                if isinstance(found, Missing):
                    return None, found
                if not isinstance(found, date):
                    raise TypeError(f"parameter {code!r} is used as a day and is none")
                match add:
                    case None:
                        return found, None
                    case Const(literal=Length() as length):
                        return count(_CIVIL, found, length, Calendar(self.book.town.uf)).last_day, None
        raise TypeError(f"a period begins and ends on a day or a parameter, not on {value!r}")

    # --- norms -------------------------------------------------------------------------------------------------

    @cached_property
    def norms(self) -> Mapping[str, Norm]:
        """Every norm by its label, whatever its status, as the latest publication has it."""
        found = {code: next(self.published(NormItem, code), None) for code in self.book.codes(NormItem.kind)}
        return {code: item.norm for code, item in found.items() if item is not None}

    @cached_property
    def first_day(self) -> date | None:
        """The first day of the town's own first norm; None while a parameter that says so is missing."""
        return standing.first_day(self)

    # --- what the town says ------------------------------------------------------------------------------------

    def param(self, code: str) -> Quantity | str | bool | Missing:
        """The value that an act supplied for this day, or what is missing with the question to put."""
        found, declared = self.find(Supplied.kind, code), self.book.parameters.get(code)
        if found is None or not isinstance(found.item, Supplied):
            return Missing("parameter", code, declared.ask if declared else code)
        value = found.item.value
        as_written = isinstance(value, bool) or (declared is not None and declared.type in ("office", "word"))
        return value if as_written else parse_literal(value)

    def reading(self, code: str) -> tuple[Reading, str | None, bool]:
        """A reading, the option that counts (None: nobody has chosen and there is no default), and whether chosen."""
        found = self.find(Reading.kind, code)
        if found is None or not isinstance(found.item, Reading):
            raise LookupError(f"the law has no reading called {code!r}")
        item = found.item
        choice = self.find(Choice.kind, code)
        if choice is not None and isinstance(choice.item, Choice):
            return item, choice.item.option, True
        return item, item.default, False

    def series(self, code: str, *, same_year: bool = False) -> Number | Missing:
        """The latest point of a series at the law's day (of the day's own year, where the law says so)."""
        declared = self.get(Series, code)
        points = dict(declared.points) if declared else {}
        for version in self.book.versions(Supplied.kind, code):
            item = version.item
            if isinstance(item, Supplied) and isinstance(item.since, Const) and isinstance(item.since.literal, date):
                number = parse_literal(item.value)
                if isinstance(number, Number) and self._known(version):
                    points[item.since.literal] = number.value
        usable = [day for day in points if day <= self.on and (not same_year or day.year == self.on.year)]
        if not usable:
            return Missing("parameter", code, declared.ask if declared else code)
        return Number(points[max(usable)])

    def _known(self, version: Version) -> bool:
        return self.known_at is None or version.official_on is None or version.official_on <= self.known_at

    def office_of(self, ref: OfficeRef) -> str | Missing:
        """An office's code, named by the pack or by the town."""
        if ref.office is not None:
            return ref.office
        found = self.param(ref.param or "")
        return found if isinstance(found, (str, Missing)) else str(found)

    def competent(self, power: str) -> list[Office]:
        """The offices that may do something."""
        return [office for _, office in self.all(Office) if power in office.may]

    def list(self, code: str) -> Mapping[str, str]:
        found = self.get(CodeList, code)
        return found.codes if found else {}

    # --- days, facts, categories -------------------------------------------------------------------------------

    @cached_property
    def calendar(self) -> Calendar:
        return calendar_of(self)

    def counting(self, code: str | None, word: Callable[[Word], str]) -> Counting:
        """A named counting with its readings resolved; None is the plain civil one: first day out, no roll."""
        item = self.get(CountingItem, code) if code else None
        if code and item is None:
            raise LookupError(f"the law has no counting called {code!r}")
        if item is None:
            return _CIVIL
        first, start, roll = word(item.first), word(item.start), word(item.roll)
        return Counting(
            code=item.code, unit=item.unit, first=first, start=start, roll=roll, missing_day=item.missing_day
        )

    @property
    def vocabulary(self) -> Vocabulary:
        return self.book.vocabulary

    def family(self, category: str) -> frozenset[str]:
        """A category and those it belongs to: a rule for the parent reaches the child."""
        found: list[str] = []
        current: str | None = category
        while current and current not in found:
            found.append(current)
            item = self.get(Category, current)
            current = item.parent if item else None
        return frozenset(found)

    def root(self, category: str) -> str:
        """The outermost category that a category belongs to."""
        item = self.get(Category, category)
        return category if item is None or item.parent is None else self.root(item.parent)

    def branch(self, category: str) -> frozenset[str]:
        """A category and those under it: what counts together where the category is counted."""
        codes = [code for code in self.book.codes(Category.kind) if category in self.family(code)]
        return frozenset({category, *codes})

    def concerns(self, rule: Rule, keys: Mapping[str, str]) -> bool:
        """Does a rule concern a case with these keys? A key that the rule names and the case lacks: it does not."""
        for key, codes in rule.applies.items():
            value = keys.get(key)
            if value is None:
                return False
            family = self.family(value) if key == "category" else {value}
            if family.isdisjoint(codes):
                return False
        return True
