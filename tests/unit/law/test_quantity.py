"""Literals read as law, exactly, and are shown to people in Portuguese."""

import tomllib
from datetime import UTC, date, datetime, time
from decimal import Decimal

import pytest
from pydantic import TypeAdapter

from tenants.law.quantity import (
    Amount,
    Hours,
    Length,
    MonthDay,
    Number,
    Percent,
    Quantity,
    Rounding,
    literal,
    parse_literal,
    scaled,
    text,
)

D = Decimal


@pytest.mark.parametrize(
    ("raw", "quantity", "shown"),
    [
        (47, Number(D(47)), "47"),
        (D("1.0641"), Number(D("1.0641")), "1,0641"),
        ("52001.50", Number(D("52001.50")), "52.001,5"),
        ("30 UFIR", Amount(D(30), "UFIR"), "30 UFIR"),
        ("46.28 UPFM", Amount(D("46.28"), "UPFM"), "46,28 UPFM"),
        ("0 BRL", Amount(D(0), "BRL"), "R$ 0,00"),
        ("1234.56 BRL", Amount(D("1234.56"), "BRL"), "R$ 1.234,56"),
        ("31.923 BRL", Amount(D("31.923"), "BRL"), "R$ 31,923"),
        ("1 year", Length(1, "years"), "1 ano"),
        ("6 months", Length(6, "months"), "6 meses"),
        ("1 month", Length(1, "months"), "1 mês"),
        ("15 working days", Length(15, "working_days"), "15 dias úteis"),
        ("1 working day", Length(1, "working_days"), "1 dia útil"),
        ("0 days", Length(0, "days"), "0 dias"),
        ("24 hours", Length(24, "hours"), "24 horas"),
        ("2 weeks", Length(2, "weeks"), "2 semanas"),
        ("50%", Percent(D(50)), "50%"),
        ("12.5 %", Percent(D("12.5")), "12,5%"),
        ("01-31", MonthDay(1, 31), "31 de janeiro"),
        ("02-last", MonthDay(2, 0), "último dia de fevereiro"),
        ("05-01", MonthDay(5, 1), "1º de maio"),
        (date(2009, 12, 15), date(2009, 12, 15), "15/12/2009"),
        ("2009-12-15", date(2009, 12, 15), "15/12/2009"),
        (time(22), time(22), "22:00"),
        ([time(22), time(6)], Hours(time(22), time(6)), "das 22:00 às 06:00"),
        (["22:00:00", "06:00"], Hours(time(22), time(6)), "das 22:00 às 06:00"),
        ("22:00-06:30", Hours(time(22), time(6, 30)), "das 22:00 às 06:30"),
    ],
)
def test_each_form_of_literal(raw: object, quantity: Quantity, shown: str) -> None:
    read = parse_literal(raw)

    assert (read, type(read)) == (quantity, type(quantity))
    assert text(read) == shown
    assert parse_literal(literal(read)) == read
    assert parse_literal(read) == read


@pytest.mark.parametrize(
    "raw",
    ["all", "30UFIR", "6 moons of", "01-32", "13-01", "02-30", "1,5", "-3 days", True, 1.5, None, [1, 2], "25:00", "",
     datetime(2009, 12, 15, 1, tzinfo=UTC), "3 dias", "1.5 months", "2009-13-01"],
)  # fmt: skip
def test_what_is_no_literal_is_refused(raw: object) -> None:
    with pytest.raises(ValueError, match=r"no literal of the law|month|day|hour"):
        parse_literal(raw)


def test_the_refusal_says_which_forms_exist() -> None:
    with pytest.raises(ValueError, match=r"an amount .a number and a unit.*working days.*a percentage.*month-last"):
        parse_literal("thirty")


def test_toml_gives_literals_their_exact_values() -> None:
    pack = tomllib.loads("brl = 32.50\nhours = [22:00:00, 06:00:00]\nfrom = 2010-01-01", parse_float=Decimal)

    assert [str(parse_literal(v)) for v in pack.values()] == ["32.50", "22:00-06:00", "2010-01-01"]


@pytest.mark.parametrize(
    ("moment", "inside"), [(time(21, 59), False), (time(22), True), (time(5, 59), True), (time(6), False)]
)
def test_a_band_that_wraps_midnight_takes_its_first_minute_and_not_its_last(moment: time, inside: bool) -> None:
    assert Hours(time(22), time(6)).contains(moment) is inside
    assert Hours(time(6), time(22)).contains(moment) is not inside


def test_a_yearly_day_knows_leap_years() -> None:
    assert [MonthDay(2, 0).in_year(y).day for y in (2011, 2012)] == [28, 29]
    assert [MonthDay(2, 29).in_year(y).day for y in (2011, 2012)] == [28, 29]
    assert MonthDay(1, 31).on_or_after(date(2011, 1, 31)) == date(2011, 1, 31)
    assert MonthDay(1, 31).on_or_after(date(2011, 2, 1)) == date(2012, 1, 31)


def test_amounts_of_two_units_never_meet() -> None:
    one, other = Amount(D(20), "UFM"), Amount(D(20), "UFIR")

    assert one + Amount(D(1), "UFM") == Amount(D(21), "UFM")
    assert max(one, Amount(D(21), "UFM")) == Amount(D(21), "UFM")
    for forbidden in (lambda: one + other, lambda: one < other, lambda: one > other):
        with pytest.raises(TypeError, match="different units"):
            forbidden()


def test_lengths_of_two_kinds_are_not_comparable() -> None:
    assert min(Length(30, "days"), Length(15, "days")) == Length(15, "days")
    with pytest.raises(TypeError, match="different kinds"):
        max(Length(30, "days"), Length(1, "months"))


def test_percentages_and_multiples_are_exact() -> None:
    assert scaled(Amount(D("20.00"), "BRL"), Percent(D(130))) == Amount(D("26.00"), "BRL")
    assert scaled(Number(D(47)), Percent(D(50))) == Number(D("23.5"))
    assert scaled(Length(15, "days"), Number(D(2))) == Length(30, "days")
    with pytest.raises(ValueError, match="no whole number of days"):
        scaled(Length(15, "days"), Percent(D(50)))
    with pytest.raises(TypeError, match="no multiple"):
        scaled(date(2010, 1, 1), Number(D(2)))


@pytest.mark.parametrize(
    ("mode", "digits", "value", "rounded"),
    [
        ("half-up", 2, "31.925", "31.93"),
        ("half-even", 2, "31.925", "31.92"),
        ("up", 0, "40.0008", "41"),
        ("down", 0, "40.9", "40"),
        ("up", 0, "40", "40"),
        ("half-up", 2, "42.564", "42.56"),
    ],
)
def test_rounding(mode: str, digits: int, value: str, rounded: str) -> None:
    assert str(Rounding(mode, digits).apply(D(value))) == rounded  # type: ignore[arg-type]


def test_a_pack_writes_a_rounding_as_round_and_digits() -> None:
    read = TypeAdapter(Rounding).validate_python({"round": "half-up", "digits": 2})

    assert read == Rounding("half-up", 2)
    assert TypeAdapter(Rounding).validate_python({"mode": "up"}) == Rounding("up")


def test_an_unknown_rounding_is_refused() -> None:
    with pytest.raises(ValueError, match="half-up"):
        Rounding("nearest")  # type: ignore[arg-type]
