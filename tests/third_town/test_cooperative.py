"""A cooperative with a fleet of its own: a legal person that may hold a part of all permits, and enrols who rides."""

from random import Random
from typing import Any

import pytest

from deploy.fictitious.numbers import Numbers
from tests.third_town.asking import TODAY, Ipe
from tests.third_town.test_register import CLERK, act, made, registered

NUMBERS = Numbers(Random(17))  # noqa: S311 - no secret
PERMIT = "... on Permit { id until vehicle { id } holder { id name } }"
MEMBERS = 3  # one permit more than these is a quarter of all


@pytest.fixture(scope="module")
async def clerk(ipe: Ipe) -> Ipe:
    given = {"subject": CLERK, "office": "sutran", "since": TODAY.isoformat()}
    document = "mutation ($input: AppointInput!) { appoint(input: $input) { ... on Appointment { office } } }"
    await ipe.run(document, subject="plataforma", operator=True, input=given)
    return ipe


async def motorcycle(ipe: Ipe, holder: str) -> str:
    seen = [{"code": "local.capacetes", "value": "1"}, {"code": "local.cilindradas", "value": "160"}]
    given = {"plate": NUMBERS.plate(mercosul=True), "holderId": holder, "manufactureYear": 2025, "fuel": "gasolina"}
    return await made(ipe, "registerVehicle", "Vehicle", {**given, "attributes": seen})


async def course(ipe: Ipe, rider: str) -> None:
    await made(ipe, "filePaper", "Paper", {"subjectId": rider, "code": "curso_moto", "issuedOn": "2023-05-04"})


async def granted(ipe: Ipe, holder: str, vehicle: str) -> dict[str, Any]:
    wish = {"category": "mototaxi", "holderId": holder, "vehicleId": vehicle, "judged": True}
    return await act(ipe, "grantPermit", PERMIT, wish)


async def member(ipe: Ipe) -> str:
    """A member's permit."""
    asking = await registered(ipe, NUMBERS.cpf(), NUMBERS.cnh(), NUMBERS.plate(mercosul=True))
    await course(ipe, asking.driver)
    answer = await granted(ipe, asking.holder, asking.vehicle)
    assert answer["__typename"] == "Permit", answer
    return str(answer["id"])


async def test_a_cooperative_serves_with_its_own_riders_and_a_quarter_of_all_permits(clerk: Ipe) -> None:
    company = await made(clerk, "registerCompany", "Company", {"cnpj": NUMBERS.cnpj(letters=True), "name": "Ipê Motos"})
    holder = await made(clerk, "registerHolder", "Holder", {"kind": "cooperativa_motos", "companyId": company})
    rider = await registered(clerk, NUMBERS.cpf(), NUMBERS.cnh(), NUMBERS.plate(mercosul=True))
    await course(clerk, rider.driver)
    first, second, third = [await motorcycle(clerk, holder) for _ in range(3)]
    for _ in range(MEMBERS):
        await member(clerk)

    alone = await granted(clerk, holder, first)
    work = {"driverId": rider.driver, "holderId": holder, "category": "mototaxi", "role": "piloto"}
    enrolled = await act(clerk, "enrolDriver", "... on Enrolment { role holderName }", work)
    permit = await granted(clerk, holder, first)
    swap = {"permitId": permit.get("id"), "vehicleId": second, "judged": True}
    swapped = await act(clerk, "swapVehicle", PERMIT, swap)
    extended = await act(clerk, "extendPermit", PERMIT, {"permitId": permit.get("id")})
    another = await granted(clerk, holder, third)

    assert (alone["__typename"], enrolled) == (
        "Refused",
        {"__typename": "Enrolment", "role": "piloto", "holderName": "Ipê Motos"},
    )
    assert permit["holder"] == {"id": holder, "name": "Ipê Motos"}
    assert (swapped["vehicle"]["id"], permit["until"], extended["until"]) == (second, "2030-03-10", "2034-03-10")
    assert another["__typename"] == "Refused", "two of five are more than a quarter"
    assert "no máximo 25% das outorgas" in another["decision"]["message"]
