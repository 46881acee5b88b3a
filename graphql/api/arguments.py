"""A mutation's input as a use case takes it."""

import dataclasses
from typing import Any

import strawberry
from strawberry.types.base import StrawberryContainer

from api.facts import FactInput
from api.types.scalars import read_id


def arguments_of(given: Any) -> dict[str, Any]:
    """What was not sent is left out, ids are UUIDs, inputs inside are mappings, facts one by code.

    Raises:
        NotFound: An id is malformed: it answers as one that never existed.
    """
    found: dict[str, Any] = {}
    for field in given.__strawberry_definition__.fields:
        value = getattr(given, field.python_name)
        if value is not strawberry.UNSET:
            found[field.python_name] = _argument(value, is_id=_is_id(field.type))
    return found


def _argument(value: Any, *, is_id: bool) -> Any:
    if isinstance(value, list) and value and all(isinstance(each, FactInput) for each in value):
        return {fact.code: fact.value for fact in value}
    if isinstance(value, list):
        return [_argument(each, is_id=is_id) for each in value]
    if is_id and isinstance(value, str):
        return read_id(value).key
    if dataclasses.is_dataclass(value) and hasattr(value, "__strawberry_definition__"):
        return arguments_of(value)
    return value


def _is_id(declared: Any) -> bool:
    while isinstance(declared, StrawberryContainer):
        declared = declared.of_type
    return declared is strawberry.ID
