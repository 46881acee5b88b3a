"""One evaluation of the law on the facts of a case: it answers, and notes everything that the answer drew on."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date
from decimal import Decimal
from typing import Any, TypeVar

from tenants.law.calendar import Counting, DayCount, count
from tenants.law.cel import Condition, Fails, Fault, Holds, Score, Unproven
from tenants.law.decision import Decision, Missing, Outcome
from tenants.law.facts import Facts, FactValue
from tenants.law.law import InForce
from tenants.law.money import Money, in_reais
from tenants.law.notes import Notes
from tenants.law.precedence import winners
from tenants.law.quantity import Amount, Length, Number, Quantity, Rounding, text
from tenants.law.rule import OfficeRef, Rule
from tenants.law.values import Value, Word

R = TypeVar("R", bound=Rule)
T = TypeVar("T")


class Evaluation(Notes):
    """Mutable while a rule is being evaluated, then closed into a ``Decision``.

    A value that cannot be had is None, and the reason has been noted.
    """

    def fresh(self, facts: Facts | None = None) -> "Evaluation":
        """A new one on the same law, for a part that is answered apart."""
        return Evaluation(self.law, self.facts if facts is None else facts)

    def alone(self, rule: Rule) -> "Evaluation":
        """A new one for one rule's own answer: the rule, and what its taking effect draws on, are noted."""
        apart = self.fresh()
        found = self.law.find(rule.kind, rule.code)
        if found is not None:
            apart.uses(found)
        apart._takes_effect(rule)
        return apart

    def at(self, day: date) -> "Evaluation":
        """The same case under the law of another day; what it notes is taken back with ``takes``."""
        return self if day == self.on else Evaluation(self.law.at(day), self.facts)

    # --- rules ---------------------------------------------------------------------------------------------------

    def rules(self, cls: type[R], where: Callable[[R], bool] | None = None, /, **keys: str) -> list[R]:
        """The rules of a kind that concern the case and take effect; each is noted as used.

        ``where`` leaves the others of the kind unread and unnoted. Where nothing decides between two rules on one
        point, both are shown and the evaluation is undetermined.
        """
        chosen: list[R] = []
        for rule, own in self.each(cls, where, **keys):
            self.takes(own)
            chosen += [] if rule is None else [rule]
        return chosen

    def each(
        self, cls: type[R], where: Callable[[R], bool] | None = None, /, **keys: str
    ) -> Iterator[tuple[R | None, "Evaluation"]]:
        """The same, each with an evaluation of its own that has noted the rule and its ``if``.

        No rule: nothing decides between several (the evaluation is undetermined), or a transition exempts the case
        (nothing stands in the way).
        """
        return self._each(cls, where, keys)

    def each_untested(
        self, cls: type[R], where: Callable[[R], bool] | None = None, /, **keys: str
    ) -> Iterator[tuple[R | None, "Evaluation"]]:
        """The same, where the ``if`` is what the rule is about, and the caller tests it."""
        return self._each(cls, where, keys, if_bars=True)

    def _each(
        self, cls: type[R], where: Callable[[R], bool] | None, keys: Mapping[str, str], *, if_bars: bool = False
    ) -> Iterator[tuple[R | None, "Evaluation"]]:
        own: dict[str, Evaluation] = {}
        candidates = []
        for found, rule in self.law.all(cls):
            if (where is None or where(rule)) and self.law.concerns(rule, keys):
                own[rule.code] = self.fresh()
                if own[rule.code]._takes_effect(rule, if_bars):
                    candidates.append((found, rule))
                else:
                    self._readings |= own[rule.code]._readings  # it may be a reading that switched the rule off
        for remaining in winners(self.law, candidates):
            noted = own[remaining[0][1].code]
            for found, rule in remaining:
                noted.takes(own[rule.code])
                noted.uses(found)
            if len(remaining) > 1:
                names = ", ".join(f"{rule.code} ({'; '.join(map(str, rule.cite))})" for _, rule in remaining)
                noted.undetermined(f"a lei não decide qual regra prevalece: {names}")
                yield None, noted
            else:
                yield noted._kept(cls, *remaining[0]), noted

    def rule(self, cls: type[R], code: str) -> R | None:
        """One rule by its code, noted as used; None where the law has none that day."""
        found = self.law.find(cls.kind, code)
        if found is None or not isinstance(found.item, cls):
            return None
        self.uses(found)
        return found.item

    def named(self, cls: type[R], code: str, keys: Mapping[str, str]) -> R | None:
        """A rule by its code, if it takes effect; asked without keys, whomever it concerns. None: noted as missing."""
        rule = self.law.get(cls, code)
        asked = keys or {key: codes[0] for key, codes in (rule.applies.items() if rule else ()) if codes}
        found = self.rules(cls, lambda each: each.code == code, **asked)
        if not found:
            self.lacks(Missing("rule", code, f"a lei não tem, para este caso, {code} em {self.on:%d/%m/%Y}"))
            return None
        return found[0]

    def _takes_effect(self, rule: Rule, if_bars: bool = False) -> bool:
        """False only where it is off or its ``if`` fails: an unproven one is considered, and what it lacks is noted."""
        if self.word(rule.off) == "yes":
            return False
        return if_bars or rule.when is None or self.holds(rule.when) is not False

    def _kept(self, cls: type[R], found: InForce, rule: R) -> R | None:
        """The rule itself, or what its transition keeps for this case."""
        transition = rule.transition
        if transition is None:
            return rule
        until = self.day(transition.until) if transition.until else None
        if (until is not None and self.on > until) or (transition.when and self.holds(transition.when) is False):
            return rule
        self.part(rule, "transition", transition.cite)
        if transition.keeps == "exempt":
            return None
        older = self.law.older(cls, rule.code)
        if older is None or not isinstance(older.item, cls):
            return None
        self.uses(older)
        return older.item

    # --- conditions and facts -----------------------------------------------------------------------------------

    def holds(self, condition: Condition) -> bool | None:
        """Whether a condition holds; None: what it lacks, or why it fails to evaluate, has been noted."""
        score = self.score(condition)
        return None if score is None else score > 0

    def score(self, condition: Condition) -> int | None:
        """What a condition that scores comes to; 1 or 0 for one that holds or fails; None as for ``holds``."""
        facts = self.facts
        for code in condition.facts:
            if code.startswith("param."):
                value = self.law.param(code.removeprefix("param."))
                if not isinstance(value, Missing):  # a missing one is noted where the condition turns on it
                    facts = facts.with_({code: int(value.value) if isinstance(value, Number) else value})
            elif code.startswith("reading."):
                name = code.removeprefix("reading.")
                if self.law.reading(name)[1] is not None:
                    facts = facts.with_({code: self.reading(name)})
            elif (fact := facts.get(code)) is not None:
                self._facts[code] = fact
        match condition.evaluate(facts, self.on):
            case Holds():
                return 1
            case Fails():
                return 0
            case Score(value=score):
                return score
            case Unproven(missing=codes):
                for code in sorted(codes):
                    self.lacks_fact(code)
            case Fault(message=message):
                self.faults.append(message)
        return None

    def fact(self, code: str) -> FactValue | None:
        """A fact of the case; None: it is noted as missing."""
        value = self.facts.get(code)
        if value is None:
            self.lacks_fact(code)
        else:
            self._facts[code] = value
        return value

    def quantity_of(self, code: str) -> Quantity | None:
        """A whole-number or day fact as a quantity."""
        match self.fact(code):
            case date() as day:
                return day
            case int() as number:
                return Number(Decimal(number))
        return None

    def lacks_fact(self, code: str) -> None:
        if code.startswith("param."):
            self.param(code.removeprefix("param."))
        elif code.startswith("reading."):
            self.reading(code.removeprefix("reading."))
        else:
            self.lacks(Missing("fact", code, self.law.vocabulary[code].ask))

    def test(self, condition: Condition, *, met: str, failed: str) -> Decision:
        """ALLOWED where a condition holds, DENIED where it fails, else the obstacle."""
        match self.holds(condition):
            case True:
                return self.decide(Outcome.ALLOWED, met)
            case False:
                return self.decide(Outcome.DENIED, failed)
        return self.close()

    # --- values ------------------------------------------------------------------------------------------------

    def value(self, value: Value) -> Quantity | None:
        return value.resolve(self)

    def typed(self, value: Value | None, kind: type[T]) -> T | None:
        """A value of one type; absent is None, and another type is noted as a fault of the rule."""
        found = value.resolve(self) if value is not None else None
        if found is None or isinstance(found, kind):
            return found
        self.undetermined(f"{text(found)} não é o que a regra pede aqui")
        return None

    def word(self, word: Word) -> str | None:
        return word.resolve(self)

    def day(self, value: Value) -> date | None:
        found = value.resolve(self)
        return found if isinstance(found, date) else None

    def whole(self, value: Value) -> int | None:
        """A whole number."""
        found = value.resolve(self)
        return int(found.value) if isinstance(found, Number) else None

    def param(self, code: str) -> Any:
        found = self.law.param(code)
        if isinstance(found, Missing):
            self.lacks(found)
            return None
        return found

    def series(self, code: str, at: str) -> Number | None:
        """A point of a series; a fact ``town.<series>`` of the case comes first, so that one may suppose another."""
        supposed = self.facts.get(f"town.{code}")
        if isinstance(supposed, int):
            self._facts[f"town.{code}"] = supposed
            return Number(Decimal(supposed))
        found = self.law.series(code, same_year=at == "year")
        if isinstance(found, Missing):
            self.lacks(found)
            return None
        return found

    def divided(self, number: Number | None, per: Value | None, round_: Word) -> Number | None:
        if number is None or per is None:
            return number
        divisor, mode = per.resolve(self), self.word(round_)
        if not isinstance(divisor, Number) or mode is None:
            return None
        return Number(Rounding(mode).apply(number.value / divisor.value))  # type: ignore[arg-type]

    def plus(self, base: Quantity | None, add: Value | None, counting: str | None) -> Quantity | None:
        if base is None or add is None:
            return base
        length = add.resolve(self)
        if not isinstance(length, Length) or not isinstance(base, date):
            return None
        counted = self.count(counting, base, length)
        return counted.last_day

    def count(
        self, code: str | None, start: date, length: Length, suspensions: Sequence[tuple[date, date]] = ()
    ) -> DayCount:
        """Count a length from an event under a named counting of the law."""
        return count(self.counting(code), start, length, self.law.calendar, suspensions)

    def counted(
        self, code: str | None, start: date, length: Length, suspensions: Sequence[tuple[date, date]] = ()
    ) -> DayCount | None:
        """As ``count``; None: the law counts no such length that way, or to no day, and it is noted."""
        try:
            return self.count(code, start, length, suspensions)
        except (ValueError, OverflowError, LookupError):
            self.undetermined(f"a contagem {code or 'civil'} não conta {length.text} de {start:%d/%m/%Y}")
            return None

    def counting(self, code: str | None) -> Counting:
        return self.law.counting(code, lambda word: self.word(word) or "")

    def value_of_rule(self, kind: str, code: str) -> Quantity | None:
        """The amount of a fee, or the value of a quota, as another rule draws on it."""
        found = self.law.find(kind, code)
        if found is None:
            self.lacks(Missing("rule", code, code))
            return None
        self.uses(found)
        value = getattr(found.item, "amount", None) or getattr(found.item, "value", None)
        return None if value is None else self.value(value)

    def office(self, ref: OfficeRef) -> str | None:
        found = self.law.office_of(ref)
        if isinstance(found, Missing):
            self.lacks(found)
            return None
        return found

    def reais(self, amount: Amount, on: date) -> Money | None:
        """An amount in reais by its unit's value on a day, rounded once."""
        return in_reais(self, amount, on)
