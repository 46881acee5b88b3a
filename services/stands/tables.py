from datetime import date
from uuid import UUID

from sqlalchemy import Index, Text
from sqlalchemy.dialects.postgresql import DATERANGE, Range
from sqlmodel import Field

from services.schema import Changing, same_town


class StandAssignment(Changing, table=True):
    """A permit's place at a stand (ponto); the stand is a code of the law. One stand at a time."""

    __tablename__ = "stand_assignment"
    __table_args__ = (
        same_town("permit_id", "permit"),
        same_town("act_id", "act"),
        Index("stand_assignment_of_permit", "tenant_id", "permit_id", "id", postgresql_include=["stand", "during"]),
        Index("stand_assignment_at", "tenant_id", "stand", "id", postgresql_include=["permit_id", "during"]),
    )

    permit_id: UUID
    stand: str = Field(sa_type=Text)
    during: Range[date] = Field(sa_type=DATERANGE)
    act_id: UUID
