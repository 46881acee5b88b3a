# ruff: noqa: E501  (a row of a pack stands on one line)
"""The same again: what counts, what the nth time draws."""

from datetime import date
from decimal import Decimal

import pytest

from tenants.law.decide import decide
from tenants.law.decision import Decision, Outcome
from tenants.law.questions import Event, InfractionsQuestion, LadderQuestion
from tests.support.law import facts_of, law_of

CASE = {"category": "taxi", "holder": "maria"}
OFFENCES = """
[[unit]]
rows = [{ code = "UFM", cite = "art. 40, § 2", values = [{ from = 2011-01-01, until = 2011-12-31, brl = 32.50 }] }]
[[infraction]]
rows = [
  { code = "higiene", do = "warn", by = "agente", may_open = "desobediencia", cite = "art. 39, I" },
  { code = "recusa", do = "fine", amount = "20 UFM", group = "leve", points = 3, cite = "art. 40, III" },
  { code = "abandono", do = "suspend", term = "10 days", cite = "art. 41, II" },
]
"""
COTRIGUACU = (
    OFFENCES
    + """
[[reading]]
rows = [{ code = "advertencia", cite = "art. 40, I", ask = "A advertência precisa ser definitiva?", options = { after_final = "sim", any_warning = "não" }, default = "after_final" }]
[[measure]]
rows = [{ code = "advertido", if = "event.penalty == 'warning' && (event.final || reading.advertencia == 'any_warning')", match = ["holder", "infraction"] }]
[[ladder]]
code = "reincidencia"
cite = ["art. 39", "art. 40, I"]
applies = { infraction = ["higiene"] }
measure = "advertido"
steps = [{ nth = 1, do = "warn" }, { nth = 2, do = "fine", amount = "20 UFM", as = "reincidencia_advertida", cite = "art. 40, § 2" }]
"""
)
WARNED = Event(
    date(2011, 5, 5), {"infraction": "higiene", "holder": "maria"}, penalty="warning", final_on=date(2011, 5, 14)
)
FINED = Event(
    date(2011, 5, 20), {"infraction": "higiene", "holder": "maria"}, penalty="fine", final_on=date(2011, 5, 29)
)


def ask(text: str, on: date, infraction: str, *events: Event) -> Decision:
    law = law_of(text, on)
    return decide(law, LadderQuestion(infraction, CASE, events), facts_of(law))


@pytest.mark.parametrize(
    ("on", "events", "do", "brl"),
    [
        (date(2011, 5, 5), (), "warn", None),
        (date(2011, 5, 20), (WARNED,), "fine", Decimal("650.00")),
        (date(2011, 6, 2), (WARNED, FINED), "fine", Decimal("650.00")),
    ],
)
def test_a_warning_then_fines_that_are_never_doubled(
    on: date, events: tuple[Event, ...], do: str, brl: Decimal | None
) -> None:
    decision = ask(COTRIGUACU, on, "higiene", *events)

    (effect,) = decision.value.effects
    assert (decision.outcome, effect.do, effect.money and effect.money.brl) == (Outcome.VALUE, do, brl)
    assert decision.value.may_open == ("desobediencia",)
    assert effect.reports_as == ("reincidencia_advertida" if do == "fine" else None)


def test_the_answer_cites_the_step_and_names_the_reading() -> None:
    decision = ask(COTRIGUACU, date(2011, 5, 20), "higiene", WARNED)

    assert "Lei 1/2000, art. 40, § 2" in [str(cited) for cited in decision.citations]
    assert [reading.code for reading in decision.readings] == ["advertencia"]


def test_a_warning_that_is_not_final_yet_does_not_count() -> None:
    assert ask(COTRIGUACU, date(2011, 5, 13), "higiene", WARNED).value.effects[0].do == "warn"
    assert ask(COTRIGUACU, date(2011, 5, 14), "higiene", WARNED).value.effects[0].do == "fine"


def test_anothers_warning_and_another_fault_do_not_count() -> None:
    others = [
        Event(WARNED.on, {**WARNED.keys, "holder": "jose"}, "warning", WARNED.final_on),
        Event(WARNED.on, {**WARNED.keys, "infraction": "recusa"}, "warning", WARNED.final_on),
    ]

    assert ask(COTRIGUACU, date(2011, 6, 2), "higiene", *others).value.nth == 1


def test_a_fine_for_one_fact_takes_repetition_into_account() -> None:
    law = law_of(COTRIGUACU, date(2011, 5, 20))

    decision = decide(law, InfractionsQuestion(["higiene"], CASE, (WARNED,)), facts_of(law))

    (penalty,) = decision.value.kept
    assert (penalty.nth, penalty.brl, penalty.ladder) == (2, Decimal("650.00"), "reincidencia")


def measured(**fields: str) -> str:
    """A law in which each repetition inside a measure doubles the fine, up to a cap."""
    measure = "".join(f"{key} = {value}\n" for key, value in fields.items())
    return f"""{OFFENCES}
[[measure]]
code = "antes"
match = ["holder"]
{measure}
[[ladder]]
code = "dobra"
cite = "art. 44"
measure = "antes"
factor = 2
most = "100 UFM"
"""


def units(text: str, on: date, *events: Event) -> Decimal:
    return Decimal(ask(text, on, "recusa", *events).value.effects[0].units.value)


def fined(month: int, day: int, **more: object) -> Event:
    keys = {"infraction": "recusa", "holder": "maria", "group": "leve"}
    return Event(date(2011, month, day), keys, "fine", **more)  # type: ignore[arg-type]


def test_each_repetition_doubles_the_fine_up_to_its_cap() -> None:
    law = measured()
    past = [fined(1, 10), fined(2, 10), fined(3, 10)]

    assert [units(law, date(2011, 4, 1), *past[:n]) for n in range(4)] == [20, 40, 80, 100]


@pytest.mark.parametrize(
    ("measure", "on", "events", "expected"),
    [
        ({"window": '"30 days"'}, date(2011, 2, 9), [fined(1, 10)], 40),
        ({"window": '"30 days"'}, date(2011, 2, 10), [fined(1, 10)], 20),
        ({"window": '"30 days"', "bounds": '"out"'}, date(2011, 2, 9), [fined(1, 10)], 20),
        ({"window": '"30 days"', "anchor": '"previous_event"'}, date(2011, 3, 1), [fined(1, 10), fined(2, 5)], 80),
        ({"window": '"20 days"', "anchor": '"previous_event"'}, date(2011, 2, 20), [fined(1, 10), fined(2, 5)], 40),
        ({"window": '"30 days"', "anchor": '"first_event"'}, date(2011, 2, 20), [fined(1, 10), fined(2, 5)], 20),
        ({"window": '"60 days"', "anchor": '"first_event"'}, date(2011, 2, 20), [fined(1, 10), fined(2, 5)], 80),
        ({"anchor": '"calendar_year"'}, date(2011, 1, 2), [Event(date(2010, 12, 31), fined(1, 1).keys, "fine")], 20),
        ({"anchor": '"calendar_year"'}, date(2011, 12, 31), [fined(1, 1)], 40),
        (
            {"window": '"30 days"', "anchor": '"final_decision"'},
            date(2011, 3, 2),
            [fined(1, 10, final_on=date(2011, 2, 1)), fined(1, 11)],
            40,
        ),
    ],
)
def test_what_counts_depends_on_the_window_and_its_anchor(
    measure: dict[str, str], on: date, events: list[Event], expected: int
) -> None:
    assert units(measured(**measure), on, *events) == expected


def test_only_what_follows_the_last_suspension_counts() -> None:
    law = measured(anchor='"last_effect"', effect='"suspension"')
    suspended = Event(date(2011, 2, 1), {"infraction": "abandono", "holder": "maria"}, "suspension")

    assert units(law, date(2011, 4, 1), fined(1, 10), suspended, fined(3, 1)) == 40


def test_steps_that_repeat_begin_again() -> None:
    law = (
        OFFENCES
        + """
[[measure]]
rows = [{ code = "antes", match = ["holder", "infraction"] }]
[[ladder]]
rows = [{ code = "gira", cite = "art. 50", measure = "antes", beyond = "repeat_all", steps = [{ nth = 1, do = "warn" }, { nth = 2, do = "fine" }, { nth = 2, do = "suspend", term = "5 days" }] }]
"""
    )
    drawn = [ask(law, date(2011, 6, 1), "recusa", *[fined(m, 1) for m in range(1, n + 1)]).value for n in range(3)]

    assert [[effect.do for effect in answer.effects] for answer in drawn] == [["warn"], ["fine", "suspend"], ["warn"]]
    assert drawn[1].effects[0].units.value == 20  # what the step leaves unsaid is the infraction's own


def test_a_longer_suspension_at_each_repetition() -> None:
    law = (
        OFFENCES
        + """
[[measure]]
rows = [{ code = "antes", match = ["infraction"] }]
[[ladder]]
rows = [{ code = "mais", cite = "art. 50", measure = "antes", factor = 3, factor_on = "term", most = "60 days" }]
"""
    )
    past = [Event(date(2011, m, 1), {"infraction": "abandono"}, "suspension") for m in (1, 2)]

    terms = [str(ask(law, date(2011, 6, 1), "abandono", *past[:n]).value.effects[0].term) for n in range(3)]
    assert terms == ["10 days", "30 days", "60 days"]


def test_two_ladders_on_one_infraction_leave_it_undetermined() -> None:
    twice = measured() + '[[ladder]]\nrows = [{ code = "outra", cite = "art. 45", measure = "antes", factor = 3 }]'

    decision = ask(twice, date(2011, 6, 1), "recusa")

    assert decision.outcome is Outcome.UNDETERMINED
    assert "dobra, outra" in decision.message
