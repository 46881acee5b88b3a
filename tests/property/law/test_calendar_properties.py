"""Counting holds for any term, day and holidays, and so for the next town's law."""

from datetime import date, timedelta

from hypothesis import given
from hypothesis import strategies as st

from tenants.law.calendar import (
    Calendar,
    Counting,
    Holiday,
    add_months,
    count,
    count_back,
    months_between,
    years_between,
)
from tenants.law.quantity import Length, MonthDay

DAYS = st.dates(date(1995, 1, 1), date(2060, 12, 31))
COUNTS = st.integers(0, 120)
UNITS = st.sampled_from(["days", "working_days", "weeks", "months", "years"])
LENGTHS = st.builds(Length, st.integers(0, 24), UNITS)
COUNTINGS = st.builds(
    Counting,
    code=st.just("c"),
    first=st.sampled_from(["out", "in"]),
    start=st.sampled_from(["any_day", "next_working"]),
    roll=st.sampled_from(["none", "next"]),
    missing_day=st.sampled_from(["last", "next"]),
)
HOLIDAYS = st.lists(
    st.builds(
        Holiday,
        st.builds(MonthDay, st.integers(1, 12), st.integers(0, 28)),
        st.just("festa"),
        st.sampled_from(["holiday", "optional", "short_hours"]),
    ),
    max_size=6,
)
CALENDARS = st.builds(Calendar, st.sampled_from(["MT", "SP", "BA"]), HOLIDAYS)
SUSPENSIONS = st.lists(
    st.builds(lambda first, n: (first, first + timedelta(days=n)), DAYS, st.integers(0, 60)), max_size=2
)


@given(DAYS, LENGTHS, CALENDARS)
def test_a_rolled_term_ends_on_a_day_on_which_terms_may_end(day: date, length: Length, calendar: Calendar) -> None:
    plain = count(Counting(code="c"), day, length, calendar)
    rolled = count(Counting(code="c", roll="next"), day, length, calendar)

    assert calendar.why_no_ending(rolled.last_day) is None
    assert rolled.last_day >= plain.last_day
    assert rolled.rolled_from in (None, plain.last_day)
    skipped = (rolled.last_day - plain.last_day).days
    assert all(calendar.why_no_ending(plain.last_day + timedelta(days=n)) for n in range(skipped))


@given(COUNTINGS, DAYS, st.integers(0, 60), st.integers(0, 60), UNITS, CALENDARS, SUSPENSIONS)
def test_a_longer_term_never_ends_earlier(
    counting: Counting,
    day: date,
    one: int,
    more: int,
    per: str,
    calendar: Calendar,
    suspensions: list[tuple[date, date]],
) -> None:
    short, long = (Length(n, per) for n in (one, one + more))  # type: ignore[arg-type]

    shorter = count(counting, day, short, calendar, suspensions).last_day
    assert day <= shorter or counting.first == "in"
    assert shorter <= count(counting, day, long, calendar, suspensions).last_day


@given(COUNTINGS, DAYS, st.integers(1, 60), CALENDARS, SUSPENSIONS)
def test_as_many_days_are_counted_as_the_term_has(
    counting: Counting, day: date, n: int, calendar: Calendar, suspensions: list[tuple[date, date]]
) -> None:
    counted = count(counting, day, Length(n, "working_days"), calendar, suspensions)
    nominal = [d for d in counted.days if d.counted and d.why != "vencimento deslocado"]

    assert len(nominal) == n
    assert all(calendar.is_working(d.day) for d in nominal)
    assert not any(first <= d.day <= last for d in nominal for first, last in suspensions)
    assert counted.last_day == counted.days[-1].day


@given(DAYS, st.integers(0, 400), CALENDARS)
def test_plain_days_are_those_of_the_almanac_both_ways(day: date, n: int, calendar: Calendar) -> None:
    plain = Counting(code="c")

    assert count(plain, day, Length(n, "days"), calendar).last_day == day + timedelta(days=n)
    assert count_back(plain, day, Length(n, "days"), calendar).last_day == day - timedelta(days=n)


@given(DAYS, st.integers(-600, 600))
def test_months_never_overflow_into_another_month(day: date, months: int) -> None:
    there = add_months(day, months)

    assert (there.year - day.year) * 12 + there.month - day.month == months
    assert there.day == day.day or (there.day < day.day and (there + timedelta(days=1)).day == 1)


@given(DAYS, DAYS)
def test_whole_months_are_the_most_that_fit(one: date, other: date) -> None:
    first, last = sorted((one, other))
    months = months_between(first, last)

    assert add_months(first, months) <= last < add_months(first, months + 1)
    assert years_between(first, last) == months // 12
    assert months_between(last, first) == -months
