"""How a publication's effect on what runs and is owed is previewed, carried out, and what it lists looked at."""

from typing import Any

from services import jobs
from services.recomputing import running  # noqa: F401 - it names what its jobs do
from tests.acceptance.operations import Asking, case
from tests.acceptance.public_cases import permit_with
from tests.acceptance.stage import BARRA, COTRIGUACU
from tests.acceptance.trying import fine_of

DAYS = iter(f"2026-02-{day:02}" for day in range(2, 28))  # each case has a day of its own


async def owed(ask: Asking) -> tuple[str, str, dict[str, str]]:
    """A fine of a day in February, that day, and a correction of the unit's value on that day alone."""
    day, permit = next(DAYS), await permit_with(ask, "licence")
    value = {"code": "valor_ufm", "value": "33.00", "since": day, "until": day, "source": f"Errata de {day}"}
    return await fine_of(ask.stage, permit["id"], "CO-40-V", day), day, value


async def corrected(ask: Asking) -> tuple[str, str]:
    """A fine and the publication that corrects the value of its day."""
    fine, _, value = await owed(ask)
    made = await ask.stage.done("operator/supplyParameter", value, town=COTRIGUACU)
    return fine, made["id"]


async def worked(ask: Asking) -> None:
    town = await ask.stage.town(COTRIGUACU)
    while (await jobs.work(ask.stage.database, town)).more:
        continue


async def reviews(ask: Asking, publication: str) -> list[Any]:
    found = await ask.stage.run("clerk/recomputationReviews", town=COTRIGUACU, publicationId=publication)
    return [edge["node"] for edge in found["edges"]]


@case("operator/previewRecomputation", COTRIGUACU)
async def preview(ask: Asking) -> None:
    fine, day, value = await owed(ask)
    table = {key: value[key] for key in ("code", "value", "source")}
    text = "[[supplied]]\n" + "\n".join(f'{key} = "{said}"' for key, said in table.items())
    text += f"\nfrom = {day}\nuntil = {day}\n"
    draft = {"text": text, "norm": "Errata", "officialOn": day}
    drafted = await ask(cause={"draft": draft})
    (row,) = [edge["node"] for edge in drafted["rows"]["edges"]]

    assert (drafted["amounts"], drafted["terms"], drafted["norm"]) == (1, 0, "Errata")
    assert (row["what"], row["before"], row["after"], row["subjectId"]) == ("amount", "650.00", "660.00", fine)


@case("operator/recompute", COTRIGUACU)
async def recompute(ask: Asking) -> None:
    fine, publication = await corrected(ask)
    made = await ask.done(publicationId=publication, why="Errata do decreto.")
    await worked(ask)

    assert (made["id"], made["job"]["state"]) == (publication, "queued")
    assert (await ask.stage.run("clerk/fineAccount", town=COTRIGUACU, fineId=fine))["brl"] == "660.00"


@case("clerk/recomputation", COTRIGUACU)
async def how_far(ask: Asking) -> None:
    _, publication = await corrected(ask)
    before = await ask(publicationId=publication)
    await ask.stage.done("operator/recompute", {"publicationId": publication}, town=COTRIGUACU)
    await worked(ask)
    after = await ask(publicationId=publication)

    assert before["job"] is None
    assert (after["job"]["state"], after["job"]["result"]["revalued"]) == ("done", 1)


async def listed(ask: Asking) -> tuple[str, Any]:
    """A fine of which something is paid is left as it is, and listed."""
    fine, _, value = await owed(ask)
    paid = {"fineId": fine, "brl": "50.00", "reference": f"parte {fine}"}
    await ask.stage.done("clerk/recordPayment", paid, town=COTRIGUACU)
    publication = (await ask.stage.done("operator/supplyParameter", value, town=COTRIGUACU))["id"]
    await ask.stage.done("operator/recompute", {"publicationId": publication}, town=COTRIGUACU)
    await worked(ask)
    (found,) = [each for each in await reviews(ask, publication) if each["subjectId"] == fine]
    return fine, found


@case("clerk/recomputationReviews", COTRIGUACU)
async def to_be_looked_at(ask: Asking) -> None:
    fine, found = await listed(ask)

    assert (found["finding"], found["state"]) == ("paid", "open")
    assert (found["before"]["brl"], found["after"]["brl"]) == ("650.00", "660.00")
    account = await ask.stage.run("clerk/fineAccount", town=COTRIGUACU, fineId=fine)
    assert (account["brl"], account["left"]) == ("650.00", "600.00")


@case("mayor/reviewRecomputation", COTRIGUACU)
async def looked_at(ask: Asking) -> None:
    _, found = await listed(ask)
    made = await ask.done(reviewId=found["id"], outcome="kept", why="O pagamento foi aceito.", version=found["version"])

    assert (made["state"], made["outcome"], made["why"]) == ("decided", "kept", "O pagamento foi aceito.")
    assert made["decidedBy"] != ""


@case("clerk/escalations", COTRIGUACU)
async def undone(ask: Asking) -> None:
    """Nobody has let a term pass; what the state may be is said."""
    assert (await ask(office="prefeito"))["edges"] == []
    body = await ask.stage.body(ask.document, town=COTRIGUACU, state="vencida")
    assert body["errors"][0]["extensions"]["code"] == "INVALID"


@case("public/deadlineKinds", BARRA)
async def kinds(ask: Asking) -> None:
    found = {each["kind"]: each for each in await ask(of="vehicle")}
    stay = found["idade_permanencia"]

    assert (stay["length"], stay["opens"], stay["meets"]) == ("6 anos", ["vehicle.entered"], ["permit.vehicle_swapped"])
    assert any("art. 20" in article for article in stay["articles"])
    assert [(follow["do"], follow["draws"]) for follow in stay["follows"]][-1] == ("draw", "II-21")
    assert [told["leads"] for told in stay["told"]] == [["90 dias", "30 dias"]]
