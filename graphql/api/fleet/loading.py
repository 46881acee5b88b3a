"""Vehicles, inspections, drivers and records with just the parts that are asked for: one statement for each."""

from datetime import date
from typing import Any
from uuid import UUID

import orjson
from sqlalchemy import Row

from api.fleet.types import (
    Approval,
    AskedFact,
    ChecklistItem,
    DriverBar,
    DriverFile,
    Enrolment,
    Inspection,
    InspectionFault,
    RecordEntry,
    VehicleFile,
    VehicleSale,
)
from api.register.loading import deadline_of, driver_of, paper_of, vehicle_of
from api.register.types import Deadline, Paper
from api.selection import Selection
from api.types.decisions import Decision
from api.types.scalars import global_id
from services.database import Reader
from services.deadlines import store as deadlines
from services.drivers import store as drivers
from services.fleet import running
from services.fleet import store as fleet
from services.inspections import checklist
from services.inspections import store as inspections
from services.inspections.due import due
from services.records.reading import Entry
from services.registry import store as registry

RELATED_MOST = 100  # law-free: rows of a relation


async def vehicle_file(tx: Reader, id: UUID, wanted: Selection, day: date) -> VehicleFile:
    """Raises NotFound."""
    row = await fleet.serving(tx, id, day)
    found = VehicleFile(
        id=global_id("vehicle", id),
        vehicle=vehicle_of(await registry.one(tx, "vehicle", id)),
        permit_number=row.permit_number,
        category=row.category or None,
        stay=None,
        due=[],
        inspections=[],
        approvals=[],
        papers=[],
        deadlines=[],
    )
    if row.category and wanted.names & {"stay", "due"}:
        await _by_law(tx, found, row, day)
    if "inspections" in wanted:
        found.inspections = [inspection_of(each) for each in await inspections.page(tx, RELATED_MOST, vehicle=id)]
    if "approvals" in wanted:
        found.approvals = [approval_of(each) for each in await fleet.approvals_of(tx, id)]
    if "papers" in wanted:
        found.papers = await papers_of(tx, id)
    if "deadlines" in wanted:
        found.deadlines = await deadlines_of(tx, ("vehicle", id), day)
    return found


async def _by_law(tx: Reader, found: VehicleFile, row: fleet.Serving, day: date) -> None:
    """Until when it may serve, and when it is to be inspected."""
    law = await tx.law(on=day)
    known, papers = await running.known_of(tx, law, row)
    found.stay = Decision.of(running.stay(law, row, known, papers).plain(), law.norms)
    for rule in running.inspected(law, row.category):
        last = await inspections.last(tx, row.id, rule.code, day)
        passed = await inspections.last_passed(tx, row.id, rule.code, day)
        failed_on = last.inspected_on if last is not None and not last.passed else None
        decision = due(law, rule, row, known, papers, last_on=passed, found_on=failed_on)
        found.due.append(Decision.of(decision.plain(), law.norms))


async def driver_file(tx: Reader, id: UUID, wanted: Selection, day: date) -> DriverFile:
    """Raises NotFound."""
    row = await registry.one(tx, "driver", id)
    standing = await drivers.standing(tx, day, drivers=[id])
    found = DriverFile(
        id=global_id("driver", id),
        driver=driver_of(row),
        suspended=any(each.suspended or each.struck_off for each in standing),
        enrolments=[],
        bars=[],
        papers=[],
        deadlines=[],
    )
    if "enrolments" in wanted:
        found.enrolments = [enrolment_of(each) for each in await drivers.enrolments_of(tx, id)]
    if "bars" in wanted:
        bars = await drivers.bars_of(tx, id)
        found.bars = [DriverBar(what=each.what, since=each.since, until=each.until) for each in bars]
    if "papers" in wanted:
        found.papers = await papers_of(tx, id)
    if "deadlines" in wanted:
        found.deadlines = await deadlines_of(tx, ("driver", id), day)
    return found


async def papers_of(tx: Reader, id: UUID) -> list[Paper]:
    return [paper_of(each) for each in (await registry.papers(tx, [id])).get(id, [])]


async def deadlines_of(tx: Reader, subject: tuple[str, UUID], day: date) -> list[Deadline]:
    return [deadline_of(each) for each in await deadlines.of_subjects(tx, [subject], day)]


async def last_sale_of(tx: Reader, vehicle: UUID) -> VehicleSale:
    """Raises NotFound."""
    return await sale_of(tx, await fleet.last_sale(tx, vehicle))


async def sale_of(tx: Reader, row: Row[Any]) -> VehicleSale:
    norms = (await tx.law(on=tx.today)).norms
    said = orjson.loads(row.body).get("decision")
    return VehicleSale(
        id=global_id("sale", row.id),
        vehicle=vehicle_of(await registry.one(tx, "vehicle", row.vehicle_id)),
        sold_on=row.sold_on,
        plate_released_on=row.plate_released_on,
        answer=Decision.of(said, norms) if said else None,
    )


def inspection_of(row: Row[Any]) -> Inspection:
    return Inspection(
        id=global_id("inspection", row.id),
        rule=row.rule,
        vehicle_id=global_id("vehicle", row.vehicle_id),
        scheduled_on=row.scheduled_on,
        inspected_on=row.inspected_on,
        carried=row.carried,
        faults=[InspectionFault(**fault) for fault in row.faults],
        version=row.version,
        number=row.number,
        passed=row.passed,
        cure_until=row.cure_until,
        due_on=row.due_on,
        again_of=global_id("inspection", row.again_of) if row.again_of else None,
    )


def approval_of(row: Row[Any]) -> Approval:
    return Approval(
        id=global_id("approval", row.id),
        number=row.number,
        matter=row.matter,
        contents=row.contents,
        since=row.since,
        until=row.until,
        version=row.version,
    )


def enrolment_of(row: Row[Any]) -> Enrolment:
    return Enrolment(
        id=global_id("enrolment", row.id),
        number=row.number,
        category=row.category,
        role=row.role,
        holder_name=row.holder_name,
        since=row.since,
        until=row.until,
        employed=row.employed,
        version=row.version,
    )


def item_of(item: checklist.ChecklistItem) -> ChecklistItem:
    return ChecklistItem(
        rule=item.rule,
        kind=item.kind,
        title=item.title,
        ask=item.ask,
        articles=list(item.articles),
        facts=[AskedFact(code=each.code, ask=each.ask, type=each.type, unit=each.unit) for each in item.facts],
        infraction=item.infraction,
        item=item.item,
        paper=item.paper,
        judged=item.judged,
    )


def entry_of(entry: Entry) -> RecordEntry:
    of_kind, of_id = entry.of
    return RecordEntry(
        id=global_id(entry.kind, entry.id),
        day=entry.day,
        code=entry.code,
        title=entry.title,
        number=entry.number,
        state=entry.state,
        articles=list(entry.articles),
        message=entry.message,
        kind=entry.kind,
        subject_id=global_id(of_kind, of_id) if of_id else None,
        until=entry.until,
        act_id=global_id("act", entry.act_id) if entry.act_id else None,
        verb=entry.verb,
        office=entry.office,
        at=entry.at,
    )
