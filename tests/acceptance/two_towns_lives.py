"""How each operation of a permit's life is asked in two towns that are alike, under a law that knows all of it."""

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

from tests.acceptance.applying import car_input, company_input, driver_input

if TYPE_CHECKING:
    from tests.acceptance.two_towns import Town

LONG_AGO, SINCE = "2025-02-01", "2026-03-02"
CAUSES = (
    'cause = { sale = "Venda" }\nrole = { herdeiro = "Condutor dos herdeiros", empregado = "Condutor empregado" }\n'
)
ENDINGS = (
    '{ on = "transgression", cause = "cassacao", after_process = true }, { on = "transfer", cause = "transferencia" }, '
)
LAW = """
[[term]]
rows = [
  { code = "outorga", title = "Outorga", cite = "art. 7", of = "permit", starts = "granted", length = "5 years", \
validity = true, renewals = 1 },
  { code = "ausencia", title = "Ausência", cite = "art. 8", of = "permit", starts = "absence_started", \
met_by = "absence_ended" },
]
[[infraction]]
rows = [
  { code = "I-2", title = "Abandono", do = "suspend", term = "30 days", cite = "art. 9", after_process = true },
  { code = "I-3", title = "Fraude", do = "end", cause = "cassacao", cite = "art. 9", after_process = true },
]
[[transfer]]
rows = [{ code = "venda", title = "Venda", cite = "art. 10", cause = "sale", to = ["autonomo"], qualifies = false }]
[[substitute]]
rows = [{ code = "doenca", title = "Doença", cite = "art. 11" }]
[[crew]]
rows = [{ code = "herdeiro", title = "Condutor dos herdeiros", cite = "art. 12", role = "herdeiro", in_stead = true }]
[[exclusion]]
code = "renda"
title = "Outra renda"
cite = "art. 13"
applies = { holder = "empresa" }
if = "candidate.other_income"
revealed = { do = "end", cause = "cassacao", opens = "I-3" }
"""
LATE = 'met_by = ["renewal_requested", "renewed"]\nlate = [{ after = "0 days", infraction = "I-1", cite = "art. 3" }]'
INCOME = [{"code": "candidate.other_income", "value": "sim"}]


async def old_permit(town: "Town") -> dict[str, str]:
    """A permit of last year and its vehicle."""
    vehicle, holder = await town.vehicle(), await town.holder()
    given = {"category": "taxi", "holderId": holder, "vehicleId": vehicle, "grantedOn": LONG_AGO}
    return {"permitId": str(await town.make("grantPermit", **given)), "vehicleId": vehicle}


async def of_company(town: "Town") -> dict[str, Any]:
    """A permit whose holder told, when it was granted, that there was no other income."""
    company = await town.make("registerCompany", **company_input())
    told = [{"code": "candidate.other_income", "value": "não"}]
    holder = await town.make("registerHolder", kind="empresa", companyId=company, attributes=told)
    pair = {"category": "taxi", "holderId": holder, "vehicleId": await town.vehicle()}
    permit = await town.make("grantPermit", **pair, grantedOn=LONG_AGO)
    return {"permitId": permit, "exclusion": "renda", "facts": INCOME}


async def of_permit(town: "Town") -> dict[str, Any]:
    return {"permitId": (await old_permit(town))["permitId"]}


async def licensed(town: "Town", issued_on: str = LONG_AGO) -> dict[str, Any]:
    given = await of_permit(town)
    await town.make("issueLicence", **given, issuedOn=issued_on)
    return given


async def driven(town: "Town") -> dict[str, Any]:
    driver = await town.make("registerDriver", **driver_input(await town.person()))
    return {**await old_permit(town), "driverId": driver, "since": SINCE, "until": "2026-12-31"}


async def in_a_role(town: "Town") -> dict[str, Any]:
    given = await driven(town)
    return {"permitId": given["permitId"], "driverId": given["driverId"], "role": "herdeiro"}


async def passed_on(town: "Town") -> dict[str, Any]:
    receiver = await town.holder()
    car = {**car_input("cotriguacu", receiver), "attributes": []}
    own = await town.make("registerVehicle", **car)
    return {**await of_permit(town), "holderId": receiver, "vehicleId": own, "cause": "sale"}


async def substitute(town: "Town") -> dict[str, Any]:
    return {"substituteId": await town.make("admitSubstitute", **await driven(town))}


async def proposed(town: "Town") -> dict[str, Any]:
    return {"proposalId": await town.make("proposeEnding", **await of_permit(town), cause="cassacao")}


async def to_suspend(town: "Town") -> dict[str, Any]:
    return {"proposalId": await town.make("proposeSuspension", **await of_permit(town), infraction="I-2")}


async def suspended(town: "Town") -> dict[str, Any]:
    return {"suspensionId": await town.make("finalizeSuspension", **await to_suspend(town))}


def with_(base: Callable[["Town"], Awaitable[dict[str, Any]]], **more: Any) -> Any:
    async def variables(town: "Town") -> dict[str, Any]:
        return {**await base(town), **more}

    return variables


MUTATIONS = {
    "requestRenewal": licensed,
    "fineLateness": licensed,
    "extendPermit": of_permit,
    "transferPermit": passed_on,
    "admitSubstitute": driven,
    "admitStandIn": in_a_role,
    "endSubstitute": substitute,
    "noteEvent": with_(of_permit, event="absence_started"),
    "endPermit": with_(of_permit, cause="a_pedido"),
    "proposeEnding": with_(of_permit, cause="cassacao"),
    "proposeSuspension": with_(of_permit, infraction="I-2"),
    "revealBar": of_company,
    "finalizeEnding": proposed,
    "dismissProposal": proposed,
    "finalizeSuspension": to_suspend,
    "reactivatePermit": suspended,
}
QUERIES = {"permitLife": of_permit, "renewalPackage": licensed}
