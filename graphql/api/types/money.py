"""Sums."""

from collections.abc import Iterator, Mapping
from datetime import date
from decimal import Decimal
from typing import Any

import strawberry

from api.types.output import output


@output(description="A sum in reais, beside the units of account that it comes from (valor).")
class Money:
    brl: Decimal = strawberry.field(description="In reais.")
    units: Decimal = strawberry.field(description="In the unit of account (unidade fiscal).")
    unit: str
    rate: Decimal = strawberry.field(description="Reais for one unit.")
    rate_on: date = strawberry.field(description="The day whose rate it is.")

    @classmethod
    def found_in(cls, value: Any) -> "Money | None":
        """What the sums in a plain value come to together; nothing where their units or rates differ."""
        found = list(_sums(value))
        if not found or len({(each.unit, each.rate, each.rate_on) for each in found}) > 1:
            return None
        first, *more = found
        for each in more:
            first.brl += each.brl
            first.units += each.units
        return first


def _sums(value: Any) -> Iterator[Money]:
    match value:
        case {"brl": str(brl), "units": str(units), "unit": str(unit), "rate": str(rate), "rate_on": str(rate_on)}:
            day = date.fromisoformat(rate_on)
            yield Money(brl=Decimal(brl), units=Decimal(units), unit=unit, rate=Decimal(rate), rate_on=day)
        case Mapping():
            for inner in value.values():
                yield from _sums(inner)
        case list():
            for inner in value:
                yield from _sums(inner)
