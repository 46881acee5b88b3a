"""Who may see a record: offices that read, its holder, and its driver."""

from typing import Any
from uuid import UUID

from sqlalchemy import Row

from services.access import Actor
from services.database import Reader
from services.enforcement.occurrences import store
from services.errors import NotFound


def is_theirs(actor: Actor, row: Row[Any]) -> bool:
    person = actor.person_id is not None and actor.person_id in (row.holder_person, row.driver_person)
    return person or (actor.company_id is not None and actor.company_id == row.holder_company)


async def theirs(tx: Reader, actor: Actor, id: UUID) -> Row[Any]:
    """Raises Forbidden, also where there is none, for who may not read; NotFound."""
    try:
        row = await store.occurrence(tx, id)
    except NotFound:
        actor.must("read")
        raise
    if not is_theirs(actor, row):
        actor.must("read")
    return row
