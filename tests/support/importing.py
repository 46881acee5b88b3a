"""A town that brings its register in files, and a worker that does what is asked."""

import hashlib
from dataclasses import dataclass
from datetime import date
from typing import Any
from uuid import UUID

from services import jobs
from services.database import Database
from services.importing import store
from services.importing.checking import check_import
from services.importing.reading import XLSX
from services.importing.receiving import receive
from services.importing.running import run_import
from tests.support.factories import officer

TABLES = (
    *("person", "company", "holder", "driver", "vehicle", "permit", "permit_vehicle", "stand_assignment", "licence"),
    *("deadline", "notice", "act"),
)
DEFAULTS = ({"field": "category", "value": "Táxi"}, {"field": "holder_kind", "value": "autonomo"})
MOST_ISSUES = 10_000


@dataclass(frozen=True, slots=True)
class Importer:
    database: Database
    town: UUID

    async def sent(self, content: bytes, media_type: str = XLSX) -> UUID:
        sha256 = hashlib.sha256(content).hexdigest()
        async with self.database.transaction(self.town) as tx:
            actor = await officer(tx, "register")
            import_id, _ = await receive(
                tx, actor, sha256=sha256, content=content, media_type=media_type, name="taxis.xlsx"
            )
        return import_id

    async def asked(self, import_id: UUID, **options: Any) -> None:
        """To be checked; what the file does not say is a taxi of an autonomous driver."""
        said = {each["field"]: each for each in (*DEFAULTS, *options.pop("defaults", ()))}
        async with self.database.transaction(self.town) as tx:
            actor = await officer(tx, "register")
            await check_import(tx, actor, import_id=import_id, defaults=list(said.values()), **options)

    async def checked(self, import_id: UUID, **options: Any) -> Any:
        await self.asked(import_id, **options)
        await self.worked()
        return await self.file(import_id)

    async def imported(self, import_id: UUID) -> Any:
        async with self.database.transaction(self.town) as tx:
            await run_import(tx, await officer(tx, "grant"), import_id=import_id)
        await self.worked()
        return await self.file(import_id)

    async def whole(self, content: bytes, media_type: str = XLSX, **options: Any) -> UUID:
        """Sent, checked and imported."""
        import_id = await self.sent(content, media_type)
        await self.checked(import_id, **options)
        await self.imported(import_id)
        return import_id

    async def worked(self) -> None:
        """Until nothing is left that can be done at once."""
        while (await jobs.work(self.database, self.town)).more:
            continue

    async def file(self, import_id: UUID) -> Any:
        """As it is; its last job went well."""
        async with self.database.reader(self.town) as tx:
            job = (await tx.rows("SELECT state, error FROM job ORDER BY id DESC LIMIT 1"))[0]
            assert (job.state, job.error) == ("done", None)
            return await store.file(tx, import_id)

    async def issues(self, import_id: UUID, severity: str = "error") -> list[tuple[int, str | None, str]]:
        async with self.database.reader(self.town) as tx:
            found = await store.issues(tx, import_id, MOST_ISSUES, None, severity)
        return [(issue.row, issue.letter, issue.code) for issue in found]

    async def counted(self, *tables: str) -> dict[str, int]:
        async with self.database.reader(self.town) as tx:
            return {name: await tx.scalar(f"SELECT count(*) FROM {name}") for name in tables}  # noqa: S608

    async def deadlines(self, kind: str) -> list[tuple[str, date]]:
        async with self.database.reader(self.town) as tx:
            rows = await tx.rows("SELECT state, last_day FROM deadline WHERE kind = :kind ORDER BY last_day", kind=kind)
        return [(row.state, row.last_day) for row in rows]

    async def lapse(self) -> None:
        """As if the lease of whoever was killed were over."""
        async with self.database.transaction(self.town) as tx:
            await tx.rows("UPDATE job SET claimed_until = clock_timestamp() - interval '1 s' WHERE state = 'running'")
