"""What offices look at, by its id."""

from uuid import UUID

from api.nodes import loads
from api.office.escalations import Escalation, escalation_of
from api.office.oversight import Act, act_of
from api.selection import Selection
from services.acts import store as acts
from services.database import Reader
from services.errors import NotFound
from services.escalations import store as escalations
from tenants.law.duties import duties


@loads("act")
async def act(tx: Reader, id: UUID, wanted: Selection) -> Act:
    for row in await acts.acts_by_id(tx, [id]):
        return act_of(row)
    raise NotFound("act", id)


@loads("escalation")
async def escalation(tx: Reader, id: UUID, wanted: Selection) -> Escalation:
    for row in await escalations.page(tx, 1, id=id):
        return escalation_of(row, {duty.kind: duty.title for duty in duties(await tx.law(on=tx.today))})
    raise NotFound("escalation", id)
