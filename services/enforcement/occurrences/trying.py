"""A record goes to a process (abrir o processo): all its infractions in one file, its fines provisional until then."""

from collections.abc import Sequence
from datetime import date
from typing import Any
from uuid import UUID

from sqlalchemy import Row

from services import acts, deadlines
from services.access import Actor
from services.database import Transaction
from services.deadlines.store import NoMore
from services.enforcement import store as penalties
from services.enforcement.occurrences import offenders, store
from services.enforcement.occurrences.copies import copy_of
from services.enforcement.occurrences.deciding import DISMISSED
from services.enforcement.occurrences.recording import NODE
from services.errors import Conflict
from services.permits import store as permits
from services.proceedings.exhibits import RECORD, join_evidence, join_paper
from services.proceedings.opening import open_case
from tenants.law.facts import FactValue


async def try_occurrence(
    tx: Transaction,
    actor: Actor,
    *,
    occurrence_id: UUID,
    opened_by: str,
    text: str,
    process: str | None = None,
    opened_on: date | None = None,
    version: int | None = None,
) -> UUID:
    """Open the case of a record; answers the record's id.

    Args:
        opened_by: How the law says that a process may be opened, by its word for it.
        text: What sets it going: its first piece.
        version: The record as the caller saw it.

    Raises:
        Refused: The law has no process, or what the fact draws is not determined.
        Conflict: There is a case already, or the record was dismissed.
    """
    office = actor.must("propose")
    seen = await store.occurrence(tx, occurrence_id)
    day = opened_on or tx.today
    if seen.permit_id is not None:
        await permits.permit(tx, seen.permit_id, day, lock=True)
    await deadlines.settle(tx, day, (NODE, occurrence_id))
    row = await store.lock(tx, occurrence_id, version)
    if row.state == DISMISSED:
        raise Conflict(message="Este registro foi arquivado.")
    act = await acts.record(tx, actor, "occurrence.tried", on=(NODE, occurrence_id), office=office, legal_day=day)
    drew = (await penalties.penalties_of_occurrences(tx, [row.id])).get(row.id, [])
    given = _fact(row, drew)
    given["offender"] = await offenders.of_occurrence(tx, row, await tx.law(on=row.seen_on))
    case_id = await open_case(tx, actor, opened_by=opened_by, text=text, process=process, opened_on=day, **given)
    title, copy = f"Registro de ocorrência nº {row.number} (cópia)", await copy_of(tx, row, drew)
    await join_paper(tx, act, case_id, kind=RECORD, title=title, text=copy)
    await join_evidence(tx, act, case_id, row.client_id, row.number)
    await deadlines.meet_all(tx, [NoMore((NODE, occurrence_id), day, act.id)])  # the case has terms of its own
    return occurrence_id


def _fact(row: Row[Any], drew: Sequence[Row[Any]]) -> dict[str, Any]:
    """What the record says of the fact, and the fines that were applied for it."""
    return {
        "infractions": row.infractions,
        "seen_on": row.seen_on,
        "respondents": respondents_of(row),
        "source": (NODE, row.id),
        "permit_id": row.permit_id,
        "category": row.category,
        "fine_ids": [each.fine_id for each in drew if each.fine_id is not None],
        "facts": {code: _told(value) for code, value in row.facts.items()},
    }


def respondents_of(row: Row[Any]) -> list[dict[str, Any]]:
    """Holder and driver; where neither is in the register, the name, or whoever drove the vehicle."""
    own = [{"holder_id": row.holder_id}] if row.holder_id else []
    own += [{"driver_id": row.driver_id}] if row.driver_id else []
    own += [{"person_id": row.person_id}] if row.person_id else []
    return own or [{"name": row.offender_name or f"Condutor do veículo {row.plate}"}]


def _told(value: FactValue) -> str:
    """As the law's vocabulary reads it."""
    if isinstance(value, bool):
        return "sim" if value else "não"
    return ", ".join(value) if isinstance(value, (list, tuple)) else str(value)
