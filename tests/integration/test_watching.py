"""Who watches the instance sees which town is in trouble, and nothing of anybody in it."""

import asyncio
import json
import os
import signal
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from prometheus_client import CollectorRegistry, generate_latest

from deploy.embedded.program import wait_until
from services import acts, logs
from services.clock import FixedClock
from services.database import Database
from services.nights import night
from services.notices import NewNotice, queue, relay_towns
from services.settings import Settings
from services.watching.numbers import RegisterNumbers
from tests.conftest import NOW
from tests.support.poison import CPF, poisoned
from tests.support.register import found, make_deadline, make_permit
from tests.support.servers import Servers
from tests.support.workers import Worker, sample, worker

YESTERDAY = date(2026, 3, 9)


async def exposition(database: Database) -> str:
    """What the register's numbers are to Prometheus."""
    registry = CollectorRegistry()
    collector = RegisterNumbers(database, asyncio.get_running_loop())
    registry.register(collector)
    return (await asyncio.to_thread(generate_latest, registry)).decode()


def children(pid: int) -> list[int]:
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def lines(text: str) -> list[dict[str, Any]]:
    """Celery greets the terminal before its log begins."""
    return [json.loads(line) for line in text.splitlines() if line.startswith("{")]


async def ended(database: Database, town: UUID) -> bool:
    async with database.reader(town) as tx:
        return bool(await tx.scalar("SELECT count(*) FROM run WHERE ended_at IS NOT NULL"))


async def queued(database: Database, town: UUID) -> int:
    async with database.reader(town) as tx:
        return int(await tx.scalar("SELECT count(*) FROM notice WHERE state = 'queued'"))


@pytest.fixture
async def towns(servers: Servers, own_database: Database) -> tuple[UUID, UUID]:
    """One whose night fails, and one whose night does not, both with something that is over."""
    bad, good = await found(own_database, "vila-ma"), await found(own_database, "vila-boa")
    for town in (bad, good):
        async with own_database.transaction(town) as tx:
            await make_deadline(tx, until=YESTERDAY)
    await poisoned(servers, own_database, bad)
    return bad, good


async def test_a_town_whose_night_fails_raises_an_alert_and_the_others_go_on(
    own_database: Database, towns: tuple[UUID, UUID], tmp_path: Path
) -> None:
    """An error of the town's in the worker's log, a measure of the worker's, a number of the register's."""
    bad, good = towns
    with worker(own_database, tmp_path) as at_work:
        at_work.asked("workers.tasks.night", json.dumps([[str(bad), str(good)]]), "night")
        assert at_work.shows("praca_town_failures_total", town="vila-ma", work="night")
        assert at_work.shows("praca_tasks_total", task="workers.tasks.night", outcome="success")
        assert at_work.sample("praca_task_duration_seconds_count", task="workers.tasks.night") == 1
        assert at_work.sample("praca_town_failures_total", town="vila-boa") is None

    assert await ended(own_database, good)
    seen = await exposition(own_database)
    assert sample(seen, "praca_town_trouble", town="vila-ma", trouble="night") == 1
    assert sample(seen, "praca_town_trouble", town="vila-boa") is None
    assert sample(seen, "praca_runs_failed") == 1
    assert sample(seen, "praca_dead_letters", state="waiting") == 1
    assert sample(seen, "praca_dead_letters", state="dead") == 0
    written = lines(at_work.log.read_text())
    (failure,) = [line for line in written if line["event"] == "night failed"]
    assert (failure["level"], failure["town"], failure["tenant"]) == ("error", "vila-ma", str(bad))
    assert (failure["code"], failure["task"]) == ("P0001", "workers.tasks.night")
    assert failure["task_id"]
    assert CPF not in at_work.log.read_text()


async def test_a_worker_s_measures_outlive_the_processes_that_made_them(own_database: Database, tmp_path: Path) -> None:
    """Children are killed, or replaced after so many tasks: what they measured is counted once."""
    town = json.dumps([[str(await found(own_database))]])
    task = {"task": "workers.tasks.seal", "outcome": "success"}

    def counted(at_work: Worker, many: int) -> bool:
        return wait_until(lambda: at_work.sample("praca_tasks_total", **task) == many, seconds=30)

    with worker(own_database, tmp_path) as at_work:
        at_work.asked("workers.tasks.seal", town, "night")
        assert counted(at_work, 1)
        for child in children(at_work.pid):
            os.kill(child, signal.SIGKILL)
        at_work.asked("workers.tasks.seal", town, "night")
        assert counted(at_work, 2)
        assert at_work.sample("praca_sweep_interval_seconds", sweep="workers.tasks.start_nights") == 900
        silent = at_work.sample("praca_sweep_last_timestamp_seconds", sweep="workers.tasks.start_nights")
        at_work.asked("workers.tasks.start_nights", "[]", "sweeps")
        assert wait_until(
            lambda: (
                (at_work.sample("praca_sweep_last_timestamp_seconds", sweep="workers.tasks.start_nights") or 0)
                > (silent or 0)
            ),
            seconds=30,
        )


async def test_whom_a_notice_was_for_is_not_in_the_log_when_the_relay_fails(
    own_database: Database, capsys: pytest.CaptureFixture[str]
) -> None:
    class Broken:
        async def send(self, message: Any) -> str:
            raise RuntimeError(f"{message['to']} {CPF}")

    town = await found(own_database)
    async with own_database.transaction(town) as tx:
        permit = await make_permit(tx)
        await queue(tx, [NewNotice(key="one", template="aviso", subject_kind="permit", subject_id=permit.id)])
    logs.configure()

    await relay_towns(own_database, [town], Broken())

    written = capsys.readouterr().err
    (failure,) = [line for line in lines(written) if line["event"] == "relay failed"]
    assert (failure["level"], failure["town"], failure["kind"]) == ("error", "vila-nova", "RuntimeError")
    assert CPF not in written
    assert "ana@example.org" not in written


async def test_the_register_s_numbers_are_of_all_towns(own_database: Database, clock: FixedClock) -> None:
    here, there = await found(own_database, "vila-um"), await found(own_database, "vila-dois", zone="America/Noronha")
    for town, late in ((here, 3), (there, 1)):
        async with own_database.transaction(town) as tx:
            await make_deadline(tx, until=tx.today - timedelta(days=late))
            await make_deadline(tx, until=tx.today)
    before = await exposition(own_database)
    await night(own_database, [here, there])
    clock.advance(timedelta(hours=2))
    async with own_database.transaction(here) as tx:
        permit = await make_permit(tx)
        await queue(tx, [NewNotice(key="one", template="aviso", subject_kind="permit", subject_id=permit.id)])
    clock.advance(timedelta(hours=2))
    after = await exposition(own_database)

    assert sample(before, "praca_deadlines_overdue") == 2
    assert sample(before, "praca_deadlines_overdue_oldest_days") == 3
    assert sample(before, "praca_night_last_ended_timestamp_seconds") is None
    assert sample(after, "praca_deadlines_overdue") == 0
    assert sample(after, "praca_notices_queued") == await queued(own_database, here) + await queued(own_database, there)
    assert sample(after, "praca_notices_queued_oldest_seconds") == timedelta(hours=4).total_seconds()
    assert sample(after, "praca_town_trouble", town="vila-um", trouble="notices") == 1
    assert sample(after, "praca_towns", zone="America/Noronha") == 1
    assert sample(after, "praca_night_last_ended_timestamp_seconds", zone="America/Noronha") == NOW.timestamp()
    assert (sample(after, "praca_acts_unsealed") or 0) > 0
    assert sample(after, "praca_register_read") == 1


async def test_sealed_acts_wait_no_more_and_late_ones_are_told_by_town(own_database: Database) -> None:
    town = await found(own_database)
    own_database.settings = Settings.model_validate(own_database.settings.model_dump() | {"metrics_late_seconds": 1})
    async with own_database.transaction(town) as tx:
        await tx.rows("SELECT pg_sleep(1.1)")  # acts are as old as the machine's own time says
    late = await exposition(own_database)
    await acts.seal_all(own_database, town)
    sealed = await exposition(own_database)

    assert sample(late, "praca_town_trouble", town="vila-nova", trouble="seals") == 1
    assert (sample(late, "praca_acts_unsealed_oldest_seconds") or 0) > 1
    assert sample(sealed, "praca_town_trouble", town="vila-nova") is None
    assert sample(sealed, "praca_acts_unsealed") == 0


async def test_without_the_database_there_are_no_numbers_and_that_is_one(own_database: Database) -> None:
    own_database.settings = Settings.model_validate(own_database.settings.model_dump() | {"metrics_timeout_seconds": 1})
    away = Database(
        Settings.model_validate(
            own_database.settings.model_dump() | {"database_url": "postgresql://nobody:x@127.0.0.1:1/nothing"}
        ),
        FixedClock(datetime(2026, 3, 10, tzinfo=UTC)),
    )
    seen = await exposition(away)

    assert sample(seen, "praca_register_read") == 0
    assert "praca_deadlines" not in seen
