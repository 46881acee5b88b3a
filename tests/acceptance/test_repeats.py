"""A request that is sent again is answered with what it came to, and done once; with other input it is a Conflict."""

from __future__ import annotations

from collections.abc import AsyncIterator
from itertools import count
from typing import TYPE_CHECKING, Any

import pytest
from graphql import get_named_type

from services.access import operator
from services.accounts import appointments
from tests.acceptance.applying import company_input, person_input
from tests.acceptance.two_towns import BASES, LAW, OURS, Base, Town
from tests.acceptance.two_towns_service import ACT, TAXI
from tests.support.register import found
from tests.support.schema import MUTATIONS
from tests.support.web import edge

if TYPE_CHECKING:
    from pathlib import Path

    from services.database import Database

# What names its requests otherwise, or has nothing to be done twice.
WITHOUT = {
    "onboard": "the town is there already: Conflict",
    "recordOccurrence": "the device's own name for the record, `clientId`",
    "fileComplaint": "its answer holds a secret that is kept nowhere",
    "markNoticesRead": "what is read is read",
    "reportBounce": "the mail server's own id of the message",
}
_numbers = count(500)


async def stand(town: Town) -> dict[str, Any]:
    return {**TAXI, "number": next(_numbers), "place": "Praça", "slots": 1, **ACT}


async def moving(town: Town) -> dict[str, Any]:
    given = await stand(town)
    await town.body("createStand", {"input": given})
    return {"stand": str(given["number"]), "place": f"Rua {given['number']}", **ACT}


async def person(town: Town) -> dict[str, Any]:
    return person_input()


async def company(town: Town) -> dict[str, Any]:
    return company_input()


async def opening(town: Town) -> dict[str, Any]:
    return {**TAXI, "vacancies": 1, "announcedOn": "2026-03-01", "closesOn": f"2030-01-{next(_numbers) % 28 + 1:02d}"}


async def appointing(town: Town) -> dict[str, Any]:
    return {"subject": f"alguem-{next(_numbers)}", "office": "tudo", "since": "2026-03-01"}


async def removing(town: Town) -> dict[str, Any]:
    given = await appointing(town)
    await town.body("appoint", {"input": given})
    return {"subject": given["subject"], "office": "tudo", "on": "2026-03-10"}


OWN: dict[str, Base] = {
    "createStand": stand,
    "moveStand": moving,
    "registerPerson": person,
    "registerCompany": company,
    "openCall": opening,
    "appoint": appointing,
    "removeAppointment": removing,
}


@pytest.fixture(scope="module")
async def town(database_of_module: Database, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Town]:
    folder: Path = tmp_path_factory.mktemp("repeats")
    id = await found(database_of_module, OURS, law=LAW)
    async with database_of_module.transaction(id) as tx:
        await appointments.appoint(tx, operator("op"), subject="chefe", office="tudo", since=tx.today)
    async with edge(database_of_module, folder) as web:
        yield Town(web, OURS)


def fields_of(name: str) -> dict[str, Any]:
    fields: dict[str, Any] = get_named_type(MUTATIONS[name].args["input"].type).fields
    return fields


def test_every_mutation_takes_a_name_for_the_request() -> None:
    assert {name for name in MUTATIONS if "requestId" not in fields_of(name)} == set(WITHOUT)


ASKED = sorted({*BASES, *OWN} & {name for name in MUTATIONS if "requestId" in fields_of(name)})


async def given(town: Town, name: str) -> dict[str, Any]:
    if name in OWN:
        return await OWN[name](town)
    told: dict[str, Any] = (await BASES[name](town))["input"]
    return told


@pytest.mark.parametrize("name", ASKED)
async def test_a_request_is_done_once(town: Town, name: str) -> None:
    one, named = await given(town, name), {"requestId": f"pedido {name}"}

    first = await town.body(name, {"input": one | named})
    again = await town.body(name, {"input": one | named})
    otherwise = await town.body(name, {"input": await given(town, name) | named})

    assert "code" not in first["data"][name], first
    assert again == first
    assert otherwise["data"][name]["code"] == "CONFLICT"
    assert "requestId" in otherwise["data"][name]["message"]
