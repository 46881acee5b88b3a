"""A file is checked (conferência): each row is made a record and compared with the register, which stays as it is."""

import asyncio
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any
from uuid import UUID

from services import acts, jobs
from services.access import Actor
from services.database import Transaction
from services.errors import Invalid
from services.importing import store
from services.importing.cells import Setting
from services.importing.cleaning import Cleaner, Issue, Record, codes_of
from services.importing.columns import IGNORED, Column, columns_of, fields, header_row
from services.importing.known import keys_of
from services.importing.planners import planner_for
from services.importing.reading import Limits, Table, read
from services.importing.writes import Writes
from services.jobs import Progress, Task
from tenants.law.law import Law

CHECK = "import.check"
ROWS_A_STATEMENT = 5_000  # law-free: rows written at once
Told = Mapping[str, str]


async def check_import(
    tx: Transaction,
    actor: Actor,
    *,
    import_id: UUID,
    sheet: str | None = None,
    header_row: int | None = None,
    columns: Sequence[Mapping[str, Any]] = (),
    defaults: Sequence[Mapping[str, Any]] = (),
    carry: Sequence[str] = (),
) -> UUID:
    """Have a file checked; a worker does it. Answers the file's id.

    Args:
        header_row: The row that heads the columns, as a spreadsheet numbers it; found, where it is not said.
        columns: Of headers, which `field` they are: a field's name, a fact of the law, or nothing.
        defaults: Of a `field`, the `value` for cells that are empty.
        carry: Fields whose empty cells say what the row above says (merged cells).

    Raises:
        Invalid: There is no such field.
        Conflict: It is being checked or imported.
    """
    office = actor.must("register")
    law = await tx.law(on=tx.today)
    file = await store.file(tx, import_id, lock=True)
    if file.dropped_on is not None:
        raise Invalid("importId", "dropped", "A planilha já foi descartada: envie-a de novo.")
    headers = {each["header"]: each.get("field") or IGNORED for each in columns}
    values = {each["field"]: each["value"] for each in defaults}
    for field in (*headers.values(), *values, *carry):
        if field not in fields() and field not in law.vocabulary and field != IGNORED:
            raise Invalid("field", "unknown", f"Campo desconhecido: {field}. Use: {', '.join(fields())}.")
    options = {"sheet": sheet, "header_row": header_row, "columns": headers, "defaults": values, "carry": list(carry)}
    subject = ("import", import_id)
    act = await acts.record(tx, actor, "import.check_asked", on=subject, office=office)
    await jobs.queue(tx, actor, act, kind=CHECK, subject=subject, office=office)
    await store.change(tx, import_id, options=options, state="received", counts={})
    return import_id


@jobs.step(CHECK)
async def check_step(tx: Transaction, task: Task) -> Progress:
    """First the whole file is read; then its rows, so many at a time."""
    if "next" not in task.cursor:
        return await _read_file(tx, task)
    file = await store.file(tx, task.subject_id)
    batch = await store.unread(tx, task.subject_id, task.cursor["next"], tx.settings.import_batch)
    counts = {table: Counter(counted) for table, counted in task.cursor["counts"].items()}
    if not batch:
        await store.change(tx, task.subject_id, state="checked", counts=counts)
        return Progress(task.done, finished=True, result=counts)
    law = await tx.law(on=tx.today)
    cleaned = _cleaned(law, tx, file, task.cursor["epoch_1904"], [(row.number, row.cells) for row in batch])
    room, planned = await _planned(tx, law, task, file, cleaned)
    for table, counted in planned.items():
        counts[table] = counts.get(table, Counter()) + counted
    cursor = {**task.cursor, "next": batch[-1].number, "counts": counts, "room": room}
    return Progress(task.done + len(batch), cursor=cursor)


# --- reading -----------------------------------------------------------------------------------------------------


async def _read_file(tx: Transaction, task: Task) -> Progress:
    settings, file = tx.settings, await store.content(tx, task.subject_id)
    limits = Limits(settings.import_most_rows, settings.import_most_columns, settings.import_most_unpacked_bytes)
    options = file.options
    table = await asyncio.to_thread(read, file.content, file.media_type, limits, options.get("sheet"))
    at, columns = _columns(table, options)
    rows = _carried(table.rows[at + 1 :], columns, options.get("carry", ()))
    await store.clear(tx, task.subject_id)
    for start in range(0, len(rows), ROWS_A_STATEMENT):
        await store.add_rows(tx, task.subject_id, rows[start : start + ROWS_A_STATEMENT])
    await store.change(tx, task.subject_id, columns=[asdict(column) for column in columns], rows=len(rows))
    cursor = {"next": table.rows[at][0], "counts": {}, "room": None, "epoch_1904": table.epoch_1904}
    return Progress(0, total=len(rows), cursor=cursor)


def _columns(table: Table, options: Mapping[str, Any]) -> tuple[int, list[Column]]:
    """Where the header stands among the rows, and its columns. Raises Invalid when there is none."""
    rows, told = [cells for _, cells in table.rows], options.get("columns", {})
    said = options.get("header_row")
    if said is None:
        at = header_row(rows, told)
        return at, columns_of(rows[at], told)
    at = next((at for at, (number, _) in enumerate(table.rows) if number == said), -1)
    if at < 0:
        raise Invalid("headerRow", "empty", f"A linha {said} está vazia.")
    return at, columns_of(rows[at], told)


def _carried(
    rows: Sequence[tuple[int, list[str]]], columns: Sequence[Column], carry: Sequence[str]
) -> Sequence[tuple[int, list[str]]]:
    """Empty cells of these fields say what the row above says."""
    positions = [column.position for column in columns if column.field in carry]
    if not positions:
        return rows
    above: dict[int, str] = {}
    found = []
    for number, cells in rows:
        own = [*cells, *([""] * (max(positions) + 1 - len(cells)))]
        for at in positions:
            above[at] = own[at] = own[at] or above.get(at, "")
        found.append((number, own))
    return found


# --- rows --------------------------------------------------------------------------------------------------------


def _cleaned(
    law: Law, tx: Transaction, file: Any, epoch_1904: bool, rows: Sequence[tuple[int, list[str]]]
) -> list[tuple[int, Record, list[Issue]]]:
    columns = [Column(**said) for said in file.columns]
    setting = Setting(tx.today, epoch_1904, codes_of(law))
    cleaner = Cleaner(columns, file.options.get("defaults", {}), law, setting)
    return [(number, *cleaner.clean(number, cells)) for number, cells in rows]


async def _planned(
    tx: Transaction, law: Law, task: Task, file: Any, cleaned: Sequence[tuple[int, Record, list[Issue]]]
) -> tuple[dict[str, int], dict[str, Counter[str]]]:
    """What would become of the rows, after those above them; the room that is left, and how many of each subject."""
    keys = {number: keys_of(record) for number, record, _ in cleaned}
    wanted = [key for each in keys.values() for key in each]
    above = await store.seen_above(tx, task.subject_id, cleaned[0][0], wanted)
    before = await store.records(tx, task.subject_id, sorted(set(above.values())))
    records = [*(row.record for row in before), *(record for _, record, _ in cleaned)]
    planner = await planner_for(tx, law, records, file.columns)
    for row in before:
        planner.plan(row.number, row.record)
    planner.writes = Writes(planner.writes.ids)
    if task.cursor["room"] is not None:
        planner.room = dict(task.cursor["room"])
    kept: list[dict[str, Any]] = []
    named: list[tuple[int, str]] = []
    issues: list[Issue] = []
    for number, record, found in cleaned:
        plan = "skip"
        if not any(issue.severity == "error" for issue in found):
            planned = planner.plan(number, record)
            plan, found = planned.what, [*found, *planned.issues]
        if plan != "skip":
            named += [(number, key) for key in dict.fromkeys(keys[number])]
        issues += [_placed(issue, file.columns) for issue in found]
        kept.append({"number": number, "record": record, "plan": plan})
    rows = Counter[str](each["plan"] for each in kept)
    await store.keep_plans(tx, task.subject_id, kept)
    await store.keep_keys(tx, task.subject_id, named)
    await store.add_issues(tx, task.subject_id, "check", issues)
    return planner.room, {**planner.writes.counts, "row": rows}


def _placed(issue: Issue, columns: Sequence[Mapping[str, Any]]) -> Issue:
    """With the column that the field stands in, where it stands in one."""
    if issue.column is not None or issue.field is None:
        return issue
    said = next((said for said in columns if said["field"] == issue.field), None)
    column = Column(**said) if said else None
    return Issue(issue.row, issue.severity, issue.code, issue.message, issue.hint, column, issue.field)
