"""The nights of a town, as its offices watch them."""

from datetime import date, datetime
from typing import Any

import strawberry
from sqlalchemy import Row
from strawberry.scalars import JSON
from strawberry.types import Info

from api.context import Context
from api.register.queries import office_reader
from api.types.connections import Connection, Page
from api.types.output import output
from services.database import Reader
from services.watching import saying, store
from tenants.law.kinds.basis import Office

RUN_KEY = (date, str)
DONE, FAILED, UNFINISHED = "done", "failed", "unfinished"


@output(description="The work of one town on one of its days (rotina noturna), done once.")
class Run:
    town: str = strawberry.field(description="The town's slug.")
    day: date
    kind: str
    state: str = strawberry.field(
        description="done, failed (it is tried again), unfinished (it runs, or was cut short)"
    )
    started_at: datetime
    ended_at: datetime | None
    attempts: int
    counts: JSON = strawberry.field(description="How many terms it recorded (expired) and reminded of (reminded) …")
    error: str | None = strawberry.field(description="A code for programs; nothing of anybody's is in it.")
    message: str | None = strawberry.field(description="What the code means (o que houve), for people.")
    offices: list[str] = strawberry.field(description="Offices that the town's law lets see it (órgãos que podem ver).")


@strawberry.type
class RunQuery:
    @strawberry.field(
        description="The town's nights, the newest day first (rotinas); for offices. "
        "`failed`: only those that failed and have not succeeded since; false: all but them."
    )
    async def runs(
        self,
        info: Info[Context, None],
        first: int | None = None,
        after: str | None = None,
        kind: str | None = None,
        day: date | None = None,
        failed: bool | None = None,
    ) -> Connection[Run]:
        tx = await office_reader(info.context)
        page = Page.of(first, after, keys=RUN_KEY)
        last = None if page.after is None else (page.after[0], page.after[1])
        rows = await store.runs(tx, page.limit, after=last, kind=kind, day=day, failed=failed)
        offices = await readers(tx) if rows else []
        return page.connection([(run_of(row, tx.town.slug, offices), (row.day, row.kind)) for row in rows])


async def readers(tx: Reader) -> list[str]:
    """Offices that may read the register."""
    law = await tx.law(on=tx.today)
    return sorted({office.code for _, office in law.all(Office) if "read" in office.may})


def run_of(row: Row[Any], town: str, offices: list[str]) -> Run:
    return Run(
        town=town,
        day=row.day,
        kind=row.kind,
        state=DONE if row.ended_at is not None else FAILED if row.error is not None else UNFINISHED,
        started_at=row.started_at,
        ended_at=row.ended_at,
        attempts=row.attempts,
        counts=row.counts,
        error=row.error,
        message=saying.meaning(row.error),
        offices=offices,
    )
