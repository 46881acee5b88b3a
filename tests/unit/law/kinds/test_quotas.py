"""How many permits, and which part of the fleet."""

from datetime import date
from decimal import Decimal

import pytest

from tenants.law.decide import decide
from tenants.law.decision import Decision, Outcome
from tenants.law.questions import QuotaAnswer, QuotaQuestion, ShareAnswer, ShareQuestion
from tests.support.law import facts_of, law_of

BY_PEOPLE = """
[[series]]
code = "populacao"
cite = "art. 33"
ask = "Quantos habitantes tem o município?"
[[reading]]
code = "arredondar"
cite = ["art. 33", "art. 33, § 1"]
ask = "Fração de 1.300 habitantes dá mais um táxi?"
options = { ceil = "sim", floor = "não" }
default = "ceil"
[[quota]]
code = "vagas"
cite = ["art. 33", "art. 33, § 1"]
applies = { category = "taxi" }
excess = "keep"
[quota.value]
least = [
  { series = "populacao", per = 1300, round = { reading = "arredondar", ceil = "up", floor = "down" } },
  47,
]
"""


def people(number: int) -> str:
    supplied = f'[[supplied]]\ncode = "populacao"\nvalue = {number}\nfrom = 2010-01-01\nsource = "IBGE"\n'
    return BY_PEOPLE + supplied


def quota(text: str, active: int, **more: object) -> Decision:
    law = law_of(text, date(2011, 1, 1))
    return decide(law, QuotaQuestion("taxi", active, **more), facts_of(law))  # type: ignore[arg-type]


def room(decision: Decision) -> tuple[int | None, int]:
    assert isinstance(decision.value, QuotaAnswer)
    return decision.value.limit, decision.value.room


class TestOneForSoManyPeople:
    def test_a_fraction_gives_one_more_and_the_reading_is_named(self) -> None:
        decision = quota(people(52_001), 40)

        assert (decision.outcome, room(decision)) == (Outcome.ALLOWED, (41, 1))
        assert [(r.code, r.option) for r in decision.readings] == [("arredondar", "ceil")]
        assert [c.short for c in decision.citations] == ["art. 33", "art. 33, § 1"]

    def test_the_other_reading_gives_none(self) -> None:
        floor = '[[choice]]\ncode = "arredondar"\noption = "floor"\nby = "prefeito"\nwhy = "decreto"\n'
        decision = quota(people(52_001) + floor, 40)

        assert (decision.outcome, room(decision)) == (Outcome.DENIED, (40, 0))

    def test_the_cap_stands_above_the_ratio(self) -> None:
        assert room(quota(people(65_000), 40)) == (47, 7)
        assert quota(people(65_000), 47).outcome is Outcome.DENIED

    def test_those_beyond_a_smaller_quota_are_kept_and_nobody_enters(self) -> None:
        decision = quota(people(45_000), 40)

        assert (decision.outcome, room(decision)) == (Outcome.DENIED, (35, 0))
        assert (decision.value.excess, decision.value.kept) == (5, True)
        assert "direito adquirido" in decision.message

    def test_without_a_count_of_people_the_answer_names_it(self) -> None:
        decision = quota(BY_PEOPLE, 40)

        assert decision.outcome is Outcome.UNDETERMINED
        assert [(m.kind, m.code) for m in decision.missing] == [("parameter", "populacao")]

    def test_another_category_is_not_limited(self) -> None:
        law = law_of(people(1_300), date(2011, 1, 1))

        assert decide(law, QuotaQuestion("escolar", 99), facts_of(law)).outcome is Outcome.ALLOWED


STANDS = '[[quota]]\ncode = "pontos"\ncite = ["art. 18", "art. 19"]\napplies = { category = "taxi" }\nstands = true\n'


def test_the_vacancies_of_the_stands_may_be_the_quota() -> None:
    assert room(quota(STANDS, 6, free_slots=2)) == (None, 2)
    assert quota(STANDS, 6, free_slots=0).outcome is Outcome.DENIED
    unknown = quota(STANDS, 6)
    assert (unknown.outcome, [m.code for m in unknown.missing]) == (Outcome.UNPROVEN, ["stands.free"])


def test_a_permit_without_a_stand_takes_one_of_the_vacancies_too() -> None:
    assert room(quota(STANDS, 5, free_slots=4, slots=6)) == (None, 1)
    assert quota(STANDS, 6, free_slots=2, slots=6).outcome is Outcome.DENIED


AREAS = """
[[quota]]
code = "geral"
cite = "art. 2"
applies = { category = "taxi" }
value = 10
excess = "reduce"
[[quota]]
code = "distrito"
cite = "art. 3"
applies = { category = "taxi", area = "serra" }
value = 2
beside = BESIDE
"""


def test_an_areas_quota_stands_inside_or_beside_the_towns() -> None:
    inside, beside = (AREAS.replace("BESIDE", word) for word in ("false", "true"))

    assert quota(inside, 10, area="serra", area_active=1).outcome is Outcome.DENIED
    assert quota(beside, 10, area="serra", area_active=1).outcome is Outcome.ALLOWED
    assert quota(beside, 5, area="serra", area_active=2).outcome is Outcome.DENIED
    assert quota(beside, 12).value.excess == 2


def test_who_is_counted_beside_the_town_is_not_counted_in_it() -> None:
    counts = {"by_category": {"taxi": 11, "escolar": 9}, "in_areas": {"serra": {"taxi": 1, "escolar": 4}}}
    inside, beside = (AREAS.replace("BESIDE", word) for word in ("false", "true"))

    assert quota(inside, 11, **counts).outcome is Outcome.DENIED
    assert quota(beside, 11, **counts).value.active == 10
    assert quota(beside, 11, area="serra", **counts).value.active == 1


def test_who_comes_into_an_area_is_asked_for_nothing_but_its_own_quota() -> None:
    inside = AREAS.replace("BESIDE", "false")

    assert quota(inside, 10, area="serra", area_active=1, moving=True).outcome is Outcome.ALLOWED
    assert quota(inside, 10, area="serra", area_active=1, moving=True, wanted=2).outcome is Outcome.DENIED
    assert quota(inside, 10, area="centro", moving=True).outcome is Outcome.ALLOWED


FROZEN = """
[[fact]]
code = "local.estudo"
type = "bool"
of = "town"
ask = "O estudo foi publicado?"
[[quota]]
code = "vagas"
cite = "art. 2"
value = 10
frozen_until = "local.estudo"
"""


def test_a_quota_may_be_frozen_until_a_condition_holds() -> None:
    law = law_of(FROZEN)
    question = QuotaQuestion("taxi", 3)

    assert decide(law, question, facts_of(law, local__estudo=False)).outcome is Outcome.DENIED
    assert decide(law, question, facts_of(law, local__estudo=True)).outcome is Outcome.ALLOWED
    assert decide(law, question, facts_of(law)).outcome is Outcome.UNPROVEN


RANGE = '[[quota]]\ncode = "vagas"\ncite = "art. 2"\nvalue = { office = "prefeito", above = 5, upto = 9 }\n'


def test_a_quota_left_to_an_office_waits_for_it() -> None:
    decision = quota(RANGE, 3)

    assert (decision.outcome, decision.office) == (Outcome.NEEDS_DECISION, "prefeito")


TWO_DOORS = """
[[share]]
code = "duas_portas"
title = "Veículos de duas portas"
cite = "art. 18, § 1"
applies = { category = "taxi" }
if = "vehicle.doors == 2"
most = "50%"
"""


class TestHalfMayHaveTwoDoors:
    """Forty-seven taxis, twenty-three of them with two doors."""

    def ask(self, entering: int | None, leaving: int | None) -> Decision:
        law = law_of(TWO_DOORS)
        two, four = (facts_of(law, vehicle__doors=doors) for doors in (2, 4))
        kinds = {2: two, 4: four}
        fleet = ((two, 23), (four, 24))
        question = ShareQuestion("taxi", fleet, kinds.get(entering or 0), kinds.get(leaving or 0))
        return decide(law, question, two)

    def test_one_more_is_too_many(self) -> None:
        decision = self.ask(entering=2, leaving=4)

        assert decision.outcome is Outcome.DENIED
        assert "24/47 = 51,06 %" in decision.message
        assert [c.short for c in decision.citations] == ["art. 18, § 1"]

    def test_one_for_another_of_the_same_is_not(self) -> None:
        decision = self.ask(entering=2, leaving=2)

        assert decision.outcome is Outcome.ALLOWED
        assert "23/47 = 48,94 %" in decision.message

    def test_nobody_is_kept_from_leaving_or_from_bringing_what_does_not_count(self) -> None:
        assert self.ask(entering=4, leaving=2).outcome is Outcome.ALLOWED
        assert self.ask(entering=None, leaving=4).outcome is Outcome.ALLOWED

    def test_without_a_change_the_state_itself_is_judged(self) -> None:
        assert self.ask(None, None).outcome is Outcome.ALLOWED

    def test_a_vehicle_of_unknown_doors_leaves_it_unproven(self) -> None:
        law = law_of(TWO_DOORS)
        fleet = ((facts_of(law), 1), (facts_of(law, vehicle__doors=4), 3))

        decision = decide(law, ShareQuestion("taxi", fleet), facts_of(law))

        assert (decision.outcome, [m.code for m in decision.missing]) == (Outcome.UNPROVEN, ["vehicle.doors"])


RESERVE = """
[[share]]
code = "acessiveis"
cite = "art. 9"
among = "offer"
if = "vehicle.accessible"
least = "10%"
round = "up"
unfilled = "release"
"""


@pytest.mark.parametrize(("accessible", "outcome"), [(1, Outcome.DENIED), (2, Outcome.ALLOWED)])
def test_a_reserve_is_rounded_as_its_rule_says(accessible: int, outcome: Outcome) -> None:
    law = law_of(RESERVE)
    yes, no = (facts_of(law, vehicle__accessible=word) for word in (True, False))

    decision = decide(law, ShareQuestion("taxi", ((yes, accessible), (no, 15 - accessible)), among="offer"), yes)

    assert decision.outcome is outcome
    assert isinstance(decision.value, ShareAnswer)
    assert (decision.value.limit, decision.value.unfilled) == (Decimal(2), "release")


@pytest.mark.parametrize(("counted", "whole"), [("active", 3), ("all", 5)])
def test_whether_taxis_out_of_service_make_part_of_the_whole_is_the_rule_s(counted: str, whole: int) -> None:
    law = law_of(
        f"""
[[share]]
code = "portas"
title = "Duas portas"
cite = "art. 18"
if = "vehicle.doors == 2"
most = "50%"
counted = "{counted}"
"""
    )
    two, four = facts_of(law, vehicle__doors=2), facts_of(law, vehicle__doors=4)
    question = ShareQuestion("taxi", ((two, 1), (four, 2)), idle=((two, 2),))
    decision = decide(law, question, facts_of(law))

    assert decision.value.whole == whole
    assert decision.outcome is (Outcome.ALLOWED if counted == "active" else Outcome.DENIED)
