"""Dead letters in SQL. Pauses run on the database's own time, which no clock of ours can stop."""

from collections.abc import Sequence
from datetime import date
from typing import TYPE_CHECKING, Any
from uuid import UUID

from sqlalchemy import Row

from services.errors import NotFound

if TYPE_CHECKING:
    from services.database import Directory, Reader, Transaction
    from services.dead_letters.letters import Letter, Pause

SHOWN = (
    "id, version, kind, key, day, subject_id, task, state, error, attempts, first_at, last_at, again_at, dead_at, "
    "replays, replayed_at, replayed_by, closed_at"
)


async def towns_held(directory: "Directory") -> list[UUID]:
    return [row.id for row in await directory.rows("SELECT id FROM towns_held(:now) AS id", now=directory.now)]


async def towns_to_try_again(directory: "Directory") -> list[UUID]:
    return [row.id for row in await directory.rows("SELECT id FROM towns_to_try_again() AS id")]


async def towns_with_letters(directory: "Directory", task: str) -> list[UUID]:
    return [row.id for row in await directory.rows("SELECT id FROM towns_with_letters(:task) AS id", task=task)]


async def fail(tx: "Transaction", letter: "Letter", error: str, pause: "Pause") -> Row[Any]:
    """One more failure of a thing: it waits a longer time, or is dead when it was the last attempt.

    Pauses double up to a longest, each a little shorter or longer by chance, so that what failed together does not
    come back together.
    """
    return await tx.one(
        f"""
        INSERT INTO dead_letter AS d (tenant_id, kind, key, day, subject_id, task, state, error, attempts, first_at,
                                      last_at, again_at, dead_at)
        SELECT :tenant, :kind, :key, CAST(:day AS date), CAST(:subject AS uuid), CAST(:task AS text),
               CASE WHEN :most <= 1 THEN 'dead' ELSE 'waiting' END, :error, 1, :now, :now,
               CASE WHEN :most > 1 THEN {after_a_pause("0")} END,
               CASE WHEN :most <= 1 THEN CAST(:now AS timestamptz) END
        ON CONFLICT (tenant_id, key) DO UPDATE SET
            (state, attempts, again_at, dead_at, first_at) = (
                SELECT CASE WHEN n.attempts >= :most THEN 'dead' ELSE 'waiting' END, n.attempts,
                       CASE WHEN n.attempts < :most THEN {after_a_pause("n.attempts - 1")} END,
                       CASE WHEN n.attempts >= :most THEN CAST(:now AS timestamptz) END,
                       CASE WHEN d.state = 'closed' THEN CAST(:now AS timestamptz) ELSE d.first_at END
                FROM (SELECT CASE WHEN d.state = 'closed' THEN 1 ELSE d.attempts + 1 END AS attempts) AS n
            ),
            error = :error, last_at = :now, closed_at = NULL, version = d.version + 1
        RETURNING id, state, attempts
        """,  # noqa: S608 - our own text
        kind=letter.kind,
        key=letter.key,
        day=letter.day,
        subject=letter.subject_id,
        task=letter.task,
        error=error,
        most=pause.attempts,
        first=float(pause.seconds),
        longest=float(pause.longest_seconds),
        now=tx.now,
    )


def after_a_pause(doublings: str) -> str:
    pause = f"least(CAST(:longest AS double precision), CAST(:first AS double precision) * 2 ^ ({doublings}))"
    return f"clock_timestamp() + make_interval(secs => {pause} * (0.75 + random() / 2))"


async def close(tx: "Transaction", keys: Sequence[str], *, nights: bool = False) -> int:
    """What these name has succeeded, and with a night every earlier one: how many were open."""
    closed = await tx.rows(
        """
        UPDATE dead_letter SET state = 'closed', closed_at = :now, again_at = NULL, version = version + 1
        WHERE tenant_id = :tenant AND state <> 'closed'
          AND (key = ANY(CAST(:keys AS text[])) OR (kind = 'night' AND CAST(:nights AS boolean)))
        RETURNING id
        """,
        keys=list(keys),
        nights=nights,
        now=tx.now,
    )
    return len(closed)


async def hold(tx: "Transaction", letter_id: UUID) -> Row[Any]:
    """The letter until the end of the transaction. Raises NotFound."""
    found = await tx.row(
        "SELECT id, version, kind, key, day, subject_id, task, state, again_at <= clock_timestamp() AS ready "
        "FROM dead_letter WHERE tenant_id = :tenant AND id = :id FOR UPDATE",
        id=letter_id,
    )
    if found is None:
        raise NotFound("dead_letter", letter_id)
    return found


async def release(tx: "Transaction", letter_id: UUID, by: str, act_id: UUID) -> None:
    """Whoever tries again may do so at once; one more failure and it is dead again."""
    await tx.rows(
        """
        UPDATE dead_letter SET state = 'waiting', again_at = clock_timestamp(), dead_at = NULL, replays = replays + 1,
                               replayed_at = :now, replayed_by = :by, replayed_act = :act, version = version + 1
        WHERE tenant_id = :tenant AND id = :id
        """,
        id=letter_id,
        by=by,
        act=act_id,
        now=tx.now,
    )


async def ready(tx: "Reader") -> list[Row[Any]]:
    """The nights and messages of the town whose pause is over, the oldest first."""
    return await tx.rows(
        "SELECT id, kind, key, day, task FROM dead_letter WHERE tenant_id = :tenant AND state = 'waiting' "
        "AND kind IN ('night', 'message') AND again_at <= clock_timestamp() ORDER BY id"
    )


async def failed_night(tx: "Reader") -> date | None:
    """The latest night of the town that an error has stopped."""
    found: date | None = await tx.scalar(
        "SELECT day FROM run WHERE tenant_id = :tenant AND kind = 'night' AND ended_at IS NULL AND error IS NOT NULL "
        "ORDER BY day DESC LIMIT 1"
    )
    return found


async def progress(tx: "Reader", day: date) -> dict[str, int] | None:
    """What the day's night has counted so far."""
    found: dict[str, int] | None = await tx.scalar(
        "SELECT counts FROM run WHERE tenant_id = :tenant AND kind = 'night' AND day = :day", day=day
    )
    return found


async def page(tx: "Reader", limit: int, after: UUID | None, state: str | None) -> list[Row[Any]]:
    """The newest first; of all states unless one is named."""
    earlier = "AND id < :after" if after else ""
    of_state = "AND state = :state" if state else ""
    params = ({"after": after} if after else {}) | ({"state": state} if state else {})
    return await tx.rows(
        f"SELECT {SHOWN} FROM dead_letter "  # noqa: S608 - our own conditions
        f"WHERE tenant_id = :tenant {earlier} {of_state} ORDER BY id DESC LIMIT :limit",
        limit=limit,
        **params,
    )


async def live(tx: "Reader") -> list[Row[Any]]:
    """Everything that is not closed, the oldest first."""
    return await tx.rows(
        f"SELECT {SHOWN} FROM dead_letter WHERE tenant_id = :tenant AND state <> 'closed' ORDER BY id"  # noqa: S608
    )


async def one(tx: "Reader", letter_id: UUID) -> Row[Any]:
    """Raises NotFound, also for another town's."""
    found = await tx.row(
        f"SELECT {SHOWN} FROM dead_letter WHERE tenant_id = :tenant AND id = :id",  # noqa: S608
        id=letter_id,
    )
    if found is None:
        raise NotFound("dead_letter", letter_id)
    return found
