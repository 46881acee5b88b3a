"""Dead letters by their ids."""

from uuid import UUID

from api.dead_letters.fields import DeadLetter, letter_by
from api.nodes import loads
from api.selection import Selection
from services.database import Reader


@loads("dead_letter")
async def dead_letter(tx: Reader, id: UUID, wanted: Selection) -> DeadLetter:
    return await letter_by(tx, id)
