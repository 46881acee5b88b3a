"""Whoever shows no token sees what is public, and of the rest not even whether it is there."""

import uuid
from typing import Any

import pytest
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
from tests.support.web import Edge

PUBLIC = {
    "campaign",
    "fee",
    "inspectionDue",
    "law",
    "mayHold",
    "municipality",
    "points",
    "process",
    "publicPermit",
    "quota",
    "quoteFare",
    "quoteInfraction",
    "quoteQuota",
    "quoteShare",
    "served",
    "stepTerm",
    "substitute",
    "term",
    "transfer",
    "vehicleAge",
    "viewer",
}
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
        return global_id(name.removesuffix("Id"), uuid.UUID(int=1))
    if isinstance(kind, GraphQLEnumType):
        return next(iter(kind.values))
    return SAMPLES[kind.name]


def operation(kind: str, name: str, field: Any) -> tuple[str, dict[str, Any]]:
    """The shortest operation that asks for a root field."""
    demanded = {n: a for n, a in field.args.items() if is_non_null_type(a.type)}
    declared = ", ".join(f"${n}: {a.type}" for n, a in demanded.items())
    given = ", ".join(f"{n}: ${n}" for n in demanded)
    selection = "" if is_leaf_type(get_named_type(field.type)) else " { __typename }"
    head = f"{kind} ({declared})" if declared else kind
    called = f"{name}({given})" if given else name
    return f"{head} {{ {called}{selection} }}", {n: sample(a.type, n) for n, a in demanded.items()}


async def test_what_is_not_public_is_forbidden_to_whoever_shows_no_token(web: Edge) -> None:
    answered = {}
    for name, field in QUERIES.items():
        query, variables = operation("query", name, field)
        codes = await web.codes(query, variables=variables, host="vila-nova.test")
        answered[name] = codes

    assert {name for name, codes in answered.items() if codes == ["FORBIDDEN"]} == set(QUERIES) - PUBLIC
    assert not [name for name, codes in answered.items() if "INTERNAL" in codes]


async def test_a_stranger_with_a_token_sees_no_more(web: Edge) -> None:
    token = web.token("stranger", town="vila-nova")
    for name in sorted(set(QUERIES) - PUBLIC):
        query, variables = operation("query", name, QUERIES[name])
        assert await web.codes(query, variables=variables, token=token) == ["FORBIDDEN"], name


@pytest.mark.parametrize("name", MUTATIONS)
async def test_nobody_acts_without_a_power(web: Edge, name: str) -> None:
    query, variables = operation("mutation", name, MUTATIONS[name])
    for token in (None, web.token("stranger", town="vila-nova")):
        answer = await web.ask(query, variables=variables, token=token, host="vila-nova.test")
        assert answer[name]["__typename"] == "Forbidden"
