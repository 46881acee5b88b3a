"""How each operation on vehicles, inspections, drivers and records is asked in two towns that are alike."""

from typing import TYPE_CHECKING, Any

from tests.acceptance.applying import company_input, driver_input

if TYPE_CHECKING:
    from tests.acceptance.two_towns import Town

LISTS = 'equipment = { extintor = "Extintor" }\n'
LAW = """
[[crew]]
rows = [{ code = "registro", title = "Condutor registrado", cite = "art. 14", role = "empregado", \
must = "driver.registered" }]
[[inspection]]
rows = [{ code = "vistoria", title = "Vistoria", cite = "art. 15", every = "1 year" }]
[[equipment]]
rows = [{ code = "extintor", title = "Extintor", cite = "art. 16", item = "extintor", at = ["inspection"] }]
[[restriction]]
rows = [{ code = "cores", title = "Cores", cite = "art. 17", matter = "pintura", at = ["inspection"], \
must = "vehicle.doors > 0" }]
[[vehicle_age]]
code = "idade"
title = "Idade"
cite = "art. 18"
at = ["stay"]
limit = "1 year"
basis = ["first_registration"]
count = "days"
extend = [{ add = "1 year", at = ["stay"], needs = "rg" }]
"""
TODAY = "2026-03-10"


async def serving(town: "Town") -> dict[str, Any]:
    """A vehicle in service."""
    vehicle = await town.vehicle()
    await town.make("grantPermit", category="taxi", holderId=await town.holder(), vehicleId=vehicle)
    return {"vehicleId": vehicle}


async def changed(town: "Town") -> dict[str, Any]:
    return {"vehicleId": await town.vehicle(), "holderId": await town.holder(), "version": 1, "seats": 4}


async def sold(town: "Town") -> dict[str, Any]:
    return {**await serving(town), "holderId": await town.holder(), "soldOn": TODAY}


async def extended(town: "Town") -> dict[str, Any]:
    given = await serving(town)
    await town.make("filePaper", subjectId=given["vehicleId"], code="rg")
    return given


async def to_approve(town: "Town") -> dict[str, Any]:
    return {**await serving(town), "matter": "pintura"}


async def approved(town: "Town") -> dict[str, Any]:
    return {"approvalId": await town.make("grantApproval", **await to_approve(town))}


async def to_schedule(town: "Town") -> dict[str, Any]:
    return {**await serving(town), "rule": "vistoria", "on": "2027-03-10"}


async def to_record(town: "Town") -> dict[str, Any]:
    return {**await serving(town), "rule": "vistoria", "carried": ["extintor"]}


async def driver(town: "Town") -> dict[str, Any]:
    return {"driverId": await town.make("registerDriver", **driver_input(await town.person()))}


async def driver_changed(town: "Town") -> dict[str, Any]:
    return {**await driver(town), "version": 1, "cnhUntil": "2031-01-01"}


async def person_changed(town: "Town") -> dict[str, Any]:
    return {"personId": await town.person(), "version": 1, "email": "outro@example.org"}


async def company_changed(town: "Town") -> dict[str, Any]:
    company = await town.make("registerCompany", **company_input())
    return {"companyId": company, "version": 1, "name": "Outra Empresa"}


async def holder_changed(town: "Town") -> dict[str, Any]:
    told = [{"code": "candidate.other_income", "value": "não"}]
    return {"holderId": await town.holder(), "version": 1, "attributes": told}


async def to_enrol(town: "Town") -> dict[str, Any]:
    return {**await driver(town), "holderId": await town.holder(), "category": "taxi", "role": "empregado"}


async def enrolled(town: "Town") -> dict[str, Any]:
    return {"enrolmentId": await town.make("enrolDriver", **await to_enrol(town))}


async def to_suspend(town: "Town") -> dict[str, Any]:
    return {**await driver(town), "why": "Processo"}


async def suspended(town: "Town") -> dict[str, Any]:
    given = await driver(town)
    await town.make("suspendDriver", **given, why="Processo")
    return given


async def inspected(town: "Town") -> dict[str, Any]:
    given = await to_record(town)
    await town.make("recordInspection", **given)
    return {"vehicleId": given["vehicleId"]}


async def reported(town: "Town") -> dict[str, Any]:
    return {"id": await town.make("recordInspection", **await to_record(town))}


async def vehicle_file(town: "Town") -> dict[str, Any]:
    return {"id": (await serving(town))["vehicleId"]}


async def driver_file(town: "Town") -> dict[str, Any]:
    return {"id": (await driver(town))["driverId"]}


async def record(town: "Town") -> dict[str, Any]:
    return {"subjectId": await town.holder()}


MUTATIONS = {
    "updateVehicle": changed,
    "sellVehicle": sold,
    "extendVehicle": extended,
    "grantApproval": to_approve,
    "endApproval": approved,
    "scheduleInspection": to_schedule,
    "recordInspection": to_record,
    "updateDriver": driver_changed,
    "updatePerson": person_changed,
    "updateCompany": company_changed,
    "updateHolder": holder_changed,
    "enrolDriver": to_enrol,
    "endEnrolment": enrolled,
    "suspendDriver": to_suspend,
    "liftSuspension": suspended,
    "strikeDriverOff": to_suspend,
}
QUERIES = {
    "vehicleFile": vehicle_file,
    "driverFile": driver_file,
    "inspections": inspected,
    "inspectionChecklist": serving,
    "inspectionReport": reported,
    "record": record,
}
ANSWERS = {
    "InspectionConnection": "{ edges { node { id } } }",
    "RecordEntryConnection": "{ edges { node { id } } }",
    "ChecklistItem": "{ rule }",
    "InspectionReport": "{ number }",
}
