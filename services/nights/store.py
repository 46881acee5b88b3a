"""Runs, and the functions that look across towns."""

from datetime import date
from typing import TYPE_CHECKING, Any
from uuid import UUID

from sqlalchemy import Row

if TYPE_CHECKING:
    from services.database import Directory, Reader, Transaction

NIGHT = "night"


async def towns_with_due(directory: "Directory", ahead_days: int) -> list[UUID]:
    found = await directory.rows(
        "SELECT id FROM towns_with_due(:now, :ahead) AS id", now=directory.now, ahead=ahead_days
    )
    return [row.id for row in found]


async def towns_with_notices(directory: "Directory") -> list[UUID]:
    return [row.id for row in await directory.rows("SELECT id FROM towns_with_notices() AS id")]


async def towns_to_seal(directory: "Directory") -> list[UUID]:
    return [row.id for row in await directory.rows("SELECT id FROM towns_to_seal() AS id")]


async def start(tx: "Transaction", day: date) -> bool:
    """Begin the day's run, or take it up again; False when it has ended."""
    begun = await tx.rows(
        """
        INSERT INTO run (tenant_id, day, kind, started_at, attempts) VALUES (:tenant, :day, :kind, :now, 1)
        ON CONFLICT (tenant_id, day, kind) DO UPDATE SET attempts = run.attempts + 1 WHERE run.ended_at IS NULL
        RETURNING day
        """,
        day=day,
        kind=NIGHT,
        now=tx.now,
    )
    return bool(begun)


async def claim(tx: "Transaction", day: date) -> bool:
    """Hold the unfinished run until the end of the transaction, after whoever holds it; False when it has ended."""
    held = await tx.rows(
        "SELECT day FROM run WHERE tenant_id = :tenant AND day = :day AND kind = :kind AND ended_at IS NULL FOR UPDATE",
        day=day,
        kind=NIGHT,
    )
    return bool(held)


async def add_counts(tx: "Transaction", day: date, what: str, how_many: int) -> None:
    await tx.rows(
        """
        UPDATE run SET counts = jsonb_set(
            counts, ARRAY[CAST(:what AS text)],
            to_jsonb(coalesce(CAST(counts ->> CAST(:what AS text) AS integer), 0) + CAST(:many AS integer))
        ) WHERE tenant_id = :tenant AND day = :day AND kind = :kind
        """,
        day=day,
        kind=NIGHT,
        what=what,
        many=how_many,
    )


async def finish(tx: "Transaction", day: date) -> None:
    await tx.rows(
        "UPDATE run SET ended_at = :now, error = NULL WHERE tenant_id = :tenant AND day = :day AND kind = :kind",
        day=day,
        kind=NIGHT,
        now=tx.now,
    )


async def record_error(tx: "Transaction", day: date, error: str) -> None:
    await tx.rows(
        """
        INSERT INTO run (tenant_id, day, kind, started_at, error) VALUES (:tenant, :day, :kind, :now, :error)
        ON CONFLICT (tenant_id, day, kind) DO UPDATE SET error = excluded.error WHERE run.ended_at IS NULL
        """,
        day=day,
        kind=NIGHT,
        now=tx.now,
        error=error,
    )


async def runs(tx: "Reader", most: int) -> list[Row[Any]]:
    """The newest runs of a town."""
    return await tx.rows(
        "SELECT day, kind, started_at, ended_at, attempts, counts, error FROM run "
        "WHERE tenant_id = :tenant ORDER BY day DESC, kind LIMIT :most",
        most=most,
    )
