"""Which of several rules that answer one point counts."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import TypeVar

from tenants.law.law import InForce, Law
from tenants.law.rule import Rule

R = TypeVar("R", bound=Rule)
Candidate = tuple[InForce, R]


def winners(law: Law, candidates: Iterable[Candidate[R]]) -> list[list[Candidate[R]]]:
    """For each point the rule that counts, alone; or all that remain, where nothing decides between them.

    In order: higher rank; narrower (what it applies to is a proper part of the other's, or the same with an ``if``);
    later; priority. Revoked rules are not in force and never come here.
    """
    points: dict[str, list[Candidate[R]]] = defaultdict(list)
    for candidate in candidates:
        points[candidate[1].answered_point].append(candidate)
    return [_undefeated(law, rivals) for rivals in points.values()]


def _undefeated(law: Law, rivals: Sequence[Candidate[R]]) -> list[Candidate[R]]:
    if len(rivals) == 1:
        return list(rivals)
    standing = [c for c in rivals if not any(_beats(law, other, c) for other in rivals if other is not c)]
    return standing or list(rivals)  # each beaten by another: the criteria go in a circle and decide nothing


def _beats(law: Law, one: Candidate[R], other: Candidate[R]) -> bool:
    for compare in (_rank, _narrowness, _recency, _priority):
        verdict = compare(law, one, other)
        if verdict:
            return verdict > 0
    return False


def _rank(law: Law, one: Candidate[R], other: Candidate[R]) -> int:
    mine, theirs = (law.norms.get(c[1].cite[0].norm) if c[1].cite else None for c in (one, other))
    if mine is None or theirs is None:
        return 0
    return int(mine.outranks(theirs)) - int(theirs.outranks(mine))


def _narrowness(law: Law, one: Candidate[R], other: Candidate[R]) -> int:
    return int(_narrower(law, one[1], other[1])) - int(_narrower(law, other[1], one[1]))


def _narrower(law: Law, one: Rule, other: Rule) -> bool:
    """A proper subset of the keys' values, or the same with an ``if``; otherwise they do not compare."""
    mine, theirs = _reach(law, one), _reach(law, other)
    if not all(key in mine and mine[key] <= codes for key, codes in theirs.items()):
        return False
    return mine != theirs or (one.when is not None and other.when is None)


def _reach(law: Law, rule: Rule) -> dict[str, frozenset[str]]:
    """Whom a rule concerns, by key; a category stands for those under it too."""
    return {
        key: frozenset(each for code in codes for each in (law.branch(code) if key == "category" else (code,)))
        for key, codes in rule.applies.items()
    }


def _recency(law: Law, one: Candidate[R], other: Candidate[R]) -> int:
    mine, theirs = one[0].since, other[0].since
    return 0 if mine is None or theirs is None else (mine > theirs) - (mine < theirs)


def _priority(law: Law, one: Candidate[R], other: Candidate[R]) -> int:
    return (one[1].priority > other[1].priority) - (one[1].priority < other[1].priority)
