"""A holder is summoned to put the service right: as long as the office says, met by attending, else a process."""

from datetime import date

import pytest

from services.database import Database
from services.errors import Invalid, Refused
from services.municipalities import store as publications
from services.permits.noting import note_event
from services.recomputing.previewing import preview_recomputation
from tests.support.factories import BARRA, COTRIGUACU, OPERATOR
from tests.support.proceedings import Docket

DAY = date(2026, 3, 10)
OFFICE = "fiscalizacao"


@pytest.fixture
async def cotriguacu(own_database: Database) -> Docket:
    docket = await Docket.of(own_database, COTRIGUACU)
    docket.at(DAY)
    return docket


async def test_it_runs_as_long_as_the_office_says_and_is_met_by_attending(cotriguacu: Docket) -> None:
    permit = await cotriguacu.permit(DAY)
    given = {"permit_id": permit.id, "event": "summoned", "why": "Sanear o ponto."}
    with pytest.raises(Refused):
        await cotriguacu.do(note_event, OFFICE, **given)
    with pytest.raises(Invalid):
        await cotriguacu.do(note_event, OFFICE, **given, length="logo")
    await cotriguacu.do(note_event, OFFICE, **given, length="15 days")
    term = (await cotriguacu.terms("permit", permit.id))["intimacao"]
    await cotriguacu.do(note_event, OFFICE, permit_id=permit.id, event="summons_attended")

    assert (term.last_day, term.state, "art. 17, V" in term.article) == (date(2026, 3, 25), "open", True)
    assert (await cotriguacu.terms("permit", permit.id))["intimacao"].state == "met"


async def test_whoever_does_not_attend_is_over_with_the_term(cotriguacu: Docket) -> None:
    permit = await cotriguacu.permit(DAY)
    await cotriguacu.do(note_event, OFFICE, permit_id=permit.id, event="summoned", length="10 days")
    cotriguacu.at(date(2026, 3, 21))
    await cotriguacu.night()

    assert (await cotriguacu.terms("permit", permit.id))["intimacao"].state == "expired"


async def test_a_holiday_moves_it_too(cotriguacu: Docket) -> None:
    permit = await cotriguacu.permit(DAY)
    await cotriguacu.do(note_event, OFFICE, permit_id=permit.id, event="summoned", length="15 days")
    await cotriguacu.amend('[[holiday]]\ntitle = "Festa"\nday = 2026-03-25\nact = "Decreto de exemplo"\n')
    async with cotriguacu.database.reader(cotriguacu.town) as tx:
        head = await publications.head(tx)
        assert head is not None
        seen = await preview_recomputation(tx, OPERATOR, publication_id=head.id)
    await cotriguacu.work()

    assert [(each.shown, each.after) for each in seen.changes] == [("intimacao", "2026-03-26")]
    assert (await cotriguacu.terms("permit", permit.id))["intimacao"].last_day == date(2026, 3, 26)


async def test_a_law_that_knows_no_summons_has_none(own_database: Database) -> None:
    docket = await Docket.of(own_database, BARRA)
    docket.at(DAY)
    permit = await docket.permit(DAY)
    with pytest.raises(Refused, match="não prevê"):
        await docket.do(note_event, OFFICE, permit_id=permit.id, event="summoned", length="10 days")
