"""The last day of a term is the town's own, whole: its last second is in time, the first of the next day is late."""

from __future__ import annotations

from datetime import date, datetime, time, timedelta
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

import pytest

from services import jobs
from tests.acceptance.living import Living
from tests.acceptance.stage import BARRA, COTRIGUACU

if TYPE_CHECKING:
    from tests.acceptance.stage import Stage

SERVED = date(2026, 3, 10)
LAST = {COTRIGUACU: date(2026, 3, 18), BARRA: date(2026, 3, 25)}
FACTS: dict[str, dict[str, Any]] = {
    COTRIGUACU: {"infractions": ["CO-40-VI"], "openedBy": "registro_de_ocorrencia"},
    BARRA: {"infractions": ["I-17"], "openedBy": "registro", "process": "administrativo"},
}
HOLIDAY = """
[[holiday]]
code = "luto"
title = "Luto oficial de exemplo"
day = {day}
act = "Decreto 9/2026"
"""


@pytest.fixture(params=[COTRIGUACU, BARRA])
async def town(request: pytest.FixtureRequest, legislated: Stage) -> Living:
    town = Living(legislated, request.param)
    town.on(SERVED.isoformat())
    return town


def at(town: Living, day: date, moment: time) -> None:
    """By the clock on the town's wall."""
    town.stage.at(datetime.combine(day, moment, ZoneInfo("America/Cuiaba")))


async def served(town: Living) -> Any:
    opening = {**FACTS[town.town], "seenOn": SERVED.isoformat(), "text": "Instaura-se.", "category": "taxi"}
    case = await town.done("inspector/openCase", **opening, respondents=[{"name": "Autuado"}])
    party = {"caseId": case["id"], "partyId": case["parties"][0]["id"]}
    known = [{"name": "acknowledged", "on": SERVED.isoformat()}]
    return await town.done("inspector/serveParty", **party, way="person", dates=known)


async def defended(town: Living, case: Any) -> Any:
    return await town.done("clerk/fileDefence", caseId=case["id"], partyId=case["parties"][0]["id"], text="Não fui eu.")


def term(case: Any) -> Any:
    return next(each for each in case["deadlines"] if each["kind"] == "defesa")


async def in_time_and_late(town: Living, last: date) -> None:
    in_time, late = await served(town), await served(town)
    if last != LAST[town.town]:
        at(town, SERVED + timedelta(days=1), time(9))
        text = HOLIDAY.format(day=LAST[town.town].isoformat())
        await town.done("operator/publishAmendment", text=text, norm="Decreto 9/2026", officialOn="2026-03-11")
        while (await jobs.work(town.stage.database, await town.stage.town(town.town))).more:
            continue
    at(town, last, time(23, 59, 59))
    first = await defended(town, in_time)
    at(town, last + timedelta(days=1), time(0, 0, 0))
    second = await defended(town, late)
    certificate = await town.ask("clerk/deadlineCertificate", deadlineId=term(second)["id"])

    pieces = [first["pieces"][-1], second["pieces"][-1]]
    assert [(each["filedOn"], each["late"]) for each in pieces] == [
        (last.isoformat(), False),
        ((last + timedelta(days=1)).isoformat(), True),
    ]
    assert f"(fora do prazo, que terminou em {last:%d/%m/%Y})" in pieces[1]["title"]
    assert (first["charges"][0]["suspendedOn"], second["charges"][0]["suspendedOn"]) == (last.isoformat(), None)
    assert (term(first)["state"], term(second)["state"]) == ("met", "expired")
    assert certificate["deadline"]["lastDay"] == certificate["days"][-1]["day"] == last.isoformat()
    assert f"{last:%d/%m/%Y}" in certificate["message"]


async def test_the_last_second_is_in_time_and_midnight_is_late(town: Living) -> None:
    await in_time_and_late(town, LAST[town.town])


async def test_a_holiday_that_is_added_later_moves_the_last_second_by_a_day(town: Living) -> None:
    last = LAST[town.town] + timedelta(days=1)
    await in_time_and_late(town, last)
    page = await town.ask("clerk/cases", first=2)
    case = await town.ask("clerk/case", id=page["edges"][0]["node"]["id"])
    found = await town.ask("clerk/deadlineCertificate", deadlineId=term(case)["id"])

    why = {each["day"]: each["why"] for each in found["days"]}
    assert found["rolledFrom"] == LAST[town.town].isoformat()
    assert "Luto oficial de exemplo" in why[LAST[town.town].isoformat()]
    assert "Decreto 9/2026" in str(found["recounts"])
