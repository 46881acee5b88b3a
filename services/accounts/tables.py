from datetime import date
from uuid import UUID

from sqlalchemy import Index, Text, UniqueConstraint
from sqlalchemy.dialects.postgresql import DATERANGE, Range
from sqlmodel import Field

from services.schema import Changing, same_town


class Account(Changing, table=True):
    """Whom a token means in this town: `subject` is the token's, the person is the register's."""

    __tablename__ = "account"
    __table_args__ = (
        UniqueConstraint("tenant_id", "subject"),
        same_town("person_id", "person"),
        same_town("company_id", "company"),
    )

    subject: str = Field(sa_type=Text)
    name: str = Field(default="", sa_type=Text)
    email: str | None = Field(default=None, sa_type=Text)
    person_id: UUID | None = None
    company_id: UUID | None = None


class Appointment(Changing, table=True):
    """Who holds which office on which days (nomeação), by an act and until another."""

    __tablename__ = "appointment"
    __table_args__ = (
        same_town("account_id", "account"),
        same_town("appointed_act", "act"),
        same_town("removed_act", "act"),
        Index("appointment_to_office", "tenant_id", "office", "id"),
        Index("appointment_of_account", "tenant_id", "account_id", "id", postgresql_include=["office", "during"]),
    )

    account_id: UUID
    office: str = Field(sa_type=Text)
    during: Range[date] = Field(sa_type=DATERANGE)
    appointed_act: UUID
    removed_act: UUID | None = None
