from datetime import date
from typing import Any
from uuid import UUID

from sqlalchemy import ARRAY, Index, Text, UniqueConstraint, Uuid, text
from sqlalchemy.dialects.postgresql import JSONB
from sqlmodel import Field

from services.schema import Changing, TownRow, empty_object, same_town


class SelectionCall(Changing, table=True):
    """A call for vacancies (edital), from its announcement to the last signature.

    `area`: of vacancies of its own, else of the town's. `draw_source`, `draw_on`: the public lottery that will give
    the seed, named when the list is frozen. `undone`: how it ended early, by the law's code.
    """

    __tablename__ = "selection_call"
    __table_args__ = (
        UniqueConstraint("tenant_id", "number"),
        *(same_town(f"{step}_act", "act") for step in ("opened", "frozen", "seed", "result", "awarded", "ended")),
        Index("selection_call_of_category", "tenant_id", "category", "id"),
    )

    number: str = Field(sa_type=Text)
    category: str = Field(sa_type=Text)
    rule: str = Field(sa_type=Text)
    area: str | None = Field(default=None, sa_type=Text)
    vacancies: int
    announced_on: date
    opens_on: date
    closes_on: date
    opened_act: UUID
    frozen_on: date | None = None
    frozen_act: UUID | None = None
    draw_source: str | None = Field(default=None, sa_type=Text)
    draw_on: date | None = None
    seed: str | None = Field(default=None, sa_type=Text)
    seed_on: date | None = None
    seed_act: UUID | None = None
    absent: list[UUID] = Field(
        default_factory=list, sa_type=ARRAY(Uuid), sa_column_kwargs={"server_default": text("'{}'")}
    )
    result_on: date | None = None
    result_act: UUID | None = None
    result: dict[str, Any] | None = Field(default=None, sa_type=JSONB(none_as_null=True))
    awarded_on: date | None = None
    awarded_act: UUID | None = None
    ended_on: date | None = None
    ended_act: UUID | None = None
    undone: str | None = Field(default=None, sa_type=Text)
    undone_why: str | None = Field(default=None, sa_type=Text)


class SelectionCandidate(Changing, table=True):
    """Who answers a call (candidato), with what they declare. `facts`: what the order compares, as frozen.

    `place`: in the published order, from 1 and shared by equals; 0: out of it.
    """

    __tablename__ = "selection_candidate"
    __table_args__ = (
        UniqueConstraint("tenant_id", "call_id", "holder_id"),
        UniqueConstraint("tenant_id", "call_id", "vehicle_id"),
        same_town("call_id", "selection_call"),
        same_town("holder_id", "holder"),
        same_town("vehicle_id", "vehicle"),
        same_town("permit_id", "permit"),
        *(same_town(f"{step}_act", "act") for step in ("enrolled", "excluded", "awarded", "lost", "signed")),
        Index("selection_candidate_in_line", "tenant_id", "call_id", "place", "id"),
        Index("selection_candidate_of_holder", "tenant_id", "holder_id", "id"),
        Index("selection_candidate_of_vehicle", "tenant_id", "vehicle_id", "id"),
        Index(
            "selection_candidate_of_permit",
            "tenant_id",
            "permit_id",
            "id",
            postgresql_where=text("permit_id IS NOT NULL"),
        ),
    )

    call_id: UUID
    holder_id: UUID
    vehicle_id: UUID
    declared: dict[str, Any] = Field(default_factory=dict, sa_type=JSONB, sa_column_kwargs=empty_object())
    facts: dict[str, Any] | None = Field(default=None, sa_type=JSONB(none_as_null=True))
    enrolled_on: date
    enrolled_act: UUID
    excluded_on: date | None = None
    excluded_act: UUID | None = None
    excluded_why: str | None = Field(default=None, sa_type=Text)
    place: int | None = None
    awarded_on: date | None = None
    awarded_act: UUID | None = None
    lost_on: date | None = None
    lost_act: UUID | None = None
    lost_why: str | None = Field(default=None, sa_type=Text)
    signed_on: date | None = None
    signed_act: UUID | None = None
    permit_id: UUID | None = None


class SelectionList(TownRow, table=True):
    """The list as it was published, letter by letter (lista fechada). Never changed."""

    __tablename__ = "selection_list"
    __table_args__ = (
        UniqueConstraint("tenant_id", "call_id", "revision"),
        same_town("call_id", "selection_call"),
        same_town("act_id", "act"),
    )

    call_id: UUID
    revision: int
    text: str = Field(sa_type=Text)
    sha256: str = Field(sa_type=Text)
    published_on: date
    act_id: UUID


class SelectionJudgement(TownRow, table=True):
    """An office's judgement at a step of the order, counted from 1 (julgamento): the place of each candidate."""

    __tablename__ = "selection_judgement"
    __table_args__ = (
        same_town("call_id", "selection_call"),
        same_town("act_id", "act"),
        Index("selection_judgement_of_call", "tenant_id", "call_id", "step", "id"),
    )

    call_id: UUID
    step: int
    places: dict[str, Any] = Field(sa_type=JSONB)
    office: str = Field(sa_type=Text)
    act_id: UUID


class SelectionObjection(Changing, table=True):
    """A candidate's objection to the result (recurso)."""

    __tablename__ = "selection_objection"
    __table_args__ = (
        same_town("call_id", "selection_call"),
        same_town("candidate_id", "selection_candidate"),
        same_town("filed_act", "act"),
        same_town("decided_act", "act"),
        Index("selection_objection_of_call", "tenant_id", "call_id", "id"),
        Index("selection_objection_of_candidate", "tenant_id", "candidate_id", "id"),
    )

    call_id: UUID
    candidate_id: UUID
    says: str = Field(sa_type=Text)
    filed_on: date
    filed_act: UUID
    upheld: bool | None = None
    decided_on: date | None = None
    decided_act: UUID | None = None
