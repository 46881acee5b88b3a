"""Notices as they are shown: to whom they are, and to offices with all that was tried."""

from collections import defaultdict
from collections.abc import Sequence
from datetime import date, datetime
from typing import Any
from uuid import UUID

import strawberry
from sqlalchemy import Row

from api.office.lawmaking import TextProblem
from api.selection import Selection
from api.types.nodes import Node
from api.types.output import output
from api.types.scalars import global_id
from services.database import Reader
from services.notices.showing import store
from services.notices.templating.previewing import Preview
from tenants.law.wording import Field, Filled


@output(description="One attempt to hand a notice to a mail server, and its answer (tentativa de entrega).")
class DeliveryAttempt:
    at: datetime
    outcome: str = strawberry.field(description="sent, refused, unreachable, bounced")
    detail: str


@output(description="A notice to someone (aviso), as an office sees it.")
class Notice(Node):
    template: str
    state: str = strawberry.field(description="queued, sent, kept (only in the inbox), failed, dropped")
    reason: str | None = strawberry.field(description="Why it is so, where something kept it from being sent.")
    subject_id: strawberry.ID = strawberry.field(description="The record that it is about.")
    recipient: str | None = strawberry.field(description="The name of whom it is to.")
    office: str | None = strawberry.field(description="The office that it is to.")
    address: str | None
    subject: str | None = strawberry.field(description="As it was sent; none while it waits.")
    body: str | None
    created_at: datetime
    sent_at: datetime | None
    attempts: int
    deliveries: list[DeliveryAttempt] = strawberry.field(description="Each attempt, with what was answered.")


@output(description="Someone who has read a notice to an office, and when (leitura).")
class NoticeReading:
    reader: str
    at: datetime


@output(description="A notice in one's own inbox (caixa de avisos), with its words as they were sent.")
class InboxNotice:
    id: strawberry.ID
    subject: str
    body: str
    html: str = strawberry.field(description="The same as plain markup, safe to show.")
    subject_id: strawberry.ID = strawberry.field(description="The record that it is about.")
    office: str | None = strawberry.field(description="The office to which it is; none: to oneself.")
    last_day: date | None
    article: str | None
    created_at: datetime
    read_at: datetime | None = strawberry.field(description="When whoever asks has read it.")
    read_by: list[NoticeReading] = strawberry.field(description="Of a notice to an office: who has read it.")


@output(description="That notices have been read (avisos lidos).")
class NoticesRead:
    marked: int = strawberry.field(description="How many of them were not read before.")


@output(description="What somebody must see to: a notice that reached nobody, what a term draws, a refund (pendência).")
class ClerkTask(Node):
    kind: str = strawberry.field(description="address_failing, no_address, nobody, template, drawn, refund")
    about: str = strawberry.field(
        description="The address or the template; of who or what has none, the id; of what a term draws, both."
    )
    name: str | None
    detail: str
    notice_id: strawberry.ID | None
    subject_id: strawberry.ID | None = strawberry.field(description="The record that it is about.")
    opened_at: datetime
    closed_on: date | None
    done: str | None
    version: int


@output(description="What came of a notification of a mail server (devolução).")
class BounceReport:
    notices: int = strawberry.field(description="Notices that came back.")
    tasks: int = strawberry.field(description="Addresses that were not known to fail.")


@output(description="A field that the words of a notice may name (campo de modelo).")
class TemplateField:
    name: str
    says: str
    example: str
    several: bool = strawberry.field(description="A list: for … in, or join.")


@output(description="A notice's words filled with a real record (prévia do aviso); nothing was written.")
class NoticePreview:
    subject: str | None
    body: str | None
    html: str | None
    problems: list[TextProblem] = strawberry.field(description="With any, the words cannot be saved.")


async def notices_of(tx: Reader, rows: Sequence[Row[Any]], wanted: Selection) -> list[Notice]:
    tried: dict[Any, list[DeliveryAttempt]] = defaultdict(list)
    if "deliveries" in wanted:
        for row in await store.attempts_of(tx, [row.id for row in rows]):
            tried[row.notice_id].append(DeliveryAttempt(at=row.at, outcome=row.outcome, detail=row.detail))
    return [_notice(row, tried[row.id]) for row in rows]


def _notice(row: Row[Any], deliveries: list[DeliveryAttempt]) -> Notice:
    return Notice(
        id=global_id("notice", row.id),
        template=row.template,
        state=row.state,
        reason=row.reason,
        subject_id=global_id(row.subject_kind, row.subject_id),
        recipient=row.name,
        office=row.office,
        address=row.address,
        subject=row.subject,
        body=row.body,
        created_at=row.created_at,
        sent_at=row.sent_at,
        attempts=row.attempts,
        deliveries=deliveries,
    )


def inbox_notice(row: Row[Any], words: Filled) -> InboxNotice:
    return InboxNotice(
        id=global_id("notice", row.id),
        subject=words.subject,
        body=words.body,
        html=words.html or "",
        subject_id=global_id(row.subject_kind, row.subject_id),
        office=row.office,
        last_day=row.last_day,
        article=row.article,
        created_at=row.created_at,
        read_at=row.read_at,
        read_by=[NoticeReading(reader=each["reader"], at=datetime.fromisoformat(each["at"])) for each in row.readings],
    )


def task_of(row: Row[Any]) -> ClerkTask:
    return ClerkTask(
        id=global_id("task", row.id),
        kind=row.kind,
        about=_about(row),
        name=row.name,
        detail=row.detail,
        notice_id=None if row.notice_id is None else global_id("notice", row.notice_id),
        subject_id=None if row.subject_id is None else global_id(row.subject_kind, row.subject_id),
        opened_at=row.opened_at,
        closed_on=row.closed_on,
        done=row.done,
        version=row.version,
    )


def _about(row: Row[Any]) -> str:
    """Records by their ids."""
    if row.kind not in ("no_address", "nobody"):
        return str(row.about)
    kind, _, key = row.about.partition(":")
    return str(global_id(kind, UUID(key)))


def field_of(field: Field) -> TemplateField:
    return TemplateField(name=field.name, says=field.says, example=field.example, several=field.several)


def preview_of(found: Preview) -> NoticePreview:
    words = found.filled
    return NoticePreview(
        subject=words.subject if words else None,
        body=words.body if words else None,
        html=words.html if words else None,
        problems=[TextProblem.of(each) for each in found.problems],
    )
