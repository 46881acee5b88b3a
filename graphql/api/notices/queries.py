"""Asking for notices, tasks, and what the words of a notice may say."""

from uuid import UUID

import strawberry
from strawberry.types import Info

from api.context import Context
from api.notices.types import (
    ClerkTask,
    InboxNotice,
    Notice,
    NoticePreview,
    TemplateField,
    field_of,
    inbox_notice,
    notices_of,
    preview_of,
    task_of,
)
from api.register.queries import UUID_KEY, office_reader
from api.selection import Selection
from api.types.connections import Connection, Page
from api.types.scalars import read_id
from services.database import Reader
from services.errors import Invalid
from services.notices import inbox
from services.notices.showing import store
from services.notices.tasks import store as tasks
from services.notices.templating import preview_template
from tenants.law.receivers import PEOPLE
from tenants.law.wording import Words, fields_of_kind


@strawberry.input(description="Words of a notice, and the record of the town to fill them with.")
class PreviewNoticeTemplateInput:
    subject: str
    body: str
    html: str | None = strawberry.field(default=strawberry.UNSET, description="None: made of the plain text.")
    subject_id: strawberry.ID = strawberry.field(description="A permit, a licence, a fine …, a deadline or a notice.")


async def notice_by(tx: Reader, id: UUID, wanted: Selection) -> Notice:
    """Raises NotFound."""
    (found,) = await notices_of(tx, [await store.one(tx, id)], wanted)
    return found


async def task_by(tx: Reader, id: UUID) -> ClerkTask:
    return task_of(await tasks.one(tx, id))


@strawberry.type
class NoticeQuery:
    @strawberry.field(description="Notices of the town, the newest first (avisos); for offices.")
    async def notices(
        self, info: Info[Context, None], first: int | None = None, after: str | None = None
    ) -> Connection[Notice]:
        tx = await office_reader(info.context)
        page = Page.of(first, after, keys=UUID_KEY)
        rows = await store.page(tx, page.limit, page.after[0] if page.after else None)
        nodes = await notices_of(tx, rows, Selection.of(info).under("edges", "node"))
        return page.connection([(node, (row.id,)) for node, row in zip(nodes, rows, strict=True)])

    @strawberry.field(description="One notice with every attempt to deliver it (aviso e tentativas); for offices.")
    async def notice(self, info: Info[Context, None], id: strawberry.ID) -> Notice:
        tx = await office_reader(info.context)
        return await notice_by(tx, read_id(id, "notice").key, Selection.of(info))

    @strawberry.field(description="One's own notices and those of one's offices, the newest first (caixa de avisos).")
    async def my_notices(
        self, info: Info[Context, None], first: int | None = None, after: str | None = None, unread: bool = False
    ) -> Connection[InboxNotice]:
        actor = await info.context.actor()
        page = Page.of(first, after, keys=UUID_KEY)
        tx = await info.context.reader()
        later = page.after[0] if page.after else None
        found = await inbox.mine(tx, actor, limit=page.limit, after=later, unread_only=unread)
        return page.connection([(inbox_notice(row, words), (row.id,)) for row, words in found])

    @strawberry.field(description="How many of one's notices one has not read (avisos não lidos).")
    async def unread_notices(self, info: Info[Context, None]) -> int:
        actor = await info.context.actor()
        return await inbox.unread(await info.context.reader(), actor)

    @strawberry.field(description="What somebody must see to, the oldest first (pendências).")
    async def clerk_tasks(
        self,
        info: Info[Context, None],
        first: int | None = None,
        after: str | None = None,
        closed: bool = False,
    ) -> Connection[ClerkTask]:
        tx = await office_reader(info.context)
        page = Page.of(first, after, keys=UUID_KEY)
        rows = await tasks.page(tx, page.limit, page.after[0] if page.after else None, closed=closed)
        return page.connection([(task_of(row), (row.id,)) for row in rows])

    @strawberry.field(
        description="The fields that words about such a record may name (campos dos modelos de aviso); for offices."
    )
    async def template_fields(self, info: Info[Context, None], kind: str | None = None) -> list[TemplateField]:
        await office_reader(info.context)
        if kind is not None and kind not in PEOPLE:
            raise Invalid("kind", "unknown_code", f"Há avisos sobre: {', '.join(PEOPLE)}.")
        return [field_of(field) for field in fields_of_kind(kind)]

    @strawberry.field(
        description="Words filled with a real record before they are saved (prévia do aviso); nothing is written."
    )
    async def preview_notice_template(
        self, info: Info[Context, None], input: PreviewNoticeTemplateInput
    ) -> NoticePreview:
        actor = await info.context.actor()
        tx = await info.context.reader()
        actor.must("publish")
        record = read_id(input.subject_id)
        words = Words(input.subject, input.body, input.html or None)
        return preview_of(await preview_template(tx, actor, words=words, kind=record.kind, id=record.key))
