"""Each town has its turn with the relays; what the mail server has taken is recorded once the database is there."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any
from uuid import UUID

import pytest

from services.database import Database, Transaction
from services.notices import NewNotice, go_round, queue, relay, relay_towns
from tests.integration.test_dead_letters import set_to
from tests.integration.test_relay import Box, states, tell
from tests.support.register import found, make_permit


async def queued(database: Database, town: UUID, how_many: int) -> None:
    async with database.transaction(town) as tx:
        for number in range(how_many):
            permit = await make_permit(tx, email=f"{tx.town.slug}@example.org")
            new = NewNotice(key=f"n{number}", template="aviso", subject_kind="permit", subject_id=permit.id)
            await queue(tx, [new])


async def test_each_town_has_its_turn_however_much_another_has_to_send(own_database: Database) -> None:
    set_to(own_database, notice_batch=2)
    big, small, box = await found(own_database, "grande"), await found(own_database, "pequena"), Box()
    await queued(own_database, big, 9)
    await queued(own_database, small, 3)

    assert await go_round(own_database, box) == {"sent": 12}

    order = "".join("p" if "pequena@" in message["To"] else "g" for message in box.taken)
    assert order.index("p") <= 2
    assert order.replace("gg", "G").replace("pp", "P") in ("GPGpGGg", "PGpGGGg")


async def test_a_turn_ends_in_its_time_and_gives_back_what_it_did_not_begin(own_database: Database) -> None:
    set_to(own_database, relay_turn_seconds=0)
    town, box = await found(own_database), Box()
    await queued(own_database, town, 3)

    assert await relay_towns(own_database, [town], box) == {"sent": 1}

    assert sorted((await states(own_database, town)).values()) == [("queued", 0), ("queued", 0), ("sent", 1)]
    assert await go_round(own_database, box) == {"sent": 2}


@pytest.mark.parametrize("towns", [1, 2])
async def test_a_hand_ends_with_its_slice_of_time(own_database: Database, towns: int) -> None:
    """Also when there is one town alone, with much to send."""
    set_to(own_database, relay_slice_seconds=0, notice_batch=1)
    for number in range(towns):
        await queued(own_database, await found(own_database, f"cidade-{number}"), 3)

    assert await go_round(own_database, Box()) == {"sent": 1}


class Away:
    """From the first message that is taken on, the database is away for so many transactions."""

    def __init__(self, database: Database, box: Box, times: int) -> None:
        self.transaction, self.box, self.left = database.transaction, box, times

    @asynccontextmanager
    async def __call__(self, *given: Any, **named: Any) -> AsyncIterator[Transaction]:
        if self.box.taken and self.left:
            self.left -= 1
            raise ConnectionRefusedError
        async with self.transaction(*given, **named) as tx:
            yield tx


async def test_what_was_taken_while_the_database_was_away_is_recorded_and_not_sent_again(
    own_database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    town, box = await found(own_database), Box()
    await tell(own_database, town, "a")
    away = Away(own_database, box, 3)
    monkeypatch.setattr(own_database, "transaction", away)

    assert await relay(own_database, town, box) == {"sent": 1}

    assert away.left == 0
    assert len(box.taken) == 1
    assert await states(own_database, town) == {"a": ("sent", 1)}


async def test_a_database_that_stays_away_is_not_a_failure_of_the_town(
    own_database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The message fails as a whole, and comes back."""
    set_to(own_database, notice_record_seconds=0)
    town, box = await found(own_database), Box()
    await tell(own_database, town, "a")
    monkeypatch.setattr(own_database, "transaction", Away(own_database, box, 2))

    with pytest.raises(ConnectionRefusedError):
        await go_round(own_database, box)

    async with own_database.reader(town) as tx:
        assert await tx.scalar("SELECT count(*) FROM dead_letter") == 0
