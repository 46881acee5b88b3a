"""A call is undone before anybody is awarded a vacancy (revogação, anulação), as the town's law provides it."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from uuid import UUID

from services import acts, deadlines
from services.access import Actor
from services.database import Transaction
from services.deadlines.store import NoMore
from services.errors import Invalid, Refused
from services.notices.queue import NewNotice, queue
from services.permits import store as permits
from services.registry.facts import facts
from services.selection import store
from services.selection.calling import CALL
from services.selection.enrolling import CANDIDATE
from services.selection.rules import granting_office, instrument_of, lacking, must_run, order_of
from services.selection.tables import SelectionCall
from tenants.law.decide import decide
from tenants.law.decision import Decision
from tenants.law.kinds.grants import Selection
from tenants.law.law import Law
from tenants.law.questions import UndoingAnswer, UndoingQuestion

UNDONE = "call_undone"


async def undo_call(
    tx: Transaction,
    actor: Actor,
    *,
    call_id: UUID,
    undoing: str,
    why: str,
    met: Sequence[Mapping[str, str]] = (),
    version: int | None = None,
) -> SelectionCall:
    """Undo a call (revogar, anular o edital): nobody is called by it, its vacancies are free again, all are told.

    Args:
        undoing: In what way, by the law's code.
        met: What the law wants before (an opinion, a hearing), each with its ``source``.

    Raises:
        Refused: The law of the day has no such thing, wants something before, or the call has come too far.
        Forbidden: The law gives it to another office.
        Conflict: The call is of another version.
    """
    _may_decide(actor)  # before it is told whether there is such a call
    if not why.strip():
        raise Invalid("why", "empty", "Diga por que se desfaz o edital.")
    law = await tx.law(on=tx.today)
    seen = await store.call(tx, call_id, tx.today)
    await permits.lock_category(tx, law.root(seen.category))
    await deadlines.settle(tx, tx.today, await store.subjects(tx, call_id))
    call = await store.lock_call(tx, call_id, version)
    must_run(order_of(await tx.law(on=call.announced_on), call.category), call)
    sources = {each["code"]: each["source"] for each in met}
    decision, office = _decided(law, actor, call, undoing, sources)
    return await _undo(tx, actor, office, decision, call, (undoing, why.strip(), sources))


def _may_decide(actor: Actor) -> None:
    if not actor.may("decide"):
        actor.must("grant")


def _decided(
    law: Law, actor: Actor, call: SelectionCall, undoing: str, sources: Mapping[str, str]
) -> tuple[Decision, str]:
    """The law's answer, and the office that acts: the one it names, otherwise who grants. Raises Refused, Forbidden."""
    order = order_of(law, call.category)
    if undoing not in {each.code for each in order.rule.undoing}:
        raise lacking(Selection.kind, f"desfazer o edital por {undoing}")
    question = UndoingQuestion(call.category, undoing, _stage(call), tuple(sources))
    decision = decide(law, question, facts(law, {"permit.category": call.category}))
    named = decision.value.decides if isinstance(decision.value, UndoingAnswer) else None
    office = actor.must_hold(named, "decide") if named else granting_office(actor, instrument_of(law, call.category))
    if not decision.carries(judged=True):  # the office's reasons are what it decides
        raise Refused(decision)
    return decision, office


def _stage(call: SelectionCall) -> str:
    if call.awarded_on is not None:
        return "awarded"
    if call.result_on is not None:
        return "published"
    return "open" if call.frozen_on is None else "frozen"


async def _undo(
    tx: Transaction,
    actor: Actor,
    office: str,
    decision: Decision,
    call: SelectionCall,
    said: tuple[str, str, Mapping[str, str]],
) -> SelectionCall:
    undoing, why, sources = said
    told = decision.value.title if isinstance(decision.value, UndoingAnswer) else undoing
    act = await acts.record(
        tx, actor, "selection.undone", on=(CALL, call.id), office=office, why=why,
        decision=replace(decision, message=f"{told}: edital {call.number}."),
        changes={"undoing": undoing, "met": sources},
    )  # fmt: skip
    members = await store.members(tx, call.id)
    over = [(CALL, call.id), *((CANDIDATE, each.id) for each in members)]
    await deadlines.meet_all(tx, [NoMore(subject, tx.today, act.id) for subject in over])
    call.undone, call.undone_why, call.ended_on, call.ended_act = undoing, why, tx.today, act.id
    call.version += 1
    waiting = [each.id for each in members if each.excluded_on is None]
    await queue(tx, [_notice(id, call, told) for id in waiting])
    return call


def _notice(candidate: UUID, call: SelectionCall, told: str) -> NewNotice:
    return NewNotice(
        key=f"undone:{call.id}:{candidate}",
        template=UNDONE,
        subject_kind=CANDIDATE,
        subject_id=candidate,
        payload={"title": told, "category": call.category},
    )
