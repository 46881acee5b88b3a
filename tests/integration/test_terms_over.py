"""A permit's term is over: it ends with all that serves it, whether or not the law names the cause of such an end."""

from datetime import date
from uuid import UUID

import pytest

from services.database import Database
from services.municipalities.publishing import amend
from services.nights import night
from tests.support.factories import COTRIGUACU, OPERATOR, Maker, make_town

NO_CAUSE = """
[[term]]
code = "permissao"
title = "Prazo da permissão"
cite = "art. 8"
of = "permit"
starts = "granted"
length = "5 years"
counting = "validade"
validity = true
"""
LONG_STAY = """
[[vehicle_age]]
code = "idade_de_permanencia"
title = "Idade do veículo em serviço"
cite = "art. 8"
at = "stay"
limit = "30 years"
basis = "manufacture_year"
"""


async def granted(database: Database, change: str = "") -> UUID:
    """A town with one permit whose last day was yesterday."""
    town = await make_town(database, COTRIGUACU)
    async with database.transaction(town) as tx:
        if change:
            await amend(tx, OPERATOR, text=change, norm="Lei 9.000/2020", official_on=date(2020, 1, 1))
    async with database.transaction(town) as tx:
        await (await Maker.of(tx)).permit(date(2021, 3, 9), stand="1", aged=(0, 0))
    return town


@pytest.mark.parametrize(("change", "cause"), [("", "caducidade"), (NO_CAUSE, None)])
async def test_a_permit_whose_term_is_over_ends_by_an_act(
    own_database: Database, change: str, cause: str | None
) -> None:
    town = await granted(own_database, change)

    await night(own_database, [town])

    async with own_database.reader(town) as reader:
        ended = await reader.one("SELECT ended_on, ended_cause, ended_act FROM permit")
        act = await reader.one("SELECT verb, actor FROM act WHERE id = :id", id=ended.ended_act)
        still = await reader.rows("SELECT kind FROM deadline WHERE state = 'open' AND subject_kind = 'permit'")
    assert (ended.ended_on, ended.ended_cause) == (date(2026, 3, 10), cause)
    assert (act.verb, act.actor) == ("permit.ended", "system")
    assert still == []


async def test_what_runs_for_its_vehicle_ends_with_the_term(own_database: Database) -> None:
    town = await granted(own_database, LONG_STAY)
    running = "SELECT count(*) FROM deadline WHERE state = 'open' AND subject_kind = 'vehicle' AND last_day > :today"
    async with own_database.reader(town) as reader:
        assert await reader.scalar(running, today=reader.today) > 0

    await night(own_database, [town])

    async with own_database.reader(town) as reader:
        assert await reader.scalar(running, today=reader.today) == 0
