"""Drivers: enrolled with their card, suspended and struck off, and every expiring paper with a term of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.acceptance.applying import company_input, driver_input, person_input, registered
from tests.acceptance.living import Living
from tests.acceptance.stage import BARRA, COTRIGUACU, articles

if TYPE_CHECKING:
    from tests.acceptance.stage import Stage


@pytest.fixture
def barra(legislated: Stage) -> Living:
    town = Living(legislated, BARRA)
    town.on("2010-03-01")
    return town


@pytest.fixture
def cotriguacu(legislated: Stage) -> Living:
    town = Living(legislated, COTRIGUACU)
    town.on("2010-03-01")
    return town


async def driver(town: Living) -> str:
    person = await registered(town.stage, town.town, "Person", person_input())
    return str((await registered(town.stage, town.town, "Driver", driver_input(person["id"])))["id"])


async def company(town: Living) -> str:
    made = await registered(town.stage, town.town, "Company", company_input())
    return str((await registered(town.stage, town.town, "Holder", {"kind": "empresa", "companyId": made["id"]}))["id"])


def enrolling(driver: str, holder: str, role: str, **more: Any) -> dict[str, Any]:
    return {"driverId": driver, "holderId": holder, "category": "taxi", "role": role, **more}


async def answered(town: Living, **given: Any) -> Any:
    """What enrolling answers, be it a no."""
    return await town.stage.act("clerk/enrolDriver", given, town=town.town)


async def enrolled(town: Living, **given: Any) -> Any:
    return await town.stage.done("clerk/enrolDriver", given, town=town.town)


async def terms_of(town: Living, driver: str) -> list[tuple[str, str, str]]:
    file = await town.ask("clerk/driverFile", id=driver)
    return [(term["kind"], term["lastDay"], term["state"]) for term in file["deadlines"]]


# --- The register and the card ----------------------------------------------------------------------------------------


async def test_a_registered_driver_gets_a_card_with_the_number_of_the_register(barra: Living) -> None:
    holder, other = await barra.somebody(), await driver(barra)

    made = await enrolled(barra, **enrolling(other, holder.holder, "condutor"))

    assert (made["role"], made["since"], made["until"]) == ("condutor", "2010-03-01", None)
    file = await barra.ask("clerk/driverFile", id=other)
    assert [(paper["code"], paper["number"]) for paper in file["papers"]] == [("crlt_condutor", made["number"])]


async def test_a_school_driver_is_registered_at_the_school_too(barra: Living) -> None:
    holder, other = await barra.somebody(), await driver(barra)
    asked = {**enrolling(other, holder.holder, "condutor"), "category": "escolar"}

    unproven = await answered(barra, **asked)
    absent = await answered(barra, **asked, attributes=[{"code": "local.cadastrado_na_escola", "value": "não"}])
    made = await enrolled(barra, **asked, attributes=[{"code": "local.cadastrado_na_escola", "value": "sim"}])

    assert unproven["code"] == "REFUSED"
    assert "local.cadastrado_na_escola" in {missing["code"] for missing in unproven["decision"]["missing"]}
    assert (absent["code"], "art. 16" in articles(absent["decision"])) == ("REFUSED", True)
    assert made["category"] == "escolar"


async def test_a_company_s_drivers_are_registered_and_make_its_case(cotriguacu: Living) -> None:
    firm, hired = await company(cotriguacu), await driver(cotriguacu)
    asked = {"category": "taxi", "holderId": firm, "at": "renewal"}
    before = await cotriguacu.ask("clerk/eligibility", **asked)

    made = await enrolled(cotriguacu, **enrolling(hired, firm, "empregado", employed=True))

    assert (made["employed"], made["holderName"]) == (True, (await cotriguacu.ask("clerk/holder", id=firm))["name"])
    after = await cotriguacu.ask("clerk/eligibility", **asked)
    assert outcome_of(before, "art. 13") == "DENIED"
    assert outcome_of(after, "art. 13") == "ALLOWED"


def outcome_of(decision: Any, article: str) -> str:
    """Of the demand of an article."""
    return next(str(part["outcome"]) for part in decision["parts"] if article in articles(part))


async def test_a_role_that_the_law_does_not_have_is_refused_in_these_words(cotriguacu: Living) -> None:
    firm, hired = await company(cotriguacu), await driver(cotriguacu)

    no = await answered(cotriguacu, **enrolling(hired, firm, "titular"))
    unknown = await answered(cotriguacu, **enrolling(hired, firm, "cobrador"))

    assert (no["code"], no["message"].startswith("A lei deste município não prevê")) == ("REFUSED", True)
    assert (unknown["code"], unknown["field"]) == ("INVALID", "role")


async def test_a_driver_is_enrolled_once_with_a_holder_and_leaves_on_a_day(cotriguacu: Living) -> None:
    firm, hired = await company(cotriguacu), await driver(cotriguacu)
    made = await enrolled(cotriguacu, **enrolling(hired, firm, "empregado"))

    again = await answered(cotriguacu, **enrolling(hired, firm, "empregado"))
    ended = await cotriguacu.done("clerk/endEnrolment", enrolmentId=made["id"], version=1, on="2010-03-01")
    twice = await cotriguacu.act("clerk/endEnrolment", enrolmentId=made["id"], on="2010-03-01")
    cotriguacu.on("2010-03-02")
    anew = await enrolled(cotriguacu, **enrolling(hired, firm, "empregado"))

    assert (again["code"], twice["code"]) == ("CONFLICT", "CONFLICT")
    assert ended["version"] == 2
    assert anew["number"] != made["number"]


# --- Suspended and struck off -----------------------------------------------------------------------------------------


async def test_a_suspended_driver_may_not_be_enrolled_until_it_is_over(barra: Living) -> None:
    holder, other = await barra.somebody(), await driver(barra)
    given = {"driverId": other, "why": "Processo 12/2010", "since": "2010-03-01", "until": "2010-03-10"}

    barred = await barra.done("secretary/suspendDriver", **given)
    again = await barra.act("secretary/suspendDriver", **given)
    no = await answered(barra, **enrolling(other, holder.holder, "condutor"))
    barra.on("2010-03-11")
    made = await enrolled(barra, **enrolling(other, holder.holder, "condutor"))

    assert barred["suspended"]
    assert [(bar["what"], bar["since"], bar["until"]) for bar in barred["bars"]] == [
        ("suspended", "2010-03-01", "2010-03-10")
    ]
    assert (again["code"], no["code"]) == ("CONFLICT", "REFUSED")
    assert made["since"] == "2010-03-11"
    assert not (await barra.ask("clerk/driverFile", id=other))["suspended"]


async def test_a_suspension_is_lifted_before_its_time(barra: Living) -> None:
    other = await driver(barra)
    await barra.done("secretary/suspendDriver", driverId=other, why="Processo 12/2010")
    barra.on("2010-03-05")

    lifted = await barra.done("secretary/liftSuspension", driverId=other)
    twice = await barra.act("secretary/liftSuspension", driverId=other)

    assert (lifted["suspended"], lifted["bars"][0]["until"], twice["code"]) == (False, "2010-03-04", "CONFLICT")


async def test_who_is_struck_off_loses_every_enrolment(barra: Living) -> None:
    holder, other = await barra.somebody(), await driver(barra)
    await enrolled(barra, **enrolling(other, holder.holder, "condutor"))
    barra.on("2010-03-05")

    struck = await barra.done("mayor/strikeDriverOff", driverId=other, why="Processo 13/2010")
    no = await answered(barra, **enrolling(other, holder.holder, "condutor"))

    assert [enrolment["until"] for enrolment in struck["enrolments"]] == ["2010-03-04"]
    assert (struck["suspended"], no["code"]) == (True, "REFUSED")


# --- Papers -----------------------------------------------------------------------------------------------------------


async def test_a_new_licence_to_drive_takes_the_place_of_the_one_before(barra: Living) -> None:
    other = await driver(barra)
    assert await terms_of(barra, other) == [("cnh", "2030-01-01", "open")]

    await barra.done("clerk/updateDriver", driverId=other, version=1, cnhUntil="2011-05-01")
    stale = await barra.act("clerk/updateDriver", driverId=other, version=1, cnhUntil="2012-05-01")

    assert await terms_of(barra, other) == [("cnh", "2011-05-01", "open"), ("cnh", "2030-01-01", "replaced")]
    assert (stale["code"], stale["expected"], stale["actual"]) == ("CONFLICT", 1, 2)


async def test_a_health_card_that_expires_is_told_and_named(barra: Living) -> None:
    """The law itself has its term: a later card replaces it, an older one filed late does not."""
    other = await driver(barra)
    card = {"subjectId": other, "code": "carteira_saude", "issuedOn": "2010-02-01"}

    await barra.done("clerk/filePaper", **card, validUntil="2010-08-01")
    await barra.done("clerk/filePaper", **card, validUntil="2010-10-01")
    await barra.done("clerk/filePaper", **card, validUntil="2010-06-01")

    health = [term for term in await terms_of(barra, other) if term[0] == "carteira_saude"]
    assert health == [("carteira_saude", "2010-08-01", "replaced"), ("carteira_saude", "2010-10-01", "open")]
    barra.on("2010-10-02")
    await barra.night()
    assert ("carteira_saude", "2010-10-01", "expired") in await terms_of(barra, other)


async def test_a_paper_without_a_term_of_the_law_runs_by_the_demand_for_it(barra: Living) -> None:
    other = await driver(barra)

    await barra.done(
        "clerk/filePaper", subjectId=other, code="crlt_condutor", issuedOn="2010-02-01", validUntil="2010-12-31"
    )

    assert ("crlt_condutor", "2010-12-31", "open") in await terms_of(barra, other)
    barra.on("2011-01-01")
    await barra.night()
    acts = await barra.ask("clerk/acts", subjectId=other)
    (named,) = [act for act in acts if act["verb"] == "infraction.drawn"]
    assert (named["body"]["changes"]["infraction"], named["legalDay"]) == ("II-05", "2011-01-01")


async def test_a_clearance_with_a_last_day_proves_the_taxes_paid_until_then(cotriguacu: Living) -> None:
    who = await cotriguacu.somebody(holder__taxes_paid="")
    asked = {"category": "taxi", "holderId": who.holder, "vehicleId": who.vehicle, "at": "renewal"}
    paper = {"subjectId": who.holder, "code": "certidao_municipal", "issuedOn": "2010-02-20"}
    unproven = await cotriguacu.ask("clerk/eligibility", **asked)

    await cotriguacu.done("clerk/filePaper", **paper, validUntil="2010-08-20")

    on_the_day = await cotriguacu.ask("clerk/eligibility", **asked, on="2010-08-20")
    after = await cotriguacu.ask("clerk/eligibility", **asked, on="2010-08-21")
    assert [of_taxes(each) for each in (unproven, on_the_day, after)] == ["UNPROVEN", "ALLOWED", "UNPROVEN"]


def of_taxes(decision: Any) -> str:
    return next(str(part["outcome"]) for part in decision["parts"] if "ributo" in part["message"])


async def test_a_driver_reads_their_own_file_and_nobody_else_s(seen: Stage) -> None:
    page = await seen.run("clerk/drivers", town=BARRA, first=100)
    drivers = [edge["node"] for edge in page["edges"]]
    mine: list[Any] = []
    others: list[Any] = []
    for each in drivers:
        body = await seen.body("driver/driverFile", town=BARRA, id=each["id"])
        (mine if body.get("data") else others).append(body)

    assert len(mine) == 1
    assert {error["extensions"]["code"] for body in others for error in body["errors"]} == {"FORBIDDEN"}
