"""One conduct that several infractions punish, and no order between them."""

from collections.abc import Iterator
from itertools import combinations

from tenants.law.kinds.infractions import Infraction, Overlap
from tenants.law.lint.subject import Subject, warning
from tenants.law.pack import Path, Problem

_AT_ONCE = frozenset({"warn", "fine", "charge_daily"})  # what does not wait for a process, and so would simply add up


def punished_twice(subject: Subject) -> Iterator[Problem]:
    """Two penalties for one conduct (by its name, its articles or its title) without an overlap that orders them."""
    ordered = [set(overlap.order) for overlap in subject.of_kind(Overlap)]
    base = [(item, ()) for item in subject.base if isinstance(item, Infraction)]
    punishing: list[tuple[Infraction, Path]] = [*base, *subject.own(Infraction)]
    own = {id(item) for item in subject.items}
    for (one, _), (other, path) in combinations(punishing, 2):
        if id(other) not in own or one.code == other.code or not _alike(one, other):
            continue
        if not any({one.code, other.code} <= both for both in ordered):
            hint = 'say in an [[overlap]] which counts first, or that both do (keeps = "all")'
            yield warning(f"{one.code} and {other.code} punish one conduct, and no overlap orders them", hint, path)


def _alike(one: Infraction, other: Infraction) -> bool:
    if not {one.do, other.do} <= _AT_ONCE or one.residual or other.residual or _apart(one, other):
        return False
    if one.conduct or other.conduct:
        return one.conduct == other.conduct
    return set(one.cite) == set(other.cite) or (bool(one.title) and one.title == other.title)


def _apart(one: Infraction, other: Infraction) -> bool:
    """Do they concern different cases, by a key that both have?"""
    return any(set(codes).isdisjoint(other.applies[key]) for key, codes in one.applies.items() if key in other.applies)
