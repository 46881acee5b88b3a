from datetime import date
from typing import Any
from uuid import UUID

from sqlalchemy import Index, Text, text
from sqlalchemy.dialects.postgresql import JSONB
from sqlmodel import Field

from services.schema import Changing, empty_object, same_town


class Deadline(Changing, table=True):
    """A legal term that runs (prazo), with all that it was counted from.

    `inputs`: rule version, start event, suspensions; `counted`: the days and why; `follows`: what happens when
    `last_day` is over. `closed_on` is the legal day: of one that expired, its last day, whenever it was recorded.
    """

    __tablename__ = "deadline"
    __table_args__ = (
        same_town("opened_act", "act"),
        same_town("closed_act", "act"),
        same_town("replaced_by", "deadline"),
        Index("deadline_due", "tenant_id", "last_day", "id", postgresql_where=text("state = 'open'")),
        Index("deadline_of_subject", "tenant_id", "subject_kind", "subject_id", "last_day", "id"),
    )

    kind: str = Field(sa_type=Text)
    rule: str = Field(sa_type=Text)
    subject_kind: str = Field(sa_type=Text)
    subject_id: UUID
    opened_on: date
    inputs: dict[str, Any] = Field(default_factory=dict, sa_type=JSONB, sa_column_kwargs=empty_object())
    counted: dict[str, Any] = Field(default_factory=dict, sa_type=JSONB, sa_column_kwargs=empty_object())
    last_day: date
    state: str = Field(default="open", sa_type=Text, sa_column_kwargs={"server_default": text("'open'")})
    suspended_on: date | None = None
    closed_on: date | None = None
    article: str = Field(sa_type=Text)
    follows: list[dict[str, Any]] = Field(
        default_factory=list, sa_type=JSONB, sa_column_kwargs={"server_default": text("'[]'")}
    )
    opened_act: UUID
    closed_act: UUID | None = None
    replaced_by: UUID | None = None
