"""A case that is over is kept (arquivamento) for as long as the law says, and then its pieces are destroyed.

Hashes, order and acts stay. A legal hold (suspensão do descarte) stops the destruction, not the term.
"""

from dataclasses import replace
from datetime import date
from uuid import UUID

from services import acts, deadlines, terms
from services.access import Actor
from services.acts.record import Act
from services.database import Transaction
from services.errors import Conflict, Invalid, Refused
from services.evidence import store as evidence
from services.permits.unforeseen import not_provided
from services.proceedings import store
from services.proceedings.path import Path
from services.proceedings.pieces import NewPiece, file_piece
from services.proceedings.progress import UPHELD, happened, taken, touched
from services.proceedings.tables import Proceeding
from tenants.law.calendar import count
from tenants.law.decision import Decision, Outcome, plain
from tenants.law.kinds.proceedings import Process

RETENTION = "retention"


async def archive_case(
    tx: Transaction,
    actor: Actor,
    *,
    case_id: UUID,
    text: str,
    on: date | None = None,
    version: int | None = None,
) -> UUID:
    """The order to archive (despacho de arquivamento), from which the years of keeping run; answers the case's id.

    Raises:
        Conflict: The case is not over, or what it upheld has not been carried out.
    """
    office, day = actor.must("record"), on or tx.today
    case = await taken(tx, case_id, version)
    charges = await store.charges(tx, case_id)
    if case.archived_on is not None:
        raise Conflict(message="O processo já está arquivado.")
    if case.step is not None or any(each.final_on is None for each in charges):
        raise Conflict(message="O processo ainda não tem decisão definitiva.")
    if any(each.outcome == UPHELD and each.enforced_on is None for each in charges):
        raise Conflict(message="Falta executar o que a decisão manteve.")
    done = [each.enforced_on or each.final_on or day for each in charges]
    if not max(done) <= day <= tx.today:
        raise Invalid("on", "order", "O arquivamento não é anterior à decisão definitiva, nem futuro.")
    path = Path.of(await tx.law(on=day), case.process)
    told = path.answer()
    act = await acts.record(
        tx, actor, "case.archived", on=("case", case_id), decision=told, office=office, legal_day=day
    )
    new = NewPiece(kind="archiving", title="Arquivamento", text=text, filed_on=day, restricted=False, office=office)
    await file_piece(tx, case_id, act, new)
    case.archived_on, case.archived_act = day, act.id
    await _keep(tx, act, case, path, told, day)
    await happened(tx, act, case, "archived", day)
    touched(case)
    await tx.session.flush()
    return case_id


async def _keep(tx: Transaction, act: Act, case: Proceeding, path: Path, told: Decision, day: date) -> None:
    """How long it is kept; a law that says nothing keeps it for ever."""
    if told.value is None or told.value.keep is None:
        return
    plainly = path.law.counting(None, lambda word: "")
    days = count(plainly, day, told.value.keep, path.law.calendar)
    await deadlines.open_(
        tx,
        kind=RETENTION,
        rule=case.process,
        subject=("case", case.id),
        opened_on=day,
        last_day=days.last_day,
        article=terms.articles(path.rule.cite[-1:]),
        act_id=act.id,
        inputs={"event": "archived", "on": day.isoformat()},
        counted={"days": plain(days), "last_day": days.last_day},
    )


async def hold_case(tx: Transaction, actor: Actor, *, case_id: UUID, why: str, version: int | None = None) -> UUID:
    """Nothing of it is destroyed while this stands; answers the case's id. Raises Conflict."""
    office = actor.must("decide")
    case = await taken(tx, case_id, version)
    if case.held_on is not None or case.disposed_on is not None:
        raise Conflict(message="O descarte já está suspenso, ou já ocorreu.")
    act = await acts.record(tx, actor, "case.held", on=("case", case_id), office=office, why=why)
    case.held_on, case.held_act, case.held_why = tx.today, act.id, why
    touched(case)
    await tx.session.flush()
    return case_id


async def release_case(tx: Transaction, actor: Actor, *, case_id: UUID, why: str, version: int | None = None) -> UUID:
    """The hold ends; answers the case's id. Raises Conflict."""
    office = actor.must("decide")
    case = await taken(tx, case_id, version)
    if case.held_on is None:
        raise Conflict(message="O descarte não está suspenso.")
    await acts.record(tx, actor, "case.released", on=("case", case_id), office=office, why=why)
    case.held_on = case.held_act = case.held_why = None
    touched(case)
    await tx.session.flush()
    return case_id


async def dispose_case(tx: Transaction, actor: Actor, *, case_id: UUID, version: int | None = None) -> UUID:
    """Destroy what the pieces say (inutilização); their hashes and order stay. Answers the case's id.

    Raises:
        Refused: The law gives no term after which cases are destroyed; it still runs; a hold stands in the way.
        Conflict: It has been done.
    """
    office = actor.must("decide")
    case = await taken(tx, case_id, version)
    if case.disposed_on is not None:
        raise Conflict(message="As peças deste processo já foram inutilizadas.")
    kept = await store.terms(tx, case_id, RETENTION)
    law = await tx.law(on=tx.today)
    if case.archived_on is not None and not kept:
        raise not_provided(law, "prazo de guarda dos processos", Process.kind)
    if case.held_on is not None:
        said = f"O descarte está suspenso desde {case.held_on:%d/%m/%Y}: {case.held_why}"
        raise Refused(Decision(Outcome.DENIED, said))
    if not kept or kept[-1].last_day >= tx.today:
        until = f" até {kept[-1].last_day:%d/%m/%Y}" if kept else ""
        told = Path.of(law, case.process).answer()
        raise Refused(
            replace(told, outcome=Outcome.DENIED, value=None, message=f"O processo ainda deve ser guardado{until}.")
        )
    act = await acts.record(
        tx,
        actor,
        "case.disposed",
        on=("case", case_id),
        decision=Path.of(law, case.process).answer(),
        office=office,
        changes={"kept": kept[-1].last_day},
    )
    await store.dispose(tx, case_id, act.id)
    await evidence.go_with(tx, case_id)
    case.disposed_on, case.disposed_act = tx.today, act.id
    touched(case)
    await tx.session.flush()
    return case_id
