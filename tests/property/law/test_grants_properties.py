"""What holds of quotas, shares, ages and draws under any law, and so under the next town's."""

from datetime import date, timedelta
from functools import cache
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tenants.law.decide import decide
from tenants.law.decision import Outcome
from tenants.law.law import Law
from tenants.law.questions import (
    Candidate,
    PaperFact,
    QuotaQuestion,
    SelectionQuestion,
    ShareQuestion,
    VehicleAgeQuestion,
)
from tests.support.law import facts_of, law_of

DAYS = st.dates(date(2020, 1, 1), date(2040, 12, 31))
COUNTS = st.integers(0, 200)
quick = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@cache
def law(text: str, on: date = date(2026, 3, 10)) -> Law:
    """Loading is the slow part; a law is immutable."""
    return law_of(text, on)


def quota(people: int, per: int, cap: int, rounding: str, active: int, text: str = "") -> Any:
    series = f'[[series]]\ncode = "gente"\ncite = "art. 1"\nask = "?"\npoints = {{ 2020-01-01 = {people} }}\n'
    value = f'{{ least = [{{ series = "gente", per = {per}, round = "{rounding}" }}, {cap}] }}'
    found = law(f'{series}[[quota]]\ncode = "q"\ncite = "art. 2"\nvalue = {value}\n{text}')
    return decide(found, QuotaQuestion("taxi", active), facts_of(found))


@quick
@given(st.integers(0, 100_000), st.integers(1, 5_000), st.integers(0, 100), st.sampled_from(["up", "down"]), COUNTS)
def test_a_quota_never_allows_more_than_its_value(people: int, per: int, cap: int, rounding: str, active: int) -> None:
    decision = quota(people, per, cap, rounding, active)

    limit, room, excess = decision.value.limit, decision.value.room, decision.value.excess
    assert limit <= cap
    assert (limit - 1) * per < people or limit <= people // per
    assert active + room <= max(active, limit)
    assert room * excess == 0
    assert (decision.outcome is Outcome.ALLOWED) == (active < limit)


@quick
@given(st.integers(0, 60), st.integers(0, 60), st.integers(0, 100), st.sampled_from([(2, 4), (4, 2), (2, 2), (4, 4)]))
def test_a_share_is_never_passed_by_what_is_allowed(two: int, four: int, percent: int, swap: tuple[int, int]) -> None:
    text = f'[[share]]\ncode = "s"\ncite = "art. 3"\nif = "vehicle.doors == 2"\nmost = "{percent}%"\n'
    found = law(text)
    fleet = {2: two + 1, 4: four + 1}
    facts = {doors: facts_of(found, vehicle__doors=doors) for doors in fleet}
    entering, leaving = swap

    question = ShareQuestion("taxi", tuple((facts[d], n) for d, n in fleet.items()), facts[entering], facts[leaving])
    decision = decide(found, question, facts[2])

    fleet[leaving] -= 1
    fleet[entering] += 1
    within = fleet[2] * 100 <= percent * sum(fleet.values())
    assert (decision.value.counting, decision.value.whole) == (fleet[2], sum(fleet.values()))
    assert (decision.outcome is Outcome.ALLOWED) == (within or entering == 4)


AGE = """
[[vehicle_age]]
code = "idade"
cite = "art. 5"
at = ["entry", "stay"]
limit = "LIMIT years"
count = "COUNT"
boundary = "BOUND"
basis = ["first_registration"]
extend = [{ add = "6 months", at = "stay", needs = "laudo" }, { add = "3 months", at = "stay", needs = "request" }]
extend_most = MOST
"""
LIMITS = st.builds(
    lambda limit, count, bound, most: (
        AGE.replace("LIMIT", str(limit)).replace("COUNT", count).replace("BOUND", bound).replace("MOST", str(most))
    ),
    st.integers(1, 12),
    st.sampled_from(["years", "days"]),
    st.sampled_from(["in", "out"]),
    st.integers(0, 2),
)
PAPERS = st.lists(st.sampled_from(["laudo", "request"]), unique=True)


@quick
@given(LIMITS, DAYS, st.integers(0, 5_000), st.integers(0, 400), st.sampled_from(["entry", "stay"]), PAPERS)
def test_an_older_vehicle_is_never_allowed_where_a_younger_is_denied(
    text: str, on: date, age: int, older_by: int, at: str, papers: list[str]
) -> None:
    found = law(text, on)
    question = VehicleAgeQuestion("taxi", at, tuple(PaperFact(code, "vehicle") for code in papers))
    days = [on - timedelta(days=age), on - timedelta(days=age + older_by)]

    younger, older = (decide(found, question, facts_of(found, vehicle__first_registration=day)) for day in days)

    assert not (older.outcome is Outcome.ALLOWED and younger.outcome is not Outcome.ALLOWED)
    assert not (older.outcome is not Outcome.DENIED and younger.outcome is Outcome.DENIED)
    assert older.value.last_day <= younger.value.last_day


@quick
@given(LIMITS, DAYS, st.integers(0, 5_000), PAPERS)
def test_its_last_day_is_the_last_on_which_it_is_allowed(text: str, on: date, age: int, papers: list[str]) -> None:
    first = on - timedelta(days=age)
    question = VehicleAgeQuestion("taxi", "stay", tuple(PaperFact(code, "vehicle") for code in papers))

    def outcome(day: date) -> Any:
        there = law(text, day)
        return decide(there, question, facts_of(there, vehicle__first_registration=first))

    value = outcome(on).value
    assert value.limit_day <= value.last_day <= value.possible_day
    assert outcome(value.last_day).outcome is Outcome.ALLOWED
    assert outcome(value.last_day + timedelta(days=1)).outcome is not Outcome.ALLOWED


LADDER = """
[[selection]]
code = "ordem"
cite = "art. 35"
order = [
  { if = "!candidate.other_income" },
  { most = "candidate.dependants" },
  { least = "candidate.applied_on" },
  { draw = true },
]
"""
PEOPLE = st.dictionaries(
    st.text("abcdefgh", min_size=1, max_size=3),
    st.tuples(st.booleans(), st.integers(0, 3), st.integers(1, 3)),
    min_size=1,
    max_size=12,
)


@quick
@given(PEOPLE, st.integers(1, 5), st.text("0123456789/", min_size=1), st.randoms(use_true_random=False))
def test_an_order_is_total_keeps_the_ladder_and_does_not_depend_on_how_people_came(
    people: dict[str, tuple[bool, int, int]], vacancies: int, seed: str, shuffle: Any
) -> None:
    found = law(LADDER)
    candidates = [
        Candidate(
            key,
            facts_of(
                found,
                candidate__other_income=other,
                candidate__dependants=children,
                candidate__applied_on=date(2026, 1, day),
            ),
        )
        for key, (other, children, day) in people.items()
    ]
    shuffled = list(candidates)
    shuffle.shuffle(shuffled)

    one, again = (
        decide(found, SelectionQuestion("taxi", tuple(each), vacancies, seed), facts_of(found)).value.ranking
        for each in (candidates, shuffled)
    )

    assert [(r.key, r.place, r.chosen) for r in one] == [(r.key, r.place, r.chosen) for r in again]
    assert sum(r.chosen for r in one) == min(vacancies, len(people))
    if len(people) > vacancies:
        assert [r.place for r in one] == list(range(1, len(people) + 1))
        ladder = [(people[r.key][0], -people[r.key][1], people[r.key][2]) for r in one]
        assert ladder == sorted(ladder)
