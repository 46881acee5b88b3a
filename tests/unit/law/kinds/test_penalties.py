# ruff: noqa: E501  (a row of a pack stands on one line)
"""One fact and its infractions: overlaps, amounts, and what stands in the way of a fine."""

from collections.abc import Mapping
from datetime import date
from decimal import Decimal

from tenants.law.decide import decide
from tenants.law.decision import Decision, Outcome
from tenants.law.quantity import Amount
from tenants.law.questions import InfractionsQuestion, PenaltyAnswer
from tests.support.law import facts_of, law_of

TAXI = {"category": "taxi"}
UNITS = """
[[parameter]]
rows = [
  { code = "publicacao", type = "day", ask = "Em que dia a lei foi publicada?", cite = "art. 38" },
  { code = "valor_ufir", type = "amount", ask = "Quanto vale a UFIR?", cite = "art. 29, § ún." },
]
[[unit]]
rows = [
  { code = "UFIR", cite = "art. 29, § ún.", values = [{ from = { param = "publicacao" }, brl = { param = "valor_ufir" } }] },
  { code = "UFM", cite = "art. 40, § 2", alias = ["UPFM"], values = [{ from = 2011-01-01, until = 2011-12-31, brl = 32.50 }] },
]
[[supplied]]
rows = [{ code = "publicacao", value = 2009-12-28, source = "Diário" }]
"""
UFIR = """
[[supplied]]
rows = [{ code = "valor_ufir", value = "1.0641 BRL", source = "último valor federal" }]
"""
COTRIGUACU = (
    UNITS
    + """
[[reading]]
rows = [{ code = "duas_multas", cite = ["art. 8, § 1", "art. 40, II"], ask = "Duas vezes?", options = { dedupe = "não", both = "sim" }, default = "dedupe" }]
[[infraction]]
do = "fine"
amount = "20 UFM"
by = "agente"
rows = [
  { code = "renovacao", cite = "art. 8, § 1", title = "Alvará não renovado" },
  { code = "pedido", cite = "art. 40, II", title = "Pedido ausente" },
  { code = "outra", cite = "art. 40, X", title = "Outra infração", residual = true },
]
[[overlap]]
rows = [{ code = "renovacao", cite = "art. 8, § 1", order = ["renovacao", "pedido"], keeps = { reading = "duas_multas", dedupe = "first", both = "all" } }]
"""
)
BARRA = (
    UNITS
    + """
[[reading]]
rows = [{ code = "anexos", cite = "anexo", ask = "Qual fica?", options = { most_specific = "a menor", highest = "a maior" }, default = "most_specific" }]
[[infraction]]
do = "fine"
by = "financas"
rows = [
  { code = "I-23", amount = "50 UFIR", cite = "anexo, grupo I, item 23" },
  { code = "II-04", amount = "20 UFIR", cite = "anexo, grupo II, item 4" },
  { code = "II-08", amount = "30 UFIR", cite = "anexo, grupo II, item 8" },
  { code = "I-24", amount = "50 UFIR", cite = "anexo, grupo I, item 24", applies = { category = "taxi" } },
  { code = "II-09", amount = "40 UFIR", cite = "anexo, grupo II, item 9" },
]
[[overlap]]
cite = "anexo"
rows = [
  { code = "vistoria", order = ["II-08", "II-04", "I-23"] },
  { code = "lotacao", order = ["II-09", "I-24"], keeps = { reading = "anexos", most_specific = "lowest", highest = "highest" } },
]
"""
)


def ask(text: str, on: date, *codes: str, keys: Mapping[str, str] = TAXI, **facts: object) -> Decision:
    law = law_of(text, on)
    return decide(law, InfractionsQuestion(codes, keys), facts_of(law, **facts))


def kept(decision: Decision) -> list[tuple[str, Decimal]]:
    assert isinstance(decision.value, PenaltyAnswer)
    return [(penalty.infraction, penalty.brl) for penalty in decision.value.kept]


def test_one_omission_under_two_articles_is_one_fine_by_the_reading() -> None:
    decision = ask(COTRIGUACU, date(2011, 2, 10), "pedido", "renovacao")

    assert decision.outcome is Outcome.VALUE
    assert kept(decision) == [("renovacao", Decimal("650.00"))]
    assert [(reading.code, reading.option) for reading in decision.readings] == [("duas_multas", "dedupe")]
    assert {"Lei 1/2000, art. 8, § 1", "Lei 1/2000, art. 40, II"} <= {str(cited) for cited in decision.citations}


def test_the_other_reading_keeps_both_fines() -> None:
    both = (
        COTRIGUACU + '[[choice]]\nrows = [{ code = "duas_multas", option = "both", by = "prefeito", why = "parecer" }]'
    )

    decision = ask(both, date(2011, 2, 10), "renovacao", "pedido")

    assert kept(decision) == [("renovacao", Decimal("650.00")), ("pedido", Decimal("650.00"))]


def test_a_residual_infraction_gives_way_to_any_other() -> None:
    assert [code for code, _ in kept(ask(COTRIGUACU, date(2011, 2, 10), "outra", "pedido"))] == ["pedido"]
    assert [code for code, _ in kept(ask(COTRIGUACU, date(2011, 2, 10), "outra"))] == ["outra"]


def test_of_three_items_on_inspection_the_most_specific_stays() -> None:
    decision = ask(BARRA + UFIR, date(2010, 9, 20), "I-23", "II-04", "II-08")

    assert kept(decision) == [("II-08", Decimal("31.92"))]
    assert [(each.infraction, each.overlap, each.to) for each in decision.value.struck] == [
        ("II-04", "vistoria", "II-08"),
        ("I-23", "vistoria", "II-08"),
    ]


def test_the_value_keeps_the_rate_and_its_day() -> None:
    fine = ask(BARRA + UFIR, date(2010, 9, 20), "II-08").value.kept[0].effects[0]

    assert fine.units == Amount(Decimal(30), "UFIR")
    assert (fine.money.rate, fine.money.rate_on) == (Decimal("1.0641"), date(2010, 9, 20))


def test_an_overloaded_taxi_is_fined_by_the_lower_item_and_a_school_van_by_its_only_one() -> None:
    day = date(2010, 10, 15)

    assert kept(ask(BARRA + UFIR, day, "I-24", "II-09")) == [("II-09", Decimal("42.56"))]
    school = ask(BARRA + UFIR, day, "I-24", "II-09", keys={"category": "escolar"})
    assert kept(school) == [("II-09", Decimal("42.56"))]
    assert [(each.infraction, each.overlap) for each in school.value.struck] == [("I-24", None)]
    assert "anexos" not in [reading.code for reading in school.readings]


def test_the_alternative_reading_keeps_the_higher_item() -> None:
    higher = (
        BARRA + UFIR + '[[choice]]\nrows = [{ code = "anexos", option = "highest", by = "prefeito", why = "parecer" }]'
    )

    assert kept(ask(higher, date(2010, 10, 15), "I-24", "II-09")) == [("I-24", Decimal("53.21"))]


def test_without_the_units_value_the_fine_is_undetermined_and_names_what_is_missing() -> None:
    decision = ask(BARRA, date(2010, 10, 15), "II-08")

    assert decision.outcome is Outcome.UNDETERMINED
    assert "falta o valor da UFIR" in decision.message
    assert [missing.code for missing in decision.missing] == ["valor_ufir"]
    assert decision.value.kept[0].effects[0].units == Amount(Decimal(30), "UFIR")


def test_overlaps_that_strike_each_other_in_a_circle_decide_nothing() -> None:
    circle = BARRA + UFIR + '[[overlap]]\nrows = [{ code = "volta", cite = "anexo", order = ["I-23", "II-08"] }]'

    decision = ask(circle, date(2010, 9, 20), "I-23", "II-08")

    assert decision.outcome is Outcome.UNDETERMINED
    assert "I-23, II-08" in decision.message


def test_an_infraction_that_the_law_does_not_have_is_undetermined() -> None:
    decision = ask(BARRA, date(2010, 9, 20), "III-01")

    assert decision.outcome is Outcome.UNDETERMINED
    assert "III-01" in decision.message


def test_none_that_reaches_the_case_is_denied() -> None:
    assert ask(BARRA, date(2010, 9, 20), "I-24", keys={"category": "escolar"}).outcome is Outcome.DENIED


THIRD = """
[[unit]]
rows = [
  { code = "UPM", cite = "art. 9", values = [{ from = 2020-01-01, brl = 7.77 }] },
  { code = "MEIA", cite = "art. 9", of = "UPM", percent = "50%" },
]
[[infraction]]
rows = [
  { code = "reais", do = "fine", amount = "150 BRL", cite = "art. 10" },
  { code = "unidade", do = "fine", amount = "3 MEIA", cite = "art. 11" },
  { code = "parte", do = "fine", amount = { percent = "12.5%", of = "10 UPM" }, cite = "art. 12" },
  { code = "lotacao", do = "fine", cite = "art. 13", tiers = [{ if = "ride.passengers > 6", amount = "10 UPM" }, { amount = "5 UPM" }] },
  { code = "suspende", do = "suspend", least = "5 days", most = "30 days", by = "juiz", cite = "art. 14", also = [{ do = "bar", term = "2 years", cause = "cassacao" }] },
  { code = "guarda", do = "charge_daily", amount = "2 UPM", times = "offence.days", cite = "art. 15" },
  { code = "reparte", do = "fine", amount = "1 UPM", parts = { fundo = "33%", municipio = "67%" }, cite = "art. 16" },
  { code = "sem_valor", do = "fine", cite = "art. 17" },
]
"""


def test_fines_may_be_in_reais_in_a_percentage_of_a_unit_and_in_part_of_an_amount() -> None:
    decision = ask(THIRD, date(2021, 1, 1), "reais", "unidade", "parte")

    assert kept(decision) == [("reais", Decimal("150.00")), ("unidade", Decimal("11.66")), ("parte", Decimal("9.71"))]


def test_a_tier_by_a_fact_is_unproven_without_it() -> None:
    assert kept(ask(THIRD, date(2021, 1, 1), "lotacao", ride__passengers=7)) == [("lotacao", Decimal("77.70"))]
    assert kept(ask(THIRD, date(2021, 1, 1), "lotacao", ride__passengers=6)) == [("lotacao", Decimal("38.85"))]
    unproven = ask(THIRD, date(2021, 1, 1), "lotacao")
    assert unproven.outcome is Outcome.UNPROVEN
    assert [missing.code for missing in unproven.missing] == ["ride.passengers"]


def test_a_suspension_between_bounds_is_left_to_its_office() -> None:
    decision = ask(THIRD, date(2021, 1, 1), "suspende")

    assert (decision.outcome, decision.office) == (Outcome.NEEDS_DECISION, "juiz")
    suspension, bar = decision.value.kept[0].effects
    assert (str(suspension.least), str(suspension.most)) == ("5 days", "30 days")
    assert (bar.do, str(bar.term), bar.cause) == ("bar", "2 years", "cassacao")


def test_a_daily_charge_counts_the_days_of_its_fact() -> None:
    assert kept(ask(THIRD, date(2021, 1, 1), "guarda", offence__days=3)) == [("guarda", Decimal("46.62"))]


def test_the_parts_of_a_fine_are_cents_that_sum_to_it() -> None:
    fine = ask(THIRD, date(2021, 1, 1), "reparte").value.kept[0].effects[0]

    assert dict(fine.parts) == {"fundo": Decimal("2.56"), "municipio": Decimal("5.21")}


def test_a_fine_without_an_amount_is_undetermined() -> None:
    assert "não fixa o valor" in ask(THIRD, date(2021, 1, 1), "sem_valor").message
