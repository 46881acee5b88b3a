"""A call in one of two towns that are alike, brought to where an operation can be asked. Time goes on meanwhile."""

from __future__ import annotations

from datetime import date, timedelta
from typing import TYPE_CHECKING, Any

from services.clock import FixedClock

if TYPE_CHECKING:
    from tests.acceptance.two_towns import Town

ANNOUNCED, LAST_DAY = "2026-03-01", "2026-03-08"
LOTTERY = "Loteria Federal, extração 6.050"


def today(town: Town) -> date:
    clock = town.web.clock
    assert isinstance(clock, FixedClock)
    return clock.at.date()


def pass_days(town: Town, days: int) -> None:
    clock = town.web.clock
    assert isinstance(clock, FixedClock)
    clock.at += timedelta(days=days)


async def opened(town: Town) -> str:
    days = {"announcedOn": ANNOUNCED, "closesOn": LAST_DAY}
    return str(await town.make("openCall", category="taxi", vacancies=1, **days))


async def enrolling(town: Town) -> dict[str, Any]:
    pair = {"holderId": await town.holder(), "vehicleId": await town.vehicle()}
    return {"callId": await opened(town), "enrolledOn": LAST_DAY, **pair}


async def enrolled(town: Town) -> tuple[str, list[str]]:
    """A call and its two candidates."""
    first = await enrolling(town)
    ana = await town.make("enrolCandidate", **first)
    pair = {"holderId": await town.holder(), "vehicleId": await town.vehicle()}
    return first["callId"], [ana, await town.make("enrolCandidate", **first | pair)]


async def freezing(town: Town) -> dict[str, Any]:
    call, _ = await enrolled(town)
    return {"callId": call, **draw(town)}


def draw(town: Town) -> dict[str, Any]:
    return {"drawSource": LOTTERY, "drawOn": str(today(town) + timedelta(days=1))}


async def frozen(town: Town) -> tuple[str, list[str]]:
    call, candidates = await enrolled(town)
    await town.make("freezeCall", callId=call, **draw(town))
    return call, candidates


async def judging(town: Town, *places: int) -> dict[str, Any]:
    call, candidates = await frozen(town)
    given = zip(candidates, places or (1, 2), strict=True)
    return {"callId": call, "step": 1, "places": [{"candidateId": id, "place": place} for id, place in given]}


async def seeding(town: Town) -> dict[str, Any]:
    given = await judging(town, 1, 1)
    await town.make("recordJudgement", **given)
    pass_days(town, 1)
    absent = [{"candidateId": given["places"][0]["candidateId"]}]
    drawn = {"seed": "48213", "source": LOTTERY, "drawnOn": str(today(town))}
    return {"callId": given["callId"], "absent": absent, **drawn}


async def publishing(town: Town) -> dict[str, Any]:
    given = await judging(town)
    await town.make("recordJudgement", **given)
    return {"callId": given["callId"]}


async def published(town: Town) -> tuple[str, list[str]]:
    given = await judging(town)
    await town.make("recordJudgement", **given)
    await town.make("publishResult", callId=given["callId"])
    return given["callId"], [each["candidateId"] for each in given["places"]]


async def objecting(town: Town) -> dict[str, Any]:
    _, candidates = await published(town)
    return {"candidateId": candidates[1], "says": "A proposta era melhor.", "filedOn": str(today(town))}


async def deciding(town: Town) -> dict[str, Any]:
    given = await objecting(town)
    id = await town.make("fileObjection", **given)
    return {"objectionId": id, "upheld": True, "why": "Tem razão.", "candidateId": given["candidateId"]}


async def awarding(town: Town) -> dict[str, Any]:
    call, _ = await published(town)
    pass_days(town, 2)
    return {"callId": call}


async def awarded(town: Town) -> str:
    call, candidates = await published(town)
    pass_days(town, 2)
    await town.make("award", callId=call)
    return candidates[0]


async def signing(town: Town) -> dict[str, Any]:
    return {"candidateId": await awarded(town)}


async def giving_up(town: Town) -> dict[str, Any]:
    return {"candidateId": await awarded(town), "why": "Desistiu."}


async def undoing(town: Town) -> dict[str, Any]:
    return {"callId": await opened(town), "undoing": "revogacao", "why": "Interesse público."}


async def call(town: Town) -> dict[str, Any]:
    return {"id": await opened(town)}


# Each operation of a call: its input; `call` is a query.
MUTATIONS = {
    "enrolCandidate": enrolling,
    "freezeCall": freezing,
    "recordJudgement": judging,
    "enterSeed": seeding,
    "publishResult": publishing,
    "fileObjection": objecting,
    "decideObjection": deciding,
    "award": awarding,
    "signAdhesion": signing,
    "callNext": giving_up,
    "undoCall": undoing,
}
