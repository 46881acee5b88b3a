"""Asking for long work, in the transaction of the act that asks for it."""

from typing import TYPE_CHECKING
from uuid import UUID

from services.errors import Conflict
from services.jobs import store

if TYPE_CHECKING:
    from services.access import Actor
    from services.acts import Act
    from services.database import Transaction


async def queue(
    tx: "Transaction", actor: "Actor", act: "Act", *, kind: str, subject: tuple[str, UUID], office: str | None
) -> UUID:
    """Write down what is to be done, for whom, in which office; a worker finds it.

    Raises:
        Conflict: The same is being done, or waits to be.
    """
    made = await store.add(tx, kind=kind, subject=subject, by=actor.subject, office=office, act_id=act.id)
    if made is None:
        raise Conflict(message="Esta tarefa já está em andamento. Aguarde o fim.")
    return made
