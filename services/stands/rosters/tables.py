from datetime import date, datetime
from typing import Any
from uuid import UUID

from sqlalchemy import Index, Text, UniqueConstraint
from sqlalchemy.dialects.postgresql import DATERANGE, JSONB, TSRANGE, Range
from sqlmodel import Field

from services.schema import Changing, empty_object, same_town


class Roster(Changing, table=True):
    """A roster (escala) of a category, made for some days; it governs `during`, unless it is closed before.

    `basis`: what it rests on; not approved yet, there is none.
    """

    __tablename__ = "roster"
    __table_args__ = (
        same_town("proposed_act", "act"),
        same_town("approved_act", "act"),
        same_town("closed_act", "act"),
        Index("roster_of_category", "tenant_id", "category", "id"),
    )

    category: str = Field(sa_type=Text)
    first_day: date
    last_day: date
    during: Range[date] = Field(sa_type=DATERANGE)
    exempt: dict[str, Any] = Field(default_factory=dict, sa_type=JSONB, sa_column_kwargs=empty_object())
    proposed_act: UUID
    basis: str | None = Field(default=None, sa_type=Text)
    norm: str | None = Field(default=None, sa_type=Text)
    approved_act: UUID | None = None
    closed_act: UUID | None = None


class RosterShift(Changing, table=True):
    """A permit's vehicle at work (turno), on the town's clock; it may end on the day after the roster's last."""

    __tablename__ = "roster_shift"
    __table_args__ = (
        same_town("roster_id", "roster"),
        same_town("permit_id", "permit"),
        Index("roster_shift_of_roster", "tenant_id", "roster_id", "id"),
        Index("roster_shift_of_permit", "tenant_id", "permit_id", "id"),
    )

    roster_id: UUID
    permit_id: UUID
    during: Range[datetime] = Field(sa_type=TSRANGE)


class RosterMember(Changing, table=True):
    """A permit that a roster binds, and whether its holder agrees: unanswered, nobody knows."""

    __tablename__ = "roster_member"
    __table_args__ = (
        UniqueConstraint("tenant_id", "roster_id", "permit_id"),
        same_town("roster_id", "roster"),
        same_town("permit_id", "permit"),
        same_town("answered_act", "act"),
        Index("roster_member_of_permit", "tenant_id", "permit_id", "id"),
    )

    roster_id: UUID
    permit_id: UUID
    agrees: bool | None = None
    answered_act: UUID | None = None


class RosterSwap(Changing, table=True):
    """Two shifts that would change hands (permuta): asked by one holder, done once the other agrees."""

    __tablename__ = "roster_swap"
    __table_args__ = (
        same_town("shift_id", "roster_shift"),
        same_town("other_shift_id", "roster_shift"),
        same_town("asked_by", "permit"),
        same_town("asked_of", "permit"),
        same_town("asked_act", "act"),
        same_town("answered_act", "act"),
        Index("roster_swap_of_shift", "tenant_id", "shift_id", "id"),
        Index("roster_swap_of_other", "tenant_id", "other_shift_id", "id"),
        Index("roster_swap_asked_by", "tenant_id", "asked_by", "id"),
        Index("roster_swap_asked_of", "tenant_id", "asked_of", "id"),
    )

    shift_id: UUID
    other_shift_id: UUID
    asked_by: UUID
    asked_of: UUID
    asked_act: UUID
    agrees: bool | None = None
    answered_act: UUID | None = None
