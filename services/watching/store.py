"""Numbers of the whole register in SQL, by functions that return counts, ages and ids of towns, never a row."""

from datetime import date, datetime
from typing import TYPE_CHECKING, Any
from uuid import UUID

from sqlalchemy import Row

if TYPE_CHECKING:
    from services.database import Directory, Reader

FAILED = "ended_at IS NULL AND error IS NOT NULL"


async def numbers(directory: "Directory", failed_since: datetime) -> Row[Any]:
    return await directory.one("SELECT * FROM watched_numbers(:now, :since)", now=directory.now, since=failed_since)


async def nights(directory: "Directory") -> list[Row[Any]]:
    """Of each time zone: how many towns, and when a night last ended."""
    return await directory.rows("SELECT * FROM watched_nights()")


async def letters(directory: "Directory") -> Row[Any]:
    return await directory.one("SELECT * FROM watched_letters()")


async def trouble(directory: "Directory", late_seconds: float) -> list[Row[Any]]:
    """Towns with a night that failed, with a notice or an act that waits for longer than so."""
    return await directory.rows(
        "SELECT m.slug, t.trouble FROM towns_in_trouble(:now, :late) AS t JOIN municipality AS m ON m.id = t.town",
        now=directory.now,
        late=late_seconds,
    )


async def towns_with_unfinished_runs(directory: "Directory") -> list[UUID]:
    return [row.id for row in await directory.rows("SELECT id FROM towns_with_unfinished_runs() AS id")]


RUN_COLUMNS = "day, kind, started_at, ended_at, attempts, counts, error"


async def runs(
    tx: "Reader",
    limit: int,
    *,
    after: tuple[date, str] | None = None,
    kind: str | None = None,
    day: date | None = None,
    failed: bool | None = None,
) -> list[Row[Any]]:
    """Runs of a town, the newest day first. Args: failed: only those that have not ended for an error, or but them."""
    conditions: list[str] = ["tenant_id = :tenant"]
    given: dict[str, Any] = {"limit": limit}
    for column, value in (("kind", kind), ("day", day)):
        if value is not None:
            conditions.append(f"{column} = :{column}")
            given[column] = value
    if failed is not None:
        conditions.append(FAILED if failed else f"NOT ({FAILED})")
    if after is not None:
        conditions.append("(day < :last_day OR (day = :last_day AND kind > :last_kind))")
        given |= {"last_day": after[0], "last_kind": after[1]}
    where = " AND ".join(conditions)
    return await tx.rows(
        f"SELECT {RUN_COLUMNS} FROM run WHERE {where} ORDER BY day DESC, kind LIMIT :limit",  # noqa: S608 - our own
        **given,
    )


async def unfinished_runs(tx: "Reader") -> list[Row[Any]]:
    """Oldest first: those that failed, and those that run or were cut short."""
    return await tx.rows(
        f"SELECT {RUN_COLUMNS} FROM run WHERE tenant_id = :tenant AND ended_at IS NULL ORDER BY day, kind"  # noqa: S608
    )
