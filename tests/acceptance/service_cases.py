"""How the documents of stands, rosters and tariffs are asked."""

from itertools import count, pairwise
from typing import Any

from tests.acceptance.applying import applicant
from tests.acceptance.office_cases import free_stand
from tests.acceptance.operations import Asking, case
from tests.acceptance.stage import BARRA, COTRIGUACU, TODAY, articles

TAXI = {"category": "taxi"}
ACT = {"norm": "Decreto 12/2026", "officialOn": TODAY.isoformat(), "judged": True}
HEARD = [{"code": code, "source": f"Parecer da {code}"} for code in ("fiscalizacao", "transito")]
PAPER = "Lista assinada em 12/03/2026"
_months, _numbers = count(5), count(60)


def days() -> dict[str, str]:
    """Four days of a month of their own: of two rosters only one governs a day."""
    month = next(_months)
    year, month = 2026 + (month - 1) // 12, (month - 1) % 12 + 1
    return {"since": f"{year}-{month:02d}-01", "until": f"{year}-{month:02d}-04"}


# --- stands --------------------------------------------------------------------------------------------------------


@case("public/stands", BARRA)
async def stands(ask: Asking) -> None:
    found = {stand["number"]: stand for stand in await ask(**TAXI, on="2026-03-10")}

    assert sum(stand["slots"] or 0 for number, stand in found.items() if number <= 13) == 46
    assert all(stand["free"] == max(stand["slots"] - stand["taken"], 0) for stand in found.values() if stand["slots"])
    night = found[13]
    assert (night["hours"], night["takesSlot"], night["slots"], night["access"]) == ("22:00-06:00", False, None, "open")


@case("clerk/stands", BARRA)
async def stands_with_holders(ask: Asking) -> None:
    found = await ask(**TAXI)

    assert any(stand["waiting"] for stand in found)
    for stand in found:
        assert len(stand["waiting"]) == stand["taken"]
        assert all(permit["holder"]["name"] and permit["vehicle"]["plate"] for permit in stand["waiting"])
    refused = await ask.stage.body("clerk/stands", town=BARRA, role="public")
    assert [error["extensions"]["code"] for error in refused["errors"]] == ["FORBIDDEN"]


@case("public/standUse", BARRA)
async def stand_use(ask: Asking) -> None:
    """The optional stand is open to all at night, and at night only."""
    by_day = await ask(**TAXI, stand="13", at="2026-03-10T12:00", own="5")
    by_night = await ask(**TAXI, stand="13", at="2026-03-10T23:00", own="5")
    elsewhere = await ask(**TAXI, stand="1", at="2026-03-10T12:00", own="5")

    assert [each["outcome"] for each in (by_day, by_night, elsewhere)] == ["DENIED", "ALLOWED", "DENIED"]
    assert by_night["value"]["takes_slot"] is False
    assert "art. 13, § 1" in articles(elsewhere)


@case("mayor/standAct", COTRIGUACU)
async def stand_act(ask: Asking) -> None:
    found = await ask(**TAXI, act="create")

    assert found["outcome"] == "UNPROVEN"
    wanted = {missing["code"] for missing in found["missing"]}
    assert wanted == {"stand.interesse público", "stand.conveniência administrativa", "stand.legislative"}


@case("mayor/createStand", BARRA)
async def create_stand(ask: Asking) -> None:
    number = next(_numbers)
    made = await ask.done(**TAXI, number=number, place="Praça Nova", slots=3, met=HEARD, **ACT)

    assert (made["since"], made["stand"]["number"], made["stand"]["free"]) == ("2026-03-10", number, 3)
    law = await ask.stage.run("public/law", town=BARRA)
    assert str(number) in {stand["code"] for stand in law["stands"]}


async def new_stand(ask: Asking) -> str:
    given = {**TAXI, "number": next(_numbers), "place": "Praça Nova", "slots": 2, "met": HEARD, **ACT}
    made = await ask.stage.done("mayor/createStand", given, town=BARRA)
    return str(made["code"])


@case("mayor/moveStand", BARRA)
async def move_stand(ask: Asking) -> None:
    code = await new_stand(ask)
    made = await ask.done(stand=code, place="Avenida Nova", slots=4, met=HEARD, **ACT)

    assert (made["stand"]["place"], made["stand"]["slots"]) == ("Avenida Nova", 4)


@case("mayor/closeStand", BARRA)
async def close_stand(ask: Asking) -> None:
    code = await new_stand(ask)
    who = await applicant(ask.stage, BARRA)
    grant = {**TAXI, **who.pair, "stand": code}
    permit = await ask.stage.done("secretary/grantPermit", grant, town=BARRA)
    close = {"stand": code, "met": HEARD, **ACT}

    no = await ask.stage.act(ask.document, close, town=BARRA)
    assert permit["number"] in no["message"], "who would be left without a stand is named"
    made = await ask.done(**close, moves=[{"permitId": permit["id"], "stand": await free_stand(ask)}])

    assert made["stand"] is None
    assert (await ask.stage.run("clerk/permit", town=BARRA, id=permit["id"]))["stand"]["number"] != int(code)


# --- rosters -------------------------------------------------------------------------------------------------------


async def proposed(ask: Asking, **given: Any) -> Any:
    return await ask.stage.done("clerk/proposeRoster", {**TAXI, **days(), **given}, town=ask.town)


async def answered(ask: Asking, roster: Any, *, agrees: bool = True) -> Any:
    """All that it binds, as they signed it."""
    for member in roster["members"]:
        given = {"rosterId": roster["id"], "permitId": member["permitId"], "agrees": agrees, "source": PAPER}
        roster = await ask.stage.done("clerk/answerRoster", given, town=ask.town)
    return roster


async def approved(ask: Asking) -> Any:
    roster = await proposed(ask)
    await answered(ask, roster)
    await ask.stage.done("secretary/approveRoster", {"rosterId": roster["id"]}, town=ask.town)
    return roster


@case("clerk/proposeRoster", COTRIGUACU)
async def propose_roster(ask: Asking) -> None:
    made = await ask.done(**TAXI, **days())

    assert (made["state"], made["version"], made["basis"]) == ("proposed", 1, None)
    assert {shift["number"] for shift in made["shifts"]} <= {member["number"] for member in made["members"]}
    ends = sorted((shift["starts"], shift["ends"]) for shift in made["shifts"])
    assert ends[0][0] == f"{made['since']}T00:00:00"
    assert all(later[0] <= earlier[1] for earlier, later in pairwise(ends)), "no hour is uncovered"


@case("clerk/checkRoster", COTRIGUACU)
async def check_roster(ask: Asking) -> None:
    made = await proposed(ask)
    whole = [{key: shift[key] for key in ("permitId", "starts", "ends")} for shift in made["shifts"]]
    given = {**TAXI, "since": made["since"], "until": made["until"]}

    kept = await ask(input={**given, "shifts": whole})
    broken = await ask(input={**given, "shifts": whole[:1] + whole[2:]})

    assert kept["outcome"] == "ALLOWED"
    assert (broken["outcome"], broken["value"]["breaches"][0]["what"]) == ("DENIED", "cover")
    assert broken["value"]["breaches"][0]["start"] == whole[1]["starts"]
    assert "art. 18, § 1" in articles(broken)


@case("clerk/answerRoster", COTRIGUACU)
async def answer_roster(ask: Asking) -> None:
    roster = await proposed(ask)
    first = roster["members"][0]["permitId"]
    made = await ask.done(rosterId=roster["id"], permitId=first, agrees=False, source=PAPER)

    assert [member["agrees"] for member in made["members"] if member["permitId"] == first] == [False]


@case("clerk/rosterStanding", COTRIGUACU)
async def roster_standing(ask: Asking) -> None:
    roster = await proposed(ask)
    before = await ask(rosterId=roster["id"])
    await answered(ask, roster)

    assert (before["outcome"], before["office"]) == ("NEEDS_DECISION", "transito")
    assert (await ask(rosterId=roster["id"]))["outcome"] == "ALLOWED"


@case("clerk/rosterDecree", COTRIGUACU)
async def roster_decree(ask: Asking) -> None:
    roster = await answered(ask, await proposed(ask), agrees=False)
    found = await ask(rosterId=roster["id"])

    assert found["office"] == "transito"
    assert found["text"].startswith("MINUTA DE DECRETO")
    decree = {"rosterId": roster["id"], "norm": "Decreto 15/2026"}
    made = await ask.stage.done("secretary/approveRoster", decree, town=COTRIGUACU, role="clerk")
    assert (made["basis"], made["norm"]) == ("decree", "Decreto 15/2026")


@case("secretary/approveRoster", COTRIGUACU)
async def approve_roster(ask: Asking) -> None:
    roster = await answered(ask, await proposed(ask))
    made = await ask.done(rosterId=roster["id"], version=roster["version"])

    assert (made["state"], made["basis"]) == ("future", "agreement")


@case("secretary/closeRoster", BARRA)
async def close_roster(ask: Asking) -> None:
    """Where each chooses the hours nobody has to agree."""
    roster = await proposed(ask)
    await ask.stage.done("secretary/approveRoster", {"rosterId": roster["id"]}, town=BARRA)
    made = await ask.done(rosterId=roster["id"], why="novo acordo")

    assert (made["state"], made["basis"]) == ("withdrawn", "law")


@case("clerk/rosters", COTRIGUACU)
async def rosters(ask: Asking) -> None:
    roster = await proposed(ask)
    page = await ask(**TAXI, first=1)

    assert [edge["node"]["id"] for edge in page["edges"]] == [roster["id"]]
    older = await ask(**TAXI, first=1, after=page["pageInfo"]["endCursor"])
    assert all(edge["node"]["id"] != roster["id"] for edge in older["edges"])


@case("public/onDuty", COTRIGUACU)
async def on_duty(ask: Asking) -> None:
    roster = await approved(ask)
    shift = roster["shifts"][3]
    found = await ask(**TAXI, at=shift["starts"])

    assert shift["number"] in {each["number"] for each in found}
    assert all(each["plate"] and each["stand"]["place"] for each in found)


async def own_permit(ask: Asking) -> str:
    """The permit of the holder who has an account."""
    page = await ask.stage.run("clerk/permits", town=ask.town, first=100, state="active")
    mine = await ask.stage.run("holder/myPermits", town=ask.town)
    number = mine["edges"][0]["node"]["number"]
    return next(str(edge["node"]["id"]) for edge in page["edges"] if edge["node"]["number"] == number)


@case("holder/answerRoster", COTRIGUACU)
async def answer_as_holder(ask: Asking) -> None:
    roster, own = await proposed(ask), await own_permit(ask)
    made = await ask.done(rosterId=roster["id"], permitId=own, agrees=True)

    assert [member["permitId"] for member in made["members"] if member["agrees"]] == [own]
    other = next(member["permitId"] for member in made["members"] if member["permitId"] != own)
    no = await ask.stage.act(
        ask.document, {"rosterId": roster["id"], "permitId": other, "agrees": True}, town=COTRIGUACU
    )
    assert no["code"] == "FORBIDDEN"


@case("holder/myRosters", COTRIGUACU)
async def my_rosters(ask: Asking) -> None:
    roster = await proposed(ask)
    page = await ask(first=1)

    assert [edge["node"]["id"] for edge in page["edges"]] == [roster["id"]]


async def swappable(ask: Asking) -> tuple[dict[str, Any], dict[str, Any]]:
    """A shift of the holder's and one of another's, far from both their other shifts."""
    roster, own = await approved(ask), await own_permit(ask)
    shifts = roster["shifts"]

    def free(leaving: dict[str, Any], taking: dict[str, Any]) -> bool:
        rest = [s for s in shifts if s["permitId"] == leaving["permitId"] and s["id"] != leaving["id"]]
        return all(s["ends"] <= taking["starts"] or s["starts"] >= taking["ends"] for s in rest)

    pairs = [(a, b) for a in shifts for b in shifts if a["permitId"] == own != b["permitId"]]
    return next((a, b) for a, b in pairs if free(a, b) and free(b, a))


@case("holder/askSwap", COTRIGUACU)
async def ask_swap(ask: Asking) -> None:
    mine, theirs = await swappable(ask)
    made = await ask.done(shiftIds=[mine["id"], theirs["id"]])

    assert (made["askedBy"], made["askedOf"]) == (mine["number"], theirs["number"])
    assert (made["givesFrom"], made["takesFrom"]) == (mine["starts"], theirs["starts"])


@case("holder/mySwaps", COTRIGUACU)
async def my_swaps(ask: Asking) -> None:
    mine, theirs = await swappable(ask)
    swap = await ask.stage.done("holder/askSwap", {"shiftIds": [mine["id"], theirs["id"]]}, town=COTRIGUACU)

    assert swap in await ask()


@case("holder/answerSwap", COTRIGUACU)
async def answer_swap(ask: Asking) -> None:
    """Another asks the holder, as the clerk has it on paper."""
    mine, theirs = await swappable(ask)
    given = {"shiftIds": [theirs["id"], mine["id"]], "source": PAPER}
    swap = await ask.stage.done("holder/askSwap", given, town=COTRIGUACU, role="clerk")
    made = await ask.done(swapId=swap["id"], agrees=True)

    hands = {shift["id"]: shift["number"] for shift in made["shifts"]}
    assert (hands[mine["id"]], hands[theirs["id"]]) == (theirs["number"], mine["number"])
