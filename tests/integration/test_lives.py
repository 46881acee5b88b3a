"""The middle and the end of permits under the founding laws: what ends once, what the night does, what must hold."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from datetime import UTC, date, datetime, timedelta
from typing import Any
from uuid import UUID

import pytest

from services.clock import FixedClock
from services.database import Database, Transaction
from services.errors import Conflict, Expected, Refused
from services.nights import night
from services.permits.ending import end_permit
from services.permits.endings.finalizing import finalize_ending
from services.permits.endings.proposing import propose_ending, propose_suspension
from services.permits.endings.revealing import reveal_bar
from services.permits.endings.suspending import finalize_suspension, reactivate_permit
from services.permits.noting import note_event
from services.permits.renewals.extending import extend_permit
from services.permits.renewals.package import renewal_package
from services.permits.substitutes.admitting import admit_substitute
from services.permits.transfers.transferring import transfer_permit
from services.registry.papers import NewPaper, file_papers
from tests.support.factories import BARRA, COTRIGUACU, Maker, make_town

TODAY = date(2026, 3, 10)
DAY = timedelta(days=1)


@pytest.fixture
async def barra(own_database: Database) -> AsyncIterator[Transaction]:
    async with own_database.transaction(await make_town(own_database, BARRA)) as tx:
        yield tx


@pytest.fixture
async def cotriguacu(own_database: Database) -> AsyncIterator[Transaction]:
    async with own_database.transaction(await make_town(own_database, COTRIGUACU)) as tx:
        yield tx


def at(database: Database, day: date) -> None:
    assert isinstance(database.clock, FixedClock)
    database.clock.at = datetime(day.year, day.month, day.day, 15, tzinfo=UTC)


async def version_of(tx: Transaction, permit: UUID) -> int:
    return int(await tx.scalar("SELECT version FROM permit WHERE id = :id", id=permit))


async def state_of(tx: Transaction, permit: UUID) -> Any:
    return await tx.one("SELECT ended_on, ended_cause, lower(during) AS since, upper(during) AS upper FROM permit "
                        "WHERE id = :id", id=permit)  # fmt: skip


async def unfinished(tx: Transaction) -> list[str]:
    """Open deadlines of permits, licences and substitutes that can no longer expire."""
    rows = await tx.rows(
        """
        SELECT d.rule FROM deadline AS d
        LEFT JOIN permit AS p ON d.subject_kind = 'permit' AND p.id = d.subject_id
        LEFT JOIN licence AS l ON d.subject_kind = 'licence' AND l.id = d.subject_id
        LEFT JOIN substitute AS s ON d.subject_kind = 'substitute' AND s.id = d.subject_id
        JOIN permit AS own ON own.id = coalesce(p.id, l.permit_id, s.permit_id)
        WHERE d.state = 'open' AND own.ended_on IS NOT NULL
        """
    )
    return [row.rule for row in rows]


# --- two at once ------------------------------------------------------------------------------------------------------


async def both(database: Database, town: UUID, acts: Sequence[Any]) -> list[Expected | None]:
    """Both with the version read before either writes: what each came to."""

    async def one(act: Any) -> Expected | None:
        try:
            await database.perform(town, act)
        except Expected as no:
            return no
        return None

    return list(await asyncio.gather(*(one(act) for act in acts)))


async def test_ended_by_two_at_once_a_permit_ends_once(own_database: Database) -> None:
    town = await make_town(own_database, COTRIGUACU)
    async with own_database.transaction(town) as tx:
        make = await Maker.of(tx)
        permit = await make.permit(date(2025, 1, 10), stand="1")
        mayor, seen = make.offices.who("cancel"), await version_of(tx, permit.id)

    async def end(tx: Transaction) -> None:
        await end_permit(tx, mayor, permit_id=permit.id, cause="a_pedido", version=seen)

    outcomes = await both(own_database, town, [end, end])

    (conflict,) = [no for no in outcomes if no is not None]
    assert isinstance(conflict, Conflict)
    assert (conflict.expected, conflict.actual) == (seen, seen + 1)
    async with own_database.reader(town) as reader:
        assert await reader.scalar("SELECT count(*) FROM act WHERE verb = 'permit.ended'") == 1


async def test_finalized_by_two_at_once_a_proposal_takes_effect_once(own_database: Database) -> None:
    town = await make_town(own_database, BARRA)
    async with own_database.transaction(town) as tx:
        make = await Maker.of(tx)
        permit = await make.permit(date(2025, 3, 1))
        proposal = await propose_ending(tx, make.offices.who("propose"), permit_id=permit.id, cause="cassacao")
        mayor = make.offices.who("cancel")

    async def finalize(tx: Transaction) -> None:
        await finalize_ending(tx, mayor, proposal_id=proposal, version=1)

    outcomes = await both(own_database, town, [finalize, finalize])

    (conflict,) = [no for no in outcomes if no is not None]
    assert isinstance(conflict, Conflict)
    async with own_database.reader(town) as reader:
        assert await reader.scalar("SELECT count(*) FROM act WHERE verb = 'permit.ended'") == 1


async def test_one_thing_is_proposed_once(barra: Transaction) -> None:
    make = await Maker.of(barra)
    permit = await make.permit(date(2025, 3, 1))
    who = make.offices.who("propose")
    await propose_ending(barra, who, permit_id=permit.id, cause="cassacao")

    with pytest.raises(Conflict, match="já foi proposto"):
        await propose_ending(barra, who, permit_id=permit.id, cause="cassacao")


async def test_the_holder_is_told_of_what_is_proposed(barra: Transaction) -> None:
    make = await Maker.of(barra)
    permit = await make.permit(date(2025, 3, 1))

    await propose_ending(barra, make.offices.who("propose"), permit_id=permit.id, cause="cassacao")

    (notice,) = await barra.rows("SELECT template, payload, state FROM notice WHERE template = 'proposal_made'")
    assert (notice.state, notice.payload["title"]) == ("queued", "Cassação")
    assert "art. 8, IV" in notice.payload["article"]


# --- the night --------------------------------------------------------------------------------------------------------


async def test_the_night_records_that_a_permit_s_term_is_over(own_database: Database) -> None:
    town = await make_town(own_database, COTRIGUACU)
    async with own_database.transaction(town) as tx:
        make = await Maker.of(tx)
        permit = await make.permit(date(2021, 3, 9), stand="1", aged=(0, 0))
        await note_event(tx, make.offices.who("record"), permit_id=permit.id, event="service_started", on=TODAY - DAY)
        await make.licence(permit, date(2026, 2, 5))

    await night(own_database, [town])

    async with own_database.reader(town) as reader:
        ended = await reader.one("SELECT ended_on, ended_cause, ended_act FROM permit")
        act = await reader.one("SELECT verb, legal_day, actor FROM act WHERE id = :id", id=ended.ended_act)
        licence = await reader.one("SELECT upper(during) AS upper FROM licence")
        left = await unfinished(reader)  # type: ignore[arg-type]
    assert (ended.ended_on, ended.ended_cause) == (date(2026, 3, 10), "caducidade")
    assert (act.verb, act.legal_day, act.actor) == ("permit.ended", date(2026, 3, 10), "system")
    assert licence.upper == date(2026, 3, 10), "nor does its licence outlive it"
    assert left == []


async def test_a_missed_night_leaves_nothing_running_of_what_has_ended(own_database: Database) -> None:
    """Permit and licence are over in one night: what the licence's end opens is closed with the permit."""
    town = await make_town(own_database, COTRIGUACU)
    async with own_database.transaction(town) as tx:
        make = await Maker.of(tx)
        permit = await make.permit(date(2020, 3, 2), stand="1", aged=(0, 0))
        licence = await make.licence(permit, date(2025, 2, 10))
        assert (permit.during.upper, licence.during.upper) == (date(2025, 3, 3), date(2026, 2, 1))
    at(own_database, date(2026, 2, 20))

    await night(own_database, [town])

    async with own_database.reader(town) as reader:
        assert await unfinished(reader) == []  # type: ignore[arg-type]
        assert await reader.scalar("SELECT ended_cause FROM permit") == "caducidade"


async def test_a_substitute_never_outlasts_the_permit(own_database: Database) -> None:
    town = await make_town(own_database, BARRA)
    async with own_database.transaction(town) as tx:
        make = await Maker.of(tx)
        permit, substitute = await stood_in(make)
        await end_permit(tx, make.offices.who("cancel"), permit_id=permit.id, cause="cassacao", on=TODAY, judged=True)
        row = await tx.one("SELECT upper(during) AS upper, ended_act FROM substitute WHERE id = :id", id=substitute)

        assert row.upper is None or row.upper <= TODAY
        assert row.ended_act is not None
        assert await unfinished(tx) == []


async def stood_in(make: Maker) -> tuple[Any, UUID]:
    """A permit of last year with a substitute since February."""
    permit = await make.permit(date(2025, 3, 1))
    clerk = make.offices.who("register")
    paper = NewPaper(permit.holder_id, "atestado", date(2026, 2, 1), date(2026, 6, 30))
    await file_papers(make.tx, clerk, papers=[paper])
    driver = (await make.candidate(TODAY)).driver_id
    assert driver is not None
    made = await admit_substitute(
        make.tx,
        make.offices.who("license"),
        permit_id=permit.id,
        driver_id=driver,
        since=date(2026, 2, 1),
        proved_by=["inss"],
        facts={"local.prova_incapacidade": "inss"},
        judged=True,
    )
    return permit, made


# --- terms ------------------------------------------------------------------------------------------------------------


async def test_an_extension_adds_exactly_one_term_and_there_is_one(cotriguacu: Transaction) -> None:
    make = await Maker.of(cotriguacu)
    permit = await make.permit(date(2021, 6, 1), stand="1")
    mayor = make.offices.who("grant")

    await extend_permit(cotriguacu, mayor, permit_id=permit.id)

    now = await state_of(cotriguacu, permit.id)
    assert (now.since, now.upper) == (date(2021, 6, 1), date(2031, 6, 2))
    vehicle = await cotriguacu.one("SELECT upper(during) AS upper FROM permit_vehicle")
    place = await cotriguacu.one("SELECT upper(during) AS upper FROM stand_assignment")
    assert vehicle.upper == place.upper == now.upper
    terms = await cotriguacu.rows("SELECT state, last_day FROM deadline WHERE kind = 'permissao' ORDER BY last_day")
    assert [tuple(row) for row in terms] == [("replaced", date(2026, 6, 1)), ("open", date(2031, 6, 1))]
    with pytest.raises(Refused, match=r"admite 1 prorrogação.*já houve 1") as refusal:
        await extend_permit(cotriguacu, mayor, permit_id=permit.id)
    assert "art. 8" in " ".join(str(citation) for citation in refusal.value.decision.citations)
    assert [reading.code for reading in refusal.value.decision.readings] == ["prorrogacao"]


async def test_a_law_without_a_term_knows_no_extension(barra: Transaction) -> None:
    make = await Maker.of(barra)
    permit = await make.permit(date(2025, 3, 1))

    with pytest.raises(Refused, match="A lei deste município não prevê a prorrogação") as refusal:
        await extend_permit(barra, make.offices.who("grant"), permit_id=permit.id)

    assert [(missing.kind, missing.code) for missing in refusal.value.decision.missing] == [("rule", "term")]


async def test_what_was_extended_stays_so_with_whoever_receives_it(cotriguacu: Transaction) -> None:
    """The rest of the term passes on, and the one extension with it."""
    make = await Maker.of(cotriguacu)
    permit = await make.permit(date(2021, 6, 1), stand="1", aged=(0, 0))
    mayor = make.offices.who("grant")
    await extend_permit(cotriguacu, mayor, permit_id=permit.id)

    new = await passed_on(make, permit)

    assert (await state_of(cotriguacu, new)).upper == date(2031, 6, 2)
    with pytest.raises(Refused, match="já houve 1"):
        await extend_permit(cotriguacu, mayor, permit_id=new, on=TODAY)


async def passed_on(make: Maker, permit: Any) -> UUID:
    """To somebody else, after the holder's death."""
    receiver = await make.candidate(TODAY)
    assert receiver.holder_id is not None
    return await transfer_permit(
        make.tx,
        make.offices.who("grant"),
        permit_id=permit.id,
        cause="morte",
        holder_id=receiver.holder_id,
        papers=["permissao_anterior"],
        facts={"local.aceita_condicoes": "sim", "heirs.waived": "sim"},
        judged=True,
    )


async def test_a_transfer_ends_one_permit_and_begins_another_on_the_same_day(cotriguacu: Transaction) -> None:
    make = await Maker.of(cotriguacu)
    permit = await make.permit(date(2023, 6, 1), stand="2")
    await make.licence(permit, date(2026, 1, 20))

    new = await passed_on(make, permit)

    old, now = await state_of(cotriguacu, permit.id), await state_of(cotriguacu, new)
    assert (old.ended_on, old.ended_cause, old.upper) == (TODAY, "transferencia", TODAY)
    assert (now.since, now.upper) == (TODAY, date(2028, 6, 2))
    serving = await cotriguacu.rows(
        "SELECT permit_id FROM permit_vehicle WHERE during @> CAST(:day AS date)", day=TODAY
    )
    waiting = await cotriguacu.rows(
        "SELECT permit_id, stand FROM stand_assignment WHERE during @> CAST(:day AS date)", day=TODAY
    )
    assert [row.permit_id for row in serving] == [new]
    assert [tuple(row) for row in waiting] == [(new, "2")]
    owner = await cotriguacu.scalar(
        "SELECT v.holder_id = p.holder_id FROM permit AS p JOIN permit_vehicle AS pv ON pv.permit_id = p.id "
        "JOIN vehicle AS v ON v.id = pv.vehicle_id WHERE p.id = :id",
        id=new,
    )
    assert owner is True
    assert await unfinished(cotriguacu) == []


async def test_what_lapses_before_the_new_term_ends_is_told_with_its_day(barra: Transaction) -> None:
    make = await Maker.of(barra)
    permit = await make.permit(date(2025, 3, 1))
    await make.licence(permit, date(2025, 3, 20))
    row = await barra.one("SELECT vehicle_id FROM permit_vehicle")
    driver = await barra.scalar(
        "SELECT d.id FROM driver AS d JOIN holder AS h ON h.person_id = d.person_id WHERE h.id = :id",
        id=permit.holder_id,
    )
    await barra.rows("UPDATE vehicle SET first_registration = '2020-08-15' WHERE id = :id", id=row.vehicle_id)
    await barra.rows("UPDATE driver SET cnh_until = '2026-10-01' WHERE id = :id", id=driver)
    health = NewPaper(driver, "carteira_saude", date(2026, 1, 5), date(2026, 12, 31))
    await barra.rows("UPDATE paper SET code = 'outro' WHERE code = 'carteira_saude' AND subject_id = :id", id=driver)
    await file_papers(barra, make.offices.who("register"), papers=[health])

    found = await renewal_package(barra, permit_id=permit.id)

    assert (found.since, found.until) == (date(2026, 3, 21), date(2027, 3, 20))
    lapses = {lapse.code: lapse for lapse in found.lapses if lapse.last_day}
    assert lapses["idade_ingresso"].last_day == date(2026, 8, 15)
    assert lapses["cnh_valida"].last_day == date(2026, 10, 1)
    assert lapses["saude_taxi"].last_day == date(2026, 12, 31)
    assert lapses["cnh_valida"].days == (date(2026, 10, 1) - TODAY).days
    assert "art. 20, § 2" in lapses["idade_ingresso"].articles
    assert "art. 4, II" in lapses["saude_taxi"].articles


# --- suspensions, absences, bars --------------------------------------------------------------------------------------


async def test_a_suspension_lasts_its_days_and_can_be_lifted(cotriguacu: Transaction) -> None:
    make = await Maker.of(cotriguacu)
    permit = await make.permit(date(2025, 1, 10), stand="1")
    proposal = await propose_suspension(
        cotriguacu, make.offices.who("propose"), permit_id=permit.id, infraction="CO-41-III", on=date(2026, 3, 2)
    )
    mayor = make.offices.who("suspend")
    made = await finalize_suspension(
        cotriguacu, mayor, proposal_id=proposal, on=date(2026, 3, 5), until=date(2026, 3, 31)
    )

    await reactivate_permit(cotriguacu, mayor, suspension_id=made)

    row = await cotriguacu.one("SELECT lower(during) AS since, upper(during) AS upper FROM suspension")
    assert (row.since, row.upper) == (date(2026, 3, 5), TODAY)
    with pytest.raises(Conflict, match="já terminou"):
        await reactivate_permit(cotriguacu, mayor, suspension_id=made)


async def test_a_suspension_ends_before_it_begins_for_nobody(cotriguacu: Transaction) -> None:
    make = await Maker.of(cotriguacu)
    permit = await make.permit(date(2025, 1, 10), stand="1")
    proposal = await propose_suspension(
        cotriguacu, make.offices.who("propose"), permit_id=permit.id, infraction="CO-41-III", on=date(2026, 3, 2)
    )

    with pytest.raises(Refused, match="termina antes de começar"):
        await finalize_suspension(cotriguacu, make.offices.who("suspend"), proposal_id=proposal, until=date(2026, 3, 9))


async def test_an_absence_is_noted_once(cotriguacu: Transaction) -> None:
    make = await Maker.of(cotriguacu)
    permit = await make.permit(date(2025, 1, 10), stand="1")
    who = make.offices.who("record")
    await note_event(cotriguacu, who, permit_id=permit.id, event="absence_started", on=date(2026, 2, 2))

    with pytest.raises(Conflict, match="já está registrada"):
        await note_event(cotriguacu, who, permit_id=permit.id, event="absence_started", on=date(2026, 2, 5))


async def test_in_the_other_town_absence_is_a_fine_after_fifteen_days_unless_justified(barra: Transaction) -> None:
    make = await Maker.of(barra)
    permit = await make.permit(date(2025, 3, 1))
    who = make.offices.who("record")

    await note_event(barra, who, permit_id=permit.id, event="absence_started", on=date(2026, 3, 2))
    opened = await barra.one("SELECT last_day, state FROM deadline WHERE kind = 'ausencia'")
    await note_event(barra, who, permit_id=permit.id, event="absence_justified", on=date(2026, 3, 9))

    assert (opened.last_day, opened.state) == (date(2026, 3, 17), "open")
    assert await barra.scalar("SELECT state FROM deadline WHERE kind = 'ausencia'") == "met"


async def test_a_bar_that_comes_to_light_opens_the_process_and_waits_for_the_mayor(barra: Transaction) -> None:
    make = await Maker.of(barra)
    permit = await make.permit(date(2025, 3, 1))
    found_out = {"local.parente_taxista": "sim"}

    await reveal_bar(barra, make.offices.who("propose"), permit_id=permit.id, exclusion="parentesco", facts=found_out)

    row = await barra.one("SELECT cause, ground, state, decision FROM proposal")
    assert (row.cause, row.ground, row.state) == ("cancelamento", "parentesco", "open")
    assert [reading["code"] for reading in row.decision["readings"]] == ["automatico"]
    assert (await state_of(barra, permit.id)).ended_on is None


async def test_who_is_not_barred_is_not_proposed(barra: Transaction) -> None:
    make = await Maker.of(barra)
    permit = await make.permit(date(2025, 3, 1))

    with pytest.raises(Refused, match="não impede"):
        await reveal_bar(barra, make.offices.who("propose"), permit_id=permit.id, exclusion="parentesco")


async def test_a_law_that_does_not_say_what_a_bar_draws_afterwards_draws_nothing(cotriguacu: Transaction) -> None:
    make = await Maker.of(cotriguacu)
    permit = await make.permit(date(2025, 1, 10), stand="1")
    income = {"candidate.other_income": "sim"}

    with pytest.raises(Refused, match="A lei deste município não prevê") as refusal:
        await reveal_bar(
            cotriguacu, make.offices.who("propose"), permit_id=permit.id, exclusion="outra_renda", facts=income
        )

    assert [(missing.kind, missing.code) for missing in refusal.value.decision.missing] == [("rule", "exclusion")]


async def test_a_licence_renewed_ahead_never_begins_when_the_permit_ends_before(barra: Transaction) -> None:
    make = await Maker.of(barra)
    permit = await make.permit(date(2025, 3, 1))
    await make.licence(permit, date(2025, 3, 20))
    await make.licence(permit, date(2026, 3, 9))

    await end_permit(barra, make.offices.who("cancel"), permit_id=permit.id, cause="cassacao", judged=True)

    rows = await barra.rows("SELECT isempty(during) AS never, upper(during) AS upper FROM licence ORDER BY id")
    assert [tuple(row) for row in rows] == [(False, TODAY), (True, None)]
    assert await unfinished(barra) == []
