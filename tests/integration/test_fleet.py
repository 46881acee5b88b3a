"""Two at once on the same vehicle or driver: what one has done the other sees, and nothing is done twice."""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import date
from typing import Any
from uuid import UUID

import pytest

from services.access import Actor
from services.database import Database, Transaction
from services.drivers.barring import suspend_driver
from services.drivers.enrolling import enrol_driver
from services.errors import Conflict, Expected, Refused
from services.fleet.changing import update_vehicle
from services.fleet.extending import extend_vehicle
from services.fleet.selling import sell_vehicle
from services.inspections.recording import record_inspection
from services.inspections.scheduling import schedule_inspection
from services.permits.ending import end_permit
from services.permits.swapping import swap_vehicle
from services.registry.papers import file_paper
from tests.support.factories import BARRA, COTRIGUACU, Maker, make_town, officer

CARRIED = ["taximetro", "caixa_luminosa", "tabela_tarifas", "distico", "crlt", "laudo", "alvara"]
Use = Callable[[Transaction, Actor], Awaitable[Any]]


async def at_once(database: Database, town: UUID, *uses: tuple[str, Use]) -> list[Any]:
    """What each comes to, with an officer of its power: its answer, or its expected no."""

    async def perform(power: str, use: Use) -> Any:
        try:
            return await database.perform(town, lambda tx: acting(tx, power, use))
        except Expected as no:
            return no

    async def acting(tx: Transaction, power: str, use: Use) -> Any:
        return await use(tx, await officer(tx, power))

    return await asyncio.gather(*(perform(power, use) for power, use in uses))


def noes(answers: list[Any]) -> list[type]:
    return [type(answer) for answer in answers if isinstance(answer, Expected)]


async def taxi(database: Database, slug: str = BARRA, on: date | None = None) -> tuple[UUID, UUID, UUID]:
    """A town, and in it a taxi's permit and vehicle."""
    town = await make_town(database, slug)
    async with database.transaction(town) as tx:
        permit = await (await Maker.of(tx)).permit(on)
        vehicle = await tx.scalar("SELECT vehicle_id FROM permit_vehicle WHERE tenant_id = :tenant")
    return town, permit.id, vehicle


async def count(database: Database, town: UUID, sql: str, **params: Any) -> int:
    async with database.reader(town) as tx:
        return int(await tx.scalar(sql, **params))


async def test_a_change_that_another_has_overtaken_is_told_so(own_database: Database) -> None:
    town, _, vehicle = await taxi(own_database)

    def seats(number: int) -> Use:
        return lambda tx, actor: update_vehicle(tx, actor, vehicle_id=vehicle, version=1, seats=number)

    answers = await at_once(own_database, town, ("register", seats(4)), ("register", seats(3)))

    assert noes(answers) == [Conflict]
    assert await count(own_database, town, "SELECT version FROM vehicle WHERE id = :id", id=vehicle) == 2


async def test_a_vehicle_is_sold_once(own_database: Database) -> None:
    town, _, vehicle = await taxi(own_database)

    def sell(tx: Transaction, actor: Actor) -> Awaitable[Any]:
        return sell_vehicle(tx, actor, vehicle_id=vehicle, sold_on=tx.today, version=1)

    answers = await at_once(own_database, town, ("register", sell), ("register", sell))

    assert noes(answers) == [Conflict]
    assert await count(own_database, town, "SELECT count(*) FROM sale") == 1


async def test_a_sale_and_a_swap_at_once_leave_one_vehicle_in_service(own_database: Database) -> None:
    town, permit, vehicle = await taxi(own_database)
    async with own_database.transaction(town) as tx:
        holder = await tx.scalar("SELECT holder_id FROM permit WHERE tenant_id = :tenant AND id = :id", id=permit)
        newer = await (await Maker.of(tx, "newer")).candidate()
        await tx.rows("UPDATE vehicle SET holder_id = :holder WHERE id = :id", holder=holder, id=newer.vehicle_id)

    def sell(tx: Transaction, actor: Actor) -> Awaitable[Any]:
        return sell_vehicle(tx, actor, vehicle_id=vehicle, sold_on=tx.today)

    def swap(tx: Transaction, actor: Actor) -> Awaitable[Any]:
        return swap_vehicle(tx, actor, permit_id=permit, vehicle_id=newer.vehicle_id or vehicle, judged=True)

    answers = await at_once(own_database, town, ("register", sell), ("license", swap))

    assert noes(answers) == []
    now = "SELECT count(*) FROM permit_vehicle WHERE NOT isempty(during) AND upper_inf(during)"
    assert await count(own_database, town, now) == 1
    running = "SELECT count(*) FROM deadline WHERE subject_id = :id AND state = 'open' AND kind = 'idade_permanencia'"
    assert await count(own_database, town, running, id=vehicle) == 0
    assert await count(own_database, town, running, id=newer.vehicle_id) == 1


async def test_an_appointment_is_one_for_all_who_give_it(own_database: Database) -> None:
    town, _, vehicle = await taxi(own_database)

    def schedule(day: int) -> Use:
        on = date(2026, 4, day)
        return lambda tx, actor: schedule_inspection(tx, actor, vehicle_id=vehicle, rule="vistoria", on=on)

    answers = await at_once(own_database, town, ("inspect", schedule(1)), ("inspect", schedule(2)))

    assert noes(answers) == []
    assert len(set(answers)) == 1
    assert await count(own_database, town, "SELECT count(*) FROM inspection") == 1


async def test_two_inspections_at_once_leave_one_term_running(own_database: Database) -> None:
    town, _, vehicle = await taxi(own_database)

    def inspect(tx: Transaction, actor: Actor) -> Awaitable[Any]:
        given: dict[str, Any] = {"rule": "vistoria", "carried": CARRIED, "approved": ["bom_estado"]}
        return record_inspection(tx, actor, vehicle_id=vehicle, **given)

    answers = await at_once(own_database, town, ("inspect", inspect), ("inspect", inspect))

    assert noes(answers) == []
    assert len(set(answers)) == 2
    terms = "SELECT count(*) FROM deadline WHERE subject_id = :id AND kind = 'vistoria' AND state = 'open'"
    assert await count(own_database, town, terms, id=vehicle) == 1


async def test_more_time_is_granted_once(own_database: Database) -> None:
    town, _, vehicle = await taxi(own_database)
    async with own_database.transaction(town) as tx:
        clerk = await officer(tx, "register")
        await file_paper(tx, clerk, subject_id=vehicle, code="avaliacao", issued_on=tx.today)

    def extend(tx: Transaction, actor: Actor) -> Awaitable[Any]:
        return extend_vehicle(tx, actor, vehicle_id=vehicle)

    answers = await at_once(own_database, town, ("license", extend), ("license", extend))

    assert noes(answers) == [Refused]
    assert await count(own_database, town, "SELECT count(*) FROM act WHERE verb = 'vehicle.extended'") == 1


async def test_a_driver_is_enrolled_and_suspended_once(own_database: Database) -> None:
    town = await make_town(own_database, COTRIGUACU)
    async with own_database.transaction(town) as tx:
        maker = await Maker.of(tx)
        holder = await maker.holder("empresa", company_id=(await maker.company()).id)
        driver = await maker.driver(cnh_categories=["D"])

    def enrol(tx: Transaction, actor: Actor) -> Awaitable[Any]:
        given: dict[str, Any] = {"driver_id": driver.id, "holder_id": holder.id}
        return enrol_driver(tx, actor, **given, category="taxi", role="empregado")

    def suspend(tx: Transaction, actor: Actor) -> Awaitable[Any]:
        return suspend_driver(tx, actor, driver_id=driver.id, why="Processo")

    enrolled = await at_once(own_database, town, ("register", enrol), ("register", enrol))
    suspended = await at_once(own_database, town, ("suspend", suspend), ("suspend", suspend))

    assert (noes(enrolled), noes(suspended)) == ([Conflict], [Conflict])
    assert await count(own_database, town, "SELECT count(*) FROM enrolment") == 1
    assert await count(own_database, town, "SELECT count(*) FROM driver_bar") == 1


# A vehicle that was on another permit, and was replaced on the day on which it came: it has never served it.
FOR_NO_DAY = """
INSERT INTO permit_vehicle (tenant_id, permit_id, vehicle_id, during, act_id)
SELECT tenant_id, id, :vehicle, 'empty', granted_act FROM permit WHERE tenant_id = :tenant AND id = :other RETURNING id
"""


@pytest.mark.parametrize("elsewhere", [False, True])
async def test_when_a_permit_ends_nothing_more_is_demanded_of_its_vehicle(
    own_database: Database, elsewhere: bool
) -> None:
    town, permit, vehicle = await taxi(own_database, on=date(2026, 3, 2))
    async with own_database.transaction(town) as tx:
        if elsewhere:
            await tx.rows(FOR_NO_DAY, vehicle=vehicle, other=(await (await Maker.of(tx, "other")).permit()).id)
        inspector = await officer(tx, "inspect")
        given: dict[str, Any] = {"rule": "vistoria", "carried": CARRIED, "approved": ["bom_estado"]}
        await record_inspection(tx, inspector, vehicle_id=vehicle, **given)
    running = "SELECT count(*) FROM deadline WHERE subject_id = :id AND state = 'open' AND kind = ANY(:kinds)"
    asked = {"id": vehicle, "kinds": ["vistoria", "idade_permanencia"]}
    before = await count(own_database, town, running, **asked)

    async with own_database.transaction(town) as tx:
        await end_permit(tx, await officer(tx, "cancel"), permit_id=permit, cause="falecimento")

    assert (before, await count(own_database, town, running, **asked)) == (2, 0)
