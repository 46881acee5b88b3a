from datetime import date
from typing import Any
from uuid import UUID

from sqlalchemy import Index, Text, UniqueConstraint
from sqlalchemy.dialects.postgresql import JSONB
from sqlmodel import Field

from services.schema import Changing, TownRow, same_town


class Tariff(Changing, table=True):
    """The tariff of a category (tarifa): when its table was last set and reviewed. The table itself is law.

    `holder_id`: whoever last asked for a review.
    """

    __tablename__ = "tariff"
    __table_args__ = (
        UniqueConstraint("tenant_id", "category"),
        same_town("holder_id", "holder"),
        same_town("publication_id", "publication"),
        same_town("set_act", "act"),
    )

    category: str = Field(sa_type=Text)
    holder_id: UUID | None = None
    set_on: date | None = None
    reviewed_on: date | None = None
    publication_id: UUID | None = None
    set_act: UUID | None = None


class TariffReview(Changing, table=True):
    """A review (revisão tarifária): asked for, perhaps with a cost sheet (planilha), and decided."""

    __tablename__ = "tariff_review"
    __table_args__ = (
        same_town("tariff_id", "tariff"),
        same_town("holder_id", "holder"),
        same_town("requested_act", "act"),
        same_town("decided_act", "act"),
        Index("tariff_review_of_tariff", "tenant_id", "tariff_id", "id"),
        Index("tariff_review_of_holder", "tenant_id", "holder_id", "id"),
    )

    tariff_id: UUID
    holder_id: UUID | None = None
    because: str = Field(sa_type=Text)
    requested_on: date
    sheet: dict[str, Any] | None = Field(default=None, sa_type=JSONB(none_as_null=True))
    requested_act: UUID
    granted: bool | None = None
    decided_on: date | None = None
    decided_act: UUID | None = None


class TariffStep(TownRow, table=True):
    """Something that the law wants before a tariff (quem foi ouvido, quem aprovou, o que se juntou), once done."""

    __tablename__ = "tariff_step"
    __table_args__ = (
        UniqueConstraint("tenant_id", "review_id", "what", "code"),
        same_town("review_id", "tariff_review"),
        same_town("act_id", "act"),
    )

    review_id: UUID
    what: str = Field(sa_type=Text)
    code: str = Field(sa_type=Text)
    met_on: date
    source: str = Field(sa_type=Text)
    act_id: UUID
