"""How long a suspension may last: fixed by the law, within its bounds, or as the decision says."""

from datetime import date
from typing import Any

import pytest

from tenants.law.decide import decide
from tenants.law.decision import Decision
from tenants.law.questions import SuspensionQuestion
from tests.support.law import facts_of, law_of

DAY = date(2011, 4, 20)
OFFICE = '[[office]]\nrows = [{ code = "prefeito", title = "Prefeito", may = ["suspend"], cite = "art. 2" }]\n'


def asked(row: str, until: date | None, kind: str = "infraction", extra: str = "") -> Decision:
    rule = f'{OFFICE}{extra}[[{kind}]]\nrows = [{{ code = "S", title = "Falta", cite = "art. 9", {row} }}]\n'
    law = law_of(rule, DAY)
    return decide(law, SuspensionQuestion(code="S", since=DAY, until=until), facts_of(law))


FIXED = 'do = "suspend", term = "30 days"'
BOUNDED = 'do = "suspend", term = { office = "prefeito", above = "5 days", upto = "10 days" }'
OPEN = 'do = "suspend"'


@pytest.mark.parametrize(
    ("row", "until", "outcome", "last"),
    [
        (FIXED, None, "VALUE", date(2011, 5, 19)),
        (FIXED, date(2011, 5, 19), "VALUE", date(2011, 5, 19)),
        (FIXED, date(2011, 5, 20), "DENIED", None),
        (BOUNDED, date(2011, 4, 23), "DENIED", None),
        (BOUNDED, date(2011, 4, 24), "VALUE", date(2011, 4, 24)),
        (BOUNDED, date(2011, 4, 29), "VALUE", date(2011, 4, 29)),
        (BOUNDED, date(2011, 4, 30), "DENIED", None),
        (BOUNDED, None, "UNPROVEN", None),
        (OPEN, None, "UNPROVEN", None),
        (OPEN, date(2011, 12, 31), "VALUE", date(2011, 12, 31)),
        (OPEN, date(2011, 4, 19), "DENIED", None),
    ],
)
def test_both_its_first_and_its_last_day_count(row: str, until: date | None, outcome: str, last: date | None) -> None:
    decision = asked(row, until)

    assert decision.outcome == outcome
    assert (decision.value.until if decision.value else None) == last
    assert [str(citation) for citation in decision.citations] == ["Lei 1/2000, art. 9"]


def test_a_sanction_suspends_as_an_infraction_does() -> None:
    decision = asked(f"grade = 1, {FIXED}", None, kind="sanction")

    assert (decision.outcome, decision.value.until) == ("VALUE", date(2011, 5, 19))


def test_what_suspends_beside_a_fine_counts_too() -> None:
    also = 'do = "fine", amount = "50 BRL", also = [{ do = "suspend", term = "3 days" }]'

    assert asked(also, None).value.until == date(2011, 4, 22)


@pytest.mark.parametrize("row", ['do = "warn"', 'do = "fine", amount = "50 BRL"'])
def test_what_does_not_suspend_is_denied(row: str) -> None:
    assert asked(row, None).outcome == "DENIED"


def test_a_reading_may_bound_it() -> None:
    reading = (
        '[[reading]]\nrows = [{ code = "duracao", cite = "art. 9", ask = "Quanto?", '
        'options = { open = "o que se decidir", limited = "até dez dias" }, default = "limited", why = "x" }]\n'
    )
    limited = 'limited = { office = "prefeito", upto = "10 days" }'
    term = f'term = {{ reading = "duracao", open = {{ office = "prefeito" }}, {limited} }}'
    outcomes: list[Any] = [asked(f'do = "suspend", {term}', date(2011, 4, day), extra=reading) for day in (29, 30)]

    assert [decision.outcome for decision in outcomes] == ["VALUE", "DENIED"]
    assert [reading.code for reading in outcomes[0].readings] == ["duracao"]
