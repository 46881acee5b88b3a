"""What an act costs: the fee, what waives it, its instalments."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal

from tenants.law.citation import Citation
from tenants.law.decide import answer
from tenants.law.decision import Decision, Missing, Outcome
from tenants.law.evaluation import Evaluation
from tenants.law.kinds.terms import Fee, Waiver
from tenants.law.money import Money, instalments_of, rate_day, rounding_of
from tenants.law.quantity import PERCENT, Amount, Length, Number, Percent, scaled

_ALL = Percent(PERCENT)


@dataclass(frozen=True, slots=True)
class FeeQuestion:
    """What is the fee called ``code``, or the fee of ``of``? ``instalments``: in how many one would pay.

    Its value is a ``FeeAnswer``, or a tuple of them where several fees of one act are due.

    ``days``: when what may fix a unit's value took place (``request``, ``payment`` …); the fact's own is the law's.
    """

    code: str | None = None
    of: str | None = None
    keys: Mapping[str, str] = field(default_factory=dict)
    days: Mapping[str, date] = field(default_factory=dict)
    instalments: int = 1


@dataclass(frozen=True, slots=True)
class FeeAnswer:
    """``units`` and ``total`` are what is due, after ``waived``; ``instalments`` sum to it exactly."""

    fee: str
    of: str
    units: Amount
    total: Money
    waived: Percent | None
    waived_by: tuple[Citation, ...]
    instalments: tuple[Decimal, ...]
    every: Length | None


@answer.register
def _(question: FeeQuestion, ev: Evaluation) -> Decision:
    if question.code is not None:
        rule = ev.named(Fee, question.code, question.keys)
        return _fee(ev, rule, question) if rule else ev.close()
    rules = ev.rules(Fee, lambda r: r.of == question.of, **question.keys)
    if not rules:
        asked = f"a lei não tem, para este caso, taxa de {question.of} em {ev.on:%d/%m/%Y}"
        ev.lacks(Missing("rule", question.of or "fee", asked))
        return ev.close()
    if len(rules) > 1:
        parts = [_fee(ev.alone(rule), rule, question) for rule in rules]
        message, values = " ".join(part.message for part in parts), tuple(part.value for part in parts)
        if all(part.permits for part in parts):
            return ev.decide(Outcome.VALUE, message, value=values, parts=parts)
        return ev.together(parts, message=message, value=values)
    return _fee(ev, rules[0], question)


def _fee(ev: Evaluation, rule: Fee, question: FeeQuestion) -> Decision:
    if question.instalments > rule.instalments:
        return ev.decide(Outcome.DENIED, f"A taxa {rule.code} paga-se em até {rule.instalments} parcela(s).")
    full = _amount(ev, rule)
    waiver, waived, unproven = _waived(ev, rule, question)
    if full is None or (waiver and waived is None):
        return ev.close()
    due: Amount = scaled(full, Percent(_ALL.value - waived.value)) if waived else full
    day = rate_day(ev, due.unit, question.days) if due.value else ev.on
    money = Money(due.value, due.value, due.unit, Decimal(0), ev.on) if not due.value else None
    money = money or (ev.reais(due, day) if day else None)
    if money is None or ev.obstacle:
        return ev.close(parts=unproven)
    every = ev.typed(rule.every, Length)
    found = FeeAnswer(
        fee=rule.code,
        of=rule.of,
        units=due,
        total=money,
        waived=waived,
        waived_by=waiver.cite if waiver else (),
        instalments=tuple(instalments_of(money.brl, question.instalments, rounding_of(ev, due.unit))),
        every=every,
    )
    return ev.decide(Outcome.VALUE, _text(rule, found), value=found, parts=unproven)


def _amount(ev: Evaluation, rule: Fee) -> Amount | None:
    if rule.amount is None:
        ev.undetermined(f"a lei não fixa a taxa {rule.code}: é a legislação tributária do município que a fixa")
        return None
    value = ev.value(rule.amount)
    if isinstance(value, Number):
        return Amount(value.value, "BRL")
    return ev.typed(rule.amount, Amount)


def _waived(
    ev: Evaluation, rule: Fee, question: FeeQuestion
) -> tuple[Waiver | None, Percent | None, tuple[Decision, ...]]:
    """The first waiver that is proven, and how much it waives; the unproven ones say what would have to be proven."""
    unproven: list[Decision] = []
    for at, waiver in enumerate(rule.waive):
        if any(question.keys.get(key) not in codes for key, codes in waiver.applies.items()):
            continue
        apart = ev.fresh()
        holds = True if waiver.when is None else apart.holds(waiver.when)
        if holds is None and apart.obstacle is Outcome.UNPROVEN:
            unproven.append(apart.close())
            continue
        ev.takes(apart)
        if holds:
            ev.part(rule, f"waive-{at}", waiver.cite)
            part = ev.typed(waiver.part, Percent) if waiver.part else _ALL
            return waiver, part, tuple(unproven)
    return None, None, tuple(unproven)


def _text(rule: Fee, found: FeeAnswer) -> str:
    title = rule.title or f"Taxa {rule.code}"
    if found.waived and not found.total.brl:
        return f"{title}: isenta."
    reais = "" if found.units.unit == "BRL" else f" ({Amount(found.total.brl, 'BRL').text})"
    return f"{title}: {found.units.text}{reais}."
