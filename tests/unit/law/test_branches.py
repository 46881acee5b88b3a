"""Categories under a category: what a rule of the wider one reaches, counts and gives way to."""

from datetime import date

from tenants.law.decide import decide
from tenants.law.decision import Decision, Outcome
from tenants.law.questions import (
    EligibilityQuestion,
    QuotaAnswer,
    QuotaQuestion,
    ShareAnswer,
    ShareQuestion,
    VehicleAgeAnswer,
    VehicleAgeQuestion,
)
from tests.support.law import TOWN, facts_of, law_of

DAY = date(2020, 7, 1)
CHILD = """
[[category]]
code = "executivo"
title = "Táxi executivo"
cite = "art. 1"
parent = "taxi"
"""
AGES = (
    CHILD
    + """
[[vehicle_age]]
basis = "manufacture_year"
rows = [
  { code = "idade", cite = "art. 5", applies = { category = "taxi" }, at = "entry", limit = "8 years" },
  { code = "idade_executivo", cite = "art. 6", point = "idade", \
    applies = { category = "executivo" }, at = "entry", limit = "3 years" },
]
"""
)


def limit_of(category: str) -> tuple[str, int]:
    law = law_of(AGES, DAY)
    decision = decide(law, VehicleAgeQuestion(category), facts_of(law, vehicle__manufacture_year=2019))
    assert isinstance(decision.value, VehicleAgeAnswer)
    return decision.value.rule, decision.value.limit.count


def test_of_two_rules_on_one_point_that_of_the_category_under_the_other_is_the_narrower() -> None:
    assert limit_of("taxi") == ("idade", 8)
    assert limit_of("executivo") == ("idade_executivo", 3)


QUOTAS = (
    CHILD
    + """
[[quota]]
rows = [
  { code = "todas", cite = "art. 2", applies = { category = "taxi" }, value = 10 },
  { code = "executivas", cite = "art. 3", applies = { category = "executivo" }, value = 4 },
]
"""
)


def quota(category: str, **by_category: int) -> Decision:
    law = law_of(QUOTAS, DAY)
    question = QuotaQuestion(category, by_category[category], by_category=by_category)
    return decide(law, question, facts_of(law))


def test_a_quota_of_the_wider_category_counts_the_permits_of_both() -> None:
    full = quota("executivo", taxi=7, executivo=3)
    last = quota("executivo", taxi=6, executivo=3)

    assert (full.outcome, last.outcome) == (Outcome.DENIED, Outcome.ALLOWED)
    assert [(p.value.rule, p.value.active, p.value.room) for p in full.parts if isinstance(p.value, QuotaAnswer)] == [
        ("todas", 10, 0),
        ("executivas", 3, 1),
    ]


def test_a_quota_of_the_narrower_category_leaves_the_wider_one_alone() -> None:
    decision = quota("taxi", taxi=5, executivo=4)

    assert isinstance(decision.value, QuotaAnswer)
    assert (decision.outcome, decision.value.rule, decision.value.room) == (Outcome.ALLOWED, "todas", 1)


def test_another_category_is_no_part_of_a_quota() -> None:
    assert quota("taxi", taxi=5, executivo=4, escolar=90).outcome is Outcome.ALLOWED


SHARES = (
    CHILD
    + """
[[share]]
if = "vehicle.doors == 2"
most = "50%"
rows = [
  { code = "todas", cite = "art. 2", applies = { category = "taxi" } },
  { code = "executivas", cite = "art. 3", applies = { category = "executivo" } },
]
"""
)


def test_a_share_counts_the_vehicles_of_the_categories_that_its_rule_reaches() -> None:
    law = law_of(SHARES, DAY)
    plain = facts_of(law, vehicle__doors=4, permit__category="taxi")
    small = facts_of(law, vehicle__doors=2, permit__category="executivo")
    large = facts_of(law, vehicle__doors=4, permit__category="executivo")

    decision = decide(law, ShareQuestion("executivo", [(plain, 4), (large, 1), (small, 1)], small), facts_of(law))

    found = [(p.outcome, p.value.rule, p.value.counting, p.value.whole) for p in decision.parts if shared(p)]
    assert found == [(Outcome.ALLOWED, "todas", 2, 7), (Outcome.DENIED, "executivas", 2, 3)]


def shared(part: Decision) -> bool:
    return isinstance(part.value, ShareAnswer)


def test_a_federal_norm_of_the_pack_does_not_age_the_town_s_own_law() -> None:
    federal = """
[[norm]]
label = "Lei 2/1990"
rank = "lei"
urn = "urn:lex:br:federal:lei:1990-05-05;2"
status = [{ is = "in_force", from = 1990-05-05 }]
"""
    law = law_of("", date(1995, 1, 1), town=TOWN + federal)

    decision = decide(law, EligibilityQuestion("taxi", "autonomo"), facts_of(law))

    assert law.first_day == date(2000, 1, 1)
    assert decision.outcome is Outcome.UNDETERMINED
    assert "01/01/2000" in decision.message
