"""Each town's night begins in the first quarter of an hour of its own day, once, whatever its clocks do."""

from collections.abc import AsyncIterator
from datetime import UTC, date, datetime, timedelta
from uuid import UUID
from zoneinfo import ZoneInfo

import pytest

from services.clock import FixedClock
from services.database import Database
from services.dead_letters import again
from services.nights import due_towns
from tests.support.register import found, make_deadline

QUARTER = timedelta(minutes=15)
MINUTE = timedelta(minutes=1)
DAY = timedelta(days=1)
QUIET, QUIET_UNTIL = 9, 24
CUIABA, SAO_PAULO = "America/Cuiaba", "America/Sao_Paulo"
NORONHA, RIO_BRANCO = "America/Noronha", "America/Rio_Branco"
ZONES = (CUIABA, SAO_PAULO, NORONHA, RIO_BRANCO)


async def town_in(database: Database, zone: str, *, terms: int = 0) -> UUID:
    """With a term that runs for months, so that there is reason to look every day, and one that ends on each day."""
    town = await found(database, zone.rpartition("/")[2].lower().replace("_", "-"), zone=zone)
    async with database.transaction(town) as tx:
        await make_deadline(tx, until=tx.today + timedelta(days=200), rule="sem_aviso")
        for number in range(terms):
            await make_deadline(tx, until=tx.today + number * DAY, rule="sem_aviso")
    return town


async def sweeps(database: Database, clock: FixedClock, until: datetime) -> AsyncIterator[datetime]:
    """What beat and a worker do, quarter after quarter; from nine to one UTC no day begins anywhere in Brazil."""
    while clock.at < until:
        if QUIET <= clock.at.hour < QUIET_UNTIL:
            clock.advance(timedelta(hours=1))
            continue
        held = await again.towns_held(database)
        await again.night(database, [town for town in await due_towns(database) if town not in held])
        yield clock.at
        clock.advance(QUARTER)


async def runs(database: Database, town: UUID) -> dict[date, datetime]:
    """When the night of each day was begun; each was begun once and has ended."""
    async with database.reader(town) as tx:
        rows = await tx.rows("SELECT day, started_at, attempts, ended_at, error FROM run WHERE kind = 'night'")
    assert {(row.attempts, row.ended_at is None, row.error) for row in rows} == {(1, False, None)}
    return {row.day: row.started_at for row in rows}


def first_minute(zone: str, day: date) -> datetime:
    """By counting minutes: the first whose date in the zone is this day, which need not be its midnight."""
    moment = datetime(day.year, day.month, day.day, tzinfo=UTC) - 12 * timedelta(hours=1)
    while moment.astimezone(ZoneInfo(zone)).date() != day:
        moment += MINUTE
    return moment


@pytest.mark.parametrize("late", [0, 14], ids=lambda late: f"{late} minutes past the quarter")
@pytest.mark.parametrize(
    "since",
    [
        pytest.param(datetime(2026, 3, 9, 20, tzinfo=UTC), id="a day like any other"),
        pytest.param(datetime(2018, 11, 2, 20, tzinfo=UTC), id="a midnight that never was"),
        pytest.param(datetime(2019, 2, 15, 20, tzinfo=UTC), id="an hour before midnight that came twice"),
    ],
)
async def test_a_night_begins_in_the_first_quarter_of_an_hour_of_its_day_once(
    own_database: Database, clock: FixedClock, since: datetime, late: int
) -> None:
    clock.at = since + late * MINUTE
    towns = {zone: await town_in(own_database, zone) for zone in ZONES}
    begun_in = {zone: since.astimezone(ZoneInfo(zone)).date() for zone in ZONES}

    async for _ in sweeps(own_database, clock, since + 2 * DAY):
        pass

    for zone, town in towns.items():
        begun = await runs(own_database, town)
        assert sorted(begun) == [begun_in[zone] + number * DAY for number in range(3)]
        for day in sorted(begun)[1:]:
            assert timedelta(0) <= begun[day] - first_minute(zone, day) < QUARTER, (zone, day)


@pytest.mark.parametrize("hour", [3, 4], ids=lambda hour: f"at {hour:02}:05 UTC")
@pytest.mark.parametrize(("was", "becomes"), [(CUIABA, NORONHA), (CUIABA, RIO_BRANCO), (RIO_BRANCO, NORONHA)])
async def test_a_corrected_time_zone_skips_no_day_and_runs_none_twice(
    own_database: Database, clock: FixedClock, was: str, becomes: str, hour: int
) -> None:
    clock.at = datetime(2026, 3, 9, 20, tzinfo=UTC)
    town = await town_in(own_database, was, terms=4)
    corrected = datetime(2026, 3, 11, hour, 5, tzinfo=UTC)

    async for moment in sweeps(own_database, clock, datetime(2026, 3, 13, 20, tzinfo=UTC)):
        if moment <= corrected < moment + QUARTER:
            async with own_database.transaction(town) as tx:
                await tx.rows("UPDATE municipality SET zone = :zone WHERE id = :tenant", zone=becomes)

    begun = await runs(own_database, town)
    assert sorted(begun) == [date(2026, 3, day) for day in range(9, 14)]
    async with own_database.reader(town) as tx:
        acts = await tx.rows(
            "SELECT legal_day, local_day, at FROM act WHERE verb = 'deadline.expired' ORDER BY legal_day"
        )
    assert [act.legal_day for act in acts] == [date(2026, 3, day) for day in range(9, 13)]
    for act in acts:
        zone = was if act.at <= corrected else becomes
        assert act.local_day == act.legal_day + DAY
        due = max(first_minute(zone, act.local_day), corrected if act.at > corrected else act.at - QUARTER)
        assert act.at - due <= QUARTER


async def test_a_town_that_came_late_yesterday_brings_its_old_terms_and_misses_no_day(
    own_database: Database, clock: FixedClock
) -> None:
    clock.at = datetime(2026, 3, 11, 3, 50, tzinfo=UTC)  # ten to midnight of the 10th in Cuiabá
    town = await town_in(own_database, CUIABA)
    async with own_database.transaction(town) as tx:
        old = [date(2025, 12, 31), date(2026, 3, 9), date(2026, 3, 10)]
        for until in old:
            await make_deadline(tx, until=until, rule="sem_aviso")

    async for _ in sweeps(own_database, clock, datetime(2026, 3, 12, 5, tzinfo=UTC)):
        pass

    assert sorted(await runs(own_database, town)) == [date(2026, 3, day) for day in (10, 11, 12)]
    async with own_database.reader(town) as tx:
        acts = await tx.rows("SELECT legal_day, local_day FROM act WHERE verb = 'deadline.expired' ORDER BY legal_day")
    assert [act.legal_day for act in acts] == old
    assert [act.local_day.day for act in acts] == [10, 10, 11]
