"""What runs and what was done: the agenda of terms, acts, and whether the seals hold."""

from datetime import date, datetime
from typing import Annotated, Any
from uuid import UUID

import orjson
import strawberry
from sqlalchemy import Row
from strawberry.scalars import JSON
from strawberry.types import Info

from api.context import Context
from api.register.inputs import REQUEST
from api.register.loading import deadline_of
from api.register.mutations import No
from api.register.queries import office_reader
from api.register.types import Deadline
from api.types.connections import Connection, Page
from api.types.nodes import Node
from api.types.output import output
from api.types.scalars import global_id, read_id
from services import acts
from services.accounts import appointments
from services.accounts import store as accounts
from services.acts import store as act_store
from services.database import Transaction
from services.deadlines import store as deadlines

AGENDA_KEY = (date, UUID)


@output(description="An act (ato): who, when, on what, under which decision. Never changed.")
class Act(Node):
    verb: str
    actor: str
    office: str | None
    at: datetime
    legal_day: date
    body: JSON = strawberry.field(description="The whole of it, as it was hashed.")


@output(description="Something that the seals show to be wrong (adulteração).")
class SealProblem:
    finding: str
    what: str


@output(description="Someone holds an office (nomeação).")
class Appointment:
    subject: str
    office: str


@strawberry.input(description="Whom to appoint to which office, from when (nomear).")
class AppointInput:
    subject: str = strawberry.field(description="The subject of the person's token.")
    office: str
    since: date
    name: str = ""
    email: str | None = strawberry.field(
        default=strawberry.UNSET, description="Where notices to their offices go; else to their register's address."
    )
    request_id: str | None = strawberry.field(default=strawberry.UNSET, description=REQUEST)


@strawberry.input(description="Whose appointment ends, and the first day without it (exonerar).")
class RemoveAppointmentInput:
    subject: str
    office: str
    on: date
    why: str | None = strawberry.UNSET
    request_id: str | None = strawberry.field(default=strawberry.UNSET, description=REQUEST)


AppointmentResult = Annotated[Appointment | No, strawberry.union("AppointmentResult")]


@strawberry.type
class OversightQuery:
    @strawberry.field(description="Terms that run, the earliest last day first (agenda de prazos); for offices.")
    async def agenda(
        self, info: Info[Context, None], first: int | None = None, after: str | None = None, until: date | None = None
    ) -> Connection[Deadline]:
        tx = await office_reader(info.context)
        page = Page.of(first, after, keys=AGENDA_KEY)
        rows = await deadlines.agenda(tx, tx.today, page.limit, page.after, until)
        return page.connection([(deadline_of(row), (row.last_day, row.id)) for row in rows])

    @strawberry.field(description="What was done to a record, in order (atos de um registro); for offices.")
    async def acts(self, info: Info[Context, None], subject_id: strawberry.ID) -> list[Act]:
        tx = await office_reader(info.context)
        subject = read_id(subject_id)
        return [act_of(row) for row in await act_store.of_subject(tx, subject.kind, subject.key)]

    @strawberry.field(description="Whether acts and seals are as they were written (conferir selos); empty: they are.")
    async def verify_seals(self, info: Info[Context, None]) -> list[SealProblem]:
        tx = await office_reader(info.context)
        return [SealProblem(finding=problem.finding, what=problem.what) for problem in await acts.verify(tx)]


@strawberry.type
class OversightMutation:
    @strawberry.mutation(description="Appoint someone to an office (nomear).")
    async def appoint(self, info: Info[Context, None], input: AppointInput) -> AppointmentResult:
        return await info.context.perform(appointments.appoint, input, load=appointment_by)

    @strawberry.mutation(description="End an appointment (exonerar).")
    async def remove_appointment(self, info: Info[Context, None], input: RemoveAppointmentInput) -> AppointmentResult:
        return await info.context.perform(appointments.remove, input, load=appointment_by)


async def appointment_by(tx: Transaction, id: UUID) -> Appointment:
    found = await accounts.appointment(tx, id)
    return Appointment(subject=found.subject, office=found.office)


def act_of(row: Row[Any]) -> Act:
    return Act(
        id=global_id("act", row.id),
        verb=row.verb,
        actor=row.actor,
        office=row.office,
        at=row.at,
        legal_day=row.legal_day,
        body=orjson.loads(row.body),
    )
