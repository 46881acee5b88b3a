"""Sums that do not add up: units without a value on days in use, stands under a cap."""

from collections.abc import Iterator
from datetime import date, timedelta

from tenants.law.kinds.basis import Unit, UnitValue
from tenants.law.kinds.grants import Quota
from tenants.law.kinds.stands import Stand
from tenants.law.lint.subject import Subject, called, error, literal_day, warning
from tenants.law.pack import Path, Problem
from tenants.law.quantity import Amount, Number
from tenants.law.values import ByReading, Const, Extreme, Value

_DAY = timedelta(days=1)


def units(subject: Subject) -> Iterator[Problem]:
    """A unit that rules use has a value for every day from the first rule on."""
    used = {found.value.unit for found in subject.everything if isinstance(found.value, Amount)}
    for unit, path in subject.own(Unit):
        if unit.of is None and used & {unit.code, *unit.alias}:
            yield from _valued(unit, path, subject.first_day(unit))


def _valued(unit: Unit, path: Path, first: date | None) -> Iterator[Problem]:
    if not unit.values:
        hint = "write `values`; where only the town can say, brl = { param = … }"
        yield error(f"{called(unit)} has no value, and rules use it", hint, path)
        return
    if not all(_known(value) for value in unit.values):
        return
    reached = first
    for value in sorted(unit.values, key=lambda value: literal_day(value.since) or date.min):
        since = literal_day(value.since)
        if reached is not None and since is not None and since > reached:
            yield _gap(unit, path, f"from {reached} to {since - _DAY}")
        until = literal_day(value.until)
        if until is None:
            return
        reached = until + _DAY if reached is None else max(reached, until + _DAY)
    yield _gap(unit, path, f"from {reached} on")


def _known(value: UnitValue) -> bool:
    """Are its bounds written as days?"""
    return all(bound is None or literal_day(bound) for bound in (value.since, value.until))


def _gap(unit: Unit, path: Path, when: str) -> Problem:
    hint = "write the value of those days, or let the town supply it: brl = { param = … }"
    return warning(f"{called(unit)} has no value {when}", hint, (*path, "values"))


def stands(subject: Subject) -> Iterator[Problem]:
    """The vacancies of the stands of a category beside the greatest number of permits that the law allows."""
    for quota, path in subject.own(Quota):
        cap = _cap(subject, quota.value)
        counted = [s for s in subject.of_kind(Stand) if _same(quota, s) and subject.word(s.counts) == "yes"]
        slots = sum(stand.slots or 0 for stand in counted)
        if cap is not None and counted and slots != cap:
            yield warning(
                f"the stands add up to {slots} under a cap of {cap} ({called(quota)})",
                "true of some laws: then leave it; otherwise correct `slots` or the cap",
                (*path, "value"),
            )


def _same(quota: Quota, stand: Stand) -> bool:
    """Do both concern one category? Without the key, a rule concerns all."""
    ours, theirs = quota.applies.get("category"), stand.applies.get("category")
    return ours is None or theirs is None or not set(ours).isdisjoint(theirs)


def _cap(subject: Subject, value: Value | None) -> int | None:
    """The number that nothing may exceed, where one is written, by the default of a reading."""
    match value:
        case ByReading(reading=code, options=options):
            return _cap(subject, options.get(subject.option(code)))
        case Const(literal=Number(value=number)):
            return int(number)
        case Extreme(least=several) if several:
            caps = [cap for each in several if (cap := _cap(subject, each)) is not None]
            return min(caps, default=None)
    return None
