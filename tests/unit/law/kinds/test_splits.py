"""Money that is divided, and infractions compared by tiers."""

from datetime import date
from decimal import Decimal

from tenants.law.decide import decide
from tenants.law.decision import Decision, Outcome
from tenants.law.questions import InfractionsQuestion, PenaltyAnswer
from tests.support.law import facts_of, law_of

LAW = """
[[office]]
code = "multas"
title = "Multas"
may = ["fine"]
cite = "art. 2"
[[infraction]]
do = "fine"
by = "multas"
rows = [
  { code = "A-1", cite = "art. 10", amount = "100.01 BRL", also = [{ do = "split", \
    parts = { fundo = "70%", multas = "30%" } }] },
  { code = "A-2", cite = "art. 11", tiers = [{ if = "offence.days > 5", amount = "300 BRL" }, { amount = "80 BRL" }] },
]
[[overlap]]
code = "maior"
cite = "art. 12"
order = ["A-1", "A-2"]
keeps = "highest"
"""


def answer(*codes: str, days: int | None = None) -> Decision:
    law = law_of(LAW, date(2020, 7, 1))
    known = {} if days is None else {"offence__days": days}
    return decide(law, InfractionsQuestion(codes), facts_of(law, **known))


def kept(decision: Decision) -> PenaltyAnswer:
    assert isinstance(decision.value, PenaltyAnswer)
    return decision.value


def test_a_split_divides_the_fine_to_the_cent_and_charges_nothing_itself() -> None:
    found = kept(answer("A-1"))
    (fine, split) = found.kept[0].effects

    assert (fine.do, fine.money is not None and fine.money.brl) == ("fine", Decimal("100.01"))
    assert (split.money, split.units) == (None, None)
    assert split.parts == {"fundo": Decimal("70.00"), "multas": Decimal("30.01")}
    assert found.brl == Decimal("100.01")


def test_the_highest_of_several_is_found_by_the_tier_that_the_facts_reach() -> None:
    assert [p.infraction for p in kept(answer("A-1", "A-2", days=6)).kept] == ["A-2"]
    assert [p.infraction for p in kept(answer("A-1", "A-2", days=5)).kept] == ["A-1"]


def test_without_the_fact_of_the_tiers_nothing_tells_which_is_the_highest() -> None:
    decision = answer("A-1", "A-2")

    assert decision.outcome is Outcome.UNPROVEN
    assert [missing.code for missing in decision.missing] == ["offence.days"]
