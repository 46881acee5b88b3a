"""How the documents on registers in files, long work and campaigns are asked."""

import hashlib
from itertools import count
from random import Random
from typing import Any
from uuid import UUID

from api.types.scalars import read_id
from deploy.fictitious.numbers import Numbers
from services import jobs
from services.campaigns import opening  # noqa: F401 - it names what its jobs do
from services.importing import checking, running  # noqa: F401 - they name what their jobs do
from services.importing.reading import XLSX
from tests.acceptance.operations import Asking, case
from tests.acceptance.stage import BARRA, TODAY, publish
from tests.support.sheets import as_csv, person, table, xlsx

SEED = 77  # other numbers than the fictitious register's
DEFAULTS = [{"field": "category", "value": "Táxi"}, {"field": "holder_kind", "value": "autonomo"}]
CAMPAIGN = """
[[campaign]]
code = "anual-{at}"
title = "Recadastramento anual"
cite = "art. 31"
whom = "holders"
opens_on = "03-01"
term = "{term}"
counting = "comum"
applies = {{ category = "{category}" }}
missed = "II-23"
"""
_chance = Random(SEED)  # noqa: S311 - no secret
_numbers = Numbers(_chance)
_nth = count(9_001)


def rows(how_many: int) -> list[dict[str, Any]]:
    return [person(_chance, _numbers, next(_nth), TODAY) for _ in range(how_many)]


async def put(ask: Asking, content: bytes, media_type: str = XLSX, role: str = "clerk") -> Any:
    """As the front end sends a file."""
    asking = ask.stage.asking(role, ask.town)
    headers = {"authorization": f"Bearer {asking['token']}", "content-type": media_type}
    path = f"/imports/{hashlib.sha256(content).hexdigest()}?name=taxis.xlsx"
    return await ask.stage.web.client.put(path, content=content, headers=headers)


async def sent(ask: Asking, content: bytes | None = None) -> str:
    answer = await put(ask, content or xlsx(table(rows(3))))
    return str(answer.json()["id"])


async def worked(ask: Asking) -> None:
    town: UUID = await ask.stage.town(ask.town)
    while (await jobs.work(ask.stage.database, town)).more:
        continue


async def checked(ask: Asking, content: bytes | None = None) -> str:
    import_id = await sent(ask, content)
    await ask.stage.done("clerk/checkImport", {"importId": import_id, "defaults": DEFAULTS}, town=ask.town)
    await worked(ask)
    return import_id


@case("clerk/checkImport", BARRA)
async def check_import(ask: Asking) -> None:
    import_id = await sent(ask)
    made = await ask.done(importId=import_id, defaults=DEFAULTS)

    assert (made["id"], made["state"]) == (import_id, "received")
    assert (made["job"]["kind"], made["job"]["state"]) == ("import.check", "queued")
    await worked(ask)
    seen = await ask.stage.run("clerk/importFile", town=BARRA, id=import_id)
    assert (seen["state"], seen["rows"], seen["job"]["state"], seen["job"]["done"]) == ("checked", 3, "done", 3)
    assert {column["header"]: column["field"] for column in seen["columns"]}["Placa"] == "plate"


@case("secretary/runImport", BARRA)
async def run_import(ask: Asking) -> None:
    bad, *good = rows(3)
    bad["C.P.F."] = "111.444.777-36"
    import_id = await checked(ask, xlsx(table([bad, *good])))
    made = await ask.done(importId=import_id)
    await worked(ask)

    assert made["job"]["kind"] == "import.run"
    found = await ask.stage.run("clerk/previewImport", town=BARRA, importId=import_id)
    assert (found["state"], found["rows"]) == ("imported", {"create": 2, "change": 0, "leave": 0, "skip": 1})
    again = await ask.done(importId=import_id)
    assert (again["state"], again["job"]["id"]) == ("imported", made["job"]["id"]), "nothing is done twice"
    page = await ask.stage.run("clerk/permits", town=BARRA, first=100, state="active")
    plates = {edge["node"]["vehicle"]["plate"]: edge["node"] for edge in page["edges"] if edge["node"]["vehicle"]}
    imported = plates[good[0]["Placa"]]
    assert imported["number"] == good[0]["Nº Permissão"]
    assert imported["licence"]["until"] == good[0]["Validade do Alvará"].isoformat()


@case("clerk/importFile", BARRA)
async def import_file(ask: Asking) -> None:
    content = xlsx(table(rows(1)))
    first, again = await put(ask, content), await put(ask, content)

    assert (first.status_code, again.status_code) == (201, 200)
    assert first.json()["id"] == again.json()["id"]
    found = await ask(id=first.json()["id"])
    assert (found["name"], found["state"], found["job"]) == ("taxis.xlsx", "received", None)
    assert (found["sha256"], found["size"]) == (hashlib.sha256(content).hexdigest(), len(content))


@case("clerk/imports", BARRA)
async def imports(ask: Asking) -> None:
    import_id = await sent(ask)
    page = await ask(first=1)

    assert [edge["node"]["id"] for edge in page["edges"]] == [import_id]


@case("clerk/importIssues", BARRA)
async def import_issues(ask: Asking) -> None:
    one, other = rows(2)
    other["Placa"], other["Validade CNH"] = "ABC-12", "31/02/2030"
    import_id = await checked(ask, xlsx(table([one, other])))
    page = await ask(importId=import_id, first=1, severity="error")
    rest = await ask(importId=import_id, first=5, severity="error", after=page["pageInfo"]["endCursor"])

    found = [edge["node"] for edge in (*page["edges"], *rest["edges"])]
    assert [(issue["cell"], issue["code"]) for issue in found] == [("G3", "no_such_day"), ("H3", "form")]
    assert "fevereiro" not in found[0]["hint"]
    assert all(issue["message"] and issue["hint"] for issue in found)


@case("clerk/importRows", BARRA)
async def import_rows(ask: Asking) -> None:
    import_id = await checked(ask)
    page = await ask(importId=import_id, first=2, plan="create")

    assert [edge["node"]["number"] for edge in page["edges"]] == [2, 3]
    assert page["pageInfo"]["hasNextPage"]
    assert page["edges"][0]["node"]["outcome"] is None


@case("clerk/previewImport", BARRA)
async def preview_import(ask: Asking) -> None:
    before = (await ask.stage.run("clerk/permits", town=BARRA))["totalCount"]
    found = await ask(importId=await checked(ask))

    assert (found["state"], found["rows"]["create"]) == ("checked", 3)
    counts = {count["subject"]: count["created"] for count in found["counts"]}
    assert (counts["person"], counts["vehicle"], counts["permit"], counts["licence"]) == (3, 3, 3, 3)
    assert (await ask.stage.run("clerk/permits", town=BARRA))["totalCount"] == before


@case("clerk/importFields", BARRA)
async def import_fields(ask: Asking) -> None:
    found = {field["code"]: field for field in await ask()}

    assert found["plate"]["title"] == "Placa"
    assert "placa do veiculo" in found["plate"]["headers"]


@case("clerk/jobs", BARRA)
async def all_jobs(ask: Asking) -> None:
    await checked(ask)
    page = await ask(first=1)

    (edge,) = page["edges"]
    assert (edge["node"]["kind"], edge["node"]["state"], edge["node"]["requestedBy"]) == (
        "import.check",
        "done",
        "atendente",
    )


@case("clerk/job", BARRA)
async def one_job(ask: Asking) -> None:
    file = await ask.stage.run("clerk/importFile", town=BARRA, id=await checked(ask, as_csv(table(rows(2)))))
    assert file["job"] is None or file["job"]["state"] == "failed", "a CSV that is sent as a workbook"
    found = await ask(id=file["job"]["id"])

    assert (found["state"], found["endedAt"] is None) == ("failed", False)
    assert "XLSX" in found["error"]


async def opened(ask: Asking, *, category: str = "taxi", term: str = "30 days") -> Any:
    at = next(_nth)
    text = CAMPAIGN.format(at=at, category=category, term=term)
    await publish(ask.stage, BARRA, text, norm=f"Lei {at}/2026")
    made = await ask.stage.done("clerk/openCampaign", {"code": f"anual-{at}"}, town=BARRA)
    await worked(ask)
    return made


@case("clerk/openCampaign", BARRA)
async def open_campaign(ask: Asking) -> None:
    made = await opened(ask)
    nothing = await ask.stage.act("clerk/openCampaign", {"code": "sem-lei"}, town=BARRA)

    assert (made["edition"], made["openedOn"], made["job"]["state"]) == (2026, "2026-03-10", "queued")
    assert nothing["message"].startswith("A lei deste município não prevê")


@case("clerk/campaigns", BARRA)
async def campaigns(ask: Asking) -> None:
    made = await opened(ask)
    page = await ask(first=1)

    (edge,) = page["edges"]
    assert (edge["node"]["id"], edge["node"]["job"]["state"]) == (made["id"], "done")
    assert edge["node"]["waiting"] > 3


@case("clerk/campaignCalls", BARRA)
async def campaign_calls(ask: Asking) -> None:
    page = await ask(campaignId=(await opened(ask))["id"], first=2, state="called")

    assert {edge["node"]["lastDay"] for edge in page["edges"]} == {"2026-03-31"}
    assert {edge["node"]["infraction"] for edge in page["edges"]} == {"II-23"}
    assert page["pageInfo"]["hasNextPage"]
    assert (await ask(campaignId=(await opened(ask))["id"], state="missed"))["edges"] == []


@case("clerk/attendCampaign", BARRA)
async def attend_campaign(ask: Asking) -> None:
    """Whoever lacks a paper is sent back with what is missing; who has all is recorded."""
    campaign = (await opened(ask))["id"]
    page = await ask.stage.run("clerk/campaignCalls", town=BARRA, campaignId=campaign, first=100)
    answers = [
        await ask.stage.act("clerk/attendCampaign", {"summonsId": edge["node"]["id"], "judged": True}, town=BARRA)
        for edge in page["edges"]
    ]

    came = [answer for answer in answers if "state" in answer]
    assert came
    assert {answer["state"] for answer in came} == {"attended"}
    assert all(answer["decision"]["parts"] for answer in answers if answer not in came)
    assert read_id(came[0]["id"]).kind == "summons"


@case("clerk/closeCampaign", BARRA)
async def close_campaign(ask: Asking) -> None:
    called, over = await opened(ask), await opened(ask, category="escolar")
    calls = await ask.stage.run("clerk/campaignCalls", town=BARRA, campaignId=over["id"], first=1)
    no = await ask.stage.act("clerk/closeCampaign", {"campaignId": called["id"]}, town=BARRA)

    assert no["code"] == "REFUSED"
    if not calls["edges"]:
        assert (await ask.done(campaignId=over["id"]))["closedOn"] == "2026-03-10"
