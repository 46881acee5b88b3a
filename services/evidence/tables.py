from datetime import datetime
from uuid import UUID

from sqlalchemy import DateTime, Index, Text, text
from sqlmodel import Field

from services.schema import Changing, same_town


class Evidence(Changing, table=True):
    """A photograph or paper of a record (prova): what it is, its hash; the bytes stand outside the database.

    `id` and `client_id`, the record's, are the device's own: either may come first. `state`: `pending` until the
    bytes are there, `dropping` until they are gone.
    """

    __tablename__ = "evidence"
    __table_args__ = (
        same_town("act_id", "act"),
        Index("evidence_of_client", "tenant_id", "client_id", "id"),
        Index(
            "evidence_unsettled",
            "tenant_id",
            "received_at",
            postgresql_where=text("state IN ('pending', 'stored', 'dropping')"),
        ),
    )

    id: UUID = Field(primary_key=True)
    client_id: str = Field(sa_type=Text)
    media_type: str = Field(sa_type=Text)
    size: int
    sha256: str = Field(sa_type=Text)
    received_at: datetime = Field(sa_type=DateTime(timezone=True))
    state: str = Field(sa_type=Text)
    act_id: UUID
