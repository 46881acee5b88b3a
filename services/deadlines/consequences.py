"""What follows when a deadline is over. `follows` of the row says what; here stands how, for many rows at once.

Each follow is an object with `do`:

    {"do": "notify", "template": "term_expired"}       tell the holder
    {"do": "open", "deadline": {"rule": …, "last_day": …, …}}   the next deadline, with days counted when this one was

Other subjects add theirs with `@consequence("…")`.
"""

from collections import defaultdict
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from importlib import import_module
from typing import TYPE_CHECKING, Any
from uuid import UUID

if TYPE_CHECKING:
    from services.database import Transaction


@dataclass(frozen=True, slots=True)
class Due:
    """A deadline that has just been closed because its last day is over."""

    id: UUID
    kind: str
    rule: str
    subject_kind: str
    subject_id: UUID
    last_day: date
    article: str
    act_id: UUID


Consequence = Callable[["Transaction", Sequence[tuple[Due, Mapping[str, Any]]]], Awaitable[None]]
CONSEQUENCES: dict[str, Consequence] = {}
FOLLOWING = "services.following"  # imported when it is needed: those who say what follows need deadlines first
OPENS, GOES_ON, ENDS = range(3)  # law-free: turns; what ends something closes what another has opened
TURNS: dict[str, int] = {}


def consequence(do: str, *, turn: int = GOES_ON) -> Callable[[Consequence], Consequence]:
    """Name the function that carries out a `do`, for all rows of a batch in as many statements as for one.

    Args:
        turn: Of what follows from one day, what opens deadlines comes before what goes on, and that before what ends.
    """

    def register(function: Consequence) -> Consequence:
        CONSEQUENCES[do], TURNS[do] = function, turn
        return function

    return register


def turns() -> Mapping[str, int]:
    """Of everything that may follow, its turn."""
    import_module(FOLLOWING)
    return TURNS


def check(follows: Sequence[Mapping[str, Any]]) -> None:
    """Raises ValueError for what nothing carries out: at the opening, not on the night when it is due."""
    if any(follow.get("do") not in CONSEQUENCES for follow in follows):
        import_module(FOLLOWING)
    for follow in follows:
        if follow.get("do") not in CONSEQUENCES:
            raise ValueError(f"nothing carries out {follow.get('do')!r}; known: {', '.join(sorted(CONSEQUENCES))}")


async def carry_out(tx: "Transaction", closed: Sequence[tuple[Due, Sequence[Mapping[str, Any]]]]) -> None:
    """Raises KeyError for what nothing carries out: it is never passed over."""
    by_word: dict[str, list[tuple[Due, Mapping[str, Any]]]] = defaultdict(list)
    for due, follows in closed:
        for follow in follows:
            by_word[follow["do"]].append((due, follow))
    known = turns()
    for word in sorted(by_word, key=lambda word: (known[word], word)):
        await CONSEQUENCES[word](tx, by_word[word])
