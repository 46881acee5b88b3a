"""Long work as it runs: beat finds it, a worker of its own queue does it, another town's goes on beside it."""

from pathlib import Path

from services.database import Database
from services.importing.checking import check_import
from services.importing.running import run_import
from tests.conftest import NOW
from tests.integration.test_workers import WORKER, celery, until
from tests.support.factories import BARRA, COTRIGUACU, make_town, officer
from tests.support.importing import DEFAULTS, Importer
from tests.support.sheets import people, table, xlsx

OF_THE_OTHER = ({"field": "category", "value": "taxi"}, {"field": "holder_kind", "value": "pessoa_fisica"})


async def test_what_two_towns_ask_for_is_done_without_anybody_calling_it(
    own_database: Database, tmp_path: Path
) -> None:
    towns = [Importer(own_database, await make_town(own_database, slug)) for slug in (BARRA, COTRIGUACU)]
    content = xlsx(table(people(30, NOW.date())))
    ids = [await town.sent(content) for town in towns]
    for town, import_id, defaults in zip(towns, ids, (DEFAULTS, OF_THE_OTHER), strict=True):
        async with own_database.transaction(town.town) as tx:
            await check_import(tx, await officer(tx, "register"), import_id=import_id, defaults=defaults)

    async def are(state: str) -> bool:
        found = []
        for town, import_id in zip(towns, ids, strict=True):
            async with own_database.reader(town.town) as tx:
                found.append(await tx.scalar("SELECT state FROM import_file WHERE id = :id", id=import_id))
        return found == [state, state]

    schedule = ("--pidfile=", "--schedule", str(tmp_path / "beat"))
    with (
        celery(own_database, *WORKER, "1", "-Q", "sweeps,imports", folder=tmp_path, smtp_port=25),
        celery(own_database, "beat", *schedule, folder=tmp_path, smtp_port=25),
    ):
        await until(lambda: are("checked"))
        for town, import_id in zip(towns, ids, strict=True):
            async with own_database.transaction(town.town) as tx:
                await run_import(tx, await officer(tx, "grant"), import_id=import_id)
        await until(lambda: are("imported"))

    assert [await town.counted("permit", "notice") for town in towns] == [{"permit": 30, "notice": 0}] * 2
