"""What the system answers: never a bare yes or no, always with its articles, rules, readings and facts."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass
from datetime import date, time
from decimal import Decimal
from enum import StrEnum
from typing import Any, Literal, TypeVar

from tenants.law.citation import Citation
from tenants.law.facts import FactValue

T = TypeVar("T")


class Outcome(StrEnum):
    """What a decision comes to. Combined, the first present in ``PRECEDENCE`` wins."""

    ALLOWED = "ALLOWED"
    DENIED = "DENIED"
    VALUE = "VALUE"
    UNPROVEN = "UNPROVEN"  # a fact is missing
    UNDETERMINED = "UNDETERMINED"  # the law or the town has not said
    NEEDS_DECISION = "NEEDS_DECISION"  # an office judges


PRECEDENCE = (Outcome.DENIED, Outcome.UNDETERMINED, Outcome.NEEDS_DECISION, Outcome.UNPROVEN)


@dataclass(frozen=True, slots=True)
class Missing:
    """Something that must be supplied before the answer can be given, with the question to put."""

    kind: Literal["fact", "parameter", "reading", "rule"]
    code: str
    ask: str


@dataclass(frozen=True, slots=True)
class ReadingUsed:
    """The option by which an ambiguous text was read."""

    code: str
    option: str
    ask: str
    citations: tuple[Citation, ...] = ()
    chosen: bool = False  # False: the default; True: the town chose it by an act


@dataclass(frozen=True, slots=True)
class RuleUsed:
    """A rule version that the answer rests on."""

    kind: str
    code: str
    title: str
    citations: tuple[Citation, ...]
    since: date | None
    publication: str


@dataclass(frozen=True, slots=True)
class Decision:
    """An answer that explains itself. ``plain()`` is its stored and public form."""

    outcome: Outcome
    message: str
    value: Any = None
    rules: tuple[RuleUsed, ...] = ()
    readings: tuple[ReadingUsed, ...] = ()
    facts: Mapping[str, FactValue] = field(default_factory=dict)
    missing: tuple[Missing, ...] = ()
    parts: tuple["Decision", ...] = ()
    office: str | None = None

    @property
    def citations(self) -> tuple[Citation, ...]:
        """The articles of every rule used, here and in the parts, each once, in order of use."""
        own = [c for rule in self.rules for c in rule.citations]
        return tuple(dict.fromkeys(own + [c for part in self.parts for c in part.citations]))

    @property
    def permits(self) -> bool:
        """May an act rest on this decision alone?"""
        return self.outcome in (Outcome.ALLOWED, Outcome.VALUE)

    def carries(self, *, judged: bool) -> bool:
        """May an act rest on it: alone, or since the office records that it judged what the law leaves to it?

        What has yet to be proven is not the office's to judge.
        """
        return self.permits or (judged and self.outcome is Outcome.NEEDS_DECISION and not self.unproven)

    @property
    def unproven(self) -> bool:
        """Is something missing that somebody would have to prove, here or in a part?"""
        return self.outcome is Outcome.UNPROVEN or any(part.unproven for part in self.parts)

    def plain(self) -> dict[str, Any]:
        """The decision in JSON's own types: sums as decimal strings, days as ISO dates."""
        return {
            "outcome": self.outcome.value,
            "message": self.message,
            "value": plain(self.value),
            "citations": [str(c) for c in self.citations],
            "rules": plain(self.rules),
            "readings": plain(self.readings),
            "facts": plain(dict(self.facts)),
            "missing": plain(self.missing),
            "parts": [part.plain() for part in self.parts],
            "office": self.office,
        }


def combine(parts: Sequence[Decision], *, message: str, value: Any = None) -> Decision:
    """The outcome of several answers that must all hold; an empty list is ALLOWED."""
    present = {part.outcome for part in parts}
    outcome = next((o for o in PRECEDENCE if o in present), Outcome.ALLOWED)
    return Decision(
        outcome=outcome,
        message=message,
        value=value,
        readings=_once(r for part in parts for r in part.readings),
        facts={code: fact for part in parts for code, fact in part.facts.items()},
        missing=_once(m for part in parts for m in part.missing),
        parts=tuple(parts),
        office=next((p.office for p in parts if p.outcome is outcome and p.office), None),
    )


def first_no(decision: Decision) -> str:
    """The message of the first part that decided the outcome: what people are told first."""
    return next((part.message for part in decision.parts if part.outcome is decision.outcome), decision.message)


def _once(things: Iterable[T]) -> tuple[T, ...]:
    return tuple(dict.fromkeys(things))


def plain(value: Any) -> Any:
    """Turn a value of the law into JSON's own types, exactly."""
    match value:
        case None | bool() | int() | str():
            return value.value if isinstance(value, StrEnum) else value
        case Decimal():
            return format(value, "f")
        case date() | time():
            return value.isoformat()
        case Citation():
            return str(value)
        case Decision():
            return value.plain()
        case Mapping():
            return {str(k): plain(v) for k, v in value.items()}
        case tuple() | list() | frozenset():
            return [plain(v) for v in value]
    if is_dataclass(value):
        return {f.name: plain(getattr(value, f.name)) for f in fields(value)}
    raise TypeError(f"no plain form for {type(value).__name__}")
