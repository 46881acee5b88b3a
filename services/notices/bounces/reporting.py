"""Recording that a notice came back: the attempt is evidence, and the address a task for the clerk."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from services import acts
from services.errors import Invalid, NotFound
from services.notices import store, tasks
from services.notices.bounces import store as bounces
from services.notices.bounces.reading import failures

if TYPE_CHECKING:
    from services.access import Actor
    from services.database import Transaction

MOST = 500_000  # law-free: letters of a notification


@dataclass(frozen=True, slots=True)
class Bounced:
    """`notices`: which came back; `tasks`: how many addresses were not yet known to fail."""

    notices: int
    tasks: int


async def report_bounce(tx: "Transaction", actor: "Actor", *, message: str) -> Bounced:
    """Take in what a mail server says of a message of ours, as it came in.

    A failure that is not for good is kept as an attempt, and is no task.

    Raises:
        Forbidden: The actor neither may register nor runs the platform, whose mailbox it came to.
        Invalid: It is no delivery status notification of a failure.
        NotFound: It is of no notice of this town.
    """
    office = actor.must_operate() if actor.kind == "operator" else actor.must("register")
    found = failures(message[:MOST])
    if not found:
        raise Invalid("message", "dsn", "A mensagem não é um aviso de falha na entrega (RFC 3464).")
    came_back = [
        (failure, notice)
        for failure in found
        for notice in await bounces.sent_to(tx, failure.message_id, tasks.normal(failure.address))
    ]
    if not came_back:
        raise NotFound("notice", found[0].message_id or "")
    known = await bounces.bounced_before(tx, [notice.id for _, notice in came_back])
    new = [(failure, notice) for failure, notice in came_back if (notice.id, failure.status) not in known]
    for failure, notice in new:
        await store.add_attempt(tx, notice.id, "bounced", failure.status)
    opened = await tasks.open_(
        tx, [tasks.NewTask.of_address(notice, failure.status) for failure, notice in new if failure.permanent]
    )
    for failure, notice in new:
        changes = {"status": failure.status, "permanent": failure.permanent}
        await acts.record(tx, actor, "notice.bounced", on=("notice", notice.id), office=office, changes=changes)
    return Bounced(len(came_back), opened)
