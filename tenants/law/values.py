"""Typed values of the law: what stands where a rule needs a number, an amount, a length, a day or a word.

A field takes a literal ("30 UFIR", "6 months", "50%", 47, a day) or one of the tables below. Each resolves against an
``Evaluation``, which notes what it drew on; ``None`` means that something is missing, and the evaluation says what.
"""

from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Discriminator, Field, Tag, model_validator
from pydantic_core import PydanticCustomError

from tenants.law.loading import Cel, FactCode
from tenants.law.quantity import Number, Percent, Quantity, parse_literal, scaled

if TYPE_CHECKING:
    from tenants.law.evaluation import Evaluation


class _Table(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", arbitrary_types_allowed=True, populate_by_name=True)


def _options(raw: Any) -> Any:
    """``{reading = "r", a = 1, b = 2}`` as ``{reading: "r", options: {a: 1, b: 2}}``."""
    if not isinstance(raw, dict) or "options" in raw or "reading" not in raw:
        return raw
    return {"reading": raw["reading"], "options": {k: v for k, v in raw.items() if k != "reading"}}


class Const(_Table):
    """A literal."""

    literal: Quantity

    @model_validator(mode="before")
    @classmethod
    def _wrap(cls, raw: Any) -> Any:
        if isinstance(raw, dict):
            return raw
        try:
            return {"literal": parse_literal(raw)}
        except ValueError as error:
            raise PydanticCustomError("literal", "{why}", {"why": str(error)}) from error

    def resolve(self, ev: "Evaluation") -> Quantity | None:
        return self.literal


class Word(_Table):
    """A word of the system's own (``up``, ``next``, ``first`` …), or one word for each option of a reading."""

    word: str = ""
    reading: str | None = None
    options: dict[str, str] = Field(default_factory=dict)

    @model_validator(mode="before")
    @classmethod
    def _split(cls, raw: Any) -> Any:
        if isinstance(raw, str):
            return {"word": raw}
        return _options(raw)

    def resolve(self, ev: "Evaluation") -> str | None:
        if self.reading is None:
            return self.word
        option = ev.reading(self.reading)
        return None if option is None else self.options[option]


class ParamValue(_Table):
    """What only the town can say, perhaps plus a length ("five years from publication")."""

    param: str
    add: "Value | None" = None
    counting: str | None = None

    def resolve(self, ev: "Evaluation") -> Quantity | None:
        return ev.plus(ev.param(self.param), self.add, self.counting)


class FactValueOf(_Table):
    """A fact of the case, perhaps plus a length."""

    fact: FactCode
    add: "Value | None" = None
    counting: str | None = None

    def resolve(self, ev: "Evaluation") -> Quantity | None:
        return ev.plus(ev.quantity_of(self.fact), self.add, self.counting)


class ByReading(_Table):
    """One value for each option of a reading: every key but ``reading`` is an option."""

    reading: str
    options: dict[str, "Value"]

    @model_validator(mode="before")
    @classmethod
    def _split(cls, raw: Any) -> Any:
        return _options(raw)

    def resolve(self, ev: "Evaluation") -> Quantity | None:
        option = ev.reading(self.reading)
        return None if option is None else self.options[option].resolve(ev)


class SeriesValue(_Table):
    """The point of a dated series (population, index) that counts, perhaps divided and rounded ("one per 1,300")."""

    series: str
    at: Literal["latest", "year"] = "latest"
    per: "Value | None" = None
    round: Word = Word(word="down")

    def resolve(self, ev: "Evaluation") -> Quantity | None:
        return ev.divided(ev.series(self.series, self.at), self.per, self.round)


class Extreme(_Table):
    """The least or the greatest of several."""

    least: tuple["Value", ...] = ()
    greatest: tuple["Value", ...] = ()

    def resolve(self, ev: "Evaluation") -> Quantity | None:
        found = [value.resolve(ev) for value in self.least or self.greatest]
        known = [value for value in found if value is not None]
        if len(known) < len(found):
            return None
        return min(known) if self.least else max(known)  # type: ignore[type-var]


class Portion(_Table):
    """A percentage of another value, or a multiple of it."""

    percent: "Value | None" = None
    times: "Value | None" = None
    of: "Value"

    def resolve(self, ev: "Evaluation") -> Quantity | None:
        base = self.of.resolve(ev)
        factor = (self.percent or self.times).resolve(ev)  # type: ignore[union-attr]
        if base is None or not isinstance(factor, (Percent, Number)):
            return None
        product: Quantity = scaled(base, factor)
        return product


class RuleValue(_Table):
    """The value of another rule (a fee, a tariff component), by kind and code."""

    rule: str
    kind: str = "fee"

    def resolve(self, ev: "Evaluation") -> Quantity | None:
        return ev.value_of_rule(self.kind, self.rule)


class Band(_Table):
    """One line of a table: taken when the fact is below ``below``, or at most ``upto``; neither: all the rest."""

    below: "Value | None" = None
    upto: "Value | None" = None
    value: "Value" = Field(alias="is")


class Bands(_Table):
    """A table by a fact: the first band that takes the fact counts."""

    by: FactCode
    bands: tuple[Band, ...]

    def resolve(self, ev: "Evaluation") -> Quantity | None:
        fact = ev.quantity_of(self.by)
        if fact is None:
            return None
        for band in self.bands:
            edge = (band.below or band.upto).resolve(ev) if band.below or band.upto else None  # type: ignore[union-attr]
            if edge is None and (band.below or band.upto):
                return None
            if edge is None or fact < edge or (band.upto and fact == edge):  # type: ignore[operator]
                return band.value.resolve(ev)
        ev.undetermined(f"nenhuma faixa cobre {self.by}")
        return None


class Case(_Table):
    """One line of a table of conditions; without ``if`` it takes all the rest."""

    when: Cel | None = Field(default=None, alias="if")
    value: "Value" = Field(alias="is")


class Cases(_Table):
    """A table by conditions (fuel, category, capacity): the first that holds counts."""

    cases: tuple[Case, ...]

    def resolve(self, ev: "Evaluation") -> Quantity | None:
        for case in self.cases:
            holds = True if case.when is None else ev.holds(case.when)
            if holds is None:
                return None
            if holds:
                return case.value.resolve(ev)
        ev.undetermined("nenhum caso da tabela cobre os fatos")
        return None


class DayPlus(_Table):
    """A day plus a length under a named counting."""

    day: "Value"
    add: "Value"
    counting: str | None = None

    def resolve(self, ev: "Evaluation") -> Quantity | None:
        return ev.plus(self.day.resolve(ev), self.add, self.counting)


class Ranged(_Table):
    """Left to an office (or to whom a parameter names), between bounds where the law gives them."""

    office: str | None = None
    above: "Value | None" = None
    upto: "Value | None" = None

    def resolve(self, ev: "Evaluation") -> Quantity | None:
        ev.left_to(self.office)
        return None


# By which key a table is told; "reading" first, because its options may be called anything. The sign keeps tags apart
# from the pack's own keys in what pydantic says of errors.
_TAGS = {
    **{key: f"={key}" for key in ("reading", "param", "fact", "series", "rule", "bands", "cases", "day", "office")},
    **{"percent": "=portion", "times": "=portion", "least": "=extreme", "greatest": "=extreme"},
}


def _tag(raw: Any) -> str:
    if isinstance(raw, _Table):
        return _tag(raw.model_dump(exclude_none=True, exclude_defaults=True))
    if not isinstance(raw, dict):
        return "=const"
    return next((tag for key, tag in _TAGS.items() if key in raw), "=const")


Value = Annotated[
    Annotated[Const, Tag("=const")]
    | Annotated[ParamValue, Tag("=param")]
    | Annotated[FactValueOf, Tag("=fact")]
    | Annotated[ByReading, Tag("=reading")]
    | Annotated[SeriesValue, Tag("=series")]
    | Annotated[Extreme, Tag("=extreme")]
    | Annotated[Portion, Tag("=portion")]
    | Annotated[RuleValue, Tag("=rule")]
    | Annotated[Bands, Tag("=bands")]
    | Annotated[Cases, Tag("=cases")]
    | Annotated[DayPlus, Tag("=day")]
    | Annotated[Ranged, Tag("=office")],
    Discriminator(_tag),
]

_RECURSIVE = (ParamValue, FactValueOf, ByReading, SeriesValue, Extreme, Portion)
for _model in (*_RECURSIVE, Band, Bands, Case, Cases, DayPlus, Ranged):
    _model.model_rebuild()
