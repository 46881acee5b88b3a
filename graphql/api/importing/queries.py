"""Files, what is wrong with them, what an import would do; long work."""

from uuid import UUID

import strawberry
from strawberry.types import Info

from api.context import Context
from api.importing import types
from api.importing.types import ImportField, ImportFile, ImportIssue, ImportPreview, ImportRow, Job
from api.register.queries import UUID_KEY, office_reader
from api.selection import Selection
from api.types.connections import Connection, Page
from api.types.scalars import read_id
from services.importing import store
from services.jobs import store as jobs

ISSUE_KEY = (int, UUID)
ROW_KEY = (int,)


@strawberry.type
class ImportingQuery:
    @strawberry.field(description="Files of the town's register, the newest first (importações); for offices.")
    async def imports(
        self, info: Info[Context, None], first: int | None = None, after: str | None = None
    ) -> Connection[ImportFile]:
        tx = await office_reader(info.context)
        page = Page.of(first, after, keys=UUID_KEY)
        rows = await store.page(tx, page.limit, page.after[0] if page.after else None)
        nodes = await types.files_of(tx, rows, Selection.of(info).under("edges", "node"))
        return page.connection([(node, (row.id,)) for node, row in zip(nodes, rows, strict=True)])

    @strawberry.field(description="One file, with the newest job on it (importação).")
    async def import_file(self, info: Info[Context, None], id: strawberry.ID) -> ImportFile:
        tx = await office_reader(info.context)
        return await types.file_by(tx, read_id(id, "import").key, Selection.of(info))

    @strawberry.field(description="What is wrong in a file, row by row (erros e avisos). `severity`: error, warning.")
    async def import_issues(
        self,
        info: Info[Context, None],
        import_id: strawberry.ID,
        first: int | None = None,
        after: str | None = None,
        severity: str | None = None,
    ) -> Connection[ImportIssue]:
        tx = await office_reader(info.context)
        page = Page.of(first, after, keys=ISSUE_KEY)
        file = await store.file(tx, read_id(import_id, "import").key)
        rows = await store.issues(tx, file.id, page.limit, page.after if page.after else None, severity)
        return page.connection([(types.issue_of(row), (row.row, row.id)) for row in rows])

    @strawberry.field(description="Rows of a file (linhas), by what is meant to become of them.")
    async def import_rows(
        self,
        info: Info[Context, None],
        import_id: strawberry.ID,
        first: int | None = None,
        after: str | None = None,
        plan: str | None = None,
    ) -> Connection[ImportRow]:
        tx = await office_reader(info.context)
        page = Page.of(first, after, keys=ROW_KEY)
        file = await store.file(tx, read_id(import_id, "import").key)
        rows = await store.rows(tx, file.id, page.limit, page.after[0] if page.after else 0, plan)
        return page.connection([(types.row_of(row), (row.number,)) for row in rows])

    @strawberry.field(description="What an import would create, fill in and leave, or did (prévia).")
    async def preview_import(self, info: Info[Context, None], import_id: strawberry.ID) -> ImportPreview:
        tx = await office_reader(info.context)
        return types.preview_of(await store.file(tx, read_id(import_id, "import").key))

    @strawberry.field(description="Fields that columns may be read as, and the headers that are known (campos).")
    async def import_fields(self, info: Info[Context, None]) -> list[ImportField]:
        await office_reader(info.context)
        return types.fields()

    @strawberry.field(description="Long work of the town, the newest first (tarefas); for offices.")
    async def jobs(
        self, info: Info[Context, None], first: int | None = None, after: str | None = None
    ) -> Connection[Job]:
        tx = await office_reader(info.context)
        page = Page.of(first, after, keys=UUID_KEY)
        rows = await jobs.page(tx, page.limit, page.after[0] if page.after else None)
        return page.connection([(types.job_of(row), (row.id,)) for row in rows])

    @strawberry.field(description="One job, and how far it is (tarefa).")
    async def job(self, info: Info[Context, None], id: strawberry.ID) -> Job:
        tx = await office_reader(info.context)
        return await types.job_by(tx, read_id(id, "job").key)
