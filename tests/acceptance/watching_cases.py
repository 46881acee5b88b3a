"""How the documents are asked with which offices watch what runs."""

from services import jobs
from services.nights import night
from tests.acceptance.import_cases import sent
from tests.acceptance.operations import Asking, case
from tests.acceptance.stage import BARRA, COTRIGUACU, DOCUMENTS, host_of
from tests.support.sockets import connected, serving


@case("clerk/jobProgress", BARRA)
async def job_progress(ask: Asking) -> None:
    """The check of a file, from its queue to its end."""
    import_id = await sent(ask)
    job = (await ask.stage.done("clerk/checkImport", {"importId": import_id}, town=ask.town))["job"]
    token = ask.stage.asking("clerk", ask.town)["token"]
    async with serving(ask.stage.web) as address, connected(address, host=host_of(ask.town)) as client:
        await client.begin(token)
        await client.watch(job["id"], query=DOCUMENTS[ask.document])
        waiting = await client.told()
        while (await jobs.work(ask.stage.database, await ask.stage.town(ask.town))).more:
            continue
        last = waiting
        while (heard := await client.hear())["type"] == "next":
            last = heard["payload"]["data"]["jobProgress"]

    assert (waiting["state"], waiting["kind"]) == ("queued", "import.check")
    assert (last["state"], last["error"]) == ("done", None)


@case("clerk/runs", BARRA)
async def runs(ask: Asking) -> None:
    """Another case may have run the same night: a run is there once."""
    await night(ask.stage.database, [await ask.stage.town(BARRA)])
    whole = await ask(first=5)

    (run,) = [edge["node"] for edge in whole["edges"]]
    assert (run["town"], run["day"], run["kind"], run["state"]) == (BARRA, "2026-03-10", "night", "done")
    assert run["attempts"] >= 1
    assert "cadastro" in run["offices"]
    assert (await ask(failed=True))["edges"] == []
    assert (await ask(after=whole["edges"][0]["cursor"]))["edges"] == []


@case("secretary/runs", COTRIGUACU)
async def runs_of_a_day(ask: Asking) -> None:
    await night(ask.stage.database, [await ask.stage.town(COTRIGUACU)])

    assert [edge["node"]["day"] for edge in (await ask(day="2026-03-10", kind="night"))["edges"]] == ["2026-03-10"]
    assert (await ask(day="2026-03-09"))["edges"] == []
