"""Replaying by hand (reprocessar): whoever tries again may do so at once. What is done already stays as it is."""

from typing import TYPE_CHECKING
from uuid import UUID

from services import acts
from services.dead_letters import store
from services.jobs import store as jobs
from services.notices import store as notices

if TYPE_CHECKING:
    from services.access import Actor
    from services.database import Transaction

POWER = "publish"  # a night stumbles over a town's law: who may mend the law may try again


async def replay(tx: "Transaction", actor: "Actor", *, dead_letter_id: UUID) -> UUID:
    """Let a dead letter, or one that still waits, be tried again now. One that is closed or on its way is left alone.

    Raises:
        Forbidden: The actor may not.
        NotFound: There is no such letter.
        Conflict: A job of its kind on the same subject waits already.
    """
    office = actor.must(POWER)
    letter = await store.hold(tx, dead_letter_id)
    if letter.state == "closed" or letter.ready:
        return dead_letter_id
    act = await acts.record(
        tx,
        actor,
        "dead_letter.replayed",
        on=("dead_letter", dead_letter_id),
        office=office,
        changes={"kind": letter.kind, "key": letter.key},
    )
    await store.release(tx, dead_letter_id, actor.subject, act.id)
    if letter.subject_id is not None:
        queue = notices.queue_again if letter.kind == "notice" else jobs.queue_again
        if not await queue(tx, letter.subject_id):  # somebody has seen to it otherwise
            await store.close(tx, [letter.key])
    return dead_letter_id
