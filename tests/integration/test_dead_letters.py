"""What fails is tried again, later each time, and in the end waits for somebody; what succeeds meanwhile closes it."""

from collections.abc import AsyncIterator, Iterator
from datetime import date, timedelta
from uuid import UUID, uuid4

import asyncpg
import pytest
from structlog.testing import capture_logs

from services import acts, jobs
from services.access import operator, system
from services.clock import FixedClock
from services.database import Database, Transaction
from services.dead_letters import again, store
from services.dead_letters.replaying import replay
from services.errors import Conflict, Forbidden, NotFound
from services.jobs import Progress, Task
from services.jobs.steps import STEPS
from services.notices import go_round, relay, relay_towns
from services.notices.mail import Unsent
from tests.integration.test_relay import Box, end_leases, states, tell
from tests.support.letters import cure, end_pauses, letters, pause_of, poison
from tests.support.register import as_superuser, found, make_deadline
from tests.support.servers import Servers

TODAY = date(2026, 3, 10)
OPERATOR = operator("plataforma")


@pytest.fixture
async def owner(servers: Servers, own_database: Database) -> AsyncIterator[asyncpg.Connection]:
    connection = await as_superuser(servers.superuser, own_database)
    yield connection
    await connection.close()


def set_to(database: Database, **settings: object) -> None:
    database.settings = database.settings.model_copy(update=settings)


async def poisoned(database: Database, slug: str = "doente") -> UUID:
    """A town whose night needs its law, which cannot be read."""
    town = await found(database, slug)
    async with database.transaction(town) as tx:
        await make_deadline(tx, until=TODAY + timedelta(days=20))
    await poison(database, town)
    return town


async def newest(database: Database, town: UUID) -> UUID:
    async with database.reader(town) as tx:
        (row, *_) = await store.page(tx, 1, None, None)
    return UUID(str(row.id))


async def replayed(database: Database, town: UUID) -> UUID:
    letter = await newest(database, town)
    async with database.transaction(town) as tx:
        return await replay(tx, OPERATOR, dead_letter_id=letter)


async def verbs(database: Database, town: UUID) -> list[str]:
    async with database.reader(town) as tx:
        return [row.verb for row in await tx.rows("SELECT verb FROM act WHERE verb LIKE 'dead_letter.%' ORDER BY id")]


# --- Nights -----------------------------------------------------------------------------------------------------------


async def test_a_night_that_fails_is_tried_again_after_longer_and_longer_pauses(own_database: Database) -> None:
    set_to(own_database, night_attempts=4, night_retry_seconds=100, night_retry_most_seconds=150)
    town = await poisoned(own_database)

    for attempt, pause in ((1, 100), (2, 150), (3, 150)):
        (outcome,) = await again.night(own_database, [town])
        assert outcome.error is not None
        assert await letters(own_database, town) == [("night", "waiting", outcome.error, attempt)]
        assert 0.75 * pause - 1 <= await pause_of(own_database, town) <= 1.25 * pause
        assert await again.towns_held(own_database) == [town]
        assert await again.towns_to_try_again(own_database) == []
        await end_pauses(own_database, town)
        assert await again.towns_to_try_again(own_database) == [town]


async def test_pauses_are_not_all_alike(own_database: Database) -> None:
    set_to(own_database, night_retry_seconds=1000)
    towns = [await poisoned(own_database, f"doente-{number}") for number in range(4)]

    await again.night(own_database, towns)

    assert len({round(await pause_of(own_database, town)) for town in towns}) > 1


async def test_after_the_last_attempt_it_is_dead_and_nobody_tries_it_again(own_database: Database) -> None:
    set_to(own_database, night_attempts=2)
    town = await poisoned(own_database)
    await again.night(own_database, [town])
    await end_pauses(own_database, town)

    with capture_logs() as said:
        assert await again.try_again(own_database, town) is False

    ((kind, state, error, attempts),) = await letters(own_database, town)
    assert (kind, state, attempts) == ("night", "dead", 2)
    assert [line["code"] for line in said if line["event"] == "dead letter"] == [error]
    assert await again.towns_to_try_again(own_database) == []
    assert await again.towns_held(own_database) == [town]


async def test_the_others_of_a_chunk_are_done_in_the_same_run(own_database: Database) -> None:
    """The one that cannot be read is the first."""
    sick = await poisoned(own_database)
    sound = [await found(own_database, f"sadia-{number}") for number in range(3)]
    for town in sound:
        async with own_database.transaction(town) as tx:
            await make_deadline(tx, until=TODAY - timedelta(days=1))

    outcomes = await again.night(own_database, [sick, *sound])

    assert [outcome.expired for outcome in outcomes] == [0, 1, 1, 1]
    async with own_database.reader(sick) as tx:
        run = await tx.one("SELECT ended_at, error FROM run")
    assert (run.ended_at, run.error) == (None, outcomes[0].error)
    assert [await letters(own_database, town) for town in sound] == [[], [], []]


async def test_a_replay_is_an_act_once_and_a_success_closes_it(
    own_database: Database, owner: asyncpg.Connection
) -> None:
    set_to(own_database, night_attempts=1)
    town = await poisoned(own_database)
    await again.night(own_database, [town])
    await replayed(own_database, town)
    await replayed(own_database, town)
    assert await again.towns_to_try_again(own_database) == [town]
    await cure(owner)

    assert await again.try_again(own_database, town) is True

    ((_, state, _, _),) = await letters(own_database, town)
    assert state == "closed"
    assert await verbs(own_database, town) == ["dead_letter.replayed"]
    assert await again.towns_held(own_database) == []
    await replayed(own_database, town)  # nothing is left to do
    assert await verbs(own_database, town) == ["dead_letter.replayed"]


async def test_a_replay_that_fails_is_dead_again_at_once(own_database: Database) -> None:
    set_to(own_database, night_attempts=3)
    town = await poisoned(own_database)
    for _ in range(3):
        await again.night(own_database, [town])
    await replayed(own_database, town)

    await again.try_again(own_database, town)

    ((_, state, _, attempts),) = await letters(own_database, town)
    assert (state, attempts) == ("dead", 4)


async def test_the_next_day_s_night_is_not_held_and_closes_what_it_did_as_well(
    own_database: Database, clock: FixedClock, owner: asyncpg.Connection
) -> None:
    set_to(own_database, night_attempts=1)
    town = await poisoned(own_database)
    await again.night(own_database, [town])
    clock.advance(timedelta(days=1))
    assert await again.towns_held(own_database) == []
    await cure(owner)

    await again.night(own_database, [town])

    assert [state for _, state, _, _ in await letters(own_database, town)] == ["closed"]


async def test_a_town_that_ends_every_process_is_left_alone_in_the_end(own_database: Database) -> None:
    set_to(own_database, night_attempts=3)
    town = await found(own_database)

    assert [await again.lost(own_database, town) for _ in range(3)] == [True, True, False]

    assert await letters(own_database, town) == [("night", "dead", "WorkerLostError", 3)]


async def test_a_night_that_comes_no_further_in_the_time_of_a_task_waits(own_database: Database) -> None:
    town = await found(own_database)
    before = await again.progress(own_database, town)
    assert await again.timed_out(own_database, town, before) is False
    async with own_database.transaction(town) as tx:
        await make_deadline(tx, until=TODAY - timedelta(days=1))
    await again.night(own_database, [town])

    assert await again.timed_out(own_database, town, before) is True

    assert await letters(own_database, town) == [("night", "closed", "SoftTimeLimitExceeded", 1)]


# --- Notices, jobs, messages ------------------------------------------------------------------------------------------


async def test_a_notice_that_was_tried_in_vain_is_sent_by_a_replay(own_database: Database) -> None:
    set_to(own_database, notice_attempts=2)
    town, box = await found(own_database), Box()
    await tell(own_database, town, "a")
    box.instead = Unsent("unreachable", "down", final=False)
    for _ in range(2):
        await relay(own_database, town, box)
        await end_leases(own_database, town)
    assert await letters(own_database, town) == [("notice", "dead", "unreachable", 1)]
    box.instead = None
    assert await relay(own_database, town, box) == {}

    await replayed(own_database, town)
    assert await relay(own_database, town, box) == {"sent": 1}

    assert await states(own_database, town) == {"a": ("sent", 1)}
    assert await letters(own_database, town) == [("notice", "closed", "unreachable", 1)]


async def test_what_the_server_refuses_for_good_is_no_dead_letter(own_database: Database) -> None:
    """Nobody can mend it but whoever has the address."""
    town, box = await found(own_database), Box()
    await tell(own_database, town, "a")
    box.instead = Unsent("refused", "reply 550", final=True)

    await relay(own_database, town, box)

    assert await letters(own_database, town) == []


@pytest.fixture
def steps() -> Iterator[list[str]]:
    """A kind of job that breaks as long as the list is empty."""
    mended: list[str] = []

    async def brittle(tx: Transaction, task: Task) -> Progress:
        if not mended:
            raise RuntimeError("with what it held")
        return Progress(1, finished=True)

    STEPS["brittle"] = brittle
    yield mended
    del STEPS["brittle"]


async def test_a_job_that_broke_goes_on_by_a_replay(own_database: Database, steps: list[str]) -> None:
    set_to(own_database, job_attempts=1)
    town = await found(own_database)
    async with own_database.transaction(town) as tx:
        act = await acts.record(tx, OPERATOR, "thing.asked", on=("thing", uuid4()))
        job = await jobs.queue(tx, OPERATOR, act, kind="brittle", subject=("thing", uuid4()), office=None)
    await jobs.work(own_database, town)
    assert await letters(own_database, town) == [("job", "dead", "RuntimeError", 1)]

    await replayed(own_database, town)
    steps.append("mended")
    await jobs.work(own_database, town)

    async with own_database.reader(town) as tx:
        assert await tx.scalar("SELECT state FROM job WHERE id = :id", id=job) == "done"
    assert await letters(own_database, town) == [("job", "closed", "RuntimeError", 1)]


async def test_a_job_is_not_replayed_beside_another_like_it(own_database: Database, steps: list[str]) -> None:
    set_to(own_database, job_attempts=1)
    town, subject = await found(own_database), ("thing", uuid4())
    for _ in range(2):
        async with own_database.transaction(town) as tx:
            act = await acts.record(tx, OPERATOR, "thing.asked", on=subject)
            await jobs.queue(tx, OPERATOR, act, kind="brittle", subject=subject, office=None)
        if not await letters(own_database, town):
            await jobs.work(own_database, town)

    with pytest.raises(Conflict):
        await replayed(own_database, town)

    assert await letters(own_database, town) == [("job", "dead", "RuntimeError", 1)]


async def test_a_message_that_failed_as_a_whole_is_a_letter_in_each_of_its_towns(own_database: Database) -> None:
    towns = [await found(own_database, slug) for slug in ("uma", "outra")]
    await again.message_failed(own_database, again.SEAL, towns, OSError("away"))
    assert [await letters(own_database, town) for town in towns] == [[("message", "dead", "OSError", 1)]] * 2

    await replayed(own_database, towns[0])
    assert await again.towns_to_try_again(own_database) == [towns[0]]
    assert await again.try_again(own_database, towns[0]) is True

    assert [state for town in towns for _, state, _, _ in await letters(own_database, town)] == ["closed", "dead"]
    async with own_database.reader(towns[0]) as tx:
        assert await acts.verify(tx) == []
        assert await tx.scalar("SELECT count(*) FROM act_unsealed") == 0


async def test_a_town_whose_notices_cannot_be_made_pauses_and_the_others_go_on(
    own_database: Database, owner: asyncpg.Connection
) -> None:
    sick, sound, box = await found(own_database, "doente"), await found(own_database, "sadia"), Box()
    for town in (sick, sound):
        await tell(own_database, town, "a")
    await poison(own_database, sick)

    assert await go_round(own_database, box) == {"sent": 1, "towns failed": 1}
    assert await go_round(own_database, box) == {}, "it pauses"

    ((kind, state, _, _),) = await letters(own_database, sick)
    assert (kind, state) == ("message", "waiting")
    await cure(owner)
    assert await relay_towns(own_database, [sick], box) == {"sent": 1}
    assert [state for _, state, _, _ in await letters(own_database, sick)] == ["closed"]


# --- Who may, and whose -----------------------------------------------------------------------------------------------


async def test_only_who_may_publish_law_replays(own_database: Database) -> None:
    town = await found(own_database)
    await again.lost(own_database, town)
    letter = await newest(own_database, town)

    with pytest.raises(Forbidden):
        async with own_database.transaction(town) as tx:
            await replay(tx, system(town), dead_letter_id=letter)


async def test_another_town_s_letter_is_one_that_never_existed(own_database: Database) -> None:
    ours, theirs = await found(own_database, "uma"), await found(own_database, "outra")
    await again.lost(own_database, ours)
    letter = await newest(own_database, ours)

    with pytest.raises(NotFound):
        async with own_database.transaction(theirs) as tx:
            await replay(tx, OPERATOR, dead_letter_id=letter)
