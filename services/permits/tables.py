from datetime import date
from decimal import Decimal
from typing import Any
from uuid import UUID

from sqlalchemy import Index, Numeric, Text, UniqueConstraint, text
from sqlalchemy.dialects.postgresql import DATERANGE, JSONB, Range
from sqlmodel import Field

from services.schema import Changing, TownRow, empty_object, same_town


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


class RenewalRequest(TownRow, table=True):
    """That the yearly licence's renewal was asked for (pedido de renovação), and whether with all that it needs."""

    __tablename__ = "renewal_request"
    __table_args__ = (
        same_town("permit_id", "permit"),
        same_town("licence_id", "licence"),
        same_town("act_id", "act"),
        Index("renewal_request_of_permit", "tenant_id", "permit_id", "requested_on", "id"),
        Index("renewal_request_of_licence", "tenant_id", "licence_id", "requested_on", "id"),
        Index(
            "renewal_is_asked_in_full_once",
            "tenant_id",
            "licence_id",
            unique=True,
            postgresql_where=text("complete"),
        ),
    )

    permit_id: UUID
    licence_id: UUID
    requested_on: date
    complete: bool
    decision: dict[str, Any] = Field(sa_type=JSONB)
    act_id: UUID


class Extension(TownRow, table=True):
    """A permit goes on for a further term (prorrogação, por aditivo): the days that it adds."""

    __tablename__ = "extension"
    __table_args__ = (
        same_town("permit_id", "permit"),
        same_town("act_id", "act"),
        Index("extension_of_permit", "tenant_id", "permit_id", "id"),
    )

    permit_id: UUID
    during: Range[date] = Field(sa_type=DATERANGE)
    act_id: UUID


class Substitute(Changing, table=True):
    """Who drives in the holder's stead (substituto), or for the heirs: then ``role`` is a code of the law's list."""

    __tablename__ = "substitute"
    __table_args__ = (
        same_town("permit_id", "permit"),
        same_town("driver_id", "driver"),
        same_town("act_id", "act"),
        same_town("ended_act", "act"),
        Index("substitute_of_permit", "tenant_id", "permit_id", "id"),
        Index("substitute_of_driver", "tenant_id", "driver_id", "id"),
    )

    permit_id: UUID
    driver_id: UUID
    rule: str = Field(sa_type=Text)
    role: str | None = Field(default=None, sa_type=Text)
    during: Range[date] = Field(sa_type=DATERANGE)
    act_id: UUID
    ended_act: UUID | None = None


class Transfer(TownRow, table=True):
    """A permit passed on (transferência): which ended, which was issued instead, why, at what fee."""

    __tablename__ = "transfer"
    __table_args__ = (
        UniqueConstraint("tenant_id", "from_permit"),
        UniqueConstraint("tenant_id", "to_permit"),
        same_town("from_permit", "permit"),
        same_town("to_permit", "permit"),
        same_town("act_id", "act"),
    )

    from_permit: UUID
    to_permit: UUID
    cause: str = Field(sa_type=Text)
    rule: str = Field(sa_type=Text)
    requested_on: date
    event_on: date | None = None
    transferred_on: date
    remaining: str = Field(sa_type=Text)
    locked_until: date | None = None
    barred_until: date | None = None
    fee_units: Decimal | None = Field(default=None, sa_type=Numeric)
    fee_unit: str | None = Field(default=None, sa_type=Text)
    fee_rate: Decimal | None = Field(default=None, sa_type=Numeric)
    fee_brl: Decimal | None = Field(default=None, sa_type=Numeric)
    declared: dict[str, Any] = Field(default_factory=dict, sa_type=JSONB, sa_column_kwargs=empty_object())
    act_id: UUID


class Absence(Changing, table=True):
    """The holder is away from the service (ausência, abandono); ``justified``: with just cause, as it was found."""

    __tablename__ = "absence"
    __table_args__ = (
        same_town("permit_id", "permit"),
        same_town("act_id", "act"),
        Index("absence_of_permit", "tenant_id", "permit_id", "id"),
    )

    permit_id: UUID
    during: Range[date] = Field(sa_type=DATERANGE)
    justified: bool = Field(default=False, sa_column_kwargs={"server_default": text("false")})
    act_id: UUID


class Proposal(Changing, table=True):
    """That a permit end, or be suspended, is proposed (proposta); it takes effect when the decision is final.

    ``cause``: of the ending. ``ground``: the infraction, the bar or the way of ending that it rests on.
    """

    __tablename__ = "proposal"
    __table_args__ = (
        same_town("permit_id", "permit"),
        same_town("act_id", "act"),
        same_town("closed_act", "act"),
        Index("proposal_of_permit", "tenant_id", "permit_id", "id"),
        Index(
            "one_thing_is_proposed_once",
            "tenant_id",
            "permit_id",
            "effect",
            "ground",
            unique=True,
            postgresql_where=text("state = 'open'"),
        ),
    )

    permit_id: UUID
    effect: str = Field(sa_type=Text)
    cause: str | None = Field(default=None, sa_type=Text)
    ground: str = Field(sa_type=Text)
    proposed_on: date
    office: str | None = Field(default=None, sa_type=Text)
    decision: dict[str, Any] = Field(sa_type=JSONB)
    state: str = Field(default="open", sa_type=Text, sa_column_kwargs={"server_default": text("'open'")})
    closed_on: date | None = None
    act_id: UUID
    closed_act: UUID | None = None


class Suspension(Changing, table=True):
    """The permit's licence does not serve in these days (suspensão do alvará)."""

    __tablename__ = "suspension"
    __table_args__ = (
        same_town("permit_id", "permit"),
        same_town("proposal_id", "proposal"),
        same_town("act_id", "act"),
        same_town("lifted_act", "act"),
        Index("suspension_of_permit", "tenant_id", "permit_id", "id"),
    )

    permit_id: UUID
    proposal_id: UUID
    during: Range[date] = Field(sa_type=DATERANGE)
    act_id: UUID
    lifted_act: UUID | None = None
