"""Shifts change hands by the consent of both holders, and only so that the roster still keeps the law."""

from collections.abc import AsyncIterator
from datetime import date, timedelta
from typing import Any
from uuid import UUID

import pytest

from services.database import Database
from services.errors import Conflict, Forbidden, Invalid, NotFound, Refused
from services.stands.rosters import store
from services.stands.rosters.agreeing import approve_roster
from services.stands.rosters.swapping import answer_swap, ask_swap
from tests.support.factories import BARRA, COTRIGUACU
from tests.support.rosters import PAPER, Taxis, taxis

TODAY = date(2026, 3, 10)


@pytest.fixture
async def barra(own_database: Database) -> AsyncIterator[Taxis]:
    async with taxis(own_database, BARRA, [None] * 7) as made:
        yield made


@pytest.fixture
async def cotriguacu(own_database: Database) -> AsyncIterator[Taxis]:
    async with taxis(own_database, COTRIGUACU, ["1", "1", "2", "3"]) as made:
        yield made


async def pair(town: Taxis, roster: UUID) -> tuple[Any, Any]:
    """Two shifts of one day and two holders, each with no other shift near the other's."""
    shifts = await store.shifts(town.tx, [roster])
    day = [shift for shift in shifts if shift.starts.date() == date(2026, 4, 7)]
    one = day[0]
    other = next(
        shift
        for shift in shifts
        if shift.permit_id != one.permit_id and free(shifts, one, shift) and free(shifts, shift, one)
    )
    return one, other


def free(shifts: list[Any], leaving: Any, taking: Any) -> bool:
    own = [s for s in shifts if s.permit_id == leaving.permit_id and s.id != leaving.id]
    return all(s.ends <= taking.starts or s.starts >= taking.ends for s in own)


async def test_shifts_change_hands_when_both_holders_agree(cotriguacu: Taxis) -> None:
    roster = await cotriguacu.approved()
    one, other = await pair(cotriguacu, roster)
    asking, asked = [await cotriguacu.holder(shift.permit_id) for shift in (one, other)]

    swap = await ask_swap(cotriguacu.tx, asking, shift_ids=[one.id, other.id])
    with pytest.raises(Forbidden):
        await answer_swap(cotriguacu.tx, asking, swap_id=swap, agrees=True)
    before = (await store.roster(cotriguacu.tx, roster, TODAY)).version
    await answer_swap(cotriguacu.tx, asked, swap_id=swap, agrees=True)

    after = {shift.id: shift.permit_id for shift in await store.shifts(cotriguacu.tx, [roster])}
    assert (after[one.id], after[other.id]) == (other.permit_id, one.permit_id)
    assert (await store.roster(cotriguacu.tx, roster, TODAY)).version == before + 1
    with pytest.raises(Conflict, match="já foi respondida"):
        await answer_swap(cotriguacu.tx, asked, swap_id=swap, agrees=True)


async def test_a_holder_who_does_not_agree_keeps_the_shift(cotriguacu: Taxis) -> None:
    roster = await cotriguacu.approved()
    one, other = await pair(cotriguacu, roster)
    swap = await ask_swap(cotriguacu.tx, await cotriguacu.holder(one.permit_id), shift_ids=[one.id, other.id])

    await answer_swap(cotriguacu.tx, await cotriguacu.holder(other.permit_id), swap_id=swap, agrees=False)

    after = {shift.id: shift.permit_id for shift in await store.shifts(cotriguacu.tx, [roster])}
    assert (after[one.id], after[other.id]) == (one.permit_id, other.permit_id)


async def test_a_swap_that_would_break_the_law_is_refused(barra: Taxis) -> None:
    """Each must work every day: who gave away the only shift of a day for one of another would not."""
    roster = await barra.propose()
    await approve_roster(barra.tx, barra.office("financas"), roster_id=roster)
    shifts = await store.shifts(barra.tx, [roster])
    one = next(s for s in shifts if s.starts.date() == date(2026, 4, 5))
    far = [s for s in shifts if s.permit_id != one.permit_id and s.starts >= one.ends + timedelta(days=2)]
    other = next(s for s in far if free(shifts, one, s) and free(shifts, s, one))

    with pytest.raises(Refused) as no:
        await ask_swap(barra.tx, barra.clerk, shift_ids=[one.id, other.id], source=PAPER)

    assert {"hours"} <= {breach.what for breach in no.value.decision.value.breaches}


async def test_shifts_that_would_overlap_are_not_swapped(barra: Taxis) -> None:
    roster = await barra.propose()
    await approve_roster(barra.tx, barra.office("financas"), roster_id=roster)
    shifts = await store.shifts(barra.tx, [roster])
    one = next(s for s in shifts if s.starts.date() == date(2026, 4, 5))
    same = [s for s in shifts if s.starts.date() == date(2026, 4, 8) and s.permit_id != one.permit_id]
    other = next(s for s in same if not free(shifts, one, s))

    with pytest.raises(Invalid, match="sobreporiam"):
        await ask_swap(barra.tx, barra.clerk, shift_ids=[one.id, other.id], source=PAPER)


async def test_only_an_approved_roster_s_shifts_of_two_permits_are_swapped(cotriguacu: Taxis) -> None:
    roster = await cotriguacu.propose()
    one, other = await pair(cotriguacu, roster)
    shifts = await store.shifts(cotriguacu.tx, [roster])
    again = next(s for s in shifts if s.permit_id == one.permit_id and s.id != one.id)
    ask: dict[str, Any] = {"source": PAPER}

    with pytest.raises(Conflict, match="homologada"):
        await ask_swap(cotriguacu.tx, cotriguacu.clerk, **ask, shift_ids=[one.id, other.id])
    with pytest.raises(Invalid, match="duas outorgas"):
        await ask_swap(cotriguacu.tx, cotriguacu.clerk, **ask, shift_ids=[one.id, again.id])
    with pytest.raises(NotFound):
        await ask_swap(cotriguacu.tx, cotriguacu.clerk, **ask, shift_ids=[one.id, UUID(int=1)])
    with pytest.raises(Invalid, match="dois turnos"):
        await ask_swap(cotriguacu.tx, cotriguacu.clerk, **ask, shift_ids=[one.id])
