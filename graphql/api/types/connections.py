"""Lists in pages, with keyset cursors: a walk neither skips nor repeats a row, over ties and absent values."""

import base64
import binascii
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, Generic, TypeVar
from uuid import UUID

import orjson
import strawberry

from api.types.output import output
from services.errors import Invalid

T = TypeVar("T")
PAGE_MOST = 100  # law-free: rows of one page
PAGE_USUAL = 20  # law-free: rows of a page when nobody says


@output(description="Where a page lies in its list (página).")
class PageInfo:
    has_next_page: bool
    has_previous_page: bool
    start_cursor: str | None
    end_cursor: str | None


@output(description="An item of a page and its place (item).")
class Edge(Generic[T]):
    cursor: str
    node: T


@output(description="A page of a list (lista paginada).")
class Connection(Generic[T]):
    edges: list[Edge[T]]
    page_info: PageInfo
    total_count: int | None = strawberry.field(
        default=None, description="How many there are in all; counted only when it is asked for."
    )


@dataclass(frozen=True, slots=True)
class Page:
    """What a page is asked to be: at most `first` rows after the row whose sort key is `after` (None: from the start).

    A store reads `limit` rows: the one too many says whether there is another page.
    """

    first: int
    after: tuple[Any, ...] | None = None

    @property
    def limit(self) -> int:
        return self.first + 1

    @classmethod
    def of(cls, first: int | None, after: str | None, *, keys: Sequence[type]) -> "Page":
        """Args: keys: the types of the sort key's columns, the id last.

        Raises:
            Invalid: `first` is out of bounds, or `after` is no cursor of this list.
        """
        wanted = PAGE_USUAL if first is None else first
        if not 1 <= wanted <= PAGE_MOST:
            raise Invalid("first", "out_of_bounds", f"Peça de 1 a {PAGE_MOST} itens por página.")
        return cls(wanted, None if after is None else read_cursor(after, keys))

    def connection(self, rows: Sequence[tuple[T, tuple[Any, ...]]], total: int | None = None) -> Connection[T]:
        """Rows as read, each with its sort key; the one beyond `first` is dropped."""
        edges = [Edge(cursor=cursor(key), node=node) for node, key in rows[: self.first]]
        info = PageInfo(
            has_next_page=len(rows) > self.first,
            has_previous_page=self.after is not None,
            start_cursor=edges[0].cursor if edges else None,
            end_cursor=edges[-1].cursor if edges else None,
        )
        return Connection(edges=edges, page_info=info, total_count=total)


def cursor(key: Sequence[Any]) -> str:
    """The sort key of a row, opaque and on one line."""
    return base64.urlsafe_b64encode(orjson.dumps(list(key), default=str)).decode().rstrip("=")


def read_cursor(text: str, keys: Sequence[type]) -> tuple[Any, ...]:
    """The sort key in its own types; absent values stay None. Raises Invalid for another list's cursor."""
    try:
        raw = orjson.loads(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)))  # law-free: base64's padding
        if not isinstance(raw, list) or len(raw) != len(keys):
            raise ValueError("another list's cursor")
        return tuple(None if value is None else _typed(value, kind) for value, kind in zip(raw, keys, strict=True))
    except (binascii.Error, ValueError, TypeError) as error:
        raise Invalid("after", "cursor", "O cursor não é desta lista.") from error


def _typed(value: Any, kind: type) -> Any:
    if kind is UUID or kind is str:
        return kind(value) if isinstance(value, str) else _wrong(value)
    if kind is date:
        return date.fromisoformat(value)
    return value if type(value) is kind else _wrong(value)


def _wrong(value: Any) -> Any:
    raise ValueError(f"{value!r} is no key of this list")
