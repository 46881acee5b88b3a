from datetime import date
from decimal import Decimal
from uuid import UUID

from sqlalchemy import Index, Numeric, Text, UniqueConstraint
from sqlalchemy.dialects.postgresql import DATERANGE, Range
from sqlmodel import Field

from services.schema import Changing, same_town


class Permit(Changing, table=True):
    """A permit (permissão, autorização). `during` says when it holds; the act that closed it says why it does not."""

    __tablename__ = "permit"
    __table_args__ = (
        UniqueConstraint("tenant_id", "category", "number"),
        same_town("holder_id", "holder"),
        same_town("granted_act", "act"),
        same_town("ended_act", "act"),
        Index("permit_of_holder", "tenant_id", "holder_id", "id"),
        Index("permit_of_category", "tenant_id", "category", "id"),
    )

    number: str = Field(sa_type=Text)
    category: str = Field(sa_type=Text)
    instrument: str = Field(sa_type=Text)
    holder_id: UUID
    granted_on: date
    during: Range[date] = Field(sa_type=DATERANGE)
    ended_on: date | None = None
    ended_cause: str | None = Field(default=None, sa_type=Text)
    granted_act: UUID
    ended_act: UUID | None = None


class PermitVehicle(Changing, table=True):
    """The vehicle of a permit. No vehicle has two permits at a time, no permit two vehicles: EXCLUDE on the ranges."""

    __tablename__ = "permit_vehicle"
    __table_args__ = (
        same_town("permit_id", "permit"),
        same_town("vehicle_id", "vehicle"),
        same_town("act_id", "act"),
        Index("permit_vehicle_of_permit", "tenant_id", "permit_id", "id", postgresql_include=["vehicle_id", "during"]),
        Index("permit_vehicle_of_vehicle", "tenant_id", "vehicle_id", "id", postgresql_include=["permit_id", "during"]),
    )

    permit_id: UUID
    vehicle_id: UUID
    during: Range[date] = Field(sa_type=DATERANGE)
    act_id: UUID


class Licence(Changing, table=True):
    """The yearly licence (alvará), with the fee as it was charged: units, unit, rate of the day, reais."""

    __tablename__ = "licence"
    __table_args__ = (
        UniqueConstraint("tenant_id", "number"),
        same_town("permit_id", "permit"),
        same_town("act_id", "act"),
        Index("licence_of_permit", "tenant_id", "permit_id", "id", postgresql_include=["number", "during"]),
    )

    permit_id: UUID
    number: str = Field(sa_type=Text)
    during: Range[date] = Field(sa_type=DATERANGE)
    fee_units: Decimal | None = Field(default=None, sa_type=Numeric)
    fee_unit: str | None = Field(default=None, sa_type=Text)
    fee_rate: Decimal | None = Field(default=None, sa_type=Numeric)
    fee_brl: Decimal | None = Field(default=None, sa_type=Numeric)
    act_id: UUID
