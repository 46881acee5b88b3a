"""Which demands on the system a law's items answer, and which none does."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from tenants.law.rule import Item


@dataclass(frozen=True, slots=True)
class Coverage:
    """``answered``: the items that answer each demand; ``uncovered``: demands that none answers.

    ``unknown``: ids that items say they answer, and nobody demands.
    """

    answered: Mapping[str, tuple[str, ...]]
    uncovered: tuple[str, ...]
    unknown: tuple[str, ...]


def coverage(items: Iterable[Item], demanded: Iterable[str], known: Iterable[str] = ()) -> Coverage:
    """Compare the ids that items say they answer with those that are demanded, in the order demanded.

    ``known``: ids that exist, though this law need not answer them.
    """
    wanted = tuple(dict.fromkeys(demanded))
    answered: dict[str, list[str]] = {}
    for item in items:
        for id in item.answers:
            answered.setdefault(id, []).append(f"{item.kind} {item.code}")
    return Coverage(
        answered={id: tuple(dict.fromkeys(by)) for id, by in answered.items()},
        uncovered=tuple(id for id in wanted if id not in answered),
        unknown=tuple(sorted(answered.keys() - {*wanted, *known})),
    )
