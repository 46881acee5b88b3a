"""A file is checked, and imported: each asks a worker to do it."""

from collections.abc import Awaitable, Callable
from typing import Annotated
from uuid import UUID

import strawberry
from strawberry.types import Info

from api.context import Context
from api.importing.types import ImportFile, file_by
from api.register.inputs import REQUEST, UNSET
from api.register.mutations import No
from api.selection import Selection
from services.database import Transaction
from services.importing import checking, running

ImportResult = Annotated[ImportFile | No, strawberry.union("ImportResult")]


@strawberry.input(description="What a column is, by its header; `field` absent: it is not read.")
class ImportColumnInput:
    header: str
    field: str | None = UNSET


@strawberry.input(description="What an empty cell of a field is to say (valor padrão).")
class ImportDefaultInput:
    field: str
    value: str


@strawberry.input(description="A file to check (conferir planilha), and how it is to be read.")
class CheckImportInput:
    import_id: strawberry.ID
    sheet: str | None = UNSET
    header_row: int | None = strawberry.field(default=UNSET, description="As the spreadsheet numbers it.")
    columns: list[ImportColumnInput] = strawberry.field(
        default_factory=list, description="Only those that are not known by their headers, or are meant otherwise."
    )
    defaults: list[ImportDefaultInput] = strawberry.field(default_factory=list)
    carry: list[str] = strawberry.field(
        default_factory=list, description="Fields whose empty cells say what the row above says (células mescladas)."
    )
    request_id: str | None = strawberry.field(default=UNSET, description=REQUEST)


@strawberry.input(description="A checked file to import (importar).")
class RunImportInput:
    import_id: strawberry.ID
    request_id: str | None = strawberry.field(default=UNSET, description=REQUEST)


def file_asked(info: Info[Context, None]) -> Callable[[Transaction, UUID], Awaitable[ImportFile]]:
    wanted = Selection.of(info)

    async def load(tx: Transaction, id: UUID) -> ImportFile:
        return await file_by(tx, id, wanted)

    return load


@strawberry.type
class ImportingMutation:
    @strawberry.mutation(description="Have a file checked row by row (conferir planilha); the register stays as it is.")
    async def check_import(self, info: Info[Context, None], input: CheckImportInput) -> ImportResult:
        return await info.context.perform(checking.check_import, input, load=file_asked(info))

    @strawberry.mutation(description="Have a checked file imported, once (importar planilha); nobody is told.")
    async def run_import(self, info: Info[Context, None], input: RunImportInput) -> ImportResult:
        return await info.context.perform(running.run_import, input, load=file_asked(info))
