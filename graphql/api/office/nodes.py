"""Acts by their ids."""

from uuid import UUID

from api.nodes import loads
from api.office.oversight import Act, act_of
from api.selection import Selection
from services.acts import store as acts
from services.database import Reader
from services.errors import NotFound


@loads("act")
async def act(tx: Reader, id: UUID, wanted: Selection) -> Act:
    for row in await acts.acts_by_id(tx, [id]):
        return act_of(row)
    raise NotFound("act", id)
