from datetime import date, datetime
from typing import Any
from uuid import UUID

from sqlalchemy import ARRAY, DateTime, Index, Text, UniqueConstraint, text
from sqlalchemy.dialects.postgresql import JSONB
from sqlmodel import Field

from services.schema import Row, TownRow, same_town


class Municipality(Row, table=True):
    """The directory (município): the one table without a policy, since a town is looked for before it is known."""

    __tablename__ = "municipality"
    __table_args__ = (Index("municipality_hosts", "hosts", postgresql_using="gin"),)

    id: UUID = Field(default=None, primary_key=True, sa_column_kwargs={"server_default": text("uuidv7()")})
    slug: str = Field(sa_type=Text, unique=True)
    name: str = Field(sa_type=Text)
    uf: str = Field(sa_type=Text)
    ibge: str = Field(sa_type=Text, unique=True)
    zone: str = Field(sa_type=Text)
    hosts: list[str] = Field(
        default_factory=list, sa_type=ARRAY(Text), sa_column_kwargs={"server_default": text("'{}'")}
    )
    fictitious: bool = Field(default=False, sa_column_kwargs={"server_default": text("false")})
    created_at: datetime = Field(sa_type=DateTime(timezone=True))


class Publication(TownRow, table=True):
    """A set of versions of rules (publicação), never changed. Two times: the official day, and when we recorded it.

    Without an official day of its own it brings a history, whose items say theirs.
    """

    __tablename__ = "publication"
    __table_args__ = (UniqueConstraint("tenant_id", "seq"), same_town("act_id", "act"))

    seq: int
    official_on: date | None = None
    recorded_at: datetime = Field(sa_type=DateTime(timezone=True))
    norm: str = Field(sa_type=Text)
    cause: str = Field(sa_type=Text)
    act_id: UUID


class LawItem(TownRow, table=True):
    """One item of a publication, in the form of a law pack; `position` keeps the pack's order."""

    __tablename__ = "law_item"
    __table_args__ = (
        UniqueConstraint("tenant_id", "publication_id", "position"),
        same_town("publication_id", "publication"),
    )

    publication_id: UUID
    position: int
    kind: str = Field(sa_type=Text)
    code: str = Field(sa_type=Text)
    payload: dict[str, Any] = Field(sa_type=JSONB)
