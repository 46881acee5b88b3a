from datetime import date, datetime
from decimal import Decimal
from typing import Any
from uuid import UUID

from sqlalchemy import DateTime, Index, LargeBinary, Numeric, Text, UniqueConstraint, text
from sqlalchemy.dialects.postgresql import ARRAY, JSONB
from sqlmodel import Field

from services.schema import Changing, empty_object, same_town


def given(column: str) -> Any:
    """A condition of an index: only rows that have it."""
    return text(f"{column} IS NOT NULL")


class Fine(Changing, table=True):
    """A fine (multa): units of the law, the rate used, reais, and the decision that it rests on.

    Of a permit, or of the record or the case of somebody who has none.
    """

    __tablename__ = "fine"
    __table_args__ = (
        UniqueConstraint("tenant_id", "number"),
        same_town("permit_id", "permit"),
        same_town("occurrence_id", "occurrence"),
        same_town("proceeding_id", "proceeding"),
        same_town("act_id", "act"),
        same_town("due_deadline_id", "deadline"),
        Index("fine_of_case", "tenant_id", "proceeding_id", postgresql_where=given("proceeding_id")),
        Index("fine_of_permit", "tenant_id", "permit_id", "seen_on", "id"),
        Index("fine_of_occurrence", "tenant_id", "occurrence_id", postgresql_where=given("occurrence_id")),
    )

    number: str = Field(sa_type=Text)
    permit_id: UUID | None = None
    occurrence_id: UUID | None = None
    proceeding_id: UUID | None = None
    infraction: str = Field(sa_type=Text)
    seen_on: date
    units: Decimal | None = Field(default=None, sa_type=Numeric)
    unit: str | None = Field(default=None, sa_type=Text)
    rate: Decimal | None = Field(default=None, sa_type=Numeric)
    brl: Decimal = Field(sa_type=Numeric)
    decision: dict[str, Any] = Field(sa_type=JSONB)
    act_id: UUID
    due_deadline_id: UUID | None = None


class Occurrence(Changing, table=True):
    """What an inspector saw (registro de ocorrência): the device's time and ours, whom, what, and what was said.

    `client_id` is the device's own name for it, and `content_hash` of all that it sent. `notified_on`: the day on
    which the person was given the copy. `holder_id` without a permit, `person_id`: who it was, known later.
    """

    __tablename__ = "occurrence"
    __table_args__ = (
        UniqueConstraint("tenant_id", "client_id"),
        UniqueConstraint("tenant_id", "number"),
        same_town("vehicle_id", "vehicle"),
        same_town("permit_id", "permit"),
        same_town("holder_id", "holder"),
        same_town("driver_id", "driver"),
        same_town("person_id", "person"),
        same_town("act_id", "act"),
        Index("occurrence_of_person", "tenant_id", "person_id", "id", postgresql_where=given("person_id")),
        Index("occurrence_of_holder", "tenant_id", "holder_id", "id", postgresql_where=given("holder_id")),
        Index("occurrence_of_permit", "tenant_id", "permit_id", "id", postgresql_where=given("permit_id")),
        Index("occurrence_of_driver", "tenant_id", "driver_id", "id", postgresql_where=given("driver_id")),
        Index("occurrence_of_plate", "tenant_id", "plate", "id", postgresql_where=given("plate")),
    )

    client_id: str = Field(sa_type=Text)
    content_hash: bytes = Field(sa_type=LargeBinary)
    number: str | None = Field(default=None, sa_type=Text)
    seen_at: datetime = Field(sa_type=DateTime(timezone=True))
    seen_on: date
    received_at: datetime = Field(sa_type=DateTime(timezone=True))
    place: str = Field(sa_type=Text)
    plate: str | None = Field(default=None, sa_type=Text)
    vehicle_id: UUID | None = None
    permit_id: UUID | None = None
    holder_id: UUID | None = None
    driver_id: UUID | None = None
    person_id: UUID | None = None
    offender_name: str | None = Field(default=None, sa_type=Text)
    category: str | None = Field(default=None, sa_type=Text)
    infractions: list[str] = Field(sa_type=ARRAY(Text))
    facts: dict[str, Any] = Field(default_factory=dict, sa_type=JSONB, sa_column_kwargs=empty_object())
    notes: str = Field(default="", sa_type=Text, sa_column_kwargs={"server_default": text("''")})
    statement: str = Field(default="", sa_type=Text, sa_column_kwargs={"server_default": text("''")})
    refused_to_sign: bool = Field(default=False, sa_column_kwargs={"server_default": text("false")})
    notified_on: date | None = None
    inspector: str = Field(sa_type=Text)
    office: str = Field(sa_type=Text)
    state: str = Field(sa_type=Text)
    decision: dict[str, Any] = Field(sa_type=JSONB)
    act_id: UUID


class Penalty(Changing, table=True):
    """What an infraction drew (penalidade): applied at once, or waiting for the process that must come before it.

    `what`: the register's word, as repetition reads it; `category`: of the day of the fact. `may_open`: infractions
    whose process may be opened besides.
    `defence_id`: the term that runs before it is final, where nobody challenges it; `final_on`: at once, for want of a
    process.
    """

    __tablename__ = "penalty"
    __table_args__ = (
        UniqueConstraint("tenant_id", "fine_id"),
        same_town("occurrence_id", "occurrence"),
        same_town("permit_id", "permit"),
        same_town("holder_id", "holder"),
        same_town("driver_id", "driver"),
        same_town("person_id", "person"),
        same_town("fine_id", "fine"),
        same_town("defence_id", "deadline"),
        same_town("act_id", "act"),
        Index("penalty_of_occurrence", "tenant_id", "occurrence_id", "id", postgresql_where=given("occurrence_id")),
        Index("penalty_of_holder", "tenant_id", "holder_id", "seen_on", "id", postgresql_where=given("holder_id")),
        Index("penalty_of_driver", "tenant_id", "driver_id", "seen_on", "id", postgresql_where=given("driver_id")),
        Index("penalty_of_person", "tenant_id", "person_id", "seen_on", "id", postgresql_where=given("person_id")),
        Index("penalty_of_plate", "tenant_id", "plate", "seen_on", "id", postgresql_where=given("plate")),
    )

    occurrence_id: UUID | None = None
    permit_id: UUID | None = None
    holder_id: UUID | None = None
    driver_id: UUID | None = None
    person_id: UUID | None = None
    category: str | None = Field(default=None, sa_type=Text)
    plate: str | None = Field(default=None, sa_type=Text)
    infraction: str = Field(sa_type=Text)
    infraction_group: str = Field(default="", sa_type=Text, sa_column_kwargs={"server_default": text("''")})
    reported_as: str | None = Field(default=None, sa_type=Text)
    what: str = Field(sa_type=Text)
    nth: int
    points: int | None = None
    seen_on: date
    notified_on: date | None = None
    state: str = Field(sa_type=Text)
    may_open: list[str] = Field(
        default_factory=list, sa_type=ARRAY(Text), sa_column_kwargs={"server_default": text("'{}'")}
    )
    fine_id: UUID | None = None
    defence_id: UUID | None = None
    final_on: date | None = None
    effect: dict[str, Any] = Field(sa_type=JSONB)
    act_id: UUID


class Complaint(Changing, table=True):
    """A complaint of the public (reclamação). `secret_hash`: who knows the secret may follow it, nobody else."""

    __tablename__ = "complaint"
    __table_args__ = (
        UniqueConstraint("tenant_id", "number"),
        same_town("permit_id", "permit"),
        same_town("deadline_id", "deadline"),
        same_town("act_id", "act"),
        same_town("answered_act", "act"),
        Index("complaint_received", "tenant_id", "received_at"),
    )

    number: str | None = Field(default=None, sa_type=Text)
    secret_hash: bytes = Field(sa_type=LargeBinary)
    received_at: datetime = Field(sa_type=DateTime(timezone=True))
    received_on: date
    text: str = Field(sa_type=Text)
    plate: str | None = Field(default=None, sa_type=Text)
    happened_on: date | None = None
    permit_id: UUID | None = None
    deadline_id: UUID | None = None
    decision: dict[str, Any] = Field(sa_type=JSONB)
    answer: str | None = Field(default=None, sa_type=Text)
    founded: bool | None = None
    answered_on: date | None = None
    answered_act: UUID | None = None
    email: str | None = Field(default=None, sa_type=Text)
    act_id: UUID
