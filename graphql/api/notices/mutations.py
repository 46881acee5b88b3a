"""Reading notices, seeing to tasks, and the town's own words."""

from datetime import date
from typing import Annotated

import strawberry
from strawberry.types import Info

from api.context import Context
from api.notices.queries import task_by
from api.notices.types import BounceReport, ClerkTask, NoticesRead
from api.office.lawmaking import PublicationResult, publication_by, refusal
from api.register.inputs import REQUEST, UNSET
from api.register.mutations import No
from services.notices import inbox
from services.notices.bounces import Bounced, report_bounce
from services.notices.tasks import close_task
from services.notices.templating import save_template


@strawberry.input(description="Notices that one has read (marcar como lidos).")
class MarkNoticesReadInput:
    notice_ids: list[strawberry.ID]


@strawberry.input(description="A task that was seen to, and what was done (encerrar pendência).")
class CloseClerkTaskInput:
    task_id: strawberry.ID
    done: str
    version: int | None = UNSET
    request_id: str | None = strawberry.field(default=UNSET, description=REQUEST)


@strawberry.input(description="What a mail server says of a message that it could not deliver (devolução).")
class ReportBounceInput:
    message: str = strawberry.field(description="The notification as it came in (RFC 3464), headers and all.")


@strawberry.input(description="A notice's words in place of those before (salvar modelo de aviso).")
class SaveNoticeTemplateInput:
    code: str = strawberry.field(description="By which the law's reminders name the template.")
    subject: str
    body: str
    html: str | None = strawberry.field(default=UNSET, description="None: made of the plain text.")
    why: str = strawberry.field(description="The act that says so, as people cite it, or the reason.")
    official_on: date | None = UNSET
    request_id: str | None = strawberry.field(default=UNSET, description=REQUEST)


NoticesReadResult = Annotated[NoticesRead | No, strawberry.union("NoticesReadResult")]
ClerkTaskResult = Annotated[ClerkTask | No, strawberry.union("ClerkTaskResult")]
BounceResult = Annotated[BounceReport | No, strawberry.union("BounceResult")]


def reported(made: Bounced) -> BounceReport:
    return BounceReport(notices=made.notices, tasks=made.tasks)


@strawberry.type
class NoticeMutation:
    @strawberry.mutation(description="Say that one has read notices of one's own inbox (marcar avisos como lidos).")
    async def mark_notices_read(self, info: Info[Context, None], input: MarkNoticesReadInput) -> NoticesReadResult:
        return await info.context.perform(inbox.mark_read, input, answer=lambda marked: NoticesRead(marked=marked))

    @strawberry.mutation(description="Close a clerk's task with what was done (encerrar pendência).")
    async def close_clerk_task(self, info: Info[Context, None], input: CloseClerkTaskInput) -> ClerkTaskResult:
        return await info.context.perform(close_task, input, load=task_by)

    @strawberry.mutation(description="Take in a mail server's notification of failure (registrar devolução).")
    async def report_bounce(self, info: Info[Context, None], input: ReportBounceInput) -> BounceResult:
        return await info.context.perform(report_bounce, input, answer=reported)

    @strawberry.mutation(description="Publish a notice's words in place of those before (salvar modelo de aviso).")
    async def save_notice_template(
        self, info: Info[Context, None], input: SaveNoticeTemplateInput
    ) -> PublicationResult:
        return await info.context.perform(save_template, input, load=publication_by, refusal=refusal)
