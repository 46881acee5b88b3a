"""Two times under any law: what an amendment changes, from when, and what was known of it."""

from collections.abc import Callable, Mapping
from datetime import date, timedelta
from typing import Any

from hypothesis import assume, given
from hypothesis import strategies as st

from tenants.law.book import Book, Published
from tenants.law.kinds.registry import RULES
from tenants.law.loader import read
from tests.property.law.cases import DAYS, Case, answers, cases, examples
from tests.property.law.generator import packs
from tests.property.law.maker import written
from tests.support.law import published

KINDS = {cls.kind for cls in RULES}
DAY = timedelta(days=1)
CHANGES: Mapping[str, Callable[[int], dict[str, Any]]] = {
    "quota": lambda n: {"value": n},
    "infraction": lambda n: {"amount": f"{n}.05 BRL", "do": "fine"},
    "vehicle_age": lambda n: {"limit": f"{n % 15 + 1} years"},
    "fee": lambda n: {"amount": f"{n}.05 BRL"},
    "tariff": lambda n: {"minimum": f"{n} BRL"},
    "requirement": lambda n: {"must": f"driver.age >= {n}"},
    "crew": lambda n: {"most": n},
}


@st.composite
def amendments(draw: st.DrawFn) -> tuple[int, int, date]:
    """Which rule of a pack, the new number, and the day from which it counts."""
    return draw(st.integers(0, 500)), draw(st.integers(1, 90)), draw(DAYS)


def amended(rows: list[Published], which: int, number: int, seq: int, official_on: date, **days: date) -> Published:
    """One rule of a pack changed by a later publication, in the pack's own form and through its reader."""
    changeable = [row.raw for row in rows if row.seq == 1 and row.raw.kind in KINDS]
    raw = changeable[which % len(changeable)]
    change = CHANGES[raw.kind](number) if raw.kind in CHANGES else {}
    period = {name.removesuffix("_"): day for name, day in days.items()}
    payload = {**raw.payload, "title": f"alterada {number}", **change, **period}
    found, _ = read(written({raw.kind: [payload]}), base=Book.of(rows).items(), norm="Lei 1")
    return Published(seq, official_on, f"alteração {seq}", found[0])


@examples(20)
@given(packs(), cases(), amendments(), DAYS)
def test_an_amendment_of_the_future_changes_no_earlier_answer(
    text: str, case: Case, change: tuple[int, int, date], official_on: date
) -> None:
    which, number, since = change
    assume(case.on < since)
    rows = published(text)
    new = amended(rows, which, number, 2, official_on, from_=since)
    book = Book.of([*rows, new])

    assert list(answers(Book.of(rows).on(case.on), case)) == list(answers(book.on(case.on), case))
    there = book.on(since).find(new.raw.kind, new.raw.code)
    assert there is not None
    assert there.publication == new.label


@examples(20)
@given(packs(), amendments(), st.integers(1, 300), st.integers(1, 90))
def test_a_retroactive_amendment_published_after_a_future_one_hides_nothing(
    text: str, change: tuple[int, int, date], earlier: int, number: int
) -> None:
    which, first, since = change
    before = since - timedelta(days=earlier)
    rows = published(text)
    future = amended(rows, which, first, 2, date(2020, 1, 1), from_=since)
    past = amended(rows, which, number, 3, date(2021, 1, 1), from_=before, until=since - DAY)
    book = Book.of([*rows, future, past])

    def counts(day: date) -> str:
        found = book.on(day).find(future.raw.kind, future.raw.code)
        return found.publication if found else ""

    assert [counts(day) for day in (before - DAY, before, since - DAY, since)] == [
        "pack",
        past.label,
        past.label,
        future.label,
    ]


@examples(12)
@given(packs(), cases(), amendments(), amendments(), st.tuples(DAYS, DAYS, DAYS))
def test_what_was_known_then_is_what_had_been_published_then(
    text: str,
    case: Case,
    one: tuple[int, int, date],
    other: tuple[int, int, date],
    days: tuple[date, date, date],
) -> None:
    """Later publications change nothing of it: knowledge only grows, and each step is the law of what there was."""
    rows = published(text)
    for seq, ((which, number, since), official_on) in enumerate(zip((one, other), sorted(days[:2]), strict=True), 2):
        rows = [*rows, amended(rows, which, number, seq, official_on, from_=since)]
    whole = Book.of(rows)

    for known_at in (days[2], *(day for row in rows if (day := row.official_on))):
        then = Book.of([row for row in rows if row.official_on is None or row.official_on <= known_at])
        assert list(answers(whole.on(case.on, known_at), case)) == list(answers(then.on(case.on), case))
    assert list(answers(whole.on(case.on, date.max), case)) == list(answers(whole.on(case.on), case))
