"""A fact drawn again from what is kept of it: by the law with a publication, and as if it had not been."""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from decimal import Decimal
from typing import Any

from sqlalchemy import Row

from services.enforcement.applying import CHARGES
from services.recomputing.amounts import Otherwise, Revalued, Valuer
from services.recomputing.causes import Cause, Days
from services.registry.attributes import stored
from services.registry.facts import facts
from tenants.law.decide import answer, decide
from tenants.law.decision import Decision
from tenants.law.evaluation import Evaluation
from tenants.law.facts import Facts
from tenants.law.kinds.basis import Unit
from tenants.law.law import Law
from tenants.law.money import Money, rounding_of
from tenants.law.quantity import Amount
from tenants.law.questions import Drawn, Event, InfractionsQuestion, PenaltyAnswer

# What of an effect is drawn, beside how much it comes to.
DRAWN = ("do", "label", "reports_as", "cause", "term", "points", "least", "most", "opens", "to")


@dataclass(frozen=True, slots=True)
class Told:
    """What is kept of the fact of a fine. ``facts``: in JSON's own types; ``decision``: what the fine rests on."""

    facts: Mapping[str, Any]
    decision: Mapping[str, Any]
    past: tuple[Event, ...] = ()


@dataclass(frozen=True, slots=True)
class _Answer:
    decision: Decision
    shape: Hashable


@dataclass(slots=True)
class Redrawer:
    """Draws again for one cause; facts that are alike are drawn once."""

    cause: Cause
    valuer: Valuer
    known: dict[Hashable, _Answer] = field(default_factory=dict)

    def redrawn(self, row: Row[Any], told: Told) -> Revalued | Otherwise | None:
        """None: both laws draw the same of it, or what is recorded is what the law now draws."""
        now, then = (self._drawn(days, row, told, row.rate) for days in (self.cause.now, self.cause.then))
        otherwise = Otherwise(row, _was(row, told, then.decision), self._said(now.decision))
        if now.shape != then.shape:
            return None if now.shape == shape(told.decision) else otherwise
        new, old = charges(now.decision, row), charges(then.decision, row)
        if [each.units for each in new] == [each.units for each in old]:
            return None
        if len(new) != 1 or not now.decision.permits:
            return otherwise
        if _recorded(new[0], row):
            return None
        explained = _recorded(old[0], row) and _comes_to(old[0], row.brl)
        return self._revalued(row, told, now.decision, explained=explained) or otherwise

    def _revalued(self, row: Row[Any], told: Told, now: Decision, *, explained: bool) -> Revalued | None:
        """What a unit is worth is corrected with it, where the same publication says so."""
        worth = self.valuer.revalued(row, row.seen_on, row.rate_on) if in_units(row) else None
        if worth is not None:
            now = self._drawn(self.cause.now, row, told, worth.money.rate).decision
        (effect,) = charges(now, row)
        if effect.money is None:
            return None
        effects = next(each.effects for each in now.value.kept if each.infraction == row.infraction)
        explained = explained and (worth is None or worth.explained)
        return Revalued(row, effect.money, self._said(now), explained, effect=effect, effects=effects)

    def _said(self, decision: Decision) -> Decision:
        return replace(decision, message=f"{decision.message} Fonte: {self.cause.norm}.")

    def _drawn(self, days: Days, row: Row[Any], told: Told, rate: Decimal | None) -> _Answer:
        if told.past:  # whose it is, and when each was, is nobody else's
            return drawn(days.on(row.seen_on), row, told, rate)
        key = (days is self.cause.now, tuple(row.codes), row.seen_on, row.category, row.permit_id is None)
        key += (repr(sorted(told.facts.items())), row.unit, rate, row.rate_on)  # type: ignore[assignment]
        if key not in self.known:
            self.known[key] = drawn(days.on(row.seen_on), row, told, rate)
        return self.known[key]


def _was(row: Row[Any], told: Told, then: Decision) -> str:
    """What was drawn, as the law says it that drew what is recorded; else as the fine's decision said it."""
    alike = charges(then, row)
    same = len(alike) == 1 and _recorded(alike[0], row)
    return then.message if same else str(told.decision.get("message") or "")


def in_units(row: Row[Any]) -> bool:
    """Is it owed in a unit whose value may change?"""
    return row.unit not in (None, "BRL") and row.rate is not None


def drawn(law: Law, row: Row[Any], told: Told, rate: Decimal | None) -> _Answer:
    """What a law draws for the fact; a unit counts as it was charged."""
    own = {"permit.category": row.category, "offence.by_holder": row.permit_id is not None}
    whose = {"category": row.category, "holder": row.holder_id, "driver": row.driver_id, "vehicle": row.plate}
    keys = {key: str(value) for key, value in whose.items() if value is not None}
    question = InfractionsQuestion(codes=tuple(row.codes), keys=keys, events=told.past)
    case = facts(law, own, stored(law, told.facts))
    first = law.first_day
    if first is not None and law.on < first:
        decision = decide(law, question, case)
    else:
        decision = answer(question, AsCharged(law, case, row.unit, rate, row.rate_on))
    return _Answer(decision, shape(decision.plain()))


class AsCharged(Evaluation):
    """A unit is worth what was charged for it: its value is not what is drawn again."""

    def __init__(self, law: Law, facts: Facts, unit: str | None, rate: Decimal | None, rate_on: date) -> None:
        super().__init__(law, facts)
        self.unit, self.rate, self.rate_on = unit, rate, rate_on

    def reais(self, amount: Amount, on: date) -> Money | None:
        if amount.unit != self.unit or self.rate is None:
            return super().reais(amount, on)
        for found, unit in self.law.all(Unit):
            if amount.unit == unit.code or amount.unit in unit.alias:
                self.uses(found)
        brl = rounding_of(self, amount.unit).apply(amount.value * self.rate)
        return Money(brl, amount.value, amount.unit, self.rate, self.rate_on)


def shape(decision: Mapping[str, Any]) -> Hashable:
    """What a decision draws, in JSON's own types, whatever it comes to: which infractions stand, and their effects."""
    value = decision.get("value") or {}
    kept = [
        (penalty["infraction"], bool(penalty["after_process"]), tuple(_kind(effect) for effect in penalty["effects"]))
        for penalty in value.get("kept", ())
    ]
    lacks = tuple(sorted((each["kind"], each["code"]) for each in decision.get("missing") or ()))
    return decision.get("outcome"), lacks, tuple(sorted(kept, key=repr))


def _kind(effect: Mapping[str, Any]) -> Hashable:
    told = tuple(repr(effect.get(name)) for name in DRAWN)
    return (*told, effect.get("units") is None, tuple(sorted(effect.get("parts") or ())))


def charges(decision: Decision, row: Row[Any]) -> list[Drawn]:
    """The effects of its infraction by which a fine may have come about: one, or nobody can tell which."""
    kept = decision.value.kept if isinstance(decision.value, PenaltyAnswer) else ()
    own = [effect for penalty in kept if penalty.infraction == row.infraction for effect in penalty.effects]
    return [effect for effect in own if effect.do in CHARGES and _same(effect, row.effect)]


def _same(effect: Drawn, recorded: Mapping[str, Any] | None) -> bool:
    if recorded is None:
        return True
    known = (recorded.get("do"), recorded.get("label") or "", recorded.get("reports_as"))
    return (effect.do, effect.label, effect.reports_as) == known


def _recorded(effect: Drawn, row: Row[Any]) -> bool:
    return effect.units is not None and (effect.units.value, effect.units.unit) == (row.units, row.unit)


def _comes_to(effect: Drawn, brl: Decimal) -> bool:
    """A fine that comes to something else than its units is of its own."""
    return effect.money is not None and effect.money.brl == brl
