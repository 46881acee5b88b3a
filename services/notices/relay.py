"""From the outbox to the mail server: claim, look again, send outside any transaction, record.

At least once: a message is sent twice only when we end between the server's acceptance and our commit, and then with
the same Message-ID.

Each town has its turn, a batch or so many seconds, and then the one that was longest without: however much one town has
to send, another waits for one turn of it. Any number of hands share the towns.
"""

import asyncio
from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from email.message import EmailMessage
from itertools import count
from time import monotonic
from typing import TYPE_CHECKING, Any
from uuid import UUID

from services import dead_letters, metrics, watching
from services.errors import Contended, NotFound
from services.notices import store
from services.notices.mail import Post, Unsent
from services.notices.preparing import prepared
from services.outages import named, outage

if TYPE_CHECKING:
    from services.database import Database

SHORTEST_PAUSE_SECONDS, LONGEST_PAUSE_SECONDS = 0.05, 1  # law-free: between two looks for a database that is away
RELAYING = dead_letters.Letter.of_message("relay")


async def go_round(db: "Database", post: Post) -> Counter[str]:
    """One hand: turns of town after town for a slice of time, or until nothing is left that may be sent now."""
    until = monotonic() + db.settings.relay_slice_seconds
    total: Counter[str] = Counter()
    while True:
        async with db.directory() as directory:
            look = await store.look(directory, db.settings.relay_towns_a_look)
        done: Counter[str] = Counter()
        for tenant_id in look.towns:
            if (total or done) and monotonic() >= until:
                return total + done
            done += await guarded(db, tenant_id, post, look.at)
        total += done
        if not done:
            return total


async def relay_towns(db: "Database", tenant_ids: Sequence[UUID], post: Post) -> Counter[str]:
    """A turn of each town; the failure of one is recorded and the others go on."""
    total: Counter[str] = Counter()
    for tenant_id in tenant_ids:
        total += await guarded(db, tenant_id, post, None)
    return total


async def guarded(db: "Database", tenant_id: UUID, post: Post, looked_at: datetime | None) -> Counter[str]:
    """A turn, after whose failure the town pauses. Raises when it is the database that is away."""
    with watching.work("relay", tenant_id):
        try:
            return await turn(db, tenant_id, post, looked_at)
        except NotFound:
            watching.failed("relay", tenant_id)
        except Exception as error:
            if outage(error):
                raise
            watching.failed("relay", tenant_id)
            async with db.transaction(tenant_id) as tx:
                await dead_letters.failed(tx, RELAYING, named(error))
    return Counter({"towns failed": 1})


async def turn(db: "Database", tenant_id: UUID, post: Post, looked_at: datetime | None) -> Counter[str]:
    """One batch of a town, unless somebody else has given it a turn since `looked_at`: how many came to what."""
    async with db.transaction(tenant_id) as tx:
        if not await store.take_turn(tx, looked_at):
            return Counter()
    counts, _ = await send_batch(db, tenant_id, post, monotonic() + db.settings.relay_turn_seconds)
    return counts


async def relay(db: "Database", tenant_id: UUID, post: Post) -> Counter[str]:
    """Send what is due in a town until nothing is: how many were `sent`, `dropped`, `refused`, `unreachable`."""
    total: Counter[str] = Counter()
    more = True
    while more:
        counts, more = await send_batch(db, tenant_id, post, None)
        total += counts
    return total


async def send_batch(db: "Database", tenant_id: UUID, post: Post, until: float | None) -> tuple[Counter[str], bool]:
    """At most a batch, what is not begun until then given back; also whether there was any."""
    counts: Counter[str] = Counter()
    async with db.transaction(tenant_id) as tx:
        claimed = await store.claim(tx, db.settings.notice_batch, db.settings.notice_lease_seconds)
        messages = await prepared(tx, claimed, counts)
        await dead_letters.succeeded(tx, [RELAYING])
    for at, (notice, made) in enumerate(messages):
        if at and until is not None and monotonic() >= until:
            async with db.transaction(tenant_id) as tx:
                await store.give_back(tx, [left.id for left, _ in messages[at:]])
            break
        with watching.work("notice", tenant_id, trace=notice.traceparent, notice=notice.id):
            outcome = await deliver(db, tenant_id, post, notice, made)
        metrics.change("notices", outcome)
        counts[outcome] += 1
    return counts, bool(claimed)


async def deliver(db: "Database", tenant_id: UUID, post: Post, notice: Any, made: EmailMessage) -> str:
    """One message, and what came of it, each recorded on its own: little can be repeated when we are cut off."""
    try:
        answer = await post.send(made)
    except Unsent as error:
        last = error.final or notice.attempts >= db.settings.notice_attempts
        pause = None if last else db.settings.notice_retry_seconds * 2 ** (notice.attempts - 1)
        async with db.transaction(tenant_id) as tx:
            await store.record_failure(tx, notice.id, error.outcome, error.detail, pause)
            if last and not error.final:
                await dead_letters.bury(tx, dead_letters.Letter.of_notice(notice.id), error.outcome)
        return error.outcome
    await accepted(db, tenant_id, notice, answer)
    return "sent"


async def accepted(db: "Database", tenant_id: UUID, notice: Any, answer: str) -> None:
    """The server has it. A database that is away is waited for: otherwise it would be sent again."""
    until = monotonic() + db.settings.notice_record_seconds
    for attempt in count():
        try:
            async with db.transaction(tenant_id) as tx:
                await store.record_sent(tx, notice.id, answer)
                await dead_letters.succeeded(tx, [dead_letters.Letter.of_notice(notice.id)])
            return
        except Exception as error:
            if monotonic() >= until or not (outage(error) or isinstance(error, Contended)):
                raise
        await asyncio.sleep(min(SHORTEST_PAUSE_SECONDS * 2**attempt, LONGEST_PAUSE_SECONDS))
