"""Until when a penalty may be defended (prazo de defesa): an agent's act is provisional until that day is over."""

from collections.abc import Sequence
from datetime import date
from uuid import UUID

from services import deadlines
from services.acts.record import Act
from services.database import Transaction
from services.registry.facts import facts
from services.terms import articles
from tenants.law.decide import decide
from tenants.law.kinds.proceedings import Process, ProcessStep
from tenants.law.law import Law
from tenants.law.questions import StepQuestion

PARTY, SERVED = "party", "service"
Defence = tuple[Process, ProcessStep]


def defence_of(law: Law, by: Sequence[str]) -> Defence | None:
    """The step with which a party answers, in the process of those who apply the penalty; None: there is none."""
    known = [(rule, step) for _, rule in law.all(Process) if (step := _first(rule)) is not None]
    theirs = [each for each in known if each[0].judge and law.office_of(each[0].judge) in by]
    return next(iter(theirs or known), None)


def _first(rule: Process) -> ProcessStep | None:
    return next((step for step in rule.step if (step.actor, step.after) == (PARTY, SERVED)), None)


async def open_defence(
    tx: Transaction, act: Act, law: Law, defence: Defence, *, subject: tuple[str, UUID], told_on: date
) -> UUID | None:
    """The term for a defence, from the day on which the person was told; None: the town has not said how long it is."""
    process, step = defence
    decision = decide(law, StepQuestion(process=process.code, step=step.code, start=told_on), facts(law))
    if not decision.permits or decision.value.last_day is None:
        return None
    return await deadlines.open_(
        tx,
        kind=step.code,
        rule=process.code,
        subject=subject,
        opened_on=told_on,
        last_day=decision.value.last_day,
        article=articles(step.cite or process.cite),
        act_id=act.id,
        inputs={"event": SERVED, "on": told_on.isoformat(), "rule": decision.plain()["rules"]},
        counted=decision.plain()["value"],
    )
