"""How much a document may ask."""

from typing import Any

import pytest
from graphql import parse

from api.limits import excesses
from services.settings import Settings
from tests.unit.api.sample import schema

FREE = {
    "query_most_depth": 50,
    "query_most_aliases": 50,
    "query_most_roots": 50,
    "query_most_cost": 10**6,
    "query_list_cost": 10,
}


def codes(text: str, **limits: Any) -> list[str]:
    settings = Settings.model_construct(**{**FREE, **limits})
    return [(error.extensions or {})["code"] for error in excesses(schema._schema, parse(text), settings)]


def cost(text: str) -> int:
    """The least limit that lets the document pass."""
    low, high = 0, FREE["query_most_cost"]
    while low < high:
        middle = (low + high) // 2
        low, high = (middle + 1, high) if codes(text, query_most_cost=middle) else (low, middle)
    return low


def test_a_mutation_has_exactly_one_root_field() -> None:
    assert codes("mutation { grant(number: 1) }") == []
    assert codes("mutation { a: grant(number: 1) b: grant(number: 2) }") == ["ONE_ROOT_FIELD"]
    assert codes("mutation { ...M } fragment M on Mutation { a: grant(number: 1) b: grant(number: 2) }") == [
        "ONE_ROOT_FIELD"
    ]


def test_depth_counts_through_fragments() -> None:
    text = "{ permits { ...C } } fragment C on PermitConnection { edges { node { holder { name } } } }"

    assert codes(text, query_most_depth=5) == []
    assert codes(text, query_most_depth=4) == ["TOO_MUCH"]


def test_aliases_and_root_fields_are_counted() -> None:
    text = "{ a: nodes { id } b: nodes { id } nodes { x: id } }"

    assert codes(text, query_most_aliases=3, query_most_roots=3) == []
    assert codes(text, query_most_aliases=2) == ["TOO_MUCH"]
    assert codes(text, query_most_roots=2) == ["TOO_MUCH"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("{ permits(first: 50) { edges { node { id } } } }", 1 + 50 * 3),
        ("query ($n: Int) { permits(first: $n) { edges { node { id } } } }", 1 + 100 * 3),
        ("{ permits { edges { node { id } } } }", 1 + 20 * 3),
        ("{ permits(first: 2) { edges { node { fines(first: 3) { edges { node { id } } } } } } }", 1 + 2 * 3 + 6 * 3),
        ("{ nodes { id } }", 1 + 10),
    ],
)
def test_cost_is_fields_times_the_lists_that_they_are_in(text: str, expected: int) -> None:
    assert cost(text) == expected


def test_fragments_that_double_each_other_end_at_once() -> None:
    """Thirty fragments, each used twice by the one before: a thousand million fields."""
    chain = "".join(f"fragment F{n} on Query {{ ...F{n + 1} a{n}: nodes {{ id }} ...F{n + 1} }}\n" for n in range(30))
    text = "{ ...F0 }\n" + chain + "fragment F30 on Query { nodes { id } }"

    assert codes(text, query_most_cost=1000) == ["TOO_MUCH"]
