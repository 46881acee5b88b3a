"""What a pack's texts mean while it is being read: the norm a bare article belongs to, the facts a condition may name."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import BeforeValidator, ValidationInfo
from pydantic_core import PydanticCustomError

from tenants.law.cel import Condition, ConditionError
from tenants.law.citation import Citation, parse_citations
from tenants.law.facts import Vocabulary


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


def _condition(raw: Any, info: ValidationInfo) -> Any:
    if not isinstance(raw, str):
        return raw
    context = _context(info)
    try:
        return Condition.compile(raw, context.vocabulary, context.lists)
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
    return (raw,) if isinstance(raw, str) else raw


Cel = Annotated[Condition, BeforeValidator(_condition)]
Cites = Annotated[tuple[Citation, ...], BeforeValidator(_citations)]
Codes = Annotated[tuple[str, ...], BeforeValidator(_many)]
