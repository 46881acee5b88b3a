from datetime import date
from typing import Any
from uuid import UUID

from sqlalchemy import ARRAY, Index, Text, UniqueConstraint, text
from sqlalchemy.dialects.postgresql import JSONB
from sqlmodel import Field

from services.schema import Changing, empty_object, same_town

EMPTY_LIST = {"server_default": text("'{}'")}


class Person(Changing, table=True):
    """A natural person (pessoa física)."""

    __tablename__ = "person"
    __table_args__ = (
        UniqueConstraint("tenant_id", "cpf"),
        Index("person_by_name", "tenant_id", text("sortable(name)"), "id"),
    )

    cpf: str = Field(sa_type=Text)
    name: str = Field(sa_type=Text)
    email: str | None = Field(default=None, sa_type=Text)
    birth_on: date | None = None
    attributes: dict[str, Any] = Field(default_factory=dict, sa_type=JSONB, sa_column_kwargs=empty_object())


class Company(Changing, table=True):
    """A legal person (pessoa jurídica)."""

    __tablename__ = "company"
    __table_args__ = (
        UniqueConstraint("tenant_id", "cnpj"),
        Index("company_by_name", "tenant_id", text("sortable(name)"), "id"),
    )

    cnpj: str = Field(sa_type=Text)
    name: str = Field(sa_type=Text)
    email: str | None = Field(default=None, sa_type=Text)
    attributes: dict[str, Any] = Field(default_factory=dict, sa_type=JSONB, sa_column_kwargs=empty_object())


class Holder(Changing, table=True):
    """Who holds, or asks for, a permit (permissionário, autorizatário, candidato): a person or a company.

    `kind` is a code of the pack's list.
    """

    __tablename__ = "holder"
    __table_args__ = (
        same_town("person_id", "person"),
        same_town("company_id", "company"),
        Index("holder_of_person", "tenant_id", "person_id", "id"),
        Index("holder_of_company", "tenant_id", "company_id", "id"),
    )

    kind: str = Field(sa_type=Text)
    person_id: UUID | None = None
    company_id: UUID | None = None
    attributes: dict[str, Any] = Field(default_factory=dict, sa_type=JSONB, sa_column_kwargs=empty_object())


class Driver(Changing, table=True):
    """A driver (condutor) and the licence to drive (CNH). `review`: what someone must look at: a check digit."""

    __tablename__ = "driver"
    __table_args__ = (UniqueConstraint("tenant_id", "person_id"), same_town("person_id", "person"))

    person_id: UUID
    cnh_number: str | None = Field(default=None, sa_type=Text)
    cnh_categories: list[str] = Field(default_factory=list, sa_type=ARRAY(Text), sa_column_kwargs=EMPTY_LIST)
    cnh_ear: bool | None = None
    cnh_first_on: date | None = None
    cnh_until: date | None = None
    attributes: dict[str, Any] = Field(default_factory=dict, sa_type=JSONB, sa_column_kwargs=empty_object())
    review: list[str] = Field(default_factory=list, sa_type=ARRAY(Text), sa_column_kwargs=EMPTY_LIST)


class Vehicle(Changing, table=True):
    """A vehicle (veículo). What is not known is absent, and so UNPROVEN."""

    __tablename__ = "vehicle"
    __table_args__ = (
        UniqueConstraint("tenant_id", "plate"),
        UniqueConstraint("tenant_id", "renavam"),
        same_town("holder_id", "holder"),
        Index("vehicle_of_holder", "tenant_id", "holder_id", "id"),
    )

    plate: str = Field(sa_type=Text)
    renavam: str | None = Field(default=None, sa_type=Text)
    holder_id: UUID | None = None
    manufacture_year: int | None = None
    model_year: int | None = None
    first_registration: date | None = None
    doors: int | None = None
    seats: int | None = None
    fuel: str | None = Field(default=None, sa_type=Text)
    attributes: dict[str, Any] = Field(default_factory=dict, sa_type=JSONB, sa_column_kwargs=empty_object())


class Paper(Changing, table=True):
    """A document shown (documento), of a holder, driver, vehicle or candidate; `code` is of the pack's list."""

    __tablename__ = "paper"
    __table_args__ = (Index("paper_of_subject", "tenant_id", "subject_kind", "subject_id", "code", "id"),)

    subject_kind: str = Field(sa_type=Text)
    subject_id: UUID
    code: str = Field(sa_type=Text)
    number: str | None = Field(default=None, sa_type=Text)
    issued_on: date | None = None
    valid_until: date | None = None
