"""A permit's life under the founding laws: licences follow each other, terms are met, what ends sets free."""

from collections.abc import AsyncIterator
from datetime import date
from typing import Any
from uuid import UUID

import pytest

from services.access import actor_of
from services.database import Database, Transaction
from services.errors import Conflict, Forbidden, Invalid, NotFound, Refused
from services.permits.ending import end_permit
from services.permits.licensing import issue_licence
from services.permits.noting import note_event
from services.permits.swapping import swap_vehicle
from services.registry.papers import NewPaper, file_papers
from services.stands.slots import assign_stand
from tests.support.factories import BARRA, COTRIGUACU, Maker, make_town

TODAY = date(2026, 3, 10)


@pytest.fixture
async def barra(own_database: Database) -> AsyncIterator[Transaction]:
    async with own_database.transaction(await make_town(own_database, BARRA)) as tx:
        yield tx


@pytest.fixture
async def cotriguacu(own_database: Database) -> AsyncIterator[Transaction]:
    async with own_database.transaction(await make_town(own_database, COTRIGUACU)) as tx:
        yield tx


async def spans(tx: Transaction, table: str, permit: UUID) -> list[tuple[date, date | None]]:
    """First day and last day."""
    sql = f"SELECT lower(during) AS first, upper(during) - 1 AS last FROM {table} WHERE permit_id = :permit ORDER BY 1"  # noqa: S608
    return [(row.first, row.last) for row in await tx.rows(sql, permit=permit)]


async def deadlines(tx: Transaction, subject: UUID) -> dict[str, str]:
    sql = "SELECT rule, state(d, CAST(:day AS date)) AS state FROM deadline AS d WHERE subject_id = :id ORDER BY id"
    return {row.rule: row.state for row in await tx.rows(sql, id=subject, day=tx.today)}


async def test_a_licence_renewed_before_its_end_goes_on_after_it(barra: Transaction) -> None:
    make = await Maker.of(barra)
    permit = await make.permit(date(2025, 3, 1))
    first = await make.licence(permit, date(2025, 3, 20))

    await make.licence(permit, TODAY)

    assert await spans(barra, "licence", permit.id) == [
        (date(2025, 3, 20), date(2026, 3, 20)),
        (date(2026, 3, 21), date(2027, 3, 20)),
    ]
    assert await deadlines(barra, first.id) == {"alvara": "met"}


async def test_a_licence_renewed_late_begins_on_its_day_and_the_lapse_is_on_record(barra: Transaction) -> None:
    make = await Maker.of(barra)
    permit = await make.permit(date(2024, 11, 1))
    first = await make.licence(permit, date(2024, 11, 20))

    await make.licence(permit, TODAY)

    assert (await spans(barra, "licence", permit.id))[1] == (TODAY, date(2027, 3, 10))
    assert (await deadlines(barra, first.id))["alvara"] == "expired"


async def test_in_the_other_town_it_ends_in_january_whenever_it_is_renewed(cotriguacu: Transaction) -> None:
    make = await Maker.of(cotriguacu)
    permit = await make.permit(date(2025, 1, 10), stand="1")

    for day in (date(2025, 2, 3), date(2026, 1, 20)):
        await make.licence(permit, day)

    assert await spans(cotriguacu, "licence", permit.id) == [
        (date(2025, 2, 3), date(2026, 1, 31)),
        (date(2026, 2, 1), date(2027, 1, 31)),
    ]


async def test_vehicle_and_stand_end_with_the_permit_s_term(cotriguacu: Transaction) -> None:
    """Five years: then the slot and the vehicle are free, though nobody has recorded anything."""
    make = await Maker.of(cotriguacu)
    permit = await make.permit(date(2020, 3, 2), stand="2")
    term = [(date(2020, 3, 2), date(2025, 3, 2))]

    again = await make.permit(date(2025, 3, 3), stand="2")

    assert await spans(cotriguacu, "permit_vehicle", permit.id) == term
    assert await spans(cotriguacu, "stand_assignment", permit.id) == term
    assert (await spans(cotriguacu, "stand_assignment", again.id))[0][0] == date(2025, 3, 3)


async def test_a_full_stand_refuses_the_next(cotriguacu: Transaction) -> None:
    make = await Maker.of(cotriguacu)
    await make.permit(date(2026, 3, 1), stand="2")

    with pytest.raises(Refused, match="completo: 1 de 1"):
        await make.permit(date(2026, 3, 2), stand="2")


async def test_the_start_of_service_meets_its_term(cotriguacu: Transaction) -> None:
    make = await Maker.of(cotriguacu)
    begun, idle = await make.permit(date(2026, 1, 5), stand="1"), await make.permit(date(2026, 1, 5), stand="1")

    await note_event(
        cotriguacu, make.offices.who("record"), permit_id=begun.id, event="service_started", on=date(2026, 2, 1)
    )

    assert (await deadlines(cotriguacu, begun.id))["inicio_do_servico"] == "met"
    assert (await deadlines(cotriguacu, idle.id))["inicio_do_servico"] == "expired"


async def test_only_events_of_the_service_are_noted(cotriguacu: Transaction) -> None:
    make = await Maker.of(cotriguacu)
    permit = await make.permit(date(2026, 1, 5), stand="1")

    with pytest.raises(Invalid, match="absence_started"):
        await note_event(cotriguacu, make.offices.who("record"), permit_id=permit.id, event="ended")


async def ended(tx: Transaction, make: Maker, permit: Any, **given: Any) -> UUID:
    return await end_permit(tx, make.offices.who("cancel"), permit_id=permit.id, **given)


async def test_a_permit_that_ends_sets_stand_and_vehicle_free(barra: Transaction) -> None:
    make = await Maker.of(barra)
    permit = await make.permit(date(2025, 3, 1), stand="1")
    licence = await make.licence(permit, date(2025, 3, 20))

    await ended(barra, make, permit, cause="cassacao", on=date(2025, 9, 1), judged=True)

    last = date(2025, 8, 31)
    assert await spans(barra, "permit_vehicle", permit.id) == [(date(2025, 3, 1), last)]
    assert await spans(barra, "stand_assignment", permit.id) == [(date(2025, 3, 1), last)]
    assert await spans(barra, "licence", permit.id) == [(date(2025, 3, 20), last)]
    assert await deadlines(barra, licence.id) == {"alvara": "met"}
    await make.permit(date(2025, 9, 1), stand="1")


async def test_an_end_that_asks_for_a_process_is_not_recorded_without_one(barra: Transaction) -> None:
    make = await Maker.of(barra)
    permit = await make.permit(date(2025, 3, 1))

    with pytest.raises(Refused) as refusal:
        await ended(barra, make, permit, cause="cassacao")

    assert refusal.value.decision.outcome == "NEEDS_DECISION"
    assert "art. 8" in " ".join(str(citation) for citation in refusal.value.decision.citations)


async def test_the_law_says_who_ends_a_permit_and_for_what(barra: Transaction) -> None:
    make = await Maker.of(barra)
    permit = await make.permit(date(2025, 3, 1))
    secretary = await actor_of(barra, "secretaria")

    with pytest.raises(Forbidden):
        await end_permit(barra, secretary, permit_id=permit.id, cause="cassacao", judged=True)
    with pytest.raises(Refused, match="não prevê que a outorga termine por: caducidade") as refusal:
        await ended(barra, make, permit, cause="caducidade")
    assert [(missing.kind, missing.code) for missing in refusal.value.decision.missing] == [("rule", "instrument")]


async def test_a_permit_ends_once(barra: Transaction) -> None:
    make = await Maker.of(barra)
    permit = await make.permit(date(2025, 3, 1))
    await ended(barra, make, permit, cause="cassacao", on=date(2026, 1, 2), judged=True)

    with pytest.raises(Refused, match="não está vigente"):
        await ended(barra, make, permit, cause="cassacao", judged=True)
    with pytest.raises(Refused, match="não está vigente"):
        await issue_licence(barra, make.offices.who("license"), permit_id=permit.id)


async def test_an_end_on_request_needs_no_process_and_keeps_its_cause(cotriguacu: Transaction) -> None:
    make = await Maker.of(cotriguacu)
    permit = await make.permit(date(2025, 1, 10), stand="1")

    await ended(cotriguacu, make, permit, cause="a_pedido", on=date(2025, 6, 2))

    (row,) = await cotriguacu.rows("SELECT ended_cause, ended_on FROM permit")
    assert (row.ended_cause, row.ended_on) == ("a_pedido", date(2025, 6, 2))


async def test_a_swap_ends_one_vehicle_s_service_and_begins_another_s(barra: Transaction) -> None:
    make = await Maker.of(barra)
    permit = await make.permit(date(2025, 3, 1))
    spare = await make.candidate(date(2025, 12, 1))
    version = await barra.scalar("SELECT version FROM permit WHERE id = :id", id=permit.id)
    sold = "UPDATE vehicle SET holder_id = :holder WHERE id = :id"
    await barra.rows(sold, holder=permit.holder_id, id=spare.vehicle_id)
    given: dict[str, Any] = {
        "permit_id": permit.id,
        "vehicle_id": spare.vehicle_id,
        "on": date(2026, 1, 15),
        "judged": True,
    }

    await swap_vehicle(barra, make.offices.who("license"), version=version, **given)

    assert await spans(barra, "permit_vehicle", permit.id) == [
        (date(2025, 3, 1), date(2026, 1, 14)),
        (date(2026, 1, 15), None),
    ]
    with pytest.raises(Conflict):
        await swap_vehicle(barra, make.offices.who("license"), version=version, **given)


async def test_a_permit_moves_to_another_stand_on_its_day(barra: Transaction) -> None:
    make = await Maker.of(barra)
    permit = await make.permit(date(2025, 3, 1), stand="1")

    await assign_stand(barra, make.offices.who("stands"), permit_id=permit.id, stand="5", on=date(2026, 2, 2))

    assert await spans(barra, "stand_assignment", permit.id) == [
        (date(2025, 3, 1), date(2026, 2, 1)),
        (date(2026, 2, 2), None),
    ]


async def test_many_papers_are_filed_in_as_many_statements_as_one(barra: Transaction, statements: list[str]) -> None:
    make = await Maker.of(barra)
    holder = await make.holder("autonomo")
    clerk = make.offices.who("register")

    counts = []
    for codes in (["cpf"], ["cpf", "rg", "residencia", "antecedentes"]):
        statements.clear()
        await file_papers(barra, clerk, papers=[NewPaper(holder.id, code, TODAY) for code in codes])
        counts.append(len(statements))

    assert counts[0] == counts[1] > 0
    assert await barra.scalar("SELECT count(*) FROM act WHERE verb = 'paper.filed'") == 5


async def test_papers_of_another_town_s_holder_are_not_filed(barra: Transaction) -> None:
    make = await Maker.of(barra)

    with pytest.raises(NotFound):
        await file_papers(barra, make.offices.who("register"), papers=[NewPaper(UUID(int=7), "cpf")])


@pytest.fixture
async def statements(barra: Transaction) -> AsyncIterator[list[str]]:
    """What the town's transaction sends to the server."""
    from sqlalchemy import event

    sent: list[str] = []
    engine = (await barra.session.connection()).engine.sync_engine

    def note(connection: Any, cursor: Any, statement: str, *rest: Any) -> None:
        sent.append(statement)

    event.listen(engine, "before_cursor_execute", note)
    yield sent
    event.remove(engine, "before_cursor_execute", note)
