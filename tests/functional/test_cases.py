"""The worked cases, asked as a front end asks them: over HTTP, without a token, on the address of the town."""

from pathlib import Path
from typing import Any

import pytest

from api.documents import trusted
from services.database import Database
from tests.support.web import Edge, edge

PACKS = Path(__file__).parents[2] / "tenants" / "municipalities"
SAID = {
    "cotriguacu": [("valor_ufm", "32.50")],
    "barra-do-garcas": [("publicacao", "2009-12-28"), ("valor_ufir", "1.0641")],
}
DOCUMENTS = trusted()


@pytest.fixture
async def web(own_database: Database, tmp_path: Path) -> Any:
    """Both founding towns, onboarded from their files, with the cases' fixtures supplied by the operator."""
    async with edge(own_database, tmp_path) as made:
        for slug, values in SAID.items():
            text = (PACKS / f"{slug}.toml").read_text(encoding="utf-8")
            await act(made, "operator/onboard", None, text=text, fictitious=True)
            for code, value in values:
                await act(made, "operator/supplyParameter", slug, code=code, value=value, source="fixture", sample=True)
        yield made


async def act(web: Edge, document: str, town: str | None, **given: Any) -> None:
    token = web.token("root", town=town, operator=True)
    (answer,) = (await web.ask(DOCUMENTS[document], variables={"input": given}, token=token)).values()
    assert "message" not in answer, answer


async def answer_to(web: Edge, name: str, town: str, suppose: dict[str, Any] | None = None, **asked: Any) -> Any:
    facts = [{"code": code, "value": str(value)} for code, value in (suppose or {}).items()]
    variables = {**asked, **({"suppose": facts} if facts else {})}
    data = await web.ask(DOCUMENTS[f"public/{name}"], variables=variables, path=f"/t/{town}/graphql")
    return data[name]


def articles(decision: Any) -> set[str]:
    return {cited["device"] for cited in decision["citations"]}


def readings(decision: Any) -> dict[str, str]:
    return {r["code"]: r["option"] for one in (decision, *decision["parts"]) for r in one["readings"]}


CO, BG = "cotriguacu", "barra-do-garcas"
CAR = {"vehicle.manufacture_year": 2005, "vehicle.model_year": 2006}


async def test_t05_the_strictest_basis_of_age_counts_and_is_named(web: Edge) -> None:
    denied = await answer_to(web, "vehicleAge", CO, CAR, category="taxi", on="2011-01-14")
    await act(web, "operator/chooseReading", CO, code="idade", option="model", why="fixture")
    allowed = await answer_to(web, "vehicleAge", CO, CAR, category="taxi", on="2011-01-14")

    assert (denied["outcome"], allowed["outcome"]) == ("DENIED", "ALLOWED")
    assert readings(denied)["idade"] == "strictest"
    assert "art. 10, VI" in articles(denied)
    assert "urn:lex:br;mato.grosso;cotriguacu:municipal:lei:2009-12-15;624!art10_inc6" in {
        cited["urn"] for cited in denied["citations"]
    }


@pytest.mark.parametrize(
    ("starts", "brl"),
    [("21:59", "20.00"), ("22:00", "26.00"), ("05:59", "26.00"), ("06:00", "20.00")],
)
async def test_t06_a_ride_costs_more_from_22_to_6(web: Edge, starts: str, brl: str) -> None:
    fare = await answer_to(web, "quoteFare", CO, category="taxi", starts=f"2011-03-10T{starts}", fare="20.00")

    assert fare["outcome"] == "VALUE"
    assert fare["number"] == brl
    assert "art. 25" in articles(fare)


@pytest.mark.parametrize(
    ("population", "active", "outcome", "limit"),
    [(52_001, 40, "ALLOWED", 41), (65_000, 40, "ALLOWED", 47), (45_000, 40, "DENIED", 35), (65_000, 47, "DENIED", 47)],
)
async def test_t09_one_taxi_for_so_many_inhabitants(
    web: Edge, population: int, active: int, outcome: str, limit: int
) -> None:
    quota = await answer_to(
        web, "quoteQuota", BG, {"town.populacao": population}, category="taxi", active=active, on="2010-10-15"
    )

    assert (quota["outcome"], quota["value"]["limit"]) == (outcome, limit)
    assert readings(quota)["arredondar"] == "ceil"
    assert "art. 33" in articles(quota)


async def test_t10_no_more_than_half_of_the_taxis_have_two_doors(web: Edge) -> None:
    two, four = ([{"code": "vehicle.doors", "value": str(n)}] for n in (2, 4))
    fleet = [{"count": 23, "facts": two}, {"count": 24, "facts": four}]
    asked: dict[str, Any] = {"category": "taxi", "fleet": fleet, "on": "2010-10-15", "entering": two}
    worse = await answer_to(web, "quoteShare", BG, **asked, leaving=four)
    same = await answer_to(web, "quoteShare", BG, **asked, leaving=two)

    assert (worse["outcome"], same["outcome"]) == ("DENIED", "ALLOWED")
    assert "art. 18, § 1" in articles(worse)


@pytest.mark.parametrize("category", ["taxi", "escolar"])
async def test_t12_over_capacity_draws_the_lower_of_two_fines(web: Edge, category: str) -> None:
    fine = await answer_to(web, "quoteInfraction", BG, codes=["I-24", "II-09"], seenOn="2010-10-15", category=category)

    assert fine["outcome"] == "VALUE"
    assert (fine["money"]["brl"], fine["money"]["units"], fine["money"]["unit"]) == ("42.56", "40", "UFIR")
    assert [kept["infraction"] for kept in fine["value"]["kept"]] == ["II-09"]


async def test_t12_read_otherwise_it_is_the_higher(web: Edge) -> None:
    await act(web, "operator/chooseReading", BG, code="anexos", option="highest", why="fixture")
    fine = await answer_to(web, "quoteInfraction", BG, codes=["I-24", "II-09"], seenOn="2010-10-15", category="taxi")

    assert fine["money"]["brl"] == "53.21"


@pytest.mark.parametrize(
    ("at", "on", "outcome"),
    [
        ("entry", "2010-03-10", "ALLOWED"),
        ("renewal", "2010-05-15", "ALLOWED"),
        ("renewal", "2010-05-16", "DENIED"),
        ("stay", "2010-11-15", "ALLOWED"),
        ("stay", "2010-11-16", "DENIED"),
    ],
)
async def test_t13_six_years_and_six_months_more_if_well_kept(web: Edge, at: str, on: str, outcome: str) -> None:
    papers = [{"code": code, "of": "vehicle", "issuedOn": "2010-05-01"} for code in ("avaliacao", "request")]
    facts = {"vehicle.first_registration": "2004-05-15", "permit.granted_on": "2010-03-10"}
    age = await answer_to(web, "vehicleAge", BG, facts, category="taxi", at=at, on=on, papers=papers)

    assert age["outcome"] == outcome
    assert readings(age)["fabricacao"] == "registro"


async def test_t15_a_substitute_while_the_holder_is_ill(web: Edge) -> None:
    able = {
        "substitute.requested": "sim",
        "substitute.meets_driver_rules": "sim",
        "vehicle.same_as_holder": "sim",
        "local.prova_incapacidade": "inss",
    }
    asked: dict[str, Any] = {
        "category": "taxi",
        "since": "2010-06-01",
        "requested": True,
        "provedBy": ["inss"],
        "paper": "atestado",
    }
    short = await answer_to(web, "substitute", BG, able, **asked, days=10)
    long = await answer_to(web, "substitute", BG, able, **asked, days=20)

    assert (short["outcome"], long["outcome"]) == ("DENIED", "ALLOWED")
    assert long["day"] == "2010-06-20"
    assert "art. 9, I" in articles(short)


async def test_without_the_units_value_a_fine_is_undetermined_and_says_what_is_missing(
    own_database: Database, tmp_path: Path
) -> None:
    async with edge(own_database, tmp_path) as web:
        text = (PACKS / f"{BG}.toml").read_text(encoding="utf-8")
        await act(web, "operator/onboard", None, text=text, fictitious=True)
        await act(
            web, "operator/supplyParameter", BG, code="publicacao", value="2009-12-28", source="fixture", sample=True
        )
        before = await answer_to(web, "quoteInfraction", BG, codes=["II-08"], seenOn="2010-10-15", category="taxi")
        await act(web, "operator/supplyParameter", BG, code="valor_ufir", value="1.0641", source="fixture", sample=True)
        after = await answer_to(web, "quoteInfraction", BG, codes=["II-08"], seenOn="2010-10-15", category="taxi")

    assert before["outcome"] == "UNDETERMINED"
    assert "UFIR" in before["message"]
    assert [missing["code"] for missing in before["missing"]] == ["valor_ufir"]
    assert (after["outcome"], after["money"]["units"], after["money"]["brl"]) == ("VALUE", "30", "31.92")
