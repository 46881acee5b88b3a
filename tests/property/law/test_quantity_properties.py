"""Quantities survive being written down, and bands of hours share out the day."""

from datetime import date, time
from decimal import Decimal
from typing import get_args

from hypothesis import given
from hypothesis import strategies as st

from tenants.law.quantity import (
    Amount,
    Hours,
    Length,
    MonthDay,
    Number,
    Per,
    Percent,
    Quantity,
    Rounding,
    RoundingMode,
    literal,
    parse_literal,
)

DECIMALS = st.decimals(-(10**9), 10**9, places=4)
TIMES = st.builds(time, st.integers(0, 23), st.integers(0, 59), st.integers(0, 59))
QUANTITIES: st.SearchStrategy[Quantity] = st.one_of(
    st.builds(Number, DECIMALS),
    st.builds(Percent, DECIMALS),
    st.builds(Amount, DECIMALS, st.sampled_from(["BRL", "UFIR", "UFM", "UPF-MT", "VRM2"])),
    st.builds(Length, st.integers(0, 9999), st.sampled_from(get_args(Per))),
    st.builds(MonthDay, st.integers(1, 12), st.integers(0, 28)),
    st.builds(Hours, TIMES, TIMES),
    st.dates(date(1000, 1, 1)),
    TIMES,
)


@given(QUANTITIES)
def test_a_quantity_is_read_back_from_its_literal(quantity: Quantity) -> None:
    assert parse_literal(literal(quantity)) == quantity


@given(TIMES, TIMES, TIMES)
def test_a_band_and_its_complement_share_out_the_day(start: time, end: time, moment: time) -> None:
    if start == end:
        assert Hours(start, end).contains(moment)
    else:
        assert Hours(start, end).contains(moment) is not Hours(end, start).contains(moment)


@given(DECIMALS, st.sampled_from(get_args(RoundingMode)), st.integers(0, 3))
def test_rounding_moves_by_less_than_a_step_and_not_again(value: Decimal, mode: RoundingMode, digits: int) -> None:
    rounding = Rounding(mode, digits)
    rounded = rounding.apply(value)

    assert abs(rounded - value) < Decimal(1).scaleb(-digits)
    assert rounding.apply(rounded) == rounded
