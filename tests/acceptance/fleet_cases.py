"""How the documents on vehicles, inspections, drivers and records are asked."""

import base64
from typing import Any

from tests.acceptance.applying import another_car, company_input, driver_input, person_input, registered
from tests.acceptance.operations import Asking, case
from tests.acceptance.public_cases import permit_with
from tests.acceptance.stage import BARRA, COTRIGUACU
from tests.acceptance.test_vehicles import ADVERTISED, JUDGED, OF_A_TAXI
from tests.support.pages import words_of

TODAY = "2026-03-10"


async def of_a_permit(ask: Asking) -> Any:
    """The vehicle of a taxi in service."""
    page = await ask.stage.run("clerk/permits", town=ask.town, first=100, category="taxi", state="active")
    return next(edge["node"] for edge in page["edges"] if edge["node"]["vehicle"])["vehicle"]


async def of_nobody(ask: Asking) -> str:
    """A car that serves no permit."""
    return await another_car(ask.stage, ask.town, (await permit_with(ask, "holder"))["holder"]["id"])


async def driver(ask: Asking) -> str:
    person = await registered(ask.stage, ask.town, "Person", person_input())
    return str((await registered(ask.stage, ask.town, "Driver", driver_input(person["id"])))["id"])


async def hired(ask: Asking) -> dict[str, Any]:
    """A driver of a company."""
    firm = await registered(ask.stage, ask.town, "Company", company_input())
    holder = await registered(ask.stage, ask.town, "Holder", {"kind": "empresa", "companyId": firm["id"]})
    return {"driverId": await driver(ask), "holderId": holder["id"], "category": "taxi", "role": "empregado"}


@case("clerk/updateVehicle", BARRA)
async def update_vehicle(ask: Asking) -> None:
    made = await ask.done(vehicleId=await of_nobody(ask), version=1, seats=7)

    assert (made["seats"], made["version"]) == (7, 2)


@case("clerk/sellVehicle", COTRIGUACU)
async def sell_vehicle(ask: Asking) -> None:
    made = await ask.done(vehicleId=await of_nobody(ask), soldOn=TODAY, plateReleasedOn=TODAY)

    assert (made["soldOn"], made["plateReleasedOn"], made["answer"]["outcome"]) == (TODAY, TODAY, "ALLOWED")


@case("clerk/updateDriver", COTRIGUACU)
async def update_driver(ask: Asking) -> None:
    made = await ask.done(driverId=await driver(ask), version=1, cnhCategories=["D"], cnhUntil="2031-01-01")

    assert (made["cnhCategories"], made["cnhUntil"], made["version"]) == (["D"], "2031-01-01", 2)


@case("clerk/updatePerson", COTRIGUACU)
async def update_person(ask: Asking) -> None:
    person = await registered(ask.stage, ask.town, "Person", person_input())
    changed = {"personId": person["id"], "name": "Nome  Corrigido", "email": "novo@example.org"}
    made = await ask.done(**changed, version=1)
    stale = await ask.stage.act("clerk/updatePerson", {**changed, "version": 1}, town=ask.town)

    assert (made["name"], made["email"], made["version"]) == ("Nome Corrigido", "novo@example.org", 2)
    assert made["birthOn"] == "1980-05-01", "what is not sent stays"
    assert (stale["code"], stale["actual"]) == ("CONFLICT", 2)
    merged = {"personId": person["id"], "name": "Nome / ABC1D23", "version": 2}
    no = await ask.stage.act("clerk/updatePerson", merged, town=ask.town)
    assert (no["code"], no["field"], no["problem"]) == ("INVALID", "name", "digits")


@case("clerk/updateCompany", COTRIGUACU)
async def update_company(ask: Asking) -> None:
    company = await registered(ask.stage, ask.town, "Company", company_input())
    made = await ask.done(companyId=company["id"], version=1, name="Táxi 24 Horas Ltda")

    assert (made["name"], made["email"], made["version"]) == ("Táxi 24 Horas Ltda", "empresa@example.org", 2)


@case("clerk/updateHolder", COTRIGUACU)
async def update_holder(ask: Asking) -> None:
    """What is told of a holder counts from then on."""
    company = await registered(ask.stage, ask.town, "Company", company_input())
    holder = await registered(ask.stage, ask.town, "Holder", {"kind": "empresa", "companyId": company["id"]})
    asked = {"category": "taxi", "holderId": holder["id"]}
    before = await ask.stage.run("clerk/eligibility", town=ask.town, **asked)
    made = await ask.done(holderId=holder["id"], version=1, attributes=[{"code": "holder.in_town", "value": "sim"}])
    after = await ask.stage.run("clerk/eligibility", town=ask.town, **asked)

    assert made["version"] == 2
    missing = [{each["code"] for part in decision["parts"] for each in part["missing"]} for decision in (before, after)]
    assert ["holder.in_town" in codes for codes in missing] == [True, False]


@case("clerk/enrolDriver", COTRIGUACU)
async def enrol_driver(ask: Asking) -> None:
    made = await ask.done(**await hired(ask), employed=True)

    assert (made["role"], made["since"], made["employed"]) == ("empregado", TODAY, True)


@case("clerk/endEnrolment", COTRIGUACU)
async def end_enrolment(ask: Asking) -> None:
    known = await ask.stage.done("clerk/enrolDriver", await hired(ask), town=COTRIGUACU)

    assert (await ask.done(enrolmentId=known["id"], version=known["version"]))["version"] == 2


@case("clerk/vehicleFile", BARRA)
async def vehicle_file(ask: Asking) -> None:
    known = await of_a_permit(ask)
    found = await ask(id=known["id"])

    assert (found["vehicle"]["plate"], found["category"]) == (known["plate"], "taxi")
    assert {decision["value"]["rule"] for decision in found["due"]} == {"vistoria", "afericao"}
    assert found["stay"]["day"]
    assert "idade_permanencia" in {term["kind"] for term in found["deadlines"]}


@case("clerk/driverFile", BARRA)
async def driver_file(ask: Asking) -> None:
    known = await driver(ask)
    found = await ask(id=known)

    assert (found["driver"]["id"], found["suspended"], found["bars"]) == (known, False, [])
    assert [term["kind"] for term in found["deadlines"]] == ["cnh"]


@case("clerk/record", BARRA)
async def record(ask: Asking) -> None:
    known = await permit_with(ask, "licence")
    page = await ask(subjectId=known["holder"]["id"], first=50)

    nodes = [edge["node"] for edge in page["edges"]]
    assert {"act", "permit", "paper"} <= {node["kind"] for node in nodes}
    assert all(node["articles"] for node in nodes if node["kind"] in ("permit", "deadline"))


@case("holder/record", BARRA)
async def own_record(ask: Asking) -> None:
    mine = (await ask.stage.run("holder/myPermits", town=BARRA))["edges"][0]["node"]
    page = await ask.stage.run("clerk/permits", town=BARRA, first=100, category=mine["category"])
    holder = next(e["node"]["holder"]["id"] for e in page["edges"] if e["node"]["number"] == mine["number"])

    assert mine["number"] in {edge["node"]["number"] for edge in (await ask(subjectId=holder, first=100))["edges"]}


async def themselves(ask: Asking) -> str:
    """The driver who has the account."""
    for edge in (await ask.stage.run("clerk/drivers", town=ask.town, first=100))["edges"]:
        body = await ask.stage.body("driver/driverFile", town=ask.town, id=edge["node"]["id"])
        if body["data"]:
            return str(edge["node"]["id"])
    raise LookupError("no driver has an account")


@case("driver/driverFile", BARRA)
async def own_file(ask: Asking) -> None:
    known = await themselves(ask)

    assert (await ask(id=known))["driver"]["id"] == known


@case("driver/record", BARRA)
async def drivers_record(ask: Asking) -> None:
    page = await ask(subjectId=await themselves(ask))

    assert "driver.registered" in {edge["node"]["verb"] for edge in page["edges"]}


@case("secretary/extendVehicle", BARRA)
async def extend_vehicle(ask: Asking) -> None:
    """The oldest taxi of the register, on an assessment."""
    page = await ask.stage.run("clerk/permits", town=BARRA, first=100, category="taxi", state="active")
    cars = [edge["node"]["vehicle"] for edge in page["edges"] if edge["node"]["vehicle"]]
    due = {car["id"]: (await ask.stage.run("clerk/vehicleFile", town=BARRA, id=car["id"]))["stay"] for car in cars}
    car = next(id for id, stay in due.items() if stay["outcome"] in ("ALLOWED", "UNPROVEN"))
    paper = {"subjectId": car, "code": "avaliacao", "issuedOn": "2026-03-09"}
    await ask.stage.done("clerk/filePaper", paper, town=BARRA)

    made = await ask.done(vehicleId=car)

    assert made["stay"]["outcome"] == "ALLOWED"
    assert made["stay"]["day"] > due[car]["day"]


async def advertising(ask: Asking) -> dict[str, Any]:
    """On a taxi of its own."""
    page = await ask.stage.run("clerk/permits", town=BARRA, first=100, category="taxi", state="active")
    for edge in page["edges"]:
        car = edge["node"]["vehicle"]
        if car and not (await ask.stage.run("clerk/vehicleFile", town=BARRA, id=car["id"]))["approvals"]:
            return {"vehicleId": car["id"], "matter": "publicidade", "facts": ADVERTISED, "judged": True}
    raise LookupError("every taxi advertises")


@case("secretary/grantApproval", BARRA)
async def grant_approval(ask: Asking) -> None:
    made = await ask.done(**await advertising(ask))

    assert (made["matter"], made["since"]) == ("publicidade", TODAY)


@case("secretary/endApproval", BARRA)
async def end_approval(ask: Asking) -> None:
    known = await ask.stage.done("secretary/grantApproval", await advertising(ask), town=BARRA)

    assert (await ask.done(approvalId=known["id"], version=1, why="Pintura nova"))["version"] == 2


@case("secretary/suspendDriver", BARRA)
async def suspend_driver(ask: Asking) -> None:
    assert (await ask.done(driverId=await driver(ask), why="Processo 1/2026"))["suspended"]


@case("secretary/liftSuspension", BARRA)
async def lift_suspension(ask: Asking) -> None:
    known = await driver(ask)
    await ask.stage.done("secretary/suspendDriver", {"driverId": known, "why": "Processo 1/2026"}, town=BARRA)

    assert not (await ask.done(driverId=known))["suspended"]


@case("mayor/strikeDriverOff", COTRIGUACU)
async def strike_driver_off(ask: Asking) -> None:
    made = await ask.done(driverId=await driver(ask), why="Processo 2/2026")

    assert [bar["what"] for bar in made["bars"]] == ["struck_off"]


@case("inspector/scheduleInspection", COTRIGUACU)
async def schedule_inspection(ask: Asking) -> None:
    made = await ask.done(vehicleId=(await of_a_permit(ask))["id"], rule="vistoria", on="2026-03-20")

    assert (made["scheduledOn"], made["passed"], made["number"]) == ("2026-03-20", None, None)


@case("inspector/recordInspection", COTRIGUACU)
async def record_inspection(ask: Asking) -> None:
    car, carried = (await of_a_permit(ask))["id"], OF_A_TAXI[COTRIGUACU]
    made = await ask.done(vehicleId=car, rule="vistoria", carried=carried, approved=JUDGED[COTRIGUACU])

    assert (made["passed"], made["dueOn"], made["faults"]) == (True, "2027-03-10", [])


@case("inspector/inspections", BARRA)
async def inspections(ask: Asking) -> None:
    car = (await of_a_permit(ask))["id"]
    given = {"vehicleId": car, "rule": "vistoria", "on": "2026-03-12"}
    known = await ask.stage.done("inspector/scheduleInspection", given, town=BARRA)

    assert known["id"] in {edge["node"]["id"] for edge in (await ask(waitingUntil="2026-03-12"))["edges"]}
    assert known["id"] in {edge["node"]["id"] for edge in (await ask(vehicleId=car))["edges"]}
    assert known["id"] not in {edge["node"]["id"] for edge in (await ask(waitingUntil="2026-03-11"))["edges"]}


@case("inspector/inspectionChecklist", BARRA)
async def inspection_checklist(ask: Asking) -> None:
    found = {item["rule"]: item for item in await ask(vehicleId=(await of_a_permit(ask))["id"])}

    assert {item["item"] for item in found.values() if item["item"]} >= set(OF_A_TAXI[BARRA])
    assert (found["taximetro"]["infraction"], found["taximetro"]["articles"]) == (
        "I-13",
        ["Lei 3.085/2009, art. 19, I"],
    )
    assert found["bom_estado"]["judged"]
    assert [fact["code"] for fact in found["medida_distico"]["facts"]] == [
        "local.distico_altura",
        "local.distico_largura",
    ]


async def reported(ask: Asking, car: str) -> None:
    given = {"vehicleId": car, "rule": "vistoria", "carried": OF_A_TAXI[COTRIGUACU], "approved": JUDGED[COTRIGUACU]}
    known = await ask.stage.done("inspector/recordInspection", given, town=COTRIGUACU)
    found = await ask(id=known["id"])
    said = words_of(base64.b64decode(found["pdf"]))

    assert found["number"] == known["number"]
    assert f"Laudo de vistoria nº {known['number']}" in said
    assert found["actHash"] in said


@case("clerk/inspectionReport", COTRIGUACU)
async def inspection_report(ask: Asking) -> None:
    await reported(ask, (await of_a_permit(ask))["id"])


@case("inspector/inspectionReport", COTRIGUACU)
async def inspector_s_report(ask: Asking) -> None:
    await reported(ask, (await of_a_permit(ask))["id"])


@case("holder/inspectionReport", COTRIGUACU)
async def own_inspection_report(ask: Asking) -> None:
    mine = (await ask.stage.run("holder/myPermits", town=COTRIGUACU))["edges"][0]["node"]
    permit = await ask.stage.run("clerk/permit", town=COTRIGUACU, id=mine["id"])
    await reported(ask, permit["vehicle"]["id"])
