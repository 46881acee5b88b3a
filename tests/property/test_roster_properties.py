"""What the solver proposes keeps the law, whatever it asks of a roster; and two vehicles can always keep one there."""

from dataclasses import replace
from datetime import date, datetime, time, timedelta
from itertools import pairwise

from hypothesis import example, given, settings
from hypothesis import strategies as st

from services.stands.rosters.solving import propose
from tenants.law.decide import decide
from tenants.law.decision import Decision, Outcome
from tenants.law.law import Law
from tenants.law.questions import RosterDemandsQuestion, RosterQuestion, Shift
from tests.support.law import facts_of, law_of

DAY = date(2026, 4, 1)
SINCE = datetime.combine(DAY, time())
clocks = st.integers(0, 23).map(lambda hour: f"{hour:02d}:00:00")


@st.composite
def laws(draw: st.DrawFn) -> str:
    """A law that asks for cover, for hours of work, or for both."""
    text = ""
    if draw(st.booleans()):
        hours = draw(st.sampled_from(['"all"', "band"]))
        band = f"[{draw(clocks)}, {draw(clocks)}]" if hours == "band" else hours
        least = draw(st.integers(1, 3))
        text += '[[roster]]\nrows = [{ code = "escala", cite = "art. 2", '
        text += f"cover = [{{ hours = {band}, least = {least} }}] }}]\n"
    if draw(st.booleans()) or not text:
        per, worked = draw(st.sampled_from([("day", 4), ("day", 8), ("week", 20), ("week", 44)]))
        daily = "true" if draw(st.booleans()) else "false"
        rest = f'{{ most = "{draw(st.sampled_from([0, 30, 50, 100]))}%", hours = [{draw(clocks)}, {draw(clocks)}] }}'
        text += f'[[service_duty]]\nrows = [{{ code = "jornada", cite = "art. 3", hours = {worked}, '
        text += f'per = "{per}", daily = {daily}, rest = {rest} }}]\n'
    return text


def asked(law: Law, fleet: list[str], shifts: list[Shift], days: int) -> Decision:
    question = RosterQuestion("taxi", shifts, fleet, SINCE, SINCE + timedelta(days=days))
    return decide(law, question, facts_of(law))


IDLE_DAYS = (
    '[[service_duty]]\nrows = [{ code = "jornada", cite = "art. 3", hours = 4, per = "day", daily = false, '
    'rest = { most = "30%", hours = [00:00:00, 05:00:00] } }]'
)


@settings(max_examples=60, deadline=None)
@given(laws(), st.integers(1, 9), st.integers(1, 15))
@example(IDLE_DAYS, 5, 1)  # hours of a day are owed on each day
def test_what_the_solver_proposes_keeps_the_law(text: str, size: int, days: int) -> None:
    law, fleet = law_of(text, DAY), [f"{number:04d}" for number in range(size)]
    demands = decide(law, RosterDemandsQuestion("taxi", fleet), facts_of(law)).value

    shifts = propose(demands, fleet, SINCE, days)

    if shifts is not None:
        assert asked(law, fleet, shifts, days).outcome is Outcome.ALLOWED
        for vehicle in fleet:
            own = sorted((s.start, s.end) for s in shifts if s.vehicle == vehicle)
            assert all(end <= start for (_, end), (start, _) in pairwise(own)), "one shift at a time"


@settings(max_examples=30, deadline=None)
@given(st.integers(2, 8), st.integers(1, 10))
def test_two_can_always_keep_one_there(size: int, days: int) -> None:
    law = law_of('[[roster]]\nrows = [{ code = "e", cite = "art. 2", cover = [{ hours = "all", least = 1 }] }]', DAY)
    fleet = [f"{number:04d}" for number in range(size)]
    demands = decide(law, RosterDemandsQuestion("taxi", fleet), facts_of(law)).value

    shifts = propose(demands, fleet, SINCE, days)

    assert shifts is not None
    gone = next(shift for shift in shifts if shift.start >= SINCE)
    broken = asked(law, fleet, [replace(s) for s in shifts if s != gone], days)
    assert broken.outcome is Outcome.DENIED, "and none of its shifts is idle"
