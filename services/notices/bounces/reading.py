"""A delivery status notification (RFC 3464) as it came in: which addresses failed, for good or not, and of what."""

from collections.abc import Iterator
from dataclasses import dataclass
from email import message_from_string, policy
from email.errors import MessageError
from email.message import EmailMessage, Message

FAILED = "failed"
FOR_GOOD = "5"  # law-free: the class of a status code that no repeat will change


@dataclass(frozen=True, slots=True)
class Failure:
    """Of one recipient. `status`: the other server's code. `message_id`: of what could not be delivered."""

    address: str
    status: str
    permanent: bool
    message_id: str | None


def failures(text: str) -> list[Failure]:
    """None for a message that is no such notification, or that tells of delays alone."""
    try:
        message = message_from_string(text, policy=policy.default)
        parts = list(message.walk())
    except (MessageError, ValueError, IndexError, KeyError):
        return []
    returned = _returned(parts)
    groups = [
        group for part in parts if part.get_content_type() == "message/delivery-status" for group in _groups(part)
    ]
    return [failure for group in groups if (failure := _failure(group, returned)) is not None]


def _groups(part: Message) -> Iterator[Message]:
    """The parser makes a message of each group of lines: the first is of the whole, the others of recipients."""
    payload = part.get_payload()
    if isinstance(payload, list):
        yield from (group for group in payload if isinstance(group, Message))


def _failure(group: Message, message_id: str | None) -> Failure | None:
    action = _plain(group.get("Action")).lower()
    address = _address(_plain(group.get("Original-Recipient")) or _plain(group.get("Final-Recipient")))
    if action != FAILED or address is None:
        return None
    status = _plain(group.get("Status")).split(" ")[0]
    return Failure(address, status, status.startswith(f"{FOR_GOOD}."), message_id)


def _address(field: str) -> str | None:
    """`rfc822; ana@example.org`"""
    _, _, address = field.rpartition(";")
    address = address.strip().strip("<>")
    return address if "@" in address else None


def _returned(parts: list[Message] | list[EmailMessage]) -> str | None:
    """The Message-ID of what is sent back, whole or its headers alone."""
    for part in parts:
        kind = part.get_content_type()
        inner: object = part.get_payload()
        if kind == "message/rfc822" and isinstance(inner, list) and inner:
            return _plain(inner[0].get("Message-ID")) or None
        if kind == "text/rfc822-headers" and isinstance(inner, str):
            return _plain(message_from_string(inner, policy=policy.compat32).get("Message-ID")) or None
    return None


def _plain(value: object) -> str:
    return "" if value is None else " ".join(str(value).split())
