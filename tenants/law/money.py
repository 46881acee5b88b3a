"""Amounts in reais: exact, by the unit's value on the day that counts, rounded once."""

from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import TYPE_CHECKING

from tenants.law.kinds.basis import Unit, UnitValue
from tenants.law.quantity import Amount, Number, Quantity, Rounding, scaled, Percent

if TYPE_CHECKING:
    from tenants.law.evaluation import Evaluation

REAL = "BRL"


@dataclass(frozen=True, slots=True)
class Money:
    """Reais, beside the amount in units they come from, the rate used and the day whose rate it is."""

    brl: Decimal
    units: Decimal
    unit: str
    rate: Decimal
    rate_on: date


def in_reais(ev: "Evaluation", amount: Amount, on: date) -> Money | None:
    """None: the unit has no value that day, and the evaluation says what is missing."""
    rate = rate_of(ev, amount.unit, on)
    if rate is None:
        return None
    unit = unit_called(ev, amount.unit)
    rounding = (unit.round if unit else None) or ev.law.book.town.money
    return Money(rounding.apply(amount.value * rate), amount.value, amount.unit, rate, on)


def unit_called(ev: "Evaluation", name: str) -> Unit | None:
    """A unit by its code or by an alias."""
    return next((unit for _, unit in ev.law.all(Unit) if name == unit.code or name in unit.alias), None)


def rate_of(ev: "Evaluation", name: str, on: date) -> Decimal | None:
    """Reais for one unit on a day, unrounded."""
    if name == REAL:
        return Decimal(1)
    there = ev.at(on)
    for found, unit in there.law.all(Unit):
        if name == unit.code or name in unit.alias:
            there.uses(found)
            rate = _of_another(there, unit, on) if unit.of else _listed(there, unit, on)
            if there is not ev:
                ev.takes(there)
            return rate
    ev.undetermined(f"a lei não tem a unidade {name} em {on:%d/%m/%Y}")
    return None


def _of_another(ev: "Evaluation", unit: Unit, on: date) -> Decimal | None:
    """A unit that is a percentage of another."""
    base, factor = rate_of(ev, unit.of or "", on), ev.value(unit.percent) if unit.percent else None
    return base * factor.fraction if base is not None and isinstance(factor, Percent) else None


def _listed(ev: "Evaluation", unit: Unit, on: date) -> Decimal | None:
    """The value of the period that contains the day; the latest to begin where several do."""
    holding = [(since or date.min, v) for v in unit.values for since in _begun(ev, v, on)]
    if not holding:
        ev.undetermined(f"falta o valor da {unit.code} em {on:%d/%m/%Y}")
        return None
    rate = _reais(ev.value(max(holding, key=lambda pair: pair[0])[1].brl))
    if rate is None:
        ev.undetermined(f"falta o valor da {unit.code} em {on:%d/%m/%Y}")
    return rate


def _begun(ev: "Evaluation", value: UnitValue, on: date) -> list[date | None]:
    """Its first day, where its period contains ``on``; otherwise nothing."""
    since = ev.day(value.since) if value.since else None
    until = ev.day(value.until) if value.until else None
    if (value.since and since is None) or (since and since > on) or (until and until < on):
        return []
    return [since]


def _reais(value: Quantity | None) -> Decimal | None:
    match value:
        case Number(value=number):
            return number
        case Amount(value=number, unit="BRL"):
            return number
    return None
