"""True of any law's terms: an event a day later never ends a term earlier, and lateness begins the day after."""

from datetime import date, timedelta

from hypothesis import given, settings
from hypothesis import strategies as st

from tenants.law.book import Book
from tenants.law.decide import decide
from tenants.law.questions import TermAnswer, TermQuestion
from tests.support.law import book_of, facts_of

DAY = timedelta(days=1)
TERMS = """
[[counting]]
code = "c"
cite = "art. 1"
first = "{first}"
start = "{start}"
roll = "{roll}"
[[term]]
counting = "c"
cite = "art. 2"
of = "case"
starts = "served"
length = "{length}"
late = [{{ after = "0 days", infraction = "x" }}, {{ after = "5 days", opens = "y" }}]
rows = [{{ code = "prazo" }}, {{ code = "validade", validity = true }}]
"""
lengths = st.builds(
    lambda count, per: f"{count} {per}",
    st.integers(1, 60),
    st.sampled_from(["days", "working days", "months", "years"]),
)
starts = st.dates(date(2010, 1, 1), date(2030, 12, 31))


@st.composite
def books(draw: st.DrawFn) -> Book:
    words = {
        "first": draw(st.sampled_from(["out", "in"])),
        "start": draw(st.sampled_from(["any_day", "next_working"])),
        "roll": draw(st.sampled_from(["none", "next"])),
        "length": draw(lengths),
    }
    return book_of(TERMS.format(**words))


def ask(book: Book, code: str, start: date) -> TermAnswer:
    law = book.on(start)
    answer = decide(law, TermQuestion(code, start), facts_of(law)).value
    assert isinstance(answer, TermAnswer)
    return answer


@settings(max_examples=60, deadline=None)
@given(book=books(), start=starts)
def test_last_days_are_monotone(book: Book, start: date) -> None:
    earlier, later = ask(book, "prazo", start), ask(book, "prazo", start + DAY)

    assert earlier.last_day <= later.last_day
    assert [step.first_day for step in earlier.late] <= [step.first_day for step in later.late]


@settings(max_examples=60, deadline=None)
@given(book=books(), start=starts)
def test_lateness_begins_the_day_after_and_its_steps_come_in_order(book: Book, start: date) -> None:
    answer = ask(book, "prazo", start)

    first, second = answer.late
    assert first.first_day == answer.last_day + DAY
    assert all(step.first_day == step.last_day_before + DAY for step in answer.late)
    assert second.first_day > first.first_day


@settings(max_examples=60, deadline=None)
@given(book=books(), start=starts)
def test_a_validity_ends_where_the_term_would_before_rolling(book: Book, start: date) -> None:
    term, validity = ask(book, "prazo", start), ask(book, "validade", start)

    assert validity.last_day == ((term.days and term.days.rolled_from) or term.last_day)
