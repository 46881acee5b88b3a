"""A file of a register is kept only so long: the night drops what it says of people, and keeps what became of it."""

from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest

from services.clock import FixedClock
from services.database import Database
from services.errors import Invalid
from services.importing.checking import check_import
from services.importing.dropping import drop_old_files, towns_with_old_files
from services.importing.running import run_import
from tests.conftest import NOW
from tests.support.factories import BARRA, COTRIGUACU, make_town, officer
from tests.support.importing import Importer
from tests.support.sheets import people, table, xlsx

TODAY = NOW.date()


@pytest.fixture
async def barra(own_database: Database) -> Importer:
    return Importer(own_database, await make_town(own_database, BARRA))


def wait(clock: FixedClock, barra: Importer, *, short_by: int = 0) -> None:
    """Until the file has been kept as long as the installation says, but so many seconds."""
    clock.at = NOW + timedelta(days=barra.database.settings.import_keep_days, seconds=1 - short_by)


async def kept(barra: Importer, import_id: UUID) -> dict[str, Any]:
    """How much of a file there still is."""
    sizes = "SELECT length(content) AS content, state, rows, dropped_on FROM import_file WHERE id = :id"
    async with barra.database.reader(barra.town) as tx:
        row = (await tx.one(sizes, id=import_id))._asdict()
        for name in ("row", "key", "issue"):
            counted = f"SELECT count(*) FROM import_{name} WHERE import_id = :id"  # noqa: S608
            row[name] = await tx.scalar(counted, id=import_id)
    return row


async def test_an_imported_file_is_dropped_and_its_report_stays(barra: Importer, clock: FixedClock) -> None:
    rows = people(3, TODAY)
    rows[1]["C.P.F."] = "111.444.777-36"
    import_id = await barra.whole(xlsx(table(rows)))
    before, counts = await kept(barra, import_id), (await barra.file(import_id)).counts
    people_before = await barra.counted("person", "permit")

    wait(clock, barra, short_by=2)
    early = await drop_old_files(barra.database, barra.town)
    wait(clock, barra)
    late, again = [await drop_old_files(barra.database, barra.town) for _ in range(2)]

    after = await kept(barra, import_id)
    assert (early, late, again) == (0, 1, 0)
    assert (before["content"] > 0, before["row"], before["key"] > 0) == (True, 3, True)
    assert after == {**before, "content": 0, "row": 0, "key": 0, "dropped_on": clock.at.date()}
    assert (await barra.file(import_id)).counts == counts
    assert await barra.counted("person", "permit") == people_before, "what was imported stays"
    async with barra.database.reader(barra.town) as tx:
        issue = await tx.one("SELECT row, letter, code, message, hint FROM import_issue")
        verbs = await tx.rows("SELECT verb, actor FROM act WHERE subject_id = :id ORDER BY id", id=import_id)
        said = await tx.scalar("SELECT count(*) FROM import_issue WHERE message LIKE '%111%' OR hint LIKE '%111%'")
    assert (issue.row, issue.letter, issue.code, said) == (3, issue.letter, issue.code, 0)
    assert "descartado" in issue.message
    assert [(row.verb, row.actor) for row in verbs][-1] == ("import.dropped", "system")
    assert {"import.received", "import.finished"} <= {row.verb for row in verbs}


async def test_only_towns_that_keep_something_too_long_are_visited(barra: Importer, clock: FixedClock) -> None:
    other = await make_town(barra.database, COTRIGUACU)
    await barra.whole(xlsx(table(people(1, TODAY))))

    wait(clock, barra, short_by=2)
    early = await towns_with_old_files(barra.database, [other, barra.town])
    wait(clock, barra)

    assert early == []
    assert await towns_with_old_files(barra.database, [other, barra.town]) == [barra.town]


async def test_what_is_being_worked_on_waits_for_the_next_night(barra: Importer, clock: FixedClock) -> None:
    import_id = await barra.sent(xlsx(table(people(1, TODAY))))
    await barra.asked(import_id)
    wait(clock, barra)

    meanwhile = await drop_old_files(barra.database, barra.town)
    await barra.worked()

    assert (meanwhile, await drop_old_files(barra.database, barra.town)) == (0, 1)


async def test_a_dropped_file_is_sent_again_unless_it_was_imported(barra: Importer, clock: FixedClock) -> None:
    content, done = xlsx(table(people(2, TODAY))), xlsx(table(people(1, TODAY)))
    waiting, imported = await barra.sent(content), await barra.whole(done)
    wait(clock, barra)
    assert await drop_old_files(barra.database, barra.town) == 2

    async with barra.database.transaction(barra.town) as tx:
        clerk, grants = await officer(tx, "register"), await officer(tx, "grant")
        with pytest.raises(Invalid, match="descartada"):
            await check_import(tx, clerk, import_id=waiting)
        with pytest.raises(Invalid, match="descartada"):
            await run_import(tx, grants, import_id=waiting)
    again, same = await barra.sent(content), await barra.sent(done)
    await barra.checked(again)

    assert (again, same) == (waiting, imported)
    assert (await kept(barra, waiting))["row"] == 2
    assert (await kept(barra, imported))["content"] == 0, "a second import of the same changes nothing"
