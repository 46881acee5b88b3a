"""What every table of the register has in common.

A table describes itself here to the ORM and to the check of drift; its CHECK and EXCLUDE constraints, policies and
grants stand in `deploy/migrations`, the only place that makes them.
"""

from typing import Any
from uuid import UUID

from sqlalchemy import ForeignKeyConstraint, text
from sqlmodel import Field, SQLModel
from sqlmodel._compat import SQLModelConfig

SQLModel.metadata.naming_convention = {  # PostgreSQL's own, so that what SQL makes and what we declare agree
    "pk": "%(table_name)s_pkey",
    "uq": "%(table_name)s_%(column_0_N_name)s_key",
    "fk": "%(table_name)s_%(column_0_N_name)s_fkey",
}


class Row(SQLModel):
    """Ranges and other types of the database may be attributes."""

    model_config = SQLModelConfig(arbitrary_types_allowed=True)


class TownRow(Row):
    """A row of one municipality. Its key begins with the tenant; the database gives the id, in order of time."""

    tenant_id: UUID = Field(primary_key=True, foreign_key="municipality.id")
    id: UUID = Field(default=None, primary_key=True, sa_column_kwargs={"server_default": text("uuidv7()")})


class Changing(TownRow):
    """A row that may change: whoever changes it says which version they saw."""

    version: int = Field(default=1, sa_column_kwargs={"server_default": text("1")})


def same_town(column: str, table: str) -> ForeignKeyConstraint:
    """A reference that cannot leave the municipality: foreign keys do not obey row-level security."""
    return ForeignKeyConstraint(["tenant_id", column], [f"{table}.tenant_id", f"{table}.id"])


def empty_object() -> dict[str, Any]:
    """For columns that hold a JSON object, `{}` in the database too."""
    return {"server_default": text("'{}'")}
