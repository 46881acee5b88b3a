# ruff: noqa: E501  (a row of a pack stands on one line)
"""Fees: what is due, what waives it, in how many parts."""

from datetime import date
from decimal import Decimal

from tenants.law.decide import decide
from tenants.law.decision import Decision, Outcome
from tenants.law.quantity import Amount
from tenants.law.questions import FeeQuestion
from tests.support.law import facts_of, law_of

LAW = """
[[reading]]
rows = [{ code = "dia", cite = "art. 40, § 2", ask = "A unidade de que dia?", options = { fact = "do fato", payment = "do pagamento" }, default = "fact" }]
[[unit]]
rows = [{ code = "UFM", cite = "art. 40, § 2", alias = ["UPFM"], on = { reading = "dia", fact = "infraction", payment = "payment" }, values = [{ from = 2010-01-01, until = 2010-12-31, brl = 30.10 }, { from = 2011-01-01, brl = 32.50 }] }]
[list]
cause = { herdeiros = "Herdeiros", venda = "Venda" }
[[fee]]
rows = [
  { code = "taxa_alvara", title = "Alvará", of = "licence", amount = "46.28 UPFM", from = 2010-01-01, until = 2010-12-31, instalments = 3, cite = "art. 9, § ún." },
  { code = "taxa_transferencia", of = "transfer", amount = "100 BRL", cite = "art. 15", waive = { if = "transfer.cause == 'herdeiros'", cite = "art. 14, § 1" } },
  { code = "taxa_idoso", of = "card", amount = "10.01 BRL", cite = "art. 16", waive = [{ applies = { holder = "idoso" }, part = "50%", cite = "art. 17" }] },
  { code = "issqn", of = "tax", every = "1 month", cite = "art. 12" },
]
"""


def ask(question: FeeQuestion, on: date = date(2010, 6, 1), text: str = LAW, **facts: object) -> Decision:
    law = law_of(text, on)
    return decide(law, question, facts_of(law, **facts))


def test_the_licence_costs_its_units_at_the_days_rate() -> None:
    answer = ask(FeeQuestion(of="licence")).value

    assert (answer.fee, answer.units) == ("taxa_alvara", Amount(Decimal("46.28"), "UPFM"))
    assert (answer.total.brl, answer.total.rate) == (Decimal("1393.03"), Decimal("30.10"))


def test_instalments_sum_to_the_fee_and_are_no_more_than_the_law_admits() -> None:
    assert ask(FeeQuestion("taxa_alvara", instalments=3)).value.instalments == (
        Decimal("464.35"),
        Decimal("464.34"),
        Decimal("464.34"),
    )
    assert ask(FeeQuestion("taxa_alvara", instalments=4)).outcome is Outcome.DENIED


def test_the_law_may_take_the_units_value_of_the_day_of_payment() -> None:
    paid = LAW + '[[choice]]\nrows = [{ code = "dia", option = "payment", by = "prefeito", why = "decreto" }]'

    assert ask(FeeQuestion("taxa_alvara"), text=paid).outcome is Outcome.UNPROVEN
    late = ask(FeeQuestion("taxa_alvara", days={"payment": date(2011, 1, 10)}), text=paid)
    assert (late.value.total.brl, late.value.total.rate_on) == (Decimal("1504.10"), date(2011, 1, 10))


def test_a_proven_waiver_frees_and_is_cited() -> None:
    decision = ask(FeeQuestion("taxa_transferencia"), transfer__cause="herdeiros")

    assert (decision.value.total.brl, [str(cited) for cited in decision.value.waived_by]) == (
        Decimal(0),
        ["Lei 1/2000, art. 14, § 1"],
    )
    assert "Lei 1/2000, art. 14, § 1" in [str(cited) for cited in decision.citations]


def test_an_unproven_waiver_leaves_the_fee_due_and_says_what_it_would_need() -> None:
    decision = ask(FeeQuestion("taxa_transferencia"))

    assert (decision.outcome, decision.value.total.brl) == (Outcome.VALUE, Decimal("100.00"))
    assert [missing.code for part in decision.parts for missing in part.missing] == ["transfer.cause"]
    assert ask(FeeQuestion("taxa_transferencia"), transfer__cause="venda").parts == ()


def test_a_part_may_be_waived_for_some() -> None:
    assert ask(FeeQuestion("taxa_idoso", keys={"holder": "idoso"})).value.total.brl == Decimal("5.01")
    assert ask(FeeQuestion("taxa_idoso", keys={"holder": "outro"})).value.total.brl == Decimal("10.01")


def test_what_the_tax_law_fixes_is_undetermined() -> None:
    decision = ask(FeeQuestion("issqn"))

    assert decision.outcome is Outcome.UNDETERMINED
    assert "legislação tributária" in decision.message


def test_after_the_year_for_which_it_is_fixed_there_is_no_fee() -> None:
    assert ask(FeeQuestion("taxa_alvara"), date(2011, 1, 1)).outcome is Outcome.UNDETERMINED
