from datetime import date, datetime
from typing import Any
from uuid import UUID

from sqlalchemy import DateTime, Index, LargeBinary, Text, UniqueConstraint
from sqlalchemy.dialects.postgresql import JSONB
from sqlmodel import Field

from services.schema import Row, TownRow, same_town


class Act(TownRow, table=True):
    """An act (ato), never changed. `body` is the whole of it as it was hashed; the other columns only find it."""

    __tablename__ = "act"
    __table_args__ = (
        UniqueConstraint("tenant_id", "request_id"),
        Index("act_of_subject", "tenant_id", "subject_kind", "subject_id", "id"),
    )

    verb: str = Field(sa_type=Text)
    actor: str = Field(sa_type=Text)
    office: str | None = Field(default=None, sa_type=Text)
    at: datetime = Field(sa_type=DateTime(timezone=True))
    local_day: date
    legal_day: date
    subject_kind: str = Field(sa_type=Text)
    subject_id: UUID | None = None
    request_id: str | None = Field(default=None, sa_type=Text)
    request_hash: bytes | None = Field(default=None, sa_type=LargeBinary)
    result: dict[str, Any] | None = Field(default=None, sa_type=JSONB)
    body: str = Field(sa_type=Text)
    salt: bytes = Field(sa_type=LargeBinary)
    hash: bytes = Field(sa_type=LargeBinary)


class ActUnsealed(Row, table=True):
    """The acts that no seal holds yet: a trigger on `act` fills it, the sealer empties it."""

    __tablename__ = "act_unsealed"
    __table_args__ = (same_town("act_id", "act"),)

    tenant_id: UUID = Field(primary_key=True, foreign_key="municipality.id")
    act_id: UUID = Field(primary_key=True)


class Seal(Row, table=True):
    """A seal (selo), never changed: the acts since the one before, their hashes, and that one's hash."""

    __tablename__ = "seal"

    tenant_id: UUID = Field(primary_key=True, foreign_key="municipality.id")
    seq: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    at: datetime = Field(sa_type=DateTime(timezone=True))
    body: str = Field(sa_type=Text)
    previous: bytes | None = Field(default=None, sa_type=LargeBinary)
    hash: bytes = Field(sa_type=LargeBinary)
