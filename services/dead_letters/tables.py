from datetime import date, datetime
from uuid import UUID

from sqlalchemy import DateTime, Index, Text, UniqueConstraint, text
from sqlmodel import Field

from services.schema import Changing, Row, same_town


class DeadLetter(Changing, table=True):
    """What failed (pendência técnica): tried again while it is `waiting`, by hand alone when it is `dead`.

    `key` makes it one row for one thing, however often that fails. `error` is the kind alone: a text may hold personal
    data. `again_at` is of the machine's time, not of the clock of the law. `attempts`: in a row, until one succeeded.
    """

    __tablename__ = "dead_letter"
    __table_args__ = (
        UniqueConstraint("tenant_id", "key"),
        same_town("replayed_act", "act"),
        Index("dead_letter_live", "tenant_id", "kind", "again_at", postgresql_where=text("state <> 'closed'")),
    )

    kind: str = Field(sa_type=Text)
    key: str = Field(sa_type=Text)
    day: date | None = None
    subject_id: UUID | None = None
    task: str | None = Field(default=None, sa_type=Text)
    state: str = Field(sa_type=Text)
    error: str = Field(sa_type=Text)
    attempts: int
    first_at: datetime = Field(sa_type=DateTime(timezone=True))
    last_at: datetime = Field(sa_type=DateTime(timezone=True))
    again_at: datetime | None = Field(default=None, sa_type=DateTime(timezone=True))
    dead_at: datetime | None = Field(default=None, sa_type=DateTime(timezone=True))
    replays: int = Field(default=0, sa_column_kwargs={"server_default": text("0")})
    replayed_at: datetime | None = Field(default=None, sa_type=DateTime(timezone=True))
    replayed_by: str | None = Field(default=None, sa_type=Text)
    replayed_act: UUID | None = None
    closed_at: datetime | None = Field(default=None, sa_type=DateTime(timezone=True))


class RelayTurn(Row, table=True):
    """When a town last had its turn with the relays: whoever was longest without is next."""

    __tablename__ = "relay_turn"

    tenant_id: UUID = Field(primary_key=True, foreign_key="municipality.id")
    served_at: datetime = Field(sa_type=DateTime(timezone=True))
