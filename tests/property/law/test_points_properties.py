"""True of any law's points: each lives exactly its lifetime, and a threshold fires only as the sum rises to it."""

from datetime import date, timedelta

from hypothesis import given, settings
from hypothesis import strategies as st

from tenants.law.decide import decide
from tenants.law.law import Law
from tenants.law.questions import Event, PointsAnswer, PointsQuestion
from tests.support.law import book_of, facts_of

START = date(2024, 1, 1)
DAY = timedelta(days=1)
LIVES = {"A": 30, "B": 90}
BOOK = book_of(
    """
[[measure]]
rows = [{ code = "vivos", counts = "points", sum = "points", lives = { A = "30 days", B = "90 days" } }]
[[points]]
rows = [{ code = "pontos", cite = "art. 21", measure = "vivos", thresholds = [
  { at = 10, effects = [{ do = "warn" }] },
  { at = 25, effects = [{ do = "suspend", term = "30 days" }] },
] }]
"""
)

events = st.builds(
    lambda after, group, points: Event(START + after * DAY, {"infraction": "x", "group": group}, points=points),
    st.integers(0, 200),
    st.sampled_from(sorted(LIVES)),
    st.integers(1, 12),
)


def ask(law: Law, past: list[Event]) -> PointsAnswer:
    answer = decide(law, PointsQuestion(past), facts_of(law)).value
    assert isinstance(answer, PointsAnswer)
    return answer


def alive(past: list[Event], on: date) -> int:
    return sum(e.points or 0 for e in past if e.on <= on <= e.on + LIVES[e.keys["group"]] * DAY)


@settings(max_examples=50, deadline=None)
@given(event=events)
def test_points_live_exactly_their_lifetime(event: Event) -> None:
    last = event.on + LIVES[event.keys["group"]] * DAY

    totals = [ask(BOOK.on(day), [event]).total for day in (event.on - DAY, event.on, last, last + DAY)]

    assert totals == [0, event.points, event.points, 0]


@settings(max_examples=50, deadline=None)
@given(past=st.lists(events, max_size=8), look=st.integers(0, 300))
def test_the_sum_is_that_of_what_lives(past: list[Event], look: int) -> None:
    on = START + look * DAY

    assert ask(BOOK.on(on), past).total == alive(past, on)


@settings(max_examples=50, deadline=None)
@given(past=st.lists(events, max_size=8, unique_by=lambda e: e.on))
def test_a_threshold_fires_exactly_when_the_sum_rises_to_it(past: list[Event]) -> None:
    on = START + 300 * DAY
    expected = [
        (event.on, at)
        for event in sorted(past, key=lambda e: e.on)
        for at in (10, 25)
        if alive(past, event.on) - (event.points or 0) < at <= alive(past, event.on)
    ]

    assert [(fired.on, fired.at) for fired in ask(BOOK.on(on), past).fired] == expected
