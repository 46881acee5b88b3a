"""Stands, rosters, hours of duty."""

from typing import ClassVar, Literal

from pydantic import Field

from tenants.law.loading import Codes
from tenants.law.rule import OfficeRef, Rule, Table
from tenants.law.values import Value, Word


class Stand(Rule):
    """A stand (ponto): where, how many slots, when.

    ``hours``: in which it may be used; of one of kind ``shared``, in which all may use it: in others it is a fixed one.
    """

    kind: ClassVar[str] = "stand"
    named_by: ClassVar[str] = "number"
    number: int
    place: str
    slots: int | None = None
    access: Literal["fixed", "open", "shared"] = Field(default="fixed", alias="kind")
    area: str | None = None
    hours: Value | None = None
    counts: Word = Word(word="yes")  # "no": waiting there takes no slot


class StandPolicy(Rule):
    """How stands are created, moved, closed, and what a holder may do at them."""

    kind: ClassVar[str] = "stand_policy"
    create: Word | None = None
    close: str | None = None
    needs: Codes = ()
    decides: OfficeRef | None = None
    own_only: bool = False
    fixed_only: bool = False
    assigned: bool = False  # each permit has a stand of its own, and none is granted without
    former: Word | None = None  # what becomes of the stand acts of before: stay | fall


class Cover(Table):
    """How many cars must be there, over which hours."""

    hours: Value | Literal["all"] = "all"
    least: int


class Roster(Rule):
    """Who covers which hours (escala): by agreement, else by decree."""

    kind: ClassVar[str] = "roster"
    cover: tuple[Cover, ...] = ()
    agreed_by: Codes = ()
    otherwise: OfficeRef | None = None


class Rest(Table):
    """How many may rest, in which hours."""

    most: Value
    hours: Value


class ServiceDuty(Rule):
    """How long each must work, and who may rest when."""

    kind: ClassVar[str] = "service_duty"
    hours: Value | None = None
    per: Literal["day", "week"] = "day"
    rest: Rest | None = None
    daily: bool = False
    exempt: Codes = ()
