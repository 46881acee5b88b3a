"""Dead letters (pendências técnicas): looked at, and replayed."""

from datetime import date, datetime
from typing import Annotated, Any
from uuid import UUID

import strawberry
from sqlalchemy import Row
from strawberry.types import Info

from api.context import Context
from api.register.inputs import REQUEST, UNSET
from api.register.mutations import No
from api.register.queries import UUID_KEY, office_reader
from api.types.connections import Connection, Page
from api.types.nodes import Node
from api.types.output import output
from api.types.scalars import global_id
from services.database import Reader
from services.dead_letters import store
from services.dead_letters.replaying import replay


@output(description="Something that failed (pendência técnica): it waits to be tried again, is dead, or is done since.")
class DeadLetter(Node):
    kind: str = strawberry.field(description="night, notice, job, message")
    state: str = strawberry.field(description="waiting, dead, closed")
    error: str = strawberry.field(description="Its kind alone: nothing personal.")
    day: date | None = strawberry.field(description="Of a night.")
    subject_id: strawberry.ID | None = strawberry.field(description="The notice or the job.")
    task: str | None = strawberry.field(description="Of a message: what it was to do.")
    attempts: int
    first_at: datetime
    last_at: datetime
    again_at: datetime | None = strawberry.field(description="When it is tried again (nova tentativa).")
    dead_at: datetime | None
    replays: int
    replayed_at: datetime | None
    replayed_by: str | None
    closed_at: datetime | None
    version: int


@strawberry.input(description="What failed and is to be tried again now (reprocessar).")
class ReplayDeadLetterInput:
    dead_letter_id: strawberry.ID
    request_id: str | None = strawberry.field(default=UNSET, description=REQUEST)


DeadLetterResult = Annotated[DeadLetter | No, strawberry.union("DeadLetterResult")]


def letter_of(row: Row[Any]) -> DeadLetter:
    return DeadLetter(
        id=global_id("dead_letter", row.id),
        kind=row.kind,
        state=row.state,
        error=row.error,
        day=row.day,
        subject_id=None if row.subject_id is None else global_id(row.kind, row.subject_id),
        task=row.task,
        attempts=row.attempts,
        first_at=row.first_at,
        last_at=row.last_at,
        again_at=row.again_at,
        dead_at=row.dead_at,
        replays=row.replays,
        replayed_at=row.replayed_at,
        replayed_by=row.replayed_by,
        closed_at=row.closed_at,
        version=row.version,
    )


async def letter_by(tx: Reader, id: UUID) -> DeadLetter:
    return letter_of(await store.one(tx, id))


@strawberry.type
class DeadLetterQuery:
    @strawberry.field(description="What failed, the newest first (pendências técnicas); for offices.")
    async def dead_letters(
        self, info: Info[Context, None], first: int | None = None, after: str | None = None, state: str | None = None
    ) -> Connection[DeadLetter]:
        tx = await office_reader(info.context)
        page = Page.of(first, after, keys=UUID_KEY)
        rows = await store.page(tx, page.limit, page.after[0] if page.after else None, state)
        return page.connection([(letter_of(row), (row.id,)) for row in rows])


@strawberry.type
class DeadLetterMutation:
    @strawberry.mutation(description="Try again now what failed (reprocessar); what is done already stays as it is.")
    async def replay_dead_letter(self, info: Info[Context, None], input: ReplayDeadLetterInput) -> DeadLetterResult:
        return await info.context.perform(replay, input, load=letter_by)
