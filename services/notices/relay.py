"""From the outbox to the mail server: claim, look again, send outside any transaction, record.

At least once: a message is sent twice only when we end between the server's acceptance and our commit, and then with
the same Message-ID.
"""

from collections import Counter
from collections.abc import Sequence
from email.message import EmailMessage
from typing import TYPE_CHECKING, Any
from uuid import UUID

from services import watching
from services.notices import store
from services.notices.mail import Post, Unsent
from services.notices.preparing import prepared

if TYPE_CHECKING:
    from services.database import Database


async def relay_towns(db: "Database", tenant_ids: Sequence[UUID], post: Post) -> Counter[str]:
    """Each town in turn; the failure of one is logged and the others go on."""
    total: Counter[str] = Counter()
    for tenant_id in tenant_ids:
        with watching.work("relay", tenant_id):
            try:
                total += await relay(db, tenant_id, post)
            except Exception:
                watching.failed("relay", tenant_id)
                total["towns failed"] += 1
    return total


async def relay(db: "Database", tenant_id: UUID, post: Post) -> Counter[str]:
    """Send what is due in a town until nothing is: how many were `sent`, `dropped`, `refused`, `unreachable`."""
    counts: Counter[str] = Counter()
    while True:
        async with db.transaction(tenant_id) as tx:
            claimed = await store.claim(tx, db.settings.notice_batch, db.settings.notice_lease_seconds)
            messages = await prepared(tx, claimed, counts)
        if not claimed:
            return counts
        for notice, made in messages:
            counts[await deliver(db, tenant_id, post, notice, made)] += 1


async def deliver(db: "Database", tenant_id: UUID, post: Post, notice: Any, made: EmailMessage) -> str:
    """One message, and what came of it, each recorded on its own: little can be repeated when we are cut off."""
    try:
        answer = await post.send(made)
    except Unsent as error:
        last = error.final or notice.attempts >= db.settings.notice_attempts
        pause = None if last else db.settings.notice_retry_seconds * 2 ** (notice.attempts - 1)
        async with db.transaction(tenant_id) as tx:
            await store.record_failure(tx, notice.id, error.outcome, error.detail, pause)
        return error.outcome
    async with db.transaction(tenant_id) as tx:
        await store.record_sent(tx, notice.id, answer)
    return "sent"
