"""Numbers of permits, licences, fines (numeração): taken as the last write, since their row is everybody's."""

from typing import TYPE_CHECKING

from services.numbers import store

if TYPE_CHECKING:
    from services.database import Transaction


async def take(tx: "Transaction", name: str, year: int | None = None) -> str:
    """The next number of a series in a year (the town's own, by default), as it is printed: `0012/2026`."""
    (number,) = await take_each(tx, name, 1, year)
    return number


async def take_each(tx: "Transaction", name: str, how_many: int, year: int | None = None) -> list[str]:
    """As many numbers in a row, in one statement."""
    year = tx.today.year if year is None else year
    return [f"{value:04d}/{year}" for value in await store.take(tx, name, how_many, year)]
