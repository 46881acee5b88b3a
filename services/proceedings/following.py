"""What follows when a step's term is over: the case goes on, or the authority's silence is put on record."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from services.deadlines import Due, consequence
from services.escalations.escalating import Overdue, escalate
from services.proceedings import store
from services.proceedings.instructing import leave
from services.proceedings.path import AUTHORITY, PARTY, Path
from services.proceedings.progress import CASE_STEP, go_on, night_act, touched
from tenants.law.duties import of_step

if TYPE_CHECKING:
    from services.database import Transaction


@consequence(CASE_STEP)
async def step_over(tx: "Transaction", batch: Sequence[tuple[Due, Mapping[str, Any]]]) -> None:
    """Case by case, always in the same order: two nights wait for each other and never stand in each other's way."""
    for due, _ in sorted(batch, key=lambda each: (each[0].subject_id, each[0].id)):
        case = await store.lock_case(tx, due.subject_id)
        if case.step != due.kind:
            continue
        path = Path.of(await tx.law(on=due.last_day), case.process)
        step, act = path.step(case.step), night_act(tx, due)
        if step.actor == PARTY:
            await go_on(tx, act, case, path, step)
        else:
            await escalate(tx, [Overdue(due, of_step(path.rule, step), path.law)])
            if step.actor != AUTHORITY or step.optional:
                await leave(tx, act, case, path, step, due.last_day)
        touched(case)
        await tx.session.flush()
