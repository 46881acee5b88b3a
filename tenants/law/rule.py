"""What every item of a law has, of whatever kind: a code, whom it concerns, its days, its articles."""

from collections.abc import Iterator, Mapping
from datetime import date
from typing import Any, ClassVar

from pydantic import BaseModel, ConfigDict, Field, model_validator

from tenants.law.loading import Cel, Cites, Codes
from tenants.law.values import Value, Word


class Table(BaseModel):
    """A frozen table of a pack: unknown keys are refused."""

    model_config = ConfigDict(frozen=True, extra="forbid", arbitrary_types_allowed=True, populate_by_name=True)


class Transition(Table):
    """Who keeps the older rule (or is exempt from the new one), and until when."""

    when: Cel | None = Field(default=None, alias="if")
    keeps: str  # "exempt": the rule does not reach them; "old": the version before it does
    until: Value | None = None
    cite: Cites = ()


class OfficeRef(Table):
    """An office by its code, or by the parameter in which the town names it."""

    office: str | None = None
    param: str | None = None

    @model_validator(mode="before")
    @classmethod
    def _plain(cls, raw: Any) -> Any:
        return {"office": raw} if isinstance(raw, str) else raw


class Item(Table):
    """One dated item of a pack.

    ``from`` absent: from the day its first article's norm is in force. ``published``: the official publication day
    of this version where it differs from the publication that brings it.
    """

    kind: ClassVar[str]
    cited: ClassVar[bool] = True  # no citation, no publication
    named_by: ClassVar[str] = "code"  # the key that is its code where a pack writes none

    code: str = Field(min_length=1)
    title: str = ""
    cite: Cites = ()
    since: Value | None = Field(default=None, alias="from")
    until: Value | None = None
    published: date | None = None
    reads: Codes = ()  # the readings in whose light its text is understood: every use of it names them
    answers: Codes = ()  # ids of the demands that it answers, for the coverage list


class Rule(Item):
    """An item that decides something: it says whom it concerns and when it takes effect."""

    applies: Mapping[str, Codes] = Field(default_factory=dict)
    when: Cel | None = Field(default=None, alias="if")
    off: Word = Word(word="no")  # "yes": it does not count; a reading may say so for one of its options
    transition: Transition | None = None
    point: str = ""  # rules of one kind that answer the same point compete; by default each its own code
    priority: int = 0
    ask: str = ""

    @property
    def answered_point(self) -> str:
        return self.point or self.code


class Missed(Table):
    """What missing a demand draws."""

    infraction: str | None = None
    opens: str | None = None
    do: str | None = None
    cause: str | None = None
    decides: OfficeRef | None = None


class Demand(Rule):
    """A rule that demands something: perhaps again and again, from a day, with a term to mend what is wrong."""

    every: Value | None = None
    first_due: Value | None = None
    cure: Value | None = None
    counting: str | None = None
    missed: Missed | str | None = None


def walk(thing: Any) -> Iterator[Any]:
    """Every model and leaf inside an item, depth first: what the linter and the loader look through."""
    yield thing
    if isinstance(thing, BaseModel):
        for name in type(thing).model_fields:
            yield from walk(getattr(thing, name))
    elif isinstance(thing, Mapping):
        for value in thing.values():
            yield from walk(value)
    elif isinstance(thing, (tuple, list)):
        for value in thing:
            yield from walk(value)
