"""A case by its id."""

from uuid import UUID

from api.nodes import loads
from api.proceedings import loading
from api.proceedings.types import Case
from api.selection import Selection
from services.database import Reader


@loads("case")
async def case(tx: Reader, id: UUID, wanted: Selection) -> Case:
    return await loading.case_of(tx, id, wanted)
