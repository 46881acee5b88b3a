"""What the rules stand on: norms, offices, parameters, readings, units, holidays, lists, facts, series, countings."""

from collections.abc import Mapping
from datetime import date
from decimal import Decimal
from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import BeforeValidator, Field, ValidationError, model_validator

from tenants.law.citation import Norm, NormStatus
from tenants.law.facts import FactSpec, Vocabulary
from tenants.law.loading import Cites, Rounded
from tenants.law.quantity import MonthDay, parse_literal
from tenants.law.rule import Item, Table
from tenants.law.values import Value, Word

MAILBOX = r"^[a-z0-9._+-]+@[a-z0-9-]+(\.[a-z0-9-]+)+$"
YearlyDay = Annotated[date | MonthDay, BeforeValidator(parse_literal)]


class Municipality(Item):
    """The town itself: who it is, its time zone, the hosts of its front ends, how its money is rounded.

    ``mail_from``: the mailbox that its notices come from; ``reply_to``: the one that answers to them go to.
    """

    kind: ClassVar[str] = "municipality"
    cited: ClassVar[bool] = False
    named_by: ClassVar[str] = "slug"
    slug: str = Field(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$")
    name: str
    uf: str = Field(pattern=r"^[A-Z]{2}$")
    ibge: str = Field(pattern=r"^\d{7}$")
    zone: str
    hosts: tuple[str, ...] = ()
    money: Rounded
    mail_from: str | None = Field(default=None, pattern=MAILBOX)
    reply_to: str | None = Field(default=None, pattern=MAILBOX)


class NormItem(Item):
    """A norm of the town, the state or the federation: its rank, its LexML URN, when it is in force."""

    kind: ClassVar[str] = "norm"
    cited: ClassVar[bool] = False
    named_by: ClassVar[str] = "label"
    label: str
    rank: str
    urn: str
    status: tuple[NormStatus, ...]

    @property
    def norm(self) -> Norm:
        return Norm(label=self.label, rank=self.rank, urn=self.urn, status=self.status, title=self.title)

    @model_validator(mode="after")
    def _is_a_norm(self) -> Self:
        _ = self.norm  # rank and URN are checked there
        return self


class Office(Item):
    """Who may do what. ``may`` lists the system's powers."""

    kind: ClassVar[str] = "office"
    may: tuple[str, ...]


class Parameter(Item):
    """What only the town can say; no value stands in the pack."""

    kind: ClassVar[str] = "parameter"
    type: Literal["day", "amount", "number", "length", "percent", "hours", "office", "word", "bool"]
    ask: str
    unit: str | None = None
    list: str | None = None


class Supplied(Item):
    """The value of a parameter, or a point of a series, that an act supplies. ``code`` is the parameter's."""

    kind: ClassVar[str] = "supplied"
    cited: ClassVar[bool] = False
    value: Any
    source: str  # the norm or act that says so
    sample: bool = False  # refused outside a fictitious register


class Reading(Item):
    """Where a text is ambiguous: the question, the options, the one that counts unless the town chooses."""

    kind: ClassVar[str] = "reading"
    ask: str
    options: Mapping[str, str]
    default: str | None = None
    why: str = ""
    miscites: Cites = ()  # devices that the text names by mistake: the linter tells of them


class Choice(Item):
    """A town's choice of an option of a reading, by an act. ``code`` is the reading's."""

    kind: ClassVar[str] = "choice"
    cited: ClassVar[bool] = False
    option: str
    by: str
    why: str


class UnitValue(Table):
    """What one unit is worth in reais over a period."""

    since: Value | None = Field(default=None, alias="from")
    until: Value | None = None
    brl: Value
    sample: bool = False


class Unit(Item):
    """A unit of account of fines or fees. ``on``: the day whose value counts (a reading may choose)."""

    kind: ClassVar[str] = "unit"
    alias: tuple[str, ...] = ()
    on: Word = Word(word="infraction")
    values: tuple[UnitValue, ...] = ()
    percent: Value | None = None
    of: str | None = None
    round: Rounded | None = None


class HolidayItem(Item):
    """A holiday of the town: a day of each year, a single day, or so many days from Easter."""

    kind: ClassVar[str] = "holiday"
    cited: ClassVar[bool] = False
    named_by: ClassVar[str] = "title"
    day: YearlyDay | None = None
    easter: int | None = None
    sort: Literal["holiday", "optional", "short_hours"] = Field(default="holiday", alias="kind")
    act: str
    sample: bool = False


class CodeList(Item):
    """Codes and their titles: holder kinds, titles, roles, papers, areas, causes of ending …"""

    kind: ClassVar[str] = "list"
    cited: ClassVar[bool] = False
    codes: Mapping[str, str]


class Fact(Item):
    """A fact that the pack declares (``local.…``): asked, proven and stored like any other."""

    kind: ClassVar[str] = "fact"
    cited: ClassVar[bool] = False
    type: Literal["bool", "int", "text", "list", "day"]
    of: str
    ask: str
    unit: str | None = None
    list: str | None = None
    proof: Literal["register", "declaration", "paper", "office"] = "declaration"

    @property
    def spec(self) -> FactSpec:
        shape = {"code": self.code, "type": self.type, "unit": self.unit, "of": self.of, "ask": self.ask}
        return FactSpec.model_validate({**shape, "list": self.list, "proof": self.proof})

    @model_validator(mode="after")
    def _can_be_asked(self) -> Self:
        try:
            Vocabulary([self.spec])
        except ValidationError as error:
            raise ValueError("; ".join(detail["msg"] for detail in error.errors())) from error
        return self


class Series(Item):
    """A dated series (population, index): the points come with the pack or are supplied by acts."""

    kind: ClassVar[str] = "series"
    cited: ClassVar[bool] = False
    ask: str
    points: Mapping[date, Decimal] = Field(default_factory=dict)


class CountingItem(Item):
    """A named way of counting days. ``unit``: what a "day" of the term means, where not what the length says.

    ``missing_day``: what stands for a day that the last month lacks.
    """

    kind: ClassVar[str] = "counting"
    unit: Literal["days", "working_days", "months", "years"] | None = None
    missing_day: Literal["last", "next"] = "last"
    first: Word = Word(word="out")
    start: Word = Word(word="any_day")
    roll: Word = Word(word="none")


class NoticeItem(Item):
    """Whom a term reminds, and how long ahead. ``to``: a word for people, ``office``, an office's code, or a power."""

    kind: ClassVar[str] = "notice"
    cited: ClassVar[bool] = False
    on: str
    lead: tuple[Value, ...] = ()
    to: str
    template: str


class Template(Item):
    """The text of a notice, in the town's own words: fields in double braces. ``html``: the same with markup."""

    kind: ClassVar[str] = "template"
    cited: ClassVar[bool] = False
    subject: str
    body: str
    html: str | None = None
