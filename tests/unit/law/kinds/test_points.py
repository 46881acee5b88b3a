# ruff: noqa: E501  (a row of a pack stands on one line)
"""Points that expire by group, and two thresholds: the law of neither founding town, but of a third."""

from datetime import date

from tenants.law.decide import decide
from tenants.law.decision import Decision, Outcome
from tenants.law.questions import Event, Fired, PointsQuestion
from tests.support.law import facts_of, law_of

LAW = """
[[infraction]]
do = "warn"
rows = [
  { code = "leve", group = "A", points = 3, cite = "art. 20, I" },
  { code = "grave", group = "B", points = 7, cite = "art. 20, II" },
]
[[measure]]
rows = [{ code = "vivos", counts = "points", sum = "points", match = ["driver"], lives = { A = "6 months", "*" = "12 months" } }]
[[points]]
rows = [{ code = "pontuacao", cite = "art. 21", measure = "vivos", thresholds = [
  { at = 10, effects = [{ do = "suspend", term = "15 days" }] },
  { at = 20, effects = [{ do = "suspend", term = "90 days" }, { do = "end", cause = "cassacao" }], choose = true, office = "secretario", spends = true },
] }]
"""


def event(on: date, infraction: str, driver: str = "ana") -> Event:
    return Event(on, {"infraction": infraction, "group": "A" if infraction == "leve" else "B", "driver": driver})


def ask(on: date, *events: Event) -> Decision:
    law = law_of(LAW, on)
    return decide(law, PointsQuestion(events, {"driver": "ana", "category": "taxi"}), facts_of(law))


def risen(fired: tuple[Fired, ...]) -> list[tuple[date, int, int]]:
    return [(each.on, each.at, each.total) for each in fired]


def test_points_live_by_group_and_the_answer_says_until_when() -> None:
    past = [event(date(2024, 1, 10), "leve"), event(date(2024, 2, 10), "grave")]

    assert ask(date(2024, 7, 10), *past).value.total == 10
    later = ask(date(2024, 7, 11), *past).value
    assert later.total == 7
    assert [(each.points, each.until) for each in later.living] == [(7, date(2025, 2, 10))]


def test_another_drivers_points_are_not_counted() -> None:
    assert ask(date(2024, 3, 1), event(date(2024, 2, 1), "grave", "rui")).value.total == 0


def test_a_threshold_fires_each_time_the_sum_rises_to_it() -> None:
    past = [
        event(date(2024, 1, 1), "grave"),
        event(date(2024, 1, 2), "leve"),  # 10
        event(date(2024, 8, 1), "leve"),  # the first "leve" is gone: 10 again
    ]

    decision = ask(date(2024, 8, 2), *past)

    assert risen(decision.value.fired) == [(date(2024, 1, 2), 10, 10), (date(2024, 8, 1), 10, 10)]
    assert decision.outcome is Outcome.VALUE


def test_staying_above_a_threshold_fires_nothing() -> None:
    past = [event(date(2024, 1, 1), "grave"), event(date(2024, 1, 2), "grave"), event(date(2024, 1, 3), "leve")]

    assert risen(ask(date(2024, 1, 3), *past).value.fired) == [(date(2024, 1, 2), 10, 14)]


def test_the_second_threshold_is_proposed_to_its_office_and_spends_the_points() -> None:
    past = [event(date(2024, 1, day), "grave") for day in (1, 2, 3)]

    decision = ask(date(2024, 1, 3), *past)

    assert (decision.outcome, decision.office) == (Outcome.NEEDS_DECISION, "secretario")
    (fired,) = decision.value.drawn_on(date(2024, 1, 3))
    assert (fired.at, [effect.do for effect in fired.effects], fired.choose) == (20, ["suspend", "end"], True)
    assert decision.value.total == 0
    assert ask(date(2024, 1, 4), *past, event(date(2024, 1, 4), "leve")).value.total == 3


def test_a_law_without_points_counts_none() -> None:
    law = law_of("", date(2024, 1, 1))

    decision = decide(law, PointsQuestion([event(date(2024, 1, 1), "grave")]), facts_of(law))

    assert (decision.outcome, decision.value.total) == (Outcome.VALUE, 0)
