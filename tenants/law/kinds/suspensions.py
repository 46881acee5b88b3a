"""How long a suspension lasts: as the law fixes it, or as the decision does within what the law allows."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from tenants.law.calendar import Counting, count
from tenants.law.decide import answer
from tenants.law.decision import Decision, Missing, Outcome
from tenants.law.evaluation import Evaluation
from tenants.law.kinds.effects import Effect
from tenants.law.kinds.infractions import Infraction
from tenants.law.kinds.sanctions import Sanction
from tenants.law.quantity import Length
from tenants.law.values import ByReading, Ranged, Value

_BOTH_ENDS = Counting(code="both-ends", first="in")


@dataclass(frozen=True, slots=True)
class SuspensionQuestion:
    """Until when does a suspension last, first and last day counted?

    Args:
        code: Of the infraction, or of the sanction, that suspends.
        until: As the decision says; None: as the law fixes it.
    """

    code: str
    since: date
    until: date | None = None


@dataclass(frozen=True, slots=True)
class SuspensionAnswer:
    rule: str
    since: date
    until: date


@answer.register
def _(question: SuspensionQuestion, ev: Evaluation) -> Decision:
    rule = ev.rule(Infraction, question.code) or ev.rule(Sanction, question.code)
    effect = next((each for each in _effects(rule) if each.do == "suspend"), None)
    if rule is None or effect is None:
        return ev.decide(Outcome.DENIED, f"A lei não prevê suspensão por {question.code}.")
    ranged = _ranged(ev, effect.term)
    fixed = ev.typed(effect.term, Length) if effect.term and ranged is None else None
    if fixed is not None:
        last = _last(ev, question.since, fixed)
        if question.until not in (None, last):
            return ev.decide(Outcome.DENIED, f"A lei fixa a suspensão em {fixed.text}: até {last:%d/%m/%Y}.")
        return _lasts(ev, rule.code, question.since, last)
    if question.until is None:
        ev.lacks(Missing("fact", "suspension.until", "Até que dia a decisão suspende?"))
        return ev.close()
    low, high = (ranged.above, ranged.upto) if ranged else (effect.least, effect.most)
    refused = _out_of_bounds(ev, question.since, question.until, low, high)
    if refused:
        return ev.decide(Outcome.DENIED, refused)
    return ev.close() if ev.obstacle else _lasts(ev, rule.code, question.since, question.until)


def _effects(rule: Infraction | Sanction | None) -> Iterator[Effect]:
    if rule is not None:
        yield rule
        yield from rule.also if isinstance(rule, Infraction) else ()


def _ranged(ev: Evaluation, value: Value | None) -> Ranged | None:
    """What is left to an office, by whichever reading."""
    while isinstance(value, ByReading):
        option = ev.reading(value.reading)
        value = value.options[option] if option else None
    return value if isinstance(value, Ranged) else None


def _last(ev: Evaluation, since: date, length: Length) -> date:
    return count(_BOTH_ENDS, since, length, ev.law.calendar).last_day


def _out_of_bounds(ev: Evaluation, since: date, until: date, low: Value | None, high: Value | None) -> str | None:
    if until < since:
        return "A suspensão termina antes de começar."
    least, most = ev.typed(low, Length), ev.typed(high, Length)
    if least is not None and until < _last(ev, since, least):
        return f"A lei exige ao menos {least.text} de suspensão."
    if most is not None and until > _last(ev, since, most):
        return f"A lei admite no máximo {most.text} de suspensão."
    return None


def _lasts(ev: Evaluation, rule: str, since: date, until: date) -> Decision:
    said = f"Suspensão de {since:%d/%m/%Y} a {until:%d/%m/%Y}."
    return ev.decide(Outcome.VALUE, said, value=SuspensionAnswer(rule, since, until))
