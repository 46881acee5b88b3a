"""A municipality is alone in its database, and the application's role can neither leave it nor rewrite its past."""

import uuid
from collections.abc import AsyncIterator
from datetime import date

import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from services import acts
from services.database import Database, Transaction, UnsafeRole
from services.errors import Conflict, NotFound
from services.settings import Settings
from services.tables import metadata
from tests.support.register import as_superuser, found, make_deadline, make_licence
from tests.support.servers import Servers

TABLES = sorted(name for name, table in metadata.tables.items() if "tenant_id" in table.columns)


@pytest.fixture(scope="module")
async def two_towns(servers: Servers, settings: Settings) -> AsyncIterator[Database]:
    """Two towns with something in most tables, in a database for this file."""
    from services.clock import FixedClock
    from tests.conftest import NOW, settings_of

    name = "isolation_" + name_of_settings(settings)
    database = Database(settings_of(servers, await servers.clone(name), 0), FixedClock(NOW))
    for slug in ("ours", "theirs"):
        town = await found(database, slug)
        async with database.transaction(town) as tx:
            await make_deadline(tx, until=date(2026, 12, 31))
        await acts.seal_all(database, town)
    yield database
    await database.close()
    await servers.drop(name)


def name_of_settings(settings: Settings) -> str:
    return (settings.database_url.path or "").removeprefix("/")


@pytest.mark.parametrize("table", TABLES)
async def test_without_a_town_a_statement_fails(two_towns: Database, table: str) -> None:
    with pytest.raises(DBAPIError, match=r"app\.tenant_id|invalid input syntax for type uuid"):
        async with two_towns.directory() as directory:
            await directory.rows(f"SELECT * FROM {table}")  # noqa: S608


@pytest.mark.parametrize("table", TABLES)
async def test_after_a_transaction_the_town_is_forgotten(two_towns: Database, table: str) -> None:
    """The setting is then an empty string, which is no town either."""
    async with two_towns.engine.connect() as connection:
        async with connection.begin():
            await connection.execute(text("SELECT set_config('app.tenant_id', CAST(uuidv7() AS text), true)"))
        with pytest.raises(DBAPIError, match="invalid input syntax for type uuid"):
            await connection.execute(text(f"SELECT * FROM {table}"))  # noqa: S608


@pytest.mark.parametrize("table", TABLES)
async def test_another_town_s_rows_do_not_exist(two_towns: Database, servers: Servers, table: str) -> None:
    past_policies = await as_superuser(servers.superuser, two_towns)
    everything = await past_policies.fetch(f"SELECT tenant_id FROM {table}")  # noqa: S608
    await past_policies.close()
    async with two_towns.directory() as directory:
        ours = await directory.scalar("SELECT id FROM municipality WHERE slug = 'ours'")

    async with two_towns.reader(ours) as tx:
        seen = await tx.rows(f"SELECT tenant_id FROM {table}")  # noqa: S608

    assert {row.tenant_id for row in seen} <= {ours}
    assert len(seen) == sum(row["tenant_id"] == ours for row in everything)


async def test_rows_cannot_be_written_into_another_town(two_towns: Database) -> None:
    async with two_towns.directory() as directory:
        ours = await directory.scalar("SELECT id FROM municipality WHERE slug = 'ours'")
        theirs = await directory.scalar("SELECT id FROM municipality WHERE slug = 'theirs'")

    with pytest.raises(DBAPIError, match="row-level security"):
        async with two_towns.transaction(ours) as tx:
            await tx.rows("INSERT INTO counter VALUES (:theirs, 'fine', 2026, 1)", theirs=theirs)


async def test_a_reference_cannot_leave_the_town(two_towns: Database) -> None:
    """Foreign keys do not obey policies; composite ones need not."""
    async with two_towns.directory() as directory:
        ours = await directory.scalar("SELECT id FROM municipality WHERE slug = 'ours'")
        theirs = await directory.scalar("SELECT id FROM municipality WHERE slug = 'theirs'")
    async with two_towns.reader(theirs) as tx:
        their_holder = await tx.scalar("SELECT id FROM holder")

    with pytest.raises(DBAPIError, match="vehicle_tenant_id_holder_id_fkey"):
        async with two_towns.transaction(ours) as tx:
            await tx.rows(
                "INSERT INTO vehicle (tenant_id, plate, holder_id) VALUES (:tenant, 'ABC1D23', :holder)",
                holder=their_holder,
            )


@pytest.mark.parametrize("table", ["publication", "law_item", "act", "seal"])
@pytest.mark.parametrize("change", ["UPDATE {} SET tenant_id = tenant_id", "DELETE FROM {}", "TRUNCATE {} CASCADE"])
async def test_law_and_acts_stay_as_they_are(two_towns: Database, table: str, change: str) -> None:
    async with two_towns.directory() as directory:
        ours = await directory.scalar("SELECT id FROM municipality WHERE slug = 'ours'")

    with pytest.raises(DBAPIError, match=r"permission denied|InsufficientPrivilege"):
        async with two_towns.transaction(ours) as tx:
            await tx.rows(change.format(table))


@pytest.mark.parametrize(
    "attempt",
    [
        "SET ROLE praca_owner",
        "SET ROLE praca_sweeper",
        "SET SESSION AUTHORIZATION postgres",
        "ALTER TABLE act DISABLE ROW LEVEL SECURITY",
        "ALTER TABLE act DISABLE TRIGGER ALL",
        "CREATE TABLE mine (id int)",
        "UPDATE municipality SET slug = 'taken'",
        "DELETE FROM municipality",
        "ALTER ROLE praca_app BYPASSRLS",
    ],
)
async def test_the_application_s_role_cannot_get_past_its_policies(two_towns: Database, attempt: str) -> None:
    with pytest.raises(DBAPIError, match=r"permission denied|must be owner"):
        async with two_towns.directory() as directory:
            await directory.rows(attempt)


async def test_row_security_cannot_be_switched_off(two_towns: Database) -> None:
    async with two_towns.directory() as directory:
        ours = await directory.scalar("SELECT id FROM municipality WHERE slug = 'ours'")

    async def look_past_policies() -> None:
        async with two_towns.transaction(ours) as tx:
            await tx.rows("SET LOCAL row_security = off")
            await tx.rows("SELECT * FROM act")

    with pytest.raises(DBAPIError, match="would be affected by row-level security"):
        await look_past_policies()


@pytest.mark.parametrize("login", ["praca_owner", "postgres"])
async def test_start_up_refuses_a_role_that_policies_do_not_bind(
    servers: Servers, settings: Settings, login: str
) -> None:
    name = name_of_settings(settings)
    url = servers.superuser.rpartition("/")[0] + "/" + name if login == "postgres" else servers.url(name, login)
    from services.clock import SystemClock

    database = Database(Settings(database_url=url, redis_url=settings.redis_url), SystemClock())
    try:
        with pytest.raises(UnsafeRole):
            await database.check_role()
    finally:
        await database.close()


async def test_a_town_that_does_not_exist_is_not_found(two_towns: Database) -> None:
    with pytest.raises(NotFound):
        async with two_towns.reader(uuid.uuid4()):
            pass


async def test_a_town_is_founded_once(two_towns: Database) -> None:
    with pytest.raises(Conflict):
        await found(two_towns, "ours")


async def test_one_licence_at_a_time_is_the_database_s_own_rule(own_database: Database) -> None:
    town = await found(own_database)

    async def issue_twice(tx: Transaction) -> None:
        licence = await make_licence(tx, until=date(2026, 12, 31))
        await tx.rows(
            "INSERT INTO licence (tenant_id, permit_id, number, during, act_id) "
            "SELECT tenant_id, permit_id, 'again', during, act_id FROM licence WHERE id = :id",
            id=licence.id,
        )

    with pytest.raises(Conflict) as conflict:
        await own_database.perform(town, issue_twice)

    assert conflict.value.constraint == "one_licence_at_a_time"
