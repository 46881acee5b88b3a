from datetime import date, datetime
from typing import Any
from uuid import UUID

from sqlalchemy import DateTime, Text, text
from sqlalchemy.dialects.postgresql import JSONB
from sqlmodel import Field

from services.schema import Row, empty_object


class Run(Row, table=True):
    """One town's work of one of its days, once. Without `ended_at` it is unfinished and will be taken up again."""

    __tablename__ = "run"

    tenant_id: UUID = Field(primary_key=True, foreign_key="municipality.id")
    day: date = Field(primary_key=True)
    kind: str = Field(primary_key=True, sa_type=Text)
    started_at: datetime = Field(sa_type=DateTime(timezone=True))
    ended_at: datetime | None = Field(default=None, sa_type=DateTime(timezone=True))
    attempts: int = Field(default=0, sa_column_kwargs={"server_default": text("0")})
    counts: dict[str, Any] = Field(default_factory=dict, sa_type=JSONB, sa_column_kwargs=empty_object())
    error: str | None = Field(default=None, sa_type=Text)
