"""The night: each expiry once, by the town's own day, whatever cuts it short or runs beside it."""

import asyncio
import os
import signal
import sys
from collections.abc import Awaitable, Callable
from datetime import UTC, date, datetime, timedelta
from uuid import UUID

import pytest

from deploy.embedded.place import PYTHONPATH, ROOT
from services.clock import FixedClock
from services.database import Database
from services.errors import Expected
from services.nights import due_towns, night, store
from services.nights.deriving import night_law
from services.nights.night import batch
from services.outages import named
from tests.support.register import found, make_deadline, make_licence, make_many
from tests.support.waiting import until_waiting

TODAY = date(2026, 3, 10)
YESTERDAY = TODAY - timedelta(days=1)
BEFORE_MIDNIGHT = datetime(2026, 3, 11, 3, 30, tzinfo=UTC)  # half past eleven of the 10th in Mato Grosso, UTC-4
AFTER_MIDNIGHT = datetime(2026, 3, 11, 4, 0, tzinfo=UTC)


def smaller_batches(database: Database, batch: int) -> None:
    database.settings = database.settings.model_copy(update={"night_batch": batch})


async def times_recorded(database: Database, town: UUID) -> dict[UUID, int]:
    async with database.reader(town) as tx:
        rows = await tx.rows("SELECT subject_id, count(*) AS n FROM act WHERE verb = 'deadline.expired' GROUP BY 1")
    return {row.subject_id: row.n for row in rows}


async def notices(database: Database, town: UUID) -> list[str]:
    async with database.reader(town) as tx:
        return [row.key for row in await tx.rows("SELECT key FROM notice ORDER BY id")]


async def the_run(database: Database, town: UUID) -> tuple[bool, int, dict[str, int], str | None]:
    async with database.reader(town) as tx:
        row = await tx.one("SELECT ended_at IS NOT NULL AS ended, attempts, counts, error FROM run")
    return row.ended, row.attempts, row.counts, row.error


async def until(condition: Callable[[], Awaitable[bool]]) -> None:
    async with asyncio.timeout(20):
        while not await condition():  # noqa: ASYNC110 - another process brings it about
            await asyncio.sleep(0.02)


async def start_night(database: Database, town: UUID) -> asyncio.subprocess.Process:
    settings = database.settings
    environment = {
        **os.environ,
        "PYTHONPATH": PYTHONPATH,
        "PRACA_DATABASE_URL": str(settings.database_url),
        "PRACA_REDIS_URL": str(settings.redis_url),
        "PRACA_EMBEDDED": "1",
        "PRACA_CLOCK": database.clock.now().isoformat(),
        "PRACA_NIGHT_BATCH": str(settings.night_batch),
    }
    return await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tests.support.one_night", str(town), cwd=ROOT, env=environment
    )


async def test_a_night_killed_after_a_batch_is_taken_up_and_records_each_expiry_once(own_database: Database) -> None:
    town = await found(own_database)
    smaller_batches(own_database, 2)
    async with own_database.transaction(town) as tx:
        over = [await make_deadline(tx, until=YESTERDAY, follows=[{"do": "notify"}]) for _ in range(5)]

    async def one_batch_done() -> bool:
        return len(await times_recorded(own_database, town)) == 2

    async with own_database.transaction(town) as holder:
        await holder.rows("SELECT id FROM deadline WHERE id = :id FOR UPDATE", id=over[3])
        killed = await start_night(own_database, town)
        await until(one_batch_done)
        await until_waiting(holder, 1)
        killed.send_signal(signal.SIGKILL)
        await killed.wait()
        assert set(await times_recorded(own_database, town)) == set(over[:2])

    await night(own_database, [town])

    assert await times_recorded(own_database, town) == dict.fromkeys(over, 1)
    assert sorted(await notices(own_database, town)) == sorted(f"expired:{each}" for each in over)
    assert await the_run(own_database, town) == (True, 2, {"expired": 5}, None)


async def test_nights_at_once_record_each_expiry_once(own_database: Database) -> None:
    town = await found(own_database)
    smaller_batches(own_database, 7)
    async with own_database.transaction(town) as tx:
        over = await make_many(tx, 60, until=YESTERDAY)

    started = [await start_night(own_database, town) for _ in range(2)]
    beside = await asyncio.gather(*(night(own_database, [town]) for _ in range(3)))
    assert [await process.wait() for process in started] == [0, 0]

    assert [outcome.error for outcomes in beside for outcome in outcomes] == [None] * 3
    assert await times_recorded(own_database, town) == dict.fromkeys(over, 1)
    assert (await the_run(own_database, town))[2:] == ({"expired": 60}, None)


async def test_missed_nights_are_caught_up_each_expiry_on_its_own_day(own_database: Database) -> None:
    town = await found(own_database)
    days = [date(2025, 12, 31), date(2026, 1, 31), date(2026, 2, 28), YESTERDAY]
    async with own_database.transaction(town) as tx:
        over = {await make_deadline(tx, until=day): day for day in days}

    (outcome,) = await night(own_database, [town])

    assert outcome.expired == 4
    async with own_database.reader(town) as tx:
        recorded = await tx.rows("SELECT subject_id, legal_day FROM act WHERE verb = 'deadline.expired'")
    assert {row.subject_id: row.legal_day for row in recorded} == over


async def test_a_finished_night_is_not_done_again(own_database: Database) -> None:
    town = await found(own_database)
    await night(own_database, [town])
    async with own_database.transaction(town) as tx:
        await make_deadline(tx, until=YESTERDAY)

    (again,) = await night(own_database, [town])

    assert again.expired == 0
    assert await due_towns(own_database) == []


async def cut_short(database: Database, town: UUID, *, error: str | None = None) -> None:
    """Every batch but the last, which would have ended the run."""
    async with database.transaction(town) as tx:
        await store.start(tx, tx.today)
        await batch(tx, tx.today)
        if error:
            await store.record_error(tx, tx.today, error)


async def test_a_night_killed_before_its_run_had_ended_is_due_though_nothing_is_over_any_more(
    own_database: Database,
) -> None:
    town, other = await found(own_database), await found(own_database, "other")
    async with own_database.transaction(town) as tx:
        await make_deadline(tx, until=YESTERDAY)
    await cut_short(own_database, town)

    due = await due_towns(own_database)
    await night(own_database, due)

    assert due == [town]
    assert await the_run(own_database, town) == (True, 2, {"expired": 1}, None)
    assert await due_towns(own_database) == []
    assert other not in due


@pytest.mark.parametrize("at_once", [False, True])
async def test_a_night_ends_the_earlier_ones_that_were_cut_short_or_failed(
    own_database: Database, clock: FixedClock, at_once: bool
) -> None:
    """It has done what they left; nobody is told of them for ever."""
    town = await found(own_database)
    for error in ("OSError", None):
        async with own_database.transaction(town) as tx:
            await make_deadline(tx, until=tx.today - timedelta(days=1))
        await cut_short(own_database, town, error=error)
        clock.advance(timedelta(days=1))
    if at_once:
        async with own_database.transaction(town) as tx:
            await night_law(tx, tx.today)

    await night(own_database, await due_towns(own_database), at_once=at_once)

    async with own_database.reader(town) as tx:
        runs = await tx.rows("SELECT ended_at, error, day FROM run ORDER BY day")
    assert [(row.ended_at is not None, row.error) for row in runs] == [(True, None)] * 3


async def test_the_town_s_own_day_decides_not_the_server_s(own_database: Database, clock: FixedClock) -> None:
    clock.at = BEFORE_MIDNIGHT
    western = await found(own_database, "western", zone="America/Cuiaba")
    eastern = await found(own_database, "eastern", zone="America/Noronha")
    for town in (western, eastern):
        async with own_database.transaction(town) as tx:
            await make_deadline(tx, until=TODAY)

    outcomes = await night(own_database, [western, eastern])
    assert [(outcome.tenant_id, outcome.expired) for outcome in outcomes] == [(western, 0), (eastern, 1)]
    assert await due_towns(own_database) == []

    clock.at = AFTER_MIDNIGHT
    assert await due_towns(own_database) == [western]
    (outcome,) = await night(own_database, [western])
    assert outcome.expired == 1


async def test_what_ended_yesterday_has_ended_without_any_night(own_database: Database, clock: FixedClock) -> None:
    town = await found(own_database)
    async with own_database.transaction(town) as tx:
        licence = await make_licence(tx, until=TODAY)
    counted = "SELECT count(*) FILTER (WHERE state(l, :today) = 'expired') FROM licence AS l WHERE id = :id"

    for moment, ended in ((BEFORE_MIDNIGHT, 0), (AFTER_MIDNIGHT, 1)):
        clock.at = moment
        async with own_database.reader(town) as reader:
            assert await reader.scalar(counted, today=reader.today, id=licence.id) == ended
            assert await reader.scalar("SELECT count(*) FROM run") == 0


async def test_a_town_that_fails_is_recorded_and_the_others_go_on(own_database: Database) -> None:
    broken, sound = await found(own_database, "broken"), await found(own_database, "sound")
    for town in (broken, sound):
        async with own_database.transaction(town) as tx:
            await make_deadline(tx, until=YESTERDAY)
    async with own_database.transaction(broken) as tx:
        await tx.rows("""UPDATE deadline SET follows = '[{"do": "unheard of"}]'""")

    outcomes = await night(own_database, [broken, sound])

    assert [(outcome.tenant_id, outcome.expired, outcome.error) for outcome in outcomes] == [
        (broken, 0, "KeyError"),
        (sound, 1, None),
    ]
    assert await the_run(own_database, broken) == (False, 1, {}, "KeyError")
    assert await times_recorded(own_database, broken) == {}
    assert await due_towns(own_database) == [broken]

    async with own_database.transaction(broken) as tx:
        await tx.rows("UPDATE deadline SET follows = '[]'")
    await night(own_database, [broken])
    assert await the_run(own_database, broken) == (True, 2, {"expired": 1}, None)


async def test_a_day_that_has_not_begun_has_no_night(own_database: Database) -> None:
    town = await found(own_database)
    async with own_database.transaction(town) as tx:
        await make_deadline(tx, until=TODAY)

    (outcome,) = await night(own_database, [town], TODAY + timedelta(days=1))

    assert outcome.error == "Invalid INVALID"
    assert await times_recorded(own_database, town) == {}


async def test_reminders_come_once_for_each_lead_and_survive_missed_nights(
    own_database: Database, clock: FixedClock
) -> None:
    town = await found(own_database)
    async with own_database.transaction(town) as tx:
        soon = await make_deadline(tx, until=TODAY + timedelta(days=31))
    thirty, seven = f"reminder:{soon}:30 days", f"reminder:{soon}:7 days"

    async def reminded_after(days: int) -> list[str]:
        clock.advance(timedelta(days=days))
        await night(own_database, [town])
        return await notices(own_database, town)

    assert await reminded_after(0) == []
    assert await reminded_after(1) == [thirty]
    assert await reminded_after(1) == [thirty]
    assert await reminded_after(29) == [thirty, seven]  # the last day itself, after weeks without a night
    assert await reminded_after(1) == [thirty, seven]


async def test_a_deadline_that_is_over_reminds_nobody(own_database: Database) -> None:
    town = await found(own_database)
    async with own_database.transaction(town) as tx:
        await make_deadline(tx, until=YESTERDAY)
        await make_deadline(tx, until=TODAY, rule="sem_aviso")

    await night(own_database, [town])

    assert await notices(own_database, town) == []


async def test_towns_with_nothing_near_are_left_alone(own_database: Database) -> None:
    far, near = await found(own_database, "far"), await found(own_database, "near")
    await found(own_database, "empty")
    async with own_database.transaction(far) as tx:
        await make_deadline(tx, until=date(2030, 1, 1))
    async with own_database.transaction(near) as tx:
        await make_deadline(tx, until=TODAY + timedelta(days=20))

    assert await due_towns(own_database) == [near]


def test_an_error_s_text_stays_out_of_the_register() -> None:
    class Leak(Expected):
        code = "LEAK"

    assert named(Leak("CPF 52998224725")) == "Leak LEAK"
    assert named(ValueError("CPF 52998224725")) == "ValueError"
