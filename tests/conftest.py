"""Databases for the tests: a clone of the migrated template per xdist worker, used as the application role.

No server starts unless a test asks for one of these fixtures, and tests of the law alone load nothing of `services`.
"""

from __future__ import annotations

import contextlib
import os
import uuid
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

from tests.support.servers import FOLDER, Servers, begin_run, end_run
from tests.support.servers import servers as the_servers

if TYPE_CHECKING:
    from services.clock import FixedClock
    from services.database import Database, Transaction
    from services.settings import Settings

NOW = datetime(2026, 3, 10, 15, 0, tzinfo=UTC)
ALIVE = pytest.StashKey[int]()


class Undone(Exception):
    """Rolls a test's transaction back."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--chaos", action="store_true", help="also the nights of tests/chaos that take minutes")
    parser.addoption("--bench", action="store_true", help="the night of tests/bench with all of Brazil's towns")


def pytest_configure(config: pytest.Config) -> None:
    if FOLDER not in os.environ:  # an xdist worker inherits it from the run's first process
        config.stash[ALIVE] = begin_run()


def pytest_unconfigure(config: pytest.Config) -> None:
    if ALIVE in config.stash:
        end_run(config.stash[ALIVE])


@pytest.fixture(scope="session")
def servers() -> Servers:
    return the_servers()


@pytest.fixture(scope="session")
def worker_number() -> int:
    return int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))


@pytest.fixture(scope="session")
async def settings(servers: Servers, worker_number: int) -> Settings:
    """Of a database that the tests of one xdist worker share: what they do in it they undo."""
    url = await servers.clone(f"worker_{worker_number}")
    return settings_of(servers, url, worker_number)


def settings_of(servers: Servers, url: str, worker_number: int) -> Settings:
    from services.settings import Settings

    return Settings(database_url=url, redis_url=servers.redis_url(worker_number), embedded=True)


@pytest.fixture
def clock() -> FixedClock:
    from services.clock import FixedClock

    return FixedClock(NOW)


@pytest.fixture(scope="session")
async def shared_database(settings: Settings) -> AsyncIterator[Database]:
    from services.clock import FixedClock
    from services.database import Database

    database = Database(settings, FixedClock(NOW))
    yield database
    await database.close()


@pytest.fixture
def database(shared_database: Database, clock: FixedClock) -> Database:
    """The worker's database at the test's `clock`. For tests that commit: `own_database`."""
    shared_database.clock = clock
    return shared_database


@pytest.fixture
async def own_database(servers: Servers, worker_number: int, clock: FixedClock) -> AsyncIterator[Database]:
    """A database for one test, for what needs real commits, several connections or processes."""
    from services.database import Database

    name = f"own_{uuid.uuid4().hex}"
    database = Database(settings_of(servers, await servers.clone(name), worker_number), clock)
    yield database
    await database.close()
    await servers.drop(name)


@pytest.fixture
async def tx(database: Database) -> AsyncIterator[Transaction]:
    """A transaction in a town founded for the test, which has published nothing yet; all of it is undone."""
    from services.database import NewTown

    town = NewTown(
        slug="vila-do-teste",
        name="Vila do Teste",
        uf="MT",
        ibge="5100000",
        zone="America/Cuiaba",
        hosts=("vila.test",),
        fictitious=True,
    )
    with contextlib.suppress(Undone):
        async with database.founding(town) as transaction:
            yield transaction
            raise Undone
