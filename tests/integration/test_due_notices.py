"""A notice with nothing due is not sent: whatever kind of subject it is of, and however the term came to its end."""

from collections.abc import Awaitable, Callable
from datetime import date, timedelta
from uuid import UUID

import pytest

from services import deadlines
from services.clock import FixedClock
from services.database import Database, Transaction
from services.nights import night
from services.notices import NewNotice, queue, relay
from tenants.law.receivers import PEOPLE
from tests.support.factories import Maker, make_town
from tests.support.mailbox import Box
from tests.support.register import found, make_deadline
from tests.support.subjects import every_subject

TODAY = date(2026, 3, 10)
SOON = TODAY + timedelta(days=5)
End = Callable[[Transaction, UUID, UUID], Awaitable[None]]


async def met(tx: Transaction, id: UUID, act: UUID) -> None:
    await deadlines.meet(tx, id, on=tx.today, act_id=act)


async def replaced(tx: Transaction, id: UUID, act: UUID) -> None:
    row = await tx.one("SELECT * FROM deadline WHERE id = :id", id=id)
    new = deadlines.NewDeadline(
        kind=row.kind,
        rule=row.rule,
        subject_kind=row.subject_kind,
        subject_id=row.subject_id,
        opened_on=tx.today,
        last_day=SOON + timedelta(days=400),
        article=row.article,
        opened_act=act,
    )
    await deadlines.replace(tx, id, new, on=tx.today)


async def suspended(tx: Transaction, id: UUID, act: UUID) -> None:
    await deadlines.suspend(tx, id, on=tx.today, act_id=act)


@pytest.mark.parametrize("end", [met, replaced, suspended])
async def test_a_reminder_of_what_ended_meanwhile_is_sent_of_no_kind_of_subject(
    own_database: Database, end: End
) -> None:
    town, box = await found(own_database), Box()
    async with own_database.transaction(town) as tx:
        made = await every_subject(tx)
        running = {kind: await make_deadline(tx, until=SOON, subject=(kind, made[kind])) for kind in PEOPLE}
        new = [
            NewNotice(
                key=kind,
                template="aviso",
                subject_kind=kind,
                subject_id=made[kind],
                to="complainant" if kind == "complaint" else "holder",
                deadline_id=id,
                holds_while="open",
            )
            for kind, id in running.items()
        ]
        assert await queue(tx, new) == len(PEOPLE)
        rows = await tx.scalar("SELECT count(*) FROM notice")
        act = await tx.scalar("SELECT id FROM act ORDER BY id DESC LIMIT 1")
    async with own_database.transaction(town) as tx:
        for id in running.values():
            await end(tx, id, act)

    assert await relay(own_database, town, box) == {"dropped": rows}
    assert box.taken == []


async def test_a_reminder_that_comes_after_the_end_is_not_sent_and_the_end_is(
    own_database: Database, clock: FixedClock
) -> None:
    town, box = await found(own_database), Box()
    async with own_database.transaction(town) as tx:
        await make_deadline(tx, until=TODAY + timedelta(days=1), follows=[{"do": "notify", "template": "term_expired"}])
    await night(own_database, [town])
    clock.advance(timedelta(days=2))
    await night(own_database, [town])

    assert await relay(own_database, town, box) == {"dropped": 1, "sent": 1}
    assert "vencido" in box.taken[0]["Subject"]


async def test_whoever_renewed_meanwhile_is_not_reminded_of_the_licence_before(
    own_database: Database, clock: FixedClock
) -> None:
    town, box = await make_town(own_database), Box()
    async with own_database.transaction(town) as tx:
        maker = await Maker.of(tx)
        permit = await maker.permit(TODAY - timedelta(days=400))
        licence = await maker.licence(permit)
        last = await tx.scalar(
            "SELECT min(last_day) FROM deadline WHERE subject_id = :id AND rule = 'alvara'", id=licence.id
        )
    await relay(own_database, town, Box())
    clock.advance(timedelta(days=(last - TODAY).days - 3))
    await night(own_database, [town])
    async with own_database.transaction(town) as tx:
        reminder = await tx.one("SELECT state, lead FROM notice WHERE subject_id = :id", id=licence.id)
        maker = await Maker.of(tx)
        await maker.licence(permit)

    await relay(own_database, town, box)

    assert (reminder.state, reminder.lead) == ("queued", "7 days")
    async with own_database.reader(town) as reader:
        after = await reader.one("SELECT state, reason FROM notice WHERE subject_id = :id", id=licence.id)
    assert tuple(after) == ("dropped", "no longer due")
    assert not [message for message in box.taken if licence.number in str(message["Subject"])]


async def test_doing_the_night_again_tells_nobody_twice(own_database: Database, clock: FixedClock) -> None:
    town, box = await found(own_database), Box()
    async with own_database.transaction(town) as tx:
        await make_deadline(tx, until=SOON)
    await night(own_database, [town])
    await relay(own_database, town, box)
    async with own_database.transaction(town) as tx:
        await tx.rows("UPDATE run SET ended_at = NULL, started_at = :now", now=tx.now - timedelta(days=1))
    clock.advance(timedelta(hours=1))
    await night(own_database, [town])
    await relay(own_database, town, box)

    assert len(box.taken) == 1
