"""A checked file is imported once (importação): rows without errors enter the register, so many at a time."""

from collections import Counter
from typing import Any
from uuid import UUID

from services import acts, jobs
from services.access import Actor
from services.database import Transaction
from services.errors import Invalid
from services.importing import store
from services.importing.cleaning import Issue
from services.importing.known import keys_of
from services.importing.planners import planner_for
from services.importing.writing import write
from services.jobs import Progress, Task
from services.permits import store as permits
from services.stands import store as stands
from tenants.law.law import Law

RUN = "import.run"


async def run_import(tx: Transaction, actor: Actor, *, import_id: UUID) -> UUID:
    """Have a checked file imported; a worker does it. Answers the file's id. One that was imported stays as it is.

    Raises:
        Invalid: The file was not checked.
        Forbidden: Permits come with it, and the office may not grant them.
    """
    office = actor.must("grant")
    file = await store.file(tx, import_id, lock=True)
    if file.state == "imported":
        return import_id
    if file.dropped_on is not None:
        raise Invalid("importId", "dropped", "A planilha já foi descartada: envie-a de novo.")
    if file.state != "checked":
        raise Invalid("importId", "not_checked", "Confira a planilha antes de importar.")
    subject = ("import", import_id)
    act = await acts.record(tx, actor, "import.started", on=subject, office=office, changes={"sha256": file.sha256})
    await jobs.queue(tx, actor, act, kind=RUN, subject=subject, office=office)
    await store.clear_run(tx, import_id)
    return import_id


@jobs.step(RUN)
async def run_step(tx: Transaction, task: Task) -> Progress:
    """The next rows; after the last, the act that says what came of all."""
    counts = {table: Counter(counted) for table, counted in task.cursor.get("counts", {}).items()}
    batch = await store.unwritten(tx, task.subject_id, task.cursor.get("next", 0), tx.settings.import_batch)
    if not batch:
        return await _finish(tx, task, counts)
    for table, counted in (await _import(tx, task, batch)).items():
        counts[table] = counts.get(table, Counter()) + counted
    total = (await store.file(tx, task.subject_id)).rows
    cursor = {"next": batch[-1].number, "counts": counts}
    return Progress(task.done + len(batch), total=total, cursor=cursor)


async def _import(tx: Transaction, task: Task, batch: list[Any]) -> dict[str, Counter[str]]:
    """Rows are compared with the register once more: what has changed since the check counts."""
    file = await store.file(tx, task.subject_id)
    law = await _locked(tx, await tx.law(on=tx.today), [row.record for row in batch])
    planner = await planner_for(tx, law, [row.record for row in batch], file.columns)
    keys = [key for row in batch for key in keys_of(row.record)]
    planner.seen = frozenset(await store.seen_above(tx, task.subject_id, batch[0].number, keys))
    outcomes: dict[int, str] = {}
    issues: list[Issue] = []
    for row in batch:
        planned = planner.plan(row.number, row.record)
        outcomes[row.number] = planned.what
        issues += [issue for issue in planned.issues if issue.severity == "error"]
    actor = task.actor(tx.tenant_id)
    await write(tx, actor, task.office, task.subject_id, planner.writes, planner.validity)
    await store.keep_outcomes(tx, task.subject_id, outcomes)
    await store.add_issues(tx, task.subject_id, "run", issues)
    return {**planner.writes.counts, "row": Counter(outcomes.values())}


async def _locked(tx: Transaction, law: Law, records: list[dict[str, Any]]) -> Law:
    """The categories first, then the stands: whoever counts them meanwhile waits. The law as it is then."""
    categories = {record["category"] for record in records if "category" in record}
    for root in sorted({law.root(category) for category in categories}):
        await permits.lock_category(tx, root)
    for stand in sorted({record["stand"] for record in records if "stand" in record}):
        await stands.lock(tx, stand)
    return await tx.law(on=tx.today)


async def _finish(tx: Transaction, task: Task, counts: dict[str, Counter[str]]) -> Progress:
    file = await store.file(tx, task.subject_id, lock=True)
    skipped = (file.rows or 0) - sum(counts.get("row", Counter()).values())
    counts["row"] = counts.get("row", Counter()) + Counter({"skip": skipped})
    changes = {"counts": counts}
    subject = ("import", task.subject_id)
    actor = task.actor(tx.tenant_id)
    await acts.record(tx, actor, "import.finished", on=subject, office=task.office, changes=changes)
    await store.change(tx, task.subject_id, state="imported", counts=counts)
    return Progress(file.rows or 0, total=file.rows, finished=True, result=counts)
