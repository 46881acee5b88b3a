# ruff: noqa: E501  (a row of a pack stands on one line)
"""Fares: windows of the town's clock, components, how surcharges stack."""

from datetime import UTC, date, datetime
from decimal import Decimal

import pytest

from tenants.law.decide import decide
from tenants.law.decision import Decision, Outcome
from tenants.law.questions import AgreementQuestion, FareQuestion, ReviewQuestion, TariffChangeQuestion
from tests.support.law import facts_of, law_of

COTRIGUACU = """
[[reading]]
rows = [{ code = "corrida", cite = "art. 25, § ún.", ask = "Corrida que cruza as 22 h?", options = { start_time = "a do início", split = "divide-se" }, default = "start_time" }]
[[tariff]]
code = "noturno"
title = "Adicional noturno"
cite = "art. 25, § ún."
add = "30%"
hours = [22:00:00, 06:00:00]
ride = { reading = "corrida", start_time = "start", split = "split" }
[[tariff_policy]]
rows = [{ code = "tarifas", cite = ["art. 25", "art. 26"], set_by = "prefeito", hears = ["permissionarios"], review_every = "1 year", review_needs = ["planilha"], review_when = ["cost"], raise_only_for = ["casamento", "funeral"] }]
"""
SPLIT = COTRIGUACU + '[[choice]]\nrows = [{ code = "corrida", option = "split", by = "prefeito", why = "parecer" }]'
BARRA = """
[[reading]]
rows = [{ code = "decreto", cite = "art. 25, § 1", ask = "Quando vale?", options = { camara = "depois da Câmara", so_decreto = "com o decreto" }, default = "camara" }]
[[tariff_policy]]
rows = [{ code = "tarifas", cite = ["art. 25", "art. 26, I"], set_by = "prefeito", approves = "camara", valid_after = { reading = "decreto", camara = "approval", so_decreto = "decree" }, review_when = ["cost", "request"], raise_only_for = ["casamento"], surcharge_only_by_law = true }]
"""
DAY = date(2011, 6, 1)  # a Wednesday


def moment(text: str, day: date = DAY) -> datetime:
    return datetime.fromisoformat(f"{day}T{text}")


def ask(text: str, question: object, on: date = DAY, /, **facts: object) -> Decision:
    law = law_of(text, on)
    return decide(law, question, facts_of(law, **facts))


def fare(text: str, starts: datetime, ends: datetime | None = None, brl: str = "20.00") -> Decimal:
    total: Decimal = ask(text, FareQuestion("taxi", starts, ends, fare=Decimal(brl))).value.total
    return total


@pytest.mark.parametrize(
    ("starts", "total"), [("21:59", "20.00"), ("22:00", "26.00"), ("05:59", "26.00"), ("06:00", "20.00")]
)
def test_the_night_begins_at_its_first_minute_and_ends_before_its_last(starts: str, total: str) -> None:
    decision = ask(COTRIGUACU, FareQuestion("taxi", moment(starts), fare=Decimal("20.00")))

    assert (decision.outcome, decision.value.total) == (Outcome.VALUE, Decimal(total))
    assert [(reading.code, reading.option) for reading in decision.readings] == [("corrida", "start_time")]
    assert [str(cited) for cited in decision.citations] == ["Lei 1/2000, art. 25, § ún."]


def test_a_moment_with_a_zone_is_put_on_the_towns_clock() -> None:
    assert fare(COTRIGUACU, datetime(2011, 6, 2, 1, 59, tzinfo=UTC)) == Decimal("20.00")
    assert fare(COTRIGUACU, datetime(2011, 6, 2, 2, 0, tzinfo=UTC)) == Decimal("26.00")


def test_by_the_other_reading_a_ride_across_the_edge_is_divided_exactly() -> None:
    assert fare(SPLIT, moment("21:40"), moment("22:10")) == Decimal("22.00")
    assert fare(SPLIT, moment("21:40"), moment("22:10"), brl="10.01") == Decimal("11.01")
    assert fare(SPLIT, moment("20:00"), moment("21:00")) == Decimal("20.00")


def test_a_divided_ride_without_its_end_is_unproven() -> None:
    decision = ask(SPLIT, FareQuestion("taxi", moment("21:40"), fare=Decimal("20.00")))

    assert (decision.outcome, [m.code for m in decision.missing]) == (Outcome.UNPROVEN, ["ride.ends"])


def test_a_ride_cannot_end_before_it_starts() -> None:
    with pytest.raises(ValueError, match="ends after"):
        FareQuestion("taxi", moment("22:00"), moment("21:00"))


def test_the_closing_minute_is_inside_where_the_law_says_so() -> None:
    inside = COTRIGUACU.replace('add = "30%"', 'add = "30%"\nlast = "in"')

    assert fare(inside, moment("06:00")) == Decimal("26.00")
    assert fare(inside, moment("06:01")) == Decimal("20.00")


COMPONENTS = """
[list]
area = { centro = "Centro", rural = "Zona rural" }
[[tariff]]
code = "comum"
cite = "art. 1"
minimum = "8 BRL"
round = { round = "up", digits = 1 }
components = [
  { code = "bandeirada", value = "4.50 BRL" },
  { code = "km", value = "2.75 BRL", times = "ride.metres", beyond = 500, per = 1000 },
  { code = "espera", value = "0.50 BRL", times = "ride.waiting", per = 5, round = "up" },
  { code = "mala", value = "1 BRL", times = "ride.bags", beyond = 1, if = "ride.from_area == 'centro'" },
]
"""


def test_components_count_what_is_measured_beyond_their_thresholds() -> None:
    facts = {"ride__metres": 4_700, "ride__waiting": 6, "ride__bags": 3, "ride__from_area": "centro"}

    decision = ask(COMPONENTS, FareQuestion("taxi", moment("10:00")), **facts)

    assert decision.value.base == Decimal("4.50") + Decimal("2.75") * Decimal("4.2") + Decimal("1.00") + Decimal(2)
    assert decision.value.total == Decimal("19.1")
    elsewhere = ask(COMPONENTS, FareQuestion("taxi", moment("10:00")), **{**facts, "ride__from_area": "rural"})
    assert elsewhere.value.total == Decimal("17.1")


def test_what_is_not_measured_is_unproven() -> None:
    decision = ask(COMPONENTS, FareQuestion("taxi", moment("10:00")), ride__metres=100)

    assert decision.outcome is Outcome.UNPROVEN
    assert sorted(m.code for m in decision.missing) == ["ride.bags", "ride.from_area", "ride.waiting"]


def test_a_short_ride_costs_the_minimum() -> None:
    facts = {"ride__metres": 300, "ride__waiting": 0, "ride__bags": 0, "ride__from_area": "rural"}

    assert ask(COMPONENTS, FareQuestion("taxi", moment("10:00")), **facts).value.total == Decimal("8.0")


def test_without_a_fare_in_the_law_or_the_case_it_is_undetermined() -> None:
    assert ask(COTRIGUACU, FareQuestion("taxi", moment("10:00"))).outcome is Outcome.UNDETERMINED


STACKED = """
[[tariff]]
cite = "art. 2"
rows = [
  { code = "noite", add = "30%", hours = [22:00:00, 06:00:00], stacking = "greatest" },
  { code = "domingo", add = "20%", weekdays = ["sunday"], holidays = true, stacking = "greatest" },
  { code = "dezembro", add = "10%", season = ["12-15", "01-05"] },
  { code = "festa", add = "5 BRL", events = ["carnaval"] },
  { code = "enchente", add = "100%", events = ["enchente"], stacking = "replace" },
]
"""


@pytest.mark.parametrize(
    ("day", "clock", "events", "total"),
    [
        (date(2011, 6, 5), "23:00", (), "26.00"),  # Sunday night: the greater of the two
        (date(2011, 6, 5), "10:00", (), "24.00"),
        (date(2011, 9, 7), "10:00", (), "24.00"),  # a holiday on a Wednesday
        (date(2011, 9, 8), "10:00", (), "20.00"),
        (date(2011, 12, 31), "23:00", (), "28.00"),
        (date(2011, 1, 5), "10:00", (), "22.00"),
        (date(2011, 1, 6), "10:00", (), "20.00"),
        (date(2011, 6, 1), "10:00", ("carnaval",), "25.00"),
        (date(2011, 12, 31), "23:00", ("carnaval", "enchente"), "40.00"),
    ],
)
def test_surcharges_add_up_compete_or_stand_alone(day: date, clock: str, events: tuple[str, ...], total: str) -> None:
    question = FareQuestion("taxi", moment(clock, day), fare=Decimal("20.00"), events=events)

    assert ask(STACKED, question, day).value.total == Decimal(total)


def test_a_price_above_the_tariff_is_agreed_only_on_the_laws_occasions() -> None:
    assert ask(COTRIGUACU, AgreementQuestion("taxi", raises=True, occasion="casamento")).outcome is Outcome.ALLOWED
    denied = ask(COTRIGUACU, AgreementQuestion("taxi", raises=True, occasion="feira"))
    assert (denied.outcome, denied.value) == (Outcome.DENIED, ("casamento", "funeral"))
    assert ask(COTRIGUACU, AgreementQuestion("taxi", raises=False)).outcome is Outcome.ALLOWED


def test_a_tariff_is_set_after_hearing_whom_the_law_wants_heard() -> None:
    unheard = ask(COTRIGUACU, TariffChangeQuestion("taxi"))
    assert (unheard.outcome, [m.code for m in unheard.missing]) == (
        Outcome.UNPROVEN,
        ["tariff.heard.permissionarios", "tariff.papers.planilha"],
    )
    heard = ask(COTRIGUACU, TariffChangeQuestion("taxi", heard=["permissionarios"], papers=["planilha"]))
    assert (heard.outcome, heard.value.set_by) == (Outcome.ALLOWED, "prefeito")


def test_an_additional_tariff_wants_a_law_and_a_decree_the_councils_approval() -> None:
    assert ask(BARRA, TariffChangeQuestion("taxi", surcharge=True)).outcome is Outcome.DENIED
    assert ask(BARRA, TariffChangeQuestion("taxi")).outcome is Outcome.UNPROVEN
    assert ask(BARRA, TariffChangeQuestion("taxi", approved=["camara"])).outcome is Outcome.ALLOWED
    alone = BARRA + '[[choice]]\nrows = [{ code = "decreto", option = "so_decreto", by = "prefeito", why = "parecer" }]'
    assert ask(alone, TariffChangeQuestion("taxi")).outcome is Outcome.ALLOWED


def test_tariffs_are_reviewed_each_year_or_when_costs_ask_for_it() -> None:
    yearly = ask(COTRIGUACU, ReviewQuestion("taxi", last_on=date(2010, 5, 20)))
    assert (yearly.outcome, yearly.value.due_on) == (Outcome.ALLOWED, date(2011, 5, 20))
    assert "venceu" in yearly.message
    assert ask(COTRIGUACU, ReviewQuestion("taxi")).outcome is Outcome.UNPROVEN
    assert ask(BARRA, ReviewQuestion("taxi", because=["request"])).outcome is Outcome.ALLOWED
    assert ask(BARRA, ReviewQuestion("taxi")).outcome is Outcome.DENIED
