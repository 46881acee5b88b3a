"""What a party files: its defence (impugnação), its appeal (recurso). In time until the last day ends; never lost."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any
from uuid import UUID

from sqlalchemy import Row

from services import acts
from services.access import Actor
from services.acts.record import Act
from services.database import Transaction
from services.errors import Conflict, Forbidden, Invalid
from services.permits.unforeseen import not_provided
from services.proceedings import effects, store
from services.proceedings.finality import withdraw
from services.proceedings.parties import RESPONDENT, is_party, respondents, stands_for
from services.proceedings.path import PARTY, Path
from services.proceedings.pieces import NewPiece, file_piece
from services.proceedings.progress import UPHELD, concerned, go_on, happened, meet, taken, touched
from services.proceedings.tables import Charge, Proceeding
from tenants.law.decision import Decision
from tenants.law.kinds.proceedings import Process, ProcessStep


@dataclass(frozen=True, slots=True)
class Filing:
    """What is filed, by whom, in which step, on what day; ``last_day``: of the term, where it has run."""

    case: Proceeding
    path: Path
    step: ProcessStep
    party: Row[Any]
    on: date
    last_day: date | None
    office: str | None

    @property
    def late(self) -> bool:
        return self.last_day is not None and self.on > self.last_day


async def file_defence(
    tx: Transaction,
    actor: Actor,
    *,
    case_id: UUID,
    party_id: UUID,
    text: str,
    addressed_to: str | None = None,
    filed_on: date | None = None,
) -> UUID:
    """A respondent's defence; no deposit is asked for. Answers the case's id.

    Args:
        addressed_to: The office that it was handed to. One that may not judge it passes it on: it counts all the same.
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
    charges = await _challenged(tx, filing, None, appealing=False)
    told = path.answer()
    direct = _direct(path, step, addressed_to, told)
    title = step.title or step.code
    if addressed_to and addressed_to != _office(path, step) and not direct:
        title += f" (entregue a: {addressed_to}; vale na instância competente)"
    act = await _record(tx, actor, filing, "case.defended", told, {"addressedTo": addressed_to, "direct": direct})
    await _file(tx, act, filing, title, text, charges)
    if not filing.late:
        if direct:
            for charge in charges:
                charge.appealed_on, charge.appealed_act = filing.on, act.id
        await happened(tx, act, case, "defended", filing.on)
        await go_on(tx, act, case, path, step)
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
    step = await _appeal_step(tx, path, case)
    filing = await _filing(tx, actor, case, path, step, party_id, filed_on)
    charges = await _challenged(tx, filing, charge_ids, appealing=True)
    act = await _record(tx, actor, filing, "case.appealed", path.term(step, None), {"charges": [c.id for c in charges]})
    await _file(tx, act, filing, step.title or step.code, text, charges)
    if not filing.late:
        for charge in charges:
            charge.appealed_on, charge.appealed_act = filing.on, act.id
        await happened(tx, act, case, "appealed", filing.on)
        await go_on(tx, act, case, path, step)
    return case_id


async def _may_file(tx: Transaction, actor: Actor, case_id: UUID) -> None:
    """An office that receives papers, or one of the case's parties. Raises Forbidden, also where there is no case."""
    if not await is_party(tx, actor, case_id):
        actor.must("register")


async def _opened(tx: Transaction, case_id: UUID) -> tuple[Path, Proceeding]:
    """Raises Conflict where the case is kept or gone: nothing is filed in it any more."""
    case = await taken(tx, case_id)
    if case.archived_on is not None:
        raise Conflict(message="O processo está arquivado.")
    return Path.of(await tx.law(on=tx.today), case.process), case


async def _appeal_step(tx: Transaction, path: Path, case: Proceeding) -> ProcessStep:
    """The step in which one appeals: the one in course, or the last that was."""
    steps = [each for each in path.rule.step if each.actor == PARTY and each.instance > 1]
    if not steps:
        raise not_provided(path.law, "recurso neste processo", Process.kind)
    if case.step in [each.code for each in steps]:
        return path.step(case.step)
    for step in reversed(steps):
        if await store.terms(tx, case.id, step.code):
            return step
    raise Conflict(message="Não há decisão de que recorrer.")


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
    own = stands_for(actor, parties, party_id) and not actor.may("register")
    if own and filed_on not in (None, tx.today):
        raise Forbidden("register")
    office = None if own else actor.must("register")
    day = filed_on or tx.today
    if not case.opened_on <= day <= tx.today:
        raise Invalid("filedOn", "order", "A peça não é anterior ao processo, nem futura.")
    ran = [term for term in await store.terms(tx, case.id, step.code) if term.party == str(party_id)]
    return Filing(case, path, step, party, day, ran[-1].last_day if ran else None, office)


async def _challenged(tx: Transaction, filing: Filing, ids: Sequence[UUID] | None, *, appealing: bool) -> list[Charge]:
    """The charges that it is about: the party's own that may still be challenged, or those of them that it names."""
    case, parties = filing.case, respondents(await store.parties(tx, filing.case.id))
    own = [each for each in await store.charges(tx, case.id) if filing.party.id in concerned(each, parties)]
    open_ones = [each for each in own if _may_be_challenged(each, filing.on, appealing)]
    if filing.late:
        open_ones = open_ones or own
    if not open_ones or (not appealing and not filing.late and any(c.outcome and not c.final_on for c in own)):
        raise Conflict(message="Já não há o que impugnar neste processo.")
    if ids is None:
        return open_ones
    named = [each for each in open_ones if each.id in set(ids)]
    if not named or len(named) < len(set(ids)):
        raise Invalid("chargeIds", "charge", "Só se recorre do que foi mantido e ainda não é definitivo.")
    if len(named) < len(open_ones) and not filing.step.whole_or_part:
        raise not_provided(filing.path.law, "recurso de parte da decisão", Process.kind)
    return named


def _may_be_challenged(charge: Charge, on: date, appealing: bool) -> bool:
    """Not yet final on the day of the filing, whenever that is recorded; nothing of it carried out."""
    if charge.enforced_on is not None or (appealing and charge.outcome != UPHELD):
        return False
    return charge.final_on is None or (charge.final_on > on and charge.outcome == UPHELD)


def _office(path: Path, step: ProcessStep) -> str | None:
    ref = step.to or path.rule.judge
    found = path.law.office_of(ref) if ref else None
    return found if isinstance(found, str) else None


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
    if filing.late:
        return
    await meet(tx, act, case, step.code, filing.on, filing.party.id)
    await _reopened(tx, act, filing, charges)
    for charge in charges:
        if step.suspends:
            await effects.suspend(tx, act, charge, filing.on)
        elif charge.suspended_on is not None:
            await effects.release(tx, act, case, charge, filing.on)
            charge.suspended_on = charge.suspended_act = None
    await tx.session.flush()


async def _reopened(tx: Transaction, act: Act, filing: Filing, charges: Sequence[Charge]) -> None:
    """Received in time and entered after its term was found over: what followed from that did not."""
    for charge in charges:
        if charge.final_on is not None:
            await withdraw(tx, charge)
    if filing.case.step != filing.step.code:
        if filing.case.step is not None:
            await meet(tx, act, filing.case, filing.case.step, filing.on)
        filing.case.step = filing.step.code
