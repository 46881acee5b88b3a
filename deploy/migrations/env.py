"""Alembic's entry. Migrates the database of `PRACA_MIGRATE_URL` as the role that owns the tables."""

import asyncio
import os

from alembic import context
from sqlalchemy import Connection, pool
from sqlalchemy.ext.asyncio import create_async_engine

from services.tables import metadata


def database_url() -> str:
    """Ours to read here, since a migration runs without the program's settings."""
    given = os.environ.get("PRACA_MIGRATE_URL")
    if not given:
        raise SystemExit("PRACA_MIGRATE_URL is missing: the database's address, as the role that owns its tables.")
    return f"postgresql+asyncpg://{given.partition('://')[2]}"


def migrate(connection: Connection) -> None:
    context.configure(
        connection=connection, target_metadata=metadata, compare_type=True, transaction_per_migration=True
    )
    with context.begin_transaction():
        context.run_migrations()


async def online() -> None:
    engine = create_async_engine(database_url(), poolclass=pool.NullPool)
    async with engine.connect() as connection:
        await connection.run_sync(migrate)
        await connection.commit()
    await engine.dispose()


if context.is_offline_mode():
    raise SystemExit("Migrations run on a database; to read them, see deploy/migrations/.")
asyncio.run(online())
