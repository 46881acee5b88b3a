"""May a publication bear on what the law draws for a fact, or asks for an act? Asked before either is worked out."""

from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import TypeVar

from services.recomputing.causes import Cause
from tenants.law.cel import Condition
from tenants.law.citation import Citation
from tenants.law.kinds.basis import CountingItem, HolidayItem, Unit
from tenants.law.kinds.grants import Category
from tenants.law.kinds.infractions import Infraction, Ladder, Measure, Overlap
from tenants.law.kinds.terms import Fee
from tenants.law.quantity import Amount, Length
from tenants.law.rule import Item, Rule, walk
from tenants.law.values import RuleValue

I = TypeVar("I", bound=Item)  # noqa: E741
POINTS = "points"
# Of these the question itself says which count: that others name them does not make them do so.
ASKED = frozenset({Infraction.kind, Overlap.kind, Ladder.kind})


@dataclass(frozen=True, slots=True)
class Reach:
    """The items that may bear on a fact, by kind and code: its rules, and whatever these name in turn.

    ``calendar``: days without work count. ``repeats``: so does what went before. ``any_day``: so does the law of other
    days than that of the fact.
    """

    items: frozenset[tuple[str, str]]
    calendar: bool
    repeats: bool
    any_day: bool


@dataclass(slots=True)
class Bearing:
    """Of one publication; each question is asked of the laws once."""

    cause: Cause
    _published: list[tuple[str, str]] = field(init=False)
    _named: dict[str, list[Item]] = field(init=False)
    _reached: dict[Hashable, Reach] = field(default_factory=dict)
    _answers: dict[tuple[Hashable, date], bool] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._published = self.cause.items
        self._named = defaultdict(list)
        for item in self.cause.now.book.items():  # with the publication's own: all that the other law has, and more
            self._named[item.code].append(item)

    def on(self, codes: Sequence[str], day: date) -> bool:
        """Do the laws differ, on the day of a fact that is these infractions, in anything that may bear on it?

        What a unit is worth does not: that changes what an amount comes to, not what is drawn.
        """
        return self._answer(tuple(codes), self.reach(codes), day)

    def on_fee(self, of: str, day: date) -> bool:
        """The same of a fee of some act."""
        key = (Fee.kind, of)
        if key not in self._reached:
            self._reached[key] = self._reach(rule for rule in self._all(Fee) if rule.of == of)
        return self._answer(key, self._reached[key], day)

    def _answer(self, of: Hashable, reach: Reach, day: date) -> bool:
        if (of, day) not in self._answers:
            self._answers[of, day] = self._asked(reach, day)
        return self._answers[of, day]

    def _asked(self, reach: Reach, day: date) -> bool:
        return any(
            reach.any_day or self._differs(kind, code, day)
            for kind, code in self._published
            if (kind, code) in reach.items or (kind == HolidayItem.kind and reach.calendar)
        )

    def _differs(self, kind: str, code: str, day: date) -> bool:
        now, then = (days.on(day).find(kind, code) for days in (self.cause.now, self.cause.then))
        if now is None or then is None:
            return now is not then
        return (now.payload, now.since) != (then.payload, then.since)

    def reach(self, codes: Sequence[str]) -> Reach:
        """Over all versions of all items, of whatever day: rather too much than too little."""
        key = tuple(codes)
        if key not in self._reached:
            self._reached[key] = self._reach(self._asked_for(frozenset(codes)))
        return self._reached[key]

    def _reach(self, asked_for: Iterable[Item]) -> Reach:
        roots = [*asked_for, *self._all(Category), *self._all(Unit)]
        found = {id(item): item for item in roots}
        waiting = list(found.values())
        while waiting:
            for item in self._uses(waiting.pop()):
                if id(item) not in found:
                    found[id(item)] = item
                    waiting.append(item)
        return Reach(
            items=frozenset((item.kind, item.code) for item in found.values()),
            calendar=any(_counts(item) for item in found.values()),
            repeats=any(isinstance(item, Ladder) for item in found.values()),
            any_day=any(_looks_back(item) for item in found.values()),
        )

    def _asked_for(self, codes: frozenset[str]) -> Iterator[Item]:
        """What the question itself asks for: the infractions, what strikes one of several out, what repeats."""
        own = [rule for rule in self._all(Infraction) if rule.code in codes]
        points = {rule.answered_point for rule in own}
        yield from (rule for rule in self._all(Infraction) if rule.answered_point in points)
        yield from (rule for rule in self._all(Overlap) if len(codes & set(rule.order)) > 1)
        for ladder in self._all(Ladder):
            reached = ladder.applies.get("infraction")
            if reached is None or codes & set(reached):
                yield ladder

    def _uses(self, item: Item) -> Iterator[Item]:
        for kind, name in _names(item):
            for named in self._named.get(name, ()):
                if named.kind == kind or (kind is None and named.kind not in ASKED):
                    yield named
        if isinstance(item, Measure) and item.sum == POINTS:
            yield from self._all(Infraction)  # what those before carried

    def _all(self, cls: type[I]) -> list[I]:
        return [item for several in self._named.values() for item in several if isinstance(item, cls)]


def _names(item: Item) -> Iterator[tuple[str | None, str]]:
    """Whatever an item names, and of which kind, where it says so.

    Of a unit all but its value, which is no part of what is drawn.
    """
    looked_at = (item.on, item.cite, item.reads) if isinstance(item, Unit) else (item,)
    for thing in walk(looked_at):
        match thing:
            case RuleValue(kind=kind, rule=code):
                yield kind, code
            case str():
                yield None, thing
            case Condition():
                yield from ((None, code.partition(".")[2]) for code in thing.facts)
            case Amount(unit=unit):
                yield None, unit
            case Citation(norm=norm):
                yield None, norm


def _counts(item: Item) -> bool:
    by_work = any(isinstance(thing, Length) and thing.per == "working_days" for thing in walk(item))
    return isinstance(item, CountingItem) or by_work


def _looks_back(item: Item) -> bool:
    """To the points that a past infraction carried on its own day, or to the version that a transition keeps."""
    by_points = isinstance(item, Measure) and item.sum == POINTS
    return by_points or (isinstance(item, Rule) and item.transition is not None)
