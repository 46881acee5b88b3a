"""Notices in SQL. Leases run on the database's own time, which no clock of ours can stop."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any
from uuid import UUID

from sqlalchemy import Row

from services import tracing
from services.acts.body import canonical, simple
from services.notices.tasks import store as tasks

if TYPE_CHECKING:
    from services.database import Directory, Transaction
    from services.notices.queue import NewNotice
    from tenants.law.wording import Filled


async def add(tx: "Transaction", new: Sequence["NewNotice"], offices: Mapping[str, Sequence[str]], domain: str) -> int:
    """Write them in the order given, each key once, with a row for each whom it reaches; how many were not there."""
    made = await tx.rows(
        """
        WITH wanted AS (
            SELECT * FROM unnest(
                CAST(:keys AS text[]), CAST(:templates AS text[]), CAST(:kinds AS text[]), CAST(:ids AS uuid[]),
                CAST(:receivers AS text[]), CAST(:deadlines AS uuid[]), CAST(:states AS text[]),
                CAST(:leads AS text[]), CAST(:payloads AS text[])
            ) WITH ORDINALITY
            AS w (key, template, kind, id, receiver, deadline_id, holds_while, lead, payload, position)
        )
        INSERT INTO notice (tenant_id, key, template, subject_kind, subject_id, deadline_id, holds_while, lead,
                            person_id, company_id, account_id, office, address, payload, message_id, created_at,
                            traceparent)
        SELECT :tenant, w.key || coalesce(r.suffix, ''), w.template, w.kind, w.id, w.deadline_id, w.holds_while, w.lead,
               r.person_id, r.company_id, r.account_id, r.office, r.address, CAST(w.payload AS jsonb),
               '<' || uuidv7() || '@' || CAST(:domain AS text) || '>', :now, CAST(:trace AS text)
        FROM wanted AS w
        LEFT JOIN LATERAL recipients(
            :tenant, w.receiver, w.kind, w.id, w.deadline_id, CAST(:offices AS jsonb), CAST(:today AS date)
        ) AS r ON true
        WHERE NOT EXISTS (SELECT FROM notice AS n WHERE n.tenant_id = :tenant AND n.key = w.key)
        ORDER BY w.position, r.suffix
        ON CONFLICT (tenant_id, key) DO NOTHING
        RETURNING key
        """,
        keys=[each.key for each in new],
        templates=[each.template for each in new],
        kinds=[each.subject_kind for each in new],
        ids=[each.subject_id for each in new],
        receivers=[each.to for each in new],
        deadlines=[each.deadline_id for each in new],
        states=[each.holds_while for each in new],
        leads=[each.lead for each in new],
        payloads=[canonical(simple(each.payload)) for each in new],
        offices=canonical(offices),
        domain=domain,
        now=tx.now,
        today=tx.today,
        trace=tracing.current(),
    )
    return len({row.key for row in made} & {each.key for each in new})


async def claim(tx: "Transaction", most: int, lease_seconds: int) -> list[Row[Any]]:
    """Take some for a while. One waits while an earlier one on the same subject to the same person is not gone.

    `holds`: whether what it tells of is still so.
    """
    return await tx.rows(
        """
        WITH free AS (
            SELECT n.id FROM notice AS n
            WHERE n.tenant_id = :tenant AND n.state = 'queued'
              AND (n.claimed_until IS NULL OR n.claimed_until < clock_timestamp())
              AND NOT EXISTS (
                  SELECT FROM notice AS e
                  WHERE e.tenant_id = n.tenant_id AND e.state = 'queued' AND e.id < n.id
                    AND e.subject_kind = n.subject_kind AND e.subject_id = n.subject_id
                    AND e.person_id IS NOT DISTINCT FROM n.person_id
                    AND e.company_id IS NOT DISTINCT FROM n.company_id
                    AND e.account_id IS NOT DISTINCT FROM n.account_id
                    AND e.office IS NOT DISTINCT FROM n.office
              )
            ORDER BY n.id LIMIT :most FOR UPDATE SKIP LOCKED
        ), taken AS (
            UPDATE notice AS n SET claimed_until = clock_timestamp() + make_interval(secs => :lease),
                                   attempts = n.attempts + 1
            FROM free WHERE n.tenant_id = :tenant AND n.id = free.id AND n.state = 'queued'
            RETURNING n.*
        )
        SELECT t.id, t.key, t.template, t.subject_kind, t.subject_id, t.deadline_id, t.lead, t.address,
               t.payload, t.message_id, t.attempts, t.traceparent, t.created_at,
               t.person_id, t.company_id, t.account_id, t.office, t.reason,
               t.subject, t.body, t.html, coalesce(p.name, c.name, a.name) AS name,
               d.rule, d.kind, d.last_day, d.article,
               t.deadline_id IS NULL OR state(d, :today) = t.holds_while AS holds
        FROM taken AS t
        LEFT JOIN deadline AS d ON d.tenant_id = :tenant AND d.id = t.deadline_id
        LEFT JOIN person AS p ON p.tenant_id = :tenant AND p.id = t.person_id
        LEFT JOIN company AS c ON c.tenant_id = :tenant AND c.id = t.company_id
        LEFT JOIN account AS a ON a.tenant_id = :tenant AND a.id = t.account_id
        ORDER BY t.id
        """,
        most=most,
        lease=float(lease_seconds),
        today=tx.today,
    )


@dataclass(frozen=True, slots=True)
class Look:
    """Towns with something to send, those first that were longest without a turn, as it was at a moment."""

    at: datetime
    towns: Sequence[UUID]


async def look(directory: "Directory", most: int) -> Look:
    now = await directory.scalar("SELECT clock_timestamp()")
    return Look(now, [row.id for row in await directory.rows("SELECT id FROM towns_to_relay(:most) AS id", most=most)])


async def take_turn(tx: "Transaction", looked_at: datetime | None) -> bool:
    """False when the town has had one since then."""
    taken = await tx.rows(
        """
        INSERT INTO relay_turn AS t (tenant_id, served_at) VALUES (:tenant, clock_timestamp())
        ON CONFLICT (tenant_id) DO UPDATE SET served_at = clock_timestamp()
        WHERE t.served_at <= coalesce(CAST(:looked AS timestamptz), t.served_at)
        RETURNING tenant_id
        """,
        looked=looked_at,
    )
    return bool(taken)


async def give_back(tx: "Transaction", ids: Sequence[UUID]) -> None:
    """What was claimed and not attempted may be claimed by the next at once."""
    await tx.rows(
        "UPDATE notice SET claimed_until = NULL, attempts = attempts - 1 "
        "WHERE tenant_id = :tenant AND id = ANY(CAST(:ids AS uuid[])) AND state = 'queued'",
        ids=list(ids),
    )


async def queue_again(tx: "Transaction", notice_id: UUID) -> bool:
    """One that failed is sent as if it were new; False when it did not fail, or no longer."""
    done = await tx.rows(
        "UPDATE notice SET state = 'queued', attempts = 0, claimed_until = NULL "
        "WHERE tenant_id = :tenant AND id = :id AND state = 'failed' RETURNING id",
        id=notice_id,
    )
    return bool(done)


async def keep_words(tx: "Transaction", written: Sequence[tuple[UUID, "Filled", str]]) -> None:
    """Notices' words, with the HTML, as they are sent."""
    await tx.rows(
        """
        UPDATE notice AS n SET subject = w.subject, body = w.body, html = w.html
        FROM unnest(CAST(:ids AS uuid[]), CAST(:subjects AS text[]), CAST(:bodies AS text[]), CAST(:htmls AS text[]))
          AS w (id, subject, body, html)
        WHERE n.tenant_id = :tenant AND n.id = w.id
        """,
        ids=[id for id, _, _ in written],
        subjects=[words.subject for _, words, _ in written],
        bodies=[words.body for _, words, _ in written],
        htmls=[html for _, _, html in written],
    )


async def drop(tx: "Transaction", ids: Sequence[UUID], reason: str) -> None:
    await tx.rows(
        "UPDATE notice SET state = 'dropped', reason = :reason, claimed_until = NULL "
        "WHERE tenant_id = :tenant AND id = ANY(CAST(:ids AS uuid[]))",
        ids=list(ids),
        reason=reason,
    )


async def keep(tx: "Transaction", why: Mapping[UUID, str]) -> None:
    """Only for the inbox of whom they are to."""
    await tx.rows(
        """
        UPDATE notice AS n SET state = 'kept', reason = w.reason, claimed_until = NULL
        FROM unnest(CAST(:ids AS uuid[]), CAST(:reasons AS text[])) AS w (id, reason)
        WHERE n.tenant_id = :tenant AND n.id = w.id
        """,
        ids=list(why.keys()),
        reasons=list(why.values()),
    )


async def record_sent(tx: "Transaction", notice_id: UUID, detail: str) -> None:
    """Once, however often it is recorded: whoever was cut off at the commit cannot know what came of it."""
    done = await tx.rows(
        "UPDATE notice SET state = 'sent', sent_at = :now, claimed_until = NULL, reason = NULL "
        "WHERE tenant_id = :tenant AND id = :id AND state <> 'sent' RETURNING id",
        id=notice_id,
        now=tx.now,
    )
    if done:
        await add_attempt(tx, notice_id, "sent", detail)


async def record_failure(
    tx: "Transaction", notice_id: UUID, outcome: str, detail: str, pause_seconds: int | None
) -> None:
    """Try again after a pause; with none, never: then an address that was refused is a task for the clerk."""
    await add_attempt(tx, notice_id, outcome, detail)
    failed = await tx.row(
        """
        UPDATE notice SET reason = :detail,
            state = CASE WHEN CAST(:pause AS double precision) IS NULL THEN 'failed' ELSE state END,
            claimed_until = clock_timestamp() + make_interval(secs => CAST(:pause AS double precision))
        WHERE tenant_id = :tenant AND id = :id AND state = 'queued'
        RETURNING id, state, address, person_id, company_id
        """,
        id=notice_id,
        detail=detail,
        pause=None if pause_seconds is None else float(pause_seconds),
    )
    if failed is not None and failed.state == "failed" and outcome == "refused":
        await tasks.open_(tx, [tasks.NewTask.of_address(failed, detail)])


async def add_attempt(tx: "Transaction", notice_id: UUID, outcome: str, detail: str) -> None:
    await tx.rows(
        "INSERT INTO notice_attempt (tenant_id, notice_id, at, outcome, detail) "
        "VALUES (:tenant, :notice, clock_timestamp(), :outcome, :detail)",
        notice=notice_id,
        outcome=outcome,
        detail=detail,
    )
