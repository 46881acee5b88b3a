"""A complaint is answered (resposta ao usuário), and where it is founded it goes to a process."""

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any
from uuid import UUID

from sqlalchemy import Row

from services import acts, deadlines, terms
from services.access import Actor
from services.acts.record import Act
from services.database import Transaction
from services.enforcement.complaints import store
from services.enforcement.complaints.receiving import NODE, TEXT_MOST
from services.errors import Conflict, Invalid
from services.notices import NewNotice, queue
from services.permits import store as permits
from services.proceedings.exhibits import COMPLAINT, join_paper
from services.proceedings.opening import open_case

ANSWERED = "complaint_answered"


async def answer_complaint(
    tx: Transaction,
    actor: Actor,
    *,
    complaint_id: UUID,
    answer: str,
    founded: bool,
    on: date | None = None,
    version: int | None = None,
) -> UUID:
    """Tell who complained what was done; answers the complaint's id. Late, it is an answer all the same.

    Raises:
        Conflict: It has been answered already, or changed since the caller saw it.
    """
    office, day = actor.must("record"), on or tx.today
    if not answer.strip() or len(answer) > TEXT_MOST:
        raise Invalid("answer", "length", f"Escreva a resposta, em até {TEXT_MOST} letras.")
    row = await store.lock(tx, complaint_id, version)
    if row.answered_on is not None:
        raise Conflict(message="Esta reclamação já foi respondida.")
    if not row.received_on <= day <= tx.today:
        raise Invalid("on", "order", "A resposta não pode ser anterior à reclamação, nem estar no futuro.")
    await deadlines.settle(tx, day, (NODE, complaint_id))
    act = await acts.record(
        tx,
        actor,
        "complaint.answered",
        on=(NODE, complaint_id),
        office=office,
        legal_day=day,
        changes={"founded": founded},
    )
    law = await tx.law(on=day)
    await terms.meet(tx, act, law, subject=(NODE, complaint_id), events={"answered"}, on=day)
    await store.answered(tx, complaint_id, answer, founded, day, act.id)
    if row.email:
        await queue(tx, [_told(complaint_id)])
    return complaint_id


def _told(complaint_id: UUID) -> NewNotice:
    return NewNotice(
        key=f"answered:{complaint_id}",
        template=ANSWERED,
        subject_kind=NODE,
        subject_id=complaint_id,
        to="complainant",
    )


async def try_complaint(
    tx: Transaction,
    actor: Actor,
    *,
    complaint_id: UUID,
    infractions: Sequence[str],
    opened_by: str,
    text: str,
    seen_on: date | None = None,
    offender_name: str | None = None,
    process: str | None = None,
    facts: Mapping[str, str] | None = None,
    version: int | None = None,
) -> UUID:
    """Open the case of a founded complaint; answers the complaint's id.

    Args:
        opened_by: How the law says that a process may be opened, by its word for it.
        seen_on: The day of the fact; as the complaint says it, otherwise.
        offender_name: Of whom it is, where the vehicle serves no permit.

    Raises:
        Conflict: It was not found to be founded, or there is a case already.
    """
    office = actor.must("propose")
    await deadlines.settle(tx, tx.today, (NODE, complaint_id))
    row = await store.lock(tx, complaint_id, version)
    if not row.founded:
        raise Conflict(message="Só a reclamação procedente vai a processo.")
    act = await acts.record(tx, actor, "complaint.tried", on=(NODE, complaint_id), office=office, legal_day=tx.today)
    day = seen_on or row.happened_on or row.received_on
    given = {"infractions": infractions, "opened_by": opened_by, "text": text, "process": process, "facts": facts}
    await _open(tx, actor, act, row, seen_on=day, respondents=await _respondents(tx, row, day, offender_name), **given)
    return complaint_id


async def _open(tx: Transaction, actor: Actor, act: Act, row: Row[Any], **given: Any) -> None:
    """The case, in which what was complained of is read by whoever answers for it."""
    case_id = await open_case(tx, actor, source=(NODE, row.id), permit_id=row.permit_id, **given)
    title = f"Denúncia nº {row.number}, recebida em {row.received_on:%d/%m/%Y}"
    await join_paper(tx, act, case_id, kind=COMPLAINT, title=title, text=row.text)
    await store.touch(tx, row.id)


async def _respondents(tx: Transaction, row: Row[Any], day: date, name: str | None) -> list[dict[str, Any]]:
    """The permit's holder; without a permit, whoever drove."""
    if row.permit_id is None:
        return [{"name": name or f"Condutor do veículo {row.plate or 'não identificado'}"}]
    return [{"holder_id": (await permits.permit(tx, row.permit_id, day)).holder_id}]
