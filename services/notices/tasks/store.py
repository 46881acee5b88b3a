"""The tasks' SQL."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, Any, Self
from uuid import UUID

from sqlalchemy import Row

from services.errors import NotFound

if TYPE_CHECKING:
    from services.database import Reader, Transaction

TASK = """
SELECT t.id, t.version, t.kind, t.about, t.detail, t.notice_id, t.person_id, t.company_id, t.opened_at, t.closed_on,
       t.done, coalesce(p.name, c.name) AS name, coalesce(t.subject_kind, n.subject_kind) AS subject_kind,
       coalesce(t.subject_id, n.subject_id) AS subject_id
FROM clerk_task AS t
LEFT JOIN person AS p ON p.tenant_id = t.tenant_id AND p.id = t.person_id
LEFT JOIN company AS c ON c.tenant_id = t.tenant_id AND c.id = t.company_id
LEFT JOIN notice AS n ON n.tenant_id = t.tenant_id AND n.id = t.notice_id
WHERE t.tenant_id = :tenant
"""


@dataclass(frozen=True, slots=True)
class NewTask:
    """`about`: of what there is one at a time. `detail`: why, without personal data."""

    kind: str
    about: str
    detail: str = ""
    notice_id: UUID | None = None
    person_id: UUID | None = None
    company_id: UUID | None = None
    subject: tuple[str, UUID] | None = None  # if there is no notice

    @classmethod
    def of_address(cls, notice: Any, detail: str) -> Self:
        return cls("address_failing", normal(notice.address), detail, notice.id, notice.person_id, notice.company_id)

    @classmethod
    def of_drawn(cls, deadline_id: UUID, what: str, detail: str, subject: tuple[str, UUID]) -> Self:
        return cls("drawn", f"{deadline_id}:{what}", detail, subject=subject)


def normal(address: str) -> str:
    """One text for one address, as far as we can tell."""
    return address.strip().lower()


async def open_(tx: "Transaction", new: Sequence[NewTask]) -> int:
    """How many were not there."""
    if not new:
        return 0
    made = await tx.rows(
        """
        INSERT INTO clerk_task (tenant_id, kind, about, detail, notice_id, person_id, company_id, subject_kind,
                                 subject_id, opened_at)
        SELECT :tenant, w.kind, w.about, w.detail, w.notice, w.person, w.company, w.subject_kind, w.subject_id,
               :now
        FROM unnest(
            CAST(:kinds AS text[]), CAST(:abouts AS text[]), CAST(:details AS text[]), CAST(:notices AS uuid[]),
            CAST(:persons AS uuid[]), CAST(:companies AS uuid[]), CAST(:subject_kinds AS text[]),
            CAST(:subjects AS uuid[])
        ) WITH ORDINALITY AS w (kind, about, detail, notice, person, company, subject_kind, subject_id, position)
        ORDER BY w.kind, w.about, w.position
        ON CONFLICT (tenant_id, kind, about) WHERE closed_act IS NULL OR kind = 'no_address' DO NOTHING
        RETURNING id
        """,
        kinds=[each.kind for each in new],
        abouts=[each.about for each in new],
        details=[each.detail for each in new],
        notices=[each.notice_id for each in new],
        persons=[each.person_id for each in new],
        companies=[each.company_id for each in new],
        subject_kinds=[each.subject[0] if each.subject else None for each in new],
        subjects=[each.subject[1] if each.subject else None for each in new],
        now=tx.now,
    )
    return len(made)


async def failing(tx: "Reader", addresses: Sequence[str]) -> set[str]:
    """Those of these addresses of which an open task says that they fail."""
    if not addresses:
        return set()
    rows = await tx.rows(
        "SELECT about FROM clerk_task WHERE tenant_id = :tenant AND kind = 'address_failing' "
        "AND about = ANY(CAST(:abouts AS text[])) AND closed_act IS NULL",
        abouts=[normal(each) for each in addresses],
    )
    return {row.about for row in rows}


async def page(tx: "Reader", limit: int, after: UUID | None, *, closed: bool) -> list[Row[Any]]:
    """The oldest first; ``after``: the id of the row before."""
    wanted = "AND t.closed_act IS NOT NULL" if closed else "AND t.closed_act IS NULL"
    later = "AND t.id > :after" if after else ""
    return await tx.rows(
        f"{TASK} {wanted} {later} ORDER BY t.id LIMIT :limit", limit=limit, **({"after": after} if after else {})
    )


async def one(tx: "Reader", task_id: UUID) -> Row[Any]:
    """Raises NotFound."""
    found = await tx.row(f"{TASK} AND t.id = :id", id=task_id)
    if found is None:
        raise NotFound("clerk_task", task_id)
    return found


async def lock(tx: "Transaction", task_id: UUID) -> Row[Any]:
    """Raises NotFound."""
    found = await tx.row(f"{TASK} AND t.id = :id FOR UPDATE OF t", id=task_id)
    if found is None:
        raise NotFound("clerk_task", task_id)
    return found


async def close(tx: "Transaction", task_id: UUID, *, on: date, act_id: UUID, done: str) -> None:
    await tx.rows(
        "UPDATE clerk_task SET closed_on = :on, closed_act = :act, done = :done, version = version + 1 "
        "WHERE tenant_id = :tenant AND id = :id",
        id=task_id,
        on=on,
        act=act_id,
        done=done,
    )
