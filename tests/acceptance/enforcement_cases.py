"""How the documents of enforcement are asked."""

import uuid
from typing import Any

from tests.acceptance.operations import Asking, case
from tests.acceptance.public_cases import permit_with
from tests.acceptance.stage import BARRA, COTRIGUACU, articles

TODAY = "2026-03-10"


async def recorded(ask: Asking, infractions: list[str], **given: Any) -> Any:
    """A record of this morning, of somebody without a permit."""
    sent = {"clientId": str(uuid.uuid4()), "seenAt": f"{TODAY}T08:30", "place": "Terminal", **given}
    sent = {"offenderName": "Fulano", **sent} if "permitId" not in sent else sent
    whole = {**sent, "infractions": infractions}
    return await ask.stage.done("inspector/recordOccurrence", whole, town=ask.town)


async def complained(ask: Asking, **given: Any) -> Any:
    return await ask.stage.done("public/fileComplaint", {"text": "Cobrou a mais.", **given}, town=ask.town)


async def listed(ask: Asking, number: str) -> Any:
    page = await ask.stage.run("inspector/complaints", town=ask.town, first=50)
    return next(edge["node"] for edge in page["edges"] if edge["node"]["number"] == number)


async def founded(ask: Asking, plate: str | None = None) -> Any:
    """A complaint that was found to be right."""
    filed = await complained(ask, **({"plate": plate} if plate else {}))
    given = {"complaintId": (await listed(ask, filed["number"]))["id"], "answer": "Procede.", "founded": True}
    return await ask.stage.done("inspector/answerComplaint", given, town=ask.town)


@case("inspector/recordOccurrence", COTRIGUACU)
async def record_occurrence(ask: Asking) -> None:
    permit = await permit_with(ask, "licence")
    made = await recorded(ask, ["CO-40-V"], permitId=permit["id"], notifiedOn=TODAY)

    assert (made["state"], made["permitNumber"], made["seenAt"]) == ("applied", permit["number"], f"{TODAY}T08:30:00")
    assert [(each["what"], each["brl"], each["dueOn"]) for each in made["penalties"]] == [
        ("fine", "650.00", "2026-04-09")
    ]
    assert made["number"] in made["copy"]


@case("inspector/applyPenalties", COTRIGUACU)
async def apply_penalties(ask: Asking) -> None:
    record = await recorded(ask, ["CO-40-VI"], plate="QBC1D23")
    made = await ask.done(occurrenceId=record["id"], notifiedOn=TODAY)

    assert (record["state"], made["state"], made["notifiedOn"]) == ("open", "applied", TODAY)


@case("secretary/applyPenalties", BARRA)
async def apply_as_the_secretary(ask: Asking) -> None:
    record = await recorded(ask, ["I-01"], plate="QBC1D23")
    made = await ask.done(occurrenceId=record["id"])

    assert [each["infraction"] for each in made["penalties"]] == ["I-01"]


@case("inspector/dismissOccurrence", COTRIGUACU)
async def dismiss_occurrence(ask: Asking) -> None:
    record = await recorded(ask, ["CO-40-VI"])
    made = await ask.done(occurrenceId=record["id"], why="Placa lida errado", version=record["version"])

    assert (made["state"], made["version"]) == ("dismissed", record["version"] + 1)


@case("inspector/tryOccurrence", COTRIGUACU)
async def try_occurrence(ask: Asking) -> None:
    permit = await permit_with(ask, "licence")
    record = await recorded(ask, ["CO-40-III"], permitId=permit["id"], notifiedOn=TODAY)
    made = await ask.done(occurrenceId=record["id"], openedBy="registro_de_ocorrencia", text="Instaura-se.")

    assert record["caseNumber"] is None
    assert made["caseNumber"].endswith("/2026")


@case("inspector/identifyOffender", COTRIGUACU)
async def identify_offender(ask: Asking) -> None:
    page = await ask.stage.run("clerk/drivers", town=ask.town, first=1)
    driver = page["edges"][0]["node"]
    record = await recorded(ask, ["CO-40-VI"], plate="QBC1D24")
    made = await ask.done(occurrenceId=record["id"], driverId=driver["id"], why="CNH apresentada depois.")

    assert (record["driverName"], made["driverName"]) == (None, driver["name"])


@case("inspector/occurrence", COTRIGUACU)
async def occurrence(ask: Asking) -> None:
    record = await recorded(ask, ["CO-40-VI"])

    assert await ask(id=record["id"]) == record


@case("holder/occurrence", COTRIGUACU)
async def occurrence_of_one_s_own(ask: Asking) -> None:
    mine = (await ask.stage.run("holder/myPermits", town=ask.town))["edges"][0]["node"]
    record = await recorded(ask, ["CO-40-V"], permitId=mine["id"])
    other = await recorded(ask, ["CO-40-VI"])

    assert (await ask(id=record["id"]))["number"] == record["number"]
    no = await ask.stage.body("holder/occurrence", town=ask.town, id=other["id"])
    assert [error["extensions"]["code"] for error in no["errors"]] == ["FORBIDDEN"]


@case("inspector/occurrences", COTRIGUACU)
async def occurrences(ask: Asking) -> None:
    made = [await recorded(ask, ["CO-40-VI"], plate="QAA1A11") for _ in range(3)]
    first = await ask(first=2, plate="QAA1A11", state="open")
    rest = await ask(first=2, plate="QAA1A11", after=first["pageInfo"]["endCursor"])

    found = [edge["node"]["id"] for page in (first, rest) for edge in page["edges"]]
    assert found == [each["id"] for each in reversed(made)]


@case("public/fileComplaint", COTRIGUACU)
async def file_complaint(ask: Asking) -> None:
    made = await ask.done(text="O motorista recusou a corrida.", happenedOn="2026-03-09")

    assert made["answerUntil"] == "2026-04-09"
    assert "art. 34, VII" in articles(made["decision"])


@case("public/followComplaint", BARRA)
async def follow_complaint(ask: Asking) -> None:
    filed = await complained(ask)
    found = await ask(number=filed["number"], secret=filed["secret"])

    assert (found["answerUntil"], found["answer"]) == (None, None)
    assert found["decision"]["outcome"] == "UNDETERMINED"
    assert found["decision"]["message"].startswith("A lei deste município não fixa prazo")


@case("inspector/answerComplaint", BARRA)
async def answer_complaint(ask: Asking) -> None:
    filed = await complained(ask)
    known = await listed(ask, filed["number"])
    made = await ask.done(complaintId=known["id"], answer="Não procede.", founded=False, version=known["version"])

    assert (made["founded"], made["answeredOn"], made["version"]) == (False, TODAY, known["version"] + 1)


@case("inspector/tryComplaint", COTRIGUACU)
async def try_complaint(ask: Asking) -> None:
    made = await founded(ask)
    given = {"infractions": ["CO-40-VI"], "openedBy": "denuncia", "text": "Instaura-se.", "offenderName": "Fulano"}

    assert (await ask.done(complaintId=made["id"], **given))["caseNumber"].endswith("/2026")


@case("inspector/complaints", BARRA)
async def complaints(ask: Asking) -> None:
    filed = await complained(ask, plate="QBB2B22")
    page = await ask(first=50, answered=False)

    assert filed["number"] in [edge["node"]["number"] for edge in page["edges"]]
    assert filed["number"] not in [edge["node"]["number"] for edge in (await ask(answered=True))["edges"]]


async def fined(ask: Asking, permit: str) -> None:
    await recorded(ask, ["CO-39-II"], permitId=permit, notifiedOn=TODAY)


@case("inspector/conduct", COTRIGUACU)
async def conduct(ask: Asking) -> None:
    permit = await permit_with(ask, "licence")
    await fined(ask, permit["id"])
    found = await ask(subjectId=permit["id"])
    before = await ask(subjectId=permit["id"], on="2026-03-09")

    last = found["entries"][-1]
    assert (last["penalty"]["infraction"], last["penalty"]["what"], last["final"]) == ("CO-39-II", "warning", False)
    assert all(each["penalty"]["seenOn"] < TODAY for each in before["entries"])


@case("holder/conduct", COTRIGUACU)
async def conduct_of_one_s_own(ask: Asking) -> None:
    mine = (await ask.stage.run("holder/myPermits", town=ask.town))["edges"][0]["node"]
    await fined(ask, mine["id"])

    assert "CO-39-II" in [each["penalty"]["infraction"] for each in (await ask(subjectId=mine["id"]))["entries"]]


@case("driver/conduct", BARRA)
async def conduct_of_a_driver(ask: Asking) -> None:
    page = await ask.stage.run("clerk/drivers", town=ask.town, first=100)
    answers = [
        await ask.stage.body("driver/conduct", town=ask.town, subjectId=edge["node"]["id"]) for edge in page["edges"]
    ]
    own = [answer["data"]["conduct"] for answer in answers if answer["data"]]

    assert [(each["on"], each["entries"]) for each in own] == [(TODAY, [])], "one's own, and nobody else's"
