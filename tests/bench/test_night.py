"""How long the night of all towns takes, beside the bare SQL that writes the same, and how that grows.

The night as it runs: the sweep asks which towns have something to do, sends messages, and workers do it under
row-level security. The bare SQL: one statement over all towns, past every policy. Both on copies of one database.

It runs when it is asked for: `./praca test tests/bench` with a tenth of a country, `./praca test --bench
tests/bench/test_night.py` with Brazil's 5,570 towns and a million permits, which takes ten minutes.
"""

import asyncio
import math
import statistics
import time
import uuid
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import asyncpg
import pytest
from celery import Celery
from redis import Redis

from deploy.embedded.program import wait_until
from services import acts
from services.clock import FixedClock
from services.database import Database
from services.settings import Settings
from tests.bench.nights import BARE, fill, of
from tests.conftest import settings_of
from tests.support.servers import Servers
from tests.support.workers import worker

TIMES_THE_BARE, MOST_MESSAGES, GROWTH = 3.0, 120, 1.25
PATIENCE_SECONDS = 600
EXPIRED = "deadline.expired"
WRITTEN = """
SELECT (SELECT count(*) FROM deadline WHERE state = 'expired') AS expired,
       (SELECT count(*) FROM act WHERE verb = 'deadline.expired') AS acts,
       (SELECT count(*) FROM notice WHERE state = 'queued') AS notices
"""


@dataclass(frozen=True, slots=True)
class Scale:
    towns: int
    permits: tuple[int, ...]
    rounds: int


TENTH = Scale(557, (10_000, 100_000), rounds=3)
WHOLE = Scale(5_570, (10_000, 100_000, 1_000_000), rounds=1)


@dataclass(frozen=True, slots=True)
class Measured:
    """Seconds of the bare SQL, of the night and of the seals after it; messages that the night took."""

    bare: float
    night: float
    seals: float
    messages: int


@pytest.fixture
def scale(request: pytest.FixtureRequest) -> Scale:
    if request.config.getoption("--bench"):
        return WHOLE
    if not any("bench" in place for place in request.config.getoption("file_or_dir")):
        pytest.skip("a benchmark runs alone, when it is asked for")
    return TENTH


async def test_the_night_is_near_the_bare_sql_and_grows_no_faster_than_the_register(
    servers: Servers,
    worker_number: int,
    clock: FixedClock,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    scale: Scale,
) -> None:
    middle: dict[int, Measured] = {}
    for permits in scale.permits:
        name = f"bench_{uuid.uuid4().hex}"
        database = Database(settings_of(servers, await servers.clone(name), worker_number), clock)
        async with connected(servers, name) as server:
            await fill(database, server, scale.towns, permits)
        await database.close()
        rounds = [await measured(servers, database.settings, clock, tmp_path) for _ in range(scale.rounds)]
        await servers.drop(name)
        middle[permits] = min(rounds, key=lambda each: abs(ratio(each) - statistics.median(map(ratio, rounds))))
        with capsys.disabled():
            print(shown(scale.towns, permits, middle[permits]))  # noqa: T201 - what it is for

    most = middle[scale.permits[-1]]
    assert ratio(most) <= TIMES_THE_BARE
    chunks = math.ceil(scale.towns / database.settings.night_towns_a_message)
    assert {each.messages for each in middle.values()} == {chunks + 1}  # and the sweep's
    assert chunks <= MOST_MESSAGES
    assert all(
        middle[larger].night / middle[smaller].night <= larger / smaller * GROWTH
        for smaller, larger in pairwise(scale.permits)
    )


def ratio(each: Measured) -> float:
    return each.night / each.bare


def shown(towns: int, permits: int, each: Measured) -> str:
    return (
        f"\n{permits} permits in {towns} towns: night {ratio(each):.2f} times the bare SQL ({each.night:.2f} s, "
        f"{each.bare:.2f} s) in {each.messages} messages; seals {each.seals:.2f} s"
    )


async def measured(servers: Servers, settings: Settings, clock: FixedClock, folder: Path) -> Measured:
    """One round on two copies: both have written the same in the end."""
    async with copied(servers, settings, clock) as (_, server):
        begin = time.perf_counter()
        await server.execute(of(BARE), clock.now().isoformat())
        bare = time.perf_counter() - begin
        expected = await server.fetchrow(WRITTEN)
    async with copied(servers, settings, clock) as (database, server):
        broker = str(database.settings.redis_url)
        with Redis.from_url(broker) as valkey:
            valkey.flushdb()  # what the worker of the round before had not acknowledged when it was killed
        with worker(database, folder, processes=2) as works, Celery(broker=broker) as beat:
            before = works.log.stat().st_size
            assert wait_until(lambda: b" ready" in works.log.read_bytes()[before:], seconds=60)
            warm(beat, broker)
            sent = pushed(broker)
            begin = time.perf_counter()
            beat.send_task("workers.tasks.start_nights", queue="sweeps")
            await until(server, "SELECT count(ended_at) = count(*) FROM municipality LEFT JOIN run ON tenant_id = id")
            night = time.perf_counter() - begin
            messages = pushed(broker) - sent
            assert await server.fetchrow(WRITTEN) == expected
            begin = time.perf_counter()
            beat.send_task("workers.tasks.start_seals", queue="sweeps")
            await until(server, "SELECT NOT EXISTS (SELECT FROM act_unsealed)")
            seals = time.perf_counter() - begin
        await verified(database, server)
    return Measured(bare, night, seals, messages)


async def verified(database: Database, server: asyncpg.Connection) -> None:
    """The acts of one of the towns are sealed as they were written."""
    row = await server.fetchrow("SELECT tenant_id, array_agg(id) AS acts FROM act WHERE verb = $1 GROUP BY 1", EXPIRED)
    assert row is not None
    async with database.reader(row["tenant_id"]) as tx:
        wrong = {problem.what for problem in await acts.verify(tx)}
    assert wrong.isdisjoint(map(str, row["acts"]))


@asynccontextmanager
async def copied(
    servers: Servers, settings: Settings, clock: FixedClock
) -> AsyncIterator[tuple[Database, asyncpg.Connection]]:
    """A copy of the database, as the application and as the server's superuser."""
    source = (settings.database_url.path or "").removeprefix("/")
    copy = f"copy_{uuid.uuid4().hex}"
    await servers.command(f'create database "{copy}" template "{source}"')
    database = Database(settings.model_copy(update={"database_url": address(settings, source, copy)}), clock)
    async with connected(servers, copy) as server:
        yield database, server
    await database.close()
    await servers.drop(copy)


def address(settings: Settings, source: str, copy: str) -> Any:
    return type(settings.database_url)(str(settings.database_url).replace(source, copy))


@asynccontextmanager
async def connected(servers: Servers, database: str) -> AsyncIterator[asyncpg.Connection]:
    server = await asyncpg.connect(servers.superuser.rpartition("/")[0] + "/" + database)
    try:
        yield server
    finally:
        await server.close()


def warm(beat: Celery, broker: str) -> None:
    """Each child of the worker has done something: they live for thousands of messages, and are connected by then."""
    for _ in range(8):
        beat.send_task("workers.tasks.night", ([],), queue="night")
    with Redis.from_url(broker) as valkey:
        assert wait_until(lambda: not valkey.exists("night", "unacked"), seconds=60)


def pushed(broker: str) -> int:
    """Messages that were ever put on a queue."""
    with Redis.from_url(broker) as valkey:
        return int(valkey.info("commandstats").get("cmdstat_lpush", {"calls": 0})["calls"])


async def until(server: asyncpg.Connection, condition: str) -> None:
    async with asyncio.timeout(PATIENCE_SECONDS):
        while not await server.fetchval(condition):  # noqa: ASYNC110 - other processes bring it about
            await asyncio.sleep(0.02)
