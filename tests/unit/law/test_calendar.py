"""Terms are counted as the law says, and every day of a count says why it counts or not."""

from datetime import date, timedelta

import pytest

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
from tenants.law.quantity import Length, MonthDay, parse_literal

GOOD_FRIDAY = Holiday(None, "Sexta-feira Santa", "holiday", "Lei municipal", easter=-2)
TOWN = Calendar("MT", [GOOD_FRIDAY])
ROLLING = Counting(code="comum", roll="next")
PLAIN = Counting(code="corrida")
D = date.fromisoformat


def length(text: str) -> Length:
    read = parse_literal(text)
    assert isinstance(read, Length)
    return read


def last_day(counting: Counting, start: str, term: str, calendar: Calendar = TOWN) -> str:
    return count(counting, D(start), length(term), calendar).last_day.isoformat()


@pytest.mark.parametrize(
    ("start", "end"),
    [
        ("2026-04-02", "2026-04-10"),
        ("2026-09-04", "2026-09-14"),
        ("2026-10-30", "2026-11-09"),
        ("2026-11-12", "2026-11-23"),
    ],
)
def test_eight_days_exclude_the_first_and_roll_over_weekends_and_holidays(start: str, end: str) -> None:
    assert last_day(ROLLING, start, "8 days") == end


@pytest.mark.parametrize(
    ("start", "term", "end", "rolled"),
    [
        ("2026-08-31", "6 months", "2027-02-28", "2027-03-01"),  # a Sunday
        ("2024-02-29", "5 years", "2029-02-28", "2029-02-28"),
        ("2010-02-10", "6 months", "2010-08-10", "2010-08-10"),
        ("2009-12-28", "5 years", "2014-12-28", "2014-12-29"),
        ("2026-01-31", "1 month", "2026-02-28", "2026-03-02"),
    ],
)
def test_months_and_years_end_on_the_day_of_the_same_number_or_the_last(
    start: str, term: str, end: str, rolled: str
) -> None:
    assert last_day(PLAIN, start, term) == end
    assert last_day(ROLLING, start, term) == rolled


def test_a_counting_may_pass_on_to_the_next_day_when_the_month_lacks_one() -> None:
    civil = Counting(code="civil", missing_day="next")

    assert last_day(civil, "2026-08-31", "6 months") == "2027-03-01"
    assert last_day(civil, "2026-08-30", "1 month") == "2026-09-30"


@pytest.mark.parametrize(
    ("start", "term", "plain", "rolled"),
    [
        ("2011-05-12", "8 days", "2011-05-20", "2011-05-20"),  # T03, served on Thursday
        ("2011-05-13", "8 days", "2011-05-21", "2011-05-23"),  # T03, served on Friday
        ("2011-06-01", "10 days", "2011-06-11", "2011-06-13"),  # T04, posted and undated
        ("2011-06-11", "8 days", "2011-06-19", "2011-06-20"),  # T04, defence
        ("2011-06-01", "30 days", "2011-07-01", "2011-07-01"),  # T04, public notice
        ("2011-07-01", "8 days", "2011-07-09", "2011-07-11"),  # T04, defence
        ("2011-05-20", "30 days", "2011-06-19", "2011-06-20"),  # T08, first fine
        ("2011-06-02", "30 days", "2011-07-02", "2011-07-04"),  # T08, second fine
        ("2011-01-31", "30 days", "2011-03-02", "2011-03-02"),  # T02
        ("2012-01-31", "30 days", "2012-03-01", "2012-03-01"),  # T02, a leap year
    ],
)
def test_the_worked_cases(start: str, term: str, plain: str, rolled: str) -> None:
    weekends_only = Calendar("MT")

    assert last_day(PLAIN, start, term, weekends_only) == plain
    assert last_day(ROLLING, start, term, weekends_only) == rolled


def test_the_first_day_may_be_counted() -> None:
    inclusive = Counting(code="inclusive", first="in")

    assert last_day(inclusive, "2010-06-01", "20 days") == "2010-06-20"  # T15
    assert last_day(inclusive, "2010-01-01", "1 year") == "2010-12-31"
    assert last_day(inclusive, "2026-08-31", "6 months") == "2027-02-28"
    assert last_day(inclusive, "2026-03-01", "6 months") == "2026-08-31"


def test_working_days_leave_out_weekends_and_holidays() -> None:
    working = Counting(code="util", unit="working_days")

    assert last_day(working, "2026-04-02", "2 days") == "2026-04-07"  # Good Friday, weekend, Monday, Tuesday
    assert last_day(PLAIN, "2026-04-02", "2 working days") == "2026-04-07"
    assert last_day(working, "2026-04-02", "1 month") == "2026-05-02"


def test_the_count_may_begin_on_the_first_working_day() -> None:
    served_friday = "2011-05-13"

    assert last_day(Counting(code="x", start="next_working"), served_friday, "8 days") == "2011-05-23"
    assert last_day(Counting(code="x", start="next_working", first="in"), "2011-05-14", "1 day") == "2011-05-16"
    assert last_day(Counting(code="x", start="next_working"), served_friday, "1 month") == "2011-06-15"


def test_suspended_days_do_not_count() -> None:
    recess = [(D("2026-12-20"), D("2027-01-20"))]

    by_days = count(PLAIN, D("2026-12-15"), length("8 days"), TOWN, recess)
    by_months = count(PLAIN, D("2026-12-15"), length("1 month"), TOWN, recess)

    assert by_days.last_day == D("2027-01-24")
    assert {d.why for d in by_days.days if recess[0][0] <= d.day <= recess[0][1]} == {"prazo suspenso"}
    assert by_months.last_day == D("2027-01-15") + timedelta(days=32)


def test_a_term_does_not_roll_into_a_suspension() -> None:
    counted = count(ROLLING, D("2026-12-11"), length("8 days"), TOWN, [(D("2026-12-20"), D("2027-01-20"))])

    assert (counted.rolled_from, counted.last_day) == (D("2026-12-19"), D("2027-01-21"))


def test_no_days_end_on_the_event() -> None:
    assert last_day(PLAIN, "2011-01-31", "0 days") == "2011-01-31"
    assert last_day(ROLLING, "2011-01-30", "0 days") == "2011-01-31"


def test_weeks_are_seven_days_and_hours_are_refused() -> None:
    assert last_day(PLAIN, "2026-03-02", "2 weeks") == "2026-03-16"
    with pytest.raises(ValueError, match="corrida does not count 24 hours"):
        last_day(PLAIN, "2026-03-02", "24 hours")
    with pytest.raises(ValueError, match="does not count 5 days"):
        last_day(Counting(code="m", unit="months"), "2026-03-02", "5 days")


def test_a_count_explains_each_day() -> None:
    counted = count(ROLLING, D("2011-05-13"), length("8 days"), TOWN)

    assert counted.start == D("2011-05-13")
    assert counted.rolled_from == D("2011-05-21")
    assert [(d.day.day, d.counted, d.why) for d in counted.days][:2] == [
        (13, False, "dia do começo: não se conta"),
        (14, True, "1º dia"),
    ]
    assert [(d.day.day, d.counted, d.why) for d in counted.days][-3:] == [
        (21, False, "sábado: o vencimento se desloca"),
        (22, False, "domingo: o vencimento se desloca"),
        (23, True, "vencimento deslocado"),
    ]


def test_a_term_may_be_counted_back_from_a_planned_day() -> None:
    before = Counting(code="antes", roll="previous")
    planned = D("2026-05-20")

    assert count_back(before, planned, length("5 days"), TOWN).last_day == D("2026-05-15")
    assert count_back(before, planned, length("10 days"), TOWN).last_day == D("2026-05-08")  # not Sunday 10th
    assert count_back(before, planned, length("3 working days"), TOWN).last_day == D("2026-05-15")
    assert count_back(PLAIN, D("2026-08-31"), length("6 months"), TOWN).last_day == D("2026-02-28")
    assert count_back(Counting(code="i", first="in"), planned, length("5 days"), TOWN).last_day == D("2026-05-16")
    assert count_back(Counting(code="i", first="in"), planned, length("1 month"), TOWN).last_day == D("2026-04-21")
    assert count_back(Counting(code="i", first="in"), D("2026-08-31"), length("6 months"), TOWN).last_day == D(
        "2026-03-01"
    )


def test_national_and_state_holidays_are_known_and_good_friday_is_the_towns() -> None:
    bare = Calendar("MT")

    assert bare.why_not_working(D("2026-12-25")) == "feriado: Natal"
    assert bare.why_not_working(D("2009-11-20")) is not None  # of the state, before it was national
    assert Calendar("SC").why_not_working(D("2009-11-20")) is None
    assert bare.is_working(D("2026-04-03"))
    assert TOWN.why_not_working(D("2026-04-03")) == "feriado: Sexta-feira Santa"
    assert bare.is_working(D("2026-02-17"))  # Carnival is optional: a town declares it
    assert bare.why_not_working(D("2026-05-02")) == "sábado"


def test_a_states_name_must_exist() -> None:
    with pytest.raises(ValueError, match="'XX' is no Brazilian state"):
        Calendar("XX")


def test_a_town_has_its_own_holidays_of_three_kinds() -> None:
    town = Calendar(
        "MT",
        [
            Holiday(MonthDay(9, 15), "Aniversário", from_=D("2011-01-01"), until=D("2020-12-31")),
            Holiday(D("2011-09-16"), "Emenda", "optional"),
            Holiday(D("2011-09-19"), "Luto", "short_hours"),
            Holiday(D("2011-09-15"), "Meio expediente", "short_hours"),
        ],
    )

    assert town.why_not_working(D("2011-09-15")) == "feriado: Aniversário"
    assert town.is_working(D("2010-09-15"))
    assert town.is_working(D("2021-09-15"))
    assert town.why_not_working(D("2011-09-16")) == "ponto facultativo: Emenda"
    assert town.is_working(D("2011-09-19"))
    assert town.why_no_ending(D("2011-09-19")) == "expediente reduzido: Luto"
    assert last_day(ROLLING, "2011-09-08", "8 days", town) == "2011-09-20"  # Friday off, weekend, short Monday


def test_a_holiday_has_one_day() -> None:
    with pytest.raises(ValueError, match="either a day or a distance"):
        Holiday(None, "Nunca")
    with pytest.raises(ValueError, match="either a day or a distance"):
        Holiday(D("2026-04-03"), "Duas", easter=-2)


@pytest.mark.parametrize(
    ("first", "last", "years", "months"),
    [
        ("2004-05-15", "2010-05-14", 5, 71),
        ("2004-05-15", "2010-05-15", 6, 72),
        ("2024-02-29", "2025-02-28", 1, 12),
        ("2026-01-31", "2026-02-28", 0, 1),
        ("2026-01-31", "2026-02-27", 0, 0),
        ("2010-05-15", "2004-05-15", -6, -72),
        ("2010-01-01", "2010-01-01", 0, 0),
    ],
)
def test_whole_years_and_months(first: str, last: str, years: int, months: int) -> None:
    assert (years_between(D(first), D(last)), months_between(D(first), D(last))) == (years, months)


def test_months_beyond_the_calendar_are_refused() -> None:
    assert add_months(D("2026-03-31"), -1) == D("2026-02-28")
    with pytest.raises(ValueError, match="is no day"):
        add_months(D("9999-12-31"), 1)
