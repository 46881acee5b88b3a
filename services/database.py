"""The only place that opens sessions and commits: one operation, or one town of a task, in one transaction."""

import asyncio
import random
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import date, datetime
from functools import cache
from typing import TYPE_CHECKING, Any, TypeVar
from uuid import UUID

from sqlalchemy import Row, TextClause, text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine
from sqlmodel.ext.asyncio.session import AsyncSession

import services.tables  # noqa: F401 - the ORM resolves references between tables only where it knows all of them
from services.clock import Clock, local_day
from services.errors import Conflict, Contended, NotFound
from services.municipalities.books import Books
from services.settings import Settings

if TYPE_CHECKING:
    from tenants.law.law import Law

T = TypeVar("T")

CONTENTION = {"40001": "serialization failure", "40P01": "deadlock", "55P03": "lock timeout"}
BROKEN_UNIQUENESS = {"23505", "23P01"}
ONE_REQUEST_ONE_ACT = "act_tenant_id_request_id_key"
SHORTEST_PAUSE_SECONDS = 0.01  # law-free: how long to wait before trying a transaction again


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


class UnsafeRole(RuntimeError):
    """The program must not run as a role that row-level security does not bind."""


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


TOWN = "t.id, t.slug, t.name, t.uf, t.ibge, t.zone, t.hosts, t.fictitious"
OPEN = f"""
SELECT set_config('app.tenant_id', CAST(t.id AS text), true), set_config('statement_timeout', :statement_ms, true),
       set_config('lock_timeout', :lock_ms, true), {TOWN}
"""
OPEN_TOWN = f"{OPEN} FROM municipality AS t WHERE t.id = :tenant"
FOUND_TOWN = f"""
WITH t AS (
    INSERT INTO municipality (slug, name, uf, ibge, zone, hosts, fictitious, created_at)
    VALUES (:slug, :name, :uf, :ibge, :zone, :hosts, :fictitious, :now) RETURNING *
) {OPEN} FROM t
"""  # noqa: S608 - our own column names
ROLE = """
SELECT rolsuper OR rolbypassrls AS unbound,
       EXISTS (SELECT FROM pg_class WHERE relowner = r.oid AND relnamespace = 'public'::regnamespace) AS owns
FROM pg_roles AS r WHERE rolname = current_user
"""


class Database:
    """The pool of one process and one event loop, and the laws it has read."""

    def __init__(self, settings: Settings, clock: Clock) -> None:
        self.settings = settings
        self.clock = clock
        self.engine = engine_of(settings)
        self._reading = self.engine.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)
        self.books = Books(settings.books_kept)

    async def check_role(self) -> None:
        """Raises UnsafeRole for a superuser, a role that bypasses row-level security, or an owner of tables."""
        async with self.directory() as directory:
            role = await directory.row(ROLE)
        if role is None or role.unbound or role.owns:
            raise UnsafeRole(
                "PRACA_DATABASE_URL must name the application role: no superuser, no BYPASSRLS, owner of nothing"
            )

    async def close(self) -> None:
        await self.engine.dispose()

    @asynccontextmanager
    async def directory(self) -> AsyncIterator[Directory]:
        async with self._session(self.engine) as (session, connection):
            yield Directory(session, connection, self.clock.now())

    @asynccontextmanager
    async def reader(self, tenant_id: UUID) -> AsyncIterator[Reader]:
        """Raises NotFound when there is no such town."""
        now = self.clock.now()
        async with self._session(self._reading) as (session, connection):
            town = await self._enter(connection, OPEN_TOWN, tenant=tenant_id)
            yield Reader(session, connection, now, town, self)

    @asynccontextmanager
    async def transaction(
        self, tenant_id: UUID, *, request: Request | None = None, at_night: bool = False
    ) -> AsyncIterator[Transaction]:
        """Commits at the end of the block, rolls back when it raises.

        Raises:
            NotFound: There is no such town.
            Contended: It stood in another's way; `perform` tries again.
            Conflict: A row that must be unique was there already.
        """
        now = self.clock.now()
        async with self._session(self.engine) as (session, connection):
            town = await self._enter(connection, OPEN_TOWN, at_night=at_night, tenant=tenant_id)
            yield Transaction(session, connection, now, town, self, request)

    @asynccontextmanager
    async def founding(self, new: NewTown) -> AsyncIterator[Transaction]:
        """The transaction in which a town enters the directory. Raises Conflict when its slug or IBGE code is there."""
        now = self.clock.now()
        columns = {name: getattr(new, name) for name in NewTown.__slots__} | {"hosts": list(new.hosts), "now": now}
        async with self._session(self.engine) as (session, connection):
            town = await self._enter(connection, FOUND_TOWN, **columns)
            yield Transaction(session, connection, now, town, self)

    async def perform(
        self, tenant_id: UUID, work: Callable[[Transaction], Awaitable[T]], *, request: Request | None = None
    ) -> T:
        """A use case in a transaction of its own, tried again while others stand in its way."""
        for attempt in range(1, self.settings.transaction_attempts):
            try:
                async with self.transaction(tenant_id, request=request) as tx:
                    return await work(tx)
            except Contended:
                await asyncio.sleep(SHORTEST_PAUSE_SECONDS * 2**attempt * random.random())  # noqa: S311 - no secret
        async with self.transaction(tenant_id, request=request) as tx:
            return await work(tx)

    @asynccontextmanager
    async def _session(self, engine: AsyncEngine) -> AsyncIterator[tuple[AsyncSession, AsyncConnection]]:
        try:
            async with AsyncSession(engine, expire_on_commit=False) as session:
                yield session, await session.connection()
                await session.commit()
        except DBAPIError as error:
            raise expected(error) from error

    async def _enter(self, connection: AsyncConnection, sql: str, *, at_night: bool = False, **params: Any) -> Town:
        """Set the tenant and the limits, and read the town: the first statement of every transaction."""
        settings = self.settings
        limit = settings.night_statement_timeout_ms if at_night else settings.statement_timeout_ms
        lock = limit if at_night else settings.lock_timeout_ms
        params |= {"statement_ms": str(limit), "lock_ms": str(lock)}
        found = (await connection.execute(statement(sql)[0], params)).one_or_none()
        if found is None:
            raise NotFound("municipality", params.get("tenant"))
        return Town(
            id=found.id,
            slug=found.slug,
            name=found.name,
            uf=found.uf,
            ibge=found.ibge,
            zone=found.zone,
            hosts=tuple(found.hosts),
            fictitious=found.fictitious,
        )


def engine_of(settings: Settings) -> AsyncEngine:
    server = {
        "application_name": "praca",
        "timezone": "UTC",
        "client_connection_check_interval": str(settings.connection_check_ms),
    }
    return create_async_engine(
        settings.async_database_url,
        pool_size=settings.pool_size,
        max_overflow=settings.pool_overflow,
        pool_timeout=settings.pool_timeout_seconds,
        pool_pre_ping=True,
        hide_parameters=True,  # they hold personal data, and errors are logged
        connect_args={"server_settings": server, "prepared_statement_cache_size": settings.statement_cache_size},
    )


def expected(error: DBAPIError) -> Exception:
    """What the database's refusal means; any other error is a bug and stays what it is."""
    state = getattr(error.orig, "sqlstate", "") or ""
    constraint = getattr(getattr(error.orig, "__cause__", None), "constraint_name", "") or ""
    if state in CONTENTION:
        return Contended(CONTENTION[state])
    if constraint == ONE_REQUEST_ONE_ACT:
        return Contended("the same request twice at once")
    if state in BROKEN_UNIQUENESS:
        return Conflict(constraint=constraint)
    return error
