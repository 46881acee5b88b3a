"""Everything is killed at random points of a night: afterwards each term is recorded once, each notice delivered.

The seed is shown; `PRACA_CHAOS_SEED` repeats a run's points. `./praca test --chaos` runs the large one.
"""

import os
import random
import shutil
import sys
import time
from collections import Counter
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from uuid import UUID

import pytest

from services import acts
from services.clock import FixedClock
from services.database import Database
from tests.chaos.instance import DATABASE, Instance
from tests.chaos.register import Size, make_register

NOW = datetime(2026, 3, 10, 15, 0, tzinfo=UTC)
SMALL = Size(towns=12, terms=60, telling=15, seconds=180)
LARGE = Size(towns=200, terms=100, telling=25, seconds=600)
KINDS = ("worker", "child", "beat", "api", "valkey", "postgres", "answer")
LEFT = """
SELECT (SELECT count(*) FROM deadline WHERE state = 'open') AS open,
       (SELECT count(*) FROM deadline WHERE state = 'expired') AS expired,
       (SELECT count(*) FROM notice WHERE state <> 'sent') AS unsent,
       (SELECT count(*) FROM notice WHERE state = 'sent') AS sent,
       (SELECT count(*) FROM act_unsealed) AS unsealed,
       (SELECT count(*) FROM run WHERE ended_at IS NOT NULL) AS nights,
       (SELECT count(*) FROM dead_letter WHERE state <> 'closed') AS letters
"""


@dataclass(order=True)
class Blow:
    """When so great a part of the terms is recorded, or of the notices sent, this is killed."""

    of_mail: bool
    part: float
    kind: str = field(compare=False)


@dataclass
class Seen:
    killed: Counter[str] = field(default_factory=Counter)
    relays_killed: int = 0
    between: set[str] = field(default_factory=set)  # taken up, and not recorded when a relay was killed


def blows(chance: Random, how_many: int) -> list[Blow]:
    kinds = [*KINDS, *(chance.choice(KINDS) for _ in range(how_many - len(KINDS)))]
    chance.shuffle(kinds)
    planned = []
    for number, kind in enumerate(kinds):
        answer = kind == "answer"  # early, while enough is left of which one is kept back
        planned.append(Blow(answer or number % 2 == 0, chance.uniform(0.02, 0.2 if answer else 0.9), kind))
    return sorted(planned)


async def strike(instance: Instance, kind: str, chance: Random, seen: Seen) -> None:
    before = seen.relays_killed
    match kind:
        case "beat" | "api":
            instance.kill(chance.choice(instance.of(kind)))
        case "valkey":
            instance.kill_valkey()
        case "postgres":
            instance.kill_postgres()
        case "child":
            seen.relays_killed += instance.kill_child(chance.choice(instance.of("worker")), chance)
        case "worker":
            seen.relays_killed += instance.kill(chance.choice(instance.of("worker")))
        case "answer":
            if not await strike_before_the_answer(instance, seen):
                return
    seen.killed[kind] += 1
    if seen.relays_killed > before:
        seen.between |= await taken_up(instance)


async def strike_before_the_answer(instance: Instance, seen: Seen) -> bool:
    """Every worker, while the mail server has accepted something and has not yet said so; False: nothing was left."""
    hold, held = instance.mail / "hold", instance.mail / "held"
    held.unlink(missing_ok=True)
    hold.touch()

    async def keeps_back() -> bool:
        (left,) = await instance.rows(LEFT)
        return held.exists() or (left["open"], left["unsent"]) == (0, 0)

    await instance.until(keeps_back, seconds=60)
    if not held.exists():
        hold.unlink()
        return False
    for worker in instance.of("worker"):
        seen.relays_killed += instance.kill(worker)
    hold.unlink()
    return True


async def taken_up(instance: Instance) -> set[str]:
    """What some relay has claimed and nobody has recorded: the server may have it or not."""
    rows = await instance.rows("SELECT message_id FROM notice WHERE state = 'queued' AND attempts > 0")
    return {row["message_id"] for row in rows}


async def run(instance: Instance, size: Size, planned: list[Blow], chance: Random) -> Seen:
    seen = Seen()
    instance.start()

    async def done() -> bool:
        (left,) = await instance.rows(LEFT)
        if planned and progress(left, size, of_mail=planned[0].of_mail) >= planned[0].part:
            await strike(instance, planned.pop(0).kind, chance, seen)
            return False
        ended = (left["open"], left["unsent"], left["unsealed"], left["letters"]) == (0, 0, 0, 0)
        return ended and not planned and left["nights"] == size.towns and left["sent"] == size.all_notices

    try:
        await instance.until(done, seconds=size.seconds)
    except TimeoutError:
        say(await instance.told(LEFT))
        raise
    return seen


def progress(left: dict[str, int], size: Size, *, of_mail: bool) -> float:
    return left["sent"] / size.all_notices if of_mail else left["expired"] / size.all_terms


@pytest.fixture
async def instance(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Instance]:
    made = Instance(folder_in_memory(tmp_path_factory), FixedClock(NOW))
    yield made
    made.stop()
    shutil.rmtree(made.folder, ignore_errors=True)


def folder_in_memory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Beside the servers of the tests; PostgreSQL may run as another user, who must get there."""
    folder = Path(os.environ["PRACA_TEST_FOLDER"]) / f"chaos-{os.getpid()}-{time.monotonic_ns()}"
    folder.mkdir(mode=0o711)
    return folder


def say(line: str) -> None:
    """Shown of a test that fails, and with `-s`."""
    sys.stdout.write(f"\n{line}\n")


def seeded() -> tuple[int, Random]:
    seed = int(os.environ.get("PRACA_CHAOS_SEED") or random.SystemRandom().randrange(10**6))
    return seed, Random(seed)  # noqa: S311 - no secret


@pytest.mark.parametrize(
    ("size", "how_many"), [pytest.param(SMALL, 8, id="small"), pytest.param(LARGE, 16, id="large")]
)
async def test_whatever_is_killed_each_term_is_recorded_once_and_each_notice_delivered(
    instance: Instance, size: Size, how_many: int, request: pytest.FixtureRequest
) -> None:
    if size is LARGE and not request.config.getoption("--chaos"):
        pytest.skip("minutes long: ./praca test --chaos")
    seed, chance = seeded()
    planned = blows(chance, how_many)
    say(f"PRACA_CHAOS_SEED={seed}")
    database = await instance.prepare()
    await make_register(database, instance.postgres.url(DATABASE), size)
    begin = time.monotonic()

    seen = await run(instance, size, planned, chance)

    took = time.monotonic() - begin
    await each_term_is_recorded_once(instance, size)
    repeats = await each_notice_is_delivered(instance, size, seen)
    await instance.until(instance.answers, seconds=60)
    await seals_hold(instance, database, chance)
    killed = ", ".join(f"{kind} {count}" for kind, count in sorted(seen.killed.items()))
    say(f"{size.all_terms} terms, {size.all_notices} notices in {took:.0f} s; killed: {killed}")
    say(f"{seen.relays_killed} relay processes killed, {sum(repeats.values())} messages repeated")
    await database.close()


async def each_term_is_recorded_once(instance: Instance, size: Size) -> None:
    (found,) = await instance.rows(
        """
        SELECT count(*) AS acts, count(DISTINCT (a.tenant_id, a.subject_id)) AS terms,
               count(*) FILTER (WHERE a.legal_day = d.last_day AND d.closed_act = a.id AND d.state = 'expired') AS right
        FROM act AS a LEFT JOIN deadline AS d ON d.tenant_id = a.tenant_id AND d.id = a.subject_id
        WHERE a.verb = 'deadline.expired'
        """
    )
    assert tuple(found.values()) == (size.all_terms,) * 3
    (whole,) = await instance.rows("SELECT count(*) AS rows FROM deadline")
    assert whole["rows"] == size.all_terms


async def each_notice_is_delivered(instance: Instance, size: Size, seen: Seen) -> Counter[str]:
    """At least once, recorded once; what came twice was between acceptance and commit when a relay was killed."""
    journal = Counter(instance.journal())
    rows = await instance.rows(
        "SELECT n.message_id, (SELECT count(*) FROM notice_attempt AS a WHERE a.tenant_id = n.tenant_id "
        "AND a.notice_id = n.id AND a.outcome = 'sent') AS sent FROM notice AS n"
    )
    assert len(rows) == size.all_notices
    assert {row["message_id"] for row in rows} == set(journal)
    assert {row["sent"] for row in rows} == {1}
    repeats = Counter({message: times - 1 for message, times in journal.items() if times > 1})
    assert set(repeats) <= seen.between
    assert sum(repeats.values()) <= seen.relays_killed
    return repeats


async def seals_hold(instance: Instance, database: Database, chance: Random) -> None:
    towns = [row["id"] for row in await instance.rows("SELECT id FROM municipality ORDER BY id")]
    for town in chance.sample(towns, 3):
        async with database.reader(UUID(str(town))) as tx:
            assert await acts.verify(tx) == []
