"""Tariffs: components of a fare, when each counts, how they stack."""

from typing import ClassVar, Literal

from pydantic import Field

from tenants.law.loading import Cel, Codes, Rounded
from tenants.law.rule import OfficeRef, Rule, Table
from tenants.law.values import Value, Word


class Component(Table):
    """``value`` times a measured fact (beyond or below a threshold), when a condition holds."""

    code: str
    value: Value
    times: str | None = None
    beyond: Value | None = None
    below: Value | None = None
    when: Cel | None = Field(default=None, alias="if")


class Tariff(Rule):
    """A tariff, or a surcharge on one (``add``), in a window of hours, weekdays, dates or events."""

    kind: ClassVar[str] = "tariff"
    components: tuple[Component, ...] = ()
    minimum: Value | None = None
    add: Value | None = None
    hours: Value | None = None
    weekdays: Codes = ()
    holidays: bool = False
    events: Codes = ()
    stacking: Literal["replace", "add", "greatest"] = "add"
    ride: Word = Word(word="start")  # what counts for a ride across the edge: start, end, split
    round: Rounded | None = None


class TariffPolicy(Rule):
    """Who sets tariffs, after hearing whom, when they are reviewed, what may be agreed beside them."""

    kind: ClassVar[str] = "tariff_policy"
    set_by: OfficeRef | None = None
    hears: Codes = ()
    approves: str = ""
    valid_after: Word = Word(word="decree")  # what makes a tariff valid: decree | approval
    review_when: Codes = ()  # what sets a review going: cost, request
    review_every: Value | None = None
    review_needs: Codes = ()
    zones: bool = False
    raise_only_for: Codes = ()
    surcharge_only_by_law: bool = False
