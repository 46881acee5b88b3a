"""Fifty at once for the last place, against two API processes: one has it, the others are told why not."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from pathlib import Path
from random import Random
from typing import Any
from uuid import UUID

import httpx
import pytest

from api.documents import trusted
from api.types.scalars import global_id
from deploy.fictitious.numbers import Numbers
from services.access import Actor, actor_of, operator
from services.accounts import appointments
from services.database import Database, Transaction
from services.permits.granting import grant_permit
from services.permits.swapping import swap_vehicle
from services.registry import people, vehicles
from services.tokens import Issuer
from tests.support.processes import ISSUER, api_processes, environment
from tests.support.register import found

ROUNDS, AT_ONCE, PLACES = 20, 50, 3
DOCUMENTS = {name.partition("/")[2]: text for name, text in trusted().items()}
CATEGORIES = [f"taxi_{number:02d}" for number in range(ROUNDS)]
OFFICES = """
[[office]]
rows = [{ code = "prefeito", title = "Prefeito", may = ["grant", "license", "register", "read"], cite = "art. 2" }]
[list]
holder = { autonomo = "Autônomo" }
[[instrument]]
rows = [{ code = "termo", title = "Termo", cite = "art. 3", chosen_by = "authorization" }]
[[share]]
cite = "art. 5"
code = "duas"
title = "Duas portas"
applies = { category = "taxi" }
if = "vehicle.doors == 2"
most = "2%"
"""
LAW = OFFICES + "".join(
    f"""
[[category]]
rows = [{{ code = "{code}", title = "Táxi", cite = "art. 1" }}]
[[quota]]
code = "vagas_{code}"
title = "Vagas"
cite = "art. 4"
applies = {{ category = "{code}" }}
value = {PLACES}
"""
    for code in CATEGORIES
)


class Crowd:
    """A town, its prefeita, and two API processes with a connection for each request."""

    def __init__(self, database: Database, town: UUID, clients: list[httpx.AsyncClient]) -> None:
        self.database, self.town, self.clients = database, town, clients
        self._numbers = Numbers(Random(1))  # noqa: S311 - no secret

    async def at_once(self, operation: str, inputs: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """All requests, released together, half of them to each process; what each came to."""
        query = DOCUMENTS[operation]
        gate = asyncio.Event()

        async def ask(at: int, given: dict[str, Any]) -> dict[str, Any]:
            await gate.wait()
            body = {"query": query, "variables": {"input": given}}
            answer = (await self.clients[at % len(self.clients)].post("/t/praca-cheia/graphql", json=body)).json()
            assert "errors" not in answer, answer["errors"]
            return dict(answer["data"][operation])

        asked = [asyncio.create_task(ask(at, given)) for at, given in enumerate(inputs)]
        await asyncio.sleep(0)
        gate.set()
        return await asyncio.gather(*asked)

    async def pairs(self, tx: Transaction, actor: Actor, count: int) -> list[tuple[UUID, UUID]]:
        """Holders, each with a four-door vehicle."""
        made = []
        for _ in range(count):
            person = await people.register_person(tx, actor, cpf=self._numbers.cpf(), name="Pessoa Qualquer")
            holder = await people.register_holder(tx, actor, kind="autonomo", person_id=person.id)
            made.append((holder.id, await self.vehicle(tx, actor, holder.id, doors=4)))
        return made

    async def vehicle(self, tx: Transaction, actor: Actor, holder: UUID, *, doors: int) -> UUID:
        plate = self._numbers.plate(mercosul=True)
        return (await vehicles.register_vehicle(tx, actor, plate=plate, holder_id=holder, doors=doors)).id

    async def count(self, sql: str, **params: Any) -> int:
        async with self.database.reader(self.town) as tx:
            return int(await tx.scalar(sql, **params))


@pytest.fixture
async def crowd(own_database: Database, tmp_path: Path) -> AsyncIterator[Crowd]:
    town = await found(own_database, "praca-cheia", law=LAW)
    keys = tmp_path / "keys"
    keys.mkdir(mode=0o700)
    async with own_database.transaction(town) as tx:
        await appointments.appoint(tx, operator("op"), subject="prefeita", office="prefeito", since=tx.today)
    settings = own_database.settings.model_copy(update={"issuer": ISSUER})
    token = Issuer(keys).token(settings, own_database.clock, subject="prefeita", town="praca-cheia")
    connections, moment = str(AT_ONCE // 2), own_database.clock.now().isoformat()
    env = environment(own_database, keys, PRACA_POOL_SIZE=connections, PRACA_CLOCK=moment)
    headers, limits = {"authorization": f"Bearer {token}"}, httpx.Limits(max_connections=AT_ONCE)
    with api_processes(2, env, tmp_path) as addresses:
        clients = [httpx.AsyncClient(base_url=a, headers=headers, limits=limits, timeout=60) for a in addresses]
        yield Crowd(own_database, town, clients)
        for client in clients:
            await client.aclose()


async def test_the_last_place_of_a_quota_goes_to_one(crowd: Crowd) -> None:
    """Twenty times over: one grant, forty-nine refusals with the article, and nothing half-done."""
    async with crowd.database.transaction(crowd.town) as tx:
        prefeita = await actor_of(tx, "prefeita")
        pairs = await crowd.pairs(tx, prefeita, AT_ONCE + ROUNDS * PLACES)
        for category in CATEGORIES:
            for _ in range(PLACES - 1):
                holder, vehicle = pairs.pop()
                await grant_permit(tx, prefeita, category=category, holder_id=holder, vehicle_id=vehicle)
    for category in CATEGORIES:
        asking = pairs[:AT_ONCE]
        results = await crowd.at_once("grantPermit", [wish(category, *pair) for pair in asking])

        assert Counter("code" in result for result in results) == {False: 1, True: AT_ONCE - 1}
        refused = [result for result in results if "code" in result]
        assert {result["code"] for result in refused} == {"REFUSED"}
        cited = {c["text"] for result in refused for part in result["decision"]["parts"] for c in part["citations"]}
        assert "Lei 1/2000, art. 4" in cited
        (winner,) = [pair for pair, result in zip(asking, results, strict=True) if "code" not in result]
        pairs.remove(winner)
    permits = ROUNDS * PLACES
    assert await crowd.count("SELECT count(*) FROM permit WHERE tenant_id = :tenant") == permits
    assert await crowd.count("SELECT count(*) FROM permit_vehicle WHERE tenant_id = :tenant") == permits
    granted = "SELECT count(*) FROM act WHERE tenant_id = :tenant AND verb = 'permit.granted'"
    assert await crowd.count(granted) == permits
    assert await crowd.count("SELECT count(DISTINCT number) FROM permit WHERE tenant_id = :tenant") == permits


def wish(category: str, holder: UUID, vehicle: UUID) -> dict[str, Any]:
    ids = {"holderId": global_id("holder", holder), "vehicleId": global_id("vehicle", vehicle)}
    return {"category": category, **ids}


async def test_the_last_two_door_car_of_the_share_is_one(crowd: Crowd) -> None:
    """Of fifty taxis at most two per cent may have two doors: of fifty swaps at once, one."""
    async with crowd.database.transaction(crowd.town) as tx:
        prefeita = await actor_of(tx, "prefeita")
        permits = []
        for holder, vehicle in await crowd.pairs(tx, prefeita, AT_ONCE):
            permit = await grant_permit(tx, prefeita, category="taxi", holder_id=holder, vehicle_id=vehicle)
            permits.append((permit.id, vehicle, await crowd.vehicle(tx, prefeita, holder, doors=2)))
    for _ in range(ROUNDS):
        results = await crowd.at_once("swapVehicle", [swap(permit, two) for permit, _, two in permits])

        assert Counter("code" in result for result in results) == {False: 1, True: AT_ONCE - 1}
        refused = [result for result in results if "code" in result]
        assert {result["code"] for result in refused} == {"REFUSED"}
        assert all(any("art. 5" in c["text"] for c in result["decision"]["citations"]) for result in refused)
        (winner,) = [permit for permit, result in zip(permits, results, strict=True) if "code" not in result]
        async with crowd.database.transaction(crowd.town) as tx:
            await swap_vehicle(tx, prefeita, permit_id=winner[0], vehicle_id=winner[1])
    swapped = "SELECT count(*) FROM act WHERE tenant_id = :tenant AND verb = 'vehicle.swapped'"
    assert await crowd.count(swapped) == ROUNDS * 2


def swap(permit: UUID, vehicle: UUID) -> dict[str, Any]:
    return {"permitId": global_id("permit", permit), "vehicleId": global_id("vehicle", vehicle)}
