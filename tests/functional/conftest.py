from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from services.database import Database
    from tests.support.web import Edge


@pytest.fixture
async def web(own_database: Database, tmp_path: Path) -> AsyncIterator[Edge]:
    """The API with two towns, `vila-nova` and `serra-alta`, each at the host of its name under `.test`."""
    from tests.support.register import found
    from tests.support.web import edge

    await found(own_database, "vila-nova")
    await found(own_database, "serra-alta")
    async with edge(own_database, tmp_path) as made:
        yield made
