"""Infractions, and how several of them, or the same again, add up."""

from typing import ClassVar, Literal

from pydantic import Field

from tenants.law.kinds.effects import Effect
from tenants.law.loading import Codes
from tenants.law.rule import OfficeRef, Rule, Table
from tenants.law.values import Value, Word


class Infraction(Rule, Effect):
    """A conduct that is punished: what it draws, and who applies it. ``also``: what it draws besides.

    ``conduct`` names what several infractions punish: the linter wants an overlap between those.
    ``residual``: it does not reach a fact that another infraction punishes. ``judge``: an open standard, left to an
    office that answers ``ask``.
    """

    kind: ClassVar[str] = "infraction"
    group: str = ""
    subject: Literal["holder", "driver", "vehicle", "anyone"] = "holder"
    by: Codes = ()  # offices that may apply it
    after_process: bool = False
    also: tuple[Effect, ...] = ()
    may_open: Codes = ()  # infractions whose process may be opened besides, never by itself
    conduct: str = ""
    residual: bool = False
    judge: OfficeRef | None = None


class Overlap(Rule):
    """Infractions that punish one conduct, the most specific first. ``keeps``: first, lowest, highest, all."""

    kind: ClassVar[str] = "overlap"
    order: tuple[str, ...]
    keeps: Word = Word(word="first")


class Measure(Rule):
    """Counts or sums past events matched on keys, in a window or while each lives.

    ``if`` says of each event whether it counts. The window is a length before the day of the case (``now``), a chain
    of gaps (``previous_event``), a period that the first event opens (``first_event``), or runs from each final
    decision; or it is the calendar year, or all since the last effect called ``effect``. ``bounds``: is the last day
    of a window, or of a life, still inside. ``sum``: what is added up instead of counting.
    """

    kind: ClassVar[str] = "measure"
    cited: ClassVar[bool] = False
    counts: Literal["infraction", "fine", "suspension", "points", "ending"] = "infraction"
    sum: Literal["points", "days"] | None = None
    match: Codes = ()  # infraction, group, holder, vehicle, driver
    window: Value | None = None
    anchor: Literal["previous_event", "first_event", "final_decision", "calendar_year", "last_effect", "now"] = "now"
    effect: str | None = None
    bounds: Word = Word(word="in")
    counting: str | None = None
    lives: dict[str, Value] = Field(default_factory=dict)  # lifetime by group; "*" is any other group's


class Rung(Effect):
    """A step of a ladder: what the nth time draws. Several of one ``nth`` are drawn together.

    ``factor`` multiplies what the infraction draws at first.
    """

    nth: int = Field(ge=1)
    factor: Value | None = None


class Ladder(Rule):
    """What repetition draws: the step of that time; beyond the last, it again, all in turn, or nothing of its own.

    ``factor`` multiplies the amount (or the term, or the points) once more with each repetition beyond the last step
    (without steps: beyond the first time), up to ``most``.
    """

    kind: ClassVar[str] = "ladder"
    measure: str
    steps: tuple[Rung, ...] = ()
    beyond: Literal["repeat_last", "repeat_all", "stop"] = "repeat_last"
    factor: Value | None = None
    factor_on: Literal["amount", "term", "points"] = "amount"
    most: Value | None = None


class Threshold(Table):
    """What reaching so many points draws, each time the sum rises to it."""

    at: int = Field(ge=1)
    effects: tuple[Effect, ...]
    choose: bool = False  # one of several, proposed to an office
    office: OfficeRef | None = None
    spends: bool = False  # the points then alive are used up


class Points(Rule):
    """Points that infractions carry, how long they live, what they draw."""

    kind: ClassVar[str] = "points"
    measure: str
    thresholds: tuple[Threshold, ...]
