"""A database with rows in it comes to the newest migration: what it holds is kept, and said in today's words."""

import os
import subprocess
import sys
from collections.abc import AsyncIterator
from uuid import UUID, uuid4

import asyncpg
import pytest

from deploy.embedded.place import PYTHONPATH, ROOT
from tests.support.servers import Servers

LANDED = "0009"
TOWN, OTHER = UUID(int=1), UUID(int=2)
# One of each table that a later migration changes; keys to other tables are not looked at while these are written.
ROWS = """
SET session_replication_role = replica;
INSERT INTO municipality (id, slug, name, uf, ibge, zone, created_at) VALUES
    ('{town}', 'vila', 'Vila', 'MT', '5100001', 'America/Cuiaba', now()),
    ('{other}', 'outra', 'Outra', 'MT', '5100002', 'America/Cuiaba', now());
INSERT INTO notice (tenant_id, key, template, subject_kind, subject_id, message_id, state, reason, created_at)
SELECT t, k, 'term_expired', 'permit', uuidv7(), '<' || k || '@praca.example>', 'dropped', k, now()
FROM unnest(ARRAY['{town}', '{other}']::uuid[]) AS t CROSS JOIN unnest(ARRAY['no address', 'no longer due']) AS k;
INSERT INTO permit (tenant_id, id, number, category, instrument, holder_id, granted_on, during, granted_act)
VALUES ('{town}', '{row}', '0001/2026', 'taxi', 'permissao', '{row}', '2026-01-01', '[2026-01-01,)', '{row}');
INSERT INTO fine (tenant_id, id, number, permit_id, infraction, seen_on, brl, decision, act_id)
VALUES ('{town}', '{row}', '0001/2026', '{row}', 'I-01', '2026-02-01', 10, '{{}}', '{row}');
INSERT INTO active_debt (tenant_id, id, number, fine_id, entered_on, brl, decision, act_id)
VALUES ('{town}', '{row}', '0001/2026', '{row}', '2026-05-01', 10, '{{}}', '{row}');
INSERT INTO occurrence (tenant_id, id, client_id, content_hash, seen_at, seen_on, received_at, place, plate, category,
                        infractions, inspector, office, state, decision, act_id)
VALUES ('{town}', '{row}', 'c', sha256('c'), now(), '2026-02-01', now(), 'Praça', 'ABC1D23', 'escolar',
        '{{I-01}}', 'i', 'o', 'applied', '{{}}', '{row}');
INSERT INTO penalty (tenant_id, permit_id, occurrence_id, infraction, what, nth, seen_on, state, effect, act_id) VALUES
    ('{town}', '{row}', NULL, 'I-01', 'fine', 1, '2026-02-01', 'applied', '{{}}', '{row}'),
    ('{town}', NULL, '{row}', 'I-02', 'fine', 1, '2026-02-01', 'applied', '{{}}', '{row}');
INSERT INTO proceeding_party (tenant_id, id, proceeding_id, role, name, since, act_id)
VALUES ('{town}', '{row}', '{row}', 'respondent', 'Alguém', '2026-02-01', '{row}');
INSERT INTO proceeding_piece (tenant_id, proceeding_id, seq, kind, title, restricted, filed_on, filed_at, late,
                              first_page, pages, content, sha256, previous, chain, act_id)
VALUES ('{town}', '{row}', 1, 'record', 'Auto', false, '2026-02-01', now(), false, 1, 1, 'x',
        encode(sha256('x'), 'hex'), '', 'y', '{row}');
INSERT INTO import_file (tenant_id, name, media_type, sha256, size, content, received_at, received_act)
VALUES ('{town}', 'a.csv', 'text/csv', repeat('0', 64), 1, 'x', now(), '{row}');
INSERT INTO run (tenant_id, day, kind, started_at) VALUES ('{town}', '2026-02-01', 'night', now());
INSERT INTO job (tenant_id, kind, subject_kind, subject_id, requested_by, requested_at, requested_act)
VALUES ('{town}', 'import', 'import_file', '{row}', 'bia', now(), '{row}');
"""
KEPT = ("fine", "active_debt", "occurrence", "proceeding_party", "proceeding_piece", "import_file", "run", "job")


@pytest.fixture
async def landed(servers: Servers) -> AsyncIterator[str]:
    """The name of a database as it was when the first towns came."""
    name = f"upgrading_{uuid4().hex}"
    await servers.command(f'create database "{name}"')
    connection = await superuser(servers, name)
    await connection.execute((ROOT / "deploy/roles.sql").read_text())
    await connection.close()
    migrate(servers, name, LANDED)
    yield name
    await servers.drop(name)


async def superuser(servers: Servers, name: str) -> asyncpg.Connection:
    """Whom row-level security does not bind."""
    return await asyncpg.connect(f"{servers.superuser.rpartition('/')[0]}/{name}")


def migrate(servers: Servers, name: str, revision: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "alembic", "upgrade", revision],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": PYTHONPATH, "PRACA_MIGRATE_URL": servers.url(name, "praca_owner")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


async def test_an_upgrade_keeps_what_is_there(servers: Servers, landed: str) -> None:
    connection = await superuser(servers, landed)
    await connection.execute(ROWS.format(town=TOWN, other=OTHER, row=UUID(int=9)))

    migrate(servers, landed, "head")

    kept = {table: await connection.fetchval(f"SELECT count(*) FROM {table}") for table in KEPT}  # noqa: S608 - ours
    assert kept == dict.fromkeys(KEPT, 1)
    notices = await connection.fetch("SELECT tenant_id, reason, state FROM notice ORDER BY tenant_id, reason")
    assert [tuple(row) for row in notices] == [
        (town, reason, state)
        for town in (TOWN, OTHER)
        for reason, state in (("no address", "kept"), ("no longer due", "dropped"))
    ]
    penalties = await connection.fetch("SELECT infraction, category FROM penalty ORDER BY infraction")
    assert [tuple(row) for row in penalties] == [("I-01", "taxi"), ("I-02", "escolar")]
    await connection.close()
