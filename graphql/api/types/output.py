"""Output types as dataclasses with slots: cheap to make by the thousand, and nothing can be hung on them.

Strawberry makes the dataclass; made anew with slots, a class would lose what `strawberry.field` says of its fields.
"""

from collections.abc import Callable
from dataclasses import field as plain_field
from typing import Any, TypeVar, dataclass_transform

import strawberry
from strawberry.types.base import StrawberryObjectDefinition

T = TypeVar("T")


@dataclass_transform(kw_only_default=True, field_specifiers=(strawberry.field, plain_field))
def output(*, description: str, name: str | None = None) -> Callable[[type[T]], type[T]]:
    """A GraphQL type. The description has the Portuguese legal term in it."""
    return lambda cls: _slotted(strawberry.type(cls, name=name, description=description))


@dataclass_transform(kw_only_default=True, field_specifiers=(strawberry.field, plain_field))
def interface(*, description: str) -> Callable[[type[T]], type[T]]:
    return lambda cls: _slotted(strawberry.interface(cls, description=description))


def _slotted(cls: type[T]) -> type[T]:
    """The same class, with a slot for each attribute that its bases have none for."""
    fields: dict[str, Any] = cls.__dataclass_fields__  # type: ignore[attr-defined]
    taken = {name for base in cls.__mro__ for name in getattr(base, "__slots__", ())}
    slots = tuple(name for name, field in fields.items() if field.init and name not in taken)
    body = {name: value for name, value in vars(cls).items() if name not in {*slots, "__dict__", "__weakref__"}}
    metaclass: Any = type(cls)
    made: type[T] = metaclass(cls.__name__, cls.__bases__, {**body, "__slots__": slots})
    definition: StrawberryObjectDefinition = made.__strawberry_definition__  # type: ignore[attr-defined]
    definition.origin = made
    for field in definition.fields:
        if field.origin is cls:
            field.origin = made
    return made
