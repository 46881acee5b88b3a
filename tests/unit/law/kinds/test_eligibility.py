"""One decision for each demand: what is met, what is not, what has yet to be proven, and nothing besides."""

from datetime import date
from typing import Any

import pytest

from tenants.law.decide import decide
from tenants.law.decision import Outcome
from tenants.law.law import Law
from tenants.law.questions import Demanded, EligibilityQuestion, PaperFact
from tests.support.eligibility import DAY, LISTS, ask, demand
from tests.support.law import facts_of, law_of

HEALTH = """
[[requirement]]
code = "saude"
cite = "art. 11, I, b"
applies = { category = "taxi", holder = "autonomo" }
of = "holder"
at = "entry"
paper = "atestado"
age_under = "30 days"
"""


class TestPapers:
    @pytest.mark.parametrize(
        ("issued_on", "outcome"),
        [(date(2011, 2, 9), Outcome.ALLOWED), (date(2011, 2, 8), Outcome.DENIED), (DAY, Outcome.ALLOWED)],
    )
    def test_a_certificate_must_be_younger_than_thirty_days(self, issued_on: date, outcome: Outcome) -> None:
        decision = ask(HEALTH, [PaperFact("atestado", "holder", issued_on)])

        assert (decision.outcome, demand(decision, "saude").outcome) == (outcome, outcome)
        assert [c.short for c in demand(decision, "saude").citations] == ["art. 11, I, b"]

    def test_a_refusal_says_since_when_it_is_too_old(self) -> None:
        decision = ask(HEALTH, [PaperFact("atestado", "holder", date(2011, 1, 31))])

        assert "Atestado de sanidade" in decision.message
        assert "02/03/2011" in decision.message

    def test_a_missing_paper_is_asked_for_by_its_title(self) -> None:
        decision = ask(HEALTH)

        assert decision.outcome is Outcome.UNPROVEN
        assert [(m.kind, m.code, m.ask) for m in decision.missing] == [
            ("fact", "paper.atestado", "Atestado de sanidade")
        ]

    def test_all_that_is_missing_stands_in_one_sentence(self) -> None:
        second = HEALTH.replace('"saude"', '"laudo"').replace('"atestado"', '"vistoria"')

        assert ask(HEALTH + second).message == "Falta provar: Atestado de sanidade; Laudo de vistoria."

    def test_the_paper_of_another_person_does_not_serve(self) -> None:
        assert ask(HEALTH, [PaperFact("atestado", "driver", DAY)]).outcome is Outcome.UNPROVEN

    def test_an_undated_paper_is_asked_for_its_day(self) -> None:
        decision = ask(HEALTH, [PaperFact("atestado", "holder")])

        assert (decision.outcome, [m.code for m in decision.missing]) == (
            Outcome.UNPROVEN,
            ["paper.atestado.issued_on"],
        )

    def test_of_several_the_one_that_counts_answers(self) -> None:
        old, new = (PaperFact("atestado", "holder", day) for day in (date(2010, 1, 1), date(2011, 3, 1)))

        assert ask(HEALTH, [old, new]).outcome is Outcome.ALLOWED

    def test_a_paper_not_yet_issued_is_not_there(self) -> None:
        assert ask(HEALTH, [PaperFact("atestado", "holder", date(2011, 3, 11))]).outcome is Outcome.UNPROVEN

    def test_it_is_not_asked_at_another_moment_nor_of_another_holder(self) -> None:
        assert ask(HEALTH, at="renewal").outcome is Outcome.ALLOWED
        assert ask(HEALTH, holder="empresa").outcome is Outcome.ALLOWED

    @pytest.mark.parametrize(
        ("on", "outcome"), [(date(2011, 7, 15), Outcome.ALLOWED), (date(2011, 7, 16), Outcome.DENIED)]
    )
    def test_validity_is_the_earlier_of_the_law_and_the_paper(self, on: date, outcome: Outcome) -> None:
        report = """
[[requirement]]
code = "laudo"
cite = "art. 18"
of = "vehicle"
paper = "vistoria"
valid_for = "6 months"
missed = { infraction = "II-08", decides = { office = "fiscalizacao" } }
cure = "15 days"
"""
        papers = [PaperFact("vistoria", "vehicle", date(2011, 1, 15), date(2012, 1, 1))]
        decision = ask(report, papers, on=on)

        value = demand(decision, "laudo").value
        assert decision.outcome is outcome
        assert isinstance(value, Demanded)
        assert value.valid_until == date(2011, 7, 15)
        assert value.missed is not None
        assert (value.missed.infraction, value.missed.decides) == ("II-08", "fiscalizacao")
        assert value.cure_until is not None
        assert (value.cure_until - on).days == 15

    def test_what_is_missing_may_be_left_to_a_review(self) -> None:
        text = HEALTH + 'on_missing = "review"\njudge = "financas"\n'
        decision = ask(text)

        assert (decision.outcome, decision.office) == (Outcome.NEEDS_DECISION, "financas")
        assert not decision.missing


LICENCE = """
[[requirement]]
code = "cnh"
title = "CNH"
cite = "art. 4, I"
applies = { category = "taxi" }
of = "driver"
must = "'B' in driver.cnh.categories && driver.cnh.ear && years_between(driver.cnh.first_on, on) >= 2"
"""


READING = """
[[reading]]
code = "exame"
cite = "art. 4"
ask = "Exige-se exame?"
options = { sim = "sim", nao = "não" }
default = "nao"
"""
OFF = 'off = { reading = "exame", sim = "no", nao = "yes" }\n'
AGE = '[[vehicle_age]]\ncode = "idade"\ncite = "art. 5"\nat = "entry"\nlimit = "5 years"\nbasis = "model_year"\n'


class TestConditions:
    @pytest.mark.parametrize("rule", [LICENCE, AGE])
    def test_a_reading_that_switches_a_rule_off_is_named(self, rule: str) -> None:
        chosen = '[[choice]]\ncode = "exame"\noption = "sim"\nby = "prefeito"\nwhy = "decreto"\n'
        without, with_it = ask(READING + rule + OFF), ask(READING + rule + OFF + chosen)

        assert without.outcome is Outcome.ALLOWED
        assert [(r.code, r.option) for r in without.readings] == [("exame", "nao")]
        assert with_it.outcome is Outcome.UNPROVEN

    def test_everything_a_condition_lacks_is_asked_at_once(self) -> None:
        decision = ask(LICENCE)

        assert {m.code for m in decision.missing} == {
            "driver.cnh.categories",
            "driver.cnh.ear",
            "driver.cnh.first_on",
        }

    @pytest.mark.parametrize(
        ("first", "outcome"), [(date(2009, 3, 10), Outcome.ALLOWED), (date(2009, 3, 11), Outcome.DENIED)]
    )
    def test_two_years_of_licence_are_whole_years(self, first: date, outcome: Outcome) -> None:
        facts: dict[str, Any] = {
            "driver__cnh__categories": ["B"],
            "driver__cnh__ear": True,
            "driver__cnh__first_on": first,
        }
        decision = ask(LICENCE, **facts)

        assert decision.outcome is outcome
        assert decision.facts["driver.cnh.first_on"] == first

    def test_nobody_is_asked_what_a_rule_that_does_not_concern_them_needs(self) -> None:
        military = """
[[requirement]]
code = "militar"
cite = "art. 11, I, e"
of = "holder"
at = "entry"
if = "holder.sex == 'male'"
paper = "militar"
"""
        woman, man = ask(military, holder__sex="female"), ask(military, holder__sex="male")
        unknown = ask(military)

        assert woman.outcome is Outcome.ALLOWED
        assert [m.code for m in man.missing] == ["paper.militar"]
        assert [m.code for m in unknown.missing] == ["holder.sex"]

    def test_a_demand_is_none_before_its_first_day(self) -> None:
        text = LICENCE + "first_due = 2011-03-11\n"

        assert ask(text).outcome is Outcome.ALLOWED
        assert ask(text, on=date(2011, 3, 11)).outcome is Outcome.UNPROVEN

    def test_an_open_standard_waits_for_its_office(self) -> None:
        text = '[[requirement]]\ncode = "estado"\ncite = "art. 18"\nof = "vehicle"\njudge = "vistoria"\n'
        decision = ask(text)

        assert (decision.outcome, decision.office) == (Outcome.NEEDS_DECISION, "vistoria")

    def test_a_parameter_that_does_not_decide_is_not_asked(self) -> None:
        text = """
[[parameter]]
code = "gas_vendido"
type = "bool"
ask = "Vende-se gás no município?"
cite = "art. 13, § 3"
[[restriction]]
code = "gas"
title = "Gás"
cite = "art. 13, § 3"
at = "entry"
must = "vehicle.fuel != 'gas' || (local.gas_adaptado && param.gas_vendido)"
"""
        assert ask(text, vehicle__fuel="gasolina").outcome is Outcome.ALLOWED
        decision = ask(text, vehicle__fuel="gas", local__gas_adaptado=True)
        assert decision.outcome is Outcome.UNDETERMINED
        assert [(m.kind, m.code) for m in decision.missing] == [("parameter", "gas_vendido")]


EQUIPMENT = """
[[equipment]]
applies = { category = "taxi" }
cite = "art. 19"
rows = [
  { code = "taximetro", title = "Taxímetro", item = "taximetro", missed = "I-13" },
  { code = "extintor", title = "Extintor", item = "extintor" },
]
[[vehicle_spec]]
code = "lugares"
title = "Lugares"
cite = "art. 2, § 1"
must = "vehicle.passengers >= 2 && vehicle.passengers <= 5 && vehicle.doors in [2, 4]"
"""


class TestVehicles:
    def test_what_the_vehicle_carries_and_is(self) -> None:
        facts: dict[str, Any] = {"vehicle__passengers": 4, "vehicle__doors": 4}
        whole = ask(EQUIPMENT, vehicle__equipment=["taximetro", "extintor"], **facts)
        half = ask(EQUIPMENT, vehicle__equipment=["extintor"], **facts)

        assert whole.outcome is Outcome.ALLOWED
        assert half.outcome is Outcome.DENIED
        assert half.message == "Não atende: Taxímetro: não atendido."
        missed = demand(half, "taximetro").value.missed
        assert missed is not None
        assert missed.infraction == "I-13"

    def test_too_many_seats(self) -> None:
        facts: dict[str, Any] = {
            "vehicle__passengers": 6,
            "vehicle__doors": 4,
            "vehicle__equipment": ["taximetro", "extintor"],
        }

        assert demand(ask(EQUIPMENT, **facts), "lugares").outcome is Outcome.DENIED

    def test_only_the_demands_on_whom_it_is_about_are_asked(self) -> None:
        law = law_of(LISTS + EQUIPMENT + LICENCE + HEALTH, DAY)
        question = EligibilityQuestion("taxi", "autonomo", of=("driver",))

        decision = decide(law, question, facts_of(law))

        assert {rule.code for part in decision.parts for rule in part.rules if rule.kind != "category"} == {"cnh"}


def test_a_category_that_the_law_has_not_is_denied() -> None:
    law: Law = law_of(LISTS, DAY)
    decision = decide(law, EligibilityQuestion("balsa", "autonomo"), facts_of(law))

    assert decision.outcome is Outcome.DENIED
    assert "balsa" in decision.message


def test_a_decision_has_a_plain_form() -> None:
    plain = ask(HEALTH, [PaperFact("atestado", "holder", DAY)]).plain()

    assert plain["outcome"] == "ALLOWED"
    assert plain["citations"] == ["Lei 1/2000, art. 1", "Lei 1/2000, art. 11, I, b"]
