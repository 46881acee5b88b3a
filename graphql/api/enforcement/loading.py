"""Records with just the parts that are asked for: one statement for each, whatever the number of rows."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID
from zoneinfo import ZoneInfo

from sqlalchemy import Row

from api.enforcement.types import Evidence, Occurrence, Penalty
from api.selection import Selection
from api.types.decisions import Decision
from api.types.scalars import LocalDateTime, global_id
from services.database import Reader
from services.enforcement import store as penalties
from services.enforcement.occurrences import store
from services.enforcement.occurrences.copies import copy_of


async def occurrences_of(tx: Reader, rows: Sequence[Row[Any]], wanted: Selection) -> list[Occurrence]:
    norms = (await tx.law(on=tx.today)).norms
    drew: dict[UUID, list[Row[Any]]] = {}
    if wanted.names & {"penalties", "copy"}:
        drew = await penalties.penalties_of_occurrences(tx, [row.id for row in rows])
    shown = await store.evidence_of(tx, [row.client_id for row in rows]) if "evidence" in wanted else {}
    found = []
    for row in rows:
        made = _occurrence(row, Decision.of(row.decision, norms), tx.town.zone)
        made.penalties = [penalty_of(each) for each in drew.get(row.id, ())]
        made.evidence = [_evidence(each, tx.town.zone) for each in shown.get(row.client_id, ())]
        made.copy = await copy_of(tx, row, drew.get(row.id, ())) if "copy" in wanted else ""
        found.append(made)
    return found


def local(moment: datetime, zone: str) -> LocalDateTime:
    return LocalDateTime(moment.astimezone(ZoneInfo(zone)).replace(tzinfo=None))


def _occurrence(row: Row[Any], decision: Decision, zone: str) -> Occurrence:
    return Occurrence(
        id=global_id("occurrence", row.id),
        number=row.number,
        client_id=row.client_id,
        seen_at=local(row.seen_at, zone),
        received_at=local(row.received_at, zone),
        seen_on=row.seen_on,
        place=row.place,
        plate=row.plate,
        permit_id=global_id("permit", row.permit_id) if row.permit_id else None,
        permit_number=row.permit_number,
        holder_name=row.holder_name,
        driver_name=row.driver_name,
        offender_name=row.offender_name,
        category=row.category,
        infractions=row.infractions,
        notes=row.notes,
        statement=row.statement,
        refused_to_sign=row.refused_to_sign,
        notified_on=row.notified_on,
        inspector=row.inspector,
        office=row.office,
        state=row.state,
        version=row.version,
        decision=decision,
        penalties=[],
        evidence=[],
        copy="",
    )


def penalty_of(row: Row[Any]) -> Penalty:
    return Penalty(
        id=global_id("penalty", row.id),
        infraction=row.infraction,
        reported_as=row.reported_as,
        what=row.what,
        nth=row.nth,
        state=row.state,
        points=row.points,
        seen_on=row.seen_on,
        notified_on=row.notified_on,
        fine_id=global_id("fine", row.fine_id) if row.fine_id else None,
        fine_number=row.number,
        units=row.units,
        unit=row.unit,
        rate=row.rate,
        brl=row.brl,
        due_on=row.due_on,
        defence_until=row.defence_until,
        final_on=row.final_on,
        may_open=row.may_open,
        articles=row.effect.get("cite", []),
    )


def _evidence(row: Row[Any], zone: str) -> Evidence:
    return Evidence(
        id=global_id("evidence", row.id),
        path=f"/evidence/{row.id}",
        media_type=row.media_type,
        size=row.size,
        sha256=row.sha256,
        received_at=local(row.received_at, zone),
    )
