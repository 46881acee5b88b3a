"""The schema's root fields, and the shortest operation that asks for each."""

import re
import uuid
from typing import Any

from graphql import (
    GraphQLEnumType,
    GraphQLInputObjectType,
    get_named_type,
    is_leaf_type,
    is_list_type,
    is_non_null_type,
)

from api.schema import schema
from api.types.scalars import global_id

SAMPLES: dict[str, Any] = {
    "Date": "2026-03-10",
    "LocalDateTime": "2026-03-10T22:00",
    "Decimal": "1.00",
    "Int": 1,
    "Boolean": True,
    "String": "taxi",
    "JSON": {},
}
QUERIES: dict[str, Any] = dict(getattr(schema._schema.query_type, "fields", {}))
MUTATIONS: dict[str, Any] = dict(getattr(schema._schema.mutation_type, "fields", {}))


def sample(kind: Any, name: str = "permitId") -> Any:
    """A value of an input type: only what it demands. An id is of what its name says, and of nothing that there is."""
    if is_non_null_type(kind):
        return sample(kind.of_type, name)
    if is_list_type(kind):
        return [sample(kind.of_type, name)]
    if isinstance(kind, GraphQLInputObjectType):
        return {n: sample(field.type, n) for n, field in kind.fields.items() if is_non_null_type(field.type)}
    if kind.name == "ID":
        return global_id(kind_of(name), uuid.UUID(int=1))
    if isinstance(kind, GraphQLEnumType):
        return next(iter(kind.values))
    return SAMPLES[kind.name]


def kind_of(name: str) -> str:
    """Of what an id is in a field of this name, or ids in one of several: `tariff_review`."""
    stem = name.removesuffix("s").removesuffix("Id")
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", stem).lower()


def operation(kind: str, name: str, field: Any) -> tuple[str, dict[str, Any]]:
    """The shortest operation that asks for a root field."""
    demanded = {n: a for n, a in field.args.items() if is_non_null_type(a.type)}
    query = asking(kind, name, field, demanded, "{ __typename }")
    return query, {n: sample(a.type, n) for n, a in demanded.items()}


def asking(kind: str, name: str, field: Any, given: dict[str, Any], selection: str) -> str:
    """The text that asks for a root field with these arguments of it, as variables of the same names."""
    declared = ", ".join(f"${n}: {field.args[n].type}" for n in given)
    passed = ", ".join(f"{n}: ${n}" for n in given)
    selected = "" if is_leaf_type(get_named_type(field.type)) else f" {selection}"
    head = f"{kind} ({declared})" if declared else kind
    called = f"{name}({passed})" if passed else name
    return f"{head} {{ {called}{selected} }}"


def ids_in(field: Any) -> list[tuple[str, ...]]:
    """Where a root field takes an id: the path of each through its arguments and their inputs."""
    return [(name, *path) for name, argument in field.args.items() for path in _ids(argument.type)]


def _ids(kind: Any) -> list[tuple[str, ...]]:
    named = get_named_type(kind)
    if isinstance(named, GraphQLInputObjectType):
        return [(name, *path) for name, field in named.fields.items() for path in _ids(field.type)]
    return [()] if named.name == "ID" else []
