"""Sums."""

from collections.abc import Mapping
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
        """The sum that a plain value is, or has under `money`."""
        match value:
            case {"brl": str(brl), "units": str(units), "unit": str(unit), "rate": str(rate), "rate_on": str(rate_on)}:
                day = date.fromisoformat(rate_on)
                return cls(brl=Decimal(brl), units=Decimal(units), unit=unit, rate=Decimal(rate), rate_on=day)
            case {"money": Mapping() as inner}:
                return cls.found_in(inner)
        return None
