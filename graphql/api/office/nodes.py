"""Acts and notices by their ids."""

from uuid import UUID

from api.nodes import loads
from api.office.oversight import Act, Notice, act_of, notice_of
from api.selection import Selection
from services.acts import store as acts
from services.database import Reader
from services.errors import NotFound
from services.notices import store as notices


@loads("act")
async def act(tx: Reader, id: UUID, wanted: Selection) -> Act:
    for row in await acts.acts_by_id(tx, [id]):
        return act_of(row)
    raise NotFound("act", id)


@loads("notice")
async def notice(tx: Reader, id: UUID, wanted: Selection) -> Notice:
    row = await notices.one(tx, id)
    if row is None:
        raise NotFound("notice", id)
    return notice_of(row)
