"""Notices to an office, what reaches nobody, and words of notices, in two towns that are alike."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from api.types.scalars import global_id, read_id
from services.database import Database, Transaction
from services.notices import NewNotice, queue
from services.notices.tasks import NewTask, open_

if TYPE_CHECKING:
    from tests.acceptance.two_towns import Town


@asynccontextmanager
async def behind(town: "Town") -> AsyncIterator[Transaction]:
    """The town's register, as a worker has it."""
    database = Database(town.web.settings, town.web.clock)
    async with database.directory() as directory:
        tenant_id = await directory.scalar("SELECT id FROM municipality WHERE slug = :slug", slug=town.slug)
    async with database.transaction(tenant_id) as tx:
        yield tx
    await database.close()


async def told(town: "Town") -> str:
    """A notice to everybody in the office that may do everything."""
    permit, key = read_id(await town.permit(), "permit").key, str(uuid4())
    async with behind(town) as tx:
        await queue(tx, [NewNotice(key=key, template="aviso", subject_kind="permit", subject_id=permit, to="tudo")])
        return str(global_id("notice", await tx.scalar("SELECT id FROM notice WHERE key = :key", key=key)))


async def unreached(town: "Town") -> str:
    """A task for the clerk."""
    about = str(uuid4())
    async with behind(town) as tx:
        await open_(tx, [NewTask("template", about)])
        return str(global_id("task", await tx.scalar("SELECT id FROM clerk_task WHERE about = :about", about=about)))


async def a_notice(town: "Town") -> dict[str, Any]:
    return {"id": await told(town)}


async def to_read(town: "Town") -> dict[str, Any]:
    return {"noticeIds": [await told(town)]}


async def to_close(town: "Town") -> dict[str, Any]:
    return {"taskId": await unreached(town), "done": "Avisado por telefone."}


async def to_preview(town: "Town") -> dict[str, Any]:
    return {"input": {"subject": "{{ town }}", "body": "{{ number }}", "subjectId": await town.permit()}}


MUTATIONS = {"markNoticesRead": to_read, "closeClerkTask": to_close}
QUERIES = {"notice": a_notice, "previewNoticeTemplate": to_preview}
ANSWERS = {"NoticePreview": "{ subject body }"}
