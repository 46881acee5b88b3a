"""The documents of the front ends and, for each, how a test asks it."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from tests.acceptance.stage import Stage


@dataclass(frozen=True, slots=True)
class Asking:
    """One document, asked in a town by the role of its folder."""

    stage: Stage
    document: str
    town: str

    async def __call__(self, **variables: Any) -> Any:
        """What the document's field answers."""
        return await self.stage.run(self.document, town=self.town, **variables)

    async def done(self, **given: Any) -> Any:
        """What a mutation has made of this input."""
        return await self.stage.done(self.document, given, town=self.town)


Case = Callable[[Asking], Awaitable[None]]
CASES: dict[str, tuple[str, Case]] = {}
ALONE: set[str] = set()


def case(document: str, town: str, *, alone: bool = False) -> Callable[[Case], Case]:
    """The town is one whose law gives the role of the folder what the document needs.

    Args:
        alone: In registers of its own, since it takes what there is only one of.
    """

    def kept(test: Case) -> Case:
        if document in CASES:
            raise ValueError(f"{document} has two cases")
        CASES[document] = (town, test)
        if alone:
            ALONE.add(document)
        return test

    return kept
