"""How a permit passes on, and who may drive instead of its holder or beside them."""

from typing import ClassVar, Literal

from tenants.law.loading import Cel, Codes
from tenants.law.rule import OfficeRef, Rule
from tenants.law.values import Value, Word


class Transfer(Rule):
    """A cause of transfer that the law admits: to whom, under what conditions, at what fee.

    ``counts`` is the day whose law decides. ``held_for``: how long the permit was held; ``within``: how long after
    the event one may ask; ``locks``: how long the new permit may not pass on again; ``bars``: how long the one who
    passed it on gets no other. ``qualifies``: the receiver must meet every requirement of a grant.
    """

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
    counting: str | None = None
    fee: Value | None = None
    remaining: Literal["rest", "new"] = "rest"
    papers: Codes = ()
    qualifies: bool = True
    judge: OfficeRef | None = None  # admitted only as this office judges, which answers ``ask``
    reissue: bool = False  # the former instruments are cancelled and new ones issued


class Substitute(Rule):
    """A driver in the holder's stead while a cause lasts.

    ``least``: the shortest cause that admits one; ``ends``: on what day where the case gives none.
    """

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
    """Who else may drive or ride: how many, with which papers, for how many hours a day, told how long ahead."""

    kind: ClassVar[str] = "crew"
    role: str
    most: Value | None = None
    least: Value | None = None
    must: Cel | None = None
    papers: Codes = ()
    hours: Value | None = None
    ahead: Value | None = None
    counting: str | None = None
    lasts: Value | None = None  # the day until which one is enrolled
    card: str | None = None  # the paper that the town gives whom it enrols
    in_stead: bool = False  # they drive one permit's vehicle in its holder's place, and end with it; not enrolled
