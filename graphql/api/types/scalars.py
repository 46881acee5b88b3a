"""Scalars: exact in both directions, nothing rounded, nothing guessed."""

import base64
import binascii
import re
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal, InvalidOperation
from typing import Any, NewType
from uuid import UUID

import strawberry
from strawberry.types.scalar import ScalarDefinition

from services.errors import NotFound

_DAY = re.compile(r"\d{4}-\d\d-\d\d")
_MOMENT = re.compile(_DAY.pattern + r"T\d\d:\d\d(?::\d\d)?")


def _day(raw: Any) -> date:
    if not isinstance(raw, str) or not _DAY.fullmatch(raw):
        raise ValueError("a day is written as 2026-01-31")
    return date.fromisoformat(raw)


def _decimal(raw: Any) -> Decimal:
    """From text, so that no float comes between; a whole number may come as such."""
    if isinstance(raw, bool) or not isinstance(raw, int | str):
        raise ValueError('a decimal is sent as text: "31.92"')
    try:
        found = Decimal(raw)
    except InvalidOperation as error:
        raise ValueError(f"{raw!r} is no decimal") from error
    if not found.is_finite():
        raise ValueError(f"{raw!r} is no decimal")
    return found


LocalDateTime = NewType("LocalDateTime", datetime)


def _local(raw: Any) -> datetime:
    if not isinstance(raw, str) or not _MOMENT.fullmatch(raw):
        raise ValueError("a moment of the town's clock is written as 2026-01-31T22:00")
    return datetime.fromisoformat(raw)


SCALARS: dict[object, ScalarDefinition] = {
    date: strawberry.scalar(
        name="Date",
        description="A day of the town's calendar (dia), as 2026-01-31. Never a moment: it has no time zone.",
        serialize=date.isoformat,
        parse_value=_day,
    ),
    LocalDateTime: strawberry.scalar(
        name="LocalDateTime",
        description="A moment of the town's clock (data e hora local), as 2026-01-31T22:00, without an offset.",
        serialize=datetime.isoformat,
        parse_value=_local,
    ),
    Decimal: strawberry.scalar(
        name="Decimal",
        description='An exact number, as text with a point: "31.92". Sums are in the unit that the field names.',
        serialize=lambda value: format(value, "f"),
        parse_value=_decimal,
    ),
}


@dataclass(frozen=True, slots=True)
class GlobalId:
    """What an opaque id stands for."""

    kind: str
    key: UUID


def global_id(kind: str, key: UUID) -> strawberry.ID:
    """Opaque to front ends; base64 on one line, whatever its length."""
    return strawberry.ID(base64.urlsafe_b64encode(kind.encode() + b":" + key.bytes).rstrip(b"=").decode())


def read_id(text: str, kind: str | None = None) -> GlobalId:
    """Raises NotFound for whatever is no id of this kind: a malformed id answers as one that never existed."""
    try:
        raw = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))  # law-free: base64 is padded to fours
        name, _, key = raw.partition(b":")
        found = GlobalId(name.decode(), UUID(bytes=key))
    except (binascii.Error, ValueError) as error:
        raise NotFound(kind or "", text) from error
    if (kind is not None and found.kind != kind) or global_id(found.kind, found.key) != text:
        raise NotFound(kind or "", text)  # of another kind, or another spelling of the same bytes
    return found
