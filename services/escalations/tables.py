from datetime import date
from uuid import UUID

from sqlalchemy import Index, Text, UniqueConstraint, text
from sqlmodel import Field

from services.schema import Changing, same_town


class Escalation(Changing, table=True):
    """An authority's term is over and its duty not done (avocação): whose matter it is by now, until it is done.

    `office`: none where the law names none. `due_on`: the last day; `since`: from when the office has it; `passes`:
    the matter goes on without it. `closed_as`: met (late), passed, or no_more when nothing is demanded any longer.
    """

    __tablename__ = "escalation"
    __table_args__ = (
        UniqueConstraint("tenant_id", "deadline_id", "level"),
        same_town("deadline_id", "deadline"),
        same_town("act_id", "act"),
        same_town("closed_act", "act"),
        Index("escalation_open", "tenant_id", "due_on", "id", postgresql_where=text("closed_on IS NULL")),
        Index("escalation_of_subject", "tenant_id", "subject_kind", "subject_id", "id"),
    )

    deadline_id: UUID
    kind: str = Field(sa_type=Text)
    rule: str = Field(sa_type=Text)
    subject_kind: str = Field(sa_type=Text)
    subject_id: UUID
    office: str | None = Field(default=None, sa_type=Text)
    level: int
    due_on: date
    since: date
    article: str = Field(sa_type=Text)
    passes: bool = Field(default=False, sa_column_kwargs={"server_default": text("false")})
    act_id: UUID
    closed_on: date | None = None
    closed_as: str | None = Field(default=None, sa_type=Text)
    closed_act: UUID | None = None
