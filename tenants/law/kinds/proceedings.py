"""Administrative process: its steps and terms, and how a person is served."""

from typing import Annotated, ClassVar, Literal

from pydantic import Field

from tenants.law.kinds.escalations import Escalate
from tenants.law.loading import Cites, Codes, Many
from tenants.law.rule import OfficeRef, Rule, Table
from tenants.law.values import Value, Word


class ProcessStep(Table):
    """A step: who acts, within what term after what, whether it suspends the penalty, what silence does."""

    code: str
    title: str = ""
    instance: int = Field(default=1, ge=1)
    actor: Literal["party", "agent", "authority"]
    to: OfficeRef | None = None
    term: Value | None = None
    counting: str | None = None
    after: str
    suspends: bool = False
    silence: Literal["decide", "final", "continue", "escalate", "none"] = "continue"
    whole_or_part: bool = False
    optional: bool = False  # taken only where the authority orders it
    escalates: Annotated[tuple[Escalate, ...], Many] = ()  # before whom an authority's silence comes
    contents: Codes = ()
    cite: Cites = ()


class Process(Rule):
    """A process of any number of instances and steps."""

    kind: ClassVar[str] = "process"
    counting: str
    opened_by: Codes = ()
    judge: OfficeRef | None = None
    step: tuple[ProcessStep, ...]
    deposit: bool = False
    one_file_per_fact: bool = False
    keep: Value | None = None
    direct_to_second: Word = Word(word="no")
    ex_officio: Word = Word(word="no")
    unappealed_final: bool = False
    orders: Codes = ()  # what the judging office may order at any point


class Deemed(Table):
    """When service counts as done where its own date is missing."""

    since: str = Field(alias="from")
    add: Value
    counting: str | None = None


class ServiceWay(Rule):
    """A way to serve a person: when it counts as done, what replaces a missing date, after which others.

    ``where_unknown``: it also serves, without the others, a person whose whereabouts are unknown.
    """

    kind: ClassVar[str] = "service"
    named_by: ClassVar[str] = "way"
    way: str
    done: str | Deemed
    otherwise: Deemed | None = Field(default=None, alias="else")
    after: Codes = ()
    where_unknown: bool = False
    refusal_noted: bool = False
