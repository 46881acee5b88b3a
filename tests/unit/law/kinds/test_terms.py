# ruff: noqa: E501  (a row of a pack stands on one line)
"""Last days, and what follows them."""

from datetime import date

import pytest

from tenants.law.decide import decide
from tenants.law.decision import Decision, Outcome
from tenants.law.questions import TermQuestion
from tests.support.law import facts_of, law_of

COUNTINGS = """
[[reading]]
rows = [{ code = "rolar", cite = "art. 52, § ún.", ask = "Rola?", options = { sim = "ao dia útil", nao = "não" }, default = "sim" }]
[[counting]]
rows = [
  { code = "comum", cite = "art. 52, § ún.", first = "out", roll = { reading = "rolar", sim = "next", nao = "none" } },
  { code = "ausencia", cite = "art. 41, II" },
  { code = "ausencia_desde", cite = "art. 41, II", first = "in" },
  { code = "util", cite = "art. 60", start = "next_working" },
]
"""
COTRIGUACU = (
    COUNTINGS
    + """
[[term]]
code = "alvara"
title = "Validade do alvará"
cite = ["art. 8", "art. 16, I"]
of = "licence"
starts = "issued"
length = "1 year"
ends = "01-31"
counting = "comum"
validity = true
window = "60 days"
late = [
  { after = "0 days", infraction = "renovacao", cite = "art. 8, § 1" },
  { after = "30 days", opens = "cancelamento", decides = "prefeito", cite = "art. 44" },
]
[[term]]
code = "abandono"
cite = ["art. 41, II", "art. 17, II"]
of = "permit"
starts = "absence_started"
counting = "ausencia"
late = [{ after = "10 days", opens = "suspensao" }, { after = "30 days", opens = "caducidade" }]
[[term]]
code = "multa"
cite = "art. 73"
of = "fine"
starts = "notified"
length = "30 days"
counting = "comum"
late = [{ after = "0 days", effect = { do = "order", label = "Inscrever em dívida ativa" } }]
"""
)
BARRA = (
    COUNTINGS
    + """
[[parameter]]
rows = [{ code = "prazo_defesa", type = "length", ask = "Em quanto tempo se defende?", cite = "art. 29" }]
[[term]]
rows = [
  { code = "alvara", cite = "art. 12", of = "licence", starts = "issued", length = "1 year", validity = true, late = [{ after = "0 days", infraction = "I-04" }] },
  { code = "cnh", cite = "art. 4, I", of = "driver", starts = "filed", ends = { fact = "driver.cnh.until" }, validity = true, follows = true },
  { code = "defesa", cite = "art. 29", of = "case", starts = "served", length = { param = "prazo_defesa" } },
]
"""
)


def ask(text: str, on: date, code: str, start: date, **facts: object) -> Decision:
    law = law_of(text, on)
    return decide(law, TermQuestion(code, start), facts_of(law, **facts))


@pytest.mark.parametrize(
    ("year", "still", "first"), [(2011, date(2011, 3, 2), date(2011, 3, 3)), (2012, date(2012, 3, 1), date(2012, 3, 2))]
)
def test_lateness_goes_by_steps_from_a_yearly_validity(year: int, still: date, first: date) -> None:
    decision = ask(COTRIGUACU, first, "alvara", date(year - 1, 1, 31))

    answer = decision.value
    assert answer.last_day == date(year, 1, 31)
    fine, process = answer.late
    assert (fine.last_day_before, fine.first_day, fine.infraction) == (date(year, 1, 31), date(year, 2, 1), "renovacao")
    assert (process.last_day_before, process.first_day) == (still, first)
    assert (process.opens, process.decides, process.must_open) == ("cancelamento", "prefeito", False)
    assert "Lei 1/2000, art. 44" in [str(cited) for cited in decision.citations]


def test_a_step_has_begun_only_on_its_first_day() -> None:
    begun = [ask(COTRIGUACU, date(2011, 3, day), "alvara", date(2010, 1, 31)).value.begun() for day in (2, 3)]

    assert [[step.infraction or step.opens for step in steps] for steps in begun] == [
        ["renovacao"],
        ["renovacao", "cancelamento"],
    ]


def test_a_validity_day_never_rolls_though_lateness_does() -> None:
    answer = ask(COTRIGUACU, date(2016, 2, 1), "alvara", date(2015, 2, 10)).value

    assert answer.last_day == date(2016, 1, 31)  # a Sunday
    assert answer.late[0].first_day == date(2016, 2, 1)
    assert ask(COTRIGUACU, date(2013, 2, 1), "alvara", date(2012, 1, 31)).value.late[1].last_day_before == date(
        2013, 3, 4
    )


def test_renewal_may_be_asked_from_the_opening_of_its_window() -> None:
    assert ask(COTRIGUACU, date(2011, 1, 1), "alvara", date(2010, 1, 31)).value.window_from == date(2010, 12, 2)


def test_absence_is_counted_from_its_first_day_in_two_steps() -> None:
    answer = ask(COTRIGUACU, date(2011, 4, 12), "abandono", date(2011, 4, 1)).value

    assert [(step.first_day, step.opens) for step in answer.late] == [
        (date(2011, 4, 12), "suspensao"),
        (date(2011, 5, 2), "caducidade"),
    ]


def test_counting_the_first_day_brings_each_step_one_day_earlier() -> None:
    included = COTRIGUACU.replace('counting = "ausencia"', 'counting = "ausencia_desde"')

    answer = ask(included, date(2011, 4, 12), "abandono", date(2011, 4, 1)).value

    assert [step.first_day for step in answer.late] == [date(2011, 4, 11), date(2011, 5, 1)]


@pytest.mark.parametrize(
    ("start", "last"), [(date(2011, 5, 20), date(2011, 6, 20)), (date(2011, 6, 2), date(2011, 7, 4))]
)
def test_a_fine_due_on_a_weekend_is_due_on_the_next_working_day(start: date, last: date) -> None:
    decision = ask(COTRIGUACU, start, "multa", start)

    assert decision.value.last_day == last
    assert decision.value.days.rolled_from is not None
    assert [reading.code for reading in decision.readings] == ["rolar"]
    assert decision.value.late[0].effect.label == "Inscrever em dívida ativa"


def test_the_other_reading_does_not_roll() -> None:
    other = COTRIGUACU + '[[choice]]\nrows = [{ code = "rolar", option = "nao", by = "prefeito", why = "parecer" }]'

    assert ask(other, date(2011, 5, 20), "multa", date(2011, 5, 20)).value.last_day == date(2011, 6, 19)


def test_suspended_days_are_not_counted() -> None:
    law = law_of(COTRIGUACU, date(2011, 5, 20))
    held = TermQuestion("multa", date(2011, 5, 20), suspensions=[(date(2011, 6, 1), date(2011, 6, 5))])

    assert decide(law, held, facts_of(law)).value.last_day == date(2011, 6, 24)


def test_a_yearly_licence_lasts_a_year_from_its_issue() -> None:
    answer = ask(BARRA, date(2010, 3, 1), "alvara", date(2010, 2, 28)).value

    assert (answer.last_day, answer.late[0].infraction) == (date(2011, 2, 28), "I-04")


def test_an_end_that_is_a_fact_is_unproven_without_it_and_says_that_it_follows() -> None:
    known = ask(BARRA, date(2010, 3, 1), "cnh", date(2010, 3, 1), driver__cnh__until=date(2012, 7, 1))

    assert (known.value.last_day, known.value.follows) == (date(2012, 7, 1), ("driver.cnh.until",))
    unknown = ask(BARRA, date(2010, 3, 1), "cnh", date(2010, 3, 1))
    assert (unknown.outcome, [m.code for m in unknown.missing]) == (Outcome.UNPROVEN, ["driver.cnh.until"])


def test_a_term_that_the_town_has_not_given_is_undetermined() -> None:
    decision = ask(BARRA, date(2010, 3, 1), "defesa", date(2010, 3, 1))

    assert (decision.outcome, [m.code for m in decision.missing]) == (Outcome.UNDETERMINED, ["prazo_defesa"])


def test_working_days_begin_on_the_first_working_day() -> None:
    third = COUNTINGS + (
        '[[term]]\nrows = [{ code = "recurso", cite = "art. 60", of = "case", starts = "served",'
        ' length = "5 working days", counting = "util" }]'
    )

    friday = ask(third, date(2021, 6, 11), "recurso", date(2021, 6, 11)).value

    assert friday.last_day == date(2021, 6, 18)
    assert next(each.day for each in friday.days.days if each.counted) == date(2021, 6, 14)


def test_a_term_that_the_law_does_not_have_is_undetermined() -> None:
    decision = ask(BARRA, date(2010, 3, 1), "vistoria", date(2010, 3, 1))

    assert (decision.outcome, decision.missing[0].kind) == (Outcome.UNDETERMINED, "rule")


def test_a_counting_may_say_that_its_days_are_working_ones_and_what_a_missing_day_becomes() -> None:
    own = """
[[counting]]
rows = [{ code = "util", unit = "working_days", cite = "art. 1" }, { code = "mes", missing_day = "next", cite = "art. 1" }]
[[term]]
of = "case"
starts = "served"
cite = "art. 2"
rows = [{ code = "dias", length = "5 days", counting = "util" }, { code = "mes", length = "1 month", counting = "mes" }]
"""

    assert ask(own, date(2021, 6, 11), "dias", date(2021, 6, 11)).value.last_day == date(2021, 6, 18)
    assert ask(own, date(2021, 1, 31), "mes", date(2021, 1, 31)).value.last_day == date(2021, 3, 1)


def test_a_last_day_that_is_known_already_is_not_counted_again() -> None:
    """Lateness runs from it, wherever the count would have led."""
    law = law_of(COTRIGUACU, date(2011, 3, 3))
    question = TermQuestion("alvara", date(2010, 3, 8), last=date(2011, 1, 31))

    found = decide(law, question, facts_of(law)).value

    assert (found.last_day, found.days) == (date(2011, 1, 31), None)
    assert [step.first_day for step in found.begun()] == [date(2011, 2, 1), date(2011, 3, 3)]


def test_what_lateness_is_besides_and_what_a_request_without_papers_is_are_the_law_s() -> None:
    own = """
[[term]]
code = "alvara"
cite = "art. 8"
of = "licence"
starts = "issued"
length = "1 year"
incomplete = "mal_instruido"
late = [{ after = "0 days", infraction = "atraso", also = ["sem_pedido"], cite = "art. 8" }]
"""
    found = ask(own, date(2011, 3, 3), "alvara", date(2010, 3, 1)).value

    assert (found.incomplete, found.late[0].also) == ("mal_instruido", ("sem_pedido",))
