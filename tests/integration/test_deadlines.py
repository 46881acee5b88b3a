"""Deadlines: closed once, on their own last day, whoever comes first; what follows follows."""

import asyncio
from datetime import date, timedelta
from typing import Any
from uuid import UUID

import pytest
from sqlalchemy import event

from services import acts, deadlines
from services.database import Database, Transaction
from services.errors import Conflict, NotFound
from tests.support.register import CLERK, found, make_deadline, make_licence, make_many
from tests.support.waiting import until_waiting

TODAY = date(2026, 3, 10)
YESTERDAY = TODAY - timedelta(days=1)
LONG_AGO = date(2025, 1, 31)


async def expiries(tx: Transaction) -> list[tuple[UUID, date]]:
    found = await tx.rows("SELECT subject_id, legal_day FROM act WHERE verb = 'deadline.expired' ORDER BY id")
    return [(row.subject_id, row.legal_day) for row in found]


async def test_an_expiry_is_recorded_once_and_only_after_the_last_day(tx: Transaction) -> None:
    over = await make_deadline(tx, until=YESTERDAY)
    await make_deadline(tx, until=TODAY)

    assert await deadlines.settle(tx, today=TODAY) == 1
    assert await deadlines.settle(tx, today=TODAY) == 0

    assert await expiries(tx) == [(over, YESTERDAY)]


async def test_an_expiry_carries_its_own_day_however_late_it_is_recorded(tx: Transaction) -> None:
    over = await make_deadline(tx, until=LONG_AGO)

    await deadlines.settle(tx)

    row = await tx.one("SELECT state, closed_on, closed_act FROM deadline WHERE id = :id", id=over)
    act = await tx.one("SELECT legal_day, local_day FROM act WHERE id = :id", id=row.closed_act)
    assert (row.state, row.closed_on) == ("expired", LONG_AGO)
    assert (act.legal_day, act.local_day) == (LONG_AGO, TODAY)


async def test_a_subject_is_settled_alone(tx: Transaction) -> None:
    licence = await make_licence(tx, until=YESTERDAY)
    mine = await make_deadline(tx, until=YESTERDAY, subject=("licence", licence.id))
    await make_deadline(tx, until=YESTERDAY)

    assert await deadlines.settle(tx, subject=("licence", licence.id)) == 1

    assert await expiries(tx) == [(mine, YESTERDAY)]
    assert await deadlines.settle(tx, subject=[("licence", licence.id), ("permit", licence.permit_id)]) == 0


async def test_what_follows_is_settled_too_when_it_is_over_itself(tx: Transaction) -> None:
    second = {"rule": "segundo", "last_day": "2025-03-02", "follows": [third(date(2027, 1, 1))]}
    first = await make_deadline(tx, until=LONG_AGO, follows=[{"do": "open", "deadline": second}])

    assert await deadlines.settle(tx) == 2

    rows = await tx.rows(
        "SELECT id, rule, opened_on, last_day, state, inputs, opened_act FROM deadline ORDER BY last_day"
    )
    assert [(row.rule, row.opened_on, row.last_day, row.state) for row in rows] == [
        ("alvara", date(2020, 1, 1), LONG_AGO, "expired"),
        ("segundo", LONG_AGO, date(2025, 3, 2), "expired"),
        ("terceiro", date(2025, 3, 2), date(2027, 1, 1), "open"),
    ]
    assert rows[1].inputs["after"] == str(first)
    assert await tx.scalar("SELECT subject_id FROM act WHERE id = :id", id=rows[1].opened_act) == first


def third(until: date) -> dict[str, Any]:
    return {"do": "open", "deadline": {"rule": "terceiro", "last_day": until.isoformat()}}


async def test_the_holder_is_told(tx: Transaction) -> None:
    over = await make_deadline(tx, until=YESTERDAY, follows=[{"do": "notify"}])

    await deadlines.settle(tx)

    notice = await tx.one("SELECT key, template, deadline_id, address, state, message_id FROM notice")
    assert notice.key == f"expired:{over}"
    assert (notice.deadline_id, notice.address, notice.state) == (over, "ana@example.org", "queued")
    assert notice.message_id.endswith("@praca.example>")


async def test_nothing_is_opened_that_nobody_could_carry_out(tx: Transaction) -> None:
    with pytest.raises(ValueError, match="'shred'"):
        await make_deadline(tx, until=TODAY, follows=[{"do": "shred"}])


async def test_nothing_is_over_before_its_time_whatever_day_is_asked_about(tx: Transaction) -> None:
    runs = await make_deadline(tx, until=TODAY)

    assert await deadlines.settle(tx, TODAY + timedelta(days=400)) == 0
    assert await tx.scalar("SELECT state FROM deadline WHERE id = :id", id=runs) == "open"


async def test_two_settle_at_once_and_record_once(own_database: Database) -> None:
    """The second waits for the rows of the first, then finds them closed."""
    town = await found(own_database)
    async with own_database.transaction(town) as tx:
        over = await make_many(tx, 30, until=YESTERDAY)

    async def settle_slowly(tx: Transaction) -> int:
        closed = await deadlines.settle(tx)
        if closed:
            await until_waiting(tx, 3)
        return closed

    closed = await asyncio.gather(*(own_database.perform(town, settle_slowly) for _ in range(4)))

    assert sorted(closed) == [0, 0, 0, 30]
    async with own_database.reader(town) as reader:
        found_now = await reader.rows(
            "SELECT subject_id, count(*) AS times FROM act WHERE verb = 'deadline.expired' GROUP BY 1"
        )
    assert {row.subject_id: row.times for row in found_now} == dict.fromkeys(over, 1)


async def test_who_waited_for_another_settles_what_the_other_s_end_opened(own_database: Database) -> None:
    town = await found(own_database)
    follow = {"do": "open", "deadline": {"rule": "segundo", "last_day": YESTERDAY.isoformat()}}
    first = asyncio.Event()
    async with own_database.transaction(town) as tx:
        licence = await make_licence(tx, until=YESTERDAY)
        await make_deadline(tx, until=LONG_AGO, subject=("licence", licence.id), follows=[follow])

    async def close_the_first_alone(tx: Transaction) -> None:
        await deadlines.settle_batch(tx, TODAY, 1)
        first.set()
        await until_waiting(tx, 1)

    async def settle_the_licence(tx: Transaction) -> int:
        await first.wait()
        return await deadlines.settle(tx, subject=("licence", licence.id))

    _, closed = await asyncio.gather(
        own_database.perform(town, close_the_first_alone), own_database.perform(town, settle_the_licence)
    )

    assert closed == 1


async def test_what_was_met_suspended_or_replaced_does_not_expire(tx: Transaction) -> None:
    met, held, old = [await make_deadline(tx, until=YESTERDAY) for _ in range(3)]
    act = await acts.record(tx, CLERK, "licence.renewed", on=("licence", None))
    row = await tx.one(
        "SELECT kind, rule, subject_kind, subject_id, opened_on, article FROM deadline WHERE id = :i", i=old
    )
    new = deadlines.NewDeadline(**row._asdict(), last_day=date(2027, 1, 31), opened_act=act.id)

    await deadlines.meet(tx, met, on=date(2026, 3, 1), act_id=act.id, version=1)
    await deadlines.suspend(tx, held, on=date(2026, 3, 1), act_id=act.id)
    successor = await deadlines.replace(tx, old, new, on=date(2026, 3, 1))

    assert await deadlines.settle(tx) == 0
    states = {r.id: (r.state, r.replaced_by) for r in await tx.rows("SELECT id, state, replaced_by FROM deadline")}
    assert states == {
        met: ("met", None),
        held: ("suspended", None),
        old: ("replaced", successor),
        successor: ("open", None),
    }


async def test_what_is_resumed_runs_to_its_new_last_day(tx: Transaction) -> None:
    held = await make_deadline(tx, until=date(2026, 3, 2))
    act = await acts.record(tx, CLERK, "licence.suspended", on=("licence", None))
    await deadlines.suspend(tx, held, on=date(2026, 3, 1), act_id=act.id)

    await deadlines.resume(tx, held, on=date(2026, 3, 8), last_day=YESTERDAY, act_id=act.id, counted={"days": 8})

    row = await tx.one("SELECT state, last_day, suspended_on, inputs, counted FROM deadline WHERE id = :id", id=held)
    assert (row.state, row.last_day, row.suspended_on) == ("open", YESTERDAY, None)
    assert [list(each) for each in row.inputs["suspensions"]] == [["suspended"], ["resumed"]]
    assert await deadlines.settle(tx, today=YESTERDAY) == 0
    assert await deadlines.settle(tx) == 1


async def test_an_event_meets_the_kinds_that_it_meets(tx: Transaction) -> None:
    licence = await make_licence(tx, until=TODAY)
    subject = ("licence", licence.id)
    await make_deadline(tx, until=TODAY, subject=subject)
    await make_deadline(tx, until=TODAY, subject=subject, rule="outro")
    await make_deadline(tx, until=TODAY)

    met = await deadlines.meet_kinds(tx, on_subject=subject, kinds=["alvara"], on=TODAY, act_id=licence.act_id)

    assert met == 1


async def test_a_change_of_another_version_is_a_conflict(tx: Transaction) -> None:
    deadline = await make_deadline(tx, until=TODAY)
    act = await acts.record(tx, CLERK, "licence.renewed", on=("licence", None))

    with pytest.raises(Conflict) as conflict:
        await deadlines.meet(tx, deadline, on=TODAY, act_id=act.id, version=7)
    with pytest.raises(NotFound):
        await deadlines.meet(tx, act.id, on=TODAY, act_id=act.id)

    assert (conflict.value.expected, conflict.value.actual) == (7, 1)


async def test_a_day_decides_the_state_not_whether_somebody_recorded_it(tx: Transaction) -> None:
    """The same word before and after the night, for the deadline and for the licence that it is of."""
    licence = await make_licence(tx, until=YESTERDAY)
    deadline = await make_deadline(tx, until=YESTERDAY, subject=("licence", licence.id))
    days = [date(2019, 12, 31), YESTERDAY, TODAY]
    asked = (
        "SELECT state(d, day) AS deadline, state(l, day) AS licence, state(p, day) AS permit "
        "FROM unnest(CAST(:days AS date[])) WITH ORDINALITY AS asked (day, n) CROSS JOIN deadline AS d "
        "JOIN licence AS l ON l.id = d.subject_id JOIN permit AS p ON p.id = l.permit_id WHERE d.id = :id ORDER BY n"
    )

    before = await tx.rows(asked, days=days, id=deadline)
    await deadlines.settle(tx)
    after = await tx.rows(asked, days=days, id=deadline)

    expected = [("future", "future", "future"), ("open", "active", "active"), ("expired", "expired", "active")]
    assert [tuple(row) for row in before] == expected
    assert [tuple(row) for row in after] == expected


async def test_statements_do_not_grow_with_the_batch(own_database: Database) -> None:
    town = await found(own_database)
    sent: list[str] = []
    event.listen(own_database.engine.sync_engine, "before_cursor_execute", lambda *told: sent.append(told[2]))
    counts = []
    for how_many in (1, 40):
        async with own_database.transaction(town) as tx:
            await make_many(tx, how_many, until=YESTERDAY)
        sent.clear()
        async with own_database.transaction(town) as tx:
            assert await deadlines.settle(tx) == how_many
        counts.append(len(sent))

    assert counts[0] == counts[1] > 0
