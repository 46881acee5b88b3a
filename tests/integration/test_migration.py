"""The migrated database is the one that the tables describe, and its catalogue keeps the rules of a shared instance."""

import re
from collections.abc import AsyncIterator

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Connection, text
from sqlalchemy.ext.asyncio import AsyncConnection, create_async_engine

from services.database import Database
from services.tables import metadata
from tests.support.catalogue import EMPTIED, NUMBERS
from tests.support.register import name_of
from tests.support.servers import Servers

APPEND_ONLY = {
    *("act", "extension", "law_item", "notice_attempt", "notice_reading", "publication", "seal"),
    *("active_debt", "payment", "renewal_request", "proceeding_piece", "proceeding_service"),
    *("sale", "selection_judgement", "selection_list", "tariff_step", "transfer"),
}
TENANT_POLICY = "(tenant_id = ( SELECT (current_setting('app.tenant_id'::text))::uuid AS current_setting))"


@pytest.fixture
async def owner(servers: Servers, database: Database) -> AsyncIterator[AsyncConnection]:
    engine = create_async_engine(servers.url(name_of(database), "praca_owner"))
    async with engine.connect() as connection:
        yield connection
    await engine.dispose()


def town_tables() -> list[str]:
    return sorted(name for name, table in metadata.tables.items() if "tenant_id" in table.columns)


async def test_tables_and_migrations_do_not_drift(owner: AsyncConnection) -> None:
    def compare(connection: Connection) -> list[object]:
        return list(compare_metadata(MigrationContext.configure(connection, opts={"compare_type": True}), metadata))

    assert await owner.run_sync(compare) == []


async def test_every_table_but_the_directory_belongs_to_a_town(owner: AsyncConnection) -> None:
    found = await owner.execute(
        text(
            "SELECT relname FROM pg_class "
            "WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'v', 'm')"
        )
    )

    assert set(found.scalars()) - {"alembic_version", "municipality"} == set(town_tables())


@pytest.mark.parametrize("table", town_tables())
async def test_a_town_s_rows_are_guarded(owner: AsyncConnection, table: str) -> None:
    forced = await owner.execute(
        text("SELECT relrowsecurity AND relforcerowsecurity FROM pg_class WHERE oid = CAST(:t AS regclass)"),
        {"t": table},
    )
    policies = await owner.execute(
        text("SELECT roles::text, cmd, qual, with_check FROM pg_policies WHERE tablename = :t AND policyname = 'town'"),
        {"t": table},
    )

    assert forced.scalar_one() is True
    assert policies.one() == ("{public}", "ALL", TENANT_POLICY, TENANT_POLICY)


@pytest.mark.parametrize("table", town_tables())
async def test_every_key_of_a_town_s_table_begins_with_the_town(owner: AsyncConnection, table: str) -> None:
    found = await owner.execute(
        text(
            """
            SELECT c.conname, c.contype,
                   ARRAY(SELECT a.attname::text FROM unnest(c.conkey) WITH ORDINALITY AS k (num, pos)
                         JOIN pg_attribute AS a ON a.attrelid = c.conrelid AND a.attnum = k.num
                         ORDER BY k.pos) AS columns
            FROM pg_constraint AS c WHERE c.conrelid = CAST(:t AS regclass) AND c.contype IN ('p', 'u', 'f', 'x')
            """
        ),
        {"t": table},
    )
    keys = found.all()

    assert any(key.contype == b"p" for key in keys)
    assert [key.conname for key in keys if key.columns[0] != "tenant_id"] == []


@pytest.mark.parametrize("table", town_tables())
async def test_the_application_may_do_only_what_it_must(owner: AsyncConnection, table: str) -> None:
    found = await owner.execute(
        text("SELECT has_table_privilege('praca_app', CAST(:t AS regclass), p) FROM unnest(CAST(:p AS text[])) AS p"),
        {"t": table, "p": ["SELECT", "INSERT", "UPDATE", "DELETE", "TRUNCATE"]},
    )
    changes = table not in APPEND_ONLY | {"act_unsealed"}

    assert list(found.scalars()) == [True, True, changes, table in EMPTIED, False]


COUNTS = re.compile(r"TABLE\((?:\w+ (?:bigint|integer|double precision|timestamp with time zone|uuid)(?:, |\)))+")
WORDS = {"zone text": "of the directory", "trouble text": "one of the function's own words"}


async def test_functions_that_look_across_towns_return_ids_and_numbers_alone(owner: AsyncConnection) -> None:
    """They belong to somebody who cannot log in, and show no row of a town."""
    found = await owner.execute(
        text(
            "SELECT proname, pg_get_function_result(p.oid) AS result, pg_get_userbyid(proowner) AS owner, rolcanlogin "
            "FROM pg_proc AS p JOIN pg_roles AS r ON r.oid = proowner "
            "WHERE prosecdef AND pronamespace = 'public'::regnamespace ORDER BY proname"
        )
    )
    functions = found.all()

    assert {"towns_to_seal", "towns_with_due", "towns_with_jobs", *NUMBERS} <= {each.proname for each in functions}
    assert {(each.owner, each.rolcanlogin) for each in functions} == {("praca_sweeper", False)}
    for each in functions:
        shown = each.result
        for word in WORDS:
            shown = shown.replace(word, "word bigint")
        assert COUNTS.fullmatch(shown) if each.proname in NUMBERS else shown == "SETOF uuid", each.result
