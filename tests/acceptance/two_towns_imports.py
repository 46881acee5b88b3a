"""Files, jobs and campaigns in two towns that are alike: what their law needs, and how each operation is asked."""

import hashlib
from itertools import count
from typing import TYPE_CHECKING, Any

from services import jobs
from services.campaigns import opening  # noqa: F401 - it names what its jobs do
from services.database import Database
from services.importing import checking, running  # noqa: F401 - they name what their jobs do
from services.importing.reading import CSV
from tests.acceptance.applying import person_input

if TYPE_CHECKING:
    from tests.acceptance.two_towns import Town

MANY = 60
CAMPAIGN = (
    "{{ code = '{kind}-{at}', title = 'Recadastramento {at}', cite = 'art. 40', whom = 'holders', once = false, "
    "opens_on = '03-01', term = '60 days', applies = {{ category = '{category}' }} }}"
)
LAW = "[[campaign]]\nrows = [\n" + ",\n".join(
    CAMPAIGN.format(kind=kind, at=at, category=category)
    for kind, category in (("aberta", "taxi"), ("vazia", "escolar"))
    for at in range(MANY)
)
LAW += "\n]\n"
_open, _empty = count(), count()


async def worked(town: "Town") -> None:
    """A worker does what is asked."""
    database = Database(town.web.settings, town.web.clock)
    async with database.directory() as directory:
        town_id = await directory.scalar("SELECT id FROM municipality WHERE slug = :slug", slug=town.slug)
    while (await jobs.work(database, town_id)).more:
        continue
    await database.close()


async def sent(town: "Town") -> str:
    person = person_input()
    content = f"Nome;CPF\n{person['name']};{person['cpf']}\n;\nSem CPF;\n".encode()
    headers = {"content-type": CSV, "authorization": f"Bearer {town.web.token('chefe', town=town.slug)}"}
    answer = await town.web.client.put(
        f"/imports/{hashlib.sha256(content).hexdigest()}?name=pessoas.csv", content=content, headers=headers
    )
    return str(answer.json()["id"])


async def received(town: "Town") -> dict[str, Any]:
    return {"importId": await sent(town)}


async def checked(town: "Town") -> dict[str, Any]:
    import_id = await sent(town)
    await town.make("checkImport", importId=import_id)
    await worked(town)
    return {"importId": import_id}


async def file(town: "Town") -> dict[str, Any]:
    return {"id": await sent(town)}


async def job(town: "Town") -> dict[str, Any]:
    import_id = (await checked(town))["importId"]
    query = "query ($id: ID!) { importFile(id: $id) { job { id } } }"
    token = town.web.token("chefe", town=town.slug)
    data = await town.web.ask(query, variables={"id": import_id}, token=token)
    return {"id": data["importFile"]["job"]["id"]}


async def opened(town: "Town") -> str:
    """With one permit that is called."""
    await town.permit()
    campaign = await town.make("openCampaign", code=f"aberta-{next(_open)}")
    await worked(town)
    return str(campaign)


async def calls(town: "Town") -> dict[str, Any]:
    return {"campaignId": await opened(town)}


async def to_attend(town: "Town") -> dict[str, Any]:
    query = "query ($id: ID!) { campaignCalls(campaignId: $id, first: 1) { edges { node { id } } } }"
    token = town.web.token("chefe", town=town.slug)
    data = await town.web.ask(query, variables={"id": await opened(town)}, token=token)
    return {"summonsId": data["campaignCalls"]["edges"][0]["node"]["id"]}


async def to_close(town: "Town") -> dict[str, Any]:
    """One that concerns nobody: no term of it runs."""
    campaign = await town.make("openCampaign", code=f"vazia-{next(_empty)}")
    await worked(town)
    return {"campaignId": campaign}


MUTATIONS = {
    "checkImport": received,
    "runImport": checked,
    "attendCampaign": to_attend,
    "closeCampaign": to_close,
}
QUERIES = {
    "importFile": file,
    "importIssues": checked,
    "importRows": checked,
    "previewImport": checked,
    "job": job,
    "campaignCalls": calls,
}
ANSWERS = {
    "ImportPreview": "{ state }",
    "ImportIssueConnection": "{ edges { node { row code } } }",
    "ImportRowConnection": "{ edges { node { number plan } } }",
    "CampaignCallConnection": "{ edges { node { id state } } }",
}
