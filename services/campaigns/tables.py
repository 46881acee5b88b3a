from datetime import date
from typing import Any
from uuid import UUID

from sqlalchemy import Index, Text, UniqueConstraint, text
from sqlalchemy.dialects.postgresql import JSONB
from sqlmodel import Field

from services.schema import Changing, same_town


class Campaign(Changing, table=True):
    """A call to all of a group (campanha, recadastramento); `edition`: the year in which it opens."""

    __tablename__ = "campaign"
    __table_args__ = (
        UniqueConstraint("tenant_id", "rule", "edition"),
        same_town("opened_act", "act"),
        same_town("closed_act", "act"),
    )

    rule: str = Field(sa_type=Text)
    title: str = Field(sa_type=Text)
    whom: str = Field(sa_type=Text)
    edition: int
    opens_on: date
    opened_on: date
    opened_act: UUID
    closed_on: date | None = None
    closed_act: UUID | None = None


class CampaignCall(Changing, table=True):
    """Who is called (convocado): a permit, or one of its drivers; until when; whether they came.

    `infraction`: what missing it is. `missed_on`: the last day, once it is recorded that it was let pass.
    """

    __tablename__ = "campaign_call"
    __table_args__ = (
        same_town("campaign_id", "campaign"),
        same_town("permit_id", "permit"),
        same_town("driver_id", "driver"),
        same_town("deadline_id", "deadline"),
        same_town("attended_act", "act"),
        Index(
            "a_permit_is_called_once",
            *("tenant_id", "campaign_id", "permit_id"),
            unique=True,
            postgresql_where=text("driver_id IS NULL"),
        ),
        Index(
            "a_driver_is_called_once",
            *("tenant_id", "campaign_id", "driver_id"),
            unique=True,
            postgresql_where=text("driver_id IS NOT NULL"),
        ),
        Index("campaign_call_in_order", "tenant_id", "campaign_id", "id"),
        Index("campaign_call_of_permit", "tenant_id", "permit_id", "id"),
        Index("campaign_call_of_driver", "tenant_id", "driver_id", "id"),
        Index("campaign_call_of_deadline", "tenant_id", "deadline_id", "id"),
    )

    campaign_id: UUID
    permit_id: UUID
    driver_id: UUID | None = None
    category: str = Field(sa_type=Text)
    last_day: date
    infraction: str | None = Field(default=None, sa_type=Text)
    deadline_id: UUID
    missed_on: date | None = None
    attended_on: date | None = None
    attended_act: UUID | None = None
    decision: dict[str, Any] | None = Field(default=None, sa_type=JSONB(none_as_null=True))
