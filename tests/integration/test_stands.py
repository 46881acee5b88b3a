"""Stands under the founding laws: created, moved and closed by acts that publish law; nobody is left without a slot."""

import asyncio
from collections.abc import AsyncIterator
from datetime import date, datetime
from typing import Any

import pytest

from services.access import Actor, actor_of
from services.database import Database, Transaction
from services.errors import Conflict, Forbidden, Invalid, Refused
from services.permits import store as permits
from services.registry.facts import facts
from services.stands import changes, listing, store
from services.stands.slots import assign_stand, room_at
from tenants.law.decide import decide
from tenants.law.decision import Outcome
from tenants.law.kinds.stands import Stand
from tenants.law.questions import StandUseQuestion
from tests.support.factories import BARRA, COTRIGUACU, Maker, make_town

TODAY = date(2026, 3, 10)
JUNE = date(2026, 6, 1)
ACT: dict[str, Any] = {"norm": "Decreto 12/2026", "official_on": TODAY, "judged": True}
HEARD = [{"code": code, "source": f"Parecer da {code}"} for code in ("fiscalizacao", "transito")]
WANTED = [
    {"code": code, "source": "Exposição de motivos"} for code in ("interesse público", "conveniência administrativa")
]
LEAVE = {"code": "legislative", "source": "Lei 700/2026"}
NEW: dict[str, Any] = {"category": "taxi", "number": 20, "place": "Praça da Matriz", "slots": 2}


@pytest.fixture
async def barra(own_database: Database) -> AsyncIterator[Transaction]:
    async with own_database.transaction(await make_town(own_database, BARRA)) as tx:
        yield tx


@pytest.fixture
async def cotriguacu(own_database: Database) -> AsyncIterator[Transaction]:
    async with own_database.transaction(await make_town(own_database, COTRIGUACU)) as tx:
        yield tx


async def mayor(tx: Transaction) -> Actor:
    return (await Maker.of(tx)).offices.who("stands")


async def slots_on(tx: Transaction, *days: date, code: str = "20") -> list[int | None]:
    found = [(await tx.law(on=day)).get(Stand, code) for day in days]
    return [None if stand is None else stand.slots for stand in found]


async def verbs(tx: Transaction) -> list[str]:
    return [row.verb for row in await tx.rows("SELECT verb FROM act WHERE tenant_id = :tenant ORDER BY id")]


async def test_a_stand_is_created_from_a_day_on_with_its_articles(barra: Transaction) -> None:
    made = await changes.create_stand(barra, await mayor(barra), **NEW, **ACT, met=HEARD, since=JUNE)

    assert await slots_on(barra, date(2026, 5, 31), JUNE) == [None, 2]
    assert made.view is not None
    assert (made.view.free, made.view.found.publication) == (2, "Decreto 12/2026")
    assert "Lei 3.085/2009, art. 23, § 3" in [str(cited) for cited in made.view.stand.cite]
    assert (await verbs(barra))[-1] == "stand.created"


async def test_the_offices_that_the_law_wants_heard_are_named(barra: Transaction) -> None:
    with pytest.raises(Refused) as no:
        await changes.create_stand(barra, await mayor(barra), **NEW, **ACT, met=HEARD[:1])

    assert [missing.code for missing in no.value.decision.missing] == ["stand.transito"]
    with pytest.raises(Refused) as undecided:
        await changes.create_stand(barra, await mayor(barra), **NEW, **{**ACT, "judged": False}, met=HEARD)
    assert undecided.value.decision.office == "prefeito"
    assert await slots_on(barra, JUNE) == [None]


async def test_the_other_town_wants_the_legislature_s_leave_and_fixed_stands_only(cotriguacu: Transaction) -> None:
    prefeito = await mayor(cotriguacu)

    with pytest.raises(Refused) as no:
        await changes.create_stand(cotriguacu, prefeito, **NEW, **ACT, met=WANTED)
    assert [missing.code for missing in no.value.decision.missing] == ["stand.legislative"]
    with pytest.raises(Refused, match="fixos"):
        await changes.create_stand(cotriguacu, prefeito, **NEW, **ACT, met=[*WANTED, LEAVE], access="open")

    await changes.create_stand(cotriguacu, prefeito, **NEW, **ACT, met=[*WANTED, LEAVE])
    assert await slots_on(cotriguacu, TODAY) == [2]


async def test_a_law_without_rules_on_stands_does_not_provide_them(barra: Transaction) -> None:
    with pytest.raises(Refused, match="A lei deste município não prevê criar pontos") as no:
        await changes.create_stand(barra, await mayor(barra), **{**NEW, "category": "escolar"}, **ACT, met=HEARD)

    assert [(missing.kind, missing.code) for missing in no.value.decision.missing] == [("rule", "stand_policy")]


async def test_only_who_the_law_names_may(barra: Transaction) -> None:
    clerk = (await Maker.of(barra)).offices.who("register")

    with pytest.raises(Forbidden) as no:
        await changes.create_stand(barra, clerk, **NEW, **ACT, met=HEARD)
    assert "Lei 3.085/2009, art. 23, § 3" in no.value.citations


async def test_a_number_that_is_taken_and_a_day_before_publication_are_told(barra: Transaction) -> None:
    prefeito = await mayor(barra)

    with pytest.raises(Invalid, match="Já existe o ponto 5"):
        await changes.create_stand(barra, prefeito, **{**NEW, "number": 5}, **ACT, met=HEARD)
    with pytest.raises(Invalid, match="antes da sua publicação"):
        await changes.create_stand(barra, prefeito, **NEW, **ACT, met=HEARD, since=date(2026, 3, 9))
    with pytest.raises(Invalid, match="ainda não chegou"):
        await changes.create_stand(barra, prefeito, **NEW, **{**ACT, "official_on": JUNE}, met=HEARD)


async def test_a_stand_moves_with_all_who_wait_there(barra: Transaction) -> None:
    make = await Maker.of(barra)
    permit = await make.permit(date(2026, 3, 1), stand="2")

    await changes.move_stand(barra, await mayor(barra), stand="2", place="Avenida Nova", **ACT, met=HEARD, since=JUNE)

    before, after = [(await barra.law(on=day)).get(Stand, "2") for day in (TODAY, JUNE)]
    assert before is not None
    assert after is not None
    assert (before.place, after.place, after.slots) == ("Rua Valdir Rabelo, Banco do Brasil", "Avenida Nova", 4)
    waiting = await store.waiting(barra, ["2"], JUNE)
    assert [row.permit_id for row in waiting] == [permit.id]


async def test_an_act_opens_a_stand_to_all_in_some_hours_where_the_law_admits_more_than_fixed_ones(
    barra: Transaction,
) -> None:
    """Art. 24, sole paragraph: in them whoever holds a permit may wait there, in others who has a place."""
    await changes.move_stand(
        barra, await mayor(barra), stand="5", access="shared", hours="11:00-14:00", **ACT, met=HEARD
    )
    law = await barra.law(on=TODAY)

    def use(own: str, hour: int) -> Outcome:
        question = StandUseQuestion("taxi", "5", datetime.fromisoformat(f"2026-03-10T{hour}:00"), own)
        return decide(law, question, facts(law)).outcome

    assert [use("1", 10), use("1", 12), use("5", 10)] == [Outcome.DENIED, Outcome.ALLOWED, Outcome.ALLOWED]


async def test_where_the_law_admits_fixed_stands_only_none_is_opened_to_all(cotriguacu: Transaction) -> None:
    with pytest.raises(Refused, match="só admite pontos fixos") as refused:
        await changes.move_stand(
            cotriguacu, await mayor(cotriguacu), stand="3", access="open", **ACT, met=[*WANTED, LEAVE]
        )

    assert "Lei 624/2009, art. 22" in [str(cited) for cited in refused.value.decision.citations]


async def test_fewer_slots_than_wait_there_are_refused_by_name(barra: Transaction) -> None:
    make = await Maker.of(barra)
    numbers = [(await make.permit(date(2026, 3, 1), stand="2")).number for _ in range(2)]

    with pytest.raises(Refused, match=f"sobram {max(numbers)}"):
        await changes.move_stand(barra, await mayor(barra), stand="2", slots=1, **ACT, met=HEARD)


async def test_a_stand_is_not_closed_over_those_who_wait_there(barra: Transaction) -> None:
    make = await Maker.of(barra)
    one, other = [await make.permit(date(2026, 3, 1), stand="2") for _ in range(2)]
    prefeito = make.offices.who("stands")

    with pytest.raises(Refused) as no:
        await changes.close_stand(barra, prefeito, stand="2", **ACT, met=HEARD)
    assert no.value.decision.value == {"permits": [one.number, other.number]}
    with pytest.raises(Refused, match=other.number):
        await changes.close_stand(
            barra, prefeito, stand="2", moves=[{"permit_id": one.id, "stand": "3"}], **ACT, met=HEARD
        )
    assert await slots_on(barra, TODAY, code="2") == [4], "and it is still there"


async def test_whoever_waits_at_a_closed_stand_is_moved_by_the_same_act(barra: Transaction) -> None:
    make = await Maker.of(barra)
    one, other = [await make.permit(date(2026, 3, 1), stand="2") for _ in range(2)]
    moves = [{"permit_id": one.id, "stand": "3"}, {"permit_id": other.id, "stand": "6"}]
    free = await room_at(barra, await barra.law(on=JUNE), "6")

    made = await changes.close_stand(
        barra, make.offices.who("stands"), stand="2", moves=moves, **ACT, met=HEARD, since=JUNE
    )

    assert made.view is None
    assert await slots_on(barra, date(2026, 5, 31), JUNE, code="2") == [4, None]
    places = {row.number: row.stand for row in await store.waiting(barra, ["2", "3", "6"], JUNE)}
    assert places == {one.number: "3", other.number: "6"}
    assert {row.stand for row in await store.waiting(barra, ["2", "3", "6"], date(2026, 5, 31))} == {"2"}
    left = await room_at(barra, await barra.law(on=JUNE), "6")
    assert left.value.free == free.value.free - 1
    assert (await verbs(barra))[-3:] == ["stand.closed", "stand.assigned", "stand.assigned"]
    with pytest.raises(Invalid, match="não tem o ponto 2"):
        await assign_stand(barra, make.offices.who("stands"), permit_id=one.id, stand="2", on=JUNE)


async def test_only_those_of_the_stand_go_by_its_closing_and_only_where_there_is_room(barra: Transaction) -> None:
    make = await Maker.of(barra)
    here, elsewhere = await make.permit(date(2026, 3, 1), stand="2"), await make.permit(date(2026, 3, 1), stand="1")
    prefeito = make.offices.who("stands")

    with pytest.raises(Invalid, match="quem espera no ponto 2"):
        await changes.close_stand(
            barra, prefeito, stand="2", moves=[{"permit_id": elsewhere.id, "stand": "3"}], **ACT, met=HEARD
        )
    with pytest.raises(Refused, match="completo: 1 de 1"):
        await changes.close_stand(
            barra, prefeito, stand="2", moves=[{"permit_id": here.id, "stand": "1"}], **ACT, met=HEARD
        )


async def test_a_permit_moves_to_another_stand_as_it_was_seen(barra: Transaction) -> None:
    make = await Maker.of(barra)
    permit = await make.permit(date(2026, 3, 1), stand="2")
    prefeito = make.offices.who("stands")

    with pytest.raises(Invalid, match="já está neste ponto"):
        await assign_stand(barra, prefeito, permit_id=permit.id, stand="2")
    await assign_stand(barra, prefeito, permit_id=permit.id, stand="3", version=1)
    with pytest.raises(Conflict):
        await assign_stand(barra, prefeito, permit_id=permit.id, stand="4", version=1)

    places = [(row.stand, row.number) for row in await store.waiting(barra, ["2", "3", "4"], TODAY)]
    assert places == [("3", permit.number)]
    assert (await permits.permit(barra, permit.id, TODAY)).version == 2


async def test_the_night_stand_takes_nobody_of_its_own(barra: Transaction) -> None:
    make = await Maker.of(barra)
    permit = await make.permit(date(2026, 3, 1))

    with pytest.raises(Refused, match="não tem vagas próprias"):
        await assign_stand(barra, make.offices.who("stands"), permit_id=permit.id, stand="13")

    views = {view.stand.code: view for view in await listing.stands(barra, await barra.law(on=TODAY))}
    assert (str(views["13"].hours), views["13"].takes_slot, views["13"].free) == ("22:00-06:00", False, None)
    assert (views["5"].free, views["5"].takes_slot, views["5"].hours) == (14, True, None)
    assert sum(view.stand.slots or 0 for view in views.values()) == 46


async def test_a_stand_closed_while_another_waits_for_it_takes_nobody(own_database: Database) -> None:
    """Closing and assigning at once: whoever comes second reads the law again."""
    town = await make_town(own_database, BARRA)
    async with own_database.transaction(town) as tx:
        make = await Maker.of(tx)
        crowd = [(await make.permit(date(2026, 3, 1))).id for _ in range(6)]

    async def closing(tx: Transaction) -> str:
        await changes.close_stand(tx, await mayor(tx), stand="2", **ACT, met=HEARD)
        return "closed"

    def assigning(permit_id: Any) -> Any:
        async def work(tx: Transaction) -> str:
            await assign_stand(tx, await mayor(tx), permit_id=permit_id, stand="2")
            return "assigned"

        return work

    works = [*(assigning(permit) for permit in crowd[:3]), closing, *(assigning(permit) for permit in crowd[3:])]
    results = await asyncio.gather(*(own_database.perform(town, work) for work in works), return_exceptions=True)

    async with own_database.reader(town) as reader:
        there = await store.waiting(reader, ["2"], TODAY)
        open_still = (await slots_on(reader, TODAY, code="2"))[0] is not None  # type: ignore[arg-type]
    assert open_still == ("closed" not in results)
    assert len(there) == (results.count("assigned") if open_still else 0)
    assert not ("closed" in results and "assigned" in results)


async def test_no_stand_ever_holds_more_than_its_slots(own_database: Database) -> None:
    town = await make_town(own_database, BARRA)
    async with own_database.transaction(town) as tx:
        make = await Maker.of(tx)
        crowd = [(await make.permit(date(2026, 3, 1))).id for _ in range(8)]

    def assigning(permit_id: Any) -> Any:
        async def work(tx: Transaction) -> None:
            await assign_stand(tx, await actor_of(tx, "prefeito"), permit_id=permit_id, stand="3")

        return work

    tried = [own_database.perform(town, assigning(permit)) for permit in crowd]
    results = await asyncio.gather(*tried, return_exceptions=True)

    assert [type(result) for result in results].count(Refused) == 3
    async with own_database.reader(town) as reader:
        assert len(await store.waiting(reader, ["3"], TODAY)) == 5
