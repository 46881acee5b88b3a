"""Transactions, snapshots, contention, and the law that each of them reads."""

import asyncio
from datetime import date
from uuid import UUID

import pytest
from sqlalchemy.exc import DBAPIError

from services import numbers
from services.database import Database, Reader, Transaction
from services.errors import Contended, NoLawInForce
from services.municipalities import store
from tenants.law.kinds.basis import Office
from tests.support.register import REMINDERS, found, make_permit, publish

DAY = date(2026, 3, 10)
SECOND_OFFICE = REMINDERS.replace('code = "financas"', 'code = "transito"')


async def people(database: Database, town: UUID) -> int:
    async with database.reader(town) as tx:
        return int(await tx.scalar("SELECT count(*) FROM person"))


async def test_a_block_that_ends_commits_and_one_that_raises_leaves_nothing(own_database: Database) -> None:
    town = await found(own_database)

    async def fail(tx: Transaction) -> None:
        await make_permit(tx)
        raise LookupError

    await own_database.perform(town, make_permit)
    with pytest.raises(LookupError):
        await own_database.perform(town, fail)

    assert await people(own_database, town) == 1


async def test_a_reader_sees_one_moment_and_writes_nothing(own_database: Database) -> None:
    town = await found(own_database)
    async with own_database.reader(town) as tx:
        before = await tx.scalar("SELECT count(*) FROM person")
        await own_database.perform(town, make_permit)
        assert await tx.scalar("SELECT count(*) FROM person") == before

    async def write(tx: Reader) -> None:
        await tx.rows("INSERT INTO counter VALUES (:tenant, 'fine', 2026, 1)")

    with pytest.raises(DBAPIError, match="read-only"):
        async with own_database.reader(town) as tx:
            await write(tx)


async def test_reads_side_by_side_take_turns(own_database: Database) -> None:
    town = await found(own_database)
    async with own_database.reader(town) as tx:
        counted = await asyncio.gather(*(tx.scalar("SELECT CAST(:n AS integer)", n=n) for n in range(12)))

    assert counted == list(range(12))


async def test_a_deadlock_is_tried_again_until_both_are_done(own_database: Database) -> None:
    town = await found(own_database)
    async with own_database.transaction(town) as tx:
        for name in ("a", "b"):
            await numbers.take(tx, name)
    attempts, both_have_one = 0, asyncio.Barrier(2)

    async def take_both(tx: Transaction, first: str, second: str) -> None:
        nonlocal attempts
        attempts += 1
        await numbers.take(tx, first)
        if attempts <= both_have_one.parties:
            await both_have_one.wait()
        await numbers.take(tx, second)

    await asyncio.gather(
        own_database.perform(town, lambda tx: take_both(tx, "a", "b")),
        own_database.perform(town, lambda tx: take_both(tx, "b", "a")),
    )

    assert attempts == 3
    async with own_database.reader(town) as reader:
        assert [row.value for row in await reader.rows("SELECT value FROM counter")] == [3, 3]


async def test_a_lock_that_is_held_too_long_is_contention(own_database: Database) -> None:
    own_database.settings = own_database.settings.model_copy(update={"lock_timeout_ms": 100, "transaction_attempts": 2})
    town = await found(own_database)

    async with own_database.transaction(town) as holder:
        await numbers.take(holder, "fine")
        with pytest.raises(Contended):
            await own_database.perform(town, lambda tx: numbers.take(tx, "fine"))


async def test_numbers_taken_at_once_are_all_different(own_database: Database) -> None:
    town = await found(own_database)

    taken = await asyncio.gather(
        *(own_database.perform(town, lambda tx: numbers.take_each(tx, "fine", 3)) for _ in range(8))
    )

    assert sorted(number for batch in taken for number in batch) == [f"{n:04d}/2026" for n in range(1, 25)]


async def test_a_town_that_has_published_nothing_has_no_law(tx: Transaction) -> None:
    with pytest.raises(NoLawInForce) as refusal:
        await tx.law(on=DAY)

    assert refusal.value.day == DAY
    await publish(tx)
    assert (await tx.law(on=DAY)).get(Office, "financas") is not None


async def test_a_publication_is_law_in_the_next_transaction_not_in_one_that_runs(own_database: Database) -> None:
    town = await found(own_database)

    async with own_database.transaction(town) as running:
        assert (await running.law(on=DAY)).get(Office, "transito") is None
        async with own_database.transaction(town) as tx:
            await publish(tx, SECOND_OFFICE, official_on=DAY)
        assert (await running.law(on=DAY)).get(Office, "transito") is None

    async with own_database.reader(town) as reader:
        assert (await reader.law(on=DAY)).get(Office, "transito") is not None


async def test_a_publication_rolled_back_is_no_law(own_database: Database) -> None:
    town = await found(own_database)

    async def publish_and_fail(tx: Transaction) -> None:
        await publish(tx, SECOND_OFFICE, official_on=DAY)
        assert (await tx.law(on=DAY)).get(Office, "transito") is not None
        raise LookupError

    with pytest.raises(LookupError):
        await own_database.perform(town, publish_and_fail)

    async with own_database.reader(town) as reader:
        assert (await reader.law(on=DAY)).get(Office, "transito") is None


async def test_publishers_at_once_follow_each_other(own_database: Database) -> None:
    town = await found(own_database)

    await asyncio.gather(*(own_database.perform(town, lambda tx: publish(tx, official_on=DAY)) for _ in range(5)))

    async with own_database.reader(town) as reader:
        assert [row.seq for row in await store.publications(reader)] == [6, 5, 4, 3, 2, 1]


async def test_a_process_keeps_the_laws_of_so_many_towns(own_database: Database) -> None:
    own_database.books._kept = 2
    towns = [await found(own_database, f"town-{n}") for n in range(3)]
    for town in towns:
        async with own_database.reader(town) as reader:
            first, again = await asyncio.gather(reader.law(on=DAY), reader.law(on=DAY))
            assert first.book is again.book

    assert [town for town, _ in own_database.books._books] == towns[1:]


async def test_two_towns_have_two_laws(own_database: Database) -> None:
    one = await found(own_database, "one")
    other = await found(own_database, "other", law=SECOND_OFFICE)

    async with own_database.reader(one) as ours, own_database.reader(other) as theirs:
        assert (await ours.law(on=DAY)).get(Office, "transito") is None
        assert (await theirs.law(on=DAY)).get(Office, "financas") is None
