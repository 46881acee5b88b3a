"""What a party files: its defence (impugnação), its appeal (recurso). In time until the last day ends; never lost."""

from collections.abc import Sequence
from datetime import date
from typing import Any
from uuid import UUID

from services import acts
from services.access import Actor
from services.acts.record import Act
from services.database import Transaction
from services.errors import Conflict, Forbidden, Invalid
from services.permits.unforeseen import not_provided
from services.proceedings import effects, store
from services.proceedings.challenging import Filing, challenged, reopen
from services.proceedings.parties import RESPONDENT, is_party, stands_for
from services.proceedings.path import PARTY, Path
from services.proceedings.pieces import NewPiece, file_piece
from services.proceedings.progress import go_on, happened, meet, taken, touched
from services.proceedings.tables import Charge, Proceeding
from tenants.law.decision import Decision
from tenants.law.kinds.proceedings import Process, ProcessStep

GONE = "As peças deste processo foram inutilizadas ao fim do prazo de guarda: nada mais se junta a ele."


async def file_defence(
    tx: Transaction,
    actor: Actor,
    *,
    case_id: UUID,
    party_id: UUID,
    text: str,
    addressed_to: str | None = None,
    contents: Sequence[str] | None = None,
    filed_on: date | None = None,
) -> UUID:
    """A respondent's defence; no deposit is asked for. Answers the case's id.

    Args:
        addressed_to: The office that it was handed to. One that may not judge it passes it on: it counts all the same.
        contents: Which of the contents that the law asks for it has; what it lacks is noted, and does not refuse it.
        filed_on: When an office received it; whoever files for themselves files now.

    Raises:
        Conflict: What it defends against has been decided.
    """
    await _may_file(tx, actor, case_id)
    path, case = await _opened(tx, case_id)
    step = next((each for each in path.rule.step if each.actor == PARTY), None)
    if step is None:
        raise not_provided(path.law, "defesa neste processo", Process.kind)
    filing = await _filing(tx, actor, case, path, step, party_id, filed_on)
    charges = await challenged(tx, filing, None, appealing=False)
    told = path.answer()
    direct = _direct(path, step, addressed_to, told)
    lacks = _lacking(path, step, contents)
    title = step.title or step.code
    if addressed_to and addressed_to != _office(path, step) and not direct:
        title += f" (entregue a: {addressed_to}; vale na instância competente)"
    title += f" (não traz: {'; '.join(path.titled(step.contents, each) for each in lacks)})" if lacks else ""
    changes = {"addressedTo": addressed_to, "direct": direct, "lacks": lacks}
    act = await _record(tx, actor, filing, "case.defended", told, changes)
    await _file(tx, act, filing, title, text, charges)
    if charges and not filing.late:
        if direct:
            for charge in charges:
                charge.appealed_on, charge.appealed_act = filing.on, act.id
        await happened(tx, act, case, "defended", filing.on)
        await go_on(tx, act, case, path, step, joined_on=tx.today)
    return case_id


async def file_appeal(
    tx: Transaction,
    actor: Actor,
    *,
    case_id: UUID,
    party_id: UUID,
    text: str,
    charge_ids: Sequence[UUID] | None = None,
    filed_on: date | None = None,
) -> UUID:
    """A respondent's appeal against all of the decision, or some of its charges; answers the case's id.

    Raises:
        Refused: The law knows no appeal here, or none against a part.
        Conflict: There is nothing to appeal against.
    """
    await _may_file(tx, actor, case_id)
    path, case = await _opened(tx, case_id)
    step = await _appeal_step(tx, path, case, party_id, filed_on or tx.today)
    filing = await _filing(tx, actor, case, path, step, party_id, filed_on)
    charges = await challenged(tx, filing, charge_ids, appealing=True)
    act = await _record(tx, actor, filing, "case.appealed", path.term(step, None), {"charges": [c.id for c in charges]})
    await _file(tx, act, filing, step.title or step.code, text, charges)
    if charges and not filing.late:
        for charge in charges:
            charge.appealed_on, charge.appealed_act = filing.on, act.id
        await happened(tx, act, case, "appealed", filing.on)
        await go_on(tx, act, case, path, step, joined_on=tx.today)
    return case_id


async def _may_file(tx: Transaction, actor: Actor, case_id: UUID) -> None:
    """An office that receives papers, or one of the case's parties. Raises Forbidden, also where there is no case."""
    if not await is_party(tx, actor, case_id):
        actor.must("register")


async def _opened(tx: Transaction, case_id: UUID) -> tuple[Path, Proceeding]:
    """Raises Conflict where its pieces are gone: nothing is filed in it any more."""
    case = await taken(tx, case_id)
    if case.disposed_on is not None:
        raise Conflict(message=GONE)
    return Path.of(await tx.law(on=tx.today), case.process), case


async def _appeal_step(tx: Transaction, path: Path, case: Proceeding, party_id: UUID, day: date) -> ProcessStep:
    """The step in which one appeals: the one in course, or the last that was; where it was received before, then's."""
    steps = [each for each in path.rule.step if each.actor == PARTY and each.instance > 1]
    if not steps:
        raise not_provided(path.law, "recurso neste processo", Process.kind)
    if case.step in [each.code for each in steps] and await _begun(tx, case, day):
        return path.step(case.step)
    ran = [(step, await store.terms(tx, case.id, step.code)) for step in reversed(steps)]
    own = (step for step, terms in ran for term in terms if term.party == str(party_id) and term.opened_on <= day)
    past = (step for step, terms in ran if terms or step.code == case.step)
    found = next(own, None) or next(past, None)
    if found is None:
        raise Conflict(message="Não há decisão de que recorrer.")
    return found


async def _begun(tx: Transaction, case: Proceeding, day: date) -> bool:
    """Whether the decision that may be appealed against had been made by then."""
    running = [each for each in await store.charges(tx, case.id) if each.final_on is None and each.decided_on]
    return all(each.decided_on <= day for each in running if each.decided_on)


async def _filing(
    tx: Transaction,
    actor: Actor,
    case: Proceeding,
    path: Path,
    step: ProcessStep,
    party_id: UUID,
    filed_on: date | None,
) -> Filing:
    """Whoever files for themselves, or for whom they stand, files now; an office says when it received it."""
    parties = await store.parties(tx, case.id)
    party = await store.party(tx, case.id, party_id)
    if party.role != RESPONDENT:
        raise Invalid("partyId", "role", "Quem se defende é o autuado: diga por quem se apresenta a peça.")
    own = stands_for(actor, parties, party_id, tx.today) and not actor.may("register")
    if own and filed_on not in (None, tx.today):
        raise Forbidden("register")
    office = None if own else actor.must("register")
    day = filed_on or tx.today
    if not case.opened_on <= day <= tx.today:
        raise Invalid("filedOn", "order", "A peça não é anterior ao processo, nem futura.")
    ran = [term for term in await store.terms(tx, case.id, step.code) if term.party == str(party_id)]
    heard = party_id in await store.filed(tx, case.id, step.code)
    filing = Filing(case, path, step, party, day, ran[-1].last_day if ran else None, office, heard)
    if case.archived_on is not None and (filing.late or not ran or day > case.archived_on):
        raise Conflict(message=f"O processo foi arquivado em {case.archived_on:%d/%m/%Y}.")
    return filing


def _office(path: Path, step: ProcessStep) -> str | None:
    ref = step.to or path.rule.judge
    found = path.law.office_of(ref) if ref else None
    return found if isinstance(found, str) else None


def _lacking(path: Path, step: ProcessStep, contents: Sequence[str] | None) -> list[str]:
    """Nobody has said what it has: then nor what it lacks. Raises Invalid for what the law does not ask for."""
    if contents is None:
        return []
    if not set(contents) <= set(step.contents):
        known = ", ".join(step.contents) or "nada"
        raise Invalid("contents", "unknown_code", f"Do conteúdo da peça a lei pede: {known}.")
    return [each for each in step.contents if each not in contents]


def _direct(path: Path, step: ProcessStep, addressed_to: str | None, told: Decision) -> bool:
    """Straight to the second instance, where the law or its reading allows it."""
    appeal = path.appeal_from(step.instance)
    if appeal is None or addressed_to is None or not (told.value and told.value.direct_to_second):
        return False
    return addressed_to == _office(path, path.judged_at(appeal.instance))


async def _record(
    tx: Transaction, actor: Actor, filing: Filing, verb: str, told: Decision, changes: dict[str, Any]
) -> Act:
    return await acts.record(
        tx,
        actor,
        verb,
        on=("case", filing.case.id),
        decision=told,
        office=filing.office,
        legal_day=filing.on,
        changes={"party": filing.party.id, "late": filing.late, "lastDay": filing.last_day, **changes},
    )


async def _file(tx: Transaction, act: Act, filing: Filing, title: str, text: str, charges: Sequence[Charge]) -> None:
    """The piece; in time, it ends the party's term and stops what the charges draw, as far as the law says so."""
    case, step = filing.case, filing.step
    if filing.late:
        title += f" (fora do prazo, que terminou em {filing.last_day:%d/%m/%Y})"
    elif not charges:
        title += " (recebida no prazo; o que ela impugna já foi executado ou está em outra instância)"
    new = NewPiece(
        kind=step.code,
        title=title,
        text=text,
        filed_on=filing.on,
        late=filing.late,
        party_id=filing.party.id,
        office=filing.office,
    )
    await file_piece(tx, case.id, act, new)
    touched(case)
    if filing.late or not charges:
        return
    await meet(tx, act, case, step.code, filing.on, filing.party.id)
    await reopen(tx, act, filing, charges)
    for charge in charges:
        if step.suspends:
            await effects.suspend(tx, act, charge, filing.on)
        elif charge.suspended_on is not None:
            await effects.release(tx, act, case, charge, filing.on)
            charge.suspended_on = charge.suspended_act = None
    await tx.session.flush()
