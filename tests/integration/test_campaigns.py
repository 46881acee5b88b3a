"""Campaigns (recadastramento): whom the law calls, until when, who came, and what it draws not to."""

from datetime import UTC, date, datetime, timedelta
from uuid import UUID

import pytest

from services import deadlines, jobs
from services.campaigns import store
from services.campaigns.attending import attend_campaign, close_campaign
from services.campaigns.opening import open_campaign
from services.clock import FixedClock
from services.database import Database
from services.errors import Conflict, Invalid, Refused
from services.municipalities.publishing import amend
from services.nights import night
from tests.support.factories import BARRA, COTRIGUACU, OPERATOR, Maker, make_town, officer

TODAY = date(2026, 3, 10)
YEARLY = """
[[campaign]]
code = "anual"
title = "Recadastramento anual"
cite = "art. 31"
whom = "{whom}"
once = false
opens_on = "03-01"
counting = "comum"
applies = {{ category = "taxi" }}
{more}
"""
TERM, PLATES = 'term = "30 days"', 'by_plate_ending = { "01234" = "04-30", "56789" = "05-31" }'
ENDS = 'missed = { infraction = "I-26", opens = "cassacao", do = "end", cause = "cancelamento", decides = "prefeito" }'
LAST = date(2026, 3, 31)


async def town_with(db: Database, *, whom: str = "holders", more: str = f"{TERM}\nmissed = 'II-23'") -> UUID:
    """A town whose law has a yearly campaign, with two permits."""
    town = await make_town(db, BARRA)
    async with db.transaction(town) as tx:
        text = YEARLY.format(whom=whom, more=more)
        await amend(tx, OPERATOR, text=text, norm="Lei 9.000/2026", official_on=date(2026, 1, 5))
        make = await Maker.of(tx)
        for _ in range(2):
            await make.permit(date(2026, 2, 1))
    return town


async def opened(db: Database, town: UUID, code: str = "anual") -> UUID:
    async with db.transaction(town) as tx:
        campaign = await open_campaign(tx, await officer(tx, "register"), code=code)
    while (await jobs.work(db, town)).more:
        continue
    return campaign


async def calls(db: Database, town: UUID, campaign: UUID) -> list[tuple[str, date, bool]]:
    async with db.reader(town) as tx:
        rows = await store.calls(tx, campaign, tx.today, 100, None, None)
    return [(row.state, row.last_day, row.driver_id is not None) for row in rows]


async def first(db: Database, town: UUID, campaign: UUID) -> UUID:
    async with db.reader(town) as tx:
        found: UUID = (await store.calls(tx, campaign, tx.today, 1, None, None))[0].id
    return found


async def test_each_permit_is_called_with_a_term_and_a_notice(own_database: Database) -> None:
    town = await town_with(own_database)

    campaign = await opened(own_database, town)

    assert await calls(own_database, town, campaign) == [("called", LAST, False)] * 2
    async with own_database.reader(town) as tx:
        terms = await tx.rows("SELECT subject_kind, last_day, article, state FROM deadline WHERE rule = 'anual'")
        told = await tx.rows("SELECT payload, state FROM notice WHERE template = 'campaign_called'")
    assert [(t.subject_kind, t.last_day, t.state) for t in terms] == [("permit", LAST, "open")] * 2
    assert all("art. 31" in term.article for term in terms)
    assert [n.payload for n in told] == [{"title": "Recadastramento anual"}] * 2


async def test_drivers_are_called_by_their_own_names(own_database: Database) -> None:
    town = await town_with(own_database, whom="drivers")

    campaign = await opened(own_database, town)

    assert await calls(own_database, town, campaign) == [("called", LAST, True)] * 2
    async with own_database.reader(town) as tx:
        kinds = await tx.rows("SELECT DISTINCT subject_kind FROM deadline WHERE rule = 'anual'")
    assert [row.subject_kind for row in kinds] == ["driver"]


async def test_the_plate_s_last_digit_decides_the_day_where_the_law_says_so(own_database: Database) -> None:
    town = await town_with(own_database, whom="vehicles", more=PLATES)
    async with own_database.reader(town) as tx:
        plates = [row.plate for row in await tx.rows("SELECT plate FROM vehicle ORDER BY id")]

    campaign = await opened(own_database, town)

    ends = [date(2026, 4, 30) if plate[-1] in "01234" else date(2026, 5, 31) for plate in plates]
    assert sorted(day for _, day, _ in await calls(own_database, town, campaign)) == sorted(ends)


async def test_who_comes_with_their_papers_has_met_it(own_database: Database) -> None:
    town = await town_with(own_database)
    campaign = await opened(own_database, town)
    summons = await first(own_database, town, campaign)

    async with own_database.transaction(town) as tx:
        await attend_campaign(tx, await officer(tx, "register"), summons_id=summons)

    states = [state for state, _, _ in await calls(own_database, town, campaign)]
    assert sorted(states) == ["attended", "called"]
    async with own_database.reader(town) as tx:
        act = await tx.one("SELECT id, body FROM act WHERE verb = 'campaign.attended'")
        met = await tx.rows("SELECT state, closed_act FROM deadline WHERE rule = 'anual' AND state = 'met'")
    assert [row.closed_act for row in met] == [act.id]
    assert '"decision":{' in act.body
    with pytest.raises(Conflict, match="10/03/2026"):
        async with own_database.transaction(town) as tx:
            await attend_campaign(tx, await officer(tx, "register"), summons_id=summons)


async def test_who_comes_without_a_paper_is_sent_back(own_database: Database) -> None:
    town = await town_with(own_database)
    async with own_database.transaction(town) as tx:
        await tx.rows("UPDATE paper SET valid_until = issued_on WHERE code = 'residencia'")
        await tx.rows("UPDATE driver SET cnh_until = :day", day=TODAY - timedelta(days=1))
    campaign = await opened(own_database, town)
    summons = await first(own_database, town, campaign)

    with pytest.raises(Refused) as refused:
        async with own_database.transaction(town) as tx:
            await attend_campaign(tx, await officer(tx, "register"), summons_id=summons)

    assert refused.value.decision.parts
    assert [state for state, _, _ in await calls(own_database, town, campaign)] == ["called"] * 2


async def test_who_does_not_come_draws_the_infraction_and_may_come_late(
    own_database: Database, clock: FixedClock
) -> None:
    town = await town_with(own_database)
    campaign = await opened(own_database, town)
    clock.at = datetime(2026, 4, 2, 15, tzinfo=UTC)

    await night(own_database, [town])
    await night(own_database, [town])

    assert [state for state, _, _ in await calls(own_database, town, campaign)] == ["missed"] * 2
    async with own_database.reader(town) as tx:
        drawn = await tx.rows("SELECT body, legal_day FROM act WHERE verb = 'infraction.drawn'")
        missed = await tx.rows("SELECT missed_on, infraction FROM campaign_call")
    assert len(drawn) == 2
    assert all("II-23" in act.body and act.legal_day == LAST + timedelta(days=1) for act in drawn)
    assert {(row.missed_on, row.infraction) for row in missed} == {(LAST, "II-23")}
    summons = await first(own_database, town, campaign)
    async with own_database.transaction(town) as tx:
        await attend_campaign(tx, await officer(tx, "register"), summons_id=summons)
    assert sorted(state for state, _, _ in await calls(own_database, town, campaign)) == ["late", "missed"]


async def test_an_end_that_the_law_draws_is_proposed_once(own_database: Database, clock: FixedClock) -> None:
    town = await town_with(own_database, more=f"{TERM}\n{ENDS}")
    await opened(own_database, town)
    clock.at = datetime(2026, 4, 2, 15, tzinfo=UTC)

    async with own_database.transaction(town) as tx:
        await deadlines.settle(tx)
        await deadlines.settle(tx)

    async with own_database.reader(town) as tx:
        proposed = await tx.rows("SELECT effect, cause, ground, state, office FROM proposal")
        ended = await tx.scalar("SELECT count(*) FROM permit WHERE ended_on IS NOT NULL")
    assert [tuple(row) for row in proposed] == [("end", "cancelamento", "I-26", "open", "prefeito")] * 2
    assert ended == 0


async def test_it_is_closed_when_nobody_s_term_runs(own_database: Database, clock: FixedClock) -> None:
    town = await town_with(own_database)
    campaign = await opened(own_database, town)

    with pytest.raises(Refused, match="2 convocado"):
        async with own_database.transaction(town) as tx:
            await close_campaign(tx, await officer(tx, "register"), campaign_id=campaign)
    clock.at = datetime(2026, 4, 2, 15, tzinfo=UTC)
    async with own_database.transaction(town) as tx:
        await close_campaign(tx, await officer(tx, "register"), campaign_id=campaign, version=1)

    async with own_database.reader(town) as tx:
        assert (await store.campaign(tx, campaign)).closed_on == date(2026, 4, 2)
    with pytest.raises(Conflict):
        async with own_database.transaction(town) as tx:
            await close_campaign(tx, await officer(tx, "register"), campaign_id=campaign)


async def test_a_yearly_one_is_opened_once_a_year_and_one_held_once_ever_once(
    own_database: Database, clock: FixedClock
) -> None:
    town = await town_with(own_database)
    await opened(own_database, town)

    with pytest.raises(Conflict, match="em 2026"):
        await opened(own_database, town)
    clock.at = datetime(2027, 3, 5, 15, tzinfo=UTC)
    await opened(own_database, town)


async def test_only_on_its_days(own_database: Database) -> None:
    """The founding law's own ran for fifteen days from its publication."""
    town = await town_with(own_database)

    with pytest.raises(Refused, match="12/01/2010"):
        await opened(own_database, town, "recadastramento")


async def test_a_law_without_campaigns_says_so(own_database: Database) -> None:
    town = await make_town(own_database, COTRIGUACU)

    with pytest.raises(Refused, match="A lei deste município não prevê") as refused:
        await opened(own_database, town, "recadastramento")

    assert [(missing.kind, missing.code) for missing in refused.value.decision.missing] == [("rule", "campaign")]


async def test_days_out_of_order_are_refused(own_database: Database) -> None:
    town = await town_with(own_database)
    summons = await first(own_database, town, await opened(own_database, town))

    for day in (TODAY + timedelta(days=1), TODAY - timedelta(days=30)):
        with pytest.raises(Invalid):
            async with own_database.transaction(town) as tx:
                await attend_campaign(tx, await officer(tx, "register"), summons_id=summons, on=day)
