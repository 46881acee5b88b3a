"""In what order candidates come."""

from datetime import date
from typing import Any

import pytest

from tenants.law.decide import decide
from tenants.law.decision import Decision, Outcome
from tenants.law.questions import Candidate, Judgement, SelectionAnswer, SelectionQuestion
from tests.support.law import facts_of, law_of

LADDER = """
[[parameter]]
code = "avaliador"
type = "office"
ask = "Quem avalia o estado do veículo no desempate?"
cite = "art. 35, § 1"
[[selection]]
code = "ordem"
cite = "art. 35"
applies = { category = "taxi" }
order = [
  { if = "!candidate.other_income", title = "sem outra atividade", cite = "art. 35, I" },
  { most = "candidate.dependants", title = "dependentes", cite = "art. 35, II" },
  { most = "candidate.driving_months", title = "tempo de atividade", cite = "art. 35, III" },
  { if = "candidate.sole_provider && candidate.marital == 'single'", title = "arrimo", cite = "art. 35, IV" },
  { judge = { param = "avaliador" }, ask = "Qual veículo está mais bem conservado?", cite = "art. 35, § 1" },
  { draw = true, cite = "art. 35, § 2" },
]
"""
JUDGE = '\n[[supplied]]\ncode = "avaliador"\nvalue = "vistoria"\nsource = "Decreto 2"\n'
ALIKE: dict[str, Any] = {
    "candidate__other_income": False,
    "candidate__dependants": 2,
    "candidate__driving_months": 60,
    "candidate__sole_provider": False,
    "candidate__marital": "married",
}


def select(text: str, people: dict[str, dict[str, Any]], **question: Any) -> Decision:
    law = law_of(text)
    candidates = tuple(Candidate(key, facts_of(law, **facts)) for key, facts in people.items())
    return decide(law, SelectionQuestion("taxi", candidates, **question), facts_of(law))


def order(decision: Decision) -> list[tuple[str, int, bool | None]]:
    assert isinstance(decision.value, SelectionAnswer)
    return [(each.key, each.place, each.chosen) for each in decision.value.ranking]


def test_each_step_separates_those_whom_the_steps_before_left_equal() -> None:
    people = {
        "ana": ALIKE | {"candidate__dependants": 3, "candidate__driving_months": 10},
        "bia": ALIKE | {"candidate__dependants": 3, "candidate__driving_months": 90},
        "caio": ALIKE | {"candidate__other_income": True, "candidate__dependants": 9},
        "davi": ALIKE | {"candidate__dependants": 1, "candidate__driving_months": 400},
    }
    decision = select(LADDER, people, vacancies=2)

    assert decision.outcome is Outcome.VALUE
    assert order(decision) == [("bia", 1, True), ("ana", 2, True), ("davi", 3, False), ("caio", 4, False)]
    bia = decision.value.ranking[0]
    assert [c.short for reason in bia.reasons for c in reason.citations] == [
        "art. 35, I",
        "art. 35, II",
        "art. 35, III",
    ]


def test_where_there_is_room_for_all_nobody_is_asked_anything() -> None:
    decision = select(LADDER, {"ana": {}, "bia": {}}, vacancies=2)

    assert (decision.outcome, decision.missing) == (Outcome.VALUE, ())
    assert order(decision) == [("ana", 1, True), ("bia", 1, True)]


def test_only_what_still_separates_is_asked_and_of_whom() -> None:
    people: dict[str, dict[str, Any]] = {
        "ana": {"candidate__other_income": True},
        "bia": {"candidate__other_income": False},
        "caio": {"candidate__other_income": False, "candidate__dependants": 2},
    }
    decision = select(LADDER, people, vacancies=1)

    assert decision.outcome is Outcome.UNPROVEN
    assert [m.code for m in decision.missing] == ["candidate.dependants"]
    unproven = [part.message for part in decision.parts if part.outcome is Outcome.UNPROVEN]
    assert [message.partition(":")[0] for message in unproven] == ["bia"]


class TestTies:
    people = {"ana": ALIKE, "bia": ALIKE, "caio": ALIKE}

    def test_the_judge_whom_the_town_has_not_named_is_asked_for(self) -> None:
        decision = select(LADDER, self.people, vacancies=1, seed="x")

        assert decision.outcome is Outcome.UNDETERMINED
        assert [(m.kind, m.code) for m in decision.missing] == [("parameter", "avaliador")]

    def test_the_named_judge_decides(self) -> None:
        decision = select(LADDER + JUDGE, self.people, vacancies=1, seed="x")

        assert (decision.outcome, decision.office) == (Outcome.NEEDS_DECISION, "vistoria")

    def test_the_judgement_counts_and_what_it_leaves_equal_is_drawn(self) -> None:
        judged = (Judgement(4, {"ana": 2, "bia": 1, "caio": 2}),)
        decision = select(LADDER + JUDGE, self.people, vacancies=1, seed="2011/1", judgements=judged)

        assert decision.outcome is Outcome.VALUE
        assert order(decision)[0] == ("bia", 1, True)
        assert {key for key, _, _ in order(decision)[1:]} == {"ana", "caio"}

    def test_a_draw_needs_its_published_seed(self) -> None:
        judged = (Judgement(4, dict.fromkeys(self.people, 1)),)
        decision = select(LADDER + JUDGE, self.people, vacancies=1, judgements=judged)

        assert (decision.outcome, [m.code for m in decision.missing]) == (Outcome.UNPROVEN, ["selection.seed"])


DRAW = '[[selection]]\ncode = "sorteio"\ncite = "art. 35"\norder = [{ draw = true }]\nabsent_from_draw = "ABSENT"\n'


# The names in the order of what `printf '2011/1:%s' <name> | sha256sum` prints.
DRAWN = list("bhecfgad")


class TestDraws:
    def draw(self, absent: str, seed: str, away: str = "", names: str = "abcdefgh") -> Decision:
        law = law_of(DRAW.replace("ABSENT", absent))
        candidates = tuple(Candidate(name, facts_of(law), present=name != away) for name in names)
        return decide(law, SelectionQuestion("taxi", candidates, 2, seed), facts_of(law))

    def test_anyone_can_repeat_it_in_any_order_of_candidates(self) -> None:
        one, again = self.draw("nothing", "2011/1"), self.draw("nothing", "2011/1", names="hgfedcba")

        assert [key for key, _, _ in order(one)] == DRAWN
        assert order(again) == order(one)

    def test_another_seed_gives_another_order(self) -> None:
        assert order(self.draw("nothing", "2011/2")) != order(self.draw("nothing", "2011/1"))

    @pytest.mark.parametrize(("absent", "place"), [("nothing", 1), ("last", 8), ("out", 0)])
    def test_who_is_absent_is_placed_as_the_law_says(self, absent: str, place: int) -> None:
        first = order(self.draw("nothing", "2011/1"))[0][0]
        places = {key: at for key, at, _ in order(self.draw(absent, "2011/1", away=first))}

        assert places[first] == place


POINTS = """
[[selection]]
code = "pontos"
cite = "art. 9"
by = "points"
order = [
  { score = "candidate.driving_months * 2", cap = 100 },
  { score = "candidate.sole_provider ? 30 : 0" },
  { least = "candidate.applied_on", title = "inscrição" },
]
"""


def test_points_are_capped_summed_and_equals_split_by_the_next_criterion() -> None:
    def person(months: int, sole: bool, day: int) -> dict[str, Any]:
        return {
            "candidate__driving_months": months,
            "candidate__sole_provider": sole,
            "candidate__applied_on": date(2026, 1, day),
        }

    people = {"ana": person(500, False, 3), "bia": person(35, True, 2), "caio": person(40, False, 1)}
    decision = select(POINTS, people, vacancies=1)

    assert order(decision) == [("bia", 1, True), ("ana", 2, False), ("caio", 3, False)]
    assert decision.value.ranking[0].reasons[0].why == "100 pontos"


def test_a_tie_that_the_law_does_not_break_is_said_so() -> None:
    text = '[[selection]]\ncode = "s"\ncite = "art. 9"\norder = [{ most = "candidate.dependants" }]\n'
    people = {"ana": {"candidate__dependants": 1}, "bia": {"candidate__dependants": 1}}

    decision = select(text, people, vacancies=1)

    assert decision.outcome is Outcome.UNDETERMINED
    assert order(decision) == [("ana", 1, None), ("bia", 1, None)]


def test_credentialing_takes_all_who_qualify() -> None:
    text = '[[selection]]\ncode = "s"\ncite = "art. 9"\nby = "credentialing"\norder = []\n'

    assert [chosen for _, _, chosen in order(select(text, {"ana": {}, "bia": {}}, vacancies=1))] == [True, True]


def test_without_a_rule_there_is_no_order() -> None:
    assert select("", {"ana": {}, "bia": {}}, vacancies=1).outcome is Outcome.UNDETERMINED
