from datetime import date
from typing import Any
from uuid import UUID

from sqlalchemy import ARRAY, Index, Text, UniqueConstraint, text
from sqlalchemy.dialects.postgresql import DATERANGE, JSONB, Range
from sqlmodel import Field

from services.schema import Changing, TownRow, empty_object, same_town


class Approval(Changing, table=True):
    """What an office approved on a vehicle (publicidade …), with the facts and contents that it was shown."""

    __tablename__ = "approval"
    __table_args__ = (
        UniqueConstraint("tenant_id", "number"),
        same_town("vehicle_id", "vehicle"),
        same_town("act_id", "act"),
        same_town("ended_act", "act"),
        Index("approval_of_vehicle", "tenant_id", "vehicle_id", "id", postgresql_include=["during"]),
    )

    vehicle_id: UUID
    matter: str = Field(sa_type=Text)
    number: str = Field(sa_type=Text)
    facts: dict[str, Any] = Field(default_factory=dict, sa_type=JSONB, sa_column_kwargs=empty_object())
    contents: list[str] = Field(
        default_factory=list, sa_type=ARRAY(Text), sa_column_kwargs={"server_default": text("'{}'")}
    )
    during: Range[date] = Field(sa_type=DATERANGE)
    act_id: UUID
    ended_act: UUID | None = None


class Sale(TownRow, table=True):
    """The sale of a vehicle (venda), and when its rental plate was written off (baixa), if it was. Only ever added."""

    __tablename__ = "sale"
    __table_args__ = (
        same_town("vehicle_id", "vehicle"),
        same_town("from_holder_id", "holder"),
        same_town("to_holder_id", "holder"),
        same_town("act_id", "act"),
        Index("sale_of_vehicle", "tenant_id", "vehicle_id", "sold_on", "id"),
        Index("sale_by_holder", "tenant_id", "from_holder_id", "id"),
    )

    vehicle_id: UUID
    sold_on: date
    plate_released_on: date | None = None
    from_holder_id: UUID | None = None
    to_holder_id: UUID | None = None
    act_id: UUID
