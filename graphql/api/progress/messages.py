"""The messages of graphql-transport-ws, and the ends that it names: https://github.com/enisdenjo/graphql-ws."""

from collections.abc import Mapping
from enum import IntEnum
from typing import Any

import orjson

PROTOCOL = "graphql-transport-ws"


class End(IntEnum):
    """Codes with which a connection is closed."""

    IDLE = 1001  # law-free: of WebSockets
    LARGE = 1009  # law-free: of WebSockets
    BAD = 4400  # law-free: of the protocol
    UNAUTHORIZED = 4401  # law-free: of the protocol
    FORBIDDEN = 4403  # law-free: of the protocol
    INIT_LATE = 4408  # law-free: of the protocol
    TAKEN = 4409  # law-free: of the protocol
    TOO_MANY = 4429  # law-free: of the protocol


REASONS = {  # in the protocol's English: programs read them
    End.IDLE: "Idle",
    End.LARGE: "Message too big",
    End.BAD: "Invalid message",
    End.UNAUTHORIZED: "Unauthorized",
    End.FORBIDDEN: "Forbidden",
    End.INIT_LATE: "Connection initialisation timeout",
    End.TAKEN: "Subscriber already exists",
    End.TOO_MANY: "Too many",
}


class Ended(Exception):
    """The connection is to be closed, with this code."""

    def __init__(self, end: End) -> None:
        super().__init__(REASONS[end])
        self.end = end


def read(text: str, most: int) -> Mapping[str, Any]:
    """A message with its `type`. Raises Ended for what is none, or is too long."""
    if len(text) > most:
        raise Ended(End.LARGE)
    try:
        message = orjson.loads(text)
    except orjson.JSONDecodeError as error:
        raise Ended(End.BAD) from error
    if not isinstance(message, dict) or not isinstance(message.get("type"), str):
        raise Ended(End.BAD)
    return message


def member(message: Mapping[str, Any], name: str, kind: type) -> Any:
    """A member that must be there. Raises Ended."""
    value = message.get(name)
    if not isinstance(value, kind) or not value:
        raise Ended(End.BAD)
    return value
