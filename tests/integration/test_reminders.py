"""Reminders: of the leads of a rule only the smallest that is still to come counts."""

from datetime import date, timedelta

import pytest

from services.clock import FixedClock
from services.database import Database
from services.nights import night
from services.notices.reminders import reminders
from tests.support.register import REMINDERS, found, make_deadline

TODAY = date(2026, 3, 10)
BOTH = REMINDERS.replace(
    "[[template]]",
    """[[office]]
rows = [{ code = "cadastro", title = "Cadastro", may = ["read", "register"], cite = "art. 1" }]

[[notice]]
rows = [{ code = "alvara_ao_orgao", on = "alvara", lead = ["7 days"], to = "cadastro", template = "vence" }]

[[template]]""",
    1,
)


async def keys(database: Database, town: object) -> list[str]:
    async with database.reader(town) as tx:  # type: ignore[arg-type]
        return [row.key.partition(":")[2].partition(":")[2] for row in await tx.rows("SELECT key FROM notice")]


@pytest.mark.parametrize(
    ("days", "told"),
    [(31, []), (30, ["30 days"]), (8, ["30 days"]), (7, ["7 days"]), (5, ["7 days"]), (0, ["7 days"])],
)
async def test_whatever_is_first_seen_inside_several_leads_is_told_once(
    own_database: Database, days: int, told: list[str]
) -> None:
    town = await found(own_database)
    async with own_database.transaction(town) as tx:
        await make_deadline(tx, until=TODAY + timedelta(days=days))

    await night(own_database, [town])
    await night(own_database, [town])

    assert await keys(own_database, town) == told


async def test_the_leads_of_a_rule_share_the_days_without_gap_or_overlap(own_database: Database) -> None:
    town = await found(own_database)
    async with own_database.reader(town) as tx:
        thirty, seven = reminders(await tx.law(on=TODAY))

    assert (seven.first, seven.latest) == (TODAY, TODAY + timedelta(days=7))
    assert (thirty.first, thirty.latest) == (TODAY + timedelta(days=8), TODAY + timedelta(days=30))


async def test_two_rules_of_one_lead_each_tell_whom_they_name(own_database: Database, clock: FixedClock) -> None:
    town = await found(own_database, law=BOTH)
    async with own_database.transaction(town) as tx:
        await make_deadline(tx, until=TODAY + timedelta(days=5))

    await night(own_database, [town])
    clock.advance(timedelta(days=1))
    await night(own_database, [town])

    assert sorted(await keys(own_database, town)) == ["7 days", "7 days:alvara_ao_orgao"]
