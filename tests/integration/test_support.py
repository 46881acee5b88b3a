"""The tests' own ground: what one test does another does not see."""

import pytest
from sqlalchemy import text

from services.database import Database, Transaction
from tests.support.servers import Servers


@pytest.mark.parametrize("attempt", ["first", "second"])
async def test_a_town_of_one_test_is_unknown_to_the_next(tx: Transaction, attempt: str) -> None:
    """Founding it twice would break the directory's uniqueness if the first were still there."""
    assert await tx.scalar("SELECT count(*) FROM municipality") == 1


async def test_a_test_is_bound_like_the_application(own_database: Database) -> None:
    await own_database.check_role()

    async with own_database.directory() as directory:
        assert await directory.scalar("SELECT current_user") == "praca_app"


async def test_a_commit_in_a_database_of_its_own_stays_there(
    own_database: Database, database: Database, servers: Servers
) -> None:
    async with own_database.engine.begin() as connection:
        await connection.execute(text("SET synchronous_commit = off"))
        own = (await connection.execute(text("SELECT current_database()"))).scalar_one()

    async with database.directory() as directory:
        assert await directory.scalar("SELECT current_database()") != own
