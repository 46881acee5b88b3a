"""How a permit passes on, and who may drive instead of its holder."""

from typing import ClassVar, Literal

from tenants.law.loading import Cel, Codes
from tenants.law.rule import OfficeRef, Rule
from tenants.law.values import Value, Word


class Transfer(Rule):
    """A cause of transfer that the law admits: to whom, under what conditions, at what fee."""

    kind: ClassVar[str] = "transfer"
    cause: str
    to: Codes
    must: Cel | None = None
    held_for: Value | None = None
    locks: Value | None = None
    bars: Value | None = None
    most_times: int | None = None
    within: Value | None = None
    counts: Literal["request", "event", "decision"] = "request"
    fee: Value | None = None
    remaining: Literal["rest", "new"] = "rest"
    papers: Codes = ()
    judge: OfficeRef | None = None  # admitted only as an office judges, which answers ``ask``
    decides: OfficeRef | None = None
    reissue: bool = False  # the former instruments are cancelled and new ones issued


class Substitute(Rule):
    """A driver in the holder's stead while a cause lasts."""

    kind: ClassVar[str] = "substitute"
    paper: str | None = None
    provers: Codes = ()
    proof: Word = Word(word="any")  # by which of the provers: any | all | one by its code
    least: Value | None = None
    must: Cel | None = None
    ends: Value | None = None
    licence_again: bool = False
    fee: Value | None = None


class Crew(Rule):
    """Who else may drive or ride: how many, with which papers, for how many hours."""

    kind: ClassVar[str] = "crew"
    role: str
    most: Value | None = None
    least: Value | None = None
    must: Cel | None = None
    papers: Codes = ()
    hours: Value | None = None
