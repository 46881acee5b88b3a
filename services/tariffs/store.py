"""The tariffs' SQL: the tariff of a category, its reviews, what has been done for each."""

from collections.abc import Collection, Sequence
from datetime import date
from typing import Any
from uuid import UUID

from sqlalchemy import Row

from services.database import Reader, Transaction
from services.errors import NotFound

TARIFF = "SELECT id, version, category, holder_id, set_on, reviewed_on, publication_id FROM tariff"
REVIEW = """
SELECT r.id, r.version, r.tariff_id, r.holder_id, r.because, r.requested_on, r.sheet, r.granted, r.decided_on,
       t.category
FROM tariff_review AS r JOIN tariff AS t ON t.tenant_id = r.tenant_id AND t.id = r.tariff_id
WHERE r.tenant_id = :tenant
"""
HOLDING = """
SELECT p.holder_id FROM permit AS p JOIN holder AS h ON h.tenant_id = p.tenant_id AND h.id = p.holder_id
WHERE p.tenant_id = :tenant AND p.category = ANY(CAST(:categories AS text[])) AND p.during @> CAST(:day AS date)
  AND (h.person_id = :person OR h.company_id = :company OR h.id = :holder)
ORDER BY p.id LIMIT 1
"""


async def tariff(tx: Reader, category: str) -> Row[Any] | None:
    return await tx.row(f"{TARIFF} WHERE tenant_id = :tenant AND category = :category", category=category)


async def locked(tx: Transaction, category: str) -> Row[Any]:
    """The tariff of a category, made if there is none yet, once nobody else changes it."""
    await tx.rows(
        "INSERT INTO tariff (tenant_id, category) VALUES (:tenant, :category) ON CONFLICT DO NOTHING",
        category=category,
    )
    return await tx.one(f"{TARIFF} WHERE tenant_id = :tenant AND category = :category FOR UPDATE", category=category)


async def holding(
    tx: Reader,
    categories: Collection[str],
    day: date,
    *,
    person: UUID | None = None,
    company: UUID | None = None,
    holder: UUID | None = None,
) -> UUID | None:
    """The holder of a permit in force that this person, company or holder is; none if it is none."""
    found: UUID | None = await tx.scalar(
        HOLDING, categories=sorted(categories), day=day, person=person, company=company, holder=holder
    )
    return found


async def asked(tx: Transaction, tariff_id: UUID, holder_id: UUID) -> None:
    """Whoever asked last is told when the next review is due."""
    await tx.rows(
        "UPDATE tariff SET holder_id = :holder, version = version + 1 WHERE tenant_id = :tenant AND id = :id",
        id=tariff_id,
        holder=holder_id,
    )


async def review(tx: Reader, id: UUID) -> Row[Any]:
    """Raises NotFound, also for another town's review."""
    found = await tx.row(f"{REVIEW} AND r.id = :id", id=id)
    if found is None:
        raise NotFound("tariff_review", id)
    return found


async def page(tx: Reader, limit: int, *, category: str | None, after: UUID | None) -> list[Row[Any]]:
    """Reviews, the newest first."""
    conditions = {"category": ("AND t.category = :category", category), "after": ("AND r.id < :after", after)}
    given = {name: value for name, (_, value) in conditions.items() if value is not None}
    where = " ".join(sql for name, (sql, _) in conditions.items() if name in given)
    return await tx.rows(f"{REVIEW} {where} ORDER BY r.id DESC LIMIT :limit", limit=limit, **given)


async def steps(tx: Reader, reviews: Sequence[UUID]) -> list[Row[Any]]:
    """What has been done for reviews, in order."""
    return await tx.rows(
        "SELECT review_id, what, code, met_on, source FROM tariff_step "
        "WHERE tenant_id = :tenant AND review_id = ANY(CAST(:ids AS uuid[])) ORDER BY id",
        ids=list(reviews),
    )


async def decide(tx: Transaction, review_id: UUID, *, granted: bool, day: date, act_id: UUID) -> None:
    await tx.rows(
        "UPDATE tariff_review SET granted = :granted, decided_on = :day, decided_act = :act, version = version + 1 "
        "WHERE tenant_id = :tenant AND id = :id",
        id=review_id,
        granted=granted,
        day=day,
        act=act_id,
    )


async def reviewed(tx: Transaction, tariff_id: UUID, day: date) -> None:
    await tx.rows(
        "UPDATE tariff SET reviewed_on = :day, version = version + 1 WHERE tenant_id = :tenant AND id = :id",
        id=tariff_id,
        day=day,
    )


async def was_set(tx: Transaction, tariff_id: UUID, *, since: date, publication_id: UUID, act_id: UUID) -> None:
    await tx.rows(
        "UPDATE tariff SET set_on = :since, reviewed_on = :since, publication_id = :publication, set_act = :act, "
        "version = version + 1 WHERE tenant_id = :tenant AND id = :id",
        id=tariff_id,
        since=since,
        publication=publication_id,
        act=act_id,
    )


async def tables_of(tx: Reader, publication_id: UUID, kind: str) -> list[str]:
    """The codes of the tables that a publication brought and did not end."""
    rows = await tx.rows(
        "SELECT code FROM law_item WHERE tenant_id = :tenant AND publication_id = :publication AND kind = :kind "
        "AND payload ->> 'off' IS DISTINCT FROM 'yes' ORDER BY position",
        publication=publication_id,
        kind=kind,
    )
    return [row.code for row in rows]
