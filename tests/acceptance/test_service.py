"""Tariffs, stands and rosters as their people meet them: from the hearing to the fare, from the act to the slot."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest

from tests.acceptance.applying import applicant
from tests.acceptance.stage import BARRA, COTRIGUACU, TODAY, articles, readings

if TYPE_CHECKING:
    from tests.acceptance.stage import Stage

TAXI = {"category": "taxi"}
FLAG = {"code": "bandeirada", "brl": "5.00"}
KM = {"code": "km", "brl": "3.00", "times": "ride.metres", "per": "1000"}
DECREE = {
    "norm": "Decreto 20/2026",
    "officialOn": TODAY.isoformat(),
    "tables": [{"code": "comum", "title": "Tarifa comum", "components": [FLAG, KM]}],
}
STEPS = {
    BARRA: [("heard", "comissao_tarifas"), ("heard", "financas"), ("papers", "estudo_custos")],
    COTRIGUACU: [("heard", "permissionarios"), ("papers", "planilha_de_custos")],
}
ACT = {"norm": "Decreto 12/2026", "officialOn": TODAY.isoformat(), "judged": True}
HEARD = [{"code": code, "source": f"Parecer da {code}"} for code in ("fiscalizacao", "transito")]


async def prepared(stage: Stage, town: str) -> str:
    """A review in which all has been done but what a council would."""
    review = (await stage.done("mayor/openTariffReview", TAXI, town=town))["id"]
    for what, code in STEPS[town]:
        step = {"tariffReviewId": review, "what": what, "code": code, "source": f"Ata sobre {code}"}
        await stage.done("clerk/recordTariffStep", step, town=town)
    return str(review)


async def fare(stage: Stage, town: str, starts: str) -> Any:
    ride: dict[str, Any] = {**TAXI, "starts": starts, "metres": 5000}
    return await stage.run("public/quoteFare", town=town, **ride)


async def test_t06_by_a_table_that_was_decreed(legislated: Stage) -> None:
    """The day fare of five kilometres is 20 reais; the night's 30 per cent begins at 22:00 and ends before 06:00."""
    review = await prepared(legislated, COTRIGUACU)
    await legislated.done("mayor/setTariff", {"tariffReviewId": review, **DECREE}, town=COTRIGUACU)

    clocks = ("21:59", "22:00", "05:59", "06:00")
    fares = [await fare(legislated, COTRIGUACU, f"2026-03-12T{clock}") for clock in clocks]

    assert [each["number"] for each in fares] == ["20.00", "26.00", "26.00", "20.00"]
    assert {"art. 25", "art. 25, § ún."} <= articles(fares[1])
    assert readings(fares[1])["corrida"] == "start_time"
    assert (await fare(legislated, COTRIGUACU, "2026-03-09T12:00"))["outcome"] == "UNDETERMINED", "no table that day"


async def test_a_table_counts_only_after_the_council_s_record(legislated: Stage) -> None:
    review = await prepared(legislated, BARRA)
    no = await legislated.act("mayor/setTariff", {"tariffReviewId": review, **DECREE}, town=BARRA)

    assert (no["code"], no["decision"]["outcome"]) == ("REFUSED", "UNPROVEN")
    assert [missing["code"] for missing in no["decision"]["missing"]] == ["tariff.approved.camara"]
    assert "art. 25, § 1" in articles(no["decision"])
    record = {"tariffReviewId": review, "what": "approved", "code": "camara", "source": "Ata 7/2026"}
    await legislated.done("clerk/recordTariffStep", record, town=BARRA)
    await legislated.done("mayor/setTariff", {"tariffReviewId": review, **DECREE}, town=BARRA)
    assert (await fare(legislated, BARRA, "2026-03-12T23:00"))["number"] == "20.00"


async def test_a_table_asked_for_twice_is_one(legislated: Stage) -> None:
    review = await prepared(legislated, COTRIGUACU)
    given = {"tariffReviewId": review, **DECREE, "requestId": "decreto-20"}

    first, again = [await legislated.done("mayor/setTariff", given, town=COTRIGUACU) for _ in range(2)]

    assert first == again
    other = await legislated.act("mayor/setTariff", {**given, "norm": "Decreto 21/2026"}, town=COTRIGUACU)
    assert other["code"] == "CONFLICT"


async def test_of_two_who_set_a_tariff_at_once_one_does(legislated: Stage) -> None:
    review = await prepared(legislated, COTRIGUACU)
    acts = [
        legislated.act(
            "mayor/setTariff", {"tariffReviewId": review, "version": 1, **DECREE, "norm": norm}, town=COTRIGUACU
        )
        for norm in ("Decreto 20/2026", "Decreto 21/2026")
    ]

    results = await asyncio.gather(*acts)

    assert sorted(result.get("code", "") for result in results) == ["", "CONFLICT"]


@pytest.mark.parametrize("town", [BARRA, COTRIGUACU])
async def test_a_roster_of_either_town_passes_its_own_check_and_a_tampered_one_says_what_breaks(
    seen: Stage, town: str
) -> None:
    period = {"since": "2027-09-06", "until": "2027-09-12"}
    made = await seen.done("clerk/proposeRoster", {**TAXI, **period}, town=town)
    shifts = [{key: shift[key] for key in ("permitId", "starts", "ends")} for shift in made["shifts"]]
    less = [shift for shift in made["shifts"] if not shift["starts"].startswith("2027-09-08")]
    cut = [{key: shift[key] for key in ("permitId", "starts", "ends")} for shift in less]

    kept = await seen.run("clerk/checkRoster", town=town, input={**TAXI, **period, "shifts": shifts})
    broken = await seen.run("clerk/checkRoster", town=town, input={**TAXI, **period, "shifts": cut})

    assert (kept["outcome"], kept["value"]["breaches"]) == ("ALLOWED", [])
    assert broken["outcome"] == "DENIED"
    what = {breach["what"] for breach in broken["value"]["breaches"]}
    assert what >= ({"cover"} if town == COTRIGUACU else {"hours", "daily"})
    assert "08/09/2027" in broken["message"]


async def test_a_roster_that_a_law_does_not_provide_is_refused_in_those_words(seen: Stage) -> None:
    given = {"category": "escolar", "since": "2027-09-06", "until": "2027-09-12"}

    no = await seen.act("clerk/proposeRoster", given, town=BARRA)

    assert (no["code"], no["message"]) == ("REFUSED", "A lei deste município não prevê escala de serviço.")
    assert [missing["code"] for missing in no["decision"]["missing"]] == ["roster"]


async def test_whoever_waits_at_a_closed_stand_has_a_slot_at_another_the_same_day(stage: Stage) -> None:
    who = await applicant(stage, BARRA)
    made = await stage.done(
        "mayor/createStand", {**TAXI, "number": 50, "place": "Praça Nova", "slots": 1, "met": HEARD, **ACT}, town=BARRA
    )
    permit = await stage.done("secretary/grantPermit", {**TAXI, **who.pair, "stand": made["code"]}, town=BARRA)
    close = {"stand": made["code"], "met": HEARD, **ACT, "since": "2026-05-01"}
    free = {stand["code"]: stand for stand in await stage.run("public/stands", town=BARRA)}
    target = next(code for code, stand in free.items() if stand["free"] and code != made["code"])

    closed = await stage.done(
        "mayor/closeStand", {**close, "moves": [{"permitId": permit["id"], "stand": target}]}, town=BARRA
    )

    assert closed["stand"] is None
    for day, stand in (("2026-04-30", 50), ("2026-05-01", free[target]["number"])):
        plate = await stage.run("public/publicPermit", town=BARRA, plate=who.plate, on=day)
        assert plate["stand"]["number"] == stand, day
    after = {stand["code"]: stand for stand in await stage.run("public/stands", town=BARRA, on="2026-05-01")}
    assert made["code"] not in after
    assert after[target]["free"] == free[target]["free"] - 1
