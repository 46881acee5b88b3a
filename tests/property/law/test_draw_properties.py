"""The order is the candidates' and the law's alone; and a stranger with the standard library comes to the same."""

import json
from collections.abc import Sequence
from datetime import date
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from uuid import UUID

from hypothesis import given, settings
from hypothesis import strategies as st

from services.selection.proof import told
from services.selection.ranking import answered, composed, groups, rank
from services.selection.rules import order_of
from services.selection.tables import SelectionCall, SelectionCandidate
from tenants.law.decision import plain
from tests.support.law import law_of
from tests.support.selection import verified

ANY = UUID(int=1)
OTHERS: dict[str, Any] = {
    **dict.fromkeys(("tenant_id", "call_id", "holder_id", "vehicle_id", "enrolled_act"), ANY),
    "enrolled_on": date(2026, 3, 9),
}
LISTED, DRAWN = date(2026, 3, 10), date(2026, 3, 14)
LADDER = """
[[selection]]
code = "ordem"
cite = "art. 35"
applies = {{ category = "taxi" }}
absent_from_draw = "{absent}"
order = [
  {{ if = "!candidate.other_income", cite = "art. 35, I" }},
  {{ most = "candidate.dependants", cite = "art. 35, II" }},
  {{ draw = true, cite = "art. 35, § 2" }},
]
"""
LAWS = {absent: law_of(LADDER.format(absent=absent)) for absent in ("nothing", "last", "out")}
people = st.lists(
    st.tuples(st.uuids(), st.booleans(), st.integers(0, 2)), min_size=1, max_size=9, unique_by=lambda p: p[0]
)


def call_of(vacancies: int, seed: str, absent: Sequence[UUID]) -> SelectionCall:
    return SelectionCall(
        tenant_id=ANY, opened_act=ANY,
        number="0001/2026", category="taxi", rule="ordem", vacancies=vacancies, announced_on=LISTED, opens_on=LISTED,
        closes_on=LISTED, draw_source="Loteria", draw_on=DRAWN, seed=seed, seed_on=DRAWN, absent=list(absent),
    )  # fmt: skip


def members_of(told_of: Sequence[tuple[UUID, bool, int]]) -> list[SelectionCandidate]:
    return [
        SelectionCandidate(**OTHERS, id=id, facts={"candidate.other_income": other, "candidate.dependants": dependants})
        for id, other, dependants in told_of
    ]


def proof_of(absent: str, call: SelectionCall, members: Sequence[SelectionCandidate]) -> dict[str, Any]:
    """As it would be published: the list without the draw, then the order with it."""
    law = LAWS[absent]
    order = order_of(law, "taxi")
    drafted = composed("vila-nova", order, call, members, rank(law, call, members, [], drawn=False), [], "frozen")
    listed = SimpleNamespace(published_on=LISTED, act_id=None, act_hash="", sha256=drafted.sha256, text=drafted.text)
    decision = rank(law, call, members, [], drawn=True)
    assert decision.permits, decision.message
    call.result = plain(decision.value)
    return dict(json.loads(told("vila-nova", call, [listed], absent)))


@settings(deadline=None)
@given(people, st.data(), st.text(min_size=1, max_size=12), st.integers(1, 4), st.sampled_from(sorted(LAWS)))
def test_the_order_does_not_depend_on_who_enrolled_first(
    who: list[tuple[UUID, bool, int]], data: st.DataObject, seed: str, vacancies: int, absent: str
) -> None:
    away = data.draw(st.lists(st.sampled_from([each[0] for each in who]), unique=True))
    others = data.draw(st.permutations(who))

    once = proof_of(absent, call_of(vacancies, seed, away), members_of(who))
    again = proof_of(absent, call_of(vacancies, seed, away), members_of(others))

    assert once == again
    if absent != "out":
        assert sorted(id for equals in once["order"] for id in equals) == sorted(str(each[0]) for each in who)


@settings(deadline=None, max_examples=40)
@given(people, st.data(), st.text(min_size=1, max_size=12), st.integers(1, 4), st.sampled_from(sorted(LAWS)))
def test_the_proof_script_comes_to_the_same_order(
    tmp_path_factory: Any,
    who: list[tuple[UUID, bool, int]],
    data: st.DataObject,
    seed: str,
    vacancies: int,
    absent: str,
) -> None:
    away = data.draw(st.lists(st.sampled_from([each[0] for each in who]), unique=True))
    proof = proof_of(absent, call_of(vacancies, seed, away), members_of(who))
    folder: Path = tmp_path_factory.mktemp("proof")

    run = verified(proof, folder)

    assert (run.returncode, run.stderr) == (0, "")
    assert json.loads(run.stdout) == proof["order"]


@given(people, st.integers(1, 4))
def test_who_is_better_is_never_behind(who: list[tuple[UUID, bool, int]], vacancies: int) -> None:
    """Without other income, and of these with more dependants; the draw decides among equals alone."""
    members = members_of(who)
    call = call_of(vacancies, "1", ())
    decision = rank(LAWS["nothing"], call, members, [], drawn=True)
    order = [key for equals in groups(answered(decision)) for key in equals]
    worth = {str(id): (other, -dependants) for id, other, dependants in who}

    if len(who) > vacancies:
        assert [worth[key] for key in order] == sorted(worth.values())
