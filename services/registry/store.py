"""The register's SQL: people, companies, holders, drivers, vehicles, papers."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from sqlalchemy import Row

from services.database import Reader, Transaction
from services.errors import Conflict, Invalid, NotFound
from services.schema import TownRow

EXISTS = {
    "person": "SELECT 1 FROM person WHERE tenant_id = :tenant AND id = :id",
    "company": "SELECT 1 FROM company WHERE tenant_id = :tenant AND id = :id",
    "holder": "SELECT 1 FROM holder WHERE tenant_id = :tenant AND id = :id",
    "driver": "SELECT 1 FROM driver WHERE tenant_id = :tenant AND id = :id",
    "vehicle": "SELECT 1 FROM vehicle WHERE tenant_id = :tenant AND id = :id",
}


async def must_exist(tx: Reader, kind: str, id: UUID | None) -> None:
    """Raises NotFound, also for another town's row."""
    if await tx.scalar(EXISTS[kind], id=id) is None:
        raise NotFound(kind, id)


async def new_id(tx: Reader) -> UUID:
    """An id for a row that its own act must name."""
    found: UUID = await tx.scalar("SELECT uuidv7()")
    return found


async def add(tx: Transaction, row: TownRow) -> None:
    """Write a row; the database gives its id."""
    tx.session.add(row)
    await tx.session.flush()


async def add_once(tx: Transaction, row: TownRow, *, field: str, message: str) -> None:
    """Write a row whose number must be new. Raises Invalid when it is there already."""
    try:
        async with tx.session.begin_nested():
            tx.session.add(row)
    except Exception as error:
        if getattr(getattr(error, "orig", None), "sqlstate", None) == UNIQUE_VIOLATION:
            raise Invalid(field, "taken", message) from error
        raise


UNIQUE_VIOLATION = "23505"

CANDIDATE = """
SELECT h.id AS holder_id, h.kind, h.person_id, h.company_id, h.attributes AS holder_attributes,
       p.birth_on, p.attributes AS person_attributes, c.attributes AS company_attributes,
       d.id AS driver_id, d.cnh_number, d.cnh_categories, d.cnh_ear, d.cnh_first_on, d.cnh_until,
       d.attributes AS driver_attributes, d.review
FROM holder AS h
LEFT JOIN person AS p ON p.tenant_id = h.tenant_id AND p.id = h.person_id
LEFT JOIN company AS c ON c.tenant_id = h.tenant_id AND c.id = h.company_id
LEFT JOIN driver AS d ON d.tenant_id = h.tenant_id AND d.person_id = h.person_id
WHERE h.tenant_id = :tenant AND h.id = ANY(CAST(:ids AS uuid[]))
"""
VEHICLES = """
SELECT id, plate, renavam, holder_id, manufacture_year, model_year, first_registration, doors, seats, fuel, attributes,
       version
FROM vehicle WHERE tenant_id = :tenant AND id = ANY(CAST(:ids AS uuid[]))
"""
PAPERS = """
SELECT subject_kind, subject_id, code, issued_on, valid_until
FROM paper WHERE tenant_id = :tenant AND subject_id = ANY(CAST(:ids AS uuid[]))
ORDER BY valid_until NULLS FIRST, issued_on NULLS FIRST, id
"""


async def candidates(tx: Reader, ids: Sequence[UUID]) -> dict[UUID, Row[Any]]:
    """Holders with their person or company and their driver's licence, by holder id: one statement for all."""
    return {row.holder_id: row for row in await tx.rows(CANDIDATE, ids=list(ids))}


async def vehicles(tx: Reader, ids: Sequence[UUID]) -> dict[UUID, Row[Any]]:
    return {row.id: row for row in await tx.rows(VEHICLES, ids=list(ids))}


async def papers(tx: Reader, ids: Sequence[UUID]) -> dict[UUID, list[Row[Any]]]:
    """The papers filed for subjects, by subject; the longest valid last."""
    found: dict[UUID, list[Row[Any]]] = {}
    for row in await tx.rows(PAPERS, ids=list(ids)):
        found.setdefault(row.subject_id, []).append(row)
    return found


async def change(tx: Transaction, row: Any, version: int, values: dict[str, Any]) -> dict[str, Any]:
    """Change a row that someone saw in ``version``; answers what really changed.

    Raises:
        Conflict: The row is of another version by now.
    """
    if row.version != version:
        raise Conflict(version, row.version)
    changed = {name: value for name, value in values.items() if getattr(row, name) != value}
    for name, value in changed.items():
        setattr(row, name, value)
    row.version += 1
    await tx.session.flush()
    return changed
