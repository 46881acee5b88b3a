"""What an authority has left undone beyond its term, and before whom it is (pendências da autoridade)."""

from datetime import date
from typing import Any
from uuid import UUID

import strawberry
from sqlalchemy import Row
from strawberry.types import Info

from api.context import Context
from api.register.queries import office_reader
from api.types.connections import Connection, Page
from api.types.nodes import Node
from api.types.output import output
from api.types.scalars import global_id
from services.errors import Invalid
from services.escalations import store
from tenants.law.duties import duties

KEY = (date, UUID)
STATES = {"open": True, "closed": False}


@output(description="A duty of the authority whose term is over (prazo do órgão vencido): nothing is decided by that.")
class Escalation(Node):
    kind: str
    title: str = strawberry.field(description="What was to be done, as today's law calls it.")
    subject_id: strawberry.ID
    deadline_id: strawberry.ID
    office: str | None = strawberry.field(description="Who has it by now; absent: the law names nobody.")
    level: int = strawberry.field(description="1: the first office; more: those above it.")
    due_on: date = strawberry.field(description="The last day of the term.")
    since: date = strawberry.field(description="From when the office has it.")
    article: str
    days_late: int = strawberry.field(description="Until it was done; until today while it is not.")
    closed_on: date | None
    closed_as: str | None = strawberry.field(
        description="met: done, late; passed: the matter went on without it; no_more: nothing is demanded any longer"
    )


def escalation_of(row: Row[Any], titles: dict[str, str]) -> Escalation:
    return Escalation(
        id=global_id("escalation", row.id),
        kind=row.kind,
        title=titles.get(row.kind, row.kind),
        subject_id=global_id(row.subject_kind, row.subject_id),
        deadline_id=global_id("deadline", row.deadline_id),
        office=row.office,
        level=row.level,
        due_on=row.due_on,
        since=row.since,
        article=row.article,
        days_late=row.days_late,
        closed_on=row.closed_on,
        closed_as=row.closed_as,
    )


@strawberry.type
class EscalationQuery:
    @strawberry.field(
        description="Duties of the authority beyond their terms, the earliest first (pendências); for offices. "
        "`office`: those that it has, and those that nobody has. `state`: open, closed."
    )
    async def escalations(
        self,
        info: Info[Context, None],
        first: int | None = None,
        after: str | None = None,
        office: str | None = None,
        state: str | None = "open",
    ) -> Connection[Escalation]:
        tx = await office_reader(info.context)
        page = Page.of(first, after, keys=KEY)
        if state is not None and state not in STATES:
            raise Invalid("state", "unknown_code", f"Use um de: {', '.join(STATES)}.")
        is_open = None if state is None else STATES[state]
        later = (page.after[0], page.after[1]) if page.after else None
        rows = await store.page(tx, page.limit, after=later, office=office, open=is_open)
        titles = {duty.kind: duty.title for duty in duties(await tx.law(on=tx.today))}
        return page.connection([(escalation_of(row, titles), (row.due_on, row.id)) for row in rows])
