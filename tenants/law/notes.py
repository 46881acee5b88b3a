"""What an answer draws on and what it lacks: noted on the way, and closed into a decision."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from tenants.law.citation import Citation
from tenants.law.decision import Decision, Missing, Outcome, ReadingUsed, RuleUsed, combine
from tenants.law.facts import Facts, FactValue
from tenants.law.law import InForce, Law
from tenants.law.rule import Item


class Notes:
    """Readings, facts and rules used; things missing, faults of the law, offices to which it leaves something."""

    def __init__(self, law: Law, facts: Facts) -> None:
        self.law, self.facts, self.on = law, facts, law.on
        self._readings: dict[str, ReadingUsed] = {}
        self._facts: dict[str, FactValue] = {}
        self._missing: dict[tuple[str, str], Missing] = {}
        self._rules: dict[tuple[str, str], RuleUsed] = {}
        self.faults: list[str] = []
        self.offices: list[str] = []

    def takes(self, other: "Notes") -> None:
        """Take over what another evaluation noted."""
        if other is self:
            return
        self._readings |= other._readings
        self._facts |= other._facts
        self._missing |= other._missing
        self._rules |= other._rules
        self.faults += other.faults
        self.offices += other.offices

    def lacks_as(self, other: "Notes") -> None:
        """Take over only what stands in the way: of one thing among many, whose facts are not the case's."""
        self._missing |= other._missing
        self.faults += other.faults
        self.offices += other.offices

    def uses(self, found: InForce) -> None:
        self._rules[(found.item.kind, found.item.code)] = found.used
        for code in found.item.reads:
            self.reading(code)
        if found.doubt is not None:
            self.lacks(found.doubt)

    def part(self, item: Item, code: str, cite: tuple[Citation, ...]) -> None:
        """Note a part of a rule in use (a step, a rung, a waiver) that has articles of its own."""
        whole = self._rules.get((item.kind, item.code))
        if cite and whole is not None:
            named = f"{item.code}/{code}"
            self._rules[(item.kind, named)] = replace(whole, code=named, citations=cite)

    def lacks(self, missing: Missing) -> None:
        self._missing[(missing.kind, missing.code)] = missing

    def undetermined(self, why: str) -> None:
        """Something that neither the law nor the town has said."""
        self.faults.append(why)

    def reading(self, code: str) -> str | None:
        item, option, chosen = self.law.reading(code)
        if option is None:
            self.lacks(Missing("reading", code, item.ask))
            return None
        self._readings[code] = ReadingUsed(code, option, item.ask, item.cite, chosen)
        return option

    def left_to(self, office: str | None) -> None:
        """Left to an office's judgement: never guessed."""
        self.offices.append(office or "")

    # --- the answer --------------------------------------------------------------------------------------------

    @property
    def obstacle(self) -> Outcome | None:
        """What stands in the way of an answer: nothing, or the worst of what has been noted."""
        if self.faults or any(m.kind != "fact" for m in self._missing.values()):
            return Outcome.UNDETERMINED
        if self.offices:
            return Outcome.NEEDS_DECISION
        return Outcome.UNPROVEN if self._missing else None

    def decide(self, outcome: Outcome, message: str, *, value: Any = None, parts: Sequence[Decision] = ()) -> Decision:
        """Close with an answer that rests on what has been noted; missing things do not change it."""
        return Decision(
            outcome=outcome,
            message=message,
            value=value,
            rules=tuple(self._rules.values()),
            readings=tuple(self._readings.values()),
            facts=dict(self._facts),
            missing=tuple(self._missing.values()),
            parts=tuple(parts),
            office=next((office for office in self.offices if office), None),
        )

    def close(self, *, parts: Sequence[Decision] = (), value: Any = None) -> Decision:
        """Close with the obstacle that has been noted; there must be one."""
        outcome = self.obstacle
        if outcome is None:
            raise RuntimeError("nothing stands in the way of an answer")
        return self.decide(outcome, self._why(outcome), value=value, parts=parts)

    def together(self, parts: Sequence[Decision], *, message: str, value: Any = None) -> Decision:
        """Several parts that must all hold, beside whatever this evaluation itself noted."""
        own = [self.close()] if self.obstacle else []
        whole = combine([*own, *parts], message=message, value=value)
        readings = tuple(dict.fromkeys([*self._readings.values(), *whole.readings]))
        return whole if own else replace(whole, rules=tuple(self._rules.values()), readings=readings)

    def _why(self, outcome: Outcome) -> str:
        asks = "; ".join(m.ask for m in self._missing.values())
        match outcome:
            case Outcome.UNPROVEN:
                return f"Falta provar: {asks}"
            case Outcome.NEEDS_DECISION:
                offices = ", ".join(office for office in self.offices if office) or "autoridade competente"
                return f"Depende de decisão de: {offices}"
        missing = [m.ask for m in self._missing.values() if m.kind != "fact"]
        return "; ".join([*(f"Falta informar: {ask}" for ask in missing), *self.faults])
