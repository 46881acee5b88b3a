"""Stands, rosters and tariffs in two towns that are alike: what their law needs, and how each operation is asked."""

from collections.abc import Awaitable, Callable
from datetime import date, timedelta
from itertools import count
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tests.acceptance.two_towns import Town

LAW = """
[[stand_policy]]
rows = [{ code = "pontos", cite = "art. 30", applies = { category = "taxi" }, create = "decree", close = "decree" }]
[[roster]]
code = "escala"
cite = "art. 31"
applies = { category = "taxi" }
cover = [{ hours = "all", least = 1 }]
agreed_by = ["taxistas"]
otherwise = "tudo"
[[tariff_policy]]
code = "tarifas"
cite = "art. 32"
applies = { category = "taxi" }
set_by = "tudo"
hears = ["taxistas"]
review_when = ["cost", "request"]
"""
TAXI = {"category": "taxi"}
ACT = {"norm": "Decreto 1/2026", "officialOn": "2026-03-10"}
PAPER = "Lista assinada"
LATER = date(2027, 6, 1)  # whatever day it is in the town, this one is still to come
_days, _stands = count(1), count(100)


def halves(one: str, other: str) -> dict[str, Any]:
    """A day of its own, of which each works half."""
    day = LATER + timedelta(days=next(_days))
    noon, end = f"{day}T12:00", f"{day + timedelta(days=1)}T00:00"
    shifts = [
        {"permitId": one, "starts": f"{day}T00:00", "ends": noon},
        {"permitId": other, "starts": noon, "ends": end},
    ]
    return {**TAXI, "since": day.isoformat(), "until": day.isoformat(), "shifts": shifts}


async def to_propose(town: "Town") -> dict[str, Any]:
    one, other = await town.permit(), await town.permit()
    return {**halves(one, other), "exempt": [{"permitId": one, "why": "oficina"}]}


async def proposed(town: "Town") -> str:
    return str(await town.make("proposeRoster", **halves(await town.permit(), await town.permit())))


async def approved(town: "Town") -> str:
    roster = await proposed(town)
    return str(await town.make("approveRoster", rosterId=roster, norm="Decreto 2/2026"))


async def newest(town: "Town", selection: str) -> Any:
    query = f"{{ rosters(first: 1) {{ edges {{ node {{ id {selection} }} }} }} }}"
    data = await town.web.ask(query, token=town.web.token("chefe", town=town.slug))
    return data["rosters"]["edges"][0]["node"]


async def to_answer(town: "Town") -> dict[str, Any]:
    roster = await proposed(town)
    member = (await newest(town, "members { permitId }"))["members"][0]["permitId"]
    return {"rosterId": roster, "permitId": member, "agrees": True, "source": PAPER}


async def to_approve(town: "Town") -> dict[str, Any]:
    return {"rosterId": await proposed(town), "norm": "Decreto 2/2026"}


async def to_close(town: "Town") -> dict[str, Any]:
    return {"rosterId": await proposed(town)}


async def to_swap(town: "Town") -> dict[str, Any]:
    await approved(town)
    shifts = (await newest(town, "shifts { id }"))["shifts"]
    return {"shiftIds": [shift["id"] for shift in shifts], "source": PAPER}


async def to_answer_swap(town: "Town") -> dict[str, Any]:
    swap = await town.make("askSwap", **await to_swap(town))
    return {"swapId": swap, "agrees": True, "source": PAPER}


async def to_close_stand(town: "Town") -> dict[str, Any]:
    number = next(_stands)
    stand = {**TAXI, "number": number, "place": "Praça", "slots": 1, **ACT}
    answer = await town.body("createStand", {"input": stand})
    assert answer["data"]["createStand"]["__typename"] == "StandChange", answer
    permit = await town.permit()
    await town.make("assignStand", permitId=permit, stand=str(number))
    return {"stand": str(number), "moves": [{"permitId": permit, "stand": "1"}], **ACT, "since": str(LATER)}


async def to_open(town: "Town") -> dict[str, Any]:
    """Whose request it is holds a permit."""
    holder = await town.holder()
    await town.make("grantPermit", **TAXI, holderId=holder, vehicleId=await town.vehicle())
    return {**TAXI, "holderId": holder}


async def opened(town: "Town") -> str:
    return str(await town.make("openTariffReview", **TAXI))


async def to_step(town: "Town") -> dict[str, Any]:
    return {"tariffReviewId": await opened(town), "what": "heard", "code": "taxistas", "source": "Ata"}


async def to_refuse(town: "Town") -> dict[str, Any]:
    return {"tariffReviewId": await opened(town), "why": "custos estáveis"}


async def to_set(town: "Town") -> dict[str, Any]:
    step = await to_step(town)
    await town.make("recordTariffStep", **step)
    table = {"code": "comum", "title": "Comum", "components": [{"code": "km", "brl": "3.00"}]}
    return {"tariffReviewId": step["tariffReviewId"], "tables": [table], **ACT}


async def to_check(town: "Town") -> dict[str, Any]:
    return {"input": await to_propose(town)}


async def roster(town: "Town") -> dict[str, Any]:
    return {"rosterId": await proposed(town)}


async def review(town: "Town") -> dict[str, Any]:
    return {"tariffReviewId": await opened(town)}


Base = Callable[["Town"], Awaitable[dict[str, Any]]]
MUTATIONS: dict[str, Base] = {
    "closeStand": to_close_stand,
    "proposeRoster": to_propose,
    "answerRoster": to_answer,
    "approveRoster": to_approve,
    "closeRoster": to_close,
    "askSwap": to_swap,
    "answerSwap": to_answer_swap,
    "openTariffReview": to_open,
    "recordTariffStep": to_step,
    "refuseTariffReview": to_refuse,
    "setTariff": to_set,
}
QUERIES: dict[str, Base] = {
    "checkRoster": to_check,
    "rosterStanding": roster,
    "rosterDecree": roster,
    "tariffChange": review,
}
