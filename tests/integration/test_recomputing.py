"""A holiday that comes to be known moves the terms that run, each by its act, and none that has run."""

from __future__ import annotations

from datetime import date

import pytest

from services.database import Database
from services.errors import Forbidden
from services.proceedings import certifying, recomputing, store
from tests.support.factories import BARRA, COTRIGUACU, Maker
from tests.support.proceedings import Docket

SERVED = date(2011, 5, 12)
HOLIDAY = """
[[holiday]]
code = "emancipacao"
title = "Feriado de exemplo"
day = 2011-05-20
act = "Decreto de exemplo"
"""


@pytest.fixture
async def cotriguacu(own_database: Database) -> Docket:
    docket = await Docket.of(own_database, COTRIGUACU)
    docket.at(SERVED)
    return docket


async def test_a_holiday_on_the_last_day_moves_what_runs_and_not_what_is_closed(cotriguacu: Docket) -> None:
    running, met = [
        await cotriguacu.opens(
            "financas",
            infractions=["CO-40-VI"],
            seen_on=SERVED,
            opened_by="de_oficio",
            category="taxi",
            respondents=[{"name": "Autuado"}],
        )
        for _ in range(2)
    ]
    for case in (running, met):
        await cotriguacu.serves(case, "fiscalizacao", way="person", dates={"acknowledged": SERVED})
    await cotriguacu.defends(met, "financas")
    cotriguacu.at(date(2011, 5, 16))
    await cotriguacu.amend(HOLIDAY)

    term = (await cotriguacu.terms("case", running))["defesa"]
    closed = (await cotriguacu.terms("case", met))["defesa"]
    assert (term.last_day, closed.last_day) == (date(2011, 5, 23), date(2011, 5, 20))
    acts = await cotriguacu.rows(
        "SELECT subject_id FROM act WHERE tenant_id = :tenant AND verb = 'deadline.recomputed' ORDER BY id"
    )
    moved = [row.subject_id for row in acts]
    assert term.id in moved
    assert closed.id not in moved
    assert await cotriguacu.do(recomputing.recompute_open_terms, "prefeito") == []


async def test_another_reading_of_the_count_is_looked_at_before_it_moves_anything(cotriguacu: Docket) -> None:
    case = await cotriguacu.opens(
        "financas",
        infractions=["CO-40-VI"],
        seen_on=SERVED,
        opened_by="de_oficio",
        category="taxi",
        respondents=[{"name": "Autuado"}],
    )
    cotriguacu.at(date(2011, 5, 13))
    await cotriguacu.serves(case, "fiscalizacao", way="person", dates={"acknowledged": date(2011, 5, 13)})
    await cotriguacu.amend('[[choice]]\ncode = "rolar"\noption = "none"\nby = "prefeito"\nwhy = "decreto"\n')
    async with cotriguacu.database.reader(cotriguacu.town) as tx:
        seen = {each.deadline.kind: each.last_day for each in await recomputing.moved_terms(tx)}
    with pytest.raises(Forbidden):
        await cotriguacu.do(recomputing.recompute_open_terms, "financas")
    assert (await cotriguacu.terms("case", case))["defesa"].last_day == date(2011, 5, 23)
    await cotriguacu.do(recomputing.recompute_open_terms, "prefeito", why="Decreto.")

    assert seen == {"defesa": date(2011, 5, 21)}
    assert (await cotriguacu.terms("case", case))["defesa"].last_day == date(2011, 5, 21)


async def test_the_certificate_says_of_each_day_why_it_counts_or_not(cotriguacu: Docket) -> None:
    await cotriguacu.amend(HOLIDAY)
    case = await cotriguacu.opens(
        "financas",
        infractions=["CO-40-VI"],
        seen_on=SERVED,
        opened_by="de_oficio",
        category="taxi",
        respondents=[{"name": "Autuado"}],
    )
    await cotriguacu.serves(case, "fiscalizacao", way="person", dates={"acknowledged": SERVED})
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
        async with own_database.reader(docket.town) as tx:
            assert await store.counted_and_open(tx)
            assert await recomputing.moved_terms(tx) == []
