"""What a pack's texts mean while it is read: the norm of a bare article, the facts that a condition may name."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import AfterValidator, BeforeValidator, ValidationInfo
from pydantic_core import PydanticCustomError

from tenants.law.cel import Condition, ConditionError
from tenants.law.citation import Citation, parse_citations
from tenants.law.facts import Vocabulary
from tenants.law.quantity import Rounding


@dataclass(frozen=True, slots=True)
class Loading:
    """The context in which rules are validated (pydantic's ``context``)."""

    norm: str
    vocabulary: Vocabulary
    lists: Mapping[str, Mapping[str, str]]


def _context(info: ValidationInfo) -> Loading:
    if not isinstance(info.context, Loading):
        raise TypeError("a rule is read only with a Loading context")
    return info.context


def _condition(raw: Any, info: ValidationInfo, *, scores: bool = False) -> Any:
    if not isinstance(raw, str):
        return raw
    context = _context(info)
    try:
        return Condition.compile(raw, context.vocabulary, context.lists, scores=scores)
    except ConditionError as error:
        raise PydanticCustomError("condition", "{why}", {"why": str(error)}) from error


def _citations(raw: Any, info: ValidationInfo) -> Any:
    texts = [raw] if isinstance(raw, str) else raw
    if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
        return raw
    try:
        return tuple(c for text in texts for c in parse_citations(text, _context(info).norm))
    except ValueError as error:
        raise PydanticCustomError("citation", "{why}", {"why": str(error)}) from error


def _many(raw: Any) -> Any:
    return (raw,) if isinstance(raw, (str, dict)) else raw


def _score(raw: Any, info: ValidationInfo) -> Any:
    return _condition(raw, info, scores=True)


def _declared(code: str, info: ValidationInfo) -> str:
    if isinstance(info.context, Loading) and code not in info.context.vocabulary:
        raise PydanticCustomError("fact", "no fact is called {code}", {"code": code})
    return code


def _rounding(raw: Any) -> Any:
    """``{ round = "half-up", digits = 2 }``, or the word alone for whole numbers."""
    if isinstance(raw, str):
        return {"mode": raw}
    return {"mode": raw["round"], **{k: v for k, v in raw.items() if k != "round"}} if _is_rounding(raw) else raw


def _is_rounding(raw: Any) -> bool:
    return isinstance(raw, dict) and "round" in raw and "mode" not in raw


Cel = Annotated[Condition, BeforeValidator(_condition)]
Scored = Annotated[Condition, BeforeValidator(_score)]  # of an INT
Cites = Annotated[tuple[Citation, ...], BeforeValidator(_citations)]
FactCode = Annotated[str, AfterValidator(_declared)]
Many = BeforeValidator(_many)  # one alone needs no brackets
Codes = Annotated[tuple[str, ...], Many]
Rounded = Annotated[Rounding, BeforeValidator(_rounding)]
