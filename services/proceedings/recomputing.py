"""Terms that run are counted again when the town's calendar has changed: each that moves, by an act. Never closed ones.

What has expired or was met was counted by the calendar that was known on its days.
"""

from dataclasses import dataclass
from datetime import date
from typing import Any
from uuid import UUID

from sqlalchemy import Row

from services import acts, deadlines
from services.access import Actor
from services.acts.record import Act
from services.database import Reader, Transaction
from services.proceedings import store
from services.proceedings.payments import suspensions
from services.registry.facts import facts
from services.terms import Running, new_deadline
from tenants.law.decide import decide
from tenants.law.decision import Decision, plain
from tenants.law.kinds.proceedings import Process
from tenants.law.kinds.terms import Term
from tenants.law.law import Law
from tenants.law.questions import StepQuestion, TermQuestion


@dataclass(frozen=True, slots=True)
class Moved:
    """A term whose last day is another by now, with the count that says why."""

    deadline: Row[Any]
    last_day: date
    decision: Decision
    term: Term | None


async def moved_terms(tx: Reader) -> list[Moved]:
    """The terms in course whose last day the law as it is known now puts elsewhere, if it puts it anywhere."""
    found = []
    for row in await store.counted_and_open(tx):
        law = await tx.law(on=row.opened_on)
        again = _counted(law, row)
        if again is None:
            continue
        decision, term = again
        if decision.permits and decision.value.days and decision.value.last_day != row.last_day:
            found.append(Moved(row, decision.value.last_day, decision, term))
    return found


def _counted(law: Law, row: Row[Any]) -> tuple[Decision, Term | None] | None:
    """A step of a process, or a term; None: the law of its day has no such thing any more."""
    start, stood_still = date.fromisoformat(row.counted["days"]["start"]), suspensions(row.inputs)
    if (process := row.inputs.get("process")) is not None:
        rule = law.get(Process, process)
        if rule is None or row.kind not in [step.code for step in rule.step]:
            return None
        question = StepQuestion(process=process, step=row.kind, start=start, suspensions=stood_still)
        return decide(law, question, facts(law)), None
    term = law.get(Term, row.kind)
    if term is None or row.rule != row.kind:
        return None
    return decide(law, TermQuestion(code=row.kind, start=start, suspensions=stood_still), facts(law)), term


async def recompute_open_terms(tx: Transaction, actor: Actor, *, why: str | None = None) -> list[UUID]:
    """Move every term in course to where the calendar puts it now; answers which.

    Raises:
        Forbidden: The actor may not publish law.
    """
    office = actor.must("publish")
    await deadlines.settle(tx)
    found = await moved_terms(tx)
    entries = [
        acts.Entry(
            subject_id=each.deadline.id,
            legal_day=tx.today,
            subject_kind="deadline",
            decision=each.decision,
            changes={"lastDay": each.last_day, "was": each.deadline.last_day, "kind": each.deadline.kind},
            why=why,
        )
        for each in found
    ]
    made = await acts.record_each(tx, actor, "deadline.recomputed", entries, office=office)
    for each in found:
        await _move(tx, each, made[each.deadline.id])
    return [each.deadline.id for each in found]


async def _move(tx: Transaction, moved: Moved, act_id: UUID) -> None:
    """What follows the end of a term has days of its own, which move with it."""
    row = moved.deadline
    follows = None
    if moved.term is not None:
        act = Act(act_id, "deadline.recomputed", tx.now, tx.today, "deadline", row.id)
        running = Running(moved.term, moved.decision, moved.last_day)
        follows = new_deadline(act, running, subject=(row.subject_kind, row.subject_id), on=row.opened_on).follows
    given = {"counted": plain(moved.decision.value), "message": moved.decision.message, "follows": follows}
    await deadlines.recount(tx, row.id, last_day=moved.last_day, act_id=act_id, **given)
