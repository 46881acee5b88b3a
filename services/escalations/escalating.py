"""A term that binds the authority is over: it decides nothing, and comes before whom the law names (avocação)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import TYPE_CHECKING, Any

from services import acts, deadlines
from services.access import system
from services.acts import Entry
from services.deadlines import Due, NewDeadline, consequence
from services.deadlines.consequences import OPENS
from services.escalations import store
from services.notices.queue import NewNotice, queue_as_told
from tenants.law.decision import Decision, Missing, Outcome, RuleUsed
from tenants.law.duties import Duty, duty_of
from tenants.law.evaluation import Evaluation
from tenants.law.facts import Facts
from tenants.law.kinds.escalations import Escalate
from tenants.law.law import Law
from tenants.law.quantity import Length
from tenants.law.rule import OfficeRef

if TYPE_CHECKING:
    from services.database import Transaction

ESCALATE = "escalate"
TEMPLATE = "term_escalated"
NEXT_DAY = timedelta(days=1)
WHY = "O prazo da autoridade terminou sem que ela agisse: nada está decidido por isso."


@dataclass(frozen=True, slots=True)
class Overdue:
    """A duty of the authority whose term is over, under the law of its last day."""

    due: Due
    duty: Duty
    law: Law
    level: int = 1


@consequence(ESCALATE, turn=OPENS)
async def escalate_each(tx: "Transaction", batch: Sequence[tuple[Due, Mapping[str, Any]]]) -> None:
    """What a deadline's end says. Where the law of that day knows no such duty any more, nobody has to do it."""
    found = []
    for due, follow in batch:
        law = await tx.law(on=due.last_day)
        duty = duty_of(law, due.kind, due.rule, step=bool(follow.get("step")))
        if duty is not None:
            found.append(Overdue(due, duty, law, follow.get("level", 1)))
    await escalate(tx, found)


async def escalate(tx: "Transaction", overdue: Sequence[Overdue]) -> None:
    """An act for each, the office that has it by now is told, and those above have days of their own."""
    if not overdue:
        return
    chosen = [(each, *_office(each)) for each in overdue]
    entries = [
        Entry(
            subject_id=each.due.subject_id,
            legal_day=each.due.last_day + NEXT_DAY,
            subject_kind=each.due.subject_kind,
            decision=decision,
            changes={
                "decided": False,
                "kind": each.due.kind,
                "deadline": each.due.id,
                "level": each.level,
                "office": office,
                "lastDay": each.due.last_day,
            },
            why=WHY,
        )
        for each, office, decision in chosen
    ]
    for (each, office, _), entry in zip(chosen, entries, strict=True):
        verb = f"{each.due.subject_kind}.escalated"
        made = await acts.record_each(tx, system(tx.tenant_id), verb, [entry])
        await store.add(tx, [_new(each, office, made[each.due.subject_id])])
    await _open_above(tx, overdue)
    await queue_as_told(tx, [_notice(each, office) for each, office, _ in chosen])


def _office(overdue: Overdue) -> tuple[str | None, Decision]:
    """Before whom it comes; where the law or the town names nobody, the decision says what is missing."""
    steps, duty = overdue.duty.escalates, overdue.duty
    used = RuleUsed("duty", duty.kind, duty.title, duty.cite, None, "")
    said = f"{duty.title or duty.kind}: o prazo venceu em {overdue.due.last_day:%d/%m/%Y}. {WHY}"
    if len(steps) < overdue.level:
        ask = f"Perante quem responde a autoridade que deixa passar o prazo ({duty.title or duty.kind})?"
        missing = (Missing("rule", f"{duty.kind}.escalates", ask),)
        return None, Decision(Outcome.UNDETERMINED, said, rules=(used,), missing=missing)
    step = steps[overdue.level - 1]
    cited = RuleUsed("duty", duty.kind, duty.title, (*duty.cite, *step.cite), None, "")
    office = overdue.law.office_of(step.to)
    if isinstance(office, Missing):
        return None, Decision(Outcome.UNDETERMINED, said, rules=(cited,), missing=(office,))
    return office, Decision(Outcome.NEEDS_DECISION, said, rules=(cited,), office=office)


def _new(overdue: Overdue, office: str | None, act_id: Any) -> store.New:
    due = overdue.due
    return store.New(
        deadline_id=due.id,
        kind=due.kind,
        rule=due.rule,
        subject=(due.subject_kind, due.subject_id),
        office=office,
        level=overdue.level,
        due_on=due.last_day,
        since=due.last_day + NEXT_DAY,
        article=due.article,
        passes=overdue.duty.passes,
        act_id=act_id,
    )


async def _open_above(tx: "Transaction", overdue: Sequence[Overdue]) -> None:
    """The next in the chain has it so long after; one without a day of its own has it at once."""
    at_once, later = [], []
    for each in overdue:
        if len(each.duty.escalates) <= each.level:
            continue
        step = each.duty.escalates[each.level]
        last = _last_day(each.law, step, each.due.last_day)
        if step.after is None:
            at_once.append(Overdue(each.due, each.duty, each.law, each.level + 1))
        elif last is not None:
            later.append(_above(each, last))
    await deadlines.open_each(tx, later)
    await escalate(tx, at_once)


def _last_day(law: Law, step: Escalate, last: date) -> date | None:
    ev = Evaluation(law, Facts({}, law.vocabulary))
    length = ev.typed(step.after, Length)
    counted = ev.counted(step.counting, last, length) if length else None
    return counted.last_day if counted else None


def _above(overdue: Overdue, last: date) -> NewDeadline:
    due = overdue.due
    return NewDeadline(
        kind=due.kind,
        rule=due.rule,
        subject_kind=due.subject_kind,
        subject_id=due.subject_id,
        opened_on=due.last_day,
        last_day=last,
        article=due.article,
        opened_act=due.act_id,
        inputs={"after": str(due.id), "level": overdue.level + 1},
        follows=[{"do": ESCALATE, "level": overdue.level + 1}],
    )


def _notice(overdue: Overdue, office: str | None) -> NewNotice:
    due = overdue.due
    return NewNotice(
        key=f"escalated:{due.id}:{overdue.level}",
        template=TEMPLATE,
        subject_kind=due.subject_kind,
        subject_id=due.subject_id,
        to=office or "office",
        deadline_id=due.id,
        holds_while="expired",
    )


def reference(to: OfficeRef) -> str:
    """An office as a pack names it, for those who read the law."""
    return to.office or f"param.{to.param}"
