"""Records of what was seen: lists for offices, and one's own."""

from uuid import UUID

import strawberry
from strawberry.types import Info

from api.context import Context
from api.enforcement import loading
from api.enforcement.types import Occurrence
from api.nodes import loads
from api.register.queries import UUID_KEY, office_reader
from api.selection import Selection
from api.types.connections import Connection, Page
from api.types.scalars import read_id
from services.database import Reader
from services.enforcement.occurrences import reading, store


@loads("occurrence")
async def occurrence_by(tx: Reader, id: UUID, wanted: Selection) -> Occurrence:
    (found,) = await loading.occurrences_of(tx, [await store.occurrence(tx, id)], wanted)
    return found


@strawberry.type
class EnforcementQuery:
    @strawberry.field(
        description="Records of what was seen, the newest first (registros de ocorrência); for offices. `state`: open, "
        "applied, to_be_tried, dismissed."
    )
    async def occurrences(
        self,
        info: Info[Context, None],
        first: int | None = None,
        after: str | None = None,
        state: str | None = None,
        plate: str | None = None,
    ) -> Connection[Occurrence]:
        tx = await office_reader(info.context)
        page = Page.of(first, after, keys=UUID_KEY)
        last = page.after[0] if page.after else None
        rows = await store.page(tx, page.limit, state=state, plate=plate, after=last)
        nodes = await loading.occurrences_of(tx, rows, Selection.of(info).under("edges", "node"))
        return page.connection([(node, (row.id,)) for node, row in zip(nodes, rows, strict=True)])

    @strawberry.field(description="A record (registro de ocorrência); for offices, and whom it is about.")
    async def occurrence(self, info: Info[Context, None], id: strawberry.ID) -> Occurrence:
        actor, tx, key = await info.context.actor(), await info.context.reader(), read_id(id, "occurrence").key
        row = await reading.theirs(tx, actor, key)
        (found,) = await loading.occurrences_of(tx, [row], Selection.of(info))
        return found
