"""The quick way of completing answers is the ordinary way, only quicker: same data, same errors."""

from datetime import date
from typing import Any

import pytest
import strawberry
from graphql import ExecutionResult, GraphQLOutputType, parse

from api import execution
from api.completion import Completions
from api.documents import Document
from tests.unit.api.sample import Color, Holder, Permit, context, permit, schema

ALL = """
query ($more: Boolean = true) {
  permits(first: 9) {
    totalCount
    pageInfo { hasNextPage }
    edges { cursor node { ...P kind: __typename } }
  }
  anything { __typename ... on Permit { number } ... on Holder { name } }
}
fragment P on Permit {
  id
  n: number
  color
  labels
  scores
  holder @include(if: $more) { name born }
  fines(first: 2) { edges { node { id amount paid } } }
  other: fines(first: 1) { edges { node { amount } } }
}
"""
ANA = Holder(id=strawberry.ID("h1"), name="Ana", born=date(1980, 2, 29))


async def run(text: str, monkeypatch: pytest.MonkeyPatch | None, *permits: Permit, **variables: Any) -> ExecutionResult:
    """With a `monkeypatch`: without plans."""
    if monkeypatch is not None:
        monkeypatch.setattr(execution.Execution, "_plan", lambda *_: None)
    return await execution.execute(schema._schema, Document(text, parse(text)), variables, None, context(*permits))


@pytest.mark.parametrize("more", [True, False])
async def test_both_ways_give_the_same_answer(monkeypatch: pytest.MonkeyPatch, more: bool) -> None:
    given = (
        permit(1, holder=ANA, color=Color.BLACK, labels=["a", "b"], scores=[1, None]),
        permit(2, holder=None, color=None),
        permit(3, holder=ANA),
    )
    quick = await run(ALL, None, *given, more=more)
    plain = await run(ALL, monkeypatch, *given, more=more)

    assert plain.errors is None
    assert quick == plain
    assert quick.data is not None
    assert plain.data is not None
    assert list(quick.data["permits"]["edges"][0]["node"]) == list(plain.data["permits"]["edges"][0]["node"])


async def test_of_some_types_of_a_union_nothing_need_be_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "{ anything { ... on Holder { name } } }"
    quick = await run(text, None, permit(1))
    plain = await run(text, monkeypatch, permit(1))

    assert plain.errors is None
    assert quick.data == plain.data == {"anything": [{}, {"name": "Ana"}]}


@pytest.mark.parametrize(
    "wrong",
    [
        {"number": None},
        {"number": 2**40},
        {"number": "many"},
        {"color": "purple"},
        {"labels": [None]},
        {"labels": "ab"},
        {"scores": ["x"]},
        {"holder": 3},
        {"holder": Holder(id=strawberry.ID("h"), name=None)},  # type: ignore[arg-type]
    ],
    ids=str,
)
async def test_a_wrong_value_is_reported_as_the_ordinary_way_does(
    monkeypatch: pytest.MonkeyPatch, wrong: dict[str, Any]
) -> None:
    given = (permit(1), permit(2, **wrong))
    quick = await run(ALL, None, *given)
    plain = await run(ALL, monkeypatch, *given)

    assert plain.errors
    assert quick.data == plain.data
    assert [(e.message, e.path) for e in quick.errors or ()] == [(e.message, e.path) for e in plain.errors]


async def test_a_document_plans_once_and_each_switch_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    planned: list[Any] = []
    of = Completions.of

    def noted(self: Completions, declared: GraphQLOutputType, details: Any) -> Any:
        planned.append(of(self, declared, details))
        return planned[-1]

    monkeypatch.setattr(Completions, "of", noted)
    document = Document(ALL, parse(ALL))
    answers = [
        await execution.execute(schema._schema, document, {"more": more}, None, context(permit(1, holder=ANA)))
        for more in (True, False, True, False)
    ]

    assert len(planned) == 4, "two root fields, for each value of the switch"
    assert None not in planned, "every field below is plain"
    assert answers[0] == answers[2] != answers[1] == answers[3]


async def test_the_selection_names_what_is_asked_for() -> None:
    asked = context(permit(1))
    await execution.execute(schema._schema, Document(ALL, parse(ALL)), {"more": False}, None, asked)

    assert asked["asked"] == {"id", "number", "color", "labels", "scores", "fines"}
    assert asked["uses"] == [
        ("fines", {"first": 2, "after": None}, frozenset({"edges"})),
        ("other", {"first": 1, "after": None}, frozenset({"edges"})),
    ]
