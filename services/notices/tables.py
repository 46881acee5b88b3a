from datetime import date, datetime
from typing import Any
from uuid import UUID

from sqlalchemy import DateTime, Index, Text, UniqueConstraint, text
from sqlalchemy.dialects.postgresql import JSONB
from sqlmodel import Field

from services.schema import Changing, TownRow, empty_object, same_town

INBOX = "office IS NOT NULL AND account_id IS NULL"


class Notice(TownRow, table=True):
    """A notice to someone (aviso), written with the change that it tells of. `key` makes it once.

    `holds_while` is the state in which its deadline must still be when it is sent. `claimed_until` is a lease of a
    relay, and the pause after a failure; both are of the machine's time, not of the clock of the law.

    Whom it reaches: a person or a company; an office, which is its inbox; an account that is appointed to it. Without
    an `address` it is only `kept`, for its inbox. `subject`, `body` and `html` are the words as they were sent.
    """

    __tablename__ = "notice"
    __table_args__ = (
        UniqueConstraint("tenant_id", "key"),
        same_town("deadline_id", "deadline"),
        same_town("person_id", "person"),
        same_town("company_id", "company"),
        same_town("account_id", "account"),
        Index("notice_queued", "tenant_id", "claimed_until", "id", postgresql_where=text("state = 'queued'")),
        Index("notice_next", "tenant_id", "id", postgresql_where=text("state = 'queued'")),
        Index("notice_of_subject", "tenant_id", "subject_kind", "subject_id", "id"),
        Index("notice_by_message", "tenant_id", "message_id"),
        Index("notice_to_person", "tenant_id", "person_id", "id", postgresql_where=text("person_id IS NOT NULL")),
        Index("notice_to_company", "tenant_id", "company_id", "id", postgresql_where=text("company_id IS NOT NULL")),
        Index("notice_to_office", "tenant_id", "office", "id", postgresql_where=text(INBOX)),
    )

    key: str = Field(sa_type=Text)
    template: str = Field(sa_type=Text)
    subject_kind: str = Field(sa_type=Text)
    subject_id: UUID
    deadline_id: UUID | None = None
    holds_while: str | None = Field(default=None, sa_type=Text)
    lead: str | None = Field(default=None, sa_type=Text)
    person_id: UUID | None = None
    company_id: UUID | None = None
    account_id: UUID | None = None
    office: str | None = Field(default=None, sa_type=Text)
    address: str | None = Field(default=None, sa_type=Text)
    payload: dict[str, Any] = Field(default_factory=dict, sa_type=JSONB, sa_column_kwargs=empty_object())
    message_id: str = Field(sa_type=Text)
    state: str = Field(default="queued", sa_type=Text, sa_column_kwargs={"server_default": text("'queued'")})
    reason: str | None = Field(default=None, sa_type=Text)
    claimed_until: datetime | None = Field(default=None, sa_type=DateTime(timezone=True))
    created_at: datetime = Field(sa_type=DateTime(timezone=True))
    sent_at: datetime | None = Field(default=None, sa_type=DateTime(timezone=True))
    attempts: int = Field(default=0, sa_column_kwargs={"server_default": text("0")})
    traceparent: str | None = Field(default=None, sa_type=Text)
    subject: str | None = Field(default=None, sa_type=Text)
    body: str | None = Field(default=None, sa_type=Text)
    html: str | None = Field(default=None, sa_type=Text)


class NoticeAttempt(TownRow, table=True):
    """One attempt to hand a notice to the mail server, and its answer."""

    __tablename__ = "notice_attempt"
    __table_args__ = (same_town("notice_id", "notice"), Index("notice_attempt_of", "tenant_id", "notice_id", "id"))

    notice_id: UUID
    at: datetime = Field(sa_type=DateTime(timezone=True))
    outcome: str = Field(sa_type=Text)
    detail: str = Field(sa_type=Text)


class NoticeReading(TownRow, table=True):
    """Who has read a notice in the inbox, and when: each reader once."""

    __tablename__ = "notice_reading"
    __table_args__ = (UniqueConstraint("tenant_id", "notice_id", "reader"), same_town("notice_id", "notice"))

    notice_id: UUID
    reader: str = Field(sa_type=Text)
    read_at: datetime = Field(sa_type=DateTime(timezone=True))


class ClerkTask(Changing, table=True):
    """What somebody must see to: a notice that reached nobody; of a subject, what a term draws or is to be paid back.

    `about`: of what there is one task at a time.
    """

    __tablename__ = "clerk_task"
    __table_args__ = (
        same_town("notice_id", "notice"),
        same_town("person_id", "person"),
        same_town("company_id", "company"),
        same_town("closed_act", "act"),
        Index(
            "clerk_task_once",
            "tenant_id",
            "kind",
            "about",
            unique=True,
            postgresql_where=text("closed_act IS NULL OR kind = 'no_address'"),
        ),
        Index("clerk_task_open", "tenant_id", "id", postgresql_where=text("closed_act IS NULL")),
    )

    kind: str = Field(sa_type=Text)
    about: str = Field(sa_type=Text)
    detail: str = Field(default="", sa_type=Text, sa_column_kwargs={"server_default": text("''")})
    notice_id: UUID | None = None
    subject_kind: str | None = Field(default=None, sa_type=Text)
    subject_id: UUID | None = None
    person_id: UUID | None = None
    company_id: UUID | None = None
    opened_at: datetime = Field(sa_type=DateTime(timezone=True))
    closed_on: date | None = None
    closed_act: UUID | None = None
    done: str | None = Field(default=None, sa_type=Text)
