from datetime import date
from uuid import UUID

from sqlalchemy import Index, Text, UniqueConstraint
from sqlalchemy.dialects.postgresql import DATERANGE, Range
from sqlmodel import Field

from services.schema import Changing, same_town


class Enrolment(Changing, table=True):
    """A driver is enrolled (inscrito) with a holder, in a role of the pack's list. `number`: of register and card."""

    __tablename__ = "enrolment"
    __table_args__ = (
        UniqueConstraint("tenant_id", "number"),
        same_town("driver_id", "driver"),
        same_town("holder_id", "holder"),
        same_town("act_id", "act"),
        same_town("ended_act", "act"),
        Index("enrolment_of_driver", "tenant_id", "driver_id", "id", postgresql_include=["during"]),
        Index("enrolment_of_holder", "tenant_id", "holder_id", "id", postgresql_include=["driver_id", "during"]),
    )

    driver_id: UUID
    holder_id: UUID
    category: str = Field(sa_type=Text)
    role: str = Field(sa_type=Text)
    number: str = Field(sa_type=Text)
    employed: bool | None = None
    during: Range[date] = Field(sa_type=DATERANGE)
    act_id: UUID
    ended_act: UUID | None = None


class DriverBar(Changing, table=True):
    """Days on which a driver may not drive: suspended (suspenso), or struck off the register (cassado)."""

    __tablename__ = "driver_bar"
    __table_args__ = (
        same_town("driver_id", "driver"),
        same_town("act_id", "act"),
        same_town("lifted_act", "act"),
        Index("driver_bar_of", "tenant_id", "driver_id", "id", postgresql_include=["what", "during"]),
    )

    driver_id: UUID
    what: str = Field(sa_type=Text)
    during: Range[date] = Field(sa_type=DATERANGE)
    act_id: UUID
    lifted_act: UUID | None = None
