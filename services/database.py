"""The only place that opens sessions and commits: one operation, or one town of a task, in one transaction."""

import asyncio
import random
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any, TypeVar
from uuid import UUID

from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine
from sqlmodel.ext.asyncio.session import AsyncSession

import services.tables  # noqa: F401 - the ORM resolves references between tables only where it knows all of them
from services import logs, tracing
from services.clock import Clock
from services.errors import Conflict, Contended, NotFound
from services.municipalities.books import Books
from services.settings import Settings
from services.transactions import Directory, NewTown, Reader, Request, Town, Transaction, statement

__all__ = ["Database", "Directory", "NewTown", "Reader", "Request", "Town", "Transaction", "UnsafeRole"]

T = TypeVar("T")

CONTENTION = {"40001": "serialization failure", "40P01": "deadlock", "55P03": "lock timeout"}
BROKEN_UNIQUENESS = {"23505", "23P01"}
ONE_REQUEST_ONE_ACT = "act_tenant_id_request_id_key"
SHORTEST_PAUSE_SECONDS = 0.01  # law-free: how long to wait before trying a transaction again


class UnsafeRole(RuntimeError):
    """The program must not run as a role that row-level security does not bind."""


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
        tracing.watch_statements(self.engine.sync_engine)
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
        self,
        tenant_id: UUID,
        work: Callable[[Transaction], Awaitable[T]],
        *,
        request: Request | None = None,
        at_night: bool = False,
    ) -> T:
        """A use case in a transaction of its own, tried again while others stand in its way."""
        for attempt in range(1, self.settings.transaction_attempts):
            try:
                async with self.transaction(tenant_id, request=request, at_night=at_night) as tx:
                    return await work(tx)
            except Contended:
                await asyncio.sleep(SHORTEST_PAUSE_SECONDS * 2**attempt * random.random())  # noqa: S311 - no secret
        async with self.transaction(tenant_id, request=request, at_night=at_night) as tx:
            return await work(tx)

    @asynccontextmanager
    async def _session(self, engine: AsyncEngine) -> AsyncIterator[tuple[AsyncSession, AsyncConnection]]:
        try:
            async with AsyncSession(engine, expire_on_commit=False) as session:
                yield session, await session.connection()
                await session.commit()
        except DBAPIError as error:
            meaning = expected(error)
            if meaning is error:  # raised from itself it would be its own cause, without end for whoever follows causes
                raise
            raise meaning from error

    async def _enter(self, connection: AsyncConnection, sql: str, *, at_night: bool = False, **params: Any) -> Town:
        """Set the tenant and the limits, and read the town: the first statement of every transaction."""
        settings = self.settings
        limit = settings.night_statement_timeout_ms if at_night else settings.statement_timeout_ms
        lock = limit if at_night else settings.lock_timeout_ms
        params |= {"statement_ms": str(limit), "lock_ms": str(lock)}
        found = (await connection.execute(statement(sql)[0], params)).one_or_none()
        if found is None:
            raise NotFound("municipality", params.get("tenant"))
        logs.know_town(found.id, found.slug)
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
