"""What a recomputation leaves as it is and lists (revisão): an office looks at each, and says what is to be of it."""

from uuid import UUID

from services import acts
from services.access import Actor
from services.database import Transaction
from services.errors import Conflict, Invalid
from services.recomputing import store

OUTCOMES = ("kept", "to_correct")


async def review_recomputation(
    tx: Transaction, actor: Actor, *, review_id: UUID, outcome: str, why: str, version: int | None = None
) -> UUID:
    """Decide of one listed thing; answers the review's id. To correct it is a use case of its own, by who may.

    Args:
        outcome: `kept` (it stays as it is) or `to_correct`.

    Raises:
        Conflict: It was decided already, or changed since the caller saw it.
    """
    office = actor.must("decide")
    if outcome not in OUTCOMES:
        raise Invalid("outcome", "unknown_code", f"Use um de: {', '.join(OUTCOMES)}.")
    if not why.strip():
        raise Invalid("why", "missing", "Diga por quê.")
    found = await store.review(tx, review_id, lock=True)
    if version is not None and found.version != version:
        raise Conflict(version, found.version)
    if found.state != "open":
        raise Conflict(message="Esta revisão já foi decidida.")
    act = await acts.record(
        tx,
        actor,
        "recomputation.reviewed",
        on=("review", review_id),
        office=office,
        changes={
            "of": {"kind": found.subject_kind, "id": found.subject_id},
            "finding": found.finding,
            "outcome": outcome,
            "publication": {"seq": found.seq, "norm": found.norm},
        },
        why=why,
    )
    await store.decide(tx, review_id, outcome=outcome, why=why, by=actor.subject, act_id=act.id)
    return review_id
