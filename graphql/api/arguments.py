"""A mutation's input as a use case takes it."""

import dataclasses
from typing import Any

import strawberry
from strawberry.types.base import StrawberryContainer

from api.facts import FactInput
from api.types.scalars import read_id

ANY = "subject"


def arguments_of(given: Any) -> dict[str, Any]:
    """What was not sent is left out, ids are UUIDs, inputs inside are mappings, facts one by code.

    A field called `permit_id` takes ids of permits only; `subject_id` those of any kind.

    Raises:
        NotFound: An id is malformed or of another kind: it answers as one that never existed.
    """
    found: dict[str, Any] = {}
    for field in given.__strawberry_definition__.fields:
        value = getattr(given, field.python_name)
        if value is not strawberry.UNSET:
            found[field.python_name] = _argument(value, field)
    return found


def _argument(value: Any, field: Any) -> Any:
    declared = _inner(field.type)
    if declared is FactInput and isinstance(value, list):
        return {fact.code: fact.value for fact in value}
    if isinstance(value, list):
        return [_argument(each, field) for each in value]
    if declared is strawberry.ID and isinstance(value, str):
        return read_id(value, _kind(field.python_name)).key
    if dataclasses.is_dataclass(value) and hasattr(value, "__strawberry_definition__"):
        return arguments_of(value)
    return value


def _inner(declared: Any) -> Any:
    """The type within lists and what may be absent."""
    while isinstance(declared, StrawberryContainer):
        declared = declared.of_type
    return declared


def _kind(name: str) -> str | None:
    """Of what the id in a field of this name must be; None: of anything."""
    stem, _, last = name.rpartition("_")
    return stem if last in ("id", "ids") and stem not in ("", ANY) else None
