"""The same night with two beats and four workers, and with one of each: everything that is left is the same."""

import asyncio
from contextlib import ExitStack
from pathlib import Path

from services.database import Database
from tests.chaos.register import Size, make_register
from tests.conftest import settings_of
from tests.integration.test_workers import WORKER, celery, until
from tests.integration.test_workers_kept import Reader, listening, schedule
from tests.support.register import as_superuser, name_of
from tests.support.servers import Servers

SIZE = Size(towns=7, terms=30, telling=6)
ROWS = """
SELECT m.slug, 'act' AS of, concat_ws(' ', a.verb, a.legal_day, a.local_day, p.number, d.rule, d.last_day, d.state)
FROM act AS a JOIN municipality AS m ON m.id = a.tenant_id
LEFT JOIN deadline AS d ON d.tenant_id = a.tenant_id AND d.id = a.subject_id
LEFT JOIN permit AS p ON p.tenant_id = a.tenant_id AND p.id = d.subject_id
UNION ALL
SELECT m.slug, 'deadline', concat_ws(' ', p.number, d.kind, d.rule, d.opened_on, d.last_day, d.state, d.closed_on)
FROM deadline AS d JOIN municipality AS m ON m.id = d.tenant_id
JOIN permit AS p ON p.tenant_id = d.tenant_id AND p.id = d.subject_id
UNION ALL
SELECT m.slug, 'notice', concat_ws(' ', p.number, n.template, n.address, n.state, d.last_day,
                                   (SELECT count(*) FROM notice_attempt AS t WHERE t.notice_id = n.id))
FROM notice AS n JOIN municipality AS m ON m.id = n.tenant_id
JOIN permit AS p ON p.tenant_id = n.tenant_id AND p.id = n.subject_id
JOIN deadline AS d ON d.tenant_id = n.tenant_id AND d.id = n.deadline_id
UNION ALL
SELECT m.slug, 'run', concat_ws(' ', r.day, r.kind, r.counts, r.ended_at IS NULL, r.error)
FROM run AS r JOIN municipality AS m ON m.id = r.tenant_id
ORDER BY 1, 2, 3
"""
LEFT = """
SELECT (SELECT count(*) FROM deadline WHERE state = 'open') + (SELECT count(*) FROM act_unsealed)
     + (SELECT count(*) FROM notice WHERE state <> 'sent')
     + (SELECT count(*) FROM municipality) - (SELECT count(*) FROM run WHERE ended_at IS NOT NULL)
"""


async def test_two_beats_and_four_workers_come_to_what_one_of_each_does(
    own_database: Database, servers: Servers, worker_number: int, tmp_path: Path
) -> None:
    owner_url = servers.superuser.rpartition("/")[0]
    await make_register(own_database, f"{owner_url}/{name_of(own_database)}", SIZE)
    await own_database.engine.dispose()
    twin = f"{name_of(own_database)}_twin"
    await servers.command(f'CREATE DATABASE "{twin}" TEMPLATE "{name_of(own_database)}"')
    redis = 8 + worker_number  # queues of its own
    other = Database(settings_of(servers, servers.url(twin), redis), own_database.clock)

    found = [
        await rows_after(own_database, servers, tmp_path, beats=1, workers=1),
        await rows_after(other, servers, tmp_path, beats=2, workers=4),
    ]

    await other.close()
    await servers.drop(twin)
    assert len(found[0]) > SIZE.all_terms * 2
    assert found[0] == found[1]


async def rows_after(
    database: Database, servers: Servers, folder: Path, *, beats: int, workers: int
) -> list[tuple[str, str, str]]:
    """Everything that a night of all its towns has left, by what people know it."""
    owner = await as_superuser(servers.superuser, database)

    async def all_done() -> bool:
        return int(await owner.fetchval(LEFT)) == 0

    hurried = {"PRACA_NIGHT_EVERY_SECONDS": "1", "PRACA_NIGHT_TOWNS_A_MESSAGE": "2"}
    async with listening(Reader(lambda: asyncio.sleep(0))) as port:
        with ExitStack() as running:
            for at in range(workers):
                named = ("-n", f"w{at}@%h")
                running.enter_context(
                    celery(database, *WORKER, "1", *named, folder=folder, smtp_port=port, also=hurried)
                )
            for at in range(beats):
                of_its_own = schedule(folder, f"beat-{beats}-{at}")
                running.enter_context(celery(database, "beat", *of_its_own, folder=folder, also=hurried))
            await until(all_done)
    rows = [(row[0], row[1], row[2]) for row in await owner.fetch(ROWS)]
    await owner.close()
    return rows
