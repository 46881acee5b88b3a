"""What an act may rest on."""

import pytest

from tenants.law.decision import Decision, Outcome, combine

ALLOWED, UNPROVEN, LEFT = (
    Decision(outcome, outcome.value) for outcome in (Outcome.ALLOWED, Outcome.UNPROVEN, Outcome.NEEDS_DECISION)
)


@pytest.mark.parametrize(
    ("parts", "judged", "carries"),
    [
        ([ALLOWED], False, True),
        ([ALLOWED, LEFT], False, False),
        ([ALLOWED, LEFT], True, True),
        ([LEFT, UNPROVEN], True, False),
        ([LEFT, combine([ALLOWED, UNPROVEN], message="")], True, False),
        ([UNPROVEN], True, False),
    ],
)
def test_an_office_judges_what_is_left_to_it_and_not_what_is_unproven(
    parts: list[Decision], judged: bool, carries: bool
) -> None:
    assert combine(parts, message="").carries(judged=judged) is carries
