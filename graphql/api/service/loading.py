"""Stands, rosters and tariff reviews with just what is asked of them: one statement for each relation."""

from collections.abc import Sequence
from datetime import date
from decimal import Decimal
from typing import Any
from uuid import UUID

from sqlalchemy import Row

from api.office.lawmaking import Publication
from api.register import loading as register
from api.selection import Selection
from api.service.types import (
    CostLine,
    CostSheet,
    OnDuty,
    Roster,
    RosterMember,
    RosterShift,
    RosterSwap,
    StandChange,
    StandSlots,
    TariffReview,
    TariffStep,
    moment,
)
from api.types.decisions import citations
from api.types.scalars import global_id
from services.database import Reader
from services.permits import store as permits
from services.stands import store as stands
from services.stands.changes import Made
from services.stands.listing import StandView
from services.stands.rosters import store as rosters
from services.tariffs import store as tariffs
from tenants.law.law import Law


async def stands_of(tx: Reader, law: Law, views: Sequence[StandView], wanted: Selection) -> list[StandSlots]:
    """Whoever asks for those who wait may read the register."""
    found = {view.stand.code: stand_of(law, view) for view in views}
    if "waiting" in wanted and found:
        rows = await stands.waiting(tx, list(found), law.on)
        ids = [row.permit_id for row in rows]
        page = await permits.page(tx, law.on, len(ids), ids=ids) if ids else []
        nodes = await register.permits_of(tx, page, wanted.under("waiting"), law.on)
        by_id = {node.id: node for node in nodes}
        for row in rows:
            found[row.stand].waiting.append(by_id[global_id("permit", row.permit_id)])
    return list(found.values())


def stand_of(law: Law, view: StandView) -> StandSlots:
    stand = view.stand
    return StandSlots(
        code=stand.code,
        number=stand.number,
        place=stand.place,
        access=stand.access,
        area=stand.area,
        hours=None if view.hours is None else str(view.hours),
        takes_slot=view.takes_slot,
        slots=stand.slots,
        taken=view.taken,
        free=view.free,
        area_left=view.left,
        citations=citations(map(str, (*stand.cite, *(view.quota.citations if view.quota else ()))), law.norms),
    )


def change_of(made: Made) -> StandChange:
    publication = global_id("publication", made.publication.id)
    return StandChange(
        id=publication,
        code=made.code,
        since=made.law.on,
        publication=Publication(id=publication, seq=made.publication.seq),
        stand=None if made.view is None else stand_of(made.law, made.view),
    )


async def rosters_of(tx: Reader, rows: Sequence[Row[Any]], wanted: Selection) -> list[Roster]:
    found = {row.id: roster_of(row) for row in rows}
    if "members" in wanted:
        for row in await rosters.members(tx, list(found)):
            permit = global_id("permit", row.permit_id)
            found[row.roster_id].members.append(RosterMember(permit_id=permit, number=row.number, agrees=row.agrees))
    if "shifts" in wanted:
        for row in await rosters.shifts(tx, list(found)):
            found[row.roster_id].shifts.append(shift_of(row))
    return list(found.values())


async def roster_by(tx: Reader, id: UUID, wanted: Selection, day: date) -> Roster:
    """Raises NotFound."""
    (found,) = await rosters_of(tx, [await rosters.roster(tx, id, day)], wanted)
    return found


def roster_of(row: Row[Any]) -> Roster:
    return Roster(
        id=global_id("roster", row.id),
        category=row.category,
        since=row.since,
        until=row.until,
        state=row.state,
        basis=row.basis,
        norm=row.norm,
        version=row.version,
    )


def shift_of(row: Row[Any]) -> RosterShift:
    return RosterShift(
        id=global_id("shift", row.id),
        permit_id=global_id("permit", row.permit_id),
        number=row.number,
        starts=moment(row.starts),
        ends=moment(row.ends),
    )


def swap_of(row: Row[Any]) -> RosterSwap:
    return RosterSwap(
        id=global_id("swap", row.id),
        roster_id=global_id("roster", row.roster_id),
        asked_by=row.asking,
        asked_of=row.asked,
        gives_from=moment(row.gives_from),
        gives_to=moment(row.gives_to),
        takes_from=moment(row.takes_from),
        takes_to=moment(row.takes_to),
    )


def on_duty_of(law: Law, row: Row[Any]) -> OnDuty:
    return OnDuty(
        number=row.number,
        plate=row.plate,
        stand=register.stand_of(law, row.stand) if row.stand else None,
        starts=moment(row.starts),
        ends=moment(row.ends),
    )


async def reviews_of(tx: Reader, rows: Sequence[Row[Any]], wanted: Selection) -> list[TariffReview]:
    found = {row.id: review_of(row) for row in rows}
    if "steps" in wanted:
        for row in await tariffs.steps(tx, list(found)):
            step = TariffStep(what=row.what, code=row.code, on=row.met_on, source=row.source)
            found[row.review_id].steps.append(step)
    return list(found.values())


async def review_by(tx: Reader, id: UUID, wanted: Selection) -> TariffReview:
    """Raises NotFound."""
    (found,) = await reviews_of(tx, [await tariffs.review(tx, id)], wanted)
    return found


def review_of(row: Row[Any]) -> TariffReview:
    return TariffReview(
        id=global_id("tariff_review", row.id),
        category=row.category,
        because=row.because,
        requested_on=row.requested_on,
        sheet=None if row.sheet is None else sheet_of(row.sheet),
        granted=row.granted,
        decided_on=row.decided_on,
        version=row.version,
    )


def sheet_of(kept: dict[str, Any]) -> CostSheet:
    def number(key: str) -> Decimal | None:
        return Decimal(kept[key]) if key in kept else None

    return CostSheet(
        lines=[CostLine(item=line["item"], brl=Decimal(line["brl"])) for line in kept["lines"]],
        total=Decimal(kept["total"]),
        km=number("km"),
        per_km=number("perKm"),
        asked=kept.get("asked"),
        paper=kept.get("paper"),
    )
