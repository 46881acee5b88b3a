"""Amounts in units of the law, by the value that a unit has by now on the day that the law says."""

from collections.abc import Hashable
from dataclasses import dataclass, field, replace
from datetime import date
from decimal import Decimal
from typing import Any

from sqlalchemy import Row

from services.recomputing.causes import Cause, Days
from tenants.law.decision import Decision, Outcome
from tenants.law.evaluation import Evaluation
from tenants.law.facts import Facts
from tenants.law.kinds.effects import Drawn
from tenants.law.money import Money
from tenants.law.quantity import Amount


@dataclass(frozen=True, slots=True)
class Revalued:
    """An amount that comes to something else. ``explained``: the recorded one is its units by its rate, no more.

    ``effect``: what a fine is now drawn by, where it is drawn again; ``effects``: all that its infraction draws.
    """

    row: Row[Any]
    money: Money
    decision: Decision
    explained: bool
    effect: Drawn | None = None
    effects: tuple[Drawn, ...] = ()


@dataclass(frozen=True, slots=True)
class Otherwise:
    """Something owed of which the law now says something else than an amount: nothing that a machine may change."""

    row: Row[Any]
    was: str
    decision: Decision


@dataclass(slots=True)
class Valuer:
    """Values amounts again for one cause, each unit's value of a day once."""

    cause: Cause
    known: dict[Hashable, Decision] = field(default_factory=dict)

    def revalued(self, row: Row[Any], fact_on: date, rate_on: date) -> Revalued | None:
        """None: the publication leaves the unit's value as it was charged, or the law no longer knows one."""
        now = self._value("now", self.cause.now, row, fact_on, rate_on)
        if not isinstance(now.value, Money) or now.value.rate == row.rate:
            return None
        then = self._value("then", self.cause.then, row, fact_on, rate_on)
        if isinstance(then.value, Money) and then.value.rate == now.value.rate:
            return None
        money: Money = now.value
        explained = isinstance(then.value, Money) and then.value.brl == row.brl
        said = f"{now.message} Fonte: {self.cause.norm}."
        return Revalued(row, money, replace(now, message=said), explained)

    def _value(self, when: str, days: Days, row: Row[Any], fact_on: date, rate_on: date) -> Decision:
        key = (when, row.units, row.unit, fact_on, rate_on)
        if key not in self.known:
            self.known[key] = valued(days, row.units, row.unit, fact_on, rate_on)
        return self.known[key]


def valued(days: Days, units: Decimal, unit: str, fact_on: date, rate_on: date) -> Decision:
    """So many units in reais, under the law of the day of the fact, with the rule that gives the unit its value."""
    law = days.on(fact_on)
    ev = Evaluation(law, Facts({}, law.vocabulary))
    money = ev.reais(Amount(units, unit), rate_on)
    if money is None:
        return ev.close()
    said = f"Valor da {unit} em {rate_on:%d/%m/%Y}: R$ {money.rate:f}; {units:f} {unit} são R$ {money.brl:.2f}."
    return ev.decide(Outcome.VALUE, said, value=money)
