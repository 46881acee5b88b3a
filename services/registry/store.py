"""The register's SQL: people, companies, holders, drivers, vehicles, papers."""

from collections.abc import Collection, Sequence
from datetime import date
from typing import Any, TypeVar
from uuid import UUID

from sqlalchemy import Row

from services.database import Reader, Transaction
from services.errors import Conflict, Invalid, NotFound
from services.schema import TownRow

R = TypeVar("R", bound=TownRow)
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


KINDS = """
SELECT 'holder' AS kind, id FROM holder WHERE tenant_id = :tenant AND id = ANY(CAST(:ids AS uuid[]))
UNION ALL
SELECT 'driver', id FROM driver WHERE tenant_id = :tenant AND id = ANY(CAST(:ids AS uuid[]))
UNION ALL
SELECT 'vehicle', id FROM vehicle WHERE tenant_id = :tenant AND id = ANY(CAST(:ids AS uuid[]))
"""


async def kinds_of(tx: Reader, ids: Collection[UUID]) -> dict[UUID, str]:
    """Which of these rows is a holder, a driver, a vehicle; another town's is not among them."""
    return {row.id: row.kind for row in await tx.rows(KINDS, ids=list(ids))}


async def new_id(tx: Reader) -> UUID:
    """An id for a row that its own act must name."""
    found: UUID = await tx.scalar("SELECT uuidv7()")
    return found


async def new_ids(tx: Reader, how_many: int) -> list[UUID]:
    return [row.id for row in await tx.rows("SELECT uuidv7() AS id FROM generate_series(1, :many)", many=how_many)]


async def add(tx: Transaction, row: TownRow) -> None:
    """Write a row; the database gives its id."""
    tx.session.add(row)
    await tx.session.flush()


async def add_all(tx: Transaction, rows: Sequence[TownRow]) -> None:
    """Write rows of one table that have their ids, in one statement."""
    tx.session.add_all(rows)
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
SELECT id, subject_kind, subject_id, code, number, issued_on, valid_until
FROM paper WHERE tenant_id = :tenant AND subject_id = ANY(CAST(:ids AS uuid[]))
ORDER BY valid_until NULLS FIRST, issued_on NULLS FIRST, id
"""


async def lasts_longer(tx: Reader, subject: tuple[str, UUID], kind: str, last_day: date) -> bool:
    """Does a term of this kind run for the subject beyond a day?"""
    found: bool = await tx.scalar(
        "SELECT EXISTS (SELECT FROM deadline WHERE tenant_id = :tenant AND subject_kind = :of AND subject_id = :id "
        "AND kind = :kind AND state IN ('open', 'suspended') AND last_day > :last)",
        of=subject[0],
        id=subject[1],
        kind=kind,
        last=last_day,
    )
    return found


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


LOCKS = {
    kind: f"SELECT id FROM {kind} WHERE tenant_id = :tenant AND id = :id FOR UPDATE"  # noqa: S608 - our own tables
    for kind in ("person", "company", "holder")
}


async def lock(tx: Transaction, kind: str, id: UUID) -> None:
    """Whoever changes it waits. Raises NotFound, also for another town's."""
    if await tx.scalar(LOCKS[kind], id=id) is None:
        raise NotFound(kind, id)


async def loaded(tx: Transaction, table: type[R], id: UUID) -> R:
    """A row as it is now, to be changed. Raises NotFound, also for another town's."""
    found = await tx.session.get(table, (tx.tenant_id, id), populate_existing=True)
    if found is None:
        raise NotFound(str(table.__tablename__), id)
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


HOLDERS = """
SELECT h.id, h.kind, h.version, coalesce(p.name, c.name) AS name, p.id AS person_id, c.id AS company_id,
       p.cpf, c.cnpj, coalesce(p.email, c.email) AS email
FROM holder AS h
LEFT JOIN person AS p ON p.tenant_id = h.tenant_id AND p.id = h.person_id
LEFT JOIN company AS c ON c.tenant_id = h.tenant_id AND c.id = h.company_id
WHERE h.tenant_id = :tenant
"""
PEOPLE = "SELECT id, cpf, name, email, birth_on, version, sortable(name) AS sort FROM person WHERE tenant_id = :tenant"
COMPANIES = "SELECT id, cnpj, name, email, version, sortable(name) AS sort FROM company WHERE tenant_id = :tenant"
DRIVERS = """
SELECT d.id, d.person_id, p.name, d.cnh_number, d.cnh_categories, d.cnh_ear, d.cnh_first_on, d.cnh_until, d.review,
       d.version
FROM driver AS d JOIN person AS p ON p.tenant_id = d.tenant_id AND p.id = d.person_id WHERE d.tenant_id = :tenant
"""
VEHICLE_LIST = """
SELECT id, plate, renavam, manufacture_year, model_year, first_registration, doors, seats, fuel, version
FROM vehicle WHERE tenant_id = :tenant
"""


async def holders(tx: Reader, ids: Sequence[UUID]) -> dict[UUID, Row[Any]]:
    rows = await tx.rows(f"{HOLDERS} AND h.id = ANY(CAST(:ids AS uuid[]))", ids=list(ids))
    return {row.id: row for row in rows}


async def holders_of(tx: Reader, *, person_id: UUID | None, company_id: UUID | None) -> list[UUID]:
    """The holders that a person or a company is."""
    rows = await tx.rows(
        "SELECT id FROM holder WHERE tenant_id = :tenant "
        "AND (person_id = :person OR company_id = :company) ORDER BY id",
        person=person_id,
        company=company_id,
    )
    return [row.id for row in rows]


async def vehicles_in_name(tx: Reader, holder_id: UUID) -> list[UUID]:
    """The vehicles that stand in a holder's name, the newest in the register last."""
    rows = await tx.rows(
        "SELECT id FROM vehicle WHERE tenant_id = :tenant AND holder_id = :holder ORDER BY id", holder=holder_id
    )
    return [row.id for row in rows]


async def people(tx: Reader, limit: int, after: tuple[Any, ...] | None) -> list[Row[Any]]:
    """People by name; ``after``: the sortable name and id of the row before."""
    return await _by_name(tx, PEOPLE, limit, after)


async def companies(tx: Reader, limit: int, after: tuple[Any, ...] | None) -> list[Row[Any]]:
    return await _by_name(tx, COMPANIES, limit, after)


async def _by_name(tx: Reader, sql: str, limit: int, after: tuple[Any, ...] | None) -> list[Row[Any]]:
    if after is None:
        return await tx.rows(f"{sql} ORDER BY sortable(name), id LIMIT :limit", limit=limit)
    name, id = after
    later = "AND (sortable(name), id) > (:name, CAST(:id AS uuid))"
    return await tx.rows(f"{sql} {later} ORDER BY sortable(name), id LIMIT :limit", limit=limit, name=name, id=id)


async def drivers(tx: Reader, limit: int, after: UUID | None) -> list[Row[Any]]:
    later = "AND d.id > :after" if after else ""
    sql = f"{DRIVERS} {later} ORDER BY d.id LIMIT :limit"
    return await tx.rows(sql, limit=limit, **({"after": after} if after else {}))


async def vehicle_page(tx: Reader, limit: int, after: UUID | None) -> list[Row[Any]]:
    later = "AND id > :after" if after else ""
    sql = f"{VEHICLE_LIST} {later} ORDER BY id LIMIT :limit"
    return await tx.rows(sql, limit=limit, **({"after": after} if after else {}))


async def one(tx: Reader, kind: str, id: UUID) -> Row[Any]:
    """A row of the register by its kind and id. Raises NotFound, also for another town's."""
    sql = {
        "person": f"{PEOPLE} AND id = :id",
        "company": f"{COMPANIES} AND id = :id",
        "holder": f"{HOLDERS} AND h.id = :id",
        "driver": f"{DRIVERS} AND d.id = :id",
        "vehicle": f"{VEHICLE_LIST} AND id = :id",
        "paper": "SELECT id, code, number, issued_on, valid_until FROM paper WHERE tenant_id = :tenant AND id = :id",
    }[kind]
    found = await tx.row(sql, id=id)
    if found is None:
        raise NotFound(kind, id)
    return found
