"""Ids, cursors, numbers and days at the edge."""

import uuid
from datetime import date
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from api.types.connections import Page, cursor, read_cursor
from api.types.scalars import SCALARS, GlobalId, global_id, read_id
from services.errors import Invalid, NotFound


@given(st.sampled_from(["Permit", "Vehicle", "InfractionRecord"]), st.uuids())
def test_an_id_comes_back_on_one_line(kind: str, key: uuid.UUID) -> None:
    text = global_id(kind, key)

    assert text.split() == [text]
    assert read_id(text) == read_id(text, kind) == GlobalId(kind, key)


@given(st.text(max_size=60))
def test_what_is_no_id_is_not_found(text: str) -> None:
    with pytest.raises(NotFound):
        read_id(text, "Permit")


def test_an_id_of_another_kind_is_not_found() -> None:
    with pytest.raises(NotFound):
        read_id(global_id("Vehicle", uuid.uuid4()), "Permit")


@given(st.tuples(st.none() | st.text(), st.none() | st.dates(), st.integers(-(2**53), 2**53), st.uuids()))
def test_a_cursor_keeps_its_key_whole(key: tuple[Any, ...]) -> None:
    text = cursor(key)

    assert text.split() == [text]
    assert read_cursor(text, (str, date, int, uuid.UUID)) == key


@given(st.text(max_size=60))
def test_what_is_no_cursor_is_invalid(text: str) -> None:
    with pytest.raises(Invalid):
        read_cursor(text, (str, uuid.UUID))


def test_a_cursor_of_another_list_is_invalid() -> None:
    with pytest.raises(Invalid):
        read_cursor(cursor(("a", 1)), (str, uuid.UUID))
    with pytest.raises(Invalid):
        read_cursor(cursor(("a",)), (str, uuid.UUID))


@pytest.mark.parametrize("first", [0, -1, 101])
def test_a_page_has_from_one_to_a_hundred_rows(first: int) -> None:
    with pytest.raises(Invalid):
        Page.of(first, None, keys=(int,))


def test_the_row_beyond_the_page_says_that_there_is_another() -> None:
    page = Page.of(2, None, keys=(int,))
    two = page.connection([("a", (1,)), ("b", (2,))])
    three = page.connection([("a", (1,)), ("b", (2,)), ("c", (3,))])

    assert [len(c.edges) for c in (two, three)] == [2, 2]
    assert [c.page_info.has_next_page for c in (two, three)] == [False, True]
    assert three.page_info.end_cursor == cursor((2,))


@pytest.mark.parametrize(("value", "text"), [("1E+2", "100"), ("31.920", "31.920"), ("0E-2", "0.00")])
def test_a_decimal_is_written_out(value: str, text: str) -> None:
    serialize = SCALARS[Decimal].serialize

    assert serialize is not None
    assert serialize(Decimal(value)) == text


@pytest.mark.parametrize(("kind", "raw"), [(Decimal, 1.5), (Decimal, "NaN"), (Decimal, True), (date, "20260131")])
def test_what_is_not_exact_is_refused(kind: type, raw: Any) -> None:
    parse = SCALARS[kind].parse_value

    assert parse is not None
    with pytest.raises(ValueError, match=r"day|decimal"):
        parse(raw)
