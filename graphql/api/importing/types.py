"""Files, their rows, what is wrong with them; jobs and how far they are."""

from collections.abc import Mapping, Sequence
from datetime import date, datetime
from typing import Any
from uuid import UUID

import strawberry
from sqlalchemy import Row
from strawberry.scalars import JSON

from api.selection import Selection
from api.types.nodes import Node
from api.types.output import output
from api.types.scalars import global_id
from services.database import Reader
from services.importing import columns as known_columns
from services.importing import store
from services.importing.writes import TABLES
from services.jobs import store as jobs
from services.watching import saying


@output(description="Work that is longer than one request (tarefa longa): how far it is, what came of it.")
class Job(Node):
    kind: str
    state: str = strawberry.field(description="queued, running, done, failed")
    done: int
    total: int | None
    requested_by: str
    requested_at: datetime
    started_at: datetime | None
    ended_at: datetime | None
    error: str | None
    message: str | None = strawberry.field(description="Why it failed (o que houve), for people.")
    result: JSON | None


@output(description="A column of a file (coluna): which field of the register it is read as.")
class ImportColumn:
    letter: str
    header: str
    field: str | None = strawberry.field(description="A field, a fact of the town's law; absent: it is not read.")


@output(description="How many of one kind of record (people, vehicles …) are created, filled in, left as they are.")
class ImportCount:
    subject: str
    created: int
    changed: int
    left: int


@output(description="How many rows bring something new, fill something in, change nothing, stay out.")
class ImportRowCounts:
    create: int
    change: int
    leave: int
    skip: int


@output(description="A register that a town has in a file (planilha).")
class ImportFile(Node):
    name: str
    state: str = strawberry.field(description="received, checked, imported")
    sha256: str
    size: int
    received_at: datetime
    rows: int | None
    columns: list[ImportColumn]
    version: int
    dropped_on: date | None = strawberry.field(description="Since when nothing of its cells is kept (descarte).")
    job: Job | None = strawberry.field(default=None, description="The newest: a check or an import.")


@output(description="What an import would do, or did (prévia); the register stays as it is.")
class ImportPreview:
    state: str
    rows: ImportRowCounts
    counts: list[ImportCount]


@output(description="Something wrong in a row (erro: the row stays out) or put right (aviso).")
class ImportIssue:
    row: int = strawberry.field(description="As the spreadsheet numbers it.")
    cell: str | None
    header: str | None
    field: str | None
    severity: str
    code: str
    message: str
    hint: str
    stage: str = strawberry.field(description="check or run")


@output(description="A row of a file: what is meant to become of it, what became of it.")
class ImportRow:
    number: int
    cells: list[str]
    plan: str | None = strawberry.field(description="create, change, leave, skip")
    outcome: str | None


@output(description="A field that a column may be read as (campo).")
class ImportField:
    code: str
    title: str
    headers: list[str]


def job_of(row: Row[Any]) -> Job:
    return Job(
        id=global_id("job", row.id),
        kind=row.kind,
        state=row.state,
        done=row.done,
        total=row.total,
        requested_by=row.requested_by,
        requested_at=row.requested_at,
        started_at=row.started_at,
        ended_at=row.ended_at,
        error=row.error,
        message=saying.meaning(row.error),
        result=row.result,
    )


async def files_of(tx: Reader, rows: Sequence[Row[Any]], wanted: Selection) -> list[ImportFile]:
    found = [file_of(row) for row in rows]
    if "job" in wanted:
        newest = await jobs.latest_of(tx, "import", [row.id for row in rows])
        for row, file in zip(rows, found, strict=True):
            file.job = job_of(newest[row.id]) if row.id in newest else None
    return found


async def job_by(tx: Reader, id: UUID) -> Job:
    """Raises NotFound."""
    return job_of(await jobs.one(tx, id))


async def file_by(tx: Reader, id: UUID, wanted: Selection) -> ImportFile:
    """Raises NotFound."""
    (found,) = await files_of(tx, [await store.file(tx, id)], wanted)
    return found


def file_of(row: Row[Any]) -> ImportFile:
    said = [known_columns.Column(**column) for column in row.columns]
    return ImportFile(
        id=global_id("import", row.id),
        name=row.name,
        state=row.state,
        sha256=row.sha256,
        size=row.size,
        received_at=row.received_at,
        rows=row.rows,
        columns=[ImportColumn(letter=each.letter, header=each.header, field=each.field) for each in said],
        version=row.version,
        dropped_on=row.dropped_on,
    )


def preview_of(row: Row[Any]) -> ImportPreview:
    counts: Mapping[str, Mapping[str, int]] = row.counts
    rows = counts.get("row", {})
    return ImportPreview(
        state=row.state,
        rows=ImportRowCounts(**{plan: rows.get(plan, 0) for plan in ("create", "change", "leave", "skip")}),
        counts=[
            ImportCount(
                subject=of, **{what: counts.get(of, {}).get(what, 0) for what in ("created", "changed", "left")}
            )
            for of in TABLES
        ],
    )


def issue_of(row: Row[Any]) -> ImportIssue:
    return ImportIssue(
        row=row.row,
        cell=f"{row.letter}{row.row}" if row.letter else None,
        header=row.header,
        field=row.field,
        severity=row.severity,
        code=row.code,
        message=row.message,
        hint=row.hint,
        stage=row.stage,
    )


def row_of(row: Row[Any]) -> ImportRow:
    return ImportRow(number=row.number, cells=row.cells, plan=row.plan, outcome=row.outcome)


def fields() -> list[ImportField]:
    headers: Mapping[str, Any] = known_columns.known()["field"]
    return [
        ImportField(code=each.code, title=each.title, headers=list(headers[each.code]["headers"]))
        for each in known_columns.fields().values()
    ]
