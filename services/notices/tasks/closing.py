"""Closing a clerk's task, with what was done."""

from typing import TYPE_CHECKING
from uuid import UUID

from services import acts
from services.errors import Conflict, Invalid
from services.notices.tasks import store

if TYPE_CHECKING:
    from services.access import Actor
    from services.database import Transaction

NODE = "clerk_task"


async def close_task(
    tx: "Transaction", actor: "Actor", *, task_id: UUID, done: str, version: int | None = None
) -> UUID:
    """Say what was done; answers the task's id. A failing address is used again from now on.

    Raises:
        Forbidden: The actor may not register.
        NotFound: The town has no such task.
        Conflict: It is closed, or changed since.
        Invalid: It is not said what was done.
    """
    office = actor.must("register")
    if not done.strip():
        raise Invalid("done", "missing", "Diga o que foi feito.")
    task = await store.lock(tx, task_id)
    if task.closed_on is not None:
        raise Conflict(message="A tarefa já foi encerrada.")
    if version is not None and version != task.version:
        raise Conflict(expected=version, actual=task.version)
    act = await acts.record(
        tx,
        actor,
        "clerk_task.closed",
        on=(NODE, task_id),
        office=office,
        changes={"kind": task.kind, "closedOn": tx.today},
        why=done,
    )
    await store.close(tx, task_id, on=tx.today, act_id=act.id, done=done)
    return task_id
