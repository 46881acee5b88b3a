"""Versions of one item: when they are in force together, or hide one another, or never come to be."""

from collections import defaultdict
from collections.abc import Iterator
from datetime import date
from itertools import pairwise

from tenants.law.kinds.basis import Series, Supplied
from tenants.law.lint.subject import Subject, called, error, literal_day, warning
from tenants.law.pack import Path, Problem
from tenants.law.rule import Item, Rule

_Span = tuple[date | None, date | None]


def overlapping(subject: Subject) -> Iterator[Problem]:
    """Two versions of one code, published on one official day, on one day of force: nothing says which counts."""
    for versions in _versions(subject).values():
        for (one, _), (other, path) in pairwise(versions):
            if one.published == other.published and _meet(_span(subject, one), _span(subject, other)):
                hint = "end the earlier one with `until`, or give the later one the day of its own publication"
                yield error(f"two versions of {called(other)} of one publication are in force together", hint, path)


def _versions(subject: Subject) -> dict[tuple[str, str], list[tuple[Item, Path]]]:
    """The versions to look through, of one code each, the earliest first; points of a series are not versions."""
    series = {item.code for item in subject.of_kind(Series)}
    found: dict[tuple[str, str], list[tuple[Item, Path]]] = defaultdict(list)
    for item, raw in zip(subject.items, subject.raws, strict=True):
        if not (isinstance(item, Supplied) and item.code in series):
            found[(item.kind, item.code)].append((item, raw.path))
    for versions in found.values():
        versions.sort(key=lambda pair: (pair[0].published or date.min, _span(subject, pair[0])[0] or date.min))
    return found


def covering(subject: Subject) -> Iterator[Problem]:
    """A version published later, in force before an older one that starts later, takes that one's place."""
    older = {(item.kind, item.code): [] for item in subject.base} if subject.base else {}  # type: ignore[var-annotated]
    for item in subject.base:
        older[(item.kind, item.code)].append(item)
    for key, versions in _versions(subject).items():
        for at, (item, path) in enumerate(versions):
            before = [*older.get(key, ()), *(v for v, _ in versions[:at] if v.published != item.published)]
            for other in before:
                if _hides(_span(subject, item), _span(subject, other)):
                    starts = _span(subject, other)[0]
                    hint = f"end this one with `until` before {starts} if that one is to stay"
                    yield warning(f"{called(item)} covers the version in force from {starts}", hint, path)


def never(subject: Subject) -> Iterator[Problem]:
    """A rule that can never take effect; one that ends an older version of itself is not meant to."""
    for item, raw in zip(subject.items, subject.raws, strict=True):
        since, until = literal_day(item.since), literal_day(item.until)
        if since and until and until < since:
            hint = "correct `from` or `until`: both days are inside the period"
            yield error(f"{called(item)} ends before it begins", hint, (*raw.path, "until"))
        off = isinstance(item, Rule) and item.off.reading is None and item.off.word == "yes"
        if off and not any(each.kind == item.kind and each.code == item.code for each in subject.base):
            hint = "leave it out, or let a reading say when it counts"
            yield warning(f"{called(item)} is switched off, whatever the town chooses", hint, (*raw.path, "off"))


def _span(subject: Subject, item: Item) -> _Span:
    """First and last day as far as they are days; None: not bounded, or not known."""
    return subject.first_day(item), literal_day(item.until)


def _known(item: Item) -> bool:
    """Are the bounds that it has written as days?"""
    return all(bound is None or literal_day(bound) is not None for bound in (item.since, item.until))


def _meet(one: _Span, other: _Span) -> bool:
    start = max(one[0] or date.min, other[0] or date.min)
    end = min(one[1] or date.max, other[1] or date.max)
    return start <= end


def _hides(item: _Span, other: _Span) -> bool:
    """Does it begin before the other and reach into it?"""
    if other[0] is None:
        return False
    return (item[0] or date.min) < other[0] <= (item[1] or date.max)
