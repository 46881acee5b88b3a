"""Who may serve, and how many."""

from typing import Annotated, ClassVar, Literal

from pydantic import Field

from tenants.law.kinds.effects import Effect
from tenants.law.kinds.escalations import Escalate
from tenants.law.loading import Cel, Cites, Codes, FactCode, Many, Scored
from tenants.law.rule import OfficeRef, Rule, Table
from tenants.law.values import Value, Word


class Category(Rule):
    """A service category, perhaps inside another."""

    kind: ClassVar[str] = "category"
    parent: str | None = None
    converts_to: str | None = None


class Step(Table):
    """A step on the way to the instrument: who acts, within what term; ``met_by``: the permit's event that it is."""

    code: str
    title: str = ""
    actor: str
    term: Value | None = None
    after: str | None = None
    counting: str | None = None
    met_by: str | None = None
    escalates: Annotated[tuple[Escalate, ...], Many] = ()  # before whom an authority's silence comes
    cite: Cites = ()


class Ending(Table):
    """A way in which a permit ends: on what, by whom, with which cause of the pack's list.

    Of two with one cause, the first counts. One on a `penalty` is proposed only for an infraction that draws it.
    """

    cause: str
    on: str  # penalty, request, death_without_heirs, dissolution, term_over, transgression, transfer …
    decides: OfficeRef | None = None
    after_process: bool = False
    indemnity: bool | None = None  # absent: the law does not say
    cite: Cites = ()


class Instrument(Rule):
    """What grants the service, how its holder is chosen, the yearly licence beside it, how it ends without a fault."""

    kind: ClassVar[str] = "instrument"
    chosen_by: Literal["bidding", "authorization", "credentialing", "draw", "registration"]
    license: str | None = None
    license_title: str = ""
    term: str | None = None
    precarious: bool = False
    granted_by: OfficeRef | None = None
    steps: tuple[Step, ...] = ()
    endings: tuple[Ending, ...] = ()


class Allowed(Table):
    """One kind of holder that may hold, under which title to the vehicle, and its caps.

    ``share``: its greatest part of all permits in force. ``ends``: the last day of the title, where it has one.
    """

    holder: str
    title: str = ""
    permits: Value | None = None
    vehicles: Value | None = None
    partners: Value | None = None
    share: Value | None = None
    must: Cel | None = None
    ends: Value | None = None
    off: Word = Word(word="no")  # "yes": this holder is not admitted, by a reading


class HolderPolicy(Rule):
    """Who may hold, by holder kind and title."""

    kind: ClassVar[str] = "holder_policy"
    allow: tuple[Allowed, ...]


class Exclusion(Rule):
    """What bars a person from a grant: the rule's ``if``, or an ending of one of these causes (under that ``if``).

    ``lasts``: how long, from the ending or from the day that the fact ``starts`` says; absent: no end.
    """

    kind: ClassVar[str] = "exclusion"
    endings: Codes = ()
    starts: FactCode | None = None
    lasts: Value | None = None
    fraud: bool = False
    revealed: Effect | None = None  # what a bar draws that comes to light after the grant
    revealed_at_once: Word = Word(word="no")  # "yes": without a process


class Quota(Rule):
    """How many permits there may be: a value, the vacancies of the stands, or the lesser of both.

    ``beside``: an area's own quota stands beside the town's, not inside it.
    """

    kind: ClassVar[str] = "quota"
    value: Value | None = None
    stands: bool = False
    beside: bool = False
    frozen_until: Cel | None = None  # no new permit before this holds
    excess: Literal["keep", "reduce"] = "keep"
    raised_by: str = ""


class ShareRule(Rule):
    """Part of a fleet or an offer that must, or may at most, be something: ``if`` says what counts.

    ``within``: what the whole is made of, if not of all. ``round``: of the number that the percentage gives.
    """

    kind: ClassVar[str] = "share"
    among: Literal["fleet", "offer"] = "fleet"
    counted: Word = Word(word="active")  # whose vehicles make the whole: active permits | all permits
    most: Value | None = None
    least: Value | None = None
    within: Cel | None = None
    round: Word = Word(word="exact")  # exact | up | down
    unfilled: Literal["keep", "release"] = "keep"


class SelectionStep(Table):
    """One rung of the ladder: a condition preferred, a fact compared, a score, a judgement, or the draw."""

    when: Cel | None = Field(default=None, alias="if")
    most: FactCode | None = None
    least: FactCode | None = None
    score: Scored | None = None
    cap: int | None = None
    judge: OfficeRef | None = None
    draw: bool = False
    ask: str = ""
    title: str = ""
    cite: Cites = ()


class Undoing(Table):
    """How a call may be undone (revogação, anulação), as the law calls it: by whom, until when, after what.

    ``until``: the last state of the call in which it still may be.
    """

    code: str
    title: str = ""
    until: Literal["open", "frozen", "published"] = "frozen"
    needs: Codes = ()
    decides: OfficeRef | None = None
    cite: Cites = ()


class Selection(Rule):
    """In what order candidates come when there are more of them than vacancies; how their call may be undone."""

    kind: ClassVar[str] = "selection"
    by: Literal["ladder", "points", "price", "credentialing"] = "ladder"
    judged_on: str = ""
    order: tuple[SelectionStep, ...]
    absent_from_draw: Literal["last", "out", "nothing"] = "nothing"
    undoing: tuple[Undoing, ...] = ()
