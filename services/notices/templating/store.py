"""A record of the town as a notice about it would see it, in SQL."""

from typing import TYPE_CHECKING, Any
from uuid import UUID

from sqlalchemy import Row

from services.errors import NotFound
from tenants.law.receivers import PEOPLE

if TYPE_CHECKING:
    from services.database import Reader

ELSEWHERE = {"candidate": "selection_candidate", "selection": "selection_call", "case": "proceeding"}
TABLES = {kind: ELSEWHERE.get(kind, kind) for kind in PEOPLE}


async def subject_of(tx: "Reader", kind: str, id: UUID) -> tuple[str, UUID, UUID | None]:
    """What a record is about, and its deadline: its own if it is one. Raises NotFound."""
    if kind in ("deadline", "notice"):
        which = "id" if kind == "deadline" else "deadline_id"
        found = await tx.row(
            f"SELECT subject_kind, subject_id, {which} AS deadline FROM {kind} "  # noqa: S608 - our own names
            "WHERE tenant_id = :tenant AND id = :id",
            id=id,
        )
        if found is None:
            raise NotFound(kind, id)
        return found.subject_kind, found.subject_id, found.deadline
    if kind not in TABLES:
        raise NotFound(kind, id)
    there = await tx.scalar(
        f"SELECT EXISTS (SELECT FROM {TABLES[kind]} WHERE tenant_id = :tenant AND id = :id)",  # noqa: S608
        id=id,
    )
    if not there:
        raise NotFound(kind, id)
    return kind, id, await _deadline(tx, kind, id)


async def _deadline(tx: "Reader", kind: str, id: UUID) -> UUID | None:
    """The one that runs out next, else the last that did."""
    found: UUID | None = await tx.scalar(
        "SELECT id FROM deadline WHERE tenant_id = :tenant AND subject_kind = :kind AND subject_id = :id "
        "ORDER BY state = 'open' DESC, CASE WHEN state = 'open' THEN last_day END, last_day DESC, id LIMIT 1",
        kind=kind,
        id=id,
    )
    return found


async def as_notice(tx: "Reader", kind: str, id: UUID, deadline_id: UUID | None) -> Row[Any]:
    """What a notice about it would know, to the first whom it would reach."""
    return await tx.one(
        """
        SELECT CAST(:id AS uuid) AS id, CAST(:kind AS text) AS subject_kind, CAST(:id AS uuid) AS subject_id,
               d.id AS deadline_id, d.rule, d.last_day, d.article, NULL AS lead, NULL AS office,
               CAST('{}' AS jsonb) AS payload, CAST(:now AS timestamptz) AS created_at,
               (SELECT coalesce(n.name, c.name)
                FROM recipients(
                    :tenant, CASE WHEN :kind = 'complaint' THEN 'complainant' ELSE 'holder' END, :kind, :id,
                    CAST(:deadline AS uuid), '{}', CAST(:today AS date)
                ) AS r
                LEFT JOIN person AS n ON n.tenant_id = :tenant AND n.id = r.person_id
                LEFT JOIN company AS c ON c.tenant_id = :tenant AND c.id = r.company_id
                ORDER BY r.suffix LIMIT 1) AS name
        FROM (SELECT) AS nothing
        LEFT JOIN deadline AS d ON d.tenant_id = :tenant AND d.id = CAST(:deadline AS uuid)
        """,
        kind=kind,
        id=id,
        deadline=deadline_id,
        today=tx.today,
        now=tx.now,
    )
