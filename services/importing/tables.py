from datetime import date, datetime
from typing import Any
from uuid import UUID

from sqlalchemy import ARRAY, DateTime, ForeignKeyConstraint, Index, LargeBinary, Text, UniqueConstraint, text
from sqlalchemy.dialects.postgresql import JSONB
from sqlmodel import Field

from services.schema import Changing, Row, TownRow, empty_object, same_town


class ImportFile(Changing, table=True):
    """A town's file (planilha), as it came, until it is dropped; the same bytes come once.

    `options`: how it is read, as the caller says; `columns`: which is which field; `counts`: what would become, or
    became, of each subject.
    """

    __tablename__ = "import_file"
    __table_args__ = (
        UniqueConstraint("tenant_id", "sha256"),
        same_town("received_act", "act"),
        same_town("dropped_act", "act"),
        Index("import_file_kept", "tenant_id", "received_at", postgresql_where=text("dropped_on IS NULL")),
    )

    name: str = Field(sa_type=Text)
    media_type: str = Field(sa_type=Text)
    sha256: str = Field(sa_type=Text)
    size: int
    content: bytes = Field(sa_type=LargeBinary)
    state: str = Field(default="received", sa_type=Text, sa_column_kwargs={"server_default": text("'received'")})
    options: dict[str, Any] = Field(default_factory=dict, sa_type=JSONB, sa_column_kwargs=empty_object())
    columns: list[dict[str, Any]] = Field(
        default_factory=list, sa_type=JSONB, sa_column_kwargs={"server_default": text("'[]'")}
    )
    rows: int | None = None
    counts: dict[str, Any] = Field(default_factory=dict, sa_type=JSONB, sa_column_kwargs=empty_object())
    received_at: datetime = Field(sa_type=DateTime(timezone=True))
    received_act: UUID
    dropped_on: date | None = None
    dropped_act: UUID | None = None


class ImportRow(Row, table=True):
    """A row of a file: its cells, the record that was read, what is meant to become of it and what became of it."""

    __tablename__ = "import_row"
    __table_args__ = (ForeignKeyConstraint(["tenant_id", "import_id"], ["import_file.tenant_id", "import_file.id"]),)

    tenant_id: UUID = Field(primary_key=True, foreign_key="municipality.id")
    import_id: UUID = Field(primary_key=True)
    number: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    cells: list[str] = Field(sa_type=ARRAY(Text))
    record: dict[str, Any] | None = Field(default=None, sa_type=JSONB)
    plan: str | None = Field(default=None, sa_type=Text)
    outcome: str | None = Field(default=None, sa_type=Text)


class ImportKey(Row, table=True):
    """By what a row's people, vehicles and numbers are found again: `vehicle:ABC1D23`."""

    __tablename__ = "import_key"
    __table_args__ = (ForeignKeyConstraint(["tenant_id", "import_id"], ["import_file.tenant_id", "import_file.id"]),)

    tenant_id: UUID = Field(primary_key=True, foreign_key="municipality.id")
    import_id: UUID = Field(primary_key=True)
    key: str = Field(primary_key=True, sa_type=Text)
    number: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})


class ImportIssue(TownRow, table=True):
    """Something wrong in a row (erro: the row stays out) or put right (aviso)."""

    __tablename__ = "import_issue"
    __table_args__ = (
        same_town("import_id", "import_file"),
        Index("import_issue_in_order", "tenant_id", "import_id", "row", "id"),
    )

    import_id: UUID
    stage: str = Field(sa_type=Text)
    row: int
    severity: str = Field(sa_type=Text)
    code: str = Field(sa_type=Text)
    field: str | None = Field(default=None, sa_type=Text)
    header: str | None = Field(default=None, sa_type=Text)
    letter: str | None = Field(default=None, sa_type=Text)
    message: str = Field(sa_type=Text)
    hint: str = Field(default="", sa_type=Text, sa_column_kwargs={"server_default": text("''")})
