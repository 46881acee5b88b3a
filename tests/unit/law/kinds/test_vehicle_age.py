"""How old a vehicle may be, as both founding laws put it and as others might."""

from collections.abc import Sequence
from datetime import date, timedelta

import pytest

from tenants.law.decide import decide
from tenants.law.decision import Decision, Outcome
from tenants.law.questions import EligibilityQuestion, PaperFact, VehicleAgeAnswer, VehicleAgeQuestion
from tests.support.law import facts_of, law_of

BY_YEAR = """
[[reading]]
code = "ano"
cite = "art. 10"
ask = "Conta o ano de fabricação ou o do modelo?"
options = { strictest = "o mais severo", fabricacao = "fabricação", modelo = "modelo" }
default = "strictest"
[[vehicle_age]]
code = "idade"
title = "Idade do veículo"
cite = ["art. 10, VI", "art. 10, § ún."]
applies = { category = "taxi" }
at = ["entry", "renewal"]
limit = "5 years"
basis = ["manufacture_year", "model_year"]
take = { reading = "ano", strictest = "strictest", fabricacao = "manufacture_year", modelo = "model_year" }
"""
BY_DAYS = """
[list]
paper = { avaliacao = "Avaliação do veículo" }
[[reading]]
code = "fabricacao"
cite = "art. 4, VII"
ask = "Que dia conta?"
options = { primeira = "emplacamento", ano = "fim do ano" }
default = "primeira"
[[reading]]
code = "prorrogar"
cite = ["art. 20, § 1", "art. 20, § 3"]
ask = "Somam-se?"
options = { uma = "não", duas = "sim" }
default = "uma"
[[vehicle_age]]
code = "idade"
cite = ["art. 4, VII", "art. 20", "art. 20, § 2"]
at = ["entry", "renewal", "stay"]
limit = "6 years"
basis = ["first_registration", "manufacture_year_end"]
take = { reading = "fabricacao", primeira = "first_known", ano = "manufacture_year_end" }
count = "days"
extend = [
  { add = "6 months", at = "stay", needs = "avaliacao", cite = "art. 20, § 1" },
  { add = "6 months", at = "stay", needs = "request", cite = "art. 20, § 3" },
]
extend_most = { reading = "prorrogar", uma = 1, duas = 2 }
late = "II-21"
"""
CHOICE = '\n[[choice]]\ncode = "{code}"\noption = "{option}"\nby = "prefeito"\nwhy = "decreto"\n'
ASSESSED = PaperFact("avaliacao", "vehicle", issued_on=date(2010, 5, 10))
REQUESTED = PaperFact("request", "vehicle", issued_on=date(2010, 3, 10))


def age(decision: Decision) -> VehicleAgeAnswer:
    assert isinstance(decision.value, VehicleAgeAnswer)
    return decision.value


class TestByYear:
    """A car made in 2005, model 2006, on 14 January 2011: the limit is five years."""

    def ask(self, choice: str = "", **facts: object) -> Decision:
        law = law_of(BY_YEAR + choice, date(2011, 1, 14))
        return decide(law, VehicleAgeQuestion("taxi", "renewal"), facts_of(law, **facts))

    def test_the_strictest_of_both_years_denies_and_names_the_reading(self) -> None:
        decision = self.ask(vehicle__manufacture_year=2005, vehicle__model_year=2006)

        assert decision.outcome is Outcome.DENIED
        assert [(r.code, r.option, r.chosen) for r in decision.readings] == [("ano", "strictest", False)]
        assert [c.short for c in decision.citations] == ["art. 10, VI", "art. 10, § ún."]
        assert (age(decision).basis, age(decision).age) == ("manufacture_year", 6)
        assert age(decision).limit_day == date(2010, 12, 31)

    @pytest.mark.parametrize(("option", "outcome"), [("modelo", Outcome.ALLOWED), ("fabricacao", Outcome.DENIED)])
    def test_the_town_may_choose_the_year(self, option: str, outcome: Outcome) -> None:
        choice = CHOICE.format(code="ano", option=option)
        decision = self.ask(choice, vehicle__manufacture_year=2005, vehicle__model_year=2006)

        assert decision.outcome is outcome
        assert [(r.option, r.chosen) for r in decision.readings] == [(option, True)]

    def test_a_year_that_does_not_matter_is_not_asked(self) -> None:
        decision = self.ask(CHOICE.format(code="ano", option="modelo"), vehicle__model_year=2006)

        assert decision.outcome is Outcome.ALLOWED
        assert not decision.missing

    def test_an_unknown_year_is_asked_for_unless_the_known_one_denies(self) -> None:
        young = self.ask(vehicle__manufacture_year=2006)
        old = self.ask(vehicle__manufacture_year=2005)

        assert young.outcome is Outcome.UNPROVEN
        assert [m.code for m in young.missing] == ["vehicle.model_year"]
        assert old.outcome is Outcome.DENIED

    def test_the_rule_is_silent_where_it_is_not_asked(self) -> None:
        law = law_of(BY_YEAR, date(2011, 1, 14))

        assert decide(law, VehicleAgeQuestion("taxi", "stay"), facts_of(law)).outcome is Outcome.ALLOWED
        assert decide(law, VehicleAgeQuestion("escolar", "entry"), facts_of(law)).outcome is Outcome.ALLOWED


class TestByDays:
    """First registered on 15 May 2004: six years to the day, six months more on assessment."""

    def ask(self, on: date, at: str, papers: Sequence[PaperFact] = (), choice: str = "") -> Decision:
        law = law_of(BY_DAYS + choice, on)
        facts = facts_of(law, vehicle__first_registration=date(2004, 5, 15))
        return decide(law, VehicleAgeQuestion("taxi", at, tuple(papers)), facts)

    def test_the_request_of_march_is_within_the_limit(self) -> None:
        decision = self.ask(date(2010, 3, 10), "renewal")

        assert decision.outcome is Outcome.ALLOWED
        assert age(decision).limit_day == date(2010, 5, 15)
        assert age(decision).basis == "first_registration"
        assert {r.code: r.option for r in decision.readings} == {"fabricacao": "primeira", "prorrogar": "uma"}

    def test_the_anniversary_is_inside_and_the_day_after_is_not(self) -> None:
        assert self.ask(date(2010, 5, 15), "renewal").outcome is Outcome.ALLOWED
        after = self.ask(date(2010, 5, 16), "renewal", [ASSESSED, REQUESTED])

        assert after.outcome is Outcome.DENIED
        assert "art. 20, § 2" in [c.short for c in after.citations]

    def test_past_the_limit_it_stays_only_with_an_assessment(self) -> None:
        without = self.ask(date(2010, 5, 16), "stay")
        with_it = self.ask(date(2010, 11, 15), "stay", [ASSESSED])

        assert without.outcome is Outcome.UNPROVEN
        assert [(m.code, m.ask) for m in without.missing] == [("paper.avaliacao", "Avaliação do veículo")]
        assert with_it.outcome is Outcome.ALLOWED
        assert age(with_it).last_day == date(2010, 11, 15)
        assert "art. 20, § 1" in [c.short for c in with_it.citations]

    def test_the_written_request_adds_nothing_more(self) -> None:
        decision = self.ask(date(2010, 11, 16), "stay", [ASSESSED, REQUESTED])

        assert decision.outcome is Outcome.DENIED
        assert age(decision).infraction == "II-21"
        assert [(e.needs, e.state, e.until) for e in age(decision).extensions] == [
            ("avaliacao", "granted", date(2010, 11, 15)),
            ("request", "spent", None),
        ]

    def test_the_request_alone_is_one_extension_too(self) -> None:
        assert self.ask(date(2010, 11, 15), "stay", [REQUESTED]).outcome is Outcome.ALLOWED
        assert self.ask(date(2010, 11, 16), "stay", [REQUESTED]).outcome is Outcome.DENIED

    def test_the_other_reading_adds_both(self) -> None:
        both = CHOICE.format(code="prorrogar", option="duas")

        assert age(self.ask(date(2011, 5, 15), "stay", [ASSESSED, REQUESTED], both)).last_day == date(2011, 5, 15)
        assert self.ask(date(2011, 5, 16), "stay", [ASSESSED, REQUESTED], both).outcome is Outcome.DENIED

    def test_an_assessment_of_a_later_day_does_not_count_yet(self) -> None:
        later = PaperFact("avaliacao", "vehicle", issued_on=date(2010, 6, 1))

        assert self.ask(date(2010, 5, 31), "stay", [later]).outcome is Outcome.UNPROVEN
        assert self.ask(date(2010, 6, 1), "stay", [later]).outcome is Outcome.ALLOWED

    def test_without_the_registration_the_end_of_the_year_made_counts(self) -> None:
        law = law_of(BY_DAYS, date(2010, 12, 31))
        question = VehicleAgeQuestion("taxi", "renewal")

        known = decide(law, question, facts_of(law, vehicle__manufacture_year=2004))
        unknown = decide(law, question, facts_of(law))

        assert (known.outcome, age(known).limit_day) == (Outcome.ALLOWED, date(2010, 12, 31))
        assert unknown.outcome is Outcome.UNPROVEN
        assert {m.code for m in unknown.missing} == {"vehicle.first_registration", "vehicle.manufacture_year"}

    def test_eligibility_shows_the_age_as_one_of_its_parts(self) -> None:
        law = law_of(BY_DAYS, date(2010, 5, 16))
        facts = facts_of(law, vehicle__first_registration=date(2004, 5, 15))

        decision = decide(law, EligibilityQuestion("taxi", "autonomo", "renewal"), facts)

        assert decision.outcome is Outcome.DENIED
        assert [type(part.value) for part in decision.parts if part.outcome is Outcome.DENIED] == [VehicleAgeAnswer]


OTHERS = """
[[office]]
code = "vistoria"
title = "Vistoria"
cite = "art. 2"
may = ["inspect"]
[[vehicle_age]]
code = "idade"
cite = "art. 5"
at = "always"
limit = { cases = [{ if = "vehicle.passengers > 9", is = "10 years" }, { is = "8 years" }] }
basis = "first_registration"
boundary = "out"
extend = [{ add = "1 year", at = "stay", needs = "laudo", judge = "vistoria", cite = "art. 6" }]
"""


@pytest.mark.parametrize(("seats", "years"), [(5, 8), (12, 10)])
def test_the_limit_may_come_from_a_table_and_exclude_its_boundary(seats: int, years: int) -> None:
    law = law_of(OTHERS, date(2020, 7, 1))
    facts = facts_of(law, vehicle__first_registration=date(2015, 3, 10), vehicle__passengers=seats)

    decision = decide(law, VehicleAgeQuestion("taxi", "entry"), facts)

    assert age(decision).limit_day == date(2015 + years, 3, 10) - timedelta(days=1)


def test_whole_years_end_on_the_eve_of_the_next_anniversary() -> None:
    law = law_of(OTHERS.replace('boundary = "out"', 'boundary = "in"'), date(2024, 3, 9))
    facts = facts_of(law, vehicle__first_registration=date(2015, 3, 10), vehicle__passengers=4)

    decision = decide(law, VehicleAgeQuestion("taxi", "entry"), facts)

    assert (decision.outcome, age(decision).age) == (Outcome.ALLOWED, 8)
    assert age(decision).limit_day == date(2024, 3, 9)


def test_an_extension_that_an_office_grants_waits_for_its_decision() -> None:
    law = law_of(OTHERS, date(2023, 3, 10))
    facts = facts_of(law, vehicle__first_registration=date(2015, 3, 10), vehicle__passengers=4)

    decision = decide(
        law, VehicleAgeQuestion("taxi", "stay", (PaperFact("laudo", "vehicle", date(2023, 3, 1)),)), facts
    )

    assert (decision.outcome, decision.office) == (Outcome.NEEDS_DECISION, "vistoria")
