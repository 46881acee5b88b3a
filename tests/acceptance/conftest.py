"""Both towns, made once: databases of which the tests take copies. A test that writes takes one for itself."""

from __future__ import annotations

import uuid
from collections.abc import AsyncIterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from services.database import Database
    from tests.acceptance.stage import Stage
    from tests.support.servers import Servers

MEMBERS_MOST = 2  # of a cohort of the fictitious register: every story is told, none to the end of its numbers


@pytest.fixture(scope="session")
async def laws(servers: Servers, worker_number: int, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[str]:
    """The name of a database with the law of both towns, sample values, people in office, and an empty register."""
    from tests.acceptance.stage import found_towns, staged

    name = f"laws_{worker_number}"
    async with staged(servers, tmp_path_factory.mktemp("laws"), name=name) as stage:
        await found_towns(stage)
    yield name
    await servers.drop(name)


@pytest.fixture(scope="session")
async def registers(
    servers: Servers, laws: str, worker_number: int, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[str]:
    """The name of a database with a few people of every story of the fictitious register besides."""
    from deploy.fictitious.load import fill
    from tests.acceptance.stage import PLANS, staged

    name = f"registers_{worker_number}"
    async with staged(servers, tmp_path_factory.mktemp("registers"), source=laws, name=name) as stage:
        for slug, plan in PLANS.items():
            cohorts = tuple(c.model_copy(update={"count": min(c.count, MEMBERS_MOST)}) for c in plan.cohort)
            few = plan.model_copy(update={"cohort": cohorts})
            await fill(stage.database, await stage.town(slug), few, lambda said: None)
    yield name
    await servers.drop(name)


@pytest.fixture(scope="module")
async def asked(servers: Servers, laws: str, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Stage]:
    """The law of both towns, for tests that only ask."""
    from tests.acceptance.stage import staged

    async with staged(servers, tmp_path_factory.mktemp("asked"), source=laws) as stage:
        yield stage


@pytest.fixture
async def legislated(servers: Servers, laws: str, tmp_path: Path) -> AsyncIterator[Stage]:
    """The same for one test, which may change the law."""
    from tests.acceptance.stage import staged

    async with staged(servers, tmp_path, source=laws) as stage:
        yield stage


@pytest.fixture(scope="module")
async def seen(servers: Servers, registers: str, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Stage]:
    """Both towns and their registers, for the tests of one file that leave each other's rows alone."""
    from tests.acceptance.stage import staged

    async with staged(servers, tmp_path_factory.mktemp("seen"), source=registers) as stage:
        yield stage


@pytest.fixture
async def stage(servers: Servers, registers: str, tmp_path: Path) -> AsyncIterator[Stage]:
    """Both towns and their registers for one test."""
    from tests.acceptance.stage import staged

    async with staged(servers, tmp_path, source=registers) as made:
        yield made


@pytest.fixture(scope="module")
async def database_of_module(servers: Servers, worker_number: int) -> AsyncIterator[Database]:
    """A database without any town for the tests of one file."""
    from services.clock import FixedClock
    from services.database import Database
    from tests.acceptance.stage import NOW
    from tests.conftest import settings_of

    name = f"of_module_{uuid.uuid4().hex}"
    database = Database(settings_of(servers, await servers.clone(name), worker_number), FixedClock(NOW))
    yield database
    await database.close()
    await servers.drop(name)
