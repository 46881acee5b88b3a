"""The embedded servers start from nothing, survive accidents, and leave nothing running."""

import asyncio
import os
import shutil
import signal
import smtplib
import socket
import stat
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import asyncpg
import pytest

from deploy.cli.servers import make_database
from deploy.embedded.place import PYTHONPATH, ROOT
from deploy.embedded.postgres import Postgres
from deploy.embedded.program import Program, StartFailed, command_line, free_port, secret, wait_until
from deploy.embedded.supervisor import Supervisor
from deploy.embedded.valkey import Valkey

SOON_SECONDS = 10
SERVE_AND_WAIT = """
import sys, time
from pathlib import Path
from deploy.embedded.postgres import Postgres
from deploy.embedded.valkey import Valkey
servers = Postgres(Path(sys.argv[1]) / "p", durable=False), Valkey(Path(sys.argv[1]) / "v", durable=False)
for server in servers:
    server.start()
print(*(server.program.process.pid for server in servers), flush=True)
time.sleep(600)
"""


@pytest.fixture
def folder() -> Iterator[Path]:
    """Unlike pytest's own: as root, PostgreSQL's user must pass through it."""
    made = Path(tempfile.mkdtemp(prefix="praca-embedded-"))
    made.chmod(0o711)
    yield made
    shutil.rmtree(made)


@pytest.fixture
def postgres(folder: Path) -> Iterator[Postgres]:
    server = Postgres(folder / "postgresql", durable=False)
    yield server
    server.stop()


@pytest.fixture
def valkey(folder: Path) -> Iterator[Valkey]:
    server = Valkey(folder / "valkey", durable=False)
    yield server
    server.stop()


def pid_of(server: Postgres | Valkey | Program) -> int:
    program = server if isinstance(server, Program) else server.program
    assert program.process is not None
    return program.process.pid


def sleeper(folder: Path) -> Program:
    """Leaves a child of its own behind when it is killed."""
    return Program(name="sleeper", argv=["/bin/sh", "-c", "sleep 600 & wait"], log=folder / "log", grace_seconds=1)


async def names_of(postgres: Postgres, sql: str) -> set[str]:
    connection = await asyncpg.connect(postgres.url("praca"))
    try:
        return {row[0] for row in await connection.fetch(sql)}
    finally:
        await connection.close()


def test_a_cluster_has_the_roles_and_extensions_and_repeating_changes_nothing(postgres: Postgres) -> None:
    passwords = {"praca_owner": "one", "praca_app": "two"}
    postgres.start()

    asyncio.run(make_database(postgres, "praca", passwords))
    asyncio.run(make_database(postgres, "praca", passwords))

    roles = (
        "select rolname from pg_roles where rolname like 'praca%' and not (rolsuper or rolbypassrls or rolcreaterole)"
    )
    assert asyncio.run(names_of(postgres, roles)) == {"praca_owner", "praca_app", "praca_sweeper"}
    assert {"btree_gist", "unaccent", "pg_trgm"} < asyncio.run(names_of(postgres, "select extname from pg_extension"))
    owner = "select pg_get_userbyid(datdba)::text from pg_database where datname = 'praca'"
    assert asyncio.run(names_of(postgres, owner)) == {"praca_owner"}


def test_a_server_left_over_is_stopped_and_its_data_are_kept(postgres: Postgres, folder: Path) -> None:
    postgres.start()
    asyncio.run(make_database(postgres, "praca", {}))
    left_over = pid_of(postgres)
    again = Postgres(folder / "postgresql", durable=False)

    again.start()

    try:
        assert not command_line(left_over)
        assert asyncio.run(names_of(again, "select datname from pg_database")) > {"praca"}
    finally:
        again.stop()


def test_a_valkey_left_over_is_stopped(valkey: Valkey, folder: Path) -> None:
    valkey.start()
    left_over = pid_of(valkey)
    again = Valkey(folder / "valkey", durable=False)

    again.start()

    try:
        assert not command_line(left_over)
        assert again.answers()
    finally:
        again.stop()


def test_a_cluster_that_was_cut_off_while_being_made_is_made_anew(postgres: Postgres, folder: Path) -> None:
    (folder / "postgresql" / "unfinished").mkdir()
    (folder / "postgresql" / "unfinished" / "PG_VERSION").write_text("18")

    postgres.start()

    assert postgres.running()


def test_valkey_asks_for_its_password(valkey: Valkey) -> None:
    valkey.start()

    with socket.create_connection(("127.0.0.1", valkey.port)) as connection:
        connection.sendall(b"PING\r\n")
        assert connection.recv(100).startswith(b"-NOAUTH")
    assert valkey.answers()


def test_the_servers_end_with_a_parent_that_is_killed(folder: Path) -> None:
    parent = subprocess.Popen(
        [sys.executable, "-c", SERVE_AND_WAIT, folder],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": PYTHONPATH},
        stdout=subprocess.PIPE,
        text=True,
    )
    with parent:
        assert parent.stdout is not None
        pids = [int(word) for word in parent.stdout.readline().split()]
        assert [bool(command_line(pid)) for pid in pids] == [True, True]

        parent.kill()

    assert wait_until(lambda: not any(command_line(pid) for pid in pids), seconds=SOON_SECONDS)


def test_what_is_killed_starts_again_and_its_children_do_not_stay(folder: Path) -> None:
    supervisor, program = Supervisor(lambda message: None), sleeper(folder)
    supervisor.start(program)
    killed = pid_of(program)
    child = children_of(killed)

    os.kill(killed, signal.SIGKILL)

    def back() -> bool:
        supervisor.watch()
        return program.running() and pid_of(program) != killed

    try:
        assert wait_until(back, seconds=SOON_SECONDS)
        assert wait_until(lambda: not any(map(command_line, child)), seconds=SOON_SECONDS)
    finally:
        supervisor.stop()


def children_of(pid: int) -> list[int]:
    path = Path(f"/proc/{pid}/task/{pid}/children")
    assert wait_until(lambda: bool(path.read_text()), seconds=SOON_SECONDS)
    return [int(word) for word in path.read_text().split()]


def test_stopping_leaves_no_process_even_of_what_does_not_want_to_end(folder: Path) -> None:
    supervisor, program = Supervisor(lambda message: None), sleeper(folder)
    program.argv = ["/bin/sh", "-c", "trap '' TERM; sleep 600 & wait; sleep 600"]
    supervisor.start(program)
    all_of_it = [pid_of(program), *children_of(pid_of(program))]

    supervisor.stop()

    assert wait_until(lambda: not any(map(command_line, all_of_it)), seconds=SOON_SECONDS)


def test_a_start_that_fails_shows_the_end_of_the_log(folder: Path) -> None:
    program = Program(name="broken", argv=["/bin/sh", "-c", "echo no such luck; exit 3"], log=folder / "log")
    program.start()

    with pytest.raises(StartFailed, match="broken did not start:\nno such luck"):
        program.wait_ready(lambda: False, seconds=SOON_SECONDS)


def test_a_password_is_made_once_and_read_by_its_owner_alone(folder: Path) -> None:
    path = folder / "password"

    first = secret(path)

    assert secret(path) == first != secret(folder / "other")
    assert stat.S_IMODE(path.stat().st_mode) == stat.S_IRUSR | stat.S_IWUSR


def test_the_mail_sink_keeps_a_message_as_a_file(folder: Path) -> None:
    port, kept = free_port(), folder / "mail"
    sink = Program(
        name="mail",
        argv=[sys.executable, "-m", "deploy.embedded.mail", "--port", str(port), "--folder", str(kept)],
        log=folder / "log",
        environment={**os.environ, "PYTHONPATH": PYTHONPATH},
        folder=ROOT,
    )
    sink.start()
    try:
        sink.wait_ready(lambda: listens(port), seconds=SOON_SECONDS)
        with smtplib.SMTP("127.0.0.1", port) as client:
            client.sendmail("praca@praca.example", ["ana@vila.example"], "Subject: Alvara\r\n\r\nVence amanha.\r\n")

        (message,) = kept.glob("*-ana@vila.example.eml")
        assert "Vence amanha." in message.read_text()
    finally:
        sink.stop()


def listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0
