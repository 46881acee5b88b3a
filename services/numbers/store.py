"""Counters of numbers."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from services.database import Transaction


async def take(tx: "Transaction", name: str, how_many: int, year: int) -> range:
    """The next numbers of a series in a year: as many as asked for, in a row."""
    taken = await tx.one(
        """
        INSERT INTO counter (tenant_id, name, year, value) VALUES (:tenant, :name, :year, :many)
        ON CONFLICT (tenant_id, name, year) DO UPDATE SET value = counter.value + excluded.value
        RETURNING value
        """,
        name=name,
        year=year,
        many=how_many,
    )
    return range(taken.value - how_many + 1, taken.value + 1)
