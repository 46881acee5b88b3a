"""What shows a fact becomes pieces of its case (juntada): the record's copy, its photographs, the complaint."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from sqlalchemy import Row

from services import acts
from services.access import Actor
from services.acts.record import Act
from services.clock import local_day
from services.database import Transaction
from services.errors import Conflict
from services.evidence import store as evidence
from services.proceedings import store
from services.proceedings.pieces import NewPiece, file_piece
from services.proceedings.tables import Proceeding

EVIDENCE, RECORD, COMPLAINT = "evidence", "record", "complaint"
WORDS = {"application/pdf": "documento em PDF"}
PHOTOGRAPH = "fotografia"


async def join_paper(tx: Transaction, act: Act, case_id: UUID, *, kind: str, title: str, text: str) -> None:
    """What the case was opened from, in full: for its parties, not for everybody."""
    await file_piece(tx, case_id, act, NewPiece(kind=kind, title=title, text=text, filed_on=act.legal_day))


async def join_evidence(tx: Transaction, act: Act, case_id: UUID, client_id: str, number: str) -> None:
    """Each photograph of a record that has come is a piece of its own, the first first."""
    for shown in await evidence.of_record(tx, client_id):
        await _file(tx, act, case_id, shown, f"Prova do registro nº {number}")


async def join_late_evidence(tx: Transaction, actor: Actor, evidence_id: UUID) -> None:
    """A photograph that comes when its record has gone to a process already; nothing where that is kept by now."""
    await evidence.lock_record(tx, evidence_id)
    found = await store.case_of_evidence(tx, evidence_id)
    if found is None:
        return
    case = await store.lock_case(tx, found.id)
    if case.archived_on is None and not await store.is_piece(tx, case.id, evidence_id):
        await attach(tx, actor, case, evidence_id, f"Prova do registro nº {found.record}")


async def attach(
    tx: Transaction,
    actor: Actor,
    case: Proceeding,
    evidence_id: UUID,
    title: str,
    *,
    text: str = "",
    restricted: bool = True,
) -> None:
    """Put one in a file, whose case the caller has locked. Raises NotFound; Conflict where it stands there already."""
    shown = await evidence.evidence(tx, evidence_id)
    if await store.is_piece(tx, case.id, evidence_id):
        raise Conflict(message="Esta prova já é peça deste processo.")
    changes = {"evidence": evidence_id, "sha256": shown.sha256}
    act = await acts.record(
        tx, actor, "case.piece_added", on=("case", case.id), office=actor.must("record"), changes=changes
    )
    await _file(tx, act, case.id, shown, title, text, restricted=restricted)
    case.version += 1
    await tx.session.flush()


async def _file(
    tx: Transaction, act: Act, case_id: UUID, shown: Row[Any], title: str, text: str = "", *, restricted: bool = True
) -> None:
    received = local_day(shown.received_at, tx.town.zone)
    said = [
        text,
        f"Prova recebida em {received:%d/%m/%Y}, guardada fora dos autos.",
        f"Arquivo: {shown.media_type}, {shown.size} bytes.",
        f"SHA-256: {shown.sha256}",
    ]
    new = NewPiece(
        kind=EVIDENCE,
        title=f"{title}: {WORDS.get(shown.media_type, PHOTOGRAPH)}",
        text="\n".join(filter(None, said)),
        filed_on=max(act.legal_day, received),
        restricted=restricted,
        office=None,
        attachment=attachment_of(shown),
    )
    await file_piece(tx, case_id, act, new)


def attachment_of(shown: Row[Any]) -> Mapping[str, Any]:
    """By what a file kept outside is known: as the piece's content says it, and its hash covers it."""
    return {"evidence": shown.id, "mediaType": shown.media_type, "size": shown.size, "sha256": shown.sha256}
