"""The linter: what is wrong or doubtful in a pack whose every table is well formed.

Errors refuse publication; warnings are listed, and may be true of the law itself. Each problem carries the path of what
it is about, from which the loader finds line and column, and says what to do.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence

from tenants.law.lint import citations, conducts, duties, periods, references, sums, values, words
from tenants.law.lint.subject import Subject
from tenants.law.pack import Problem, RawItem
from tenants.law.rule import Item

__all__ = ["lint"]

CHECKS: tuple[Callable[[Subject], Iterator[Problem]], ...] = (
    citations.dangling,
    citations.missing,
    citations.mistaken,
    references.codes,
    references.readings,
    references.offices,
    references.unused,
    periods.overlapping,
    periods.covering,
    periods.never,
    sums.units,
    sums.stands,
    values.bands,
    values.circles,
    conducts.punished_twice,
    duties.unmet,
    duties.unseen,
    words.templates,
    words.receivers,
)


def lint(items: Sequence[Item], raws: Sequence[RawItem], *, base: Iterable[Item] = ()) -> list[Problem]:
    """Look through typed items; ``raws`` are the same items as written, in the same order.

    Args:
        base: The law that an amendment changes: it may be referred to, and is not looked through again.
    """
    subject = Subject(tuple(items), tuple(raws), tuple(base))
    return [problem for check in CHECKS for problem in check(subject)]
