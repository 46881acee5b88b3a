"""What has ended shows as ended on the town's own day, though no night has run and no worker lives."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import pytest

from tests.acceptance.applying import applicant, stand_of_its_own
from tests.acceptance.stage import BARRA, COTRIGUACU

if TYPE_CHECKING:
    from tests.acceptance.stage import Stage

# Both towns are four hours behind UTC: their 10 March ends, and their 11 March begins, at 04:00 of the 11th.
BEFORE_MIDNIGHT, AFTER_MIDNIGHT = (
    datetime(2026, 3, 11, hour, minute, tzinfo=UTC) for hour, minute in ((3, 59), (4, 1))
)


def on_the_anniversary(moment: datetime) -> datetime:
    """A year later: the licence issued on 10 March 2026 has its last day on 10 March 2027."""
    return moment.replace(year=moment.year + 1)


async def licensed(stage: Stage) -> Any:
    """A permit of Barra whose yearly licence is issued today."""
    who = await applicant(stage, BARRA)
    permit = await stage.done("secretary/grantPermit", {"category": "taxi", **who.pair}, town=BARRA)
    licence = await stage.done("clerk/issueLicence", {"permitId": permit["id"]}, town=BARRA, role="secretary")
    assert licence["until"] == "2027-03-10"
    return permit


async def shown(stage: Stage, permit: Any) -> tuple[str, str]:
    """The states of its licence and of the licence's term."""
    found = await stage.run("clerk/permit", town=BARRA, id=permit["id"])
    (term,) = [deadline for deadline in found["deadlines"] if deadline["kind"] == "alvara"]
    return found["licence"]["state"], term["state"]


async def lapsed(stage: Stage) -> list[str]:
    """The ids of the permits whose licence has lapsed, by the filter; as many as are counted."""
    asked: dict[str, Any] = {"first": 100, "category": "taxi", "state": "active", "licence": "expired"}
    page = await stage.run("clerk/permits", town=BARRA, **asked)
    assert page["totalCount"] == len(page["edges"])
    assert {edge["node"]["licence"]["state"] for edge in page["edges"]} == {"expired"}
    return [edge["node"]["id"] for edge in page["edges"]]


async def test_a_licence_that_ended_yesterday_has_ended_though_nothing_has_run(stage: Stage) -> None:
    permit = await licensed(stage)
    before = await shown(stage, permit)
    stage.at(datetime(2027, 3, 11, 12, 0, tzinfo=UTC))

    assert before == ("active", "open")
    assert await shown(stage, permit) == ("expired", "expired")
    assert (await stage.run("mayor/runs", town=BARRA))["edges"] == [], "no night has run"
    assert await stored_states(stage, permit) == {"open"}, "nobody has recorded it yet"


async def test_the_filter_and_the_count_know_it_too(stage: Stage) -> None:
    permit = await licensed(stage)
    stage.at(on_the_anniversary(BEFORE_MIDNIGHT))
    before = await lapsed(stage)
    stage.at(on_the_anniversary(AFTER_MIDNIGHT))

    after = await lapsed(stage)

    assert permit["id"] not in before
    assert permit["id"] in after


async def test_a_permit_ends_with_its_five_years(stage: Stage) -> None:
    who = await applicant(stage, COTRIGUACU)
    own = await stand_of_its_own(stage, COTRIGUACU)
    grant = {"category": "taxi", **who.pair, **own, "judged": True}
    permit = await stage.done("secretary/grantPermit", grant, town=COTRIGUACU, role="mayor")
    assert permit["until"] == "2031-03-10"

    found = {}
    for day in (BEFORE_MIDNIGHT, AFTER_MIDNIGHT):
        stage.at(day.replace(year=2031))
        for state in ("active", "ended"):
            page = await stage.run("clerk/permits", town=COTRIGUACU, first=100, state=state)
            ids = [edge["node"]["id"] for edge in page["edges"]]
            assert page["totalCount"] == len(ids)
            found[day, state] = (page["totalCount"], permit["id"] in ids)

    (active, here), (ended, there) = found[BEFORE_MIDNIGHT, "active"], found[BEFORE_MIDNIGHT, "ended"]
    assert (here, there) == (True, False)
    assert found[AFTER_MIDNIGHT, "active"] == (active - 1, False)
    assert found[AFTER_MIDNIGHT, "ended"] == (ended + 1, True)


@pytest.mark.parametrize(
    ("moment", "today", "states"),
    [
        (BEFORE_MIDNIGHT, "2027-03-10", ("active", "open")),
        (AFTER_MIDNIGHT, "2027-03-11", ("expired", "expired")),
    ],
)
async def test_the_day_that_counts_is_the_town_s(
    stage: Stage, moment: datetime, today: str, states: tuple[str, str]
) -> None:
    """On the server both moments are of the 11th."""
    permit = await licensed(stage)
    stage.at(on_the_anniversary(moment))

    assert (await stage.run("public/municipality", town=BARRA))["today"] == today
    assert await shown(stage, permit) == states
    public = await stage.run("public/publicPermit", town=BARRA, plate=permit["vehicle"]["plate"])
    assert public["licenceUntil"] == "2027-03-10"


@pytest.mark.parametrize(("moment", "day"), [(BEFORE_MIDNIGHT, "2026-03-10"), (AFTER_MIDNIGHT, "2026-03-11")])
async def test_what_is_done_counts_on_the_town_s_day(stage: Stage, moment: datetime, day: str) -> None:
    stage.at(moment)
    who = await applicant(stage, BARRA)

    permit = await stage.done("secretary/grantPermit", {"category": "taxi", **who.pair}, town=BARRA)
    (act, *_) = await stage.run("clerk/acts", town=BARRA, subjectId=permit["id"])

    assert (permit["since"], act["legalDay"]) == (day, day)
    assert act["at"] == moment.isoformat()


async def test_an_office_is_held_from_the_town_s_day_on(stage: Stage) -> None:
    given = {"subject": "nova", "office": "cadastro", "since": "2026-03-11"}
    await stage.done("mayor/appoint", given, town=BARRA)

    offices = []
    for moment in (BEFORE_MIDNIGHT, AFTER_MIDNIGHT):
        stage.at(moment)
        offices.append((await stage.run("public/viewer", town=BARRA, role="nova"))["offices"])

    assert offices == [[], ["cadastro"]]


async def stored_states(stage: Stage, permit: Any) -> set[str]:
    """What the rows of the permit's open terms say, whatever day it is."""
    async with stage.database.reader(await stage.town(BARRA)) as tx:
        sql = """
        SELECT DISTINCT d.state FROM deadline AS d
        JOIN licence AS l ON l.tenant_id = d.tenant_id AND l.id = d.subject_id
        JOIN permit AS p ON p.tenant_id = l.tenant_id AND p.id = l.permit_id
        WHERE d.tenant_id = :tenant AND p.number = :number AND p.category = 'taxi'
        """
        return {row.state for row in await tx.rows(sql, number=permit["number"])}
