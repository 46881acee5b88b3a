"""Whoever answers for a fact is told of it; whom the register does not know is a task for a clerk: by other means."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING, Any

import pytest

from services.notices import relay
from tests.acceptance.living import Living
from tests.acceptance.stage import COTRIGUACU
from tests.support.mailbox import Box

if TYPE_CHECKING:
    from tests.acceptance.stage import Stage

SEEN = "2011-05-05"
PLATE = "NPM4321"
MAIL = "requerente@example.org"
WAYS = ("art. 66, I", "art. 66, II", "art. 66, III")


@pytest.fixture
async def town(legislated: Stage) -> Living:
    town = Living(legislated, COTRIGUACU)
    town.on(SEEN)
    return town


async def recorded(town: Living, **given: Any) -> Any:
    seen = {"clientId": str(uuid.uuid4()), "seenAt": f"{town.today}T11:30", "place": "Centro", "plate": PLATE}
    return await town.done("inspector/recordOccurrence", infractions=["CO-40-VI"], **seen, **given)


async def mailed(town: Living) -> list[str]:
    """To whom, of all that waits."""
    box = Box()
    await relay(town.stage.database, await town.stage.town(town.town), box)
    return [str(message["To"]) for message in box.taken]


async def tasks(town: Living, about: str) -> list[Any]:
    page = await town.ask("clerk/clerkTasks", first=100)
    return [edge["node"] for edge in page["edges"] if edge["node"]["about"] == about]


async def test_a_record_of_a_name_alone_is_a_task_that_says_in_which_ways_the_law_has_somebody_told(
    town: Living,
) -> None:
    record = await recorded(town, offenderName="Fulano")
    handed_over = await recorded(town, offenderName="Beltrano", notifiedOn=SEEN)
    await mailed(town)

    (task,) = await tasks(town, record["id"])
    assert (task["kind"], task["closedOn"]) == ("nobody", None)
    assert task["detail"].startswith("Quem responde não está no cadastro")
    assert all(article in task["detail"] for article in WAYS)
    assert "Fulano" not in task["detail"]
    assert await tasks(town, handed_over["id"]) == [], "who has the copy in hand has been told"

    closed = await town.done("clerk/closeClerkTask", taskId=task["id"], done="Edital publicado em 06/05/2011.")
    assert closed["closedOn"] == SEEN


async def test_the_term_to_pay_of_somebody_identified_without_a_permit_is_told_to_them(town: Living) -> None:
    record = await recorded(town)
    who = await town.somebody(car=False)
    await town.done("inspector/identifyOffender", occurrenceId=record["id"], personId=who.person, why="CRLV lido.")
    applied = await town.done("inspector/applyPenalties", occurrenceId=record["id"], notifiedOn=SEEN)
    await mailed(town)
    due = applied["penalties"][0]["dueOn"]
    town.on("2011-05-31")
    await town.night()
    to = await mailed(town)

    assert due == "2011-06-06"
    assert [MAIL in each for each in to] == [True]


async def test_the_term_to_pay_of_a_name_is_a_task(town: Living) -> None:
    await recorded(town, offenderName="Fulano", notifiedOn=SEEN)
    town.on("2011-05-31")
    await town.night()
    await mailed(town)

    (task,) = [edge["node"] for edge in (await town.ask("clerk/clerkTasks", first=100))["edges"]]
    assert (task["kind"], task["about"] == task["subjectId"], WAYS[2] in task["detail"]) == ("nobody", True, True)


async def test_the_term_of_a_case_of_a_name_is_a_task_and_whoever_else_answers_is_told(town: Living) -> None:
    who = await town.somebody(car=False)
    opening: dict[str, Any] = {"openedBy": "registro_de_ocorrencia", "infractions": ["CO-40-VI"], "seenOn": SEEN}
    both = [{"name": "Fulano"}, {"personId": who.person}]
    case = await town.done("inspector/openCase", **opening, text="Instaura-se.", category="taxi", respondents=both)
    for party in case["parties"]:
        given = {"caseId": case["id"], "partyId": party["id"], "way": "person"}
        await town.done("inspector/serveParty", **given, dates=[{"name": "acknowledged", "on": SEEN}])
    town.on("2011-05-10")
    await town.night()
    to = await mailed(town)

    (task,) = await tasks(town, case["id"])
    assert [MAIL in each for each in to] == [True]
    assert (task["kind"], WAYS[2] in task["detail"]) == ("nobody", True)
