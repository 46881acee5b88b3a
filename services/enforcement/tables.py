from datetime import date
from decimal import Decimal
from typing import Any
from uuid import UUID

from sqlalchemy import Index, Numeric, Text, UniqueConstraint
from sqlalchemy.dialects.postgresql import JSONB
from sqlmodel import Field

from services.schema import Changing, same_town


class Fine(Changing, table=True):
    """A fine (multa): units of the law, the rate used, reais, and the decision that it rests on."""

    __tablename__ = "fine"
    __table_args__ = (
        UniqueConstraint("tenant_id", "number"),
        same_town("permit_id", "permit"),
        same_town("act_id", "act"),
        same_town("due_deadline_id", "deadline"),
        Index("fine_of_permit", "tenant_id", "permit_id", "seen_on", "id"),
    )

    number: str = Field(sa_type=Text)
    permit_id: UUID
    infraction: str = Field(sa_type=Text)
    seen_on: date
    units: Decimal | None = Field(default=None, sa_type=Numeric)
    unit: str | None = Field(default=None, sa_type=Text)
    rate: Decimal | None = Field(default=None, sa_type=Numeric)
    brl: Decimal = Field(sa_type=Numeric)
    decision: dict[str, Any] = Field(sa_type=JSONB)
    act_id: UUID
    due_deadline_id: UUID | None = None
