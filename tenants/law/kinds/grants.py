"""Who may serve, and how many."""

from typing import ClassVar, Literal

from pydantic import Field

from tenants.law.kinds.effects import Effect
from tenants.law.loading import Cel, Cites, Codes
from tenants.law.rule import OfficeRef, Rule, Table
from tenants.law.values import Value, Word


class Category(Rule):
    """A service category, perhaps inside another."""

    kind: ClassVar[str] = "category"
    parent: str | None = None
    converts_to: str | None = None


class Step(Table):
    """A step on the way to the instrument: who acts, within what term."""

    code: str
    title: str = ""
    actor: str
    term: Value | None = None
    after: str | None = None
    counting: str | None = None
    cite: Cites = ()


class Ending(Table):
    """A way in which a permit ends that is no infraction: on what, by whom, with which cause of the pack's list."""

    cause: str
    on: str  # request, death_without_heirs, dissolution, term_over, transgression, transfer …
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
    """One kind of holder that may hold, and its caps."""

    holder: str
    title: str = ""
    permits: Value | None = None
    vehicles: Value | None = None
    share: Value | None = None
    must: Cel | None = None
    off: Word = Word(word="no")  # "yes": this holder is not admitted, by a reading


class HolderPolicy(Rule):
    """Who may hold, by holder kind and title."""

    kind: ClassVar[str] = "holder_policy"
    allow: tuple[Allowed, ...]


class Exclusion(Rule):
    """What bars a person from a grant; the bar is the rule's ``if``. Endings bar by their cause."""

    kind: ClassVar[str] = "exclusion"
    endings: Codes = ()  # causes of ending that bar
    lasts: Value | None = None  # absent: no end
    fraud: bool = False
    revealed: Effect | None = None  # what a bar draws that comes to light after the grant
    revealed_at_once: Word = Word(word="no")  # "yes": without a process


class Quota(Rule):
    """How many permits there may be."""

    kind: ClassVar[str] = "quota"
    value: Value | None = None  # absent: the vacancies of the stands
    stands: bool = False
    excess: Literal["keep", "reduce"] = "keep"
    raised_by: str = ""


class ShareRule(Rule):
    """Part of a fleet or an offer that must, or may at most, be something: ``if`` says what counts."""

    kind: ClassVar[str] = "share"
    among: Literal["fleet", "offer"] = "fleet"
    counted: Word = Word(word="active")  # whose vehicles make the whole: active permits | all permits
    most: Value | None = None
    least: Value | None = None
    round: Word = Word(word="exact")
    unfilled: Literal["keep", "release"] = "keep"


class SelectionStep(Table):
    """One rung of the ladder: a condition preferred, a fact compared, a score, a judgement, or the draw."""

    when: Cel | None = Field(default=None, alias="if")
    most: str | None = None
    least: str | None = None
    score: Cel | None = None
    cap: int | None = None
    judge: OfficeRef | None = None
    draw: bool = False
    ask: str = ""
    title: str = ""
    cite: Cites = ()


class Selection(Rule):
    """In what order candidates come when there are more of them than vacancies."""

    kind: ClassVar[str] = "selection"
    by: Literal["ladder", "points", "price", "credentialing"] = "ladder"
    judged_on: str = ""
    order: tuple[SelectionStep, ...]
    absent_from_draw: Literal["last", "out", "nothing"] = "nothing"
