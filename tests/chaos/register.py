"""Many towns alike, made by set: each with terms that are over, some of which tell their holder, some open another."""

from dataclasses import dataclass

import asyncpg

from services.database import Database
from tests.support.register import found

ZONES = ("America/Cuiaba", "America/Sao_Paulo", "America/Noronha", "America/Rio_Branco")
FIRST = "cidade-1"
COPIED = ("act", "publication", "law_item")
FILL = (
    """
    INSERT INTO person (tenant_id, cpf, name, email)
    SELECT m.id, lpad(n::text, 11, '0'), 'Pessoa número ' || n, 'p' || n || '@' || m.slug || '.test'
    FROM municipality AS m CROSS JOIN generate_series(1, $1::integer) AS n
    """,
    """
    INSERT INTO holder (tenant_id, kind, person_id)
    SELECT tenant_id, 'autonomo', id FROM person WHERE $1::integer > 0
    """,
    """
    INSERT INTO permit (tenant_id, number, category, instrument, holder_id, granted_on, during, granted_act)
    SELECT h.tenant_id, 'P-' || row_number() OVER (PARTITION BY h.tenant_id ORDER BY h.id), 'taxi', 'permissao', h.id,
           date '2020-01-01', daterange('2020-01-01', NULL), (SELECT a.id FROM act AS a WHERE a.tenant_id = h.tenant_id)
    FROM holder AS h WHERE $1::integer > 0
    """,
)
# Of each town's terms, by their number: so many tell; the next two open one that is over too; nothing follows the rest.
TERMS = """
INSERT INTO deadline (tenant_id, kind, rule, subject_kind, subject_id, opened_on, last_day, article, follows,
                      opened_act)
SELECT p.tenant_id, 'licence', 'alvara', 'permit', p.id, date '2020-01-01', date '2026-03-09' - (n % 3), 'art. 3',
       CASE WHEN n <= $1 THEN '[{"do": "notify"}]'
            WHEN n <= $1 + $3 THEN '[{"do": "open", "deadline": {"rule": "recurso", "last_day": "2026-03-09"}}]'
            ELSE '[]' END::jsonb, p.granted_act
FROM generate_series(1, $2::integer) AS n
JOIN (SELECT *, row_number() OVER (PARTITION BY tenant_id ORDER BY id) AS place FROM permit) AS p
  ON p.place = 1 + (n - 1) % $1
"""
OPENING = 2


@dataclass(frozen=True, slots=True)
class Size:
    """So many towns; of each so many terms are over in the end, so many of them tell. All in so many seconds."""

    towns: int
    terms: int
    telling: int
    seconds: int = 180

    @property
    def all_terms(self) -> int:
        return self.towns * self.terms

    @property
    def all_notices(self) -> int:
        return self.towns * self.telling


async def make_register(database: Database, superuser_url: str, size: Size) -> None:
    first = await found(database, FIRST, zone=ZONES[0])
    connection = await asyncpg.connect(superuser_url)
    try:
        async with connection.transaction():
            await connection.execute(
                "INSERT INTO municipality (slug, name, uf, ibge, zone, hosts, fictitious, created_at) "
                "SELECT 'cidade-' || n, 'Cidade ' || n, uf, (9000000 + n)::text, ($2::text[])[1 + n % 4], "
                "ARRAY['cidade-' || n || '.test'], fictitious, created_at "
                "FROM municipality CROSS JOIN generate_series(2, $1::integer) AS n",
                size.towns,
                list(ZONES),
            )
            for table in COPIED:
                await copy(connection, table, first)
            for statement in FILL:
                await connection.execute(statement, size.telling)
            await connection.execute(TERMS, size.telling, size.terms - OPENING, OPENING)
        await connection.execute("ANALYZE")
    finally:
        await connection.close()


async def copy(connection: asyncpg.Connection, table: str, first: object) -> None:
    """The first town's rows for each of the others."""
    columns = await connection.fetch(
        "SELECT attname FROM pg_attribute WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped "
        "AND attgenerated = '' AND attname <> 'tenant_id'",
        table,
    )
    names = [row["attname"] for row in columns]
    await connection.execute(
        f"INSERT INTO {table} (tenant_id, {', '.join(names)}) "  # noqa: S608 - from the catalogue
        f"SELECT m.id, {', '.join(f't.{name}' for name in names)} FROM {table} AS t CROSS JOIN municipality AS m "
        "WHERE t.tenant_id = $1 AND m.id <> $1",
        first,
    )
