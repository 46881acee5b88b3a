"""A notice that a night has written is sent in that night's trace, whichever way the night was done."""

import asyncio
import json
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from uuid import UUID

import pytest

from services.database import Database
from services.nights.deriving import night_law
from tests.integration.test_workers import until
from tests.integration.test_workers_kept import Reader, listening
from tests.support.collector import AT_ONCE, Collector, collecting
from tests.support.register import found, make_deadline
from tests.support.workers import worker

NIGHT, RELAY = "workers.tasks.night", "workers.tasks.relay"
NOTICES = 2  # of each town: that a term is over, and that another soon is


@pytest.fixture
def collector() -> Iterator[Collector]:
    with collecting() as made:
        yield made


async def with_terms(database: Database, slug: str, *, derived: bool) -> UUID:
    """``derived``: what its night needs of the law is known, so that its night is one with those of others."""
    town = await found(database, slug)
    async with database.transaction(town) as tx:
        for days, follows in ((-1, [{"do": "notify"}]), (5, [])):
            await make_deadline(tx, until=tx.today + timedelta(days=days), follows=follows)
        if derived:
            await night_law(tx, tx.today)
    return town


async def spans_of(database: Database, town: UUID) -> set[tuple[str, str]]:
    """In which trace and span its notices were written."""
    async with database.reader(town) as tx:
        rows = await tx.rows("SELECT traceparent FROM notice")
    assert len(rows) == NOTICES
    parts = [row.traceparent.split("-") for row in rows]
    return {(trace, span) for _, trace, span, _ in parts}


async def test_a_notice_is_sent_in_the_trace_of_the_night_that_wrote_it(
    own_database: Database, collector: Collector, tmp_path: Path
) -> None:
    together = await with_terms(own_database, "junta", derived=True)
    alone = await with_terms(own_database, "sozinha", derived=False)
    reader = Reader(lambda: asyncio.sleep(0))

    async def shown(name: str, many: int = 1) -> None:
        async def so() -> bool:
            return len(collector.named(name)) == many

        await until(so)

    async with listening(reader) as port:
        traced = {"PRACA_OTLP_ENDPOINT": collector.address, "PRACA_SMTP_PORT": str(port), **AT_ONCE}
        with worker(own_database, tmp_path, **traced) as at_work:
            await asyncio.to_thread(at_work.asked, NIGHT, json.dumps([[str(together), str(alone)]]), "night")
            await shown(NIGHT)
            await asyncio.to_thread(at_work.asked, RELAY, "[]", "notices")
            await shown("notice", 2 * NOTICES)
            await shown(RELAY)

    (message,), (own,), (relay,) = collector.named(NIGHT), collector.named("night"), collector.named(RELAY)
    for town, span in ((together, message), (alone, own)):
        assert await spans_of(own_database, town) == {(span.trace_id.hex(), span.span_id.hex())}
    assert own.trace_id == message.trace_id != relay.trace_id
    sent = collector.named("notice")
    assert {span.trace_id for span in sent} == {message.trace_id}
    assert sorted(span.parent_span_id for span in sent) == sorted(2 * [message.span_id, own.span_id])
    assert {link.trace_id for span in sent for link in span.links} == {relay.trace_id}, "and says who sent it"
