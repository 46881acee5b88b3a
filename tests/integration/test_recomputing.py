"""What a publication changes of what runs and is owed: each by its act, once; what is over or paid is listed."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import Any
from uuid import UUID

import pytest

from services.database import Database
from services.errors import Conflict, Forbidden, Invalid
from services.money.paying import record_payment
from services.municipalities import store as publications
from services.municipalities.publishing import supply_parameter
from services.proceedings import certifying
from services.recomputing import store
from services.recomputing.previewing import Draft, Preview, preview_recomputation
from services.recomputing.reviewing import review_recomputation
from services.recomputing.running import recompute
from tests.support.factories import BARRA, COTRIGUACU, OPERATOR, Maker
from tests.support.proceedings import Docket

SERVED = date(2011, 5, 12)
HOLIDAY = """
[[holiday]]
code = "emancipacao"
title = "Feriado de exemplo"
day = 2011-05-20
act = "Decreto de exemplo"
"""
NO_ROLL = '[[choice]]\ncode = "rolar"\noption = "none"\nby = "prefeito"\nwhy = "decreto"\n'


@pytest.fixture
async def cotriguacu(own_database: Database) -> Docket:
    docket = await Docket.of(own_database, COTRIGUACU)
    docket.at(SERVED)
    return docket


async def opened(docket: Docket, served: date = SERVED) -> UUID:
    """A case whose defence runs from a day."""
    case = await docket.opens(
        "financas",
        infractions=["CO-40-VI"],
        seen_on=SERVED,
        opened_by="de_oficio",
        category="taxi",
        respondents=[{"name": "Autuado"}],
    )
    docket.at(served)
    await docket.serves(case, "fiscalizacao", way="person", dates={"acknowledged": served})
    return case


async def latest(docket: Docket) -> UUID:
    async with docket.database.reader(docket.town) as tx:
        head = await publications.head(tx)
    assert head is not None
    return head.id


async def previewed(docket: Docket, **given: Any) -> Preview:
    async with docket.database.reader(docket.town) as tx:
        cause = given or {"publication_id": await latest(docket)}
        return await preview_recomputation(tx, OPERATOR, **cause)


async def told(docket: Docket, verb: str) -> list[UUID]:
    rows = await docket.rows(
        "SELECT subject_id FROM act WHERE tenant_id = :tenant AND verb = :verb ORDER BY id", verb=verb
    )
    return [row.subject_id for row in rows]


async def waited(docket: Docket, sql: str) -> None:
    """The pause before another turn is over."""
    async with docket.database.transaction(docket.town) as tx:
        await tx.rows(sql)


async def listed(docket: Docket) -> list[tuple[str, UUID]]:
    async with docket.database.reader(docket.town) as tx:
        return [(row.finding, row.subject_id) for row in await store.reviews(tx, 100)]


async def test_a_holiday_on_the_last_day_moves_what_runs_and_not_what_is_closed(cotriguacu: Docket) -> None:
    running, met = await opened(cotriguacu), await opened(cotriguacu)
    await cotriguacu.defends(met, "financas")
    cotriguacu.at(date(2011, 5, 16))
    await cotriguacu.amend(HOLIDAY)
    seen = await previewed(cotriguacu)
    await cotriguacu.work()

    term = (await cotriguacu.terms("case", running))["defesa"]
    closed = (await cotriguacu.terms("case", met))["defesa"]
    assert (term.last_day, closed.last_day) == (date(2011, 5, 23), date(2011, 5, 20))
    assert [(each.what, each.subject_id, each.before, each.after) for each in seen.changes] == [
        ("term", term.id, "2011-05-20", "2011-05-23")
    ]
    assert await told(cotriguacu, "deadline.recomputed") == [term.id]
    assert await listed(cotriguacu) == []
    assert (await previewed(cotriguacu)).changes == ()


async def test_what_a_second_run_finds_is_nothing(cotriguacu: Docket) -> None:
    await opened(cotriguacu)
    await cotriguacu.amend(HOLIDAY)
    await cotriguacu.work()
    await cotriguacu.do(recompute, "prefeito", publication_id=await latest(cotriguacu), why="De novo.")
    with pytest.raises(Conflict):
        await cotriguacu.do(recompute, "prefeito", publication_id=await latest(cotriguacu))
    await cotriguacu.work()

    rows = await cotriguacu.rows("SELECT state, result FROM job WHERE tenant_id = :tenant ORDER BY id")
    assert [(row.state, row.result["moved"], row.result["reviews"]) for row in rows] == [("done", 1, 0), ("done", 0, 0)]
    assert len(await told(cotriguacu, "deadline.recomputed")) == 1


async def test_a_step_that_is_cut_short_is_done_whole_and_once(
    cotriguacu: Docket, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The worker dies after the acts and the new days are written, and before they are committed."""
    for _ in range(3):
        await opened(cotriguacu)
    move, times = store.move, []

    async def cut_short(tx: Any, moves: Any) -> None:
        await move(tx, moves)
        times.append(len(moves))
        if len(times) == 1:
            raise OSError("killed")

    monkeypatch.setattr(store, "move", cut_short)
    await cotriguacu.amend(HOLIDAY)
    await cotriguacu.work()
    nothing = (await told(cotriguacu, "deadline.recomputed"), await listed(cotriguacu))
    await waited(cotriguacu, "UPDATE job SET claimed_until = clock_timestamp() - interval '1 second'")
    await cotriguacu.work()

    assert nothing == ([], [])
    assert times == [3, 3]
    assert len(await told(cotriguacu, "deadline.recomputed")) == 3
    (job,) = await cotriguacu.rows("SELECT state, result FROM job WHERE tenant_id = :tenant")
    assert (job.state, job.result["moved"]) == ("done", 3)


async def test_a_term_that_is_over_is_not_reopened_by_a_holiday_it_is_listed(cotriguacu: Docket) -> None:
    case = await opened(cotriguacu)
    cotriguacu.at(date(2011, 5, 21))
    await cotriguacu.amend(HOLIDAY)
    await cotriguacu.work()

    term = (await cotriguacu.terms("case", case))["defesa"]
    assert (term.state, term.last_day) == ("expired", date(2011, 5, 20))
    assert await listed(cotriguacu) == [("expired", term.id)]
    async with cotriguacu.database.reader(cotriguacu.town) as tx:
        (row,) = await store.reviews(tx, 1)
    assert row.after == {"lastDay": "2011-05-23"}
    assert row.norm == "Decreto de exemplo"

    with pytest.raises(Forbidden):
        await cotriguacu.do(review_recomputation, "fiscalizacao", review_id=row.id, outcome="kept", why="x")
    with pytest.raises(Invalid):
        await cotriguacu.do(review_recomputation, "prefeito", review_id=row.id, outcome="reopened", why="x")
    await cotriguacu.do(review_recomputation, "prefeito", review_id=row.id, outcome="to_correct", why="Devolva-se.")
    with pytest.raises(Conflict):
        await cotriguacu.do(review_recomputation, "prefeito", review_id=row.id, outcome="kept", why="Não.")
    async with cotriguacu.database.reader(cotriguacu.town) as tx:
        decided = await store.review(tx, row.id)
    assert (decided.outcome, decided.decided_by, decided.why) == ("to_correct", "no-prefeito", "Devolva-se.")


async def test_a_correction_ends_nothing_that_runs(cotriguacu: Docket) -> None:
    """Without the roll a term would have been over on Saturday; on Monday it still runs, and somebody looks at it."""
    case = await opened(cotriguacu, date(2011, 5, 13))
    cotriguacu.at(date(2011, 5, 23))
    await cotriguacu.amend(NO_ROLL)
    await cotriguacu.do(recompute, "prefeito", publication_id=await latest(cotriguacu))
    await cotriguacu.work()

    term = (await cotriguacu.terms("case", case))["defesa"]
    assert (term.state, term.last_day) == ("open", date(2011, 5, 23))
    assert await listed(cotriguacu) == [("would_be_over", term.id)]


async def test_another_reading_of_the_count_is_looked_at_before_it_moves_anything(cotriguacu: Docket) -> None:
    case = await opened(cotriguacu, date(2011, 5, 13))
    draft = Draft(NO_ROLL, "Decreto", date(2011, 5, 13))
    drafted = await previewed(cotriguacu, draft=draft)
    await cotriguacu.amend(NO_ROLL)
    await cotriguacu.work()
    seen = await previewed(cotriguacu)
    with pytest.raises(Forbidden):
        await cotriguacu.do(recompute, "financas", publication_id=await latest(cotriguacu))
    assert (await cotriguacu.terms("case", case))["defesa"].last_day == date(2011, 5, 23)
    await cotriguacu.do(recompute, "prefeito", publication_id=await latest(cotriguacu), why="Decreto.")
    await cotriguacu.work()

    changed = [("term", "defesa", "2011-05-23", "2011-05-21", None)]
    for preview in (drafted, seen):
        assert [(c.what, c.shown, c.before, c.after, c.finding) for c in preview.changes] == changed
    assert (await cotriguacu.terms("case", case))["defesa"].last_day == date(2011, 5, 21)


async def test_only_what_the_publication_changes_moves(cotriguacu: Docket) -> None:
    """Of two publications each has its own rows: what the second changes stays until it is asked for."""
    case = await opened(cotriguacu, date(2011, 5, 13))
    await cotriguacu.amend(NO_ROLL)
    await cotriguacu.amend(HOLIDAY.replace("2011-05-20", "2011-07-20"))
    await cotriguacu.work()

    assert (await previewed(cotriguacu)).changes == ()
    assert (await cotriguacu.terms("case", case))["defesa"].last_day == date(2011, 5, 23)


async def test_the_first_publication_is_no_cause(cotriguacu: Docket) -> None:
    rows = await cotriguacu.rows("SELECT id FROM publication WHERE tenant_id = :tenant AND seq = 1")
    with pytest.raises(Invalid):
        await cotriguacu.do(recompute, "prefeito", publication_id=rows[0].id)


async def test_the_certificate_says_of_each_day_why_it_counts_or_not(cotriguacu: Docket) -> None:
    await cotriguacu.amend(HOLIDAY)
    case = await opened(cotriguacu)
    term = (await cotriguacu.terms("case", case))["defesa"]
    async with cotriguacu.database.reader(cotriguacu.town) as tx:
        found = await certifying.certificate(tx, term.id)

    assert [(each.day.day, each.counted) for each in found.days] == [
        (12, False),
        *((day, True) for day in range(13, 21)),
        (20, False),
        (21, False),
        (22, False),
        (23, True),
    ]
    assert found.days[0].why == "dia do começo: não se conta"
    assert "Feriado de exemplo" in found.days[9].why
    assert found.rolled_from == date(2011, 5, 20)
    assert {used["code"] for used in found.readings} >= {"rolar", "inicio_nao_util"}
    assert "até 23/05/2011" in found.message


async def test_a_calendar_that_has_not_changed_moves_nothing(own_database: Database) -> None:
    """Whatever runs in a town: licences, permits, inspections, fines."""
    for slug in (BARRA, COTRIGUACU):
        docket = await Docket.of(own_database, slug)
        docket.at(date(2026, 3, 10))
        permit = await docket.permit(date(2026, 3, 10))
        async with own_database.transaction(docket.town) as tx:
            await (await Maker.of(tx)).licence(permit)
        await docket.amend(HOLIDAY.replace("2011-05-20", "2019-01-02"))
        seen = await previewed(docket)
        assert seen.looked_at > 1
        assert seen.changes == ()


UFM = {BARRA: ("valor_ufir", "I-07"), COTRIGUACU: ("valor_ufm", "CO-40-VII")}
FINES = {BARRA: "financas", COTRIGUACU: "fiscalizacao"}


async def fined_on(docket: Docket, permit: UUID, infraction: str, day: date, office: str) -> UUID:
    docket.at(day)
    return await docket.fined(permit, infraction, day, office)


@pytest.mark.parametrize("slug", [BARRA, COTRIGUACU])
async def test_a_corrected_unit_value_corrects_what_nobody_has_paid(own_database: Database, slug: str) -> None:
    docket = await Docket.of(own_database, slug)
    docket.at(date(2026, 3, 10))
    permit = await docket.permit(date(2026, 3, 10))
    parameter, infraction = UFM[slug]
    unpaid, paid, later = [
        await fined_on(docket, permit.id, infraction, date(2026, 3, day), FINES[slug]) for day in (10, 11, 12)
    ]
    before = {row.id: row for row in await docket.rows("SELECT * FROM fine WHERE tenant_id = :tenant")}
    async with own_database.transaction(docket.town) as tx:
        clerk = (await Maker.of(tx)).offices.who("register")
        await record_payment(tx, clerk, fine_id=paid, brl=Decimal("1.00"), reference="G-1", paid_on=date(2026, 3, 12))
    docket.at(date(2026, 3, 12))
    async with own_database.transaction(docket.town) as tx:
        value = str(before[unpaid].rate * 2)
        await supply_parameter(
            tx,
            OPERATOR,
            code=parameter,
            value=f"{value} BRL",
            source="Decreto 77/2026",
            since=date(2026, 3, 1),
            until=date(2026, 3, 11),
        )

    seen = await previewed(docket)
    publication = await latest(docket)
    async with own_database.transaction(docket.town) as tx:
        await recompute(tx, OPERATOR, publication_id=publication)
    await docket.work()
    after = {row.id: row for row in await docket.rows("SELECT * FROM fine WHERE tenant_id = :tenant")}

    assert (after[unpaid].brl, after[unpaid].rate) == (before[unpaid].brl * 2, before[unpaid].rate * 2)
    assert (after[paid].brl, after[later].brl) == (before[paid].brl, before[later].brl)
    assert [(c.what, c.finding, c.subject_id) for c in seen.changes if c.subject_kind == "fine"] == [
        ("amount", None, unpaid),
        ("review", "paid", paid),
    ]
    assert ("paid", paid) in await listed(docket)
    assert await told(docket, "fine.recomputed") == [unpaid]
    (part,) = after[unpaid].decision["parts"][len(before[unpaid].decision["parts"]) :]
    assert part["message"].endswith("Fonte: Decreto 77/2026.")
    assert any("art." in citation for citation in part["citations"])
    assert (await previewed(docket)).count("amount") == 0
