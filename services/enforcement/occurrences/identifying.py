"""Who it was becomes known later (identificação do autuado): the record, what it drew and its case are theirs."""

from dataclasses import asdict, dataclass
from typing import Any
from uuid import UUID

from sqlalchemy import Row

from services import acts, deadlines
from services.access import Actor
from services.acts.record import Act
from services.database import Transaction
from services.enforcement.occurrences import store
from services.enforcement.occurrences.deciding import DISMISSED
from services.enforcement.occurrences.recording import NODE
from services.errors import Conflict, Invalid
from services.proceedings import store as proceedings
from services.proceedings.pieces import NewPiece, file_piece
from services.registry import store as registry

IDENTIFIED = "identified"


@dataclass(frozen=True, slots=True)
class Who:
    """Exactly one of these."""

    holder: UUID | None
    driver: UUID | None
    person: UUID | None
    name: str | None


async def identify_offender(
    tx: Transaction,
    actor: Actor,
    *,
    occurrence_id: UUID,
    why: str,
    holder_id: UUID | None = None,
    driver_id: UUID | None = None,
    person_id: UUID | None = None,
    name: str | None = None,
    version: int | None = None,
) -> UUID:
    """Put on record whose a fact is of which only a plate or a name was known; answers the record's id.

    Args:
        why: How it became known: also a piece of the case, where there is one.
        version: The record as the caller saw it.

    Raises:
        Conflict: The record names them already, or was dismissed.
        NotFound: They are in no register of this town.
    """
    office = actor.must("record")
    who = Who(holder_id, driver_id, person_id, name)
    await _must_be_somebody(tx, who, why)
    await deadlines.settle(tx, tx.today, (NODE, occurrence_id))
    row = await store.lock(tx, occurrence_id, version)
    _must_be_unknown(row, who)
    case = await proceedings.lock_case(tx, row.case_id) if row.case_id else None
    if case is not None and case.archived_on is not None:
        raise Conflict(message=f"O processo deste registro foi arquivado em {case.archived_on:%d/%m/%Y}.")
    changes = {"holder": who.holder, "driver": who.driver, "person": who.person, "plate": row.plate}
    act = await acts.record(
        tx, actor, "occurrence.identified", on=(NODE, occurrence_id), office=office, changes=changes, why=why
    )
    await store.identify(tx, occurrence_id, **asdict(who))
    if case is not None and not (row.holder_id or row.driver_id or row.person_id):
        await _in_its_case(tx, act, case, who, why, office)
    return occurrence_id


async def _must_be_somebody(tx: Transaction, who: Who, why: str) -> None:
    given = asdict(who)
    if list(given.values()).count(None) != len(given) - 1 or who.name == "":
        raise Invalid("holderId", "one_of", "Diga um só: titular, condutor, pessoa do cadastro ou nome.")
    if not why.strip():
        raise Invalid("why", "missing", "Diga como o autuado foi identificado.")
    for kind in ("holder", "driver", "person"):
        if given[kind] is not None:
            await registry.must_exist(tx, kind, given[kind])


def _must_be_unknown(row: Row[Any], who: Who) -> None:
    """A permit says whose it is; a driver besides may still be unknown. Raises Conflict."""
    if row.state == DISMISSED:
        raise Conflict(message="Este registro foi arquivado.")
    known = row.holder_id is not None or row.person_id is not None
    if row.driver_id is not None or (known and who.driver is None):
        raise Conflict(message="O registro já diz de quem é o fato.")


async def _in_its_case(tx: Transaction, act: Act, case: Any, who: Who, why: str, office: str) -> None:
    """Whoever answered as nobody in the register answers by name; what was done so far stays done."""
    await proceedings.name_parties(tx, case.id, **asdict(who))
    title = "Identificação do autuado"
    new = NewPiece(kind=IDENTIFIED, title=title, text=why, filed_on=act.legal_day, office=office)
    await file_piece(tx, case.id, act, new)
    case.version += 1
    await tx.session.flush()
