"""Runs, what is derived of the law, and the functions that look or work across towns."""

from collections.abc import Mapping, Sequence
from datetime import date, datetime
from typing import TYPE_CHECKING, Any
from uuid import UUID

from sqlalchemy import Row

from services import tracing
from services.acts.body import canonical
from services.acts.store import forget_plans

if TYPE_CHECKING:
    from services.database import Directory, Reader, Transaction
    from services.nights.deriving import NightLaw
    from services.settings import Settings

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


async def zones(directory: "Directory", towns: Sequence[UUID]) -> Mapping[UUID, str]:
    found = await directory.rows(
        "SELECT id, zone FROM municipality WHERE id = ANY(CAST(:towns AS uuid[]))", towns=list(towns)
    )
    return {row.id: row.zone for row in found}


async def night_of_many(directory: "Directory", days: Mapping[UUID, date], settings: "Settings") -> list[Row[Any]]:
    """The night of these towns in one transaction, of each that has nothing out of the ordinary."""
    limit = str(settings.night_statement_timeout_ms)
    await directory.rows("SELECT set_config('statement_timeout', :limit, true)", limit=limit)
    await forget_plans(directory)
    return await directory.rows(
        "SELECT * FROM night(CAST(:towns AS uuid[]), CAST(:days AS date[]), :now, :most, :domain, :trace, :patience)",
        towns=list(days.keys()),
        days=list(days.values()),
        now=directory.now,
        most=settings.night_batch,
        domain=settings.mail_domain,
        patience=settings.night_patience_ms,
        trace=tracing.current(),
    )


async def towns_with_orphans(directory: "Directory", towns: Sequence[UUID], before: datetime) -> list[UUID]:
    found = await directory.rows(
        "SELECT id FROM towns_with_orphans(CAST(:towns AS uuid[]), :before) AS id", towns=list(towns), before=before
    )
    return [row.id for row in found]


async def night_law(tx: "Reader", day: date) -> Row[Any] | None:
    """None: nothing that was derived holds on that day."""
    return await tx.row("SELECT * FROM night_law_of(:tenant, :day)", day=day)


async def keep_night_law(tx: "Transaction", derived: Sequence["NightLaw"]) -> None:
    """In the place of all that was derived before."""
    await tx.rows("DELETE FROM night_law WHERE tenant_id = :tenant")
    await tx.rows(
        """
        INSERT INTO night_law (tenant_id, first_day, last_day, publication_id, reminders, offices)
        SELECT :tenant, l.first_day, l.last_day, p.id, CAST(l.reminders AS jsonb), CAST(l.offices AS jsonb)
        FROM unnest(
            CAST(:firsts AS date[]), CAST(:lasts AS date[]), CAST(:reminders AS text[]), CAST(:offices AS text[])
        ) AS l (first_day, last_day, reminders, offices)
        CROSS JOIN (SELECT id FROM publication WHERE tenant_id = :tenant ORDER BY seq DESC LIMIT 1) AS p
        """,
        firsts=[each.first_day for each in derived],
        lasts=[each.last_day for each in derived],
        reminders=[canonical(each.reminders) for each in derived],
        offices=[canonical(each.offices) for each in derived],
    )


async def anything_open(tx: "Reader", day: date) -> bool:
    """A law need not be read for a town in which nothing runs."""
    found: bool = await tx.scalar(
        "SELECT EXISTS (SELECT FROM deadline WHERE tenant_id = :tenant AND state = 'open' AND last_day >= :day)",
        day=day,
    )
    return found


async def remind(tx: "Transaction", day: date, law: "NightLaw", most: int) -> int:
    """Write at most so many reminders that are due and not yet written: how many."""
    told: int | None = await tx.scalar(
        """
        SELECT cardinality(due.wanted), tell(
            :tenant, due.wanted, CAST(:offices AS jsonb), :now, CAST(:today AS date),
            CAST(:domain AS text), CAST(:trace AS text)
        )
        FROM (
            SELECT array_agg(r) AS wanted
            FROM due_reminders(:tenant, CAST(:day AS date), CAST(:reminders AS jsonb), :most) AS r
        ) AS due WHERE due.wanted IS NOT NULL
        """,
        day=day,
        reminders=canonical(law.reminders),
        offices=canonical(law.offices),
        most=most,
        now=tx.now,
        today=tx.today,
        domain=tx.settings.mail_domain,
        trace=tracing.current(),
    )
    return told or 0


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
    """With every earlier night that was cut short or failed: this one has done what they left."""
    await tx.rows(
        "UPDATE run SET ended_at = :now, error = NULL "
        "WHERE tenant_id = :tenant AND day <= :day AND kind = :kind AND ended_at IS NULL",
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
