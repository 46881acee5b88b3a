"""The register's SQL for imports: what some keys name, and new rows of every table, always many at once."""

from collections.abc import Sequence
from datetime import date
from typing import TYPE_CHECKING, Any
from uuid import UUID

from sqlalchemy import Row

from services.acts.body import canonical, simple

if TYPE_CHECKING:
    from services.database import Reader, Transaction

PEOPLE = "SELECT id, cpf, name, email, birth_on, attributes FROM person WHERE tenant_id = :tenant AND cpf = ANY(:cpfs)"
COMPANIES = "SELECT id, cnpj, name, email, attributes FROM company WHERE tenant_id = :tenant AND cnpj = ANY(:cnpjs)"
HOLDERS = """
SELECT id, kind, person_id, company_id, attributes FROM holder
WHERE tenant_id = :tenant AND (person_id = ANY(CAST(:people AS uuid[])) OR company_id = ANY(CAST(:companies AS uuid[])))
ORDER BY id
"""
DRIVERS = """
SELECT id, person_id, cnh_number, cnh_categories, cnh_ear, cnh_first_on, cnh_until, attributes FROM driver
WHERE tenant_id = :tenant AND person_id = ANY(CAST(:people AS uuid[]))
"""
VEHICLES = """
SELECT id, plate, renavam, holder_id, manufacture_year, model_year, first_registration, doors, seats, fuel, attributes
FROM vehicle WHERE tenant_id = :tenant AND (plate = ANY(:plates) OR renavam = ANY(:renavams))
"""
PERMITS = """
SELECT id, category, number, holder_id, granted_on, lower(during) AS since, upper(during) AS until FROM permit
WHERE tenant_id = :tenant AND (number = ANY(:numbers) OR id IN (
    SELECT permit_id FROM licence WHERE tenant_id = :tenant AND number = ANY(:licences)
))
"""
SERVICES = """
SELECT permit_id, vehicle_id, lower(during) AS since, upper(during) AS until FROM permit_vehicle
WHERE tenant_id = :tenant AND NOT isempty(during)
  AND (permit_id = ANY(CAST(:permits AS uuid[])) OR vehicle_id = ANY(CAST(:vehicles AS uuid[])))
"""
WITH_STAND = """
SELECT DISTINCT permit_id FROM stand_assignment
WHERE tenant_id = :tenant AND permit_id = ANY(CAST(:permits AS uuid[])) AND NOT isempty(during)
  AND (upper(during) IS NULL OR upper(during) > :day)
"""
LICENCES = """
SELECT permit_id, number, lower(during) AS since, upper(during) AS until FROM licence
WHERE tenant_id = :tenant AND NOT isempty(during)
  AND (permit_id = ANY(CAST(:permits AS uuid[])) OR number = ANY(:numbers))
"""


async def new_ids(tx: "Reader", how_many: int) -> list[UUID]:
    """For rows that their own acts must name."""
    found = await tx.scalar("SELECT array_agg(uuidv7()) FROM generate_series(1, :many)", many=how_many)
    return list(found or ())


async def people(tx: "Reader", cpfs: Sequence[str]) -> list[Row[Any]]:
    return await tx.rows(PEOPLE, cpfs=list(cpfs))


async def companies(tx: "Reader", cnpjs: Sequence[str]) -> list[Row[Any]]:
    return await tx.rows(COMPANIES, cnpjs=list(cnpjs))


async def holders(tx: "Reader", people: Sequence[UUID], companies: Sequence[UUID]) -> list[Row[Any]]:
    return await tx.rows(HOLDERS, people=list(people), companies=list(companies))


async def drivers(tx: "Reader", people: Sequence[UUID]) -> list[Row[Any]]:
    return await tx.rows(DRIVERS, people=list(people))


async def vehicles(tx: "Reader", plates: Sequence[str], renavams: Sequence[str]) -> list[Row[Any]]:
    return await tx.rows(VEHICLES, plates=list(plates), renavams=list(renavams))


async def permits(tx: "Reader", numbers: Sequence[str], licences: Sequence[str]) -> list[Row[Any]]:
    return await tx.rows(PERMITS, numbers=list(numbers), licences=list(licences))


async def services(tx: "Reader", permits: Sequence[UUID], vehicles: Sequence[UUID]) -> list[Row[Any]]:
    return await tx.rows(SERVICES, permits=list(permits), vehicles=list(vehicles))


async def with_stand(tx: "Reader", permits: Sequence[UUID], day: date) -> set[UUID]:
    return {row.permit_id for row in await tx.rows(WITH_STAND, permits=list(permits), day=day)}


async def licences(tx: "Reader", permits: Sequence[UUID], numbers: Sequence[str]) -> list[Row[Any]]:
    return await tx.rows(LICENCES, permits=list(permits), numbers=list(numbers))


# --- what is written ---------------------------------------------------------------------------------------------

PERSON = "id uuid, cpf text, name text, email text, birth_on date, attributes jsonb"
COMPANY = "id uuid, cnpj text, name text, email text, attributes jsonb"
HOLDER = "id uuid, kind text, person_id uuid, company_id uuid, attributes jsonb"
DRIVER = (
    "id uuid, person_id uuid, cnh_number text, cnh_categories text[], cnh_ear boolean, cnh_first_on date, "
    "cnh_until date, attributes jsonb, review text[]"
)
VEHICLE = (
    "id uuid, plate text, renavam text, holder_id uuid, manufacture_year integer, model_year integer, "
    "first_registration date, doors integer, seats integer, fuel text, attributes jsonb"
)
SPAN = "since date, until date"
SERVED = f"permit_id uuid, vehicle_id uuid, stand text, act_id uuid, {SPAN}"
LICENCE = f"id uuid, permit_id uuid, number text, act_id uuid, {SPAN}"
PERMIT = f"id uuid, number text, category text, instrument text, holder_id uuid, act_id uuid, {SPAN}"


def _given(columns: str) -> str:
    return f"FROM jsonb_to_recordset(CAST(:rows AS jsonb)) AS r ({columns})"


NEW = {
    "person": "INSERT INTO person (tenant_id, id, cpf, name, email, birth_on, attributes) "
    f"SELECT :tenant, id, cpf, name, email, birth_on, attributes {_given(PERSON)}",
    "company": "INSERT INTO company (tenant_id, id, cnpj, name, email, attributes) "
    f"SELECT :tenant, id, cnpj, name, email, attributes {_given(COMPANY)}",
    "holder": "INSERT INTO holder (tenant_id, id, kind, person_id, company_id, attributes) "
    f"SELECT :tenant, id, kind, person_id, company_id, attributes {_given(HOLDER)}",
    "driver": "INSERT INTO driver (tenant_id, id, person_id, cnh_number, cnh_categories, cnh_ear, cnh_first_on, "
    "cnh_until, attributes, review) SELECT :tenant, id, person_id, cnh_number, cnh_categories, cnh_ear, "
    f"cnh_first_on, cnh_until, attributes, review {_given(DRIVER)}",
    "vehicle": "INSERT INTO vehicle (tenant_id, id, plate, renavam, holder_id, manufacture_year, model_year, "
    "first_registration, doors, seats, fuel, attributes) SELECT :tenant, id, plate, renavam, holder_id, "
    f"manufacture_year, model_year, first_registration, doors, seats, fuel, attributes {_given(VEHICLE)}",
    "permit": "INSERT INTO permit (tenant_id, id, number, category, instrument, holder_id, granted_on, during, "
    "granted_act) SELECT :tenant, id, number, category, instrument, holder_id, since, daterange(since, until), act_id "
    f"{_given(PERMIT)}",
    "licence": "INSERT INTO licence (tenant_id, id, permit_id, number, during, act_id) "
    f"SELECT :tenant, id, permit_id, number, daterange(since, until), act_id {_given(LICENCE)}",
    "serving": "INSERT INTO permit_vehicle (tenant_id, permit_id, vehicle_id, during, act_id) "
    f"SELECT :tenant, permit_id, vehicle_id, daterange(since, until), act_id {_given(SERVED)}",
    "standing": "INSERT INTO stand_assignment (tenant_id, permit_id, stand, during, act_id) "
    f"SELECT :tenant, permit_id, stand, daterange(since, until), act_id {_given(SERVED)}",
}


def _filling(table: str, columns: str, *names: str, more: str = "") -> str:
    """What is there already stays as it is."""
    sets = ", ".join(f"{name} = coalesce(t.{name}, r.{name})" for name in names)
    facts = "attributes = coalesce(r.attributes, '{}') || t.attributes, version = t.version + 1"
    where = "WHERE t.tenant_id = :tenant AND t.id = r.id"
    return f"UPDATE {table} AS t SET {sets}, {more}{facts} {_given(columns)} {where}"  # noqa: S608 - our own names


FILL = {
    "person": _filling("person", PERSON, "email", "birth_on"),
    "company": _filling("company", COMPANY, "email"),
    "driver": _filling(
        "driver",
        DRIVER,
        *("cnh_number", "cnh_ear", "cnh_first_on", "cnh_until"),
        more="cnh_categories = coalesce(nullif(t.cnh_categories, '{}'), r.cnh_categories, '{}'), "
        "review = t.review || coalesce(r.review, '{}'), ",
    ),
    "vehicle": _filling(
        "vehicle",
        VEHICLE,
        *("renavam", "holder_id", "manufacture_year", "model_year", "first_registration", "doors", "seats", "fuel"),
    ),
}


async def add(tx: "Transaction", table: str, rows: Sequence[dict[str, Any]]) -> None:
    if rows:
        await tx.rows(NEW[table], rows=canonical(simple(list(rows))))


async def fill(tx: "Transaction", table: str, rows: Sequence[dict[str, Any]]) -> None:
    if rows:
        await tx.rows(FILL[table], rows=canonical(simple(list(rows))))


async def over_already(tx: "Transaction", ids: Sequence[UUID], today: date) -> None:
    """Terms that were over before the register knew of them: recorded so, by the act that brought them."""
    await tx.rows(
        "UPDATE deadline SET state = 'expired', closed_on = last_day, closed_act = opened_act, version = version + 1 "
        "WHERE tenant_id = :tenant AND id = ANY(CAST(:ids AS uuid[])) AND last_day < :today",
        ids=list(ids),
        today=today,
    )


async def beyond(tx: "Transaction", name: str, highest: dict[int, int]) -> None:
    """The next number of a series in a year comes after those that were brought."""
    await tx.rows(
        "INSERT INTO counter (tenant_id, name, year, value) SELECT :tenant, :name, year, value "
        "FROM unnest(CAST(:years AS integer[]), CAST(:values AS integer[])) AS brought (year, value) ORDER BY year "
        "ON CONFLICT (tenant_id, name, year) DO UPDATE SET value = greatest(counter.value, excluded.value)",
        name=name,
        years=list(highest.keys()),
        values=list(highest.values()),
    )
