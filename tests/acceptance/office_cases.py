"""How the documents of clerks, inspectors and secretaries are asked."""

from typing import Any

from tests.acceptance.applying import (
    another_car,
    applicant,
    car_input,
    company_input,
    driver_input,
    person_input,
    registered,
)
from tests.acceptance.operations import Asking, case
from tests.acceptance.public_cases import permit_with
from tests.acceptance.stage import BARRA, COTRIGUACU, articles

RENEWED_LATE = ["I-04"]


@case("clerk/registerPerson", BARRA)
async def register_person(ask: Asking) -> None:
    given = person_input()
    made = await ask.done(**given)

    assert (made["cpf"], made["name"], made["birthOn"], made["version"]) == (
        given["cpf"],
        given["name"],
        "1980-05-01",
        1,
    )


@case("clerk/registerCompany", COTRIGUACU)
async def register_company(ask: Asking) -> None:
    given = company_input()

    assert (await ask.done(**given))["cnpj"] == given["cnpj"]


@case("clerk/registerHolder", COTRIGUACU)
async def register_holder(ask: Asking) -> None:
    company = await registered(ask.stage, COTRIGUACU, "Company", company_input())
    made = await ask.done(kind="empresa", companyId=company["id"])

    assert (made["kind"], made["name"]) == ("empresa", company["name"])


@case("clerk/registerDriver", BARRA)
async def register_driver(ask: Asking) -> None:
    person = await registered(ask.stage, BARRA, "Person", person_input())
    made = await ask.done(**driver_input(person["id"]))

    assert (made["cnhCategories"], made["review"], made["name"]) == (["B", "D"], [], person["name"])


@case("clerk/registerVehicle", BARRA)
async def register_vehicle(ask: Asking) -> None:
    holder = (await permit_with(ask, "holder"))["holder"]["id"]
    given = car_input(BARRA, holder, doors=2)
    made = await ask.done(**given)

    assert (made["plate"], made["renavam"], made["doors"]) == (given["plate"], given["renavam"], 2)


@case("clerk/filePaper", BARRA)
async def file_paper(ask: Asking) -> None:
    holder = (await permit_with(ask, "holder"))["holder"]["id"]
    made = await ask.done(subjectId=holder, code="residencia", issuedOn="2026-03-01", validUntil="2026-09-01")

    assert (made["code"], made["validUntil"]) == ("residencia", "2026-09-01")


@case("clerk/people", BARRA)
async def people(ask: Asking) -> None:
    whole, after = [], None
    while True:
        page = await ask(first=7, after=after)
        whole += [edge["node"] for edge in page["edges"]]
        after = page["pageInfo"]["endCursor"]
        if not page["pageInfo"]["hasNextPage"]:
            break

    assert len({person["id"] for person in whole}) == len(whole) > 7
    assert all(len(person["cpf"]) == 11 for person in whole)


@case("clerk/companies", COTRIGUACU)
async def companies(ask: Asking) -> None:
    page = await ask(first=50)

    assert page["edges"]
    assert all(len(edge["node"]["cnpj"]) == 14 for edge in page["edges"])


@case("clerk/drivers", BARRA)
async def drivers(ask: Asking) -> None:
    page = await ask(first=100)
    marked = [edge["node"] for edge in page["edges"] if edge["node"]["review"]]

    assert len(page["edges"]) > len(marked) > 0, "some numbers fail their check: they are marked, not refused"


@case("clerk/vehicles", COTRIGUACU)
async def vehicles(ask: Asking) -> None:
    page = await ask(first=3)

    assert len(page["edges"]) == 3
    assert page["pageInfo"]["hasNextPage"]


@case("clerk/holder", BARRA)
async def holder(ask: Asking) -> None:
    known = (await permit_with(ask, "holder"))["holder"]
    found = await ask(id=known["id"])

    assert (found["name"], found["kind"]) == (known["name"], known["kind"])


@case("clerk/permits", BARRA)
async def permits(ask: Asking) -> None:
    taxis = await ask(first=100, category="taxi", fines=2)
    ended = await ask(first=100, category="taxi", state="ended")

    nodes = [edge["node"] for edge in taxis["edges"]]
    assert taxis["totalCount"] == len(nodes)
    assert 0 < ended["totalCount"] < taxis["totalCount"]
    assert {edge["node"]["state"] for edge in ended["edges"]} == {"ended"}
    assert any(len(node["fines"]) == 2 for node in nodes)
    assert sum(node["stand"] is not None for node in nodes if node["state"] == "active") > len(nodes) / 2


@case("clerk/permit", COTRIGUACU)
async def permit(ask: Asking) -> None:
    known = await permit_with(ask, "licence")
    found = await ask(id=known["id"])

    assert found["instrument"] == "permissao"
    assert found["licence"]["number"] == known["licence"]["number"]
    assert {"alvara", "permissao"} <= {deadline["kind"] for deadline in found["deadlines"]}


@case("clerk/eligibility", BARRA)
async def eligibility(ask: Asking) -> None:
    who = await applicant(ask.stage, BARRA)
    related = await applicant(ask.stage, BARRA, local__parente_taxista="sim")

    assert (await ask(category="taxi", **who.pair))["outcome"] == "ALLOWED"
    denied = await ask(category="taxi", **related.pair)
    assert denied["outcome"] == "DENIED"
    assert "art. 3, § 1" in articles(denied)


@case("clerk/issueLicence", COTRIGUACU)
async def issue_licence(ask: Asking) -> None:
    """The one of January has lapsed: it is renewed, late."""
    page = await ask.stage.run("clerk/permits", town=COTRIGUACU, first=100, state="active")
    lapsed = next(e["node"] for e in page["edges"] if (e["node"]["licence"] or {}).get("state") == "expired")

    made = await ask.done(permitId=lapsed["id"], judged=True)

    assert (made["since"], made["until"], made["state"]) == ("2026-03-10", "2027-01-31", "active")
    assert (made["feeUnits"], made["feeUnit"], made["feeBrl"]) == ("46.28", "UPFM", "1504.10")


@case("clerk/swapShare", BARRA)
async def swap_share(ask: Asking) -> None:
    known = await permit_with(ask, "stand")
    car = await another_car(ask.stage, BARRA, known["holder"]["id"])
    found = await ask(permitId=known["id"], vehicleId=car)

    assert found["outcome"] == "ALLOWED"
    assert found["value"]["whole"] > 1


@case("clerk/swapVehicle", COTRIGUACU)
async def swap_vehicle(ask: Asking) -> None:
    known = await permit_with(ask, "licence")
    car = await another_car(ask.stage, COTRIGUACU, known["holder"]["id"])

    made = await ask.done(permitId=known["id"], vehicleId=car, version=known["version"], judged=True)

    assert (made["vehicle"]["id"], made["version"]) == (car, known["version"] + 1)
    assert "veiculo_novo" in {deadline["kind"] for deadline in made["deadlines"]}


@case("clerk/agenda", BARRA)
async def agenda(ask: Asking) -> None:
    page = await ask(first=5)
    days = [edge["node"]["lastDay"] for edge in page["edges"]]

    assert len(days) == 5
    assert days == sorted(days)
    later = await ask(first=5, after=page["pageInfo"]["endCursor"])
    assert days[-1] <= later["edges"][0]["node"]["lastDay"]
    assert (await ask(until="2020-01-01"))["edges"] == []


@case("clerk/acts", BARRA)
async def acts(ask: Asking) -> None:
    known = await permit_with(ask, "stand")
    found = await ask(subjectId=known["id"])

    assert found[0]["verb"] == "permit.granted"
    assert found[0]["body"]["decision"]["citations"]


@case("clerk/notices", BARRA)
async def notices(ask: Asking) -> None:
    page = await ask(first=5)

    assert page["edges"]
    assert {edge["node"]["state"] for edge in page["edges"]} <= {"queued", "dropped"}


@case("secretary/grantPermit", BARRA)
async def grant_permit(ask: Asking) -> None:
    who = await applicant(ask.stage, BARRA)
    made = await ask.done(category="taxi", **who.pair, stand=await free_stand(ask))

    assert (made["state"], made["since"], made["version"]) == ("active", "2026-03-10", 1)
    assert (made["vehicle"]["plate"], made["holder"]["id"]) == (who.plate, who.holder)
    assert made["stand"]["number"]


@case("inspector/issueFine", COTRIGUACU)
async def issue_fine(ask: Asking) -> None:
    known = await permit_with(ask, "licence")
    made = await ask.done(permitId=known["id"], seenOn="2026-03-09", infractions=["CO-40-V"])

    assert (made["units"], made["unit"], made["rate"], made["brl"]) == ("20", "UFM", "32.50", "650.00")


async def free_stand(ask: Asking) -> str:
    """The first stand of the law at which fewer wait than it has slots."""
    stands = (await ask.stage.run("public/law", town=ask.town))["stands"]
    page = await ask.stage.run("clerk/permits", town=ask.town, first=100, state="active")
    waiting: list[Any] = [(edge["node"]["stand"] or {}).get("number") for edge in page["edges"]]
    return next(str(s["code"]) for s in stands if s["slots"] and waiting.count(s["number"]) < s["slots"])


@case("clerk/node", BARRA)
async def a_record_again(ask: Asking) -> None:
    permit = await permit_with(ask, "holder")
    again = await ask(id=permit["id"])

    assert again["id"] == permit["id"]
    assert (again["number"], again["holder"]["name"]) == (permit["number"], permit["holder"]["name"])
