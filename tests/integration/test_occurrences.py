"""Records made side by side: their numbers leave no gap; a device that sends twice at once makes one."""

import asyncio
from datetime import date, datetime, time
from typing import Any
from uuid import UUID

import pytest

from services.access import Actor
from services.database import Database, Transaction
from services.enforcement.occurrences.recording import record_occurrence
from services.errors import Conflict, Invalid
from tests.conftest import Undone
from tests.support.factories import COTRIGUACU
from tests.support.proceedings import Docket
from tests.support.register import REMINDERS, found

LAW = (
    REMINDERS
    + """
[[infraction]]
rows = [
  { code = "I-1", title = "Sujeira", do = "fine", amount = "50 BRL", cite = "art. 6" },
  { code = "I-2", do = "warn", points = 4, also = [{ do = "fine", amount = "10 BRL" }], cite = "art. 7" },
]
"""
)
COMMITTED, UNDONE = 50, 10


SEEN = date(2011, 5, 5)


def inspector(town: UUID) -> Actor:
    powers = dict.fromkeys(("record", "fine", "read"), "financas")
    return Actor(subject="fiscal", kind="office", tenant_id=town, offices=("financas",), powers=powers)


async def record(tx: Transaction, nth: int, **given: Any) -> UUID:
    """Somebody without a permit, told at once."""
    sent: dict[str, Any] = {
        "client_id": f"device-{nth}",
        "seen_at": datetime.fromisoformat("2026-03-09T10:30"),
        "place": "Praça",
        "infractions": ["I-1"],
        "offender_name": f"Fulano {nth}",
        "notified_on": tx.today,
        **given,
    }
    return await record_occurrence(tx, inspector(tx.tenant_id), **sent)


async def numbers(database: Database, town: UUID, table: str) -> list[str]:
    async with database.transaction(town) as tx:
        rows = await tx.rows(f"SELECT number FROM {table} WHERE tenant_id = :tenant ORDER BY number")  # noqa: S608
    return [row.number for row in rows]


async def test_records_that_commit_are_numbered_without_a_gap(own_database: Database) -> None:
    town = await found(own_database, law=LAW)
    released = asyncio.Event()

    async def one(nth: int) -> None:
        await released.wait()

        async def work(tx: Transaction) -> None:
            await record(tx, nth)
            if nth > COMMITTED:
                raise Undone

        await own_database.perform(town, work)

    running = [asyncio.create_task(one(nth)) for nth in range(1, COMMITTED + UNDONE + 1)]
    released.set()
    ended = await asyncio.gather(*running, return_exceptions=True)

    assert [type(each) for each in ended if each is not None] == [Undone] * UNDONE
    whole = [f"{nth:04d}/2026" for nth in range(1, COMMITTED + 1)]
    assert await numbers(own_database, town, "occurrence") == whole
    assert await numbers(own_database, town, "fine") == whole


async def test_the_same_record_sent_five_times_at_once_is_one(own_database: Database) -> None:
    town = await found(own_database, law=LAW)

    async def once(tx: Transaction) -> UUID:
        return await record(tx, 1)

    made = await asyncio.gather(*(own_database.perform(town, once) for _ in range(5)))

    assert len(set(made)) == 1
    assert await numbers(own_database, town, "occurrence") == ["0001/2026"]
    assert await numbers(own_database, town, "fine") == ["0001/2026"]


async def test_another_content_under_the_same_name_is_a_conflict(own_database: Database) -> None:
    town = await found(own_database, law=LAW)
    async with own_database.transaction(town) as tx:
        await record(tx, 1)

    with pytest.raises(Conflict, match="outro conteúdo"):
        async with own_database.transaction(town) as tx:
            await record(tx, 1, statement="Não fui eu")


async def test_the_name_of_another_town_s_device_is_free(own_database: Database) -> None:
    for slug in ("vila-nova", "serra-alta"):
        town = await found(own_database, slug, law=LAW)
        async with own_database.transaction(town) as tx:
            await record(tx, 1)

        assert await numbers(own_database, town, "occurrence") == ["0001/2026"]


async def test_several_effects_of_one_infraction_are_rows_with_their_points(own_database: Database) -> None:
    town = await found(own_database, law=LAW)
    async with own_database.transaction(town) as tx:
        await record(tx, 1, infractions=["I-2"])
        rows = await tx.rows(
            "SELECT what, points, state, final_on, fine_id IS NOT NULL AS charged FROM penalty "
            "WHERE tenant_id = :tenant ORDER BY id"
        )
        today = tx.today

    assert [(r.what, r.points, r.charged) for r in rows] == [("warning", 4, False), ("fine", None, True)]
    assert {r.final_on for r in rows} == {today}, "a law without a process leaves nothing to wait for"


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ({"infractions": ["I-9"]}, "infractions"),
        ({"infractions": []}, "infractions"),
        ({"place": "  "}, "place"),
        ({"client_id": "x" * 201}, "clientId"),
        ({"offender_name": None}, "plate"),
        ({"category": "barco"}, "category"),
        ({"seen_at": datetime.fromisoformat("2026-03-11T00:00")}, "seenAt"),
        ({"notified_on": date(2026, 3, 8)}, "notifiedOn"),
    ],
)
async def test_what_cannot_be_is_refused_by_its_field(
    own_database: Database, given: dict[str, Any], field: str
) -> None:
    town = await found(own_database, law=LAW)

    with pytest.raises(Invalid) as refused:
        async with own_database.transaction(town) as tx:
            await record(tx, 1, **given)

    assert refused.value.field == field


async def test_a_taxi_s_owner_at_the_wheel_is_told_of_a_record_once(own_database: Database) -> None:
    docket = await Docket.of(own_database, COTRIGUACU)
    docket.at(SEEN)
    own, other = await docket.permit(date(2011, 1, 10)), await docket.permit(date(2011, 1, 10))
    drivers = "SELECT d.id FROM driver AS d JOIN holder AS h USING (tenant_id, person_id) WHERE h.id = :holder"
    ids = {each.id: (await docket.rows(drivers, holder=each.holder_id))[0].id for each in (own, other)}

    for name, driver in (("own", ids[own.id]), ("other", ids[other.id])):
        given: dict[str, Any] = {"client_id": name, "permit_id": own.id, "driver_id": driver, "place": "Praça"}
        seen = {"seen_at": datetime.combine(SEEN, time(10)), "infractions": ["CO-39-I"]}
        await docket.do(record_occurrence, "fiscalizacao", **given, **seen)

    told = await docket.rows(
        "SELECT o.client_id, count(*) AS n, count(DISTINCT n.person_id) AS people FROM notice AS n "
        "JOIN occurrence AS o ON n.key LIKE 'occurrence:' || o.id || ':%' GROUP BY o.client_id"
    )
    assert {row.client_id: (row.n, row.people) for row in told} == {"own": (1, 1), "other": (2, 2)}
