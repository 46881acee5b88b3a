"""The worked cases of Barra do Garças, put to its real pack."""

from datetime import date
from decimal import Decimal

import pytest

from tenants.law.decide import decide
from tenants.law.decision import Outcome
from tenants.law.facts import Facts
from tenants.law.questions import (
    InfractionsQuestion,
    InspectionQuestion,
    PaperFact,
    QuotaQuestion,
    ShareQuestion,
    SubstituteQuestion,
    TransferQuestion,
    VehicleAgeQuestion,
)
from tests.support.barra import CASE_DAY, ESCOLAR, TAXI, also_said, articles, asked, book, choosing, readings

# --- T09: how many ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("population", "active", "limit", "room"), [(52_001, 40, 41, 1), (65_000, 40, 47, 7), (45_000, 40, 35, 0)]
)
def test_one_taxi_per_1300_inhabitants_up_to_47(population: int, active: int, limit: int, room: int) -> None:
    decision = asked(QuotaQuestion("taxi", active), CASE_DAY, town__populacao=population)

    assert (decision.value.limit, decision.value.room) == (limit, room)
    assert decision.outcome is (Outcome.ALLOWED if room else Outcome.DENIED)
    assert readings(decision)["arredondar"] == "ceil"
    assert {"art. 33", "art. 33, § 1"} <= articles(decision)


def test_who_has_a_permit_keeps_it_when_the_population_falls() -> None:
    decision = asked(QuotaQuestion("taxi", 40), CASE_DAY, town__populacao=45_000)

    assert (decision.value.excess, decision.value.kept) == (5, True)


def test_read_down_a_fraction_gives_no_taxi() -> None:
    decision = asked(QuotaQuestion("taxi", 40), CASE_DAY, choosing("arredondar", "floor"), town__populacao=52_001)

    assert (decision.outcome, decision.value.limit) == (Outcome.DENIED, 40)


def test_a_report_alone_does_not_lift_the_cap_of_47() -> None:
    full = QuotaQuestion("taxi", 47)

    assert asked(full, CASE_DAY, town__populacao=90_000).outcome is Outcome.DENIED
    assert asked(full, CASE_DAY, choosing("aumento", "parecer"), town__populacao=90_000).office == "prefeito"


# --- T10: two doors --------------------------------------------------------------------------------------------------


def test_two_door_taxis_are_at_most_half_of_those_in_service() -> None:
    law = book().on(CASE_DAY)
    two, four = (Facts.of({"vehicle.doors": doors}, law.vocabulary) for doors in (2, 4))
    fleet = [(two, 23), (four, 24)]

    worse = decide(law, ShareQuestion("taxi", fleet, entering=two, leaving=four), Facts({}, law.vocabulary))
    same = decide(law, ShareQuestion("taxi", fleet, entering=two, leaving=two), Facts({}, law.vocabulary))
    school = decide(law, ShareQuestion("escolar", [(two, 9)], entering=two), Facts({}, law.vocabulary))

    assert (worse.outcome, worse.value.counting, worse.value.whole) == (Outcome.DENIED, 24, 47)
    assert (same.outcome, same.value.counting) == (Outcome.ALLOWED, 23)
    assert "art. 18, § 1" in articles(worse)
    assert school.outcome is Outcome.ALLOWED


# --- T11 and T12: one fact, several items of the annex ---------------------------------------------------------------


def test_an_inspection_is_due_six_months_after_the_last() -> None:
    decision = asked(InspectionQuestion("taxi", date(2010, 2, 10)), date(2010, 3, 1))

    assert decision.value.due_on == date(2010, 8, 10)
    assert {"art. 6, VI", "art. 18, § 3"} <= articles(decision)


def test_a_missed_inspection_is_one_fine() -> None:
    decision = asked(InfractionsQuestion(["I-23", "II-04", "II-08"], TAXI), date(2010, 9, 20))

    assert [(p.infraction, p.brl) for p in decision.value.kept] == [("II-08", Decimal("31.92"))]
    assert {s.infraction for s in decision.value.struck} == {"I-23", "II-04"}
    assert readings(decision)["anexos"] == "most_specific"


@pytest.mark.parametrize(
    ("option", "keys", "code", "brl"),
    [
        ("most_specific", TAXI, "II-09", "42.56"),
        ("highest", TAXI, "I-24", "53.21"),
        ("most_specific", ESCOLAR, "II-09", "42.56"),
        ("highest", ESCOLAR, "II-09", "42.56"),
    ],
)
def test_over_capacity_draws_the_lower_of_two_fines(option: str, keys: dict[str, str], code: str, brl: str) -> None:
    decision = asked(InfractionsQuestion(["I-24", "II-09"], keys), CASE_DAY, choosing("anexos", option))

    assert [(p.infraction, p.brl) for p in decision.value.kept] == [(code, Decimal(brl))]


def test_without_a_value_of_the_unit_no_fine_is_determined() -> None:
    only_the_day = '[[supplied]]\ncode = "publicacao"\nvalue = 2009-12-28\nsource = "fixture"\n'

    decision = asked(InfractionsQuestion(["I-04"], TAXI), CASE_DAY, book(only_the_day))

    assert decision.outcome is Outcome.UNDETERMINED
    assert [missing.code for missing in decision.missing] == ["valor_ufir"]


def test_item_19_is_off_until_the_town_confirms_it() -> None:
    question = InfractionsQuestion(["I-19"], TAXI)

    assert asked(question, CASE_DAY).outcome is Outcome.DENIED
    assert asked(question, CASE_DAY, choosing("item_19", "nao_conter")).value.brl == Decimal("53.21")


def test_the_taximeter_is_not_overdue_before_the_town_gives_a_term() -> None:
    question = InfractionsQuestion(["II-06"], TAXI)
    given = also_said("meses_afericao", "12")

    assert [missing.code for missing in asked(question, CASE_DAY).missing] == ["meses_afericao"]
    assert asked(question, CASE_DAY, given).value.brl == Decimal("21.28")


# --- T13: a vehicle of six years -------------------------------------------------------------------------------------

GOOD, WRITTEN = PaperFact("avaliacao", "vehicle", date(2010, 5, 1)), PaperFact("request", "vehicle", date(2010, 5, 1))


@pytest.mark.parametrize(
    ("at", "on", "papers", "outcome"),
    [
        ("entry", date(2010, 3, 10), (), Outcome.ALLOWED),
        ("renewal", date(2010, 5, 15), (), Outcome.ALLOWED),
        ("renewal", date(2010, 5, 16), (GOOD, WRITTEN), Outcome.DENIED),
        ("stay", date(2010, 5, 15), (), Outcome.ALLOWED),
        ("stay", date(2010, 5, 16), (), Outcome.UNPROVEN),
        ("stay", date(2010, 5, 16), (GOOD,), Outcome.ALLOWED),
        ("stay", date(2010, 11, 15), (GOOD,), Outcome.ALLOWED),
        ("stay", date(2010, 11, 16), (GOOD, WRITTEN), Outcome.DENIED),
    ],
)
def test_a_vehicle_serves_six_years_and_six_months_more_if_well_kept(
    at: str, on: date, papers: tuple[PaperFact, ...], outcome: Outcome
) -> None:
    decision = asked(
        VehicleAgeQuestion("taxi", at, papers),
        on,
        vehicle__first_registration=date(2004, 5, 15),
        permit__granted_on=date(2010, 3, 10),
    )

    assert decision.outcome is outcome
    assert decision.value.limit_day == date(2010, 5, 15)
    assert {"seis_anos": "aniversario", "fabricacao": "registro"}.items() <= readings(decision).items()


def test_beyond_the_extension_it_is_an_infraction() -> None:
    known = {"vehicle__first_registration": date(2004, 5, 15), "permit__granted_on": date(2010, 3, 10)}

    decision = asked(VehicleAgeQuestion("taxi", "stay", (GOOD, WRITTEN)), date(2010, 11, 16), **known)

    assert (decision.value.last_day, decision.value.infraction) == (date(2010, 11, 15), "II-21")
    assert asked(InfractionsQuestion(["II-21"], TAXI), date(2010, 11, 16)).value.brl == Decimal("42.56")


def test_read_as_two_the_extensions_add_up() -> None:
    known = {"vehicle__first_registration": date(2004, 5, 15), "permit__granted_on": date(2010, 3, 10)}

    decision = asked(
        VehicleAgeQuestion("taxi", "stay", (GOOD, WRITTEN)), date(2010, 11, 16), choosing("prorrogar", "duas"), **known
    )

    assert (decision.outcome, decision.value.last_day) == (Outcome.ALLOWED, date(2011, 5, 15))


@pytest.mark.parametrize(
    ("on", "granted_on", "registered", "outcome"),
    [
        (date(2010, 6, 28), date(2005, 1, 1), date(2001, 1, 1), Outcome.ALLOWED),
        (date(2010, 6, 29), date(2005, 1, 1), date(2001, 1, 1), Outcome.DENIED),
        (date(2010, 6, 28), date(2010, 1, 4), date(2001, 1, 1), Outcome.DENIED),
    ],
)
def test_holders_of_before_had_six_months_to_change_an_old_vehicle(
    on: date, granted_on: date, registered: date, outcome: Outcome
) -> None:
    known = {"vehicle__first_registration": registered, "permit__granted_on": granted_on}

    assert asked(VehicleAgeQuestion("taxi", "stay"), on, **known).outcome is outcome


# --- T14: transfers --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("on", "outcome"), [(date(2014, 12, 20), Outcome.DENIED), (date(2014, 12, 29), Outcome.ALLOWED)]
)
def test_a_third_party_may_receive_a_permit_from_the_fifth_year(on: date, outcome: Outcome) -> None:
    decision = asked(TransferQuestion("taxi", "sale", requested_on=on), on)

    assert decision.outcome is outcome
    assert "art. 3, § 3" in articles(decision)
    assert outcome is Outcome.DENIED or (decision.value.free and decision.value.qualifies)


@pytest.mark.parametrize(
    ("waived", "kin", "outcome"),
    [(True, False, Outcome.ALLOWED), (False, False, Outcome.DENIED), (True, True, Outcome.DENIED)],
)
def test_heirs_who_do_not_drive_name_a_successor(waived: bool, kin: bool, outcome: Outcome) -> None:
    facts = {"heirs__named": True, "heirs__waived": waived, "local__parente_taxista": kin}

    decision = asked(TransferQuestion("taxi", "death"), date(2011, 3, 1), **facts)

    assert decision.outcome is outcome
    assert {"art. 8, II", "art. 3, § 1"} <= articles(decision)
    assert readings(decision) == {"herdeiro": "uma_por_familia"}


# --- T15: a substitute -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("days", "outcome"), [(10, Outcome.DENIED), (15, Outcome.ALLOWED), (20, Outcome.ALLOWED)])
@pytest.mark.parametrize("prover", ["inss", "junta"])
def test_a_substitute_needs_a_certificate_of_fifteen_days(days: int, outcome: Outcome, prover: str) -> None:
    question = SubstituteQuestion(
        "taxi", date(2010, 6, 1), days=days, requested=True, proved_by=[prover], paper="atestado"
    )
    facts = {
        "substitute__requested": True,
        "substitute__meets_driver_rules": True,
        "vehicle__same_as_holder": True,
        "local__prova_incapacidade": prover,
    }

    decision = asked(question, date(2010, 6, 1), **facts)

    assert decision.outcome is outcome
    assert {"art. 9, I", "art. 9, III", "art. 6, IV"} <= articles(decision)
    assert days != 20 or decision.value.until == date(2010, 6, 20)
