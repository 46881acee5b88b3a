"""The laws of towns, compiled once per publication and process."""

import asyncio
from collections import OrderedDict
from datetime import date
from typing import TYPE_CHECKING
from uuid import UUID
from weakref import WeakValueDictionary

from services.errors import NoLawInForce
from services.municipalities import store
from tenants.law.book import Book

if TYPE_CHECKING:
    from services.database import Reader


class Books:
    """The most recently used ones. A key is the newest publication: its id is never given twice, so none goes stale."""

    def __init__(self, kept: int) -> None:
        self._kept = kept
        self._books: OrderedDict[tuple[UUID, UUID], Book] = OrderedDict()
        self._making: WeakValueDictionary[tuple[UUID, UUID], asyncio.Lock] = WeakValueDictionary()

    async def head(self, tx: "Reader", on: date) -> UUID:
        """Raises NoLawInForce, naming the day asked for, when the town has published nothing."""
        head = await store.head(tx)
        if head is None:
            raise NoLawInForce(on)
        return head.id

    async def book(self, tx: "Reader", head: UUID) -> Book:
        key = (tx.tenant_id, head)
        lock = self._making.setdefault(key, asyncio.Lock())  # many may ask at once: one of them compiles
        async with lock:
            if key not in self._books:
                published = await store.published(tx, head)
                self._books[key] = await asyncio.to_thread(Book.of, published)
            self._books.move_to_end(key)
            while len(self._books) > self._kept:
                self._books.popitem(last=False)
            return self._books[key]
