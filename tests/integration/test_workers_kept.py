"""What workers do when all goes wrong: database away, a process that ends, a message that fails, a town that hogs."""

import asyncio
import os
import signal
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import date
from pathlib import Path
from uuid import UUID

from aiosmtpd.smtp import SMTP, Envelope, Session

from deploy.embedded.program import free_port
from services.access import operator
from services.database import Database
from services.dead_letters import store
from services.dead_letters.replaying import replay
from services.importing.checking import check_import
from services.notices import NewNotice, queue
from tests.conftest import NOW
from tests.integration.test_workers import WORKER, celery, children, until
from tests.support.factories import BARRA, make_town, officer
from tests.support.importing import DEFAULTS, Importer
from tests.support.letters import letters
from tests.support.register import as_superuser, found, make_deadline, make_permit
from tests.support.servers import Servers
from tests.support.sheets import people, table, xlsx

YESTERDAY = date(2026, 3, 9)
EXPIRED = "SELECT count(*) FROM act WHERE verb = 'deadline.expired'"


async def with_term(database: Database, slug: str) -> UUID:
    town = await found(database, slug)
    async with database.transaction(town) as tx:
        await make_deadline(tx, until=YESTERDAY)
    return town


async def counted(database: Database, town: UUID, sql: str = EXPIRED) -> int:
    async with database.reader(town) as tx:
        return int(await tx.scalar(sql))


def send(database: Database, task: str, arguments: str, folder: Path) -> None:
    with celery(database, "call", task, "--args", arguments, "--queue", "night", folder=folder) as call:
        assert call.wait(60) == 0


def schedule(folder: Path, name: str = "beat") -> tuple[str, ...]:
    return ("--pidfile=", "--schedule", str(folder / name))


# --- Failing as a whole -----------------------------------------------------------------------------------------------


@asynccontextmanager
async def forwarding(port: int, to: int) -> AsyncIterator[None]:
    """A way to the database."""

    async def hand_on(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while data := await reader.read(65_536):
            writer.write(data)
            await writer.drain()
        writer.close()

    async def both(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there, back = await asyncio.open_connection("127.0.0.1", to)
        await asyncio.gather(hand_on(reader, back), hand_on(there, writer), return_exceptions=True)

    server = await asyncio.start_server(both, "127.0.0.1", port)
    yield
    server.close()
    await server.wait_closed()


async def test_a_message_comes_back_when_the_database_was_away(
    own_database: Database, servers: Servers, tmp_path: Path
) -> None:
    """No beat: the message itself is retried, after pauses, and is done when the database is there."""
    town, port = await with_term(own_database, "cidade"), free_port()
    away = str(own_database.settings.database_url).replace(f":{servers.port}/", f":{port}/")
    log = tmp_path / "worker.log"

    async def retried() -> bool:
        return log.exists() and log.read_text().count("retry:") >= 2

    async def done() -> bool:
        return await counted(own_database, town) == 1

    async with AsyncExitStack() as later:
        reached = {"PRACA_DATABASE_URL": away, "PRACA_TASK_RETRY_SECONDS": "1"}
        with celery(own_database, *WORKER, "1", folder=tmp_path, also=reached):
            send(own_database, "workers.tasks.night", f'[["{town}"]]', tmp_path)
            await until(retried)
            await later.enter_async_context(forwarding(port, servers.port))
            await until(done)

    assert await letters(own_database, town) == []


async def test_a_message_that_fails_to_the_last_is_a_dead_letter_that_a_replay_takes_up(
    own_database: Database, servers: Servers, tmp_path: Path
) -> None:
    """Here it is a part of the night that is about no single town."""
    town = await with_term(own_database, "cidade")
    owner = await as_superuser(servers.superuser, own_database)
    await owner.execute("REVOKE EXECUTE ON FUNCTION towns_with_orphans FROM praca_app, PUBLIC")

    async def is_now(state: str) -> bool:
        return [(kind, found) for kind, found, _, _ in await letters(own_database, town)] == [("message", state)]

    pauses = {"PRACA_TASK_ATTEMPTS": "2", "PRACA_TASK_RETRY_SECONDS": "1", "PRACA_AGAIN_EVERY_SECONDS": "1"}
    with celery(own_database, *WORKER, "1", folder=tmp_path, also=pauses):
        send(own_database, "workers.tasks.night", f'[["{town}"]]', tmp_path)
        await until(lambda: is_now("dead"))
        assert (tmp_path / "worker.log").read_text().count("retry:") == 1
        await owner.execute("GRANT EXECUTE ON FUNCTION towns_with_orphans TO praca_app")
        async with own_database.transaction(town) as tx:
            (letter,) = await store.live(tx)
            await replay(tx, operator("plataforma"), dead_letter_id=letter.id)
        with celery(own_database, "beat", *schedule(tmp_path), folder=tmp_path, also=pauses):
            await until(lambda: is_now("closed"))
    await owner.close()


async def test_what_ends_its_process_is_soon_alone(own_database: Database, tmp_path: Path) -> None:
    """Two towns in one message; whoever touches the first is killed, twice. The second is done meanwhile."""
    deadly, sound = await with_term(own_database, "mortal"), await with_term(own_database, "sadia")

    seen: set[int] = set()

    async def waiting() -> set[int]:
        async with own_database.directory() as directory:
            rows = await directory.rows(
                "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
            )
        return {row.pid for row in rows} - seen

    async def touched() -> bool:
        return bool(await waiting()) or await kept()

    async def kept() -> bool:
        return bool(await letters(own_database, deadly))

    async def done() -> bool:
        states = [state for _, state, _, _ in await letters(own_database, deadly)]
        recorded = [await counted(own_database, town) for town in (deadly, sound)]
        return (states, recorded) == (["closed"], [1, 1])

    patience = {"PRACA_NIGHT_PATIENCE_MS": "60000"}
    with celery(own_database, *WORKER, "1", folder=tmp_path, also=patience) as worker:
        async with own_database.transaction(deadly) as holder:
            await holder.rows("SELECT id FROM deadline FOR UPDATE")
            send(own_database, "workers.tasks.night", f'[["{deadly}", "{sound}"]]', tmp_path)
            while not await kept():
                await until(touched)
                seen |= await waiting()
                for child in children(worker.pid):
                    os.kill(child, signal.SIGKILL)
            assert await letters(own_database, deadly) == [("night", "waiting", "WorkerLostError", 1)]
        await until(done)


# --- Each town's share ------------------------------------------------------------------------------------------------


class Reader:
    """A mail server that keeps the order of the towns that it hears from, and does something with the first message."""

    def __init__(self, at_first: Callable[[], Awaitable[None]]) -> None:
        self.order: list[str] = []
        self.at_first: Callable[[], Awaitable[None]] | None = at_first

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        self.order.append(envelope.rcpt_tos[0].partition("@")[2])
        if self.at_first is not None:
            then, self.at_first = self.at_first, None
            await then()
            self.order.append("-")
        return "250 Kept"


@asynccontextmanager
async def listening(reader: Reader) -> AsyncIterator[int]:
    loop, port = asyncio.get_running_loop(), free_port()
    server = await loop.create_server(lambda: SMTP(reader, enable_SMTPUTF8=True, loop=loop), "127.0.0.1", port)
    yield port
    server.close()
    await server.wait_closed()


async def tell(database: Database, town: UUID, how_many: int) -> None:
    async with database.transaction(town) as tx:
        for number in range(how_many):
            permit = await make_permit(tx, email=f"a@{tx.town.slug}.test")
            await queue(tx, [NewNotice(key=f"n{number}", template="x", subject_kind="permit", subject_id=permit.id)])


async def test_a_town_with_much_to_send_delays_another_by_one_turn(own_database: Database, tmp_path: Path) -> None:
    """The other's notices are written while the first of the big town's is being sent."""
    batch, relays = 4, 2
    big, small = await found(own_database, "grande"), await found(own_database, "pequena")
    await tell(own_database, big, 60)
    reader = Reader(lambda: tell(own_database, small, 2))
    small_batches = {"PRACA_NOTICE_BATCH": str(batch)}

    async def all_sent() -> bool:
        return Counter(reader.order) == {"grande.test": 60, "pequena.test": 2, "-": 1}

    async with listening(reader) as port:
        with (
            celery(own_database, *WORKER, str(relays), folder=tmp_path, smtp_port=port, also=small_batches),
            celery(own_database, "beat", *schedule(tmp_path), folder=tmp_path, smtp_port=port),
        ):
            await until(all_sent)

    between = reader.order[reader.order.index("-") + 1 : reader.order.index("pequena.test")]
    assert len(between) <= batch * relays


async def test_an_import_that_takes_for_ever_delays_no_notice(own_database: Database, tmp_path: Path) -> None:
    """Of its own town or another: the worker of `imports` is another, as `./praca run` starts it."""
    importing = Importer(own_database, await make_town(own_database, BARRA))
    other = await found(own_database, "outra")
    import_id = await importing.sent(xlsx(table(people(5, NOW.date()))))
    async with own_database.transaction(importing.town) as tx:
        await check_import(tx, await officer(tx, "register"), import_id=import_id, defaults=DEFAULTS)
    await tell(own_database, other, 3)
    reader = Reader(lambda: same_state(own_database, importing.town))

    async def taken_up() -> bool:
        return await counted(own_database, importing.town, "SELECT count(*) FROM job WHERE state = 'running'") == 1

    async def all_sent() -> bool:
        return reader.order.count("outra.test") >= 3  # at least once each

    async with listening(reader) as port, own_database.transaction(importing.town) as holder:
        await holder.rows("SELECT id FROM import_file FOR UPDATE")
        with (
            celery(own_database, *WORKER, "1", "-Q", "imports", "-n", "importer@%h", folder=tmp_path),
            celery(own_database, *WORKER, "1", "-Q", "sweeps,night,notices", folder=tmp_path, smtp_port=port),
            celery(own_database, "beat", *schedule(tmp_path), folder=tmp_path, smtp_port=port),
        ):
            await until(taken_up)
            await until(all_sent)
            assert await taken_up()


async def same_state(database: Database, town: UUID) -> None:
    assert await counted(database, town, "SELECT count(*) FROM job WHERE state = 'done'") == 0
