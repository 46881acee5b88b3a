"""Rules of the third town that no public query asks for yet, asked of the law itself."""

from datetime import date

import pytest

from tenants.law.decide import decide
from tenants.law.decision import Outcome
from tenants.law.questions import (
    Candidate,
    EligibilityQuestion,
    InstrumentAnswer,
    InstrumentQuestion,
    PastEnding,
    SelectionAnswer,
    SelectionQuestion,
)
from tests.support.law import facts_of
from tests.third_town.asking import law_of_ipe


@pytest.mark.parametrize(("on", "outcome"), [(date(2026, 3, 10), Outcome.DENIED), (date(2026, 3, 11), Outcome.ALLOWED)])
def test_who_was_excluded_may_come_back_after_two_years(on: date, outcome: Outcome) -> None:
    law = law_of_ipe(on)
    ended = PastEnding("exclusao_motos", date(2024, 3, 10))

    decision = decide(law, EligibilityQuestion("mototaxi", "cooperado", endings=(ended,)), facts_of(law))

    (part,) = [part for part in decision.parts if "excluido_motos" in [rule.code for rule in part.rules]]
    assert (part.outcome, [str(c) for c in part.citations]) == (outcome, ["Lei 88/2018, art. 4, § 2"])


def test_candidates_are_ranked_by_capped_points() -> None:
    law = law_of_ipe()

    def candidate(key: str, since: date, dependants: int) -> Candidate:
        return Candidate(key, facts_of(law, local__cooperado_desde=since, candidate__dependants=dependants))

    old = candidate("a", date(2010, 1, 1), 0)  # 60 at most
    parent = candidate("b", date(2023, 3, 10), 5)  # 36 and 30 at most
    young = candidate("c", date(2025, 3, 10), 1)  # 12 and 10
    decision = decide(law, SelectionQuestion("mototaxi", (old, young, parent), 1), facts_of(law))

    assert isinstance(decision.value, SelectionAnswer)
    assert [(each.key, each.place, each.chosen) for each in decision.value.ranking] == [
        ("b", 1, True),
        ("a", 2, False),
        ("c", 3, False),
    ]
    assert "Lei 88/2018, art. 6" in [str(citation) for citation in decision.citations]


def test_the_instrument_is_the_town_s_own_also_under_the_category() -> None:
    law = law_of_ipe()

    decision = decide(law, InstrumentQuestion("motocarga"), facts_of(law))

    assert isinstance(decision.value, InstrumentAnswer)
    assert (decision.value.code, decision.value.chosen_by, decision.value.granted_by) == (
        "credencial",
        "credentialing",
        "sutran",
    )
    assert [str(citation) for citation in decision.citations] == ["Lei 88/2018, art. 3"]
