"""One's own notices, and that they have been read."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from uuid import UUID

from services.errors import Forbidden, NotFound
from services.notices.composing import html_of
from services.notices.inbox import store
from services.notices.preparing import write
from tenants.law.wording import Filled

if TYPE_CHECKING:
    from sqlalchemy import Row

    from services.access import Actor
    from services.database import Reader, Transaction


@dataclass(frozen=True, slots=True)
class Inbox:
    """Whose: a person's and their company's, and that of each office which they hold."""

    reader: str
    person_id: UUID | None
    company_id: UUID | None
    offices: tuple[str, ...]


def inbox_of(actor: "Actor") -> Inbox:
    """Raises Forbidden for who is nobody of the register and holds no office."""
    if actor.person_id is None and actor.company_id is None and not actor.offices:
        raise Forbidden("hold")
    return Inbox(actor.subject, actor.person_id, actor.company_id, actor.offices)


async def mine(
    tx: "Reader", actor: "Actor", *, limit: int, after: UUID | None, unread_only: bool = False
) -> list[tuple["Row[Any]", Filled]]:
    """The newest first, with their words: as they were sent, or as they will be when that is still to come."""
    rows = await store.page(tx, inbox_of(actor), limit, after, unread_only=unread_only)
    said = await words(tx, rows)
    return [(row, said[row.id]) for row in rows]


async def words(tx: "Reader", rows: Sequence["Row[Any]"]) -> dict[UUID, Filled]:
    found = {row.id: Filled(row.subject, row.body, row.html) for row in rows if row.subject is not None}
    coming = await write(tx, [row for row in rows if row.id not in found])
    new = {id: each.words for id, each in coming.items()}
    return found | {id: Filled(each.subject, each.body, html_of(each)) for id, each in new.items()}


async def unread(tx: "Reader", actor: "Actor") -> int:
    return await store.unread(tx, inbox_of(actor))


async def mark_read(tx: "Transaction", actor: "Actor", *, notice_ids: Sequence[UUID]) -> int:
    """Record who has read them, and when; again changes nothing. Answers how many were new.

    Raises:
        Forbidden: The actor has no inbox.
        NotFound: One of them is not in it.
    """
    inbox = inbox_of(actor)
    wanted = list(dict.fromkeys(notice_ids))
    there = await store.there(tx, inbox, wanted)
    missing = next((id for id in wanted if id not in there), None)
    if missing is not None:
        raise NotFound("notice", missing)
    return await store.mark(tx, inbox.reader, wanted)
