"""The worked cases of Cotriguaçu's law, and some of its readings, on the pack itself."""

from collections.abc import Iterator
from datetime import date, datetime, time
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tenants.law.book import Book, Published
from tenants.law.decide import decide
from tenants.law.decision import Decision, Outcome
from tenants.law.facts import Facts
from tenants.law.loader import load
from tenants.law.pack import RawItem
from tenants.law.questions import (
    AgreementQuestion,
    ConductQuestion,
    EligibilityQuestion,
    Event,
    FareQuestion,
    FeeQuestion,
    InfractionsQuestion,
    ServedQuestion,
    StepQuestion,
    SubstituteQuestion,
    TermQuestion,
    TransferQuestion,
    VehicleAgeQuestion,
)

ROOT = Path(__file__).resolve().parents[3]
PACK = load((ROOT / "tenants/municipalities/cotriguacu.toml").read_text(encoding="utf-8"))


Act = tuple[str, str, str]  # kind, code, value or option


def supplied(code: str, value: str) -> Act:
    return "supplied", code, value


def chosen(code: str, option: str) -> Act:
    return "choice", code, option


@cache
def book(acts: tuple[Act, ...]) -> Book:
    """The pack and what acts say beside it."""
    said = {"supplied": ("value", {"source": "decreto"}), "choice": ("option", {"by": "prefeito", "why": "teste"})}
    raws = [
        RawItem(kind, code, {"code": code, said[kind][0]: what, "from": "2010-01-01", **said[kind][1]})
        for kind, code, what in acts
    ]
    return Book.of([*(Published(1, None, "pack", r) for r in PACK.raws), *(Published(2, None, "act", r) for r in raws)])


def ask(on: date, question: Any, *acts: Act, **facts: object) -> Decision:
    """The pack's answer on a day, once the unit has a value; facts with dots written as double underscores."""
    law = book((supplied("valor_ufm", "32.50 BRL"), *acts)).on(on)
    known = {code.replace("__", "."): value for code, value in facts.items()}
    return decide(law, question, Facts.of(known, law.vocabulary))


def readings(decision: Decision) -> dict[str, str]:
    return {used.code: used.option for used in decision.readings}


def begun(decision: Decision) -> Iterator[str]:
    return (step.infraction or step.opens or step.effect.do for step in decision.value.late if step.begun)


def test_a_late_renewal_is_fined_once() -> None:
    decision = ask(date(2011, 2, 10), InfractionsQuestion(("CO-8-1", "CO-40-II")))

    assert [(p.infraction, str(p.brl)) for p in decision.value.kept] == [("CO-8-1", "650.00")]
    assert readings(decision)["duas_multas"] == "dedupe"
    both = ask(date(2011, 2, 10), InfractionsQuestion(("CO-8-1", "CO-40-II")), chosen("duas_multas", "both"))
    assert str(both.value.brl) == "1300.00"


@pytest.mark.parametrize(
    ("looked", "steps"),
    [
        (date(2011, 1, 31), []),
        (date(2011, 2, 1), ["CO-8-1"]),
        (date(2011, 3, 2), ["CO-8-1"]),
        (date(2011, 3, 3), ["CO-8-1", "CO-16-I"]),
    ],
)
def test_a_licence_not_renewed_is_first_fined_then_cancellable(looked: date, steps: list[str]) -> None:
    decision = ask(looked, TermQuestion("alvara", date(2010, 2, 1)))

    assert decision.value.last_day == date(2011, 1, 31)
    assert list(begun(decision)) == steps


def test_the_thirty_days_of_a_leap_year() -> None:
    decision = ask(date(2012, 3, 1), TermQuestion("alvara", date(2011, 1, 31)))

    assert [step.last_day_before for step in decision.value.late] == [date(2012, 1, 31), date(2012, 3, 1)]


@pytest.mark.parametrize(
    ("served", "option", "last"),
    [
        (date(2011, 5, 12), "roll", date(2011, 5, 20)),
        (date(2011, 5, 13), "roll", date(2011, 5, 23)),
        (date(2011, 5, 13), "none", date(2011, 5, 21)),
    ],
)
def test_the_defence_is_counted_without_its_first_day(served: date, option: str, last: date) -> None:
    question = StepQuestion("administrativo", "defesa", served)

    decision = ask(served, question, chosen("rolar", option))

    assert decision.value.last_day == last


def test_the_judge_of_the_first_instance_is_the_town_s_to_say() -> None:
    decision = ask(date(2011, 5, 12), StepQuestion("administrativo", "decisao", date(2011, 5, 12)))

    assert decision.outcome is Outcome.UNDETERMINED
    assert "primeira_instancia" in {missing.code for missing in decision.missing}


def test_the_vehicle_s_age_is_the_strictest_of_both_years() -> None:
    question, car = (
        VehicleAgeQuestion("taxi", "licence"),
        {"vehicle__manufacture_year": 2005, "vehicle__model_year": 2006},
    )

    strict = ask(date(2011, 1, 14), question, **car)
    by_model = ask(date(2011, 1, 14), question, chosen("idade", "model"), **car)

    assert strict.outcome is Outcome.DENIED
    assert readings(strict)["idade"] == "strictest"
    assert by_model.outcome is not Outcome.DENIED


@pytest.mark.parametrize(
    ("looked", "steps"),
    [
        (date(2011, 4, 11), []),
        (date(2011, 4, 12), ["CO-41-II"]),
        (date(2011, 5, 1), ["CO-41-II"]),
        (date(2011, 5, 2), ["CO-41-II", "CO-17-II"]),
    ],
)
def test_an_absence_draws_first_suspension_then_lapse(looked: date, steps: list[str]) -> None:
    assert list(begun(ask(looked, TermQuestion("abandono", date(2011, 4, 1))))) == steps


def test_an_absence_counted_with_its_first_day_is_a_day_earlier() -> None:
    decision = ask(date(2011, 4, 11), TermQuestion("abandono", date(2011, 4, 1)), chosen("prazos", "first_in"))

    assert list(begun(decision)) == ["CO-41-II"]


def test_a_warned_fault_is_fined_when_repeated_and_never_doubled() -> None:
    keys = {"infraction": "CO-39-I", "holder": "h"}
    warned = Event(date(2011, 5, 5), keys, "warning", final_on=date(2011, 5, 16))
    fined = Event(date(2011, 5, 20), keys, "fine", final_on=date(2011, 5, 31))

    def again(on: date, *events: Event) -> Any:
        decision = ask(on, InfractionsQuestion(("CO-39-I",), {"holder": "h"}, events))
        return decision.value.kept[0]

    assert [e.do for e in again(date(2011, 5, 5)).effects] == ["warn"]
    assert str(again(date(2011, 5, 20), warned).brl) == "650.00"
    third = again(date(2011, 6, 2), warned, fined)
    assert str(third.brl) == "650.00"
    assert third.may_open == ("CO-41-I",)


def test_a_warning_that_is_not_final_makes_no_repetition() -> None:
    event = Event(date(2011, 5, 5), {"infraction": "CO-39-I", "holder": "h"}, "warning")
    question = InfractionsQuestion(("CO-39-I",), {"holder": "h"}, (event,))

    by_default = ask(date(2011, 5, 10), question)
    any_warning = ask(date(2011, 5, 10), question, chosen("advertencia", "any_warning"))

    assert [e.do for e in by_default.value.kept[0].effects] == ["warn"]
    assert readings(by_default)["advertencia"] == "after_final"
    assert [e.do for e in any_warning.value.kept[0].effects] == ["fine"]


def test_the_residual_infraction_gives_way_to_any_other() -> None:
    decision = ask(date(2011, 6, 2), InfractionsQuestion(("CO-40-X", "CO-31-III")))

    assert [p.infraction for p in decision.value.kept] == ["CO-31-III"]
    alone = ask(date(2011, 6, 2), InfractionsQuestion(("CO-40-X",)))
    assert [p.infraction for p in alone.value.kept] == ["CO-40-X"]


def test_an_open_standard_is_the_mayor_s_to_judge() -> None:
    decision = ask(date(2011, 6, 2), InfractionsQuestion(("CO-17-VII",)))

    assert (decision.outcome, decision.office) == (Outcome.NEEDS_DECISION, "prefeito")


def test_the_traffic_code_is_no_infraction_until_the_town_says_so() -> None:
    question = InfractionsQuestion(("CO-29-VI",))

    assert ask(date(2011, 6, 2), question).outcome is Outcome.DENIED
    assert ask(date(2011, 6, 2), question, chosen("infracao_29_vi", "on")).outcome is Outcome.VALUE


def test_a_sanctioning_cancellation_bars_and_the_holder_s_own_request_does_not() -> None:
    def barred(ending: str, *acts: Act) -> bool:
        question = EligibilityQuestion("taxi", "pessoa_fisica", at="entry")
        decision = ask(date(2011, 6, 2), question, *acts, holder__endings=[ending], candidate__other_income=False)
        cites = {str(c.short) for part in decision.parts if part.outcome is Outcome.DENIED for c in part.citations}
        return "art. 12, § ún." in cites

    assert barred("cancelamento")
    assert not barred("a_pedido")
    assert not barred("caducidade")
    assert barred("a_pedido", chosen("impedimento", "any_cancellation"))


@pytest.mark.parametrize(
    ("starts", "brl"), [(time(21, 59), "20.00"), (time(22), "26.00"), (time(5, 59), "26.00"), (time(6), "20.00")]
)
def test_the_night_surcharge_by_the_hour_in_which_a_ride_starts(starts: time, brl: str) -> None:
    day = date(2011, 5, 5)

    decision = ask(day, FareQuestion("taxi", datetime.combine(day, starts), fare=Decimal("20.00")))

    assert str(decision.value.total) == brl
    assert readings(decision)["corrida"] == "start_time"


@pytest.mark.parametrize(
    ("way", "dates", "served", "last"),
    [
        ("post", {"posted": date(2011, 6, 1)}, date(2011, 6, 11), date(2011, 6, 20)),
        ("edict", {"published": date(2011, 6, 1)}, date(2011, 7, 1), date(2011, 7, 11)),
    ],
)
def test_a_service_without_a_date_of_its_own(way: str, dates: dict[str, date], served: date, last: date) -> None:
    assert ask(date(2011, 8, 1), ServedQuestion(way, dates)).value.served_on == served
    assert ask(served, StepQuestion("administrativo", "defesa", served)).value.last_day == last


def test_the_fine_is_payable_in_thirty_days_then_goes_to_active_debt() -> None:
    decision = ask(date(2011, 6, 21), TermQuestion("pagar_multa", date(2011, 5, 20)))

    assert decision.value.last_day == date(2011, 6, 20)
    assert list(begun(decision)) == ["order", "CO-17-IV"]
    assert ask(date(2011, 6, 2), TermQuestion("pagar_multa", date(2011, 6, 2))).value.last_day == date(2011, 7, 4)


def test_the_first_year_s_fee_stands_in_the_law_and_later_ones_come_by_decree() -> None:
    in_2010 = ask(date(2010, 5, 3), FeeQuestion("taxa_alvara"))
    in_2011 = ask(date(2011, 5, 3), FeeQuestion("taxa_alvara"))

    assert str(in_2010.value.total.brl) == "1504.10"
    assert readings(in_2010)["unidade"] == "alias"
    assert [missing.code for missing in in_2011.missing] == ["taxa_alvara"]


ARTICLE_9 = ("permissao_anterior", "identidade", "cnh", "documento_veiculo", "ipva", "seguro_obrigatorio")


def transfer(cause: str, to: str | None = None, **facts: object) -> Decision:
    return ask(date(2011, 6, 1), TransferQuestion("taxi", cause, to=to, papers=ARTICLE_9), **facts)


def test_a_transfer_to_the_heirs_is_free_and_the_mayor_s_to_admit() -> None:
    decision = transfer("herdeiros", local__aceita_condicoes=True, transfer__to_family=True)

    assert (decision.outcome, decision.office) == (Outcome.NEEDS_DECISION, "prefeito")
    assert decision.value.free
    assert decision.value.reissue


def test_a_transfer_to_others_needs_that_the_heirs_do_not_want_it_and_costs_the_fee() -> None:
    wanting = transfer("morte", "empresa", local__aceita_condicoes=True, heirs__waived=False)
    not_wanting = transfer("morte", "empresa", local__aceita_condicoes=True, heirs__waived=True)

    assert wanting.outcome is Outcome.DENIED
    assert [missing.code for missing in not_wanting.missing] == ["taxa_transferencia"]


def test_no_other_cause_of_transfer_is_admitted() -> None:
    assert transfer("venda").outcome is Outcome.DENIED


def test_a_substitute_drives_while_the_holder_is_unfit_and_pays_no_fee() -> None:
    question = SubstituteQuestion(
        "taxi",
        date(2011, 6, 1),
        requested=True,
        proved_by=("inss",),
        paper="inss_incapacidade",
        keys={"holder": "pessoa_fisica"},
    )

    decision = ask(date(2011, 6, 1), question, vehicle__same_as_holder=True, substitute__meets_driver_rules=True)

    assert decision.outcome is Outcome.ALLOWED
    assert decision.value.until is None
    assert decision.value.licence_again
    assert decision.value.free


@pytest.mark.parametrize(
    ("at", "option", "outcome"),
    [
        (time(23), "until_six", Outcome.ALLOWED),
        (time(2), "until_six", Outcome.ALLOWED),
        (time(2), "until_midnight", Outcome.DENIED),
        (time(21, 59), "until_six", Outcome.DENIED),
    ],
)
def test_who_does_not_say_who_they_are_at_night_may_be_refused(at: time, option: str, outcome: Outcome) -> None:
    question = ConductQuestion("30", occasion="sem_identificacao", at=at)

    decision = ask(date(2011, 6, 1), question, chosen("identificacao_a_noite", option), local__sem_identificacao=True)

    assert decision.outcome is outcome


@pytest.mark.parametrize(("option", "outcome"), [("as_listed", Outcome.ALLOWED), ("not_hours", Outcome.DENIED)])
def test_a_price_above_the_tariff_in_business_hours_is_a_matter_of_reading(option: str, outcome: Outcome) -> None:
    question = AgreementQuestion("taxi", occasion="hora_comercial", raises=True)

    assert ask(date(2011, 6, 1), question, chosen("hora_comercial", option)).outcome is outcome


def test_where_nothing_may_be_ceded_no_transfer_is_admitted() -> None:
    question = TransferQuestion("taxi", "herdeiros", papers=ARTICLE_9)
    facts = {"local__aceita_condicoes": True, "transfer__to_family": True}

    assert ask(date(2011, 6, 1), question, chosen("cessao", "never"), **facts).outcome is Outcome.DENIED
