"""Imported files in SQL: the file, its rows as they were read, what is wrong with them."""

import json
from collections.abc import Mapping, Sequence
from datetime import date, datetime
from typing import TYPE_CHECKING, Any
from uuid import UUID

from sqlalchemy import Row

from services.acts.body import canonical
from services.errors import NotFound

if TYPE_CHECKING:
    from services.database import Directory, Reader, Transaction
    from services.importing.cleaning import Issue

SHOWN = "id, name, media_type, sha256, size, state, columns, rows, counts, options, received_at, dropped_on, version"


async def by_hash(tx: "Reader", sha256: str) -> Row[Any] | None:
    return await tx.row(
        "SELECT id, state, dropped_on FROM import_file WHERE tenant_id = :tenant AND sha256 = :sha256", sha256=sha256
    )


async def lock_hash(tx: "Transaction", sha256: str) -> None:
    """Whoever sends the same bytes at once waits."""
    await tx.rows(
        "SELECT pg_advisory_xact_lock(hashtextextended('file ' || :sha256 || CAST(:tenant AS uuid), 0))", sha256=sha256
    )


async def towns_with_old(directory: "Directory", towns: Sequence[UUID], before: datetime) -> list[UUID]:
    found = await directory.rows(
        "SELECT id FROM towns_with_old_files(CAST(:towns AS uuid[]), :before) AS id", towns=list(towns), before=before
    )
    return [row.id for row in found]


OLD = """
SELECT f.id FROM import_file AS f
WHERE f.tenant_id = :tenant AND f.received_at < :before AND f.dropped_on IS NULL AND NOT EXISTS (
    SELECT FROM job AS j WHERE j.tenant_id = :tenant AND j.subject_kind = 'import' AND j.subject_id = f.id
      AND j.state IN ('queued', 'running')
)
ORDER BY f.received_at LIMIT 1 FOR UPDATE OF f SKIP LOCKED
"""


async def take_old(tx: "Transaction", before: datetime) -> UUID | None:
    """The oldest file that came before a moment and on which nothing works, locked."""
    found = await tx.row(OLD, before=before)
    return found.id if found else None


async def empty(tx: "Transaction", import_id: UUID, *, on: date, act_id: UUID, said: str) -> None:
    """The file's bytes, its rows and their keys go; of each problem, what it `said` of the cell."""
    for table in ("import_key", "import_row"):
        await tx.rows(f"DELETE FROM {table} WHERE tenant_id = :tenant AND import_id = :id", id=import_id)  # noqa: S608
    await tx.rows(
        "UPDATE import_issue SET message = :said, hint = '' WHERE tenant_id = :tenant AND import_id = :id",
        id=import_id,
        said=said,
    )
    await tx.rows(
        "UPDATE import_file SET content = ''::bytea, options = '{}', dropped_on = :on, dropped_act = :act, "
        "version = version + 1 WHERE tenant_id = :tenant AND id = :id",
        id=import_id,
        on=on,
        act=act_id,
    )


async def fill_again(tx: "Transaction", import_id: UUID, content: bytes, received_at: datetime, act_id: UUID) -> None:
    """A file that was dropped before it was imported has come again, the same bytes."""
    await clear(tx, import_id)
    await tx.rows(
        "UPDATE import_file SET content = :content, received_at = :at, received_act = :act, state = 'received', "
        "counts = '{}', dropped_on = NULL, dropped_act = NULL, version = version + 1 "
        "WHERE tenant_id = :tenant AND id = :id",
        id=import_id,
        content=content,
        at=received_at,
        act=act_id,
    )


async def content(tx: "Reader", import_id: UUID) -> Row[Any]:
    return await tx.one(
        "SELECT content, media_type, options FROM import_file WHERE tenant_id = :tenant AND id = :id", id=import_id
    )


async def file(tx: "Reader", import_id: UUID, *, lock: bool = False) -> Row[Any]:
    """Raises NotFound, also for another town's."""
    sql = f"SELECT {SHOWN} FROM import_file WHERE tenant_id = :tenant AND id = :id"  # noqa: S608 - our own columns
    found = await tx.row(sql + (" FOR UPDATE" if lock else ""), id=import_id)
    if found is None:
        raise NotFound("import", import_id)
    return found


async def page(tx: "Reader", limit: int, after: UUID | None) -> list[Row[Any]]:
    """The newest first."""
    earlier = "AND id < :after" if after else ""
    sql = f"SELECT {SHOWN} FROM import_file WHERE tenant_id = :tenant {earlier} ORDER BY id DESC LIMIT :limit"  # noqa: S608
    return await tx.rows(sql, limit=limit, **({"after": after} if after else {}))


async def change(tx: "Transaction", import_id: UUID, **columns: Any) -> None:
    """Set some of the file's columns; objects as JSON."""
    texts = {name: json.dumps(v) if isinstance(v, (dict, list)) else v for name, v in columns.items()}
    sets = ", ".join(
        f"{name} = CAST(:{name} AS jsonb)" if isinstance(value, (dict, list)) else f"{name} = :{name}"
        for name, value in columns.items()
    )
    await tx.rows(
        f"UPDATE import_file SET {sets}, version = version + 1 WHERE tenant_id = :tenant AND id = :id",  # noqa: S608
        id=import_id,
        **texts,
    )


async def clear(tx: "Transaction", import_id: UUID) -> None:
    """Before a file is read anew."""
    for table in ("import_key", "import_row", "import_issue"):
        await tx.rows(f"DELETE FROM {table} WHERE tenant_id = :tenant AND import_id = :id", id=import_id)  # noqa: S608


async def clear_run(tx: "Transaction", import_id: UUID) -> None:
    """Before rows are imported anew."""
    await tx.rows(
        "DELETE FROM import_issue WHERE tenant_id = :tenant AND import_id = :id AND stage = 'run'", id=import_id
    )
    await tx.rows("UPDATE import_row SET outcome = NULL WHERE tenant_id = :tenant AND import_id = :id", id=import_id)


async def add_rows(tx: "Transaction", import_id: UUID, rows: Sequence[tuple[int, list[str]]]) -> None:
    await tx.rows(
        "INSERT INTO import_row (tenant_id, import_id, number, cells) "
        "SELECT :tenant, :id, number, cells FROM jsonb_to_recordset(CAST(:rows AS jsonb)) "
        "AS r (number integer, cells text[])",
        id=import_id,
        rows=json.dumps([{"number": number, "cells": cells} for number, cells in rows]),
    )


async def unread(tx: "Reader", import_id: UUID, after: int, most: int) -> list[Row[Any]]:
    """The next rows of the file, as they came."""
    return await tx.rows(
        "SELECT number, cells FROM import_row WHERE tenant_id = :tenant AND import_id = :id AND number > :after "
        "ORDER BY number LIMIT :most",
        id=import_id,
        after=after,
        most=most,
    )


async def unwritten(tx: "Reader", import_id: UUID, after: int, most: int) -> list[Row[Any]]:
    """The next rows that are to be imported."""
    return await tx.rows(
        "SELECT number, record FROM import_row WHERE tenant_id = :tenant AND import_id = :id AND number > :after "
        "AND plan <> 'skip' ORDER BY number LIMIT :most",
        id=import_id,
        after=after,
        most=most,
    )


async def seen_above(tx: "Reader", import_id: UUID, before: int, keys: Sequence[str]) -> dict[str, int]:
    """Of these keys, those that rows above one name, and the first that does."""
    rows = await tx.rows(
        "SELECT key, min(number) AS number FROM import_key WHERE tenant_id = :tenant AND import_id = :id "
        "AND key = ANY(CAST(:keys AS text[])) AND number < :before GROUP BY key",
        id=import_id,
        before=before,
        keys=list(dict.fromkeys(keys)),
    )
    return {row.key: row.number for row in rows}


async def records(tx: "Reader", import_id: UUID, numbers: Sequence[int]) -> list[Row[Any]]:
    """What was read of some rows, in the order of the file."""
    return await tx.rows(
        "SELECT number, record FROM import_row WHERE tenant_id = :tenant AND import_id = :id "
        "AND number = ANY(CAST(:numbers AS integer[])) ORDER BY number",
        id=import_id,
        numbers=list(numbers),
    )


async def keep_plans(tx: "Transaction", import_id: UUID, rows: Sequence[Mapping[str, Any]]) -> None:
    """What was read of each row, and what would become of it."""
    await tx.rows(
        "UPDATE import_row AS t SET record = r.record, plan = r.plan "
        "FROM jsonb_to_recordset(CAST(:rows AS jsonb)) AS r (number integer, record jsonb, plan text) "
        "WHERE t.tenant_id = :tenant AND t.import_id = :id AND t.number = r.number",
        id=import_id,
        rows=json.dumps(list(rows)),
    )


async def keep_keys(tx: "Transaction", import_id: UUID, keys: Sequence[tuple[int, str]]) -> None:
    await tx.rows(
        "INSERT INTO import_key (tenant_id, import_id, key, number) SELECT :tenant, :id, key, number "
        "FROM unnest(CAST(:keys AS text[]), CAST(:numbers AS integer[])) AS made (key, number)",
        id=import_id,
        keys=[key for _, key in keys],
        numbers=[number for number, _ in keys],
    )


async def keep_outcomes(tx: "Transaction", import_id: UUID, outcomes: Mapping[int, str]) -> None:
    await tx.rows(
        "UPDATE import_row AS t SET outcome = r.outcome "
        "FROM unnest(CAST(:numbers AS integer[]), CAST(:outcomes AS text[])) AS r (number, outcome) "
        "WHERE t.tenant_id = :tenant AND t.import_id = :id AND t.number = r.number",
        id=import_id,
        numbers=list(outcomes.keys()),
        outcomes=list(outcomes.values()),
    )


async def add_issues(tx: "Transaction", import_id: UUID, stage: str, issues: Sequence["Issue"]) -> None:
    if not issues:
        return
    said = [
        {
            "row": issue.row,
            "severity": issue.severity,
            "code": issue.code,
            "field": issue.field,
            "header": issue.column.header if issue.column else None,
            "letter": issue.column.letter if issue.column else None,
            "message": issue.message,
            "hint": issue.hint,
        }
        for issue in issues
    ]
    await tx.rows(
        "INSERT INTO import_issue (tenant_id, import_id, stage, row, severity, code, field, header, letter, message, "
        "hint) SELECT :tenant, :id, :stage, row, severity, code, field, header, letter, message, hint "
        "FROM jsonb_to_recordset(CAST(:rows AS jsonb)) AS r (row integer, severity text, code text, field text, "
        "header text, letter text, message text, hint text)",
        id=import_id,
        stage=stage,
        rows=canonical(said),
    )


async def issues(
    tx: "Reader", import_id: UUID, limit: int, after: tuple[int, UUID] | None, severity: str | None
) -> list[Row[Any]]:
    """In the order of the file."""
    later = "AND (row, id) > (CAST(:row AS integer), CAST(:last AS uuid))" if after else ""
    only = "AND severity = :severity" if severity else ""
    given = ({"row": after[0], "last": after[1]} if after else {}) | ({"severity": severity} if severity else {})
    sql = (
        "SELECT id, stage, row, severity, code, field, header, letter, message, hint FROM import_issue "  # noqa: S608
        f"WHERE tenant_id = :tenant AND import_id = :id {later} {only} ORDER BY row, id LIMIT :limit"
    )
    return await tx.rows(sql, id=import_id, limit=limit, **given)


async def rows(tx: "Reader", import_id: UUID, limit: int, after: int, plan: str | None) -> list[Row[Any]]:
    """In the order of the file, with what is meant to become and what became of each."""
    only = "AND plan = :plan" if plan else ""
    sql = (
        "SELECT number, cells, plan, outcome FROM import_row WHERE tenant_id = :tenant AND import_id = :id "  # noqa: S608
        f"AND number > :after {only} ORDER BY number LIMIT :limit"
    )
    return await tx.rows(sql, id=import_id, limit=limit, after=after, **({"plan": plan} if plan else {}))
