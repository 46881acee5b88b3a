"""Cost sheets (planilhas de custos): what a holder says the service costs, added up exactly."""

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from services.errors import Invalid
from tenants.law.quantity import Rounding

CENTS = Rounding("half-up", 2)


def sheet_of(given: Mapping[str, Any]) -> dict[str, Any]:
    """As it is kept: sums as text. ``lines``: ``item`` and ``brl`` of a month; ``km``: what is driven in it.

    Raises:
        Invalid: There is no line, or a sum or the distance is not greater than nothing.
    """
    lines = [{"item": line["item"].strip(), "brl": line["brl"]} for line in given["lines"]]
    if not lines or any(not line["item"] or line["brl"] <= 0 for line in lines):
        raise Invalid("sheet", "lines", "Cada linha da planilha tem um item e um valor maior que zero.")
    km: Decimal | None = given.get("km")
    if km is not None and km <= 0:
        raise Invalid("sheet", "km", "A quilometragem do mês é maior que zero.")
    total = sum((line["brl"] for line in lines), Decimal(0))
    per_km = None if km is None else CENTS.apply(total / km)
    kept = {"lines": [{"item": line["item"], "brl": _text(line["brl"])} for line in lines], "total": _text(total)}
    more = {"km": km, "perKm": per_km, "asked": given.get("asked"), "paper": given.get("paper")}
    return {**kept, **{key: _text(value) for key, value in more.items() if value is not None}}


def _text(value: Decimal | str) -> str:
    return value if isinstance(value, str) else format(value, "f")
