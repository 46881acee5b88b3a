"""The directory of towns, and the publications of their law: written once, never changed."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, Any
from uuid import UUID

from sqlalchemy import Row

from services.errors import NotFound
from tenants.law.book import Published
from tenants.law.pack import RawItem

if TYPE_CHECKING:
    from services.database import Directory, Reader, Transaction


@dataclass(frozen=True, slots=True)
class Head:
    """The newest publication."""

    id: UUID
    seq: int


async def town_by_slug(directory: "Directory", slug: str) -> UUID | None:
    found: UUID | None = await directory.scalar("SELECT id FROM municipality WHERE slug = :slug", slug=slug)
    return found


async def towns(directory: "Directory") -> list[Row[Any]]:
    """Every town of the directory, by name."""
    return await directory.rows(
        "SELECT id, slug, name, uf, ibge, zone, hosts, fictitious FROM municipality ORDER BY sortable(name), id"
    )


async def taken_hosts(directory: "Directory", hosts: Sequence[str]) -> list[str]:
    """Of these hosts, those that a town already has."""
    found = await directory.rows(
        "SELECT DISTINCT host FROM municipality, unnest(hosts) AS host WHERE hosts && CAST(:hosts AS text[]) "
        "AND host = ANY(CAST(:hosts AS text[])) ORDER BY host",
        hosts=list(hosts),
    )
    return [row.host for row in found]


async def head(tx: "Reader") -> Head | None:
    found = await tx.row("SELECT id, seq FROM publication WHERE tenant_id = :tenant ORDER BY seq DESC LIMIT 1")
    return None if found is None else Head(found.id, found.seq)


async def publications(tx: "Reader") -> list[Row[Any]]:
    """Every publication, newest first."""
    return await tx.rows(
        "SELECT id, seq, official_on, recorded_at, norm, cause, act_id FROM publication "
        "WHERE tenant_id = :tenant ORDER BY seq DESC"
    )


async def published(tx: "Reader", upto: UUID) -> list[Published]:
    """Every item up to a publication, in the order in which they were published."""
    found = await tx.rows(
        """
        SELECT p.seq, p.official_on, p.norm, i.kind, i.code, i.payload
        FROM publication AS p JOIN law_item AS i ON i.tenant_id = p.tenant_id AND i.publication_id = p.id
        WHERE p.tenant_id = :tenant
          AND p.seq <= (SELECT seq FROM publication WHERE tenant_id = :tenant AND id = :upto)
        ORDER BY p.seq, i.position
        """,
        upto=upto,
    )
    return [Published(row.seq, row.official_on, row.norm, RawItem(row.kind, row.code, row.payload)) for row in found]


async def items_of(tx: "Reader", publication: UUID) -> list[RawItem]:
    """What one publication published."""
    rows = await tx.rows(
        "SELECT kind, code, payload FROM law_item WHERE tenant_id = :tenant AND publication_id = :publication "
        "ORDER BY position",
        publication=publication,
    )
    return [RawItem(row.kind, row.code, row.payload) for row in rows]


async def publish(
    tx: "Transaction",
    items: Sequence[RawItem],
    *,
    official_on: date | None,
    norm: str,
    cause: str,
    act_id: UUID,
    id: UUID | None = None,
) -> Head:
    """Write a publication after the newest; publishers of one town wait for each other.

    Args:
        id: Where its act names it already.
    """
    await tx.rows("SELECT FROM municipality WHERE id = :tenant FOR NO KEY UPDATE")
    made = await tx.one(
        """
        INSERT INTO publication (tenant_id, id, seq, official_on, recorded_at, norm, cause, act_id)
        SELECT :tenant, coalesce(CAST(:id AS uuid), uuidv7()), coalesce(max(seq), 0) + 1, :official_on, :now, :norm,
               :cause, :act_id
        FROM publication WHERE tenant_id = :tenant
        RETURNING id, seq
        """,
        official_on=official_on,
        now=tx.now,
        norm=norm,
        cause=cause,
        act_id=act_id,
        id=id,
    )
    await tx.rows(
        """
        INSERT INTO law_item (tenant_id, publication_id, position, kind, code, payload)
        SELECT :tenant, :publication, position, kind, code, CAST(payload AS jsonb)
        FROM unnest(CAST(:kinds AS text[]), CAST(:codes AS text[]), CAST(:payloads AS text[]))
             WITH ORDINALITY AS item (kind, code, payload, position)
        """,
        publication=made.id,
        kinds=[item.kind for item in items],
        codes=[item.code for item in items],
        payloads=[json.dumps(item.payload, ensure_ascii=False) for item in items],
    )
    tx.forget_law()
    return Head(made.id, made.seq)


async def publication(tx: "Reader", id: UUID) -> Head:
    """Raises NotFound, also for another town's publication."""
    found = await tx.row("SELECT id, seq FROM publication WHERE tenant_id = :tenant AND id = :id", id=id)
    if found is None:
        raise NotFound("publication", id)
    return Head(found.id, found.seq)
