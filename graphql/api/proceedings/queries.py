"""Cases for offices and their parties, what is public of them, how their terms were counted, and the money."""

from uuid import UUID

import strawberry
from strawberry.types import Info

from api.context import Context
from api.proceedings import loading
from api.proceedings.types import (
    Case,
    CaseFile,
    CaseSummary,
    DeadlineCertificate,
    FineAccount,
    PublicCase,
)
from api.register.queries import UUID_KEY, office_reader
from api.selection import Selection
from api.types.connections import Connection, Page
from api.types.scalars import read_id
from services.database import Reader
from services.errors import NotFound
from services.proceedings import certifying, exporting, store
from services.proceedings.parties import is_party


async def case_reader(context: Context, case_id: UUID | None) -> Reader:
    """The operation's snapshot, for who may read the register or is a party. Raises Forbidden."""
    actor, tx = await context.actor(), await context.reader()
    if case_id is None or not await is_party(tx, actor, case_id):
        actor.must("read")
    return tx


async def case_key(context: Context, id: strawberry.ID) -> tuple[Reader, UUID]:
    """The same, by the id of a case: one that never was is no business of whoever is no party to it."""
    try:
        key = read_id(id, "case").key
    except NotFound:
        (await context.actor()).must("read")
        raise
    return await case_reader(context, key), key


@strawberry.type
class ProceedingQuery:
    @strawberry.field(description="A case by its id (processo), for offices and its parties.")
    async def case(self, info: Info[Context, None], id: strawberry.ID) -> Case:
        tx, key = await case_key(info.context, id)
        return await loading.case_of(tx, key, Selection.of(info))

    @strawberry.field(
        description="Cases, the newest first (processos); for offices. `state`: open, final, archived, disposed."
    )
    async def cases(
        self, info: Info[Context, None], first: int | None = None, after: str | None = None, state: str | None = None
    ) -> Connection[CaseSummary]:
        tx = await office_reader(info.context)
        page = Page.of(first, after, keys=UUID_KEY)
        rows = await store.page(tx, page.limit, page.after[0] if page.after else None, state)
        return page.connection([(loading.summary_of(row), (row.id,)) for row in rows])

    @strawberry.field(description="What anybody may know of a case, by its number (consulta pública).")
    async def public_case(self, info: Info[Context, None], number: str) -> PublicCase | None:
        return await loading.public_case_of(await info.context.reader(), number)

    @strawberry.field(
        description="How a deadline was counted, day by day (certidão de prazo); for offices, and the case's parties."
    )
    async def deadline_certificate(self, info: Info[Context, None], deadline_id: strawberry.ID) -> DeadlineCertificate:
        key = read_id(deadline_id, "deadline").key
        case_id = await certifying.case_of(await info.context.reader(), key)
        tx = await case_reader(info.context, case_id)
        found = await certifying.certificate(tx, key)
        return loading.certificate_of(found, (await tx.law(on=tx.today)).norms)

    @strawberry.field(description="The whole file of a case (autos): PDF and JSON; for offices and its parties.")
    async def case_file(self, info: Info[Context, None], id: strawberry.ID) -> CaseFile:
        tx, key = await case_key(info.context, id)
        made = await exporting.export_case(tx, key)
        return CaseFile(number=made.number, head=made.head, pdf=made.pdf_base64, twin=made.twin)

    @strawberry.field(description="What is due of a fine, and was paid (conta da multa); for offices.")
    async def fine_account(self, info: Info[Context, None], fine_id: strawberry.ID) -> FineAccount:
        tx = await office_reader(info.context)
        return await loading.account_of(tx, read_id(fine_id, "fine").key)
