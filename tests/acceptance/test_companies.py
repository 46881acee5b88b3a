"""A legal person's permit from grant to transfer, under each law that admits one: its drivers drive, it holds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.acceptance.applying import (
    company_input,
    driver_input,
    facts_of,
    person_input,
    registered,
    stand_of_its_own,
)
from tests.acceptance.living import GRANTS, Living, Person
from tests.acceptance.stage import BARRA, COTRIGUACU, PLANS, articles

if TYPE_CHECKING:
    from tests.acceptance.stage import Stage

TAXI, SCHOOL = "taxi", "escolar"
TOLD = {"holder.in_town": "sim", "holder.taxes_paid": "sim"}
AT_SCHOOL = [{"code": "local.cadastrado_na_escola", "value": "sim"}]


@pytest.fixture
def cotriguacu(legislated: Stage) -> Living:
    town = Living(legislated, COTRIGUACU)
    town.on("2010-03-01")
    return town


@pytest.fixture
def barra(legislated: Stage) -> Living:
    town = Living(legislated, BARRA)
    town.on("2010-03-01")
    return town


async def firm(town: Living, kind: str, category: str, *, told: dict[str, str] = TOLD, without: str = "") -> Person:
    """A company that can prove today all that the law asks, but one paper, with a car and whom it may hire."""
    company = await registered(town.stage, town.town, "Company", company_input() | {"attributes": facts_of(told)})
    holder = await registered(town.stage, town.town, "Holder", {"kind": kind, "companyId": company["id"]})
    car = await town.car(holder["id"])
    hired = await driver(town, category)
    await town.papers({"holder": holder["id"], "vehicle": car}, category=category, without=without)
    return Person(company["id"], holder["id"], hired, car)


async def driver(town: Living, category: str, *, without: str = "") -> str:
    """Somebody with every paper that the law asks of a driver, but one."""
    person = await registered(town.stage, town.town, "Person", person_input(facts_of(PLANS[town.town].person)))
    made = str((await registered(town.stage, town.town, "Driver", driver_input(person["id"])))["id"])
    await town.papers({"driver": made}, category=category, without=without)
    return made


async def enrolled(town: Living, who: str, holder: str, category: str, role: str, **more: Any) -> Any:
    given = {"driverId": who, "holderId": holder, "category": category, "role": role, **more}
    return await town.stage.done("clerk/enrolDriver", given, town=town.town)


async def granted(town: Living, who: Person, category: str) -> Any:
    given: dict[str, Any] = {"category": category, "holderId": who.holder, "vehicleId": who.vehicle, "judged": True}
    own = await stand_of_its_own(town.stage, town.town)
    return await town.done("secretary/grantPermit", role=GRANTS[town.town], **given, **own)


# --- A company's taxi, under the law that lets a company hold one -----------------------------------------------------


async def test_a_company_lives_a_whole_year_by_its_enrolled_drivers(cotriguacu: Living) -> None:
    """Grant, licence, another vehicle, renewal: at each its driver must be enrolled, whoever that is by then."""
    who = await firm(cotriguacu, "empresa", TAXI)
    grant: dict[str, Any] = {"category": TAXI, "holderId": who.holder, "vehicleId": who.vehicle, "judged": True}
    undriven = await cotriguacu.act("mayor/grantPermit", **grant)

    first = await enrolled(cotriguacu, who.driver, who.holder, TAXI, "empregado", employed=True)
    permit = await granted(cotriguacu, who, TAXI)
    licence = await cotriguacu.licence(permit["id"])

    assert (undriven["code"], "art. 11, II, f" in articles(undriven["decision"])) == ("REFUSED", True)
    assert (permit["holder"]["id"], permit["until"]) == (who.holder, "2015-03-01")
    assert (licence["until"], licence["feeUnits"]) == ("2011-01-31", "46.28")

    cotriguacu.on("2010-12-01")
    newer = await cotriguacu.car(who.holder)
    await cotriguacu.papers({"vehicle": newer, "driver": who.driver, "holder": who.holder})
    swapped = await cotriguacu.done("clerk/swapVehicle", permitId=permit["id"], vehicleId=newer, judged=True)
    assert swapped["vehicle"]["id"] == newer

    cotriguacu.on("2011-01-10")
    await cotriguacu.done("clerk/endEnrolment", enrolmentId=first["id"], version=1, on="2011-01-10")
    request = await cotriguacu.done("clerk/requestRenewal", permitId=permit["id"])
    gone = await cotriguacu.act("clerk/issueLicence", permitId=permit["id"], judged=True)
    second = await driver(cotriguacu, TAXI)
    await enrolled(cotriguacu, second, who.holder, TAXI, "empregado", employed=True)
    await cotriguacu.papers({"holder": who.holder, "vehicle": newer})
    renewed = await cotriguacu.licence(permit["id"])

    assert not request["complete"], "its driver had left"
    assert (gone["code"], "art. 13" in articles(gone["decision"])) == ("REFUSED", True)
    assert (renewed["since"], renewed["until"]) == ("2011-02-01", "2012-01-31")


async def test_a_company_s_driver_without_a_signed_work_card_has_none_to_show(cotriguacu: Living) -> None:
    """Art. 9, VI asks for the work card of who is the company's employee, and of nobody else."""
    who = await firm(cotriguacu, "empresa", TAXI)
    asked = {"category": TAXI, "holderId": who.holder, "vehicleId": who.vehicle, "at": "licence"}
    hired = await enrolled(cotriguacu, who.driver, who.holder, TAXI, "empregado", employed=False)
    partner = await cotriguacu.ask("clerk/eligibility", **asked)
    await cotriguacu.done("clerk/endEnrolment", enrolmentId=hired["id"], version=1)

    bare = await driver(cotriguacu, TAXI, without="ctps")
    await enrolled(cotriguacu, bare, who.holder, TAXI, "empregado", employed=True)
    employee = await cotriguacu.ask("clerk/eligibility", **asked)

    assert ("paper.ctps", "paper.ctps") not in missing_of(partner)
    assert "paper.ctps" in {code for _, code in missing_of(employee)}


def missing_of(decision: Any) -> set[tuple[str, str]]:
    return {(part["message"], missing["code"]) for part in decision["parts"] for missing in part["missing"]}


@pytest.mark.parametrize(("left", "passes"), [("1", True), ("0", False)])
async def test_a_company_passes_its_permit_to_another_if_a_vehicle_is_left(
    cotriguacu: Living, left: str, *, passes: bool
) -> None:
    giver, receiver = [await firm(cotriguacu, "empresa", TAXI) for _ in range(2)]
    for each in (giver, receiver):
        await enrolled(cotriguacu, each.driver, each.holder, TAXI, "empregado", employed=True)
    permit = await granted(cotriguacu, giver, TAXI)
    told = facts_of({"local.aceita_condicoes": "sim", "local.veiculos_da_alienante": left})

    given = {"permitId": permit["id"], "cause": "entre_empresas", "holderId": receiver.holder, "facts": told}
    cotriguacu.on("2010-03-02")
    answer = await cotriguacu.act("mayor/transferPermit", **given, papers=["permissao_anterior"], judged=True)

    if passes:
        assert (answer["holder"]["id"], answer["state"]) == (receiver.holder, "active")
    else:
        assert (answer["code"], "art. 14, II" in articles(answer["decision"])) == ("REFUSED", True)


async def test_a_company_that_another_takes_over_hands_it_on(cotriguacu: Living) -> None:
    giver, receiver = [await firm(cotriguacu, "empresa", TAXI) for _ in range(2)]
    for each in (giver, receiver):
        await enrolled(cotriguacu, each.driver, each.holder, TAXI, "empregado", employed=True)
    permit = await granted(cotriguacu, giver, TAXI)
    merged = {"cause": "empresa_sucedida", "facts": facts_of({"local.aceita_condicoes": "sim"})}
    person = await cotriguacu.somebody(car=False)

    cotriguacu.on("2010-03-02")
    given = {"permitId": permit["id"], "papers": ["permissao_anterior"], "judged": True, **merged}
    natural = await cotriguacu.act("mayor/transferPermit", holderId=person.holder, **given)
    new = await cotriguacu.done("mayor/transferPermit", holderId=receiver.holder, **given)

    assert natural["code"] == "REFUSED", "only a company succeeds a company"
    assert (new["holder"]["id"], new["until"]) == (receiver.holder, permit["until"])


async def test_a_dissolved_company_s_permit_ends_after_its_process_and_bars_nobody(cotriguacu: Living) -> None:
    who = await firm(cotriguacu, "empresa", TAXI)
    await enrolled(cotriguacu, who.driver, who.holder, TAXI, "empregado", employed=True)
    permit = await granted(cotriguacu, who, TAXI)
    cotriguacu.on("2010-06-01")
    at_once = await cotriguacu.act("mayor/endPermit", permitId=permit["id"], cause="dissolucao")

    proposal = await cotriguacu.done("inspector/proposeEnding", permitId=permit["id"], cause="dissolucao")
    done = await cotriguacu.done("mayor/finalizeEnding", proposalId=proposal["id"])

    assert at_once["code"] == "REFUSED"
    assert done["state"] == "applied"
    ended = await cotriguacu.ask("clerk/permit", id=permit["id"])
    assert (ended["endedCause"], ended["endedOn"]) == ("dissolucao", "2010-06-01")


async def test_what_a_driver_told_of_themselves_is_not_told_of_the_company(cotriguacu: Living) -> None:
    """That its driver is quite with the town proves nothing of the company, which has to prove it itself."""
    who = await firm(cotriguacu, "empresa", TAXI, told={"holder.in_town": "sim"}, without="certidao_municipal")
    person = await registered(
        cotriguacu.stage, COTRIGUACU, "Person", person_input(facts_of({"holder.taxes_paid": "sim"}))
    )
    hired = await registered(cotriguacu.stage, COTRIGUACU, "Driver", driver_input(person["id"]))
    await enrolled(cotriguacu, hired["id"], who.holder, TAXI, "empregado", employed=True)

    asked = {"category": TAXI, "holderId": who.holder, "vehicleId": who.vehicle, "at": "licence"}
    answer = await cotriguacu.ask("clerk/eligibility", **asked)

    assert "holder.taxes_paid" in {code for _, code in missing_of(answer)}


# --- A school's own van, under the law that admits no other company ---------------------------------------------------


async def test_a_school_serves_with_its_own_van_and_registered_drivers(barra: Living) -> None:
    who = await firm(barra, "escola", SCHOOL)
    await enrolled(barra, who.driver, who.holder, SCHOOL, "condutor", attributes=AT_SCHOOL)

    permit = await granted(barra, who, SCHOOL)
    licence = await barra.done("clerk/issueLicence", role="secretary", permitId=permit["id"], judged=True)
    barra.on("2011-02-01")
    newer = await barra.car(who.holder)
    await barra.papers({"holder": who.holder, "vehicle": newer, "driver": who.driver}, category=SCHOOL)
    swapped = await barra.done(
        "clerk/swapVehicle", role="secretary", permitId=permit["id"], vehicleId=newer, judged=True
    )
    renewed = await barra.done("clerk/issueLicence", role="secretary", permitId=permit["id"], judged=True)

    assert (permit["category"], permit["holder"]["id"]) == (SCHOOL, who.holder)
    assert swapped["vehicle"]["id"] == newer
    assert renewed["since"] > licence["until"]


@pytest.mark.parametrize(
    ("kind", "category"), [("pessoa_juridica", SCHOOL), ("escola", TAXI), ("pessoa_juridica", TAXI)]
)
async def test_no_other_company_holds_anything_there(barra: Living, kind: str, category: str) -> None:
    who = await firm(barra, kind, category)
    given: dict[str, Any] = {"category": category, "holderId": who.holder, "vehicleId": who.vehicle, "judged": True}

    no = await barra.act("secretary/grantPermit", **given)

    assert no["code"] == "REFUSED"
    assert {"art. 3", "art. 7"} <= articles(no["decision"])
    assert no["decision"]["outcome"] == "DENIED"
