from datetime import date, datetime
from typing import Any
from uuid import UUID

from sqlalchemy import DateTime, Index, Text, UniqueConstraint, text
from sqlalchemy.dialects.postgresql import JSONB
from sqlmodel import Field

from services.schema import Changing, TownRow, same_town


class Proceeding(Changing, table=True):
    """An administrative case (processo administrativo).

    `step`: of the law's process, where it stands; none: over. `back`: the step that it returns to after a diligence.

    `source_kind` and `source_id`: what it was opened from; neither: ex officio.
    """

    __tablename__ = "proceeding"
    __table_args__ = (
        UniqueConstraint("tenant_id", "number"),
        same_town("permit_id", "permit"),
        same_town("opened_act", "act"),
        same_town("archived_act", "act"),
        same_town("held_act", "act"),
        same_town("disposed_act", "act"),
        Index(
            "one_case_of_a_source",
            "tenant_id",
            "source_kind",
            "source_id",
            unique=True,
            postgresql_where=text("source_id IS NOT NULL"),
        ),
        Index(
            "proceeding_of_permit",
            "tenant_id",
            "permit_id",
            "id",
            postgresql_where=text("permit_id IS NOT NULL"),
        ),
    )

    number: str | None = Field(default=None, sa_type=Text)
    process: str = Field(sa_type=Text)
    opened_by: str = Field(sa_type=Text)
    source_kind: str | None = Field(default=None, sa_type=Text)
    source_id: UUID | None = None
    category: str | None = Field(default=None, sa_type=Text)
    permit_id: UUID | None = None
    seen_on: date
    opened_on: date
    opened_act: UUID
    decision: dict[str, Any] = Field(sa_type=JSONB)
    step: str | None = Field(default=None, sa_type=Text)
    back: str | None = Field(default=None, sa_type=Text)
    archived_on: date | None = None
    archived_act: UUID | None = None
    held_on: date | None = None
    held_act: UUID | None = None
    held_why: str | None = Field(default=None, sa_type=Text)
    disposed_on: date | None = None
    disposed_act: UUID | None = None


class Party(Changing, table=True):
    """Who answers in a case (autuado), or acts for one who does (representante). `name`: of nobody in the register.

    `ended_on`: the first day on which a representative acts no more.
    """

    __tablename__ = "proceeding_party"
    __table_args__ = (
        same_town("proceeding_id", "proceeding"),
        same_town("holder_id", "holder"),
        same_town("driver_id", "driver"),
        same_town("person_id", "person"),
        same_town("acts_for", "proceeding_party"),
        same_town("act_id", "act"),
        same_town("ended_act", "act"),
        Index("proceeding_party_of_case", "tenant_id", "proceeding_id", "id"),
    )

    proceeding_id: UUID
    role: str = Field(sa_type=Text)
    holder_id: UUID | None = None
    driver_id: UUID | None = None
    person_id: UUID | None = None
    name: str | None = Field(default=None, sa_type=Text)
    acts_for: UUID | None = None
    since: date
    act_id: UUID
    ended_on: date | None = None
    ended_act: UUID | None = None


class Charge(Changing, table=True):
    """An infraction that a case is about (infração imputada), what it draws, and what became of it.

    `party_id`: whose alone it is. `applied`: what it draws was applied before the case, provisionally; `fine_id`: the
    fine that this was. `proposal_id`: what was proposed. `suspended_on`: since when what it draws waits.
    """

    __tablename__ = "proceeding_charge"
    __table_args__ = (
        UniqueConstraint("tenant_id", "proceeding_id", "infraction"),
        same_town("proceeding_id", "proceeding"),
        same_town("party_id", "proceeding_party"),
        same_town("fine_id", "fine"),
        same_town("proposal_id", "proposal"),
        same_town("decided_act", "act"),
        same_town("appealed_act", "act"),
        same_town("suspended_act", "act"),
        same_town("final_act", "act"),
        same_town("enforced_act", "act"),
        Index(
            "one_case_of_a_fine",
            "tenant_id",
            "fine_id",
            unique=True,
            postgresql_where=text("fine_id IS NOT NULL"),
        ),
        Index(
            "one_case_of_a_proposal",
            "tenant_id",
            "proposal_id",
            unique=True,
            postgresql_where=text("proposal_id IS NOT NULL"),
        ),
    )

    proceeding_id: UUID
    party_id: UUID | None = None
    infraction: str = Field(sa_type=Text)
    title: str = Field(sa_type=Text)
    effects: list[dict[str, Any]] = Field(sa_type=JSONB)
    applied: bool = Field(default=False, sa_column_kwargs={"server_default": text("false")})
    fine_id: UUID | None = None
    proposal_id: UUID | None = None
    outcome: str | None = Field(default=None, sa_type=Text)
    decided_on: date | None = None
    decided_act: UUID | None = None
    appealed_on: date | None = None
    appealed_act: UUID | None = None
    suspended_on: date | None = None
    suspended_act: UUID | None = None
    final_on: date | None = None
    final_act: UUID | None = None
    enforced_on: date | None = None
    enforced_act: UUID | None = None


class Service(TownRow, table=True):
    """An attempt to serve a party (citação, intimação): the day on which it counts as done, or on which it failed."""

    __tablename__ = "proceeding_service"
    __table_args__ = (
        same_town("proceeding_id", "proceeding"),
        same_town("party_id", "proceeding_party"),
        same_town("act_id", "act"),
        Index("proceeding_service_of_case", "tenant_id", "proceeding_id", "id"),
        Index(
            "served_once",
            "tenant_id",
            "party_id",
            "step",
            unique=True,
            postgresql_where=text("served_on IS NOT NULL"),
        ),
    )

    proceeding_id: UUID
    party_id: UUID
    step: str = Field(sa_type=Text)
    way: str = Field(sa_type=Text)
    dates: dict[str, Any] = Field(sa_type=JSONB)
    refused: bool
    where_unknown: bool
    failed_on: date | None = None
    served_on: date | None = None
    why: str | None = Field(default=None, sa_type=Text)
    decision: dict[str, Any] = Field(sa_type=JSONB)
    act_id: UUID


class Piece(TownRow, table=True):
    """What stands in the file (peça), in order, with its pages; `chain` binds it to the one before it.

    `evidence_id`: the photograph or paper that it shows, whose hash its content says.
    """

    __tablename__ = "proceeding_piece"
    __table_args__ = (
        UniqueConstraint("tenant_id", "proceeding_id", "seq"),
        UniqueConstraint("tenant_id", "proceeding_id", "chain"),
        same_town("proceeding_id", "proceeding"),
        same_town("party_id", "proceeding_party"),
        same_town("act_id", "act"),
        same_town("disposed_act", "act"),
        same_town("evidence_id", "evidence"),
        Index(
            "piece_of_evidence",
            "tenant_id",
            "evidence_id",
            "proceeding_id",
            unique=True,
            postgresql_where=text("evidence_id IS NOT NULL"),
        ),
    )

    proceeding_id: UUID
    seq: int
    kind: str = Field(sa_type=Text)
    title: str = Field(sa_type=Text)
    restricted: bool
    filed_on: date
    filed_at: datetime = Field(sa_type=DateTime(timezone=True))
    late: bool = False
    party_id: UUID | None = None
    office: str | None = Field(default=None, sa_type=Text)
    first_page: int
    pages: int
    content: str | None = Field(default=None, sa_type=Text)
    sha256: str = Field(sa_type=Text)
    previous: str = Field(sa_type=Text)
    chain: str = Field(sa_type=Text)
    act_id: UUID
    disposed_act: UUID | None = None
    evidence_id: UUID | None = None
