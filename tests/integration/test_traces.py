"""One trace from a request to what a worker does of it; nothing personal in it, nothing at all unless asked."""

import json
from collections.abc import AsyncIterator, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import pytest
from opentelemetry.sdk.trace import ReadableSpan
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from sqlalchemy.exc import DBAPIError

from deploy.embedded.program import free_port, wait_until
from services import acts, jobs, tracing
from services.access import operator
from services.database import Database, Transaction
from services.jobs import Progress, Task
from services.jobs.steps import STEPS
from services.notices import NewNotice, queue, relay_towns
from services.settings import Settings
from tests.support.collector import AT_ONCE, Collector, collecting
from tests.support.register import found, make_deadline, make_permit
from tests.support.web import Edge, edge
from tests.support.workers import worker

HOST = "vila-nova.test"
CLERK = operator("clerk")
CPF = "11144477735"


class Traced:
    """The spans that have ended."""

    def __init__(self) -> None:
        self.exporter = InMemorySpanExporter()

    def named(self, name: str) -> list[ReadableSpan]:
        return [span for span in self.exporter.get_finished_spans() if span.name == name]

    def one(self, name: str) -> ReadableSpan:
        (span,) = self.named(name)
        return span

    def within(self, span: ReadableSpan) -> list[ReadableSpan]:
        assert span.context is not None
        return [
            each
            for each in self.exporter.get_finished_spans()
            if each.parent is not None and each.parent.span_id == span.context.span_id
        ]


def trace_of(span: ReadableSpan) -> int:
    assert span.context is not None
    return int(span.context.trace_id)


@pytest.fixture
def collector() -> Iterator[Collector]:
    with collecting() as made:
        yield made


@pytest.fixture
def traced() -> Iterator[Traced]:
    """Before the database: statements are watched from its first."""
    made = Traced()
    tracing.install(SimpleSpanProcessor(made.exporter), "praca-test")
    yield made
    tracing.end()


@pytest.fixture
async def web(traced: Traced, own_database: Database, tmp_path: Path) -> AsyncIterator[Edge]:
    await found(own_database, "vila-nova")
    async with edge(own_database, tmp_path) as made:
        traced.exporter.clear()
        yield made


@pytest.fixture(autouse=True)
def counting() -> Iterator[None]:
    async def count(tx: Transaction, task: Task) -> Progress:
        await tx.rows("SELECT count(*) FROM job WHERE id = :id", id=task.id)
        return Progress(1, finished=True)

    STEPS["count"] = count
    yield
    del STEPS["count"]


async def town_of(database: Database) -> UUID:
    async with database.directory() as directory:
        found: UUID = await directory.scalar("SELECT id FROM municipality WHERE slug = 'vila-nova'")
    return found


async def asked_for(database: Database, town: UUID) -> UUID:
    async with database.transaction(town) as tx:
        act = await acts.record(tx, CLERK, "thing.asked", on=("thing", uuid4()))
        return await jobs.queue(tx, CLERK, act, kind="count", subject=("thing", uuid4()), office=None)


async def test_a_request_and_the_job_that_it_leaves_are_one_trace(
    web: Edge, own_database: Database, traced: Traced
) -> None:
    """The API tells no worker of it: the row does, which any worker may take up at any time."""
    town = await town_of(own_database)
    with tracing.span("graphql secretary/runImport"):
        job = await asked_for(own_database, town)
    with tracing.span("workers.jobs.work"):
        await jobs.work(own_database, town)

    request, worked, message = (
        traced.one("graphql secretary/runImport"),
        traced.one("job"),
        traced.one("workers.jobs.work"),
    )
    assert trace_of(worked) == trace_of(request) != trace_of(message)
    assert worked.parent is not None
    assert request.context is not None
    assert worked.parent.span_id == request.context.span_id
    assert [link.context for link in worked.links] == [message.context]
    assert dict(worked.attributes or {}) == {"tenant": str(town), "job": str(job), "operation": "count"}
    assert any("SELECT count(*) FROM job" in str((s.attributes or {})["db.query.text"]) for s in traced.within(worked))
    async with own_database.reader(town) as tx:
        assert await tx.scalar("SELECT state FROM job WHERE id = :id", id=job) == "done"


async def test_an_operation_is_named_by_its_document_and_its_statements_are_in_it(
    web: Edge, own_database: Database, traced: Traced
) -> None:
    from api.documents import trusted

    await web.ask(trusted()["public/municipality"], host=HOST)
    await web.ask("query Anas { municipality { slug } }", host=HOST)

    known, other = traced.one("graphql public/municipality"), traced.one("graphql other")
    assert trace_of(known) != trace_of(other)
    statements = traced.within(known)
    assert statements
    assert {(s.attributes or {})["db.system.name"] for s in statements} == {"postgresql"}
    assert "Anas" not in json.dumps([span.to_json() for span in traced.exporter.get_finished_spans()])


async def test_a_notice_is_sent_in_the_trace_of_what_it_tells_of(
    web: Edge, own_database: Database, traced: Traced
) -> None:
    class Box:
        async def send(self, message: Any) -> str:
            return "250 taken"

    town = await town_of(own_database)
    with tracing.span("graphql secretary/grantPermit"):
        async with own_database.transaction(town) as tx:
            permit = await make_permit(tx, name="Ana Souza")
            await queue(tx, [NewNotice(key="one", template="aviso", subject_kind="permit", subject_id=permit.id)])
    await relay_towns(own_database, [town], Box())

    asked, sent = traced.one("graphql secretary/grantPermit"), traced.one("notice")
    assert trace_of(sent) == trace_of(asked)
    assert trace_of(traced.one("relay")) != trace_of(asked)


async def test_values_and_texts_of_errors_stay_out_of_the_trace(
    web: Edge, own_database: Database, traced: Traced
) -> None:
    town = await town_of(own_database)

    async def fails(statement: str) -> None:
        with tracing.span("graphql other"):
            async with own_database.transaction(town) as tx:
                await tx.rows(statement, cpf=CPF)
                raise RuntimeError(CPF)

    with pytest.raises(RuntimeError):
        await fails("SELECT CAST(:cpf AS text)")
    with pytest.raises(DBAPIError):
        await fails("SELECT CAST(CAST(:cpf AS text) AS boolean)")

    ours, theirs = traced.named("graphql other")
    assert (ours.status.description, ours.status.is_ok) == ("RuntimeError", False)
    assert not theirs.status.is_ok
    assert any(not span.status.is_ok for span in traced.within(theirs))
    assert CPF not in json.dumps([span.to_json() for span in traced.exporter.get_finished_spans()])


async def test_nothing_is_traced_unless_a_setting_says_where_to(own_database: Database, settings: Settings) -> None:
    assert settings.otlp_endpoint is None
    tracing.begin(settings, "praca-api")

    with tracing.span("graphql") as span:
        assert (span, tracing.current(), tracing.ids()) == (None, None, None)
    town = await found(own_database)
    await asked_for(own_database, town)
    async with own_database.reader(town) as tx:
        assert await tx.scalar("SELECT traceparent FROM job") is None


async def test_what_a_sweep_finds_is_worked_on_in_the_sweep_s_trace(
    own_database: Database, collector: Collector, tmp_path: Path
) -> None:
    """A real worker, which sends its spans where a setting says."""
    town = await found(own_database)
    async with own_database.transaction(town) as tx:
        await make_deadline(tx, until=tx.today - timedelta(days=1))
    with worker(own_database, tmp_path, PRACA_OTLP_ENDPOINT=collector.address, **AT_ONCE) as at_work:
        at_work.asked("workers.tasks.start_nights", "[]", "sweeps")
        assert wait_until(lambda: bool(collector.named("workers.tasks.night")), seconds=60)
        assert wait_until(lambda: bool(collector.named("workers.tasks.start_nights")), seconds=60)

    (sweep,) = collector.named("workers.tasks.start_nights")
    (work,) = collector.named("workers.tasks.night")
    assert (work.trace_id, work.parent_span_id) == (sweep.trace_id, sweep.span_id)
    assert len(work.trace_id) == 16


async def test_work_goes_on_when_nobody_takes_the_traces(own_database: Database, settings: Settings) -> None:
    nowhere = {"otlp_endpoint": f"http://127.0.0.1:{free_port()}/v1/traces", "otlp_timeout_seconds": 1}
    tracing.begin(settings.model_copy(update=nowhere), "praca-api")
    try:
        with tracing.span("graphql") as span:
            town = await found(own_database)
    finally:
        tracing.end()

    assert span is not None
    async with own_database.reader(town) as tx:
        assert tx.town.slug == "vila-nova"
