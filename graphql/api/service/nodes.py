"""Rosters and reviews of tariffs by their ids."""

from uuid import UUID

from api.nodes import loads
from api.selection import Selection
from api.service import loading
from api.service.types import Roster, RosterSwap, TariffReview
from services.database import Reader
from services.stands.rosters import store as rosters


@loads("roster")
async def roster(tx: Reader, id: UUID, wanted: Selection) -> Roster:
    return await loading.roster_by(tx, id, wanted, tx.today)


@loads("swap")
async def swap(tx: Reader, id: UUID, wanted: Selection) -> RosterSwap:
    return loading.swap_of(await rosters.swap(tx, id))


@loads("tariff_review")
async def tariff_review(tx: Reader, id: UUID, wanted: Selection) -> TariffReview:
    return await loading.review_by(tx, id, wanted)
