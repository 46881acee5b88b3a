"""Numbers of the whole register in SQL, by functions that return counts, ages and ids of towns, never a row."""

from datetime import datetime
from typing import TYPE_CHECKING, Any
from uuid import UUID

from sqlalchemy import Row

if TYPE_CHECKING:
    from services.database import Directory


async def numbers(directory: "Directory", failed_since: datetime) -> Row[Any]:
    return await directory.one("SELECT * FROM watched_numbers(:now, :since)", now=directory.now, since=failed_since)


async def nights(directory: "Directory") -> list[Row[Any]]:
    """Of each time zone: how many towns, and when a night last ended."""
    return await directory.rows("SELECT * FROM watched_nights()")


async def trouble(directory: "Directory", late_seconds: float) -> list[Row[Any]]:
    """Towns with a night that failed, with a notice or an act that waits for longer than so."""
    return await directory.rows(
        "SELECT m.slug, t.trouble FROM towns_in_trouble(:now, :late) AS t JOIN municipality AS m ON m.id = t.town",
        now=directory.now,
        late=late_seconds,
    )


async def towns_with_unfinished_runs(directory: "Directory") -> list[UUID]:
    return [row.id for row in await directory.rows("SELECT id FROM towns_with_unfinished_runs() AS id")]
