"""The night of many towns at once: what each would have come to alone, whatever another of them does."""

import json
from collections.abc import Awaitable, Callable, Sequence
from datetime import date, datetime, timedelta
from itertools import pairwise
from typing import Any
from uuid import UUID

import pytest
from sqlalchemy import event

from services import acts, deadlines
from services.acts.body import Stated, act_body, canonical
from services.clock import FixedClock
from services.database import Database, Transaction
from services.deadlines.consequences import CONSEQUENCES
from services.errors import Contended
from services.nights import night
from services.nights.deriving import night_law, stretches
from services.nights.night import many
from services.notices.reminders import reminders
from services.tables import Company, Holder, Vehicle
from tests.support.law import book_of
from tests.support.register import (
    REMINDERS,
    as_superuser,
    found,
    make_deadline,
    make_licence,
    make_many,
    make_permit,
    publish,
)
from tests.support.servers import Servers

TODAY = date(2026, 3, 10)
YESTERDAY = TODAY - timedelta(days=1)
DAY = timedelta(days=1)
NOTIFY = {"do": "notify", "template": "term_expired"}
OFFICE = {"do": "notify", "to": "office", "template": "term_late"}


def opening(last_day: date, *follows: dict[str, Any]) -> dict[str, Any]:
    said = {"rule": "alvara", "last_day": last_day.isoformat(), "inputs": {"late": 1}, "follows": list(follows)}
    return {"do": "open", "deadline": said}


async def derived(database: Database, *towns: UUID) -> None:
    """What a first night of their own leaves for the nights after it."""
    for town in towns:
        async with database.transaction(town) as tx:
            await night_law(tx, tx.today)


async def of_a_company(tx: Transaction) -> UUID:
    company = Company(tenant_id=tx.tenant_id, cnpj="11222333000181", name="Táxis Ltda.", email="taxis@example.org")
    tx.session.add(company)
    await tx.session.flush()
    holder = Holder(tenant_id=tx.tenant_id, kind="empresa", company_id=company.id)
    tx.session.add(holder)
    await tx.session.flush()
    vehicle = Vehicle(tenant_id=tx.tenant_id, plate="ABC1D23", holder_id=holder.id)
    tx.session.add(vehicle)
    await tx.session.flush()
    return vehicle.id


async def register(tx: Transaction) -> None:
    """Something of everything that a plain night does, in the same order every time."""
    permit = ("permit", (await make_permit(tx)).id)
    mute = ("permit", (await make_permit(tx, email=None)).id)
    vehicle = ("vehicle", await of_a_company(tx))
    await make_deadline(tx, until=YESTERDAY, subject=permit, follows=[NOTIFY])
    await make_deadline(tx, until=YESTERDAY, subject=mute, follows=[NOTIFY])
    await make_deadline(tx, until=YESTERDAY - 9 * DAY, subject=vehicle, follows=[NOTIFY, opening(TODAY + 5 * DAY)])
    await make_deadline(tx, until=YESTERDAY - 9 * DAY, follows=[opening(YESTERDAY - DAY, NOTIFY), NOTIFY])
    await make_deadline(tx, until=YESTERDAY, follows=[OFFICE])
    await make_deadline(tx, until=YESTERDAY)
    for days in (0, 7, 8, 30, 31):
        await make_deadline(tx, until=TODAY + days * DAY)
    await make_deadline(tx, until=TODAY + DAY, rule="sem_aviso")


DEADLINES = """
SELECT d.kind, d.rule, d.subject_kind, d.opened_on, d.last_day, d.state, d.closed_on, d.article, d.follows, d.counted,
       d.inputs - 'after' AS inputs, d.version, o.verb AS opened_by, c.verb AS closed_by,
       (SELECT p.last_day FROM deadline AS p WHERE p.id = CAST(d.inputs ->> 'after' AS uuid)) AS after
FROM deadline AS d JOIN act AS o ON o.id = d.opened_act LEFT JOIN act AS c ON c.id = d.closed_act
ORDER BY d.last_day, d.rule, d.subject_kind, d.follows, d.state
"""
ACTS = """
SELECT a.verb, a.actor, a.office, a.at, a.local_day, a.legal_day, a.subject_kind, d.last_day
FROM act AS a JOIN deadline AS d ON d.id = a.subject_id WHERE a.verb = 'deadline.expired' ORDER BY d.last_day, d.follows
"""
NOTICES = """
SELECT split_part(key, ':', 1) AS about, substr(key, length(split_part(key, ':', 1)) + 39) AS mark, template,
       n.subject_kind, holds_while, lead, address, office, account_id, n.state, payload, d.last_day,
       person_id IS NULL AS no_person, company_id IS NULL AS no_company
FROM notice AS n JOIN deadline AS d ON d.id = n.deadline_id
ORDER BY d.last_day, d.follows, about, mark, address, office
"""


async def written(database: Database, town: UUID) -> list[list[tuple[Any, ...]]]:
    async with database.reader(town) as tx:
        return [[tuple(row) for row in await tx.rows(asked)] for asked in (DEADLINES, ACTS, NOTICES)]


async def test_many_towns_at_once_come_to_what_each_comes_to_alone(own_database: Database) -> None:
    together, alone = await found(own_database, "together"), await found(own_database, "alone")
    for town in (together, alone):
        async with own_database.transaction(town) as tx:
            await register(tx)
    await derived(own_database, together)

    done = await many(own_database, [together])
    (outcome,) = await night(own_database, [alone], at_once=False)

    assert (done[together].expired, done[together].reminded) == (outcome.expired, outcome.reminded) == (7, 5)
    ours, theirs = await written(own_database, together), await written(own_database, alone)
    assert ours == theirs
    assert len(ours[2]) == 11
    async with own_database.reader(together) as tx:
        run = await tx.one("SELECT ended_at IS NOT NULL AS ended, attempts, counts, error FROM run")
    assert tuple(run) == (True, 1, {"expired": 7, "reminded": 5}, None)
    assert await many(own_database, [together]) == {}


async def test_who_holds_a_subject_is_told_as_recipients_says(own_database: Database) -> None:
    town = await found(own_database)
    async with own_database.transaction(town) as tx:
        await register(tx)
        licence = await make_licence(tx, until=YESTERDAY)
        await make_deadline(tx, until=YESTERDAY, subject=("licence", licence.id), follows=[NOTIFY])
    await derived(own_database, town)

    await night(own_database, [town])

    async with own_database.reader(town) as tx:
        other = await tx.rows(
            """
            SELECT n.key FROM notice AS n LEFT JOIN LATERAL recipients(
                :tenant, 'holder', n.subject_kind, n.subject_id, n.deadline_id, '{}', :today
            ) AS r ON true
            WHERE n.office IS NULL AND n.account_id IS NULL AND (n.person_id, n.company_id, n.address)
                  IS DISTINCT FROM (r.person_id, r.company_id, r.address)
            """,
            today=TODAY,
        )
        assert other == []
        assert await tx.scalar("SELECT count(DISTINCT subject_kind) FROM notice") == 3


@pytest.mark.parametrize(
    "follows",
    [
        [{"do": "draw", "infraction": "I-1"}],
        [{"do": "unheard of"}],
        [{"template": "x"}],
        [NOTIFY, {"do": "end_permit"}],
    ],
)
async def test_a_town_where_something_else_follows_has_a_night_of_its_own(
    own_database: Database, follows: Sequence[Any]
) -> None:
    plain, other = await found(own_database, "plain"), await found(own_database, "other")
    for town in (plain, other):
        async with own_database.transaction(town) as tx:
            await make_deadline(tx, until=YESTERDAY, follows=[opening(YESTERDAY)])
    async with own_database.transaction(other) as tx:
        said = json.dumps([{"do": "open", "deadline": {**opening(YESTERDAY)["deadline"], "follows": follows}}])
        await tx.rows("UPDATE deadline SET follows = CAST(:said AS jsonb)", said=said)
    await derived(own_database, plain, other)

    done = await many(own_database, [other, plain])

    assert list(done) == [plain]
    async with own_database.reader(other) as tx:
        assert await tx.scalar("SELECT count(*) FROM act WHERE verb = 'deadline.expired'") == 0
        assert await tx.scalar("SELECT count(*) FROM run") == 0


async def test_a_town_that_fails_is_undone_alone_and_its_failure_is_recorded(own_database: Database) -> None:
    sound, broken, last = [await found(own_database, slug) for slug in ("sound", "broken", "last")]
    for town in (sound, broken, last):
        async with own_database.transaction(town) as tx:
            await make_deadline(tx, until=YESTERDAY, follows=[NOTIFY, opening(TODAY)])
    async with own_database.transaction(broken) as tx:
        await tx.rows("UPDATE deadline SET follows = jsonb_set(follows, '{1,deadline,last_day}', '\"someday\"')")
    await derived(own_database, sound, broken, last)

    outcomes = await night(own_database, [sound, broken, last])

    assert [(each.tenant_id, each.expired, each.error) for each in outcomes] == [
        (sound, 1, None),
        (broken, 0, "DBAPIError 22007"),
        (last, 1, None),
    ]


async def test_a_town_in_which_somebody_holds_a_deadline_does_not_keep_the_others_waiting(
    own_database: Database,
) -> None:
    held, free = await found(own_database, "held"), await found(own_database, "free")
    for town in (held, free):
        async with own_database.transaction(town) as tx:
            over = await make_deadline(tx, until=YESTERDAY)
            if town == held:
                mine = over
    await derived(own_database, held, free)

    async with own_database.transaction(held) as tx:
        await tx.rows("SELECT id FROM deadline WHERE id = :id FOR UPDATE", id=mine)
        assert list(await many(own_database, [held, free])) == [free]

    assert [each.expired for each in await night(own_database, [held, free])] == [1, 0]


async def test_more_than_a_batch_is_a_night_of_its_own(own_database: Database) -> None:
    town = await found(own_database)
    own_database.settings = own_database.settings.model_copy(update={"night_batch": 2})
    async with own_database.transaction(town) as tx:
        for _ in range(3):
            await make_deadline(tx, until=YESTERDAY)
    await derived(own_database, town)

    assert await many(own_database, [town]) == {}
    assert [each.expired for each in await night(own_database, [town])] == [3]


async def test_what_was_derived_counts_no_more_when_something_is_published(
    own_database: Database, clock: FixedClock
) -> None:
    town = await found(own_database)
    async with own_database.transaction(town) as tx:
        await make_deadline(tx, until=TODAY + 20 * DAY)
    await derived(own_database, town)
    async with own_database.transaction(town) as tx:
        await publish(tx, REMINDERS.replace('"30 days", "7 days"', '"10 days"'))

    assert await many(own_database, [town]) == {}
    assert [each.reminded for each in await night(own_database, [town])] == [0]

    clock.advance(10 * DAY)
    assert [each.reminded for each in (await many(own_database, [town])).values()] == [1]


LEADS = """
[[notice]]
rows = [
  { code = "um", on = "alvara", lead = ["1 month", "7 working days", "2 days"], to = "holder", template = "vence" },
  { code = "dois", on = "alvara", lead = ["30 days", "2 days"], to = "driver", template = "vence" },
  { code = "tres", on = "defesa", lead = ["2 weeks"], to = "holder", template = "vence", from = 2026-04-15 },
]
[[template]]
code = "vence"
subject = "s"
body = "b"
[[holiday]]
rows = [{ day = 2026-03-19, title = "São José", act = "Lei 2" }]
"""


async def test_every_day_of_what_is_derived_tells_what_the_law_of_that_day_tells(tx: Transaction) -> None:
    law = book_of(LEADS).on(TODAY)
    found = list(stretches(law, 120))

    assert found[0].first_day == TODAY
    assert all(after.first_day == before.last_day + DAY for before, after in pairwise(found))
    assert found[-1].last_day == TODAY + 119 * DAY
    for each in found:
        for day in (each.first_day, each.last_day):
            told = [(r.rule, r.lead, r.mark, r.to, r.template, r.first, r.latest) for r in reminders(law.at(day))]
            counted = await tx.rows(
                """
                SELECT rule, lead, mark, receiver, template,
                       coalesce(CAST(CAST(:day AS date) + CAST(after AS interval) AS date) + 1, :day),
                       CAST(CAST(:day AS date) + CAST(reach AS interval) AS date)
                FROM jsonb_to_recordset(CAST(:told AS jsonb)) AS r (
                    rule text, lead text, mark text, receiver text, template text, reach text, after text
                )
                """,
                day=day,
                told=canonical(each.reminders),
            )
            assert [tuple(row) for row in counted] == told
    assert {len(each.reminders) for each in found} == {5, 6}


ODD = 'art. 3, "x" \\ / \n\t\r\b\f \x01\x1f\x7f \u2028 é 🚕'


@pytest.mark.parametrize("micro", [0, 7, 123456])
async def test_the_act_of_an_end_stands_as_any_other_act_would(tx: Transaction, micro: int) -> None:
    tx.now = datetime.fromisoformat("2026-03-10T15:00:00+00:00").replace(microsecond=micro)
    over = await make_deadline(tx, until=YESTERDAY, rule=ODD)
    await tx.rows("UPDATE deadline SET article = :odd, kind = :odd", odd=ODD)

    await deadlines.settle(tx)

    row = await tx.one("SELECT * FROM act WHERE verb = 'deadline.expired'")
    was = await tx.one("SELECT * FROM deadline WHERE id = :id", id=over)
    changes = {
        "state": "expired",
        "kind": ODD,
        "rule": ODD,
        "of": {"kind": was.subject_kind, "id": was.subject_id},
        "openedOn": was.opened_on,
        "lastDay": YESTERDAY,
        "article": ODD,
    }
    assert row.body == act_body(row, Stated(None, changes, None))
    assert await tx.scalar("SELECT count(DISTINCT salt) = count(*) FROM act")


async def permit_and_licence(tx: Transaction, permit_ends: date, licence_ends: date) -> tuple[UUID, UUID]:
    licence = await make_licence(tx, until=licence_ends)
    ends: list[dict[str, Any]] = [NOTIFY, {"do": "end_permit", "cause": None}]
    permit = await make_deadline(tx, until=permit_ends, subject=("permit", licence.permit_id), follows=ends)
    return permit, await make_deadline(tx, until=licence_ends, subject=("licence", licence.id), follows=[NOTIFY])


async def states(tx: Transaction) -> dict[UUID, tuple[str, date | None]]:
    return {row.id: (row.state, row.closed_on) for row in await tx.rows("SELECT id, state, closed_on FROM deadline")}


@pytest.mark.parametrize("most", [1, 500])
async def test_what_ends_one_day_closes_what_was_to_end_on_a_later_one(tx: Transaction, most: int) -> None:
    """As the nights would have done, each on its day: the licence of a permit that has ended does not expire."""
    permit, licence = await permit_and_licence(tx, YESTERDAY - 5 * DAY, YESTERDAY)

    while await deadlines.settle_batch(tx, TODAY, most):
        pass

    assert await states(tx) == {permit: ("expired", YESTERDAY - 5 * DAY), licence: ("met", YESTERDAY - 4 * DAY)}


@pytest.mark.parametrize("most", [1, 500])
async def test_what_ends_on_the_same_day_expires_wherever_the_day_is_cut(tx: Transaction, most: int) -> None:
    permit, licence = await permit_and_licence(tx, YESTERDAY, YESTERDAY)

    while await deadlines.settle_batch(tx, TODAY, most):
        pass

    assert await states(tx) == {permit: ("expired", YESTERDAY), licence: ("expired", YESTERDAY)}


async def test_an_end_meets_nothing_that_was_over_before_it(tx: Transaction) -> None:
    permit, licence = await permit_and_licence(tx, YESTERDAY, YESTERDAY)
    ended = await tx.scalar("SELECT subject_id FROM deadline WHERE id = :id", id=permit)

    await deadlines.settle(tx, subject=("permit", ended))

    assert await states(tx) == {permit: ("expired", YESTERDAY), licence: ("open", None)}


async def test_a_night_that_stood_in_another_s_way_tries_again(
    own_database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    town = await found(own_database)
    async with own_database.transaction(town) as tx:
        over = await make_deadline(tx, until=YESTERDAY, follows=[NOTIFY])
    tries: list[UUID] = []

    async def beaten_once(tx: Transaction, batch: Sequence[Any]) -> None:
        tries.append(batch[0][0].id)
        if len(tries) == 1:
            raise Contended("deadlock")

    monkeypatch.setitem(CONSEQUENCES, "notify", beaten_once)

    (outcome,) = await night(own_database, [town], at_once=False)

    assert (outcome.expired, outcome.error, tries) == (1, None, [over, over])


async def test_what_was_planned_for_empty_tables_is_forgotten_before_much_is_written(
    own_database: Database, servers: Servers
) -> None:
    """Checks of foreign keys keep the plans of their session: one made for an empty table would read all of it."""
    sent: list[str] = []
    event.listen(own_database.engine.sync_engine, "before_cursor_execute", lambda *told: sent.append(told[2]))
    town = await found(own_database)
    async with own_database.transaction(town) as tx:
        await make_many(tx, 1_000, until=YESTERDAY)
    await derived(own_database, town)

    async def forgets(act: Callable[[], Awaitable[object]]) -> bool:
        sent.clear()
        await act()
        return "DISCARD PLANS" in sent

    async def a_night() -> None:
        async with own_database.transaction(town) as tx:
            await tx.rows("UPDATE run SET ended_at = NULL")
        await night(own_database, [town], at_once=False)

    works = (lambda: many(own_database, [town]), a_night, lambda: acts.seal_many(own_database, [town]))
    assert [await forgets(work) for work in works] == [True] * 3

    grown = await as_superuser(servers.superuser, own_database)
    await grown.execute("UPDATE pg_class SET reltuples = 1000 WHERE relnamespace = 'public'::regnamespace")
    assert [await forgets(work) for work in works] == [False] * 3
    await grown.close()
