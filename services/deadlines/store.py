"""Deadlines in SQL, always many at once."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, Any
from uuid import UUID

from sqlalchemy import Row

from services.acts.body import canonical, simple

if TYPE_CHECKING:
    from services.database import Reader, Transaction
    from services.deadlines.changes import NewDeadline


@dataclass(frozen=True, slots=True)
class Closing:
    state: str
    on: date
    act_id: UUID
    replaced_by: UUID | None = None


async def add(tx: "Transaction", new: Sequence["NewDeadline"]) -> list[UUID]:
    """The ids, in the order of what was given: they are made in that order, and sort so."""
    made = await tx.rows(
        """
        INSERT INTO deadline (tenant_id, kind, rule, subject_kind, subject_id, opened_on, last_day, article,
                              opened_act, inputs, counted, follows)
        SELECT :tenant, kind, rule, subject_kind, subject_id, opened_on, last_day, article,
               opened_act, CAST(inputs AS jsonb), CAST(counted AS jsonb), CAST(follows AS jsonb)
        FROM unnest(
            CAST(:kinds AS text[]), CAST(:rules AS text[]), CAST(:subject_kinds AS text[]), CAST(:subjects AS uuid[]),
            CAST(:opened AS date[]), CAST(:lasts AS date[]), CAST(:articles AS text[]), CAST(:acts AS uuid[]),
            CAST(:inputs AS text[]), CAST(:counted AS text[]), CAST(:follows AS text[])
        ) WITH ORDINALITY AS made (kind, rule, subject_kind, subject_id, opened_on, last_day, article, opened_act,
                                   inputs, counted, follows, position)
        ORDER BY position
        RETURNING id
        """,
        kinds=[each.kind for each in new],
        rules=[each.rule for each in new],
        subject_kinds=[each.subject_kind for each in new],
        subjects=[each.subject_id for each in new],
        opened=[each.opened_on for each in new],
        lasts=[each.last_day for each in new],
        articles=[each.article for each in new],
        acts=[each.opened_act for each in new],
        inputs=[canonical(simple(each.inputs)) for each in new],
        counted=[canonical(simple(each.counted)) for each in new],
        follows=[canonical(simple(list(each.follows))) for each in new],
    )
    return sorted(row.id for row in made)


async def oldest_due(tx: "Reader", today: date) -> date | None:
    """The earliest last day of what is over before a day and not yet recorded."""
    found: date | None = await tx.scalar(
        "SELECT min(last_day) FROM deadline WHERE tenant_id = :tenant AND state = 'open' AND last_day < :today",
        today=today,
    )
    return found


async def oldest_due_of(tx: "Reader", today: date, subjects: Sequence[tuple[str, UUID]]) -> date | None:
    """The same for some subjects."""
    found: date | None = await tx.scalar(
        """
        SELECT min(d.last_day) FROM deadline AS d
        JOIN unnest(CAST(:kinds AS text[]), CAST(:ids AS uuid[])) AS subject (kind, id)
          ON d.subject_kind = subject.kind AND d.subject_id = subject.id
        WHERE d.tenant_id = :tenant AND d.state = 'open' AND d.last_day < :today
        """,
        today=today,
        kinds=[kind for kind, _ in subjects],
        ids=[subject_id for _, subject_id in subjects],
    )
    return found


async def lock_permits_due(tx: "Transaction", last_day: date) -> None:
    """The permits whose deadlines of a day are over, before those: in the order in which whoever acts takes them."""
    await tx.rows(
        """
        SELECT id FROM permit WHERE tenant_id = :tenant AND id IN (
            SELECT subject_id FROM deadline
            WHERE tenant_id = :tenant AND state = 'open' AND last_day = :last_day AND subject_kind = 'permit'
        ) ORDER BY id FOR UPDATE
        """,
        last_day=last_day,
    )


async def expire_day(tx: "Transaction", last_day: date, most: int, turns: Mapping[str, int]) -> list[Row[Any]]:
    """Close at most so many of a last day, each by an act, and answer them; others who do so are waited for.

    Args:
        turns: Of what follows: first those of which nothing comes but what has the earliest turns.
    """
    return await tx.rows(
        """
        SELECT * FROM expire(:tenant, ARRAY(
            SELECT d.id FROM deadline AS d
            WHERE d.tenant_id = :tenant AND d.state = 'open' AND d.last_day = :last_day
            ORDER BY (
                SELECT max(CAST(CAST(:turns AS jsonb) ->> (f ->> 'do') AS integer))
                FROM jsonb_array_elements(d.follows) AS f
            ) NULLS FIRST, d.id LIMIT :most FOR UPDATE
        ), :now, :today)
        """,
        last_day=last_day,
        most=most,
        turns=canonical(turns),
        now=tx.now,
        today=tx.today,
    )


async def expire_day_of(tx: "Transaction", last_day: date, subjects: Sequence[tuple[str, UUID]]) -> list[Row[Any]]:
    """The same for all of a day of some subjects."""
    return await tx.rows(
        """
        SELECT * FROM expire(:tenant, ARRAY(
            SELECT d.id FROM deadline AS d
            WHERE d.tenant_id = :tenant AND d.state = 'open' AND d.last_day = :last_day
              AND (d.subject_kind, d.subject_id) IN (
                  SELECT kind, id FROM unnest(CAST(:kinds AS text[]), CAST(:ids AS uuid[])) AS subject (kind, id)
              )
            ORDER BY d.id FOR UPDATE
        ), :now, :today)
        """,
        last_day=last_day,
        kinds=[kind for kind, _ in subjects],
        ids=[subject_id for _, subject_id in subjects],
        now=tx.now,
        today=tx.today,
    )


async def open_after(tx: "Transaction", next_: Sequence[tuple[UUID, Mapping[str, Any]]]) -> None:
    """What each of these deadlines, which have expired, says of the one that its end opens."""
    await tx.rows(
        "SELECT open_after(:tenant, CAST(:ended AS uuid[]), CAST(CAST(:said AS text[]) AS jsonb[]))",
        ended=[ended for ended, _ in next_],
        said=[canonical(said) for _, said in next_],
    )


async def close(tx: "Transaction", deadline_id: UUID, closing: Closing, version: int | None) -> bool:
    """False when there is no such open or suspended deadline in this version."""
    done = await tx.rows(
        """
        UPDATE deadline SET state = :state, closed_on = :on, closed_act = :act, replaced_by = CAST(:successor AS uuid),
                            version = version + 1
        WHERE tenant_id = :tenant AND id = :id AND state IN ('open', 'suspended')
          AND version = coalesce(CAST(:version AS integer), version)
        RETURNING id
        """,
        id=deadline_id,
        state=closing.state,
        on=closing.on,
        act=closing.act_id,
        successor=closing.replaced_by,
        version=version,
    )
    return bool(done)


async def meet_kinds(tx: "Transaction", subject: tuple[str, UUID], kinds: Sequence[str], on: date, act_id: UUID) -> int:
    done = await tx.rows(
        """
        UPDATE deadline SET state = 'met', closed_on = :on, closed_act = :act, version = version + 1
        WHERE tenant_id = :tenant AND subject_kind = :subject_kind AND subject_id = :subject_id
          AND state IN ('open', 'suspended')
          AND (kind = ANY(CAST(:kinds AS text[])) OR rule = ANY(CAST(:kinds AS text[])))
        RETURNING id
        """,
        subject_kind=subject[0],
        subject_id=subject[1],
        kinds=list(kinds),
        on=on,
        act=act_id,
    )
    return len(done)


@dataclass(frozen=True, slots=True)
class NoMore:
    """From a day on nothing is demanded of a subject, by an act."""

    subject: tuple[str, UUID]
    on: date
    act_id: UUID


async def meet_all(tx: "Transaction", subjects: Sequence[NoMore]) -> None:
    """What was over before that day has expired, recorded or not, and stays so."""
    await tx.rows(
        """
        UPDATE deadline AS d SET state = 'met', closed_on = no_more.day, closed_act = no_more.act,
                                 version = d.version + 1
        FROM unnest(
            CAST(:kinds AS text[]), CAST(:ids AS uuid[]), CAST(:days AS date[]), CAST(:acts AS uuid[])
        ) AS no_more (kind, id, day, act)
        WHERE d.tenant_id = :tenant AND d.subject_kind = no_more.kind AND d.subject_id = no_more.id
          AND (d.state = 'suspended' OR d.state = 'open' AND d.last_day >= no_more.day)
        """,
        kinds=[each.subject[0] for each in subjects],
        ids=[each.subject[1] for each in subjects],
        days=[each.on for each in subjects],
        acts=[each.act_id for each in subjects],
    )


async def suspend(tx: "Transaction", deadline_id: UUID, on: date, note: Mapping[str, Any], version: int | None) -> bool:
    done = await tx.rows(
        """
        UPDATE deadline SET state = 'suspended', suspended_on = :on, version = version + 1,
            inputs = jsonb_set(inputs, '{suspensions}', coalesce(inputs -> 'suspensions', '[]') || CAST(:note AS jsonb))
        WHERE tenant_id = :tenant AND id = :id AND state = 'open'
          AND version = coalesce(CAST(:version AS integer), version)
        RETURNING id
        """,
        id=deadline_id,
        on=on,
        note=canonical([note]),
        version=version,
    )
    return bool(done)


async def resume(
    tx: "Transaction",
    deadline_id: UUID,
    last_day: date,
    note: Mapping[str, Any],
    counted: Mapping[str, Any],
    follows: Sequence[Mapping[str, Any]] | None,
    version: int | None,
) -> bool:
    """It runs to another last day."""
    done = await tx.rows(
        """
        UPDATE deadline SET state = 'open', suspended_on = NULL, last_day = :last_day, version = version + 1,
            inputs = jsonb_set(
                inputs, '{suspensions}', coalesce(inputs -> 'suspensions', '[]') || CAST(:note AS jsonb)
            ),
            counted = CAST(:counted AS jsonb), follows = coalesce(CAST(:follows AS jsonb), follows)
        WHERE tenant_id = :tenant AND id = :id AND state = 'suspended'
          AND version = coalesce(CAST(:version AS integer), version)
        RETURNING id
        """,
        id=deadline_id,
        last_day=last_day,
        note=canonical([note]),
        counted=canonical(counted),
        follows=None if follows is None else canonical(list(follows)),
        version=version,
    )
    return bool(done)


async def by_id(tx: "Reader", deadline_id: UUID) -> Row[Any] | None:
    return await tx.row(
        "SELECT d.*, state(d, :today) AS state_today FROM deadline AS d WHERE tenant_id = :tenant AND id = :id",
        id=deadline_id,
        today=tx.today,
    )


async def of_subjects(tx: "Reader", subjects: Sequence[tuple[str, UUID]], day: date) -> list[Row[Any]]:
    """Every deadline of these subjects with its state on a day, earliest last day first, in one statement."""
    return await tx.rows(
        """
        SELECT d.*, state(d, :day) AS state_today FROM deadline AS d
        WHERE tenant_id = :tenant AND (subject_kind, subject_id) IN (
            SELECT kind, id FROM unnest(CAST(:kinds AS text[]), CAST(:ids AS uuid[])) AS subject (kind, id)
        )
        ORDER BY last_day, id
        """,
        day=day,
        kinds=[kind for kind, _ in subjects],
        ids=[subject_id for _, subject_id in subjects],
    )


async def agenda(
    tx: "Reader", day: date, limit: int, after: tuple[date, UUID] | None, until: date | None
) -> list[Row[Any]]:
    """Deadlines that still run, the earliest last day first; ``after``: last day and id of the row before."""
    later = "AND (last_day, id) > (CAST(:last AS date), CAST(:id AS uuid))" if after else ""
    bound = "AND last_day <= CAST(:until AS date)" if until else ""
    params = ({"last": after[0], "id": after[1]} if after else {}) | ({"until": until} if until else {})
    return await tx.rows(
        "SELECT d.*, state(d, CAST(:day AS date)) AS state_today FROM deadline AS d "  # noqa: S608 - our own conditions
        f"WHERE tenant_id = :tenant AND state = 'open' {later} {bound} ORDER BY last_day, id LIMIT :limit",
        day=day,
        limit=limit,
        **params,
    )


async def open_of(tx: "Reader", subject: tuple[str, UUID], kinds: Sequence[str]) -> list[UUID]:
    """The open deadlines of these kinds of one subject."""
    rows = await tx.rows(
        "SELECT id FROM deadline WHERE tenant_id = :tenant AND subject_kind = :of AND subject_id = :id "
        "AND kind = ANY(CAST(:kinds AS text[])) AND state IN ('open', 'suspended') ORDER BY id",
        of=subject[0],
        id=subject[1],
        kinds=list(kinds),
    )
    return [row.id for row in rows]
