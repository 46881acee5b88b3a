"""The competent office decides (decisão, julgamento): it upholds or dismisses each charge, and says why."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import Any
from uuid import UUID

from services import acts
from services.access import Actor
from services.acts.record import Act
from services.database import Transaction
from services.errors import Conflict, Invalid
from services.permits.offices import office_that
from services.proceedings import store
from services.proceedings.finality import make_final
from services.proceedings.parties import respondents
from services.proceedings.path import PARTY, Path
from services.proceedings.pieces import NewPiece, file_piece
from services.proceedings.progress import (
    DISMISSED,
    UPHELD,
    awaited,
    concerned,
    ended_for,
    enter,
    happened,
    meet,
    taken,
    touched,
)
from services.proceedings.tables import Charge, Proceeding
from tenants.law.decision import Decision
from tenants.law.kinds.proceedings import ProcessStep

WORDS = {UPHELD: "mantida", DISMISSED: "afastada"}


async def decide_case(
    tx: Transaction,
    actor: Actor,
    *,
    case_id: UUID,
    outcomes: Sequence[Mapping[str, Any]],
    text: str,
    on: date | None = None,
    version: int | None = None,
) -> UUID:
    """Decide what an instance has before it; answers the case's id.

    Args:
        outcomes: Of each charge that waits, its `charge_id` and `outcome`: upheld or dismissed.
        text: The decision with its grounds: a piece.

    Raises:
        Forbidden: The law gives the decision to another office.
        Conflict: The case does not wait for a decision, or somebody has decided since.
        Invalid: A charge that waits is left undecided, or another is named; somebody's turn was not over that day.
    """
    actor.must("decide")
    day = on or tx.today
    case = await taken(tx, case_id, version)
    path = Path.of(await tx.law(on=tx.today), case.process)
    step = path.step(case.step)
    await _must_wait(tx, case, path, step)
    office = office_that(path.law, actor, step.to or path.rule.judge, "decide")
    waiting = _waiting(await store.charges(tx, case_id), step)
    since = await _heard_since(tx, case, path, step, waiting)
    if not since <= day <= tx.today:
        why = f"A decisão não é anterior a {since:%d/%m/%Y}, quando todos já tiveram a sua vez, nem futura."
        raise Invalid("on", "order", why)
    said = _said(waiting, outcomes)
    act = await _recorded(tx, actor, case, path, step, waiting, said, text, day, office)
    await meet(tx, act, case, step.code, day)
    await _decided(tx, act, case, path, step, waiting, said)
    await happened(tx, act, case, "decided", day)
    touched(case)
    await tx.session.flush()
    return case_id


async def _recorded(
    tx: Transaction,
    actor: Actor,
    case: Proceeding,
    path: Path,
    step: ProcessStep,
    waiting: Sequence[Charge],
    said: Mapping[UUID, str],
    text: str,
    day: date,
    office: str,
) -> Act:
    """The act and the piece, which anybody may read."""
    act = await acts.record(
        tx,
        actor,
        "case.decided",
        on=("case", case.id),
        decision=_stated(path, step, day, waiting, said),
        office=office,
        legal_day=day,
        changes={"step": step.code, "outcomes": {c.infraction: said[c.id] for c in waiting}},
    )
    title = step.title or step.code
    kind = f"{step.code}.decision"
    new = NewPiece(kind=kind, title=title, text=text, filed_on=day, restricted=False, office=office)
    await file_piece(tx, case.id, act, new)
    return act


async def _must_wait(tx: Transaction, case: Proceeding, path: Path, step: ProcessStep) -> None:
    """Raises Conflict unless the step in course is the decision, or the one that an office decides at once.

    At once: when everybody has had their turn; what nobody appealed against is final by then.
    """
    if step != path.judged_at(step.instance):
        raise Conflict(message="O processo não aguarda decisão.")
    if step.actor == PARTY:
        running = [each for each in await store.charges(tx, case.id) if each.final_on is None]
        if step.instance > 1 and not any(each.appealed_on for each in running):
            raise Conflict(message="O processo não aguarda decisão: ninguém recorreu.")
        if await awaited(tx, case, step, running):
            raise Conflict(message="O processo não aguarda decisão: ainda corre o prazo de uma das partes.")


async def _heard_since(
    tx: Transaction, case: Proceeding, path: Path, step: ProcessStep, waiting: Sequence[Charge]
) -> date:
    """The first day on which each whose charge waits had filed, or let the whole term pass, and was decided before."""
    parties = respondents(await store.parties(tx, case.id))
    whose = {id for charge in waiting for id in concerned(charge, parties)}
    days = [case.opened_on, *(charge.decided_on for charge in waiting if charge.decided_on)]
    for turn in path.rule.step:
        if turn.actor == PARTY and turn.instance <= step.instance:
            ended = await ended_for(tx, case, turn, parties)
            days += [over.final_from for id, over in ended.items() if id in whose]
    return max(days)


def _waiting(charges: Sequence[Charge], step: ProcessStep) -> list[Charge]:
    """What the instance has before it: in the first everything, later what was appealed against."""
    return [each for each in charges if each.final_on is None and (step.instance == 1 or each.appealed_on)]


def _said(waiting: Sequence[Charge], outcomes: Sequence[Mapping[str, Any]]) -> dict[UUID, str]:
    said = {each["charge_id"]: each["outcome"] for each in outcomes}
    if set(said) != {each.id for each in waiting}:
        raise Invalid("outcomes", "incomplete", "Decida-se cada infração que aguarda, e nenhuma outra.")
    if not set(said.values()) <= set(WORDS):
        raise Invalid("outcomes", "unknown_code", f"Cada resultado é um destes: {', '.join(WORDS)}.")
    return said


def _stated(path: Path, step: ProcessStep, day: date, waiting: Sequence[Charge], said: Mapping[UUID, str]) -> Decision:
    told = "; ".join(f"{each.infraction} ({each.title}) {WORDS[said[each.id]]}" for each in waiting)
    return replace(path.term(step, day), message=f"{step.title or step.code}: {told}.", value=None)


async def _decided(
    tx: Transaction,
    act: Act,
    case: Proceeding,
    path: Path,
    step: ProcessStep,
    waiting: Sequence[Charge],
    said: Mapping[UUID, str],
) -> None:
    """What nobody can appeal against is final; the rest waits for each party to be told, and for its term."""
    appeal = path.appeal_from(step.instance)
    told = path.answer().value
    review = appeal is not None and told is not None and told.ex_officio and step.instance == 1
    refused = act.legal_day if step.instance > 1 else None
    for charge in waiting:
        charge.outcome, charge.decided_on, charge.decided_act = said[charge.id], act.legal_day, act.id
        charge.appealed_on = charge.appealed_act = None
        charge.version += 1
        if charge.outcome == DISMISSED and review:
            charge.appealed_on, charge.appealed_act = act.legal_day, act.id
        elif charge.outcome == DISMISSED or appeal is None:
            await make_final(tx, case, charge, act.legal_day, act=act, refused_on=refused)
    left = [each for each in waiting if each.final_on is None]
    if appeal is None or not left:
        case.step = None
    elif all(each.outcome == DISMISSED for each in left):
        await enter(tx, act, case, path, path.judged_at(appeal.instance), act.legal_day)
    else:
        await enter(tx, act, case, path, appeal, act.legal_day)
