from datetime import date
from decimal import Decimal
from typing import Any
from uuid import UUID

from sqlalchemy import Index, Numeric, Text, UniqueConstraint, text
from sqlalchemy.dialects.postgresql import JSONB
from sqlmodel import Field

from services.schema import TownRow, same_town


class Payment(TownRow, table=True):
    """What was paid of a fine (pagamento). `reference`: the receipt's number."""

    __tablename__ = "payment"
    __table_args__ = (
        UniqueConstraint("tenant_id", "reference"),
        same_town("fine_id", "fine"),
        same_town("act_id", "act"),
        Index("payment_of_fine", "tenant_id", "fine_id", "id"),
    )

    fine_id: UUID
    paid_on: date
    brl: Decimal = Field(sa_type=Numeric)
    reference: str = Field(sa_type=Text)
    act_id: UUID


class ActiveDebt(TownRow, table=True):
    """A fine that nobody paid in time, sent to be collected (inscrição em dívida ativa).

    `cancelled_on`: it fell, since the fine was not due after all; another may follow.
    """

    __tablename__ = "active_debt"
    __table_args__ = (
        UniqueConstraint("tenant_id", "number"),
        same_town("fine_id", "fine"),
        same_town("act_id", "act"),
        same_town("cancelled_act", "act"),
        Index(
            "one_debt_of_a_fine",
            "tenant_id",
            "fine_id",
            unique=True,
            postgresql_where=text("cancelled_on IS NULL"),
        ),
        Index("active_debt_of_fine", "tenant_id", "fine_id", "id"),
    )

    number: str = Field(sa_type=Text)
    fine_id: UUID
    entered_on: date
    brl: Decimal = Field(sa_type=Numeric)
    decision: dict[str, Any] = Field(sa_type=JSONB)
    act_id: UUID
    cancelled_on: date | None = None
    cancelled_act: UUID | None = None
