"""Jobs in SQL. Leases run on the database's own time, which no clock of ours can stop."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any
from uuid import UUID

from sqlalchemy import Row

from services import tracing
from services.acts.body import canonical, simple
from services.errors import NotFound

if TYPE_CHECKING:
    from services.database import Directory, Reader, Transaction

SHOWN = (
    "id, kind, subject_kind, subject_id, state, done, total, result, error, requested_by, requested_at, "
    "started_at, ended_at"
)


async def towns_with_jobs(directory: "Directory") -> list[UUID]:
    return [row.id for row in await directory.rows("SELECT id FROM towns_with_jobs() AS id")]


async def add(
    tx: "Transaction", *, kind: str, subject: tuple[str, UUID], by: str, office: str | None, act_id: UUID
) -> UUID | None:
    """None: one like it waits or runs already."""
    added: UUID | None = await tx.scalar(
        """
        INSERT INTO job (tenant_id, kind, subject_kind, subject_id, requested_by, office, requested_at, requested_act,
                         traceparent)
        VALUES (:tenant, :kind, :of, :id, :by, :office, :now, :act, :trace)
        ON CONFLICT (tenant_id, kind, subject_id) WHERE state IN ('queued', 'running') DO NOTHING
        RETURNING id
        """,
        kind=kind,
        of=subject[0],
        id=subject[1],
        by=by,
        office=office,
        now=tx.now,
        act=act_id,
        trace=tracing.current(),
    )
    return added


async def claim(tx: "Transaction", lease_seconds: int) -> Row[Any] | None:
    """The town's next job for a while: the one that runs, if its turn is over, else the oldest that waits."""
    await tx.rows("SELECT pg_advisory_xact_lock(hashtextextended('job ' || CAST(:tenant AS uuid), 0))")
    return await tx.row(
        """
        WITH next AS (
            SELECT id, state, claimed_until FROM job
            WHERE tenant_id = :tenant AND state IN ('queued', 'running')
            ORDER BY state = 'running' DESC, id LIMIT 1
        )
        UPDATE job AS j SET state = 'running', lease = uuidv7(), attempts = j.attempts + 1, version = j.version + 1,
            claimed_until = clock_timestamp() + make_interval(secs => :seconds), worked_at = clock_timestamp(),
            started_at = coalesce(j.started_at, :now)
        FROM next
        WHERE j.tenant_id = :tenant AND j.id = next.id
          AND (next.state = 'queued' OR next.claimed_until < clock_timestamp())
        RETURNING j.id, j.kind, j.lease, j.attempts, j.traceparent
        """,
        seconds=lease_seconds,
        now=tx.now,
    )


async def plan_anew(tx: "Transaction") -> None:
    """What the session planned for tables as they were is forgotten: steps of long work make them grow fast.

    Checks of foreign keys keep their plans too, and one made for an almost empty table reads all of it ever after.
    """
    await tx.rows("DISCARD PLANS")


async def hold(tx: "Transaction", job_id: UUID, lease: UUID) -> Row[Any] | None:
    """The job until the end of the transaction; None: the turn has passed to another."""
    return await tx.row(
        "SELECT id, kind, subject_kind, subject_id, done, total, cursor, requested_by, office, requested_act "
        "FROM job WHERE tenant_id = :tenant AND id = :id AND lease = :lease AND state = 'running' FOR UPDATE",
        id=job_id,
        lease=lease,
    )


async def advance(
    tx: "Transaction", job_id: UUID, *, done: int, total: int | None, cursor: Mapping[str, Any], lease_seconds: int
) -> None:
    await tx.rows(
        "UPDATE job SET done = :done, total = :total, cursor = CAST(:cursor AS jsonb), attempts = 0, "
        "claimed_until = clock_timestamp() + make_interval(secs => :seconds), worked_at = clock_timestamp(), "
        "version = version + 1 WHERE tenant_id = :tenant AND id = :id",
        id=job_id,
        done=done,
        total=total,
        cursor=canonical(simple(cursor)),
        seconds=lease_seconds,
    )


async def finish(
    tx: "Transaction", job_id: UUID, *, done: int, total: int | None, result: Mapping[str, Any] | None
) -> None:
    await tx.rows(
        "UPDATE job SET state = 'done', done = :done, total = :total, result = CAST(:result AS jsonb), "
        "ended_at = :now, worked_at = clock_timestamp(), version = version + 1 "
        "WHERE tenant_id = :tenant AND id = :id",
        id=job_id,
        done=done,
        total=total,
        result=None if result is None else canonical(simple(result)),
        now=tx.now,
    )


async def release(tx: "Transaction", job_id: UUID, lease: UUID, after_seconds: int) -> None:
    """The turn ends; the next may begin after so long."""
    await tx.rows(
        "UPDATE job SET claimed_until = clock_timestamp() + make_interval(secs => :seconds), "
        "worked_at = clock_timestamp(), version = version + 1 "
        "WHERE tenant_id = :tenant AND id = :id AND lease = :lease AND state = 'running'",
        id=job_id,
        lease=lease,
        seconds=after_seconds,
    )


async def fail(tx: "Transaction", job_id: UUID, lease: UUID, error: str) -> None:
    await tx.rows(
        "UPDATE job SET state = 'failed', error = :error, ended_at = :now, worked_at = clock_timestamp(), "
        "version = version + 1 WHERE tenant_id = :tenant AND id = :id AND lease = :lease AND state = 'running'",
        id=job_id,
        lease=lease,
        error=error,
        now=tx.now,
    )


async def queue_again(tx: "Transaction", job_id: UUID) -> bool:
    """One that failed goes on where it stopped; False when it did not fail, or no longer.

    Raises Conflict when one like it waits or runs already.
    """
    done = await tx.rows(
        "UPDATE job SET state = 'queued', error = NULL, ended_at = NULL, attempts = 0, claimed_until = NULL, "
        "version = version + 1 WHERE tenant_id = :tenant AND id = :id AND state = 'failed' RETURNING id",
        id=job_id,
    )
    return bool(done)


async def page(tx: "Reader", limit: int, after: UUID | None) -> list[Row[Any]]:
    """The newest first."""
    earlier = "AND id < :after" if after else ""
    sql = f"SELECT {SHOWN} FROM job WHERE tenant_id = :tenant {earlier} ORDER BY id DESC LIMIT :limit"  # noqa: S608
    return await tx.rows(sql, limit=limit, **({"after": after} if after else {}))


async def one(tx: "Reader", job_id: UUID) -> Row[Any]:
    """Raises NotFound, also for another town's."""
    found = await tx.row(f"SELECT {SHOWN} FROM job WHERE tenant_id = :tenant AND id = :id", id=job_id)  # noqa: S608
    if found is None:
        raise NotFound("job", job_id)
    return found


async def several(tx: "Reader", ids: Sequence[UUID]) -> list[Row[Any]]:
    return await tx.rows(
        f"SELECT {SHOWN} FROM job WHERE tenant_id = :tenant AND id = ANY(CAST(:ids AS uuid[]))",  # noqa: S608
        ids=list(ids),
    )


async def latest_of(tx: "Reader", subject_kind: str, ids: Sequence[UUID]) -> dict[UUID, Row[Any]]:
    """The newest job of each of these subjects."""
    rows = await tx.rows(
        f"SELECT DISTINCT ON (subject_id) {SHOWN} FROM job "  # noqa: S608 - our own column names
        "WHERE tenant_id = :tenant AND subject_kind = :of AND subject_id = ANY(CAST(:ids AS uuid[])) "
        "ORDER BY subject_id, id DESC",
        of=subject_kind,
        ids=list(ids),
    )
    return {row.subject_id: row for row in rows}
