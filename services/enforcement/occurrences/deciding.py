"""What a record draws is applied by the office that the law names (aplicar a penalidade), or nothing comes of it."""

from datetime import date
from typing import Any
from uuid import UUID

from sqlalchemy import Row

from services import acts, deadlines
from services.access import Actor
from services.database import Transaction
from services.enforcement import applying
from services.enforcement import store as penalties
from services.enforcement.drawing import draw
from services.enforcement.occurrences import offenders, store
from services.enforcement.occurrences.recording import NODE, OPEN, at_once, drawn, state_after
from services.errors import Conflict, Forbidden, Invalid, Refused
from services.registry.attributes import stored

DISMISSED = "dismissed"


async def apply_penalties(
    tx: Transaction,
    actor: Actor,
    *,
    occurrence_id: UUID,
    notified_on: date | None = None,
    judged: bool = False,
    version: int | None = None,
) -> UUID:
    """Apply what the law of the day of the fact draws for a record; answers the record's id.

    Args:
        notified_on: The day on which the person was told; today, unless the record says it.
        judged: The office has decided what the law leaves to its judgement.
        version: The record as the caller saw it.

    Raises:
        Forbidden: The law gives it to another office.
        Refused: The law draws nothing, has not said enough, or leaves it to a judgement that was not made.
        Conflict: It has been applied or dismissed already.
    """
    office = actor.must("fine")
    seen = await store.occurrence(tx, occurrence_id)
    law = await tx.law(on=seen.seen_on)
    offender = await offenders.of_occurrence(tx, seen, law, lock=True)
    row = await store.lock(tx, occurrence_id, version)
    _must_be_open(row)
    told_on = notified_on or row.notified_on or tx.today
    if not row.seen_on <= told_on <= tx.today:
        raise Invalid("notifiedOn", "order", "A ciência não pode ser anterior ao fato, nem estar no futuro.")
    if offender.permit_id is not None:
        await deadlines.settle(tx, told_on, await penalties.subjects_of(tx, offender.permit_id))
    decision = await draw(tx, law, offender, row.infractions, stored(law, row.facts))
    kept = drawn(decision)
    if not kept or (at_once(kept) and not decision.permits and not judged):
        raise Refused(decision)
    if decision.office is not None and judged and decision.office not in actor.offices:
        raise Forbidden("decide", [str(citation) for citation in decision.citations])
    applying.must_be_competent(actor, at_once(kept), decision)
    case = applying.Case(offender, decision, row.seen_on, told_on, office, occurrence_id)
    made = await applying.apply(tx, actor, case)
    await store.close(tx, occurrence_id, state_after(made), told_on)
    return occurrence_id


async def dismiss_occurrence(
    tx: Transaction, actor: Actor, *, occurrence_id: UUID, why: str, version: int | None = None
) -> UUID:
    """Nothing comes of a record of which nothing has been applied (arquivar o registro); answers its id."""
    office = actor.must("fine")
    if not why.strip():
        raise Invalid("why", "missing", "Diga por que o registro é arquivado.")
    await deadlines.settle(tx, tx.today, (NODE, occurrence_id))
    row = await store.lock(tx, occurrence_id, version)
    _must_be_open(row)
    await acts.record(
        tx, actor, "occurrence.dismissed", on=(NODE, occurrence_id), office=office, legal_day=tx.today, why=why
    )
    await store.close(tx, occurrence_id, DISMISSED, None)
    return occurrence_id


def _must_be_open(row: Row[Any]) -> None:
    """Raises Conflict: of a fact nothing is decided twice, nor beside its process."""
    if row.case_id is not None:
        raise Conflict(message=f"Este registro está no processo {row.case_number}: a penalidade decide-se nele.")
    if row.state != OPEN:
        raise Conflict(message="Este registro já foi decidido.")
