"""Every table of the catalogue belongs to towns, one row to one town, and the application cannot get past that.

A table that comes without policy, key or case fails: nothing here is a list but the exceptions.
"""

from __future__ import annotations

import uuid
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from services.clock import FixedClock
from services.database import Database
from tests.acceptance.stage import NOW
from tests.conftest import settings_of
from tests.support.catalogue import EMPTIED, NUMBERS
from tests.support.register import as_superuser, found

if TYPE_CHECKING:
    import asyncpg

    from tests.support.servers import Servers

OF_NO_TOWN = {"municipality", "alembic_version"}
# A value of each type of a column, by which a row of any table can be made.
VALUES = {
    "uuid": "uuidv7()",
    "text": "'x' || :n",
    "integer": ":n",
    "bigint": ":n",
    "numeric": ":n",
    "boolean": "false",
    "date": "date '2026-03-10'",
    "timestamp with time zone": "timestamptz '2026-03-10 12:00Z'",
    "daterange": "daterange('2026-03-10', NULL)",
    "tsrange": "tsrange('2026-03-10', NULL)",
    "tstzrange": "tstzrange('2026-03-10', NULL)",
    "timestamp without time zone": "timestamp '2026-03-10 12:00'",
    "smallint": ":n",
    "integer[]": "'{}'",
    "time without time zone": "time '12:00'",
    "jsonb": "'{}'",
    "bytea": "'\\x00'",
    "text[]": "'{}'",
    "uuid[]": "'{}'",
    "date[]": "'{}'",
}
COLUMNS = """
SELECT a.attname AS name, format_type(a.atttypid, NULL) AS type, a.attnotnull AND NOT a.atthasdef AS demanded
FROM pg_attribute AS a
WHERE a.attrelid = $1::regclass AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
ORDER BY a.attnum
"""
CHECKS = """
SELECT conname FROM pg_constraint WHERE conrelid = $1::regclass AND contype IN ('c', 'f', 'x') ORDER BY conname
"""


@dataclass(frozen=True, slots=True)
class Two:
    """A database with two towns and a row of each in every table."""

    database: Database
    ours: uuid.UUID
    theirs: uuid.UUID
    tables: list[str]
    catalogue: asyncpg.Connection


@pytest.fixture(scope="module")
async def catalogue(servers: Servers, database_of_module: Database) -> AsyncIterator[asyncpg.Connection]:
    """Past every policy, into a database as it was migrated."""
    connection = await as_superuser(servers.superuser, database_of_module)
    yield connection
    await connection.close()


async def tables_of(catalogue: asyncpg.Connection) -> list[str]:
    rows = await catalogue.fetch(
        "SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') ORDER BY 1"
    )
    return [row["relname"] for row in rows if row["relname"] not in OF_NO_TOWN]


@pytest.fixture(scope="module")
async def two(servers: Servers, worker_number: int) -> AsyncIterator[Two]:
    name = f"tables_{uuid.uuid4().hex}"
    database = Database(settings_of(servers, await servers.clone(name), worker_number), FixedClock(NOW))
    ours, theirs = await found(database, "ours"), await found(database, "theirs")
    catalogue = await as_superuser(servers.superuser, database)
    try:
        tables = await tables_of(catalogue)
        for table in tables:
            for number, town in enumerate((ours, theirs), start=1):
                await put_row(catalogue, table, town, number)
        yield Two(database, ours, theirs, tables, catalogue)
    finally:
        await catalogue.close()
        await database.close()
        await servers.drop(name)


async def put_row(catalogue: asyncpg.Connection, table: str, town: uuid.UUID, number: int) -> None:
    """A row of a town past policies and checks, which are of no matter here. Raises KeyError for an unknown type."""
    for check in await catalogue.fetch(CHECKS, table):
        await catalogue.execute(f'ALTER TABLE {table} DROP CONSTRAINT "{check["conname"]}" CASCADE')
    demanded = [c for c in await catalogue.fetch(COLUMNS, table) if c["demanded"] and c["name"] != "tenant_id"]
    names = ", ".join(["tenant_id", *(column["name"] for column in demanded)])
    values = ", ".join([f"'{town}'", *(VALUES[column["type"]].replace(":n", str(100 + number)) for column in demanded)])
    await catalogue.execute("SET session_replication_role = replica")
    await catalogue.execute(f"INSERT INTO {table} ({names}) VALUES ({values})")  # noqa: S608 - from the catalogue
    await catalogue.execute("SET session_replication_role = origin")


async def said(catalogue: asyncpg.Connection, sql: str, *given: Any) -> list[Any]:
    return [tuple(row.values()) for row in await catalogue.fetch(sql, *given)]


async def test_there_are_tables_and_each_has_a_row_of_both_towns(two: Two) -> None:
    assert len(two.tables) > 20
    for table in two.tables:
        towns = {row["tenant_id"] for row in await two.catalogue.fetch(f"SELECT tenant_id FROM {table}")}  # noqa: S608
        assert {two.ours, two.theirs} <= towns, table


async def test_a_town_sees_its_own_rows_and_no_other_s(two: Two) -> None:
    for table in two.tables:
        for town in (two.ours, two.theirs):
            async with two.database.reader(town) as tx:
                seen = await tx.rows(f"SELECT DISTINCT tenant_id FROM {table}")  # noqa: S608
            assert [row.tenant_id for row in seen] == [town], table


async def test_a_row_of_another_town_is_neither_changed_nor_made(two: Two) -> None:
    """Whatever the application may do at all, it may do to its own town's rows alone."""
    for table in two.tables:
        async with two.database.transaction(two.ours) as tx:
            updatable = await tx.scalar(f"SELECT has_table_privilege('{table}', 'UPDATE')")
        if updatable:
            async with two.database.transaction(two.ours) as tx:
                changed = await tx.rows(
                    f"UPDATE {table} SET tenant_id = tenant_id WHERE tenant_id = :theirs RETURNING 1",  # noqa: S608
                    theirs=two.theirs,
                )
            assert changed == [], table
            with pytest.raises(DBAPIError, match="row-level security"):
                async with two.database.transaction(two.ours) as tx:
                    await tx.rows(f"UPDATE {table} SET tenant_id = :theirs", theirs=two.theirs)  # noqa: S608


async def test_without_a_town_every_table_raises(two: Two) -> None:
    """Not "all", not "none": the setting is missing, or empty after a transaction."""
    for table in two.tables:
        with pytest.raises(DBAPIError, match=r"app\.tenant_id|invalid input syntax for type uuid"):
            async with two.database.directory() as directory:
                await directory.rows(f"SELECT 1 FROM {table}")  # noqa: S608
    async with two.database.engine.connect() as connection:
        for table in two.tables:
            async with connection.begin():
                await connection.execute(text("SELECT set_config('app.tenant_id', CAST(uuidv7() AS text), true)"))
            with pytest.raises(DBAPIError, match="invalid input syntax for type uuid"):
                await connection.execute(text(f"SELECT 1 FROM {table}"))  # noqa: S608
            await connection.rollback()


# --- What the catalogue says ------------------------------------------------------------------------------------------


async def test_row_level_security_is_forced_on_every_table(catalogue: asyncpg.Connection) -> None:
    loose = await said(
        catalogue,
        "SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') "
        "AND NOT (relrowsecurity AND relforcerowsecurity)",
    )

    assert {name for (name,) in loose} == OF_NO_TOWN


async def test_every_table_has_one_policy_for_the_application_and_it_is_the_town_s(
    catalogue: asyncpg.Connection,
) -> None:
    """Others than the town's are the sweeper's, to read."""
    own = "(tenant_id = ( SELECT (current_setting('app.tenant_id'::text))::uuid AS current_setting))"
    rows = await said(
        catalogue,
        "SELECT tablename, policyname, permissive, roles::text[], cmd, qual, with_check FROM pg_policies",
    )

    towns = {name: tuple(rest) for name, policy, *rest in rows if policy == "town"}
    assert set(towns) == set(await tables_of(catalogue))
    assert set(map(repr, towns.values())) == {repr(("PERMISSIVE", ["public"], "ALL", own, own))}
    rest = [(roles, cmd) for _, policy, _, roles, cmd, *_ in rows if policy != "town"]
    assert all(found == (["praca_sweeper"], "SELECT") for found in rest)


@pytest.mark.parametrize("kind", ["p", "u", "f", "x"])
async def test_every_key_begins_with_the_town(catalogue: asyncpg.Connection, kind: str) -> None:
    """Primary, unique and foreign keys, and exclusions."""
    rows = await said(
        catalogue,
        """
        SELECT c.conrelid::regclass::text, c.conname, a.attname FROM pg_constraint AS c
        JOIN pg_attribute AS a ON a.attrelid = c.conrelid AND a.attnum = c.conkey[1]
        WHERE c.connamespace = 'public'::regnamespace AND c.contype = $1
        """,
        kind.encode(),
    )

    assert rows
    assert [name for table, name, first in rows if first != "tenant_id" and table not in OF_NO_TOWN] == []


async def test_every_index_begins_with_the_town(catalogue: asyncpg.Connection) -> None:
    rows = await said(
        catalogue,
        "SELECT i.indrelid::regclass::text, i.indexrelid::regclass::text, a.attname FROM pg_index AS i "
        "JOIN pg_class AS c ON c.oid = i.indrelid AND c.relnamespace = 'public'::regnamespace "
        "LEFT JOIN pg_attribute AS a ON a.attrelid = i.indrelid AND a.attnum = i.indkey[0]",
    )

    assert [index for table, index, first in rows if first != "tenant_id" and table not in OF_NO_TOWN] == []


async def test_the_application_owns_nothing_truncates_nothing_and_deletes_hardly_anything(
    catalogue: asyncpg.Connection,
) -> None:
    rows = await said(
        catalogue,
        "SELECT relname, has_table_privilege('praca_app', oid, 'TRUNCATE'), has_table_privilege('praca_app', oid, "
        "'DELETE'), pg_get_userbyid(relowner) FROM pg_class "
        "WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')",
    )

    assert {name for name, truncates, _, _ in rows if truncates} == set()
    assert {name for name, _, deletes, _ in rows if deletes} == EMPTIED
    assert {owner for *_, owner in rows} == {"praca_owner"}


async def test_the_application_s_role_is_bound_by_policies(catalogue: asyncpg.Connection) -> None:
    (role,) = await said(
        catalogue, "SELECT rolsuper, rolbypassrls, rolcreaterole, rolcreatedb FROM pg_roles WHERE rolname = 'praca_app'"
    )
    members = await said(
        catalogue, "SELECT roleid::regrole::text FROM pg_auth_members WHERE member = 'praca_app'::regrole"
    )

    assert role == (False, False, False, False)
    assert members == [], "nor does it become another by SET ROLE"


async def test_functions_that_look_across_towns_return_ids_and_numbers_alone(
    catalogue: asyncpg.Connection,
) -> None:
    rows = await said(
        catalogue,
        "SELECT proname, prorettype::regtype::text, pg_get_userbyid(proowner) FROM pg_proc "
        "WHERE pronamespace = 'public'::regnamespace AND prosecdef",
    )
    views = await said(
        catalogue,
        "SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('v', 'm') "
        "AND NOT coalesce(reloptions @> ARRAY['security_invoker=true'], false)",
    )

    assert rows
    assert {owner for _, _, owner in rows} == {"praca_sweeper"}
    assert {name for name, returns, _ in rows if returns != "uuid"} == NUMBERS
    assert views == []
