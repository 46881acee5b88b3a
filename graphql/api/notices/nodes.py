"""Notices and tasks, by their ids."""

from uuid import UUID

from api.nodes import loads
from api.notices.queries import notice_by, task_by
from api.notices.types import ClerkTask, Notice
from api.selection import Selection
from services.database import Reader


@loads("notice")
async def notice(tx: Reader, id: UUID, wanted: Selection) -> Notice:
    return await notice_by(tx, id, wanted)


@loads("task")
async def task(tx: Reader, id: UUID, wanted: Selection) -> ClerkTask:
    return await task_by(tx, id)
