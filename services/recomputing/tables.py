from datetime import date
from typing import Any
from uuid import UUID

from sqlalchemy import Index, Text, UniqueConstraint, text
from sqlalchemy.dialects.postgresql import JSONB
from sqlmodel import Field

from services.schema import Changing, same_town


class Review(Changing, table=True):
    """Something closed, paid or over that a publication would have counted otherwise (revisão da recontagem).

    `before`, `after`: as it is, and as it would have been. `outcome`: what an office decided of it, and why.
    """

    __tablename__ = "recomputation_review"
    __table_args__ = (
        UniqueConstraint(
            "tenant_id", "publication_id", "subject_kind", "subject_id", name="reviewed_once_a_publication"
        ),
        same_town("publication_id", "publication"),
        same_town("found_act", "act"),
        same_town("decided_act", "act"),
        Index("recomputation_review_open", "tenant_id", "id", postgresql_where=text("state = 'open'")),
    )

    publication_id: UUID
    subject_kind: str = Field(sa_type=Text)
    subject_id: UUID
    finding: str = Field(sa_type=Text)
    before: dict[str, Any] = Field(sa_type=JSONB)
    after: dict[str, Any] = Field(sa_type=JSONB)
    decision: dict[str, Any] = Field(sa_type=JSONB)
    found_on: date
    found_act: UUID
    state: str = Field(default="open", sa_type=Text, sa_column_kwargs={"server_default": text("'open'")})
    outcome: str | None = Field(default=None, sa_type=Text)
    why: str | None = Field(default=None, sa_type=Text)
    decided_on: date | None = None
    decided_by: str | None = Field(default=None, sa_type=Text)
    decided_act: UUID | None = None
