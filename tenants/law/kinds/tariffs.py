"""Tariffs: components of a fare, when each counts, how they stack."""

from typing import ClassVar, Literal

from pydantic import Field

from tenants.law.loading import Cel, Codes, FactCode, Rounded
from tenants.law.rule import OfficeRef, Rule, Table
from tenants.law.values import Value, Word


class Component(Table):
    """``value`` times a measured fact (beyond or below a threshold), when a condition holds.

    ``per``: of how much of the fact one value is; ``round``: whether a part of it counts as a whole.
    """

    code: str
    value: Value
    times: FactCode | None = None
    beyond: Value | None = None
    below: Value | None = None
    per: Value | None = None
    round: Word = Word(word="exact")  # exact, up, down
    when: Cel | None = Field(default=None, alias="if")


class Tariff(Rule):
    """A tariff, or a surcharge on one (``add``), in a window of hours, weekdays, dates or events.

    A window's hours wrap midnight, first minute in; ``last``: is the closing minute inside too. ``weekdays``
    (``monday`` …) or ``holidays`` open it together, everything else narrows it. ``stacking``: ``replace`` (alone
    where it counts), ``greatest`` (only the greatest of these), ``add`` (beside all).
    """

    kind: ClassVar[str] = "tariff"
    components: tuple[Component, ...] = ()
    minimum: Value | None = None
    add: Value | None = None
    hours: Value | None = None
    last: Word = Word(word="out")
    weekdays: Codes = ()
    holidays: bool = False
    season: tuple[Value, Value] | None = None  # two yearly days, both inside; it may wrap the year
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
