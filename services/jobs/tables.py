from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import DateTime, Index, Text, text
from sqlalchemy.dialects.postgresql import JSONB
from sqlmodel import Field

from services.schema import Changing, empty_object, same_town


class Job(Changing, table=True):
    """Work that is longer than one request (tarefa longa): who asked for it, how far it is, what came of it.

    `lease`: whose turn it is, until `claimed_until`; a step of another turn is not written. `attempts`: turns since
    anything was done. `cursor`: where the next step begins.
    """

    __tablename__ = "job"
    __table_args__ = (
        same_town("requested_act", "act"),
        Index("job_of_subject", "tenant_id", "subject_kind", "subject_id", "id"),
        Index("job_unfinished", "tenant_id", "id", postgresql_where=text("state IN ('queued', 'running')")),
        Index("one_job_at_a_time", "tenant_id", unique=True, postgresql_where=text("state = 'running'")),
        Index(
            "one_job_of_a_kind_waits",
            "tenant_id",
            "kind",
            "subject_id",
            unique=True,
            postgresql_where=text("state IN ('queued', 'running')"),
        ),
        Index("job_failed", "tenant_id", "ended_at", postgresql_where=text("state = 'failed'")),
    )

    kind: str = Field(sa_type=Text)
    subject_kind: str = Field(sa_type=Text)
    subject_id: UUID
    state: str = Field(default="queued", sa_type=Text, sa_column_kwargs={"server_default": text("'queued'")})
    done: int = Field(default=0, sa_column_kwargs={"server_default": text("0")})
    total: int | None = None
    cursor: dict[str, Any] = Field(default_factory=dict, sa_type=JSONB, sa_column_kwargs=empty_object())
    result: dict[str, Any] | None = Field(default=None, sa_type=JSONB)
    error: str | None = Field(default=None, sa_type=Text)
    requested_by: str = Field(sa_type=Text)
    office: str | None = Field(default=None, sa_type=Text)
    requested_at: datetime = Field(sa_type=DateTime(timezone=True))
    requested_act: UUID
    started_at: datetime | None = Field(default=None, sa_type=DateTime(timezone=True))
    ended_at: datetime | None = Field(default=None, sa_type=DateTime(timezone=True))
    lease: UUID | None = None
    claimed_until: datetime | None = Field(default=None, sa_type=DateTime(timezone=True))
    worked_at: datetime | None = Field(default=None, sa_type=DateTime(timezone=True))
    attempts: int = Field(default=0, sa_column_kwargs={"server_default": text("0")})
    traceparent: str | None = Field(default=None, sa_type=Text)
