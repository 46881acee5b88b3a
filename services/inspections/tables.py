from datetime import date
from typing import Any
from uuid import UUID

from sqlalchemy import ARRAY, Index, Text, UniqueConstraint, text
from sqlalchemy.dialects.postgresql import JSONB
from sqlmodel import Field

from services.schema import Changing, empty_object, same_town


class Inspection(Changing, table=True):
    """An inspection of a vehicle or its taximeter: an appointment until it has a day, a number and a result.

    `rule` and `what` are the law's; `carried`: the items found, of the pack's list; `seen`: facts measured; `faults`:
    each with its rule, words and the infraction that it is.
    """

    __tablename__ = "inspection"
    __table_args__ = (
        UniqueConstraint("tenant_id", "number"),
        same_town("vehicle_id", "vehicle"),
        same_town("permit_id", "permit"),
        same_town("again_of", "inspection"),
        same_town("scheduled_act", "act"),
        same_town("recorded_act", "act"),
        Index("inspection_of_vehicle", "tenant_id", "vehicle_id", "inspected_on", "id"),
        Index("inspection_of_permit", "tenant_id", "permit_id", "id"),
        Index("inspection_again", "tenant_id", "again_of", "id"),
        Index(
            "inspection_scheduled_once",
            "tenant_id",
            "vehicle_id",
            "rule",
            unique=True,
            postgresql_where=text("inspected_on IS NULL"),
        ),
        Index("inspection_scheduled", "tenant_id", "scheduled_on", "id", postgresql_where=text("inspected_on IS NULL")),
    )

    vehicle_id: UUID
    permit_id: UUID | None = None
    category: str = Field(sa_type=Text)
    rule: str = Field(sa_type=Text)
    what: str = Field(sa_type=Text)
    scheduled_on: date | None = None
    again_of: UUID | None = None
    number: str | None = Field(default=None, sa_type=Text)
    inspected_on: date | None = None
    passed: bool | None = None
    carried: list[str] = Field(
        default_factory=list, sa_type=ARRAY(Text), sa_column_kwargs={"server_default": text("'{}'")}
    )
    seen: dict[str, Any] = Field(default_factory=dict, sa_type=JSONB, sa_column_kwargs=empty_object())
    faults: list[dict[str, Any]] = Field(
        default_factory=list, sa_type=JSONB, sa_column_kwargs={"server_default": text("'[]'")}
    )
    cure_until: date | None = None
    due_on: date | None = None
    scheduled_act: UUID | None = None
    recorded_act: UUID | None = None
