"""When an inspection is due, and when a campaign runs."""

from datetime import date
from typing import Any

import pytest

from tenants.law.decide import decide
from tenants.law.decision import Decision, Outcome
from tenants.law.questions import (
    CampaignAnswer,
    CampaignQuestion,
    Draws,
    InspectionAnswer,
    InspectionQuestion,
    PaperFact,
)
from tests.support.law import facts_of, law_of

HALF_YEARLY = """
[list]
paper = { tributos = "Certidão negativa" }
[[inspection]]
code = "vistoria"
title = "Vistoria semestral"
cite = ["art. 6, VI", "art. 18, § 3"]
every = "6 months"
by = "fiscalizacao"
cure = "15 days"
needs = ["tributos"]
displayed = true
missed = "II-08"
"""


def inspect(text: str, on: date, last_on: date | None, *, more: dict[str, Any] | None = None, **facts: Any) -> Decision:
    law = law_of(text, on)
    return decide(law, InspectionQuestion("taxi", last_on, **(more or {})), facts_of(law, **facts))


def due(decision: Decision) -> date:
    assert isinstance(decision.value, InspectionAnswer), decision
    return decision.value.due_on


def test_six_months_after_the_last_one_and_what_missing_it_is() -> None:
    decision = inspect(HALF_YEARLY, date(2010, 9, 20), date(2010, 2, 10))

    assert (decision.outcome, due(decision)) == (Outcome.VALUE, date(2010, 8, 10))
    assert (decision.value.overdue, decision.value.missed.infraction) == (True, "II-08")
    assert (decision.value.by, decision.value.lacking) == ("fiscalizacao", ("tributos",))
    assert [c.short for c in decision.citations] == ["art. 6, VI", "art. 18, § 3"]


def test_the_last_day_is_still_in_time() -> None:
    assert not inspect(HALF_YEARLY, date(2010, 8, 10), date(2010, 2, 10)).value.overdue
    assert inspect(HALF_YEARLY, date(2010, 8, 11), date(2010, 2, 10)).value.overdue


def test_the_papers_it_presupposes_and_the_term_to_mend() -> None:
    more = {"papers": (PaperFact("tributos", "holder", date(2010, 1, 1)),), "found_on": date(2010, 8, 1)}
    decision = inspect(HALF_YEARLY, date(2010, 8, 2), date(2010, 2, 10), more=more)

    assert (decision.value.lacking, decision.value.cure_until) == ((), date(2010, 8, 16))


def test_the_first_one_is_due_at_once_or_when_the_law_says() -> None:
    first = HALF_YEARLY + "first_due = 2010-12-01\n"

    assert due(inspect(HALF_YEARLY, date(2010, 9, 20), None)) == date(2010, 9, 20)
    assert due(inspect(first, date(2010, 9, 20), None)) == date(2010, 12, 1)


BY_AGE = """
[[inspection]]
code = "vistoria"
cite = "art. 8"
every = { cases = [{ if = "years_between(vehicle.first_registration, on) >= 5", is = "6 months" }, { is = "1 year" }] }
"""


@pytest.mark.parametrize(
    ("registered", "expected"),
    [(date(2015, 3, 2), date(2021, 1, 10)), (date(2015, 3, 1), date(2020, 7, 10))],
)
def test_the_period_may_follow_the_age_of_the_vehicle(registered: date, expected: date) -> None:
    decision = inspect(BY_AGE, date(2020, 3, 1), date(2020, 1, 10), vehicle__first_registration=registered)

    assert due(decision) == expected
    assert inspect(BY_AGE, date(2020, 3, 1), date(2020, 1, 10)).outcome is Outcome.UNPROVEN


BY_PLATE = """
[[inspection]]
code = "vistoria"
cite = "art. 8"
by_plate_ending = { 12 = "03-31", 34 = "02-last" }
"""


@pytest.mark.parametrize(
    ("plate", "last_on", "expected"),
    [
        ("ABC1D21", date(2019, 3, 5), date(2020, 3, 31)),
        ("QAB0A04", date(2019, 11, 5), date(2020, 2, 29)),
        ("ABC1D22", None, date(2020, 3, 31)),
        ("QAB0A03", None, date(2021, 2, 28)),
    ],
)
def test_the_calendar_may_follow_the_plate(plate: str, last_on: date | None, expected: date) -> None:
    assert due(inspect(BY_PLATE, date(2020, 3, 10), last_on, more={"plate": plate})) == expected


def test_the_plate_may_come_as_a_fact_or_be_missing_from_the_calendar() -> None:
    day = date(2020, 3, 10)

    assert due(inspect(BY_PLATE, day, date(2019, 3, 5), vehicle__plate_ending=2)) == date(2020, 3, 31)
    assert [m.code for m in inspect(BY_PLATE, day, None).missing] == ["vehicle.plate_ending"]
    assert inspect(BY_PLATE, day, None, vehicle__plate_ending=9).outcome is Outcome.UNDETERMINED


def test_a_law_without_inspections_asks_for_none() -> None:
    decision = inspect("", date(2020, 3, 10), None)

    assert (decision.outcome, decision.value) == (Outcome.ALLOWED, None)


CAMPAIGN = """
[[parameter]]
code = "publicacao"
type = "day"
ask = "Em que dia a lei foi publicada?"
cite = "art. 38"
[[campaign]]
code = "recadastramento"
title = "Recadastramento"
cite = ["art. 31", "art. 31, § ún."]
whom = "holders"
opens_on = { param = "publicacao" }
term = "15 days"
missed = "II-23"
"""


def campaign(text: str, on: date, code: str = "recadastramento", plate: str | None = None) -> Decision:
    law = law_of(text, on)
    return decide(law, CampaignQuestion(code, plate), facts_of(law))


def test_a_campaign_opens_on_a_day_that_the_town_supplies() -> None:
    supplied = '[[supplied]]\ncode = "publicacao"\nvalue = 2009-12-28\nsource = "Diário 1"\n'
    decision = campaign(CAMPAIGN + supplied, date(2010, 1, 12))
    unknown = campaign(CAMPAIGN, date(2010, 1, 12))

    assert isinstance(decision.value, CampaignAnswer)
    assert (decision.value.opens_on, decision.value.last_day) == (date(2009, 12, 28), date(2010, 1, 12))
    assert (decision.value.running, decision.value.missed) == (True, Draws("II-23"))
    assert not campaign(CAMPAIGN + supplied, date(2010, 1, 13)).value.running
    assert unknown.outcome is Outcome.UNDETERMINED
    assert [m.code for m in unknown.missing] == ["publicacao"]


def test_a_yearly_campaign_runs_each_year_to_the_day_of_the_plate() -> None:
    text = """
[[campaign]]
code = "anual"
cite = "art. 7"
whom = "vehicles"
once = false
opens_on = "02-01"
by_plate_ending = { 01234 = "03-31", 56789 = "04-last" }
"""
    early, late = (campaign(text, date(2020, 4, 10), "anual", plate).value for plate in ("AAA1A10", "AAA1A19"))

    assert (early.opens_on, early.last_day, early.running) == (date(2020, 2, 1), date(2020, 3, 31), False)
    assert (late.last_day, late.running) == (date(2020, 4, 30), True)


def test_a_campaign_that_the_law_has_not_is_said_so() -> None:
    decision = campaign(CAMPAIGN, date(2010, 1, 12), "outra")

    assert (decision.outcome, [(m.kind, m.code) for m in decision.missing]) == (
        Outcome.UNDETERMINED,
        [("rule", "outra")],
    )


def test_of_several_inspections_the_one_asked_about_answers() -> None:
    law = law_of(
        """
[[inspection]]
rows = [
  { code = "semestral", title = "Semestral", cite = "art. 1", every = "6 months" },
  { code = "anual", title = "Anual", cite = "art. 2", every = "1 year" },
]
"""
    )
    question = InspectionQuestion("taxi", date(2026, 1, 10), code="anual")

    assert decide(law, question, facts_of(law)).value.due_on == date(2027, 1, 10)
