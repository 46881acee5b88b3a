"""Long work that is watched over real WebSockets: pushed while it goes on, ended with it, and nobody else's."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from datetime import date
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import pytest
import websockets
from websockets import ConnectionClosed

from api.documents import hash_of
from api.progress.looking import JobLooker
from api.types.scalars import global_id
from services import acts, jobs
from services.access import operator
from services.accounts import appointments
from services.clock import FixedClock
from services.database import Database, Transaction
from services.errors import Invalid
from services.jobs import Progress, Task
from services.jobs.steps import STEPS
from tests.support.register import CLERK, found
from tests.support.sockets import PROGRESS, connected, serving
from tests.support.web import Edge, edge

HERE, THERE = "vila-nova", "serra-alta"
HOST = f"{HERE}.test"
OFFICES = """
[[office]]
rows = [{ code = "secretaria", title = "Secretaria", may = ["read"], cite = "art. 2" }]
"""
EARLIER = date(2026, 1, 1)
SOON: dict[str, Any] = {"progress_every_ms": 10}


class Stage:
    """Two towns, a server, and somebody in office in each."""

    def __init__(self, web: Edge, address: str, database: Database, towns: dict[str, UUID]) -> None:
        self.web, self.address, self.database, self.towns = web, address, database, towns

    def token(self, town: str = HERE, subject: str = "ana") -> str:
        return self.web.token(subject, town=town)

    def connected(self, **given: Any) -> Any:
        return connected(self.address, **{"host": HOST, **given})

    async def asked(self, kind: str = "count", town: str = HERE) -> UUID:
        """A job that waits."""
        async with self.database.transaction(self.towns[town]) as tx:
            subject = ("thing", uuid4())
            act = await acts.record(tx, CLERK, "thing.asked", on=subject)
            return await jobs.queue(tx, CLERK, act, kind=kind, subject=subject, office=None)

    async def step(self, town: str = HERE) -> None:
        """A worker's turn: one step."""
        await jobs.work(self.database, self.towns[town])

    @property
    def looker(self) -> JobLooker:
        """What looks for all connections of the process."""
        found: JobLooker = self.web.app.state.jobs
        return found


@pytest.fixture
def staged(own_database: Database, tmp_path: Path) -> Callable[..., Any]:
    """Settings as named."""

    @asynccontextmanager
    async def made(**settings: Any) -> AsyncIterator[Stage]:
        own_database.settings = own_database.settings.model_copy(update={"job_slice_seconds": 0, "job_attempts": 1})
        towns = {slug: await found(own_database, slug, law=OFFICES) for slug in (HERE, THERE)}
        for town in towns.values():
            async with own_database.transaction(town) as tx:
                await appointments.appoint(tx, operator("platform"), subject="ana", office="secretaria", since=EARLIER)
        async with edge(own_database, tmp_path, **{**SOON, **settings}) as web, serving(web) as address:
            yield Stage(web, address, own_database, towns)

    return made


@pytest.fixture
async def stage(staged: Callable[..., Any]) -> AsyncIterator[Stage]:
    async with staged() as made:
        yield made


@pytest.fixture(autouse=True)
def kinds() -> Iterator[None]:
    async def count(tx: Transaction, task: Task) -> Progress:
        at = task.done + 1
        return Progress(at, total=3, finished=at == 3, result={"at": at} if at == 3 else None)

    async def refuses(tx: Transaction, task: Task) -> Progress:
        raise Invalid("file", "form", "O arquivo não serve.")

    async def breaks(tx: Transaction, task: Task) -> Progress:
        raise RuntimeError("cpf 111.444.777-35")

    made = {"count": count, "refuses": refuses, "breaks": breaks}
    STEPS.update(made)
    yield
    for kind in made:
        del STEPS[kind]


async def until(condition: Callable[[], bool | Awaitable[bool]]) -> None:
    async with asyncio.timeout(20):
        while not condition():  # noqa: ASYNC110 - the server brings it about
            await asyncio.sleep(0.01)


def of(job: UUID) -> str:
    return str(global_id("job", job))


async def test_a_job_is_seen_from_its_queue_to_its_end(stage: Stage) -> None:
    job = await stage.asked()
    async with stage.connected() as client:
        await client.begin(stage.token())
        await client.watch(of(job))
        seen = [await client.told()]
        for done in (1, 2, 3):
            await stage.step()
            seen.append(await client.until(done=done))
        ended = await client.hear()

    assert [(each["state"], each["done"], each["total"]) for each in seen] == [
        ("queued", 0, None),
        ("running", 1, 3),
        ("running", 2, 3),
        ("done", 3, 3),
    ]
    assert seen[-1]["result"] == {"at": 3}
    assert ended == {"id": "1", "type": "complete"}
    assert stage.looker.watchers == 0


@pytest.mark.parametrize(("kind", "error"), [("refuses", "O arquivo não serve."), ("breaks", "RuntimeError")])
async def test_a_job_that_fails_ends_what_is_pushed_with_why(stage: Stage, kind: str, error: str) -> None:
    job = await stage.asked(kind)
    async with stage.connected() as client:
        await client.begin(stage.token())
        await client.watch(of(job))
        await client.told()
        await stage.step()
        last, ended = await client.until(state="failed"), await client.hear()

    assert last["error"] == error
    assert ended["type"] == "complete"


async def test_one_that_has_ended_is_told_once(stage: Stage) -> None:
    job = await stage.asked("refuses")
    await stage.step()
    async with stage.connected() as client:
        await client.begin(stage.token())
        await client.watch(of(job))

        assert (await client.told())["state"] == "failed"
        assert (await client.hear())["type"] == "complete"


async def test_another_town_s_job_is_answered_as_one_that_never_was(stage: Stage) -> None:
    theirs = await stage.asked(town=THERE)
    async with stage.connected() as client:
        await client.begin(stage.token())
        answers = []
        for number, job in enumerate((of(theirs), of(uuid4()), "nonsense")):
            await client.watch(job, id=str(number))
            answers.append(await client.hear())

    assert {answer.pop("id") for answer in answers} == {"0", "1", "2"}
    assert answers[0] == answers[1] == answers[2]
    assert answers[0]["payload"][0]["extensions"] == {"code": "NOT_FOUND"}


async def test_whoever_holds_no_office_that_reads_is_told_nothing_of_a_job(stage: Stage) -> None:
    job = await stage.asked()
    async with stage.connected() as client:
        await client.begin(stage.token(subject="bia"))
        await client.watch(of(job))
        known = await client.refused()
        await client.watch(of(uuid4()), id="2")
        unknown = await client.refused("2")

    assert known == unknown == "FORBIDDEN"


async def test_an_office_that_is_lost_meanwhile_sees_no_more(stage: Stage) -> None:
    job = await stage.asked()
    async with stage.connected() as client:
        await client.begin(stage.token())
        await client.watch(of(job))
        await client.told()
        async with stage.database.transaction(stage.towns[HERE]) as tx:
            await appointments.remove(tx, operator("platform"), subject="ana", office="secretaria", on=tx.today)

        assert await client.refused() == "FORBIDDEN"
    assert stage.looker.watchers == 0


@pytest.mark.parametrize(
    ("token", "code"),
    [(None, 4401), ("not.a.token", 4401), ("of another town", 4403)],
    ids=["none", "bad", "another town's"],
)
async def test_nobody_gets_in_without_a_token_of_the_town(stage: Stage, token: str | None, code: int) -> None:
    said = stage.token(THERE) if code == 4403 else token
    async with stage.connected() as client:
        await client.say(type="connection_init", payload={"authorization": f"Bearer {said}"} if said else None)

        assert await client.left() == code


async def test_nothing_is_done_before_it_is_said_who_asks(stage: Stage) -> None:
    async with stage.connected() as client:
        await client.watch(of(await stage.asked()))

        assert await client.left() == 4401


async def test_a_stale_token_sees_no_more(stage: Stage, clock: FixedClock) -> None:
    job = await stage.asked()
    async with stage.connected() as client:
        await client.begin(stage.token())
        await client.watch(of(job))
        await client.told()
        clock.at = stage.web.clock.now().replace(year=2030)
        await stage.step()

        with pytest.raises(ConnectionClosed):
            await client.hear()
        assert await client.left() == 4401


@pytest.mark.parametrize(
    ("origin", "taken"),
    [(f"https://{HOST}", True), ("https://evil.test", False), (f"http://{HOST}:81", False), (None, True)],
    ids=["the town's", "another site", "no TLS", "no browser"],
)
async def test_only_pages_of_the_town_s_front_ends_connect(stage: Stage, origin: str | None, taken: bool) -> None:
    if taken:
        async with stage.connected(origin=origin) as client:
            await client.begin(stage.token())
        return
    with pytest.raises(websockets.InvalidStatus) as refused:
        async with stage.connected(origin=origin):
            pass
    assert refused.value.response.status_code == 403


async def test_the_old_protocol_is_not_spoken(stage: Stage) -> None:
    with pytest.raises(websockets.InvalidStatus) as refused:
        async with stage.connected(protocol="graphql-ws"):
            pass

    assert refused.value.response.status_code == 403


async def test_a_connection_has_so_many_subscriptions_at_most(staged: Callable[..., Any]) -> None:
    async with staged(socket_subscriptions=1) as stage, stage.connected() as client:
        job = of(await stage.asked())
        await client.begin(stage.token())
        await client.watch(job)
        await client.told()
        await client.watch(job, id="2")
        assert await client.refused("2") == "TOO_MANY"

        await client.say(type="complete", id="1")
        await client.watch(job, id="3")
        assert (await client.told("3"))["state"] == "queued"


async def test_a_town_has_so_many_connections_at_most_and_other_towns_their_own(staged: Callable[..., Any]) -> None:
    async with staged(socket_connections_a_town=1) as stage, stage.connected() as first:
        await first.begin(stage.token())
        async with stage.connected() as second:
            await second.say(type="connection_init", payload={"authorization": f"Bearer {stage.token()}"})
            assert await second.left() == 4429
        async with stage.connected(host=f"{THERE}.test") as theirs:
            await theirs.begin(stage.token(THERE))
        await first.connection.close()
        async with stage.connected() as again:
            await again.begin(stage.token())


async def test_whoever_says_nothing_is_left(staged: Callable[..., Any]) -> None:
    async with staged(socket_idle_seconds=1, socket_init_seconds=1) as stage:
        async with stage.connected() as silent:
            assert await silent.left() == 4408
        async with stage.connected() as idle:
            await idle.begin(stage.token())
            await idle.watch(of(await stage.asked()))
            await idle.told()
            assert await idle.left() == 1001
        await until(lambda: stage.looker.watchers == 0)


async def test_a_client_that_vanishes_is_watched_for_no_more(stage: Stage) -> None:
    """No goodbye: its connection is cut."""
    job = await stage.asked()
    async with stage.connected() as client:
        await client.begin(stage.token())
        await client.watch(of(job))
        await client.told()
        await until(lambda: stage.looker.watchers == 1)
        client.connection.transport.abort()
        await until(lambda: stage.looker.watchers == 0)


async def test_many_watchers_are_one_look(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    """However many watch, the process asks for a town's jobs once and on one connection."""
    looks: list[int] = []
    at_once: list[int] = [0]
    look = JobLooker._look

    async def counted(self: JobLooker, town: UUID, watchers: Any) -> None:
        looks.append(len(watchers))
        at_once.append(at_once[-1] + 1)
        await look(self, town, watchers)
        at_once.append(at_once[-1] - 1)

    job, ids = of(await stage.asked()), {"1", "2", "3"}
    async with stage.connected() as one, stage.connected() as other:
        for client in (one, other):
            await client.begin(stage.token())
            for id in ids:
                await client.watch(job, id=id)
            assert {(await client.hear())["id"] for _ in ids} == ids
        await until(lambda: stage.looker.watchers == 6)  # who is told how it is, is watched for next
        monkeypatch.setattr(JobLooker, "_look", counted)
        await stage.step()
        for client in (one, other):
            left = set(ids)
            while left:
                message = await client.hear()
                left -= {message["id"]} if message["payload"]["data"]["jobProgress"]["done"] else set()

    assert set(looks) == {6}
    assert max(at_once) == 1


async def test_a_subscription_is_a_trusted_document_too(staged: Callable[..., Any], own_database: Database) -> None:
    async with staged(embedded=False) as stage, stage.connected() as client:
        job = of(await stage.asked())
        await client.begin(stage.token())
        await client.watch(job, query="subscription ($id: ID!) { jobProgress(id: $id) { done } }")
        assert await client.refused() == "PERSISTED_QUERY_NOT_FOUND"
        await client.watch(job, query=None, documentId=hash_of(PROGRESS))
        assert (await client.told())["state"] == "queued"


async def test_nothing_but_subscriptions_is_asked_here_and_those_only_here(stage: Stage) -> None:
    job = of(await stage.asked())
    async with stage.connected() as client:
        await client.begin(stage.token())
        await client.watch(job, query="{ municipality { slug } }")
        assert await client.refused() == "ONLY_SUBSCRIPTIONS"
    posted = await stage.web.codes(PROGRESS, variables={"id": job}, host=HOST, token=stage.token())

    assert posted == ["NO_SUBSCRIPTIONS"]


@pytest.mark.parametrize(
    ("message", "code"),
    [
        ("{", 4400),
        ("[]", 4400),
        ('{"type": "nothing"}', 4400),
        ('{"type": "subscribe", "id": "1"}', 4400),
        ('{"type": "connection_init"}', 4429),
        ('{"type": "ping", "payload": "' + "x" * 100_000 + '"}', 1009),
        (b"binary", 4400),
    ],
    ids=["no JSON", "no object", "unknown", "no payload", "twice", "long", "binary"],
)
async def test_what_is_no_message_ends_the_connection(stage: Stage, message: str | bytes, code: int) -> None:
    async with stage.connected() as client:
        await client.begin(stage.token())
        await client.connection.send(message)

        assert await client.left() == code


async def test_a_name_is_given_once_at_a_time(stage: Stage) -> None:
    job = of(await stage.asked())
    async with stage.connected() as client:
        await client.begin(stage.token())
        await client.watch(job)
        await client.told()
        await client.watch(job)

        assert await client.left() == 4409


async def test_who_is_alive_is_answered(stage: Stage) -> None:
    async with stage.connected() as client:
        await client.say(type="ping")
        assert await client.hear() == {"type": "pong"}
        await client.begin(stage.token())
        await client.say(type="ping")
        assert await client.hear() == {"type": "pong"}
