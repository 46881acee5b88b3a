"""Campaigns and those who are called, by their ids."""

from uuid import UUID

from api.campaigns.fields import CampaignCall, CampaignRun, call_by, campaign_by
from api.nodes import loads
from api.selection import Selection
from services.database import Reader


@loads("campaign")
async def campaign(tx: Reader, id: UUID, wanted: Selection) -> CampaignRun:
    return await campaign_by(tx, id, wanted)


@loads("summons")
async def summons(tx: Reader, id: UUID, wanted: Selection) -> CampaignCall:
    return await call_by(tx, id)
