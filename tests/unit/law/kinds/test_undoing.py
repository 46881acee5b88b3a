"""How a call may be undone: in the ways that the law has, until when, by whom, after what."""

import pytest

from tenants.law.decide import decide
from tenants.law.decision import Decision, Outcome
from tenants.law.questions import UndoingAnswer, UndoingQuestion
from tests.support.law import facts_of, law_of

LAW = """
[[office]]
rows = [{ code = "prefeito", title = "Prefeito", may = ["grant", "decide"], cite = "art. 2" }]
[[selection]]
code = "ordem"
cite = "art. 7"
applies = { category = "taxi" }
order = [{ draw = true, cite = "art. 7" }]
undoing = [
  { code = "revogacao", title = "Revogação", needs = ["parecer"], decides = "prefeito", cite = "art. 8" },
  { code = "anulacao", title = "Anulação", until = "published", cite = "art. 9" },
]
"""


def undoing(code: str, stage: str, *met: str) -> Decision:
    law = law_of(LAW)
    return decide(law, UndoingQuestion("taxi", code, stage, met), facts_of(law))


@pytest.mark.parametrize(
    ("code", "stage", "outcome"),
    [
        ("revogacao", "open", Outcome.NEEDS_DECISION),
        ("revogacao", "frozen", Outcome.NEEDS_DECISION),
        ("revogacao", "published", Outcome.DENIED),
        ("anulacao", "published", Outcome.ALLOWED),
        ("anulacao", "awarded", Outcome.DENIED),
    ],
)
def test_it_may_be_until_the_stage_that_the_law_says(code: str, stage: str, outcome: Outcome) -> None:
    decision = undoing(code, stage, "parecer")

    assert decision.outcome is outcome
    assert [c.short for c in decision.citations] == ["art. 7", "art. 8" if code == "revogacao" else "art. 9"]


def test_the_office_that_decides_is_the_one_that_the_law_names() -> None:
    decision = undoing("revogacao", "open", "parecer")

    assert isinstance(decision.value, UndoingAnswer)
    assert (decision.office, decision.value.decides) == ("prefeito", "prefeito")


def test_what_the_law_wants_before_is_named_and_no_office_decides_it_away() -> None:
    assert undoing("revogacao", "open").outcome is Outcome.UNPROVEN
    assert [missing.code for missing in undoing("revogacao", "open").missing] == ["selection.parecer"]


def test_a_way_that_the_law_does_not_have_is_a_rule_that_is_missing() -> None:
    decision = undoing("desistencia", "open")

    assert decision.outcome is Outcome.UNDETERMINED
    assert [(missing.kind, missing.code) for missing in decision.missing] == [("rule", "selection")]
