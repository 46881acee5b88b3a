"""A vacancy counts once: whoever is granted, called or moved, no quota, none of an area, no slot is exceeded."""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable
from datetime import date, timedelta
from random import Random
from typing import Any
from uuid import UUID

import pytest

from deploy.fictitious.numbers import Numbers
from services.access import Actor, actor_of, operator
from services.accounts import appointments
from services.database import Database, Transaction
from services.errors import Invalid, Refused
from services.permits.granting import grant_permit
from services.registry import people, vehicles
from services.selection import awarding, calling, drawing, enrolling, freezing, signing
from services.stands import changes, listing
from services.stands.slots import assign_stand
from tenants.law.decision import Decision
from tests.support.register import found, publish

TODAY = date(2026, 3, 10)
ACT: dict[str, Any] = {"norm": "Decreto 1/2026", "official_on": TODAY}
POWERS = ["grant", "license", "register", "read", "stands", "decide"]
BASE = f"""
[[office]]
rows = [{{ code = "prefeito", title = "Prefeito", may = {POWERS}, cite = "art. 2" }}]
[list]
holder = {{ autonomo = "Autônomo" }}
area = {{ centro = "Centro", serra = "Distrito da Serra" }}
[[instrument]]
rows = [{{ code = "termo", title = "Termo", cite = "art. 3", chosen_by = "draw" }}]
[[selection]]
code = "ordem"
cite = "art. 7"
applies = {{ category = "taxi" }}
order = [{{ draw = true, cite = "art. 7" }}]
[[stand_policy]]
rows = [{{ code = "pontos", cite = "art. 8", applies = {{ category = "taxi" }}, create = "decree", close = "decree" }}]
"""
STANDS = """
[[stand]]
applies = { category = "taxi" }
rows = [
  { number = 1, place = "Praça", slots = 3, area = "centro", cite = "art. 5" },
  { number = 2, place = "Estação", slots = 3, area = "centro", cite = "art. 5" },
  { number = 3, place = "Bairro", slots = 4, cite = "art. 5" },
  { number = 4, place = "Distrito", slots = 3, area = "serra", cite = "art. 5" },
]
[[quota]]
rows = [
  { code = "todos", applies = { category = "taxi" }, value = 5, cite = "art. 4" },
  { code = "no_centro", applies = { category = "taxi", area = "centro" }, value = 2, cite = "art. 4, § 1" },
  { code = "na_serra", applies = { category = "taxi", area = "serra" }, value = 1, beside = true, cite = "art. 9" },
]
"""
BY_STANDS = """
[[stand]]
rows = [{ number = 1, place = "Praça", slots = 3, cite = "art. 5", applies = { category = "taxi" } }]
[[quota]]
rows = [{ code = "pontos", applies = { category = "taxi" }, stands = true, cite = "art. 4" }]
"""
_numbers = Numbers(Random(13))  # noqa: S311 - no secret


class Town:
    """Each step in a transaction of its own, by the one office that may do everything."""

    def __init__(self, database: Database, id: UUID) -> None:
        self.database, self.id = database, id

    async def does(self, use_case: Callable[..., Awaitable[Any]], /, **given: Any) -> Any:
        async def work(tx: Transaction) -> Any:
            return await use_case(tx, await self.prefeito(tx), **given)

        return await self.database.perform(self.id, work)

    async def prefeito(self, tx: Transaction) -> Actor:
        return await actor_of(tx, "prefeita")

    async def pair(self) -> dict[str, UUID]:
        person = await self.does(people.register_person, cpf=_numbers.cpf(), name="Ana")
        holder = await self.does(people.register_holder, kind="autonomo", person_id=person.id)
        plate = _numbers.plate(mercosul=True)
        vehicle = await self.does(vehicles.register_vehicle, plate=plate, holder_id=holder.id)
        return {"holder_id": holder.id, "vehicle_id": vehicle.id}

    async def grants(self, stand: str | None = None, **given: Any) -> UUID:
        told = {"category": "taxi", "stand": stand, **(given or await self.pair())}
        found: UUID = (await self.does(grant_permit, **told)).id
        return found

    async def opens(self, vacancies: int, **given: Any) -> UUID:
        days = {"closes_on": self.database.clock.now().date() + timedelta(days=1)}
        call = await self.does(calling.open_call, category="taxi", vacancies=vacancies, **days, **given)
        found: UUID = call.id
        return found

    async def published(self, call: UUID, how_many: int) -> list[UUID]:
        """So many enrol as there are vacancies: nobody need be drawn."""
        made = [
            (await self.does(enrolling.enrol_candidate, call_id=call, **await self.pair())).id for _ in range(how_many)
        ]
        self.pass_days(3)
        lottery = {"draw_source": "Loteria", "draw_on": self.database.clock.now().date() + timedelta(days=2)}
        await self.does(freezing.freeze_call, call_id=call, **lottery)
        await self.does(drawing.publish_result, call_id=call)
        return made

    def pass_days(self, days: int) -> None:
        self.database.clock.at += timedelta(days=days)  # type: ignore[attr-defined]

    async def count(self, sql: str) -> int:
        async with self.database.reader(self.id) as tx:
            return int(await tx.scalar(sql))


@pytest.fixture
async def town(own_database: Database) -> Town:
    return await of_law(own_database, STANDS)


async def of_law(database: Database, law: str) -> Town:
    id = await found(database, law=BASE + law)
    async with database.transaction(id) as tx:
        await appointments.appoint(tx, operator("op"), subject="prefeita", office="prefeito", since=tx.today)
    return Town(database, id)


def cited(decision: Decision) -> set[str]:
    return {citation.short for part in (decision, *decision.parts) for citation in part.citations}


async def no_of(asked: Awaitable[Any]) -> Decision:
    with pytest.raises(Refused) as refused:
        await asked
    return refused.value.decision


# --- quotas of areas ---------------------------------------------------------------------------------------------


async def test_nobody_comes_to_wait_in_an_area_whose_quota_is_full(town: Town) -> None:
    here = [await town.grants("1"), await town.grants("2")]
    away = await town.grants("3")

    no = await no_of(town.does(assign_stand, permit_id=away, stand="2"))
    await town.does(assign_stand, permit_id=here[0], stand="2")  # within the area nobody is more
    await town.does(assign_stand, permit_id=here[1], stand="3")
    await town.does(assign_stand, permit_id=away, stand="1")

    assert "art. 4, § 1" in cited(no)
    assert "limite 2" in no.message


async def test_a_stand_does_not_bring_more_into_an_area_than_its_quota_leaves(town: Town) -> None:
    for stand in ("1", "3", "3"):
        await town.grants(stand)

    no = await no_of(town.does(changes.move_stand, stand="3", area="centro", **ACT))
    moved = await town.does(changes.move_stand, stand="1", area="serra", **ACT)

    assert "art. 4, § 1" in cited(no)
    assert moved.view.stand.area == "serra"


async def test_of_two_areas_quotas_one_beside_the_towns_takes_nothing_of_it(town: Town) -> None:
    """Five in the town, one more in the district; who comes from there into the town needs room in it."""
    mountain = await town.grants("4")
    for _ in range(5):
        await town.grants("3" if await town.count("SELECT count(*) FROM permit") < 4 else None)

    full = await no_of(town.grants("3"))
    coming = await no_of(town.does(assign_stand, permit_id=mountain, stand="3"))

    assert {"art. 4"} <= cited(full)
    assert {"art. 4"} <= cited(coming)


async def test_what_is_free_at_a_stand_is_what_its_areas_quota_leaves(town: Town) -> None:
    await town.grants("1")

    async with town.database.reader(town.id) as tx:
        views = await listing.stands(tx, await tx.law(on=tx.today), "taxi")

    assert [(view.stand.number, view.free, view.left) for view in views] == [
        (1, 1, 1), (2, 1, 1), (3, 4, None), (4, 1, 1)
    ]  # fmt: skip


async def test_a_call_is_for_what_the_areas_leave(town: Town) -> None:
    """Six slots in the centre, of which its quota leaves two; the district's are beside the town's."""
    with pytest.raises(Invalid, match="área"):
        await town.opens(1, area="lua")
    centre = await no_of(town.opens(3, area="centro"))
    whole = await no_of(town.opens(6))
    await town.opens(2, area="centro")
    await town.opens(1, area="serra")
    left = await no_of(town.opens(4))
    await town.opens(3)

    assert "art. 4, § 1" in cited(centre)
    assert "art. 4" in cited(whole)
    assert "Há 3 vaga(s) para o edital, além de 2 já em edital" in left.message


async def test_the_signature_is_for_a_stand_of_the_calls_area(town: Town) -> None:
    call = await town.opens(1, area="centro")
    (ana,) = await town.published(call, 1)
    await town.does(awarding.award, call_id=call)

    no = await no_of(town.does(signing.sign_adhesion, candidate_id=ana, stand="3"))
    signed = await town.does(signing.sign_adhesion, candidate_id=ana, stand="1")

    assert "são da área centro" in no.message
    assert signed.permit_id


async def test_of_a_quota_that_has_shrunk_no_more_is_awarded_than_it_leaves(town: Town) -> None:
    call = await town.opens(5)
    await town.published(call, 5)
    async with town.database.transaction(town.id) as tx:
        await publish(tx, BASE + STANDS.replace("value = 5", "value = 0"), official_on=tx.today)

    no = await no_of(town.does(awarding.award, call_id=call))

    assert "art. 4" in cited(no)
    assert await town.count("SELECT count(*) FROM selection_candidate WHERE awarded_on IS NOT NULL") == 0


# --- promised ----------------------------------------------------------------------------------------------------


async def test_what_a_call_has_promised_is_granted_to_nobody_else(town: Town) -> None:
    await town.opens(4)
    await town.grants("3")

    no = await no_of(town.grants("3"))
    without_a_stand = await no_of(town.grants())

    assert "As vagas livres (4) estão em edital" in no.message == without_a_stand.message
    assert "art. 7" in cited(no)
    await town.grants("4")  # the district's are not the call's


async def test_an_award_is_taken_up_though_all_the_rest_is_promised(town: Town) -> None:
    call = await town.opens(2)
    ana, _ = await town.published(call, 2)
    await town.opens(3)
    await town.does(awarding.award, call_id=call)

    await no_of(town.grants("3"))
    await town.does(signing.sign_adhesion, candidate_id=ana, stand="3")

    assert await town.count("SELECT count(*) FROM permit") == 1


async def test_a_slot_that_is_promised_is_taken_by_no_permit_and_by_no_act_on_stands(own_database: Database) -> None:
    town = await of_law(own_database, BY_STANDS)
    waiting_nowhere = await town.grants()
    await town.opens(2)

    grant = await no_of(town.grants())
    fewer = await no_of(town.does(changes.move_stand, stand="1", slots=2, **ACT))
    closed = await no_of(town.does(changes.close_stand, stand="1", **ACT))

    assert all("em edital" in no.message for no in (fewer, closed))
    assert "em edital" in grant.message
    await town.does(assign_stand, permit_id=waiting_nowhere, stand="1")


async def test_who_waits_nowhere_takes_a_slot_where_the_stands_are_the_quota(own_database: Database) -> None:
    town = await of_law(own_database, BY_STANDS)
    for _ in range(3):
        await town.grants()

    no = await no_of(town.grants())

    assert "art. 4" in cited(no)


async def test_at_once_calls_and_grants_never_give_more_than_there_is(own_database: Database) -> None:
    """Three slots: of grants and calls for one vacancy, all at the same time, three succeed."""
    town = await of_law(own_database, BY_STANDS)
    pairs = [await town.pair() for _ in range(6)]

    asked = [*(town.grants("1", **pair) for pair in pairs), *(town.opens(1) for _ in range(6))]
    Random(7).shuffle(asked)  # noqa: S311 - no secret
    results = await asyncio.gather(*asked, return_exceptions=True)

    assert Counter(isinstance(result, UUID) for result in results) == {True: 3, False: 9}
    assert {type(result) for result in results if not isinstance(result, UUID)} == {Refused}
    permits = await town.count("SELECT count(*) FROM permit")
    assert permits + await town.count("SELECT sum(vacancies) FROM selection_call") == 3
