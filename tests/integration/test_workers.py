"""Workers as they run: real worker and beat on real queues, and a process killed in the middle of its work."""

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from uuid import UUID

import pytest
from aiosmtpd.smtp import SMTP
from pydantic import ValidationError

from deploy.embedded.mail import Sink
from deploy.embedded.place import PYTHONPATH, ROOT
from deploy.embedded.program import free_port
from services import acts
from services.clock import FixedClock
from services.database import Database
from services.settings import Settings
from tests.support.register import found, make_deadline

YESTERDAY = date(2026, 3, 9)
WORKER = ("worker", "-l", "INFO", "--without-gossip", "--without-mingle", "-c")
NOTIFY = [{"do": "notify"}]


@pytest.fixture
async def mail(tmp_path: Path) -> AsyncIterator[tuple[int, Path]]:
    folder = tmp_path / "mail"
    folder.mkdir()
    loop, port = asyncio.get_running_loop(), free_port()
    server = await loop.create_server(lambda: SMTP(Sink(folder), enable_SMTPUTF8=True, loop=loop), "127.0.0.1", port)
    yield port, folder
    server.close()
    await server.wait_closed()


@contextmanager
def celery(
    database: Database, what: str, *more: str, folder: Path, smtp_port: int = 25, also: Mapping[str, str] | None = None
) -> Iterator[subprocess.Popen[bytes]]:
    settings = database.settings
    environment = {
        **os.environ,
        "PYTHONPATH": PYTHONPATH,
        "PRACA_DATABASE_URL": str(settings.database_url),
        "PRACA_REDIS_URL": str(settings.redis_url),
        "PRACA_EMBEDDED": "1",
        "PRACA_CLOCK": database.clock.now().isoformat(),
        "PRACA_SMTP_PORT": str(smtp_port),
        "PRACA_RELAY_EVERY_SECONDS": "1",
        "PRACA_SEAL_EVERY_SECONDS": "1",
        "PRACA_BROKER_RESTORE_SECONDS": "1",
        **(also or {}),
    }
    with (folder / f"{what}.log").open("ab") as log:
        process = subprocess.Popen(
            [sys.executable, "-m", "celery", "-A", "workers.app", what, *more],
            cwd=ROOT,
            env=environment,
            stdout=log,
            stderr=log,
            start_new_session=True,
        )
    try:
        yield process
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


async def until(condition: Callable[[], Awaitable[bool]]) -> None:
    async with asyncio.timeout(180):
        while not await condition():  # noqa: ASYNC110 - another process brings it about
            await asyncio.sleep(0.1)


async def done(database: Database, town: UUID) -> bool:
    """Everything expired, sent and sealed."""
    async with database.reader(town) as tx:
        left = await tx.one(
            "SELECT (SELECT count(*) FROM deadline WHERE state = 'open') AS open, "
            "(SELECT count(*) FROM notice WHERE state <> 'sent') AS unsent, "
            "(SELECT count(*) FROM act_unsealed) AS unsealed"
        )
    return (left.open, left.unsent, left.unsealed) == (0, 0, 0)


async def test_a_licence_expires_overnight_and_its_holder_is_written_to(
    own_database: Database, clock: FixedClock, mail: tuple[int, Path], tmp_path: Path
) -> None:
    """Nobody calls anything: beat looks, the worker works, all of it from rows."""
    clock.at = datetime(2026, 3, 10, 4, 0, tzinfo=UTC)  # midnight in Mato Grosso
    port, kept = mail
    town = await found(own_database)
    async with own_database.transaction(town) as tx:
        over = await make_deadline(tx, until=YESTERDAY, follows=NOTIFY)
    schedule = ("--pidfile=", "--schedule", str(tmp_path / "beat"))

    with (
        celery(own_database, *WORKER, "2", folder=tmp_path, smtp_port=port),
        celery(own_database, "beat", *schedule, folder=tmp_path, smtp_port=port),
    ):
        await until(lambda: done(own_database, town))

    (message,) = kept.glob("*.eml")
    assert "09/03/2026" in message.read_text()
    async with own_database.reader(town) as tx:
        act = await tx.one("SELECT legal_day, subject_id FROM act WHERE verb = 'deadline.expired'")
        assert (act.legal_day, act.subject_id) == (YESTERDAY, over)
        assert await acts.verify(tx) == []


async def test_a_task_whose_process_is_killed_is_given_to_another(
    own_database: Database, mail: tuple[int, Path], tmp_path: Path
) -> None:
    """No beat: only the message itself, given out again, can finish the work."""
    port, _ = mail
    town = await found(own_database)
    async with own_database.transaction(town) as tx:
        over = await make_deadline(tx, until=YESTERDAY)

    async def working() -> bool:
        async with own_database.reader(town) as tx:
            return bool(await tx.scalar("SELECT count(*) FROM run"))

    async def recorded() -> bool:
        async with own_database.reader(town) as tx:
            return bool(await tx.scalar("SELECT count(*) FROM act WHERE verb = 'deadline.expired'"))

    with celery(own_database, *WORKER, "1", folder=tmp_path, smtp_port=port) as worker:
        async with own_database.transaction(town) as holder:
            await holder.rows("SELECT id FROM deadline WHERE id = :id FOR UPDATE", id=over)
            send_night(own_database, town, tmp_path, port)
            await until(working)
            for child in children(worker.pid):
                os.kill(child, signal.SIGKILL)
        await until(recorded)


def send_night(database: Database, town: UUID, folder: Path, port: int) -> None:
    asked = ("workers.tasks.night", "--args", f'[["{town}"]]', "--queue", "night")
    with celery(database, "call", *asked, folder=folder, smtp_port=port) as call:
        assert call.wait(30) == 0


def children(pid: int) -> list[int]:
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def test_a_task_ends_long_before_it_would_be_given_out_again(settings: Settings) -> None:
    assert settings.task_soft_limit_seconds < settings.task_limit_seconds < settings.task_visibility_seconds
    assert settings.task_visibility_seconds > settings.task_limit_seconds + settings.task_retry_most_seconds


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("task_visibility_seconds", 150),  # a retry waits for 60 of them, unacknowledged, and a task may take 90
        ("task_limit_seconds", 60),
        ("task_soft_limit_seconds", 50),
        ("job_lease_seconds", 90),
        ("notice_lease_seconds", 310),
    ],
)
def test_settings_by_which_work_would_be_given_out_twice_are_refused(settings: Settings, name: str, value: int) -> None:
    with pytest.raises(ValidationError, match=f"PRACA_{name.upper()} must be above"):
        Settings.model_validate(settings.model_dump() | {name: value})
    Settings.model_validate(settings.model_dump() | {name: value + 1})


def test_beat_looks_every_quarter_of_an_hour(settings: Settings) -> None:
    assert timedelta(seconds=settings.night_every_seconds) == timedelta(minutes=15)
