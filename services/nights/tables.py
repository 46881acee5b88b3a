from datetime import date, datetime
from typing import Any
from uuid import UUID

from sqlalchemy import DateTime, Index, Text, text
from sqlalchemy.dialects.postgresql import JSONB
from sqlmodel import Field

from services.schema import Row, empty_object, same_town


class Run(Row, table=True):
    """One town's work of one of its days, once. Without `ended_at` it is unfinished and will be taken up again."""

    __tablename__ = "run"
    __table_args__ = (Index("run_unfinished", "tenant_id", "day", "kind", postgresql_where=text("ended_at IS NULL")),)

    tenant_id: UUID = Field(primary_key=True, foreign_key="municipality.id")
    day: date = Field(primary_key=True)
    kind: str = Field(primary_key=True, sa_type=Text)
    started_at: datetime = Field(sa_type=DateTime(timezone=True))
    ended_at: datetime | None = Field(default=None, sa_type=DateTime(timezone=True))
    attempts: int = Field(default=0, sa_column_kwargs={"server_default": text("0")})
    counts: dict[str, Any] = Field(default_factory=dict, sa_type=JSONB, sa_column_kwargs=empty_object())
    error: str | None = Field(default=None, sa_type=Text)


class NightLaw(Row, table=True):
    """What a town's nights need of its law for a stretch of days, derived from its newest publication.

    It can be made anew at any time; one of an older publication counts no more.
    """

    __tablename__ = "night_law"
    __table_args__ = (same_town("publication_id", "publication"),)

    tenant_id: UUID = Field(primary_key=True, foreign_key="municipality.id")
    first_day: date = Field(primary_key=True)
    last_day: date
    publication_id: UUID
    reminders: list[dict[str, Any]] = Field(sa_type=JSONB)
    offices: dict[str, Any] = Field(sa_type=JSONB)
