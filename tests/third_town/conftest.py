"""An application that knows no town, and the third town's file: all that there is of it."""

from __future__ import annotations

import uuid
from collections.abc import AsyncIterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.third_town.asking import Ipe, onboarded

if TYPE_CHECKING:
    from services.database import Database
    from tests.support.servers import Servers


@pytest.fixture(scope="module")
async def empty_database(servers: Servers, worker_number: int) -> AsyncIterator[Database]:
    """A database of one module, in which there is no town."""
    from services.clock import FixedClock
    from services.database import Database
    from tests.conftest import NOW, settings_of

    name = f"third_{uuid.uuid4().hex}"
    database = Database(settings_of(servers, await servers.clone(name), worker_number), FixedClock(NOW))
    yield database
    await database.close()
    await servers.drop(name)


@pytest.fixture(scope="module")
async def ipe(empty_database: Database, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Ipe]:
    """The third town, brought by the platform's operator over HTTP."""
    from tests.support.web import edge

    folder: Path = tmp_path_factory.mktemp("third_town")
    async with edge(empty_database, folder) as web:
        yield await onboarded(web)
