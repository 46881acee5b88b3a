"""A decision as the API shows it: made from `Decision.plain()`, which is also how acts keep it."""

import re
from collections.abc import Mapping
from datetime import date
from decimal import Decimal
from typing import Any

import strawberry
from strawberry.scalars import JSON

from api.types.money import Money
from api.types.output import output
from tenants.law.citation import Citation as LawCitation
from tenants.law.citation import Norm
from tenants.law.decision import Outcome

Norms = Mapping[str, Norm]
_DAYS = ("last_day", "until", "due_on", "served_on", "day")
_ISO = re.compile(r"\d{4}-\d\d-\d\d")
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")

strawberry.enum(
    Outcome,
    name="Outcome",
    description="What a decision comes to (resultado): UNPROVEN lacks a fact, UNDETERMINED lacks law …",
)


@output(description="An article of a norm (dispositivo).")
class Citation:
    text: str = strawberry.field(description="Norm and device in one line, as people write it.")
    norm: str = strawberry.field(description="The norm's label (norma).")
    device: str | None = strawberry.field(description="Article, paragraph, item (dispositivo); absent: the whole norm.")
    urn: str | None = strawberry.field(description="LexML URN; absent where the town's law does not know the norm.")


@output(description="A version of a rule on which the answer rests (regra).")
class RuleUsed:
    kind: str
    code: str
    title: str
    since: date | None
    publication: str
    citations: list[Citation]


@output(description="The option by which an ambiguous text was read (interpretação).")
class ReadingUsed:
    code: str
    option: str
    ask: str
    chosen: bool = strawberry.field(description="Chosen by the town's act; otherwise it is the default.")
    citations: list[Citation]


@output(description="A fact that the answer used (fato).")
class FactUsed:
    code: str
    value: JSON


@output(description="What must be supplied before there is an answer, with the question to put (pendência).")
class Missing:
    kind: str
    code: str
    ask: str


@output(description="An answer that explains itself (decisão): outcome, articles, rules, readings, facts.")
class Decision:
    outcome: Outcome
    message: str = strawberry.field(description="For people, in Portuguese.")
    value: JSON | None = strawberry.field(description="The whole value; sums as decimal text, days as ISO dates.")
    number: Decimal | None = strawberry.field(description="The value, when it is a number.")
    day: date | None = strawberry.field(description="The value's day, or its last day (último dia).")
    money: Money | None = strawberry.field(description="The value in reais, with unit and rate (valor).")
    office: str | None = strawberry.field(description="The office that judges, where it is left to one (órgão).")
    citations: list[Citation]
    rules: list[RuleUsed]
    readings: list[ReadingUsed]
    facts: list[FactUsed]
    missing: list[Missing]
    parts: list["Decision"] = strawberry.field(description="The answers that this one is made of.")

    @classmethod
    def of(cls, plain: Mapping[str, Any], norms: Norms) -> "Decision":
        """From the plain form of a decision and the norms that its citations name."""
        value = plain["value"]
        return cls(
            outcome=Outcome(plain["outcome"]),
            message=plain["message"],
            value=value,
            number=_number(value),
            day=_day(value),
            money=Money.found_in(value),
            office=plain["office"],
            citations=citations(plain["citations"], norms),
            rules=[
                RuleUsed(
                    kind=rule["kind"],
                    code=rule["code"],
                    title=rule["title"],
                    since=None if rule["since"] is None else date.fromisoformat(rule["since"]),
                    publication=rule["publication"],
                    citations=citations(rule["citations"], norms),
                )
                for rule in plain["rules"]
            ],
            readings=[
                ReadingUsed(
                    code=reading["code"],
                    option=reading["option"],
                    ask=reading["ask"],
                    chosen=reading["chosen"],
                    citations=citations(reading["citations"], norms),
                )
                for reading in plain["readings"]
            ],
            facts=[FactUsed(code=code, value=fact) for code, fact in plain["facts"].items()],
            missing=[Missing(kind=m["kind"], code=m["code"], ask=m["ask"]) for m in plain["missing"]],
            parts=[cls.of(part, norms) for part in plain["parts"]],
        )


def citations(texts: Any, norms: Norms) -> list[Citation]:
    return [_citation(text, norms) for text in texts]


def _citation(text: str, norms: Norms) -> Citation:
    cited = LawCitation.parse(text)
    norm = norms.get(cited.norm)
    return Citation(
        text=text,
        norm=cited.norm,
        device=None if cited.device is None else str(cited.device),
        urn=None if norm is None else cited.urn(norm),
    )


def _number(value: Any) -> Decimal | None:
    """A number stands in the plain form as an int, as decimal text, alone under `value`, or as a `total`."""
    match value:
        case bool():
            return None
        case int():
            return Decimal(value)
        case str() if _NUMBER.fullmatch(value):
            return Decimal(value)
        case {"total": inner}:
            return _number(inner)
        case {"value": inner, **rest} if not rest:
            return _number(inner)
    return None


def _day(value: Any) -> date | None:
    """The day that an answer comes to, by the names that answers give it."""
    if isinstance(value, Mapping):
        return next((day for name in _DAYS if (day := _day(value.get(name))) is not None), None)
    if isinstance(value, str) and _ISO.fullmatch(value):
        return date.fromisoformat(value)
    return None
