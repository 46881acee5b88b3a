from uuid import UUID

from sqlalchemy import Text
from sqlmodel import Field

from services.schema import Row


class Counter(Row, table=True):
    """The last number given (numeração) of a series in one of the town's years."""

    __tablename__ = "counter"

    tenant_id: UUID = Field(primary_key=True, foreign_key="municipality.id")
    name: str = Field(primary_key=True, sa_type=Text)
    year: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    value: int
