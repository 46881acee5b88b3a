"""Towns that no night can be done in, each the first of its message: the others are done in that run, somebody is told,
and whoever mends the law need do nothing more. Real beat, worker, API and mail server.
"""

import shutil
from collections import Counter
from collections.abc import AsyncIterator
from dataclasses import dataclass
from uuid import UUID

import asyncpg
import pytest

from deploy.embedded.program import Program, free_port
from services.clock import FixedClock
from services.database import Database
from services.nights.deriving import night_law
from tests.chaos.instance import DATABASE, Instance
from tests.chaos.register import OPENING, Size, make_register
from tests.chaos.test_chaos import NOW, folder_in_memory, say
from tests.support.alerts import raised
from tests.support.workers import sample, scraped

SIZE = Size(towns=6, terms=12, telling=3)
A_MESSAGE = 3
ALERT, SWEEP = "TownNightFailed", "workers.tasks.start_nights"
# Of the first: its law no longer reads, and what follows its terms asks it. Of the other: what nights need of the law.
UNREADABLE = (
    "UPDATE law_item SET payload = payload - 'starts' WHERE tenant_id = $1 AND kind = 'term'",
    """UPDATE deadline SET follows = '[{"do": "notify"}, {"do": "draw", "infraction": "I-1"}]' WHERE tenant_id = $1""",
)
READABLE = """UPDATE law_item SET payload = payload || '{"starts": "issued"}' WHERE tenant_id = $1 AND kind = 'term'"""
NONSENSE = (
    """UPDATE night_law SET reminders = jsonb_set(reminders, '{0,reach}', '"by and by"') WHERE tenant_id = $1""",
    """
    INSERT INTO deadline (tenant_id, kind, rule, subject_kind, subject_id, opened_on, last_day, article, opened_act)
    SELECT tenant_id, kind, rule, subject_kind, subject_id, opened_on, date '2026-03-30', article, opened_act
    FROM deadline WHERE tenant_id = $1 LIMIT 1
    """,
)
DERIVED_ANEW = "DELETE FROM night_law WHERE tenant_id = $1"
STANDING = """
SELECT m.slug, r.ended_at IS NOT NULL AS ended, r.error, r.attempts, l.state AS letter, l.again_at IS NOT NULL AS again,
       d.open, d.expired, a.acts, a.terms, a.drawn, n.notices, n.unsent, n.reminders
FROM municipality AS m
LEFT JOIN run AS r ON r.tenant_id = m.id
LEFT JOIN dead_letter AS l ON l.tenant_id = m.id
CROSS JOIN LATERAL (
    SELECT count(*) FILTER (WHERE state = 'open' AND last_day < '2026-03-10') AS open,
           count(*) FILTER (WHERE state = 'expired') AS expired
    FROM deadline WHERE tenant_id = m.id
) AS d
CROSS JOIN LATERAL (
    SELECT count(*) FILTER (WHERE verb = 'deadline.expired') AS acts,
           count(DISTINCT subject_id) FILTER (WHERE verb = 'deadline.expired') AS terms,
           count(*) FILTER (WHERE verb = 'infraction.drawn') AS drawn
    FROM act WHERE tenant_id = m.id
) AS a
CROSS JOIN LATERAL (
    SELECT count(*) FILTER (WHERE key LIKE 'expired:%') AS notices, count(*) FILTER (WHERE state <> 'sent') AS unsent,
           count(*) FILTER (WHERE key LIKE 'reminder:%') AS reminders
    FROM notice WHERE tenant_id = m.id
) AS n
ORDER BY m.id
"""


class Watched(Instance):
    """One sweep for nights, beat's first; and the processes that have metrics show them."""

    def __init__(self, *given: object, **more: int) -> None:
        super().__init__(*given, **more)  # type: ignore[arg-type]
        self.shown = {"api": free_port(), "worker-0": free_port()}

    def program(self, name: str, module: str, *arguments: str) -> Program:
        made = super().program(name, module, *arguments)
        alike = {"PRACA_NIGHT_EVERY_SECONDS": "900", "PRACA_NIGHT_TOWNS_A_MESSAGE": str(A_MESSAGE)}
        shows = {"PRACA_METRICS_PORT": str(self.shown[name])} if name in self.shown else {}
        made.environment = {**made.environment, **alike, **shows, "PRACA_METRICS_KEEP_SECONDS": "0"}
        return made

    def exposition(self, name: str) -> str:
        return scraped(self.shown[name])

    def lines(self, name: str) -> list[str]:
        return (self.folder / f"{name}.log").read_text(errors="replace").splitlines()

    def alert(self) -> set[str]:
        """The towns that somebody is told of."""
        return raised(ALERT, [self.exposition(name) for name in self.shown])


@dataclass(frozen=True, slots=True)
class Towns:
    """By the order in which they are put into messages: the first of each message is sick."""

    ids: list[UUID]
    slugs: list[str]

    @property
    def sick(self) -> list[str]:
        return self.slugs[::A_MESSAGE]

    @property
    def sound(self) -> list[str]:
        return [slug for slug in self.slugs if slug not in self.sick]


@pytest.fixture
async def instance(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Watched]:
    made = Watched(folder_in_memory(tmp_path_factory), FixedClock(NOW), workers=1)
    yield made
    made.stop()
    shutil.rmtree(made.folder, ignore_errors=True)


async def commanded(instance: Instance, town: UUID, *statements: str) -> None:
    """By the owner of the database: nobody else changes what was published."""
    connection = await asyncpg.connect(instance.postgres.url(DATABASE))
    for statement in statements:
        await connection.execute(statement, town)
    await connection.close()


async def poisoned(instance: Instance, database: Database) -> Towns:
    """Of the second message each town's law has been derived, so that its night is one with those of others."""
    rows = await instance.rows("SELECT id, slug FROM municipality ORDER BY id")
    towns = Towns([UUID(str(row["id"])) for row in rows], [row["slug"] for row in rows])
    for town in towns.ids[A_MESSAGE:]:
        async with database.transaction(town) as tx:
            await night_law(tx, tx.today)
    await commanded(instance, towns.ids[0], *UNREADABLE)
    await commanded(instance, towns.ids[A_MESSAGE], *NONSENSE)
    return towns


async def standing(instance: Instance) -> dict[str, asyncpg.Record]:
    return {row["slug"]: row for row in await instance.rows(STANDING)}


async def waited(instance: Watched, *, done: list[str], alert: set[str]) -> dict[str, asyncpg.Record]:
    """Until the nights of these towns have ended and everybody is written to, and of the others somebody is told."""

    async def so() -> bool:
        found = await standing(instance)
        ended = [slug for slug, row in found.items() if row["ended"] and not row["unsent"]]
        return ended == done and instance.alert() == alert

    try:
        await instance.until(so, seconds=60)
    except TimeoutError:
        say(await instance.told(STANDING))
        raise
    return await standing(instance)


def whole(row: asyncpg.Record, terms: int, notices: int) -> bool:
    """Each term is recorded once, and whom each end is to be told is written to."""
    recorded = (row["open"], row["expired"], row["acts"], row["terms"], row["notices"])
    return recorded == (0, terms, terms, terms, notices)


async def test_towns_that_fail_hold_up_no_other_of_their_messages_and_go_on_when_their_law_is_mended(
    instance: Watched,
) -> None:
    database = await instance.prepare()
    await make_register(database, instance.postgres.url(DATABASE), SIZE)
    towns = await poisoned(instance, database)
    (unreadable, nonsense), plain = towns.sick, SIZE.terms - OPENING
    instance.start()

    found = await waited(instance, done=towns.sound, alert=set(towns.sick))

    assert all(whole(found[slug], SIZE.terms, SIZE.telling) for slug in towns.sound)
    assert {(found[slug]["attempts"], found[slug]["error"], found[slug]["letter"]) for slug in towns.sound} == {
        (1, None, None)
    }
    for slug in towns.sick:
        row = found[slug]
        assert row["error"]
        assert (row["letter"], row["again"]) == ("waiting", True)
        assert sample(instance.exposition("worker-0"), "praca_town_failures_total", town=slug, work="night")
    row = found[unreadable]
    assert (row["open"], row["acts"], row["drawn"], row["notices"]) == (plain, 0, 0, 0), "nothing, rather than a part"
    row = found[nonsense]
    assert (whole(row, SIZE.terms, SIZE.telling), row["reminders"]) == (True, 0)
    left = [line for line in instance.lines("worker-0") if "night of many towns left one" in line]
    assert [str(towns.ids[A_MESSAGE]) in line for line in left] == [True], "the others of its message: in one"

    await commanded(instance, towns.ids[0], READABLE)
    await commanded(instance, towns.ids[A_MESSAGE], DERIVED_ANEW)
    found = await waited(instance, done=towns.slugs, alert=set())

    assert (whole(found[unreadable], plain, plain), found[unreadable]["drawn"]) == (True, plain)
    assert (whole(found[nonsense], SIZE.terms, SIZE.telling), found[nonsense]["reminders"]) == (True, 1)
    assert {(found[slug]["error"], found[slug]["letter"]) for slug in towns.sick} == {(None, "closed")}
    assert all(whole(found[slug], SIZE.terms, SIZE.telling) for slug in towns.sound)
    sent = Counter(instance.journal())
    assert set(sent.values()) == {1}
    assert sent.total() == SIZE.telling * (SIZE.towns - 1) + plain + 1
    swept = sample(instance.exposition("worker-0"), "praca_sweep_messages_total", sweep=SWEEP)
    assert swept == SIZE.towns / A_MESSAGE, "one sweep; what failed was tried again by itself"
    await database.close()
