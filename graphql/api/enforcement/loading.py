"""Records with just the parts that are asked for: one statement for each, whatever the number of rows."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID
from zoneinfo import ZoneInfo

from sqlalchemy import Row

from api.enforcement.types import (
    Complaint,
    ComplaintReceipt,
    ComplaintStatus,
    Conduct,
    ConductEntry,
    ConductMeasure,
    ConductRepetition,
    Evidence,
    Occurrence,
    Penalty,
)
from api.selection import Selection
from api.types.decisions import Decision, Norms
from api.types.scalars import LocalDateTime, global_id
from services.database import Reader
from services.enforcement import conduct as record
from services.enforcement import store as penalties
from services.enforcement.complaints.receiving import Receipt
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
        made.evidence = [evidence_of(each, tx.town.zone) for each in shown.get(row.client_id, ())]
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
        vehicle_id=global_id("vehicle", row.known_vehicle) if row.known_vehicle else None,
        permit_id=global_id("permit", row.permit_id) if row.permit_id else None,
        permit_number=row.permit_number,
        holder_name=row.holder_name,
        driver_name=row.driver_name,
        person_name=row.person_name,
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
        case_number=row.case_number,
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


def evidence_of(row: Row[Any], zone: str) -> Evidence:
    return Evidence(
        id=global_id("evidence", row.id),
        path=f"/evidence/{row.id}",
        media_type=row.media_type,
        size=row.size,
        sha256=row.sha256,
        received_at=local(row.received_at, zone),
    )


def receipt_of(made: Receipt, norms: Norms) -> ComplaintReceipt:
    return ComplaintReceipt(
        number=made.number,
        secret=made.secret,
        answer_until=made.answer_until,
        decision=Decision.of(made.decision.plain(), norms),
    )


def status_of(row: Row[Any], norms: Norms) -> ComplaintStatus:
    """Nothing of who it is about."""
    return ComplaintStatus(
        number=row.number,
        received_on=row.received_on,
        answer_until=row.answer_until,
        answer=row.answer,
        founded=row.founded,
        answered_on=row.answered_on,
        case_number=row.case_number,
        decision=Decision.of(row.decision, norms),
    )


def complaint_of(row: Row[Any], zone: str) -> Complaint:
    return Complaint(
        id=global_id("complaint", row.id),
        number=row.number,
        received_at=local(row.received_at, zone),
        received_on=row.received_on,
        text=row.text,
        plate=row.plate,
        happened_on=row.happened_on,
        permit_id=global_id("permit", row.permit_id) if row.permit_id else None,
        permit_number=row.permit_number,
        answer_until=row.answer_until,
        article=row.article,
        answer=row.answer,
        founded=row.founded,
        answered_on=row.answered_on,
        case_number=row.case_number,
        version=row.version,
    )


def conduct_of(found: record.Conduct, norms: Norms) -> Conduct:
    entries = [
        ConductEntry(
            penalty=penalty_of(row),
            final=row.state == "applied" and row.final_on is not None and row.final_on <= found.on,
            paid=row.paid if row.fine_id is None else bool(row.paid),
            dismissed=row.dismissed,
            suspended_on=row.suspended_on,
            counts=found.counts(row),
        )
        for row in found.penalties
    ]
    return Conduct(
        on=found.on,
        entries=entries,
        measures=[_measure(row, found) for row in found.decided],
        repetition=[_repetition(each, norms) for each in found.repetition],
        points=Decision.of(found.points.plain(), norms),
    )


def _measure(row: Row[Any], found: record.Conduct) -> ConductMeasure:
    return ConductMeasure(
        what=penalties.WORDS[row.effect],
        infraction=row.infraction,
        since=row.since,
        until=row.until,
        in_force=row.until is None or found.on <= row.until,
    )


def _repetition(each: record.Repetition, norms: Norms) -> ConductRepetition:
    answer = each.decision.value
    return ConductRepetition(
        infraction=each.infraction,
        category=each.category,
        nth=answer.nth if answer is not None else None,
        counted=sorted(each.counted),
        decision=Decision.of(each.decision.plain(), norms),
    )
