"""What a use case is given: one town's transaction, or a reader's snapshot of it, and the town itself."""

import asyncio
from dataclasses import dataclass
from datetime import date, datetime
from functools import cache
from typing import TYPE_CHECKING, Any
from uuid import UUID

from sqlalchemy import Row, TextClause, text
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlmodel.ext.asyncio.session import AsyncSession

from services.clock import local_day

if TYPE_CHECKING:
    from services.database import Database
    from tenants.law.law import Law


@dataclass(frozen=True, slots=True)
class Town:
    """A municipality of the directory. `zone` is where its days begin."""

    id: UUID
    slug: str
    name: str
    uf: str
    ibge: str
    zone: str
    hosts: tuple[str, ...]
    fictitious: bool


@dataclass(frozen=True, slots=True)
class NewTown:
    slug: str
    name: str
    uf: str
    ibge: str
    zone: str
    hosts: tuple[str, ...]
    fictitious: bool


@dataclass(frozen=True, slots=True)
class Request:
    """A caller's own name for a mutation, and the hash of its input: a repeat is answered, not done again."""

    id: str
    hash: bytes


@cache  # one entry per statement in the code
def statement(sql: str) -> tuple[TextClause, bool]:
    """The statement, and whether it names `:tenant`."""
    clause = text(sql)
    return clause, "tenant" in clause._bindparams


class Directory:
    """No town is set: the table `municipality`, and the functions that look across towns."""

    __slots__ = ("_connection", "_turns", "now", "session")

    def __init__(self, session: AsyncSession, connection: AsyncConnection, now: datetime) -> None:
        self.session = session
        self.now = now
        self._connection = connection
        self._turns = asyncio.Lock()

    async def rows(self, sql: str, **params: Any) -> list[Row[Any]]:
        """Rows of one statement with `:named` parameters; casts are written `CAST(:ids AS uuid[])`.

        Calls made side by side on one connection take turns.
        """
        clause, _ = statement(sql)
        async with self._turns:
            return await self._fetch(clause, params)

    async def _fetch(self, clause: TextClause, params: dict[str, Any]) -> list[Row[Any]]:
        result = await self._connection.execute(clause, params)
        return list(result) if result.returns_rows else []

    async def row(self, sql: str, **params: Any) -> Row[Any] | None:
        """The first row, or none."""
        found = await self.rows(sql, **params)
        return found[0] if found else None

    async def one(self, sql: str, **params: Any) -> Row[Any]:
        """The only row of a statement that always gives one."""
        (found,) = await self.rows(sql, **params)
        return found

    async def scalar(self, sql: str, **params: Any) -> Any:
        """The first column of the first row; None when there is no row."""
        found = await self.row(sql, **params)
        return None if found is None else found[0]


class Reader(Directory):
    """One town, read only, in one snapshot. `:tenant` is supplied to statements that name it."""

    __slots__ = ("_books", "_head", "settings", "tenant_id", "today", "town")

    def __init__(
        self, session: AsyncSession, connection: AsyncConnection, now: datetime, town: Town, db: "Database"
    ) -> None:
        super().__init__(session, connection, now)
        self.settings = db.settings
        self.town = town
        self.tenant_id = town.id
        self.today: date = local_day(now, town.zone)
        self._books = db.books
        self._head: UUID | None = None

    async def rows(self, sql: str, **params: Any) -> list[Row[Any]]:
        clause, names_tenant = statement(sql)
        if names_tenant:
            params["tenant"] = self.tenant_id
        async with self._turns:
            return await self._fetch(clause, params)

    async def law(self, on: date, known_at: date | None = None) -> "Law":
        """The town's law of a day, as known at the end of another (None: as known now).

        Every call in a transaction sees the same publications.

        Raises:
            NoLawInForce: The town has published nothing.
        """
        if self._head is None:
            self._head = await self._books.head(self, on)
        book = await self._books.book(self, self._head)
        return book.on(on, known_at)


class Transaction(Reader):
    """One town, READ COMMITTED, committed once at the end of its block."""

    __slots__ = ("request",)

    def __init__(
        self,
        session: AsyncSession,
        connection: AsyncConnection,
        now: datetime,
        town: Town,
        db: "Database",
        request: Request | None = None,
    ) -> None:
        super().__init__(session, connection, now, town, db)
        self.request = request

    async def _fetch(self, clause: TextClause, params: dict[str, Any]) -> list[Row[Any]]:
        if self.session.new or self.session.dirty or self.session.deleted:
            await self.session.flush()
        return await super()._fetch(clause, params)

    def take_request(self) -> Request | None:
        """The caller's request, for the one act that is to carry it."""
        request, self.request = self.request, None
        return request

    def forget_law(self) -> None:
        """After a publication of this transaction's own, which it is to see."""
        self._head = None
