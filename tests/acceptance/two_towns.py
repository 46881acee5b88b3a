"""Two towns that are alike, somebody in each who may do everything, and how each operation with an id is asked."""

import uuid
from collections.abc import Awaitable, Callable
from typing import Any

from graphql import get_named_type, is_union_type

from tests.acceptance import contests
from tests.acceptance import two_towns_enforcement as enforcement
from tests.acceptance import two_towns_fleet as vehicles
from tests.acceptance import two_towns_imports as imports
from tests.acceptance import two_towns_letters as letters
from tests.acceptance import two_towns_lives as lives
from tests.acceptance import two_towns_notices as notices
from tests.acceptance import two_towns_proceedings as proceedings
from tests.acceptance import two_towns_recomputing as recomputing
from tests.acceptance import two_towns_service as service
from tests.acceptance.applying import car_input, company_input, driver_input, person_input
from tests.support.register import REMINDERS
from tests.support.schema import MUTATIONS, QUERIES, asking
from tests.support.web import Edge

OURS, THEIRS = "vila-nova", "serra-alta"
EVERYTHING = (
    "read register grant license stands fine record cancel inspect decide publish appoint suspend propose tariff"
)
LAW = (
    REMINDERS.replace(
        "[[office]]\nrows = [",
        f"[[office]]\nrows = [{{ code = 'tudo', title = 'Tudo', may = {EVERYTHING.split()}, cite = 'art. 4' }}, ",
    ).replace('length = "1 year"', f'length = "1 year"\nvalidity = true\n{lives.LATE}')
    + """
[list]
holder = { autonomo = "Autônomo", empresa = "Empresa" }
paper = { rg = "RG" }
ending = { a_pedido = "A pedido", cassacao = "Cassação", transferencia = "Transferência" }
"""
    + lives.CAUSES
    + vehicles.LISTS
    + """
[[instrument]]
rows = [{ code = "termo", title = "Termo", cite = "art. 3", chosen_by = "authorization", \
endings = ["""
    + lives.ENDINGS
    + """{ on = "requested", cause = "a_pedido" }], \
steps = [{ code = "adesao", actor = "party", term = "30 days", after = "award", cite = "art. 3" }] }]
[[selection]]
code = "ordem"
cite = "art. 7"
applies = { category = "taxi" }
absent_from_draw = "last"
undoing = [{ code = "revogacao", cite = "art. 7" }]
order = [{ judge = "tudo", title = "Proposta", cite = "art. 7" }, { draw = true, cite = "art. 8" }]
[[term]]
rows = [{ code = "recurso", title = "Recurso", cite = "art. 9", of = "selection", starts = "result_published", \
length = "1 day" }]
[[stand]]
rows = [{ number = 1, place = "Praça da Matriz", slots = 500, cite = "art. 5" }]
[[infraction]]
rows = [{ code = "I-1", title = "Sujeira", do = "fine", amount = "50 BRL", cite = "art. 6" }]
"""
    + lives.LAW
    + service.LAW
    + vehicles.LAW
    + imports.LAW
    + proceedings.steps_of(enforcement.LAW)
    + proceedings.LAW
    + recomputing.LAW
)
QUERY_ANSWERS = {
    "Decision": "{ outcome message }",
    "Act": "{ verb }",
    "RosterDraft": "{ office text }",
    "RenewalPackage": "{ since }",
    **vehicles.ANSWERS,
    **imports.ANSWERS,
    **enforcement.ANSWERS,
    **proceedings.ANSWERS,
    **recomputing.ANSWERS,
    **notices.ANSWERS,
}


class Town:
    """One of two towns that are alike, and somebody who may do everything there."""

    def __init__(self, web: Edge, slug: str) -> None:
        self.web, self.slug = web, slug

    async def body(self, field: str, variables: dict[str, Any]) -> Any:
        """The whole answer to a root field asked with these variables, as JSON."""
        kind = "mutation" if field in MUTATIONS else "query"
        definition = {**QUERIES, **MUTATIONS}[field]
        query = asking(kind, field, definition, variables, answer_of(kind, definition))
        answer = await self.web.post(query, variables=variables, token=self.web.token("chefe", town=self.slug))
        return answer.json()

    async def make(self, field: str, **given: Any) -> Any:
        answer = await self.body(field, {"input": given})
        made = answer["data"][field]
        assert "code" not in made, made
        return made["id"]

    async def evidence(self) -> str:
        """A photograph that shows no record yet."""
        id, token = uuid.uuid4(), self.web.token("chefe", town=self.slug)
        png = b"\x89PNG\r\n\x1a\n" + id.bytes
        headers = {"authorization": f"Bearer {token}"}
        sent = await self.web.client.put(f"/evidence/{id}?occurrence={id}", content=png, headers=headers)
        return str(sent.json()["id"])

    async def person(self) -> str:
        return str(await self.make("registerPerson", **person_input()))

    async def holder(self) -> str:
        return str(await self.make("registerHolder", kind="autonomo", personId=await self.person()))

    async def vehicle(self) -> str:
        return str(await self.make("registerVehicle", **without_facts(car_input("cotriguacu", await self.holder()))))

    async def permit(self) -> str:
        pair = {"holderId": await self.holder(), "vehicleId": await self.vehicle()}
        return str(await self.make("grantPermit", category="taxi", **pair))


def without_facts(given: dict[str, Any]) -> dict[str, Any]:
    return {**given, "attributes": []}


def answer_of(kind: str, field: Any) -> str:
    named = get_named_type(field.type)
    if is_union_type(named):
        ids = " ".join(f"... on {each.name} {{ id }}" for each in named.types if "id" in each.fields)
        return f"{{ __typename {ids} ... on Problem {{ code message }} }}"
    return QUERY_ANSWERS.get(named.name, "{ id }")


async def driver(town: Town) -> dict[str, Any]:
    return driver_input(await town.person())


async def company_holder(town: Town) -> dict[str, Any]:
    return {"kind": "empresa", "companyId": await town.make("registerCompany", **company_input())}


async def pair(town: Town) -> dict[str, Any]:
    return {"category": "taxi", "holderId": await town.holder(), "vehicleId": await town.vehicle()}


async def swap(town: Town) -> dict[str, Any]:
    return {"permitId": await town.permit(), "vehicleId": await town.vehicle()}


Base = Callable[[Town], Awaitable[dict[str, Any]]]


def given(base: Base) -> Base:
    """As the input of a mutation."""

    async def variables(town: Town) -> dict[str, Any]:
        return {"input": await base(town)}

    return variables


async def permit(town: Town) -> dict[str, Any]:
    return {"id": await town.permit()}


async def holder(town: Town) -> dict[str, Any]:
    return {"id": await town.holder()}


async def acts(town: Town) -> dict[str, Any]:
    return {"subjectId": await town.permit()}


async def register_holder(town: Town) -> dict[str, Any]:
    return {"kind": "autonomo", "personId": await town.person()}


async def register_vehicle(town: Town) -> dict[str, Any]:
    return without_facts(car_input("cotriguacu", await town.holder()))


async def file_paper(town: Town) -> dict[str, Any]:
    return {"subjectId": await town.holder(), "code": "rg"}


async def issue_licence(town: Town) -> dict[str, Any]:
    return {"permitId": await town.permit()}


async def assign_stand(town: Town) -> dict[str, Any]:
    return {"permitId": await town.permit(), "stand": "1"}


async def issue_fine(town: Town) -> dict[str, Any]:
    return {"permitId": await town.permit(), "infractions": ["I-1"], "seenOn": "2026-03-10"}


# What each operation with an id is asked with, and with success, in a town.
BASES: dict[str, Base] = {
    "registerDriver": given(driver),
    "grantPermit": given(pair),
    "swapVehicle": given(swap),
    "eligibility": pair,
    "swapShare": swap,
    "permit": permit,
    "holder": holder,
    "node": holder,
    "acts": acts,
    "registerHolder": given(register_holder),
    "registerVehicle": given(register_vehicle),
    "filePaper": given(file_paper),
    "issueLicence": given(issue_licence),
    "assignStand": given(assign_stand),
    "issueFine": given(issue_fine),
    "call": contests.call,
    **{name: given(base) for name, base in contests.MUTATIONS.items()},
    **{name: given(base) for name, base in lives.MUTATIONS.items()},
    **lives.QUERIES,
    **{name: given(base) for name, base in service.MUTATIONS.items()},
    **service.QUERIES,
    **{name: given(base) for name, base in vehicles.MUTATIONS.items()},
    **vehicles.QUERIES,
    **{name: given(base) for name, base in imports.MUTATIONS.items()},
    **{name: given(base) for name, base in letters.MUTATIONS.items()},
    **imports.QUERIES,
    **{name: given(base) for name, base in enforcement.MUTATIONS.items()},
    **enforcement.QUERIES,
    **{name: given(base) for name, base in proceedings.MUTATIONS.items()},
    **proceedings.QUERIES,
    **{name: given(base) for name, base in recomputing.MUTATIONS.items()},
    **recomputing.QUERIES,
    **{name: given(base) for name, base in notices.MUTATIONS.items()},
    **notices.QUERIES,
}
# An id that stands in the place of another: its own base.
INSTEAD: dict[tuple[str, tuple[str, ...]], Base] = {("registerHolder", ("input", "companyId")): given(company_holder)}
INSTEAD["openCase", ("input", "respondents", "driverId")] = given(proceedings.to_open_on_a_driver)
INSTEAD["openCase", ("input", "respondents", "personId")] = given(proceedings.to_open_on_a_person)
INSTEAD["addPiece", ("input", "evidenceId")] = given(proceedings.to_show)
INSTEAD["identifyOffender", ("input", "holderId")] = given(enforcement.to_identify_a_holder)
INSTEAD["identifyOffender", ("input", "driverId")] = given(enforcement.to_identify_a_driver)
