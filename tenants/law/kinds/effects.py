"""What an infraction, a late term or a measure draws."""

from typing import Literal

from pydantic import Field

from tenants.law.loading import Cel, Cites
from tenants.law.rule import OfficeRef, Table
from tenants.law.values import Value


class Tier(Table):
    """An amount by a condition over facts; without ``if`` for all the rest."""

    when: Cel | None = Field(default=None, alias="if")
    amount: Value


class Effect(Table):
    """One effect. Any ``do`` that the system has no word for is an ``order``: label, term and who decides."""

    do: Literal["warn", "fine", "suspend", "hold", "charge_daily", "split", "end", "bar", "convert", "points", "order"]
    amount: Value | None = None
    tiers: tuple[Tier, ...] = ()
    points: Value | None = None
    least: Value | None = None
    most: Value | None = None
    term: Value | None = None
    counting: str | None = None
    cause: str | None = None
    label: str = ""
    reports_as: str | None = Field(default=None, alias="as")
    decides: OfficeRef | None = None
    opens: str | None = None
    cite: Cites = ()
