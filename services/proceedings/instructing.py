"""Between defence and decision (instrução): replies, opinions, diligences, and whatever else is put in the file."""

from collections.abc import Sequence
from datetime import date
from typing import Any
from uuid import UUID

from sqlalchemy import Row

from services import acts, deadlines
from services.access import Actor
from services.database import Transaction
from services.errors import Conflict, Invalid
from services.permits.offices import office_that
from services.permits.unforeseen import not_provided
from services.proceedings import store
from services.proceedings.exhibits import attach
from services.proceedings.path import AUTHORITY, PARTY, Path
from services.proceedings.pieces import NewPiece, file_piece
from services.proceedings.progress import enter, happened, meet, taken, term_of, touched
from services.proceedings.tables import Proceeding
from tenants.law.kinds.proceedings import Process, ProcessStep


async def take_step(
    tx: Transaction,
    actor: Actor,
    *,
    case_id: UUID,
    text: str,
    on: date | None = None,
    version: int | None = None,
) -> UUID:
    """The step in course is taken: a reply, a study, an opinion, a diligence; answers the case's id.

    Raises:
        Conflict: The step in course is a party's, or the decision itself.
        Forbidden: The law gives it to another office.
    """
    actor.must("read")
    day = on or tx.today
    case = await taken(tx, case_id, version)
    path = Path.of(await tx.law(on=tx.today), case.process)
    step = path.step(case.step)
    if step.actor == PARTY or step == path.judged_at(step.instance):
        raise Conflict(message="O passo em curso não é de instrução.")
    office = _taking(path, step, actor)
    ran = [term for term in await store.terms(tx, case_id, step.code) if term.state == "open"]
    _in_order(await _asked_on(tx, case, path, step, ran), day, tx.today)
    late = any(day > term.last_day for term in ran)
    act = await acts.record(
        tx,
        actor,
        "case.step_taken",
        on=("case", case_id),
        decision=path.term(step, None),
        office=office,
        legal_day=day,
        changes={"step": step.code, "late": late},
    )
    new = NewPiece(kind=step.code, title=step.title or step.code, text=text, filed_on=day, late=late, office=office)
    await file_piece(tx, case_id, act, new)
    await meet(tx, act, case, step.code, day)
    if step.actor != AUTHORITY:
        await happened(tx, act, case, "replied", day)
    await leave(tx, act, case, path, step, day)
    touched(case)
    await tx.session.flush()
    return case_id


def _taking(path: Path, step: ProcessStep, actor: Actor) -> str:
    return office_that(path.law, actor, step.to, "decide" if step.actor == AUTHORITY else "record")


async def _asked_on(tx: Transaction, case: Proceeding, path: Path, step: ProcessStep, ran: Sequence[Row[Any]]) -> date:
    """The first day on which a step may be taken: that of what it answers; of a diligence, of its order."""
    ordered: list[date] = [term.opened_on for term in ran] if step.optional else []
    return max([await _filed_by(tx, case, path), *ordered])


async def _filed_by(tx: Transaction, case: Proceeding, path: Path) -> date:
    """When the last paper of a party was received to which an act may answer, else the day of the opening."""
    days = [await store.filed(tx, case.id, step.code) for step in path.rule.step if step.actor == PARTY]
    return max([case.opened_on, *(day for each in days for day in each.values())])


def _in_order(since: date, day: date, today: date) -> None:
    if not since <= day <= today:
        raise Invalid("on", "order", f"O ato não é anterior a {since:%d/%m/%Y}, nem futuro.")


async def leave(tx: Transaction, act: acts.Act, case: Proceeding, path: Path, step: ProcessStep, day: date) -> None:
    """To the next step; from a diligence, back to whoever ordered it."""
    following = path.step(case.back) if step.optional and case.back else path.after(step)
    case.back = None
    if following is not None:
        await enter(tx, act, case, path, following, day)


async def order_diligence(
    tx: Transaction,
    actor: Actor,
    *,
    case_id: UUID,
    text: str,
    on: date | None = None,
    version: int | None = None,
) -> UUID:
    """Whoever is to decide orders more evidence first (conversão em diligência); answers the case's id.

    The term of the decision begins anew when the diligence is done, or its own term is over.

    Raises:
        Refused: The law knows no diligence in this process.
        Conflict: The case does not wait for a decision.
    """
    actor.must("decide")
    day = on or tx.today
    case = await taken(tx, case_id, version)
    path = Path.of(await tx.law(on=tx.today), case.process)
    step = path.step(case.step)
    diligence = _ordered(path, step)
    office = office_that(path.law, actor, step.to or path.rule.judge, "decide")
    _in_order(await _filed_by(tx, case, path), day, tx.today)
    act = await acts.record(
        tx,
        actor,
        "case.diligence_ordered",
        on=("case", case_id),
        decision=path.term(diligence, day),
        office=office,
        legal_day=day,
        changes={"step": diligence.code},
    )
    new = NewPiece(kind="order", title="Conversão em diligência", text=text, filed_on=day, office=office)
    await file_piece(tx, case_id, act, new)
    await _instead(tx, act, case, path, diligence, day)
    case.back, case.step = step.code, diligence.code
    touched(case)
    await tx.session.flush()
    return case_id


def _ordered(path: Path, step: ProcessStep) -> ProcessStep:
    """Raises Conflict while the case does not wait for a decision, Refused where the law knows no diligence."""
    if step != path.judged_at(step.instance) or step.actor == PARTY:
        raise Conflict(message="O processo não aguarda decisão.")
    diligence = path.diligence(step.instance)
    if diligence is None:
        raise not_provided(path.law, "diligência neste processo", Process.kind)
    return diligence


async def _instead(
    tx: Transaction, act: acts.Act, case: Proceeding, path: Path, diligence: ProcessStep, day: date
) -> None:
    """The term of the diligence takes the place of that of the decision."""
    term = term_of(act, case, path, diligence, day)
    running = [each for each in await store.terms(tx, case.id, case.step or "") if each.state == "open"]
    if term is None:
        await meet(tx, act, case, case.step or "", day)
    elif running:
        await deadlines.replace(tx, running[0].id, term, on=day)
    else:
        await deadlines.open_each(tx, [term])


async def add_piece(
    tx: Transaction,
    actor: Actor,
    *,
    case_id: UUID,
    title: str,
    text: str,
    restricted: bool = True,
    filed_on: date | None = None,
    evidence_id: UUID | None = None,
    order: str | None = None,
) -> UUID:
    """Put a paper in the file that is no step of the process (juntada, despacho); answers the case's id.

    Args:
        evidence_id: A photograph or document that was sent before, which the piece shows.
        order: What whoever is to judge orders by it, at any point: by the law's word for it.

    Raises:
        Conflict: The case is kept already, or shows it.
        Forbidden: Another office judges.
        Invalid: The law knows no such order.
    """
    office, day = actor.must("record" if order is None else "decide"), filed_on or tx.today
    case = await taken(tx, case_id)
    if case.archived_on is not None:
        raise Conflict(message="O processo está arquivado.")
    _in_order(case.opened_on, day, tx.today)
    if evidence_id is not None:
        await attach(tx, actor, case, evidence_id, title, text=text, restricted=restricted)
        return case_id
    if order is not None:
        office, title = await _ordering(tx, actor, case, order, title)
    act = await acts.record(
        tx, actor, "case.piece_added", on=("case", case_id), office=office, legal_day=day, changes={"order": order}
    )
    kind = "paper" if order is None else "order"
    new = NewPiece(kind=kind, title=title, text=text, filed_on=day, restricted=restricted, office=office)
    await file_piece(tx, case_id, act, new)
    touched(case)
    await tx.session.flush()
    return case_id


async def _ordering(tx: Transaction, actor: Actor, case: Proceeding, order: str, title: str) -> tuple[str, str]:
    """The office that judges where the case stands, and what its order is called."""
    path = Path.of(await tx.law(on=tx.today), case.process)
    if order not in path.rule.orders:
        known = ", ".join(path.rule.orders) or "nada"
        raise Invalid("order", "unknown_code", f"Quem julga pode ordenar: {known}.")
    instance = path.step(case.step).instance
    to = path.judged_at(instance).to or path.rule.judge
    return office_that(path.law, actor, to, "decide"), f"{path.titled(path.rule.orders, order)}: {title}"
