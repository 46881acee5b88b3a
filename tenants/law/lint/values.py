"""Tables and chains of values: gaps and overlaps in bands, circles."""

from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any

from tenants.law.kinds.basis import Unit
from tenants.law.kinds.grants import Category
from tenants.law.lint.subject import Found, Subject, called, error, inside, warning
from tenants.law.pack import Path, Problem
from tenants.law.rule import Item
from tenants.law.values import Band, Bands, Cases, Const, RuleValue


def bands(subject: Subject) -> Iterator[Problem]:
    """Every value of the fact falls into one band, and each band can be reached."""
    for found in subject.found:
        match found.value:
            case Bands(bands=several):
                yield from _bands(several, (*found.path, "bands"))
            case Cases(cases=cases) if cases and all(case.when is not None for case in cases):
                hint = "end with a case without `if`, which takes all the rest"
                yield warning("the cases leave some facts uncovered", hint, (*found.path, "cases"))


def _bands(several: tuple[Band, ...], path: Path) -> Iterator[Problem]:
    if not several:
        yield error("a table without bands", "write at least one band", path)
        return
    for at, band in enumerate(several[:-1]):
        if band.below is None and band.upto is None:
            hint = "put the band without an edge last: it takes all the rest"
            yield error("a band that takes all the rest hides those after it", hint, (*path, at))
    for at, (one, other) in enumerate(pairwise(several), start=1):
        first, second = _edge(one), _edge(other)
        if first is None or second is None:
            continue
        try:
            lower = second < first or (second == first and not (one.below is not None and other.upto is not None))
        except TypeError:
            yield error("the edges of the bands are of different kinds", "write all edges in one unit", (*path, at))
            continue
        if lower:
            yield error("a band that the one before it covers", "write the bands in ascending order", (*path, at))
    last = several[-1]
    if last.below is not None or last.upto is not None:
        hint = "end with a band without an edge, which takes all the rest"
        yield warning("the bands leave a gap above the last edge", hint, (*path, len(several) - 1))


def _edge(band: Band) -> Any:
    edge = band.below if band.below is not None else band.upto
    return edge.literal if isinstance(edge, Const) else None


def circles(subject: Subject) -> Iterator[Problem]:
    """Values that draw on themselves: no answer would ever come of them."""
    draws: dict[tuple[str, str], set[tuple[str, str]]] = {}
    for item in subject.all:
        draws.setdefault((item.kind, item.code), set()).update(_drawn(item))
    for item, raw in zip(subject.items, subject.raws, strict=True):
        way = _circle(draws, (item.kind, item.code))
        if way:
            told = " → ".join(code for _, code in way)
            yield error(f"{called(item)} draws on itself: {told}", "give one of them a value of its own", raw.path)


def _drawn(item: Item) -> Iterator[tuple[str, str]]:
    for found in inside(item, ()):
        if isinstance(found, Found) and isinstance(found.value, RuleValue):
            yield found.value.kind, found.value.rule
    if isinstance(item, Unit) and item.of:
        yield item.kind, item.of
    if isinstance(item, Category) and item.parent:
        yield item.kind, item.parent


def _circle(
    draws: Mapping[tuple[str, str], set[tuple[str, str]]], start: tuple[str, str]
) -> tuple[tuple[str, str], ...]:
    """The way from an item back to itself; empty: there is none."""
    ways: list[tuple[tuple[str, str], ...]] = [(start, step) for step in sorted(draws.get(start, ()))]
    seen = set()
    while ways:
        way = ways.pop()
        if way[-1] == start:
            return way
        if way[-1] not in seen:
            seen.add(way[-1])
            ways += [(*way, step) for step in sorted(draws.get(way[-1], ()))]
    return ()
