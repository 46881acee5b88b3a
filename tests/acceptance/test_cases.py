"""The worked cases of both laws, answered over HTTP on the packs that ship."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, Any

import pytest

from tests.acceptance.stage import BARRA, COTRIGUACU, PLANS, articles, readings, staged, supposing

if TYPE_CHECKING:
    from tests.acceptance.stage import Stage
    from tests.support.servers import Servers

CHOSEN = ((COTRIGUACU, "idade", "model"), (BARRA, "arredondar", "floor"), (BARRA, "anexos", "highest"))
GOOD, WRITTEN = ({"code": code, "of": "vehicle", "issuedOn": "2010-05-01"} for code in ("avaliacao", "request"))
TWO, FOUR = (supposing(vehicle__doors=doors) for doors in (2, 4))


@pytest.fixture(scope="module")
async def read_otherwise(servers: Servers, laws: str, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Stage]:
    """Both towns after each has chosen another reading of the text than the pack's own."""
    async with staged(servers, tmp_path_factory.mktemp("otherwise"), source=laws) as stage:
        for town, code, option in CHOSEN:
            given = {"code": code, "option": option, "why": "Parecer da Procuradoria"}
            await stage.done("operator/chooseReading", given, town=town)
        yield stage


async def how_many(stage: Stage, population: int, active: int) -> Any:
    given: dict[str, Any] = {
        "category": "taxi",
        "active": active,
        "on": "2010-10-15",
        "suppose": supposing(town__populacao=population),
    }
    return await stage.run("public/quoteQuota", town=BARRA, **given)


async def age(stage: Stage, town: str, at: str, on: str, papers: tuple[Any, ...] = (), **facts: object) -> Any:
    given: dict[str, Any] = {
        "category": "taxi",
        "at": at,
        "on": on,
        "papers": list(papers),
        "suppose": supposing(**facts),
    }
    return await stage.run("public/vehicleAge", town=town, **given)


async def drawn(stage: Stage, town: str, codes: list[str], seen_on: str, category: str = "taxi", **more: Any) -> Any:
    given: dict[str, Any] = {"codes": codes, "seenOn": seen_on, "category": category, **more}
    return await stage.run("public/quoteInfraction", town=town, **given)


def kept(decision: Any) -> list[tuple[str, str]]:
    """What stands of a fact: the infraction and its sum in reais."""
    return [(each["infraction"], each["effects"][0]["money"]["brl"]) for each in decision["value"]["kept"]]


# --- T05: the year made and the year of the model ---------------------------------------------------------------------

MADE_2005_MODEL_2006: dict[str, Any] = {"vehicle__manufacture_year": 2005, "vehicle__model_year": 2006}


@pytest.mark.parametrize("at", ["entry", "licence", "renewal"])
async def test_t05_a_car_is_too_old_by_the_stricter_of_its_years(asked: Stage, at: str) -> None:
    decision = await age(asked, COTRIGUACU, at, "2011-01-14", **MADE_2005_MODEL_2006)

    assert decision["outcome"] == "DENIED"
    assert (decision["value"]["basis"], decision["value"]["age"]) == ("manufacture_year", 6)
    assert readings(decision)["idade"] == "strictest"
    assert {"art. 10, VI", "art. 10, § ún."} <= articles(decision)
    assert at == "renewal" or "art. 11, I, h" in articles(decision)


async def test_t05_read_by_its_model_the_car_is_young_enough(read_otherwise: Stage) -> None:
    decision = await age(read_otherwise, COTRIGUACU, "entry", "2011-01-14", **MADE_2005_MODEL_2006)

    assert decision["outcome"] == "ALLOWED"
    assert (decision["value"]["basis"], decision["value"]["age"]) == ("model_year", 5)
    (used,) = [used for used in decision["readings"] if used["code"] == "idade"]
    assert (used["option"], used["chosen"]) == ("model", True)


# --- T06: the night fare ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("starts", "reais"), [("21:59", "20.00"), ("22:00", "26.00"), ("05:59", "26.00"), ("06:00", "20.00")]
)
async def test_t06_the_hour_at_which_a_ride_starts_decides_its_fare(asked: Stage, starts: str, reais: str) -> None:
    given: dict[str, Any] = {"category": "taxi", "starts": f"2011-05-05T{starts}", "fare": "20.00"}
    decision = await asked.run("public/quoteFare", town=COTRIGUACU, **given)

    assert (decision["outcome"], decision["number"], decision["value"]["total"]) == ("VALUE", reais, reais)
    assert readings(decision)["corrida"] == "start_time"
    assert {"art. 25", "art. 25, § ún."} <= articles(decision)


# --- T09: how many taxis ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("population", "active", "outcome", "limit", "room"),
    [
        (52_001, 40, "ALLOWED", 41, 1),
        (65_000, 40, "ALLOWED", 47, 7),
        (65_000, 47, "DENIED", 47, 0),
        (45_000, 40, "DENIED", 35, 0),
    ],
)
async def test_t09_one_taxi_for_1300_people_and_never_more_than_47(
    asked: Stage, population: int, active: int, outcome: str, limit: int, room: int
) -> None:
    decision = await how_many(asked, population, active)

    assert (decision["outcome"], decision["value"]["limit"], decision["value"]["room"]) == (outcome, limit, room)
    assert readings(decision)["arredondar"] == "ceil"
    assert {"art. 33", "art. 33, § 1"} <= articles(decision)


async def test_t09_when_people_leave_nobody_loses_a_permit(asked: Stage) -> None:
    decision = await how_many(asked, 45_000, 40)

    assert (decision["value"]["excess"], decision["value"]["kept"]) == (5, True)
    assert "direito adquirido" in decision["message"]


async def test_t09_read_down_the_fraction_gives_no_taxi(read_otherwise: Stage) -> None:
    decision = await how_many(read_otherwise, 52_001, 40)

    assert (decision["outcome"], decision["value"]["limit"], decision["value"]["room"]) == ("DENIED", 40, 0)
    assert readings(decision)["arredondar"] == "floor"


# --- T10: two doors ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("leaving", "outcome", "counting", "percent"), [(FOUR, "DENIED", 24, "51,06 %"), (TWO, "ALLOWED", 23, "48,94 %")]
)
async def test_t10_no_more_than_half_of_the_taxis_have_two_doors(
    asked: Stage, leaving: Any, outcome: str, counting: int, percent: str
) -> None:
    fleet = [{"count": 23, "facts": TWO}, {"count": 24, "facts": FOUR}]
    given: dict[str, Any] = {"category": "taxi", "among": "fleet", "fleet": fleet, "entering": TWO, "leaving": leaving}
    decision = await asked.run("public/quoteShare", town=BARRA, on="2010-10-15", **given)

    assert (decision["outcome"], decision["value"]["counting"], decision["value"]["whole"]) == (outcome, counting, 47)
    assert f"{counting}/47 = {percent}" in decision["message"]
    assert articles(decision) == {"art. 18, § 1"}


# --- T12: one fact in two items of the annex --------------------------------------------------------------------------


@pytest.mark.parametrize("category", ["taxi", "escolar"])
async def test_t12_over_capacity_is_one_fine_and_the_lower(asked: Stage, category: str) -> None:
    decision = await drawn(asked, BARRA, ["I-24", "II-09"], "2010-10-15", category)

    assert kept(decision) == [("II-09", "42.56")]
    assert (decision["money"]["units"], decision["money"]["unit"], decision["money"]["rate"]) == (
        "40",
        "UFIR",
        "1.0641",
    )
    assert [struck["infraction"] for struck in decision["value"]["struck"]] == ["I-24"]
    assert "anexo, grupo II, item 9" in articles(decision)
    assert category == "escolar" or readings(decision)["anexos"] == "most_specific"


@pytest.mark.parametrize(
    ("category", "stands", "cited"),
    [
        ("taxi", ("I-24", "53.21"), "anexo, grupo I, item 24"),
        ("escolar", ("II-09", "42.56"), "anexo, grupo II, item 9"),
    ],
)
async def test_t12_read_the_other_way_the_higher_fine_stands(
    read_otherwise: Stage, category: str, stands: tuple[str, str], cited: str
) -> None:
    decision = await drawn(read_otherwise, BARRA, ["I-24", "II-09"], "2010-10-15", category)

    assert kept(decision) == [stands]
    assert cited in articles(decision)
    assert category == "escolar" or readings(decision)["anexos"] == "highest"


# --- T13: six years, and six months more if well kept -----------------------------------------------------------------

REGISTERED_2004: dict[str, Any] = {"vehicle__first_registration": "2004-05-15", "permit__granted_on": "2010-03-10"}


@pytest.mark.parametrize(
    ("at", "on", "papers", "outcome", "last_day"),
    [
        ("entry", "2010-03-10", (), "ALLOWED", "2010-05-15"),
        ("renewal", "2010-05-15", (), "ALLOWED", "2010-05-15"),
        ("renewal", "2010-05-16", (GOOD, WRITTEN), "DENIED", "2010-05-15"),
        ("stay", "2010-05-15", (), "ALLOWED", "2010-05-15"),
        ("stay", "2010-05-16", (), "UNPROVEN", "2010-05-15"),
        ("stay", "2010-05-16", (GOOD,), "ALLOWED", "2010-11-15"),
        ("stay", "2010-11-15", (GOOD,), "ALLOWED", "2010-11-15"),
        ("stay", "2010-11-16", (GOOD,), "DENIED", "2010-11-15"),
        ("stay", "2010-11-16", (GOOD, WRITTEN), "DENIED", "2010-11-15"),
    ],
)
async def test_t13_a_taxi_serves_six_years_and_six_months_more_if_well_kept(
    asked: Stage, at: str, on: str, papers: tuple[Any, ...], outcome: str, last_day: str
) -> None:
    decision = await age(asked, BARRA, at, on, papers, **REGISTERED_2004)

    assert (decision["outcome"], decision["day"]) == (outcome, last_day)
    assert decision["value"]["limit_day"] == "2010-05-15"
    assert {"seis_anos": "aniversario", "fabricacao": "registro"}.items() <= readings(decision).items()
    cited = {"art. 20", "art. 20, § 1", "art. 20, § 3"} if at == "stay" else {"art. 4, VII", "art. 20, § 2"}
    assert cited <= articles(decision)


async def test_t13_what_is_missing_for_the_extension_is_asked_for(asked: Stage) -> None:
    decision = await age(asked, BARRA, "stay", "2010-05-16", **REGISTERED_2004)

    assert [missing["code"] for missing in decision["missing"]] == ["paper.avaliacao"]
    assert readings(decision)["prorrogar"] == "uma"


async def test_t13_beyond_it_the_car_is_an_infraction(asked: Stage) -> None:
    decision = await age(asked, BARRA, "stay", "2010-11-16", (GOOD, WRITTEN), **REGISTERED_2004)
    fine = await drawn(asked, BARRA, [decision["value"]["infraction"]], "2010-11-16")

    assert kept(fine) == [("II-21", "42.56")]
    assert (fine["money"]["units"], fine["money"]["unit"]) == ("40", "UFIR")
    assert "anexo, grupo II, item 21" in articles(fine)


# --- T14: transfers ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("on", "outcome"), [("2014-12-20", "DENIED"), ("2014-12-29", "ALLOWED")])
async def test_t14_a_third_party_may_buy_from_the_fifth_year(asked: Stage, on: str, outcome: str) -> None:
    decision = await asked.run("public/transfer", town=BARRA, category="taxi", cause="sale", requestedOn=on)

    assert decision["outcome"] == outcome
    assert articles(decision) == {"art. 3, § 3"}
    if outcome == "ALLOWED":
        assert (decision["value"]["free"], decision["value"]["qualifies"]) == (True, True)
        assert readings(decision)["terceiros"] == "sim"
    else:
        assert "28/12/2014" in decision["message"]


@pytest.mark.parametrize(
    ("waived", "kin", "outcome"), [(True, False, "ALLOWED"), (False, False, "DENIED"), (True, True, "DENIED")]
)
async def test_t14_heirs_who_will_not_drive_name_a_successor(
    asked: Stage, waived: bool, kin: bool, outcome: str
) -> None:
    facts = supposing(heirs__named=True, heirs__waived=waived, local__parente_taxista=kin)
    given: dict[str, Any] = {"category": "taxi", "cause": "death", "on": "2011-03-01", "suppose": facts}
    decision = await asked.run("public/transfer", town=BARRA, **given)

    assert decision["outcome"] == outcome
    assert articles(decision) == {"art. 8, II", "art. 3, § 1"}
    assert readings(decision) == {"herdeiro": "uma_por_familia"}


# --- T15: a substitute ------------------------------------------------------------------------------------------------


async def substitute(stage: Stage, days: int, **facts: object) -> Any:
    proven = {"substitute__requested": True, "substitute__meets_driver_rules": True, "vehicle__same_as_holder": True}
    known = supposing(**{**proven, "local__prova_incapacidade": "inss", **facts})
    given: dict[str, Any] = {
        "category": "taxi",
        "since": "2010-06-01",
        "days": days,
        "paper": "atestado",
        "provedBy": ["inss"],
    }
    return await stage.run("public/substitute", town=BARRA, requested=True, suppose=known, **given)


@pytest.mark.parametrize(("days", "outcome"), [(10, "DENIED"), (20, "ALLOWED")])
async def test_t15_a_substitute_drives_while_a_certificate_of_fifteen_days_lasts(
    asked: Stage, days: int, outcome: str
) -> None:
    decision = await substitute(asked, days)

    assert decision["outcome"] == outcome
    assert {"art. 9, I", "art. 9, III", "art. 6, IV"} <= articles(decision)
    assert decision["day"] == ("2010-06-20" if outcome == "ALLOWED" else None)


@pytest.mark.parametrize("unmet", ["substitute__meets_driver_rules", "vehicle__same_as_holder"])
async def test_t15_the_substitute_meets_article_4_and_drives_the_same_car(asked: Stage, unmet: str) -> None:
    assert (await substitute(asked, 20, **{unmet: False}))["outcome"] == "DENIED"


# --- What an infraction draws -----------------------------------------------------------------------------------------


async def test_a_missed_inspection_costs_30_ufir(asked: Stage) -> None:
    decision = await drawn(asked, BARRA, ["II-08"], "2010-10-15")

    assert kept(decision) == [("II-08", "31.92")]
    money = decision["money"]
    assert (money["units"], money["unit"], money["rate"], money["rateOn"]) == ("30", "UFIR", "1.0641", "2010-10-15")
    assert "anexo, grupo II, item 8" in articles(decision)


async def test_without_the_unit_s_value_the_answer_says_what_the_town_must_say(
    servers: Servers, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Onboarded for real, and nothing supplied but the day of the law."""
    async with staged(servers, tmp_path_factory.mktemp("bare")) as stage:
        await stage.done("operator/onboard", {"text": PLANS[BARRA].pack}, town="", role="operator")
        supply = {"code": "publicacao", "value": "2009-12-28", "source": "Diário Oficial"}
        await stage.done("operator/supplyParameter", supply, town=BARRA)
        decision = await drawn(stage, BARRA, ["II-08"], "2010-10-15")

        refused = await stage.act(
            "operator/supplyParameter", {**supply, "code": "valor_ufir", "value": "1.0641", "sample": True}, town=BARRA
        )

    assert (decision["outcome"], decision["money"]) == ("UNDETERMINED", None)
    assert [missing["code"] for missing in decision["missing"]] == ["valor_ufir"]
    assert "falta o valor da UFIR" in decision["message"]
    assert refused["code"] == "INVALID", "a sample is no law outside a fictitious register"


async def test_each_infraction_of_cotriguacu_s_article_40_costs_20_ufm(asked: Stage) -> None:
    page = await asked.run("public/infractions", town=COTRIGUACU, first=100)
    codes = [edge["node"]["code"] for edge in page["infractions"]["edges"]]
    of_40 = [code for code in codes if code.startswith("CO-40-")]
    assert len(of_40) == 10

    keys = [{"key": "holder", "code": "pessoa_fisica"}]
    for code in of_40:
        past = [{"on": "2011-01-05", "penalty": "warning", "finalOn": "2011-02-01", "keys": [*keys, of(code)]}]
        decision = await drawn(asked, COTRIGUACU, [code], "2011-06-02", keys=keys, past=past)

        assert (decision["outcome"], kept(decision)) == ("VALUE", [(code, "650.00")]), code
        assert (decision["money"]["units"], decision["money"]["unit"]) == ("20", "UFM"), code
        assert {f"art. 40, {code.removeprefix('CO-40-')}", "art. 40, § 2"} <= articles(decision), code


def of(code: str) -> dict[str, str]:
    return {"key": "infraction", "code": code}
