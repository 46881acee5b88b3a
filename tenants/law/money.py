"""Amounts in reais: exact, by the unit's value on the day that counts, rounded once."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import TYPE_CHECKING

from tenants.law.decision import Missing
from tenants.law.kinds.basis import Unit, UnitValue
from tenants.law.quantity import Amount, Number, Percent, Quantity, Rounding

if TYPE_CHECKING:
    from tenants.law.evaluation import Evaluation

REAL = "BRL"
FACT_DAY = "infraction"  # the day of the fact: the law's own


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
    return Money(rounding_of(ev, amount.unit).apply(amount.value * rate), amount.value, amount.unit, rate, on)


def rounding_of(ev: "Evaluation", unit: str) -> Rounding:
    """The unit's own rounding, else the town's."""
    found = unit_called(ev, unit)
    return (found.round if found else None) or ev.law.book.town.money


def unit_called(ev: "Evaluation", name: str) -> Unit | None:
    """A unit by its code or by an alias."""
    return next((unit for _, unit in ev.law.all(Unit) if name == unit.code or name in unit.alias), None)


def rate_day(ev: "Evaluation", name: str, days: Mapping[str, date]) -> date | None:
    """The day whose value of a unit counts: the law, or a reading, names it; the case says when it was.

    None: the case does not say, and it is noted as missing.
    """
    unit = unit_called(ev, name)
    which = FACT_DAY if unit is None else ev.word(unit.on)
    if which is None:
        return None
    if which in days:
        return days[which]
    if which == FACT_DAY:
        return ev.on
    ev.lacks(Missing("fact", f"day.{which}", f"Em que dia ({which}) se toma o valor da {name}?"))
    return None


def rate_of(ev: "Evaluation", name: str, on: date) -> Decimal | None:
    """Reais for one unit on a day, unrounded."""
    if name == REAL:
        return Decimal(1)
    there = ev.at(on)
    rate = _rate(there, name, on, ())
    if there is not ev:
        ev.takes(there)
    return rate


def _rate(ev: "Evaluation", name: str, on: date, through: tuple[str, ...]) -> Decimal | None:
    if name == REAL:
        return Decimal(1)
    for found, unit in ev.law.all(Unit):
        if name != unit.code and name not in unit.alias:
            continue
        ev.uses(found)
        if unit.code in through:
            ev.undetermined(f"a unidade {unit.code} define-se por si mesma")
            return None
        return _of_another(ev, unit, on, (*through, unit.code)) if unit.of else _listed(ev, unit, on)
    ev.undetermined(f"a lei não tem a unidade {name} em {on:%d/%m/%Y}")
    return None


def _of_another(ev: "Evaluation", unit: Unit, on: date, through: tuple[str, ...]) -> Decimal | None:
    """A unit that is a percentage of another; without a percentage, the other by a new name."""
    base = _rate(ev, unit.of or "", on, through)
    if unit.percent is None:
        return base
    factor = ev.value(unit.percent)
    return base * factor.fraction if base is not None and isinstance(factor, Percent) else None


def _listed(ev: "Evaluation", unit: Unit, on: date) -> Decimal | None:
    """The value of the period that contains the day; the latest to begin where several do."""
    holding = [(since or date.min, v) for v in unit.values for since in _begun(ev, v, on)]
    rate = _reais(ev.value(max(holding, key=lambda pair: pair[0])[1].brl)) if holding else None
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


def shared(total: Decimal, fractions: Sequence[Decimal], rounding: Rounding) -> list[Decimal] | None:
    """``total`` in parts that sum to it exactly, the last taking what rounding leaves; None: they are not the whole."""
    if not fractions or sum(fractions) != 1:
        return None
    parts = [Rounding("down", rounding.digits).apply(total * fraction) for fraction in fractions[:-1]]
    return [*parts, total - sum(parts, Decimal(0))]


def instalments_of(total: Decimal, count: int, rounding: Rounding) -> list[Decimal]:
    """``count`` parts that sum to ``total`` exactly; what does not divide is the first one's."""
    each = Rounding("down", rounding.digits).apply(total / count)
    return [total - each * (count - 1), *([each] * (count - 1))]
