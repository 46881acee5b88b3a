"""How the documents of mayors and of the platform's operator are asked."""

from pathlib import Path

from services import acts
from services.nights import night
from tests.acceptance.applying import applicant
from tests.acceptance.office_cases import free_stand
from tests.acceptance.operations import Asking, case
from tests.acceptance.stage import BARRA, COTRIGUACU, PLANS, TODAY

THIRD_TOWN = Path(__file__).parents[1] / "third_town" / "pack.toml"
HARSHER = """
[[infraction]]
rows = [{ code = "II-08", group = "II", do = "fine", by = "financas", amount = "35 UFIR", cite = ["art. 37", \
"anexo, grupo II, item 8"], title = "Vistoria semestral não realizada", from = 2030-01-01 }]
"""
AMENDMENT = {"norm": "Lei 9.999/2026", "officialOn": TODAY.isoformat()}


@case("mayor/appoint", BARRA)
async def appoint(ask: Asking) -> None:
    made = await ask.done(subject="nova", office="cadastro", since="2026-03-10", name="Nova atendente")

    assert made == {"subject": "nova", "office": "cadastro"}
    viewer = await ask.stage.run("public/viewer", town=BARRA, role="nova")
    assert viewer["offices"] == ["cadastro"]


@case("mayor/removeAppointment", BARRA)
async def remove_appointment(ask: Asking) -> None:
    given = {"subject": "passageira", "office": "procuradoria"}
    await ask.stage.done("mayor/appoint", {**given, "since": "2026-03-01"}, town=BARRA)

    made = await ask.done(**given, on="2026-03-10", why="a pedido")

    assert made == given
    assert (await ask.stage.run("public/viewer", town=BARRA, role="passageira"))["offices"] == []


@case("mayor/assignStand", BARRA)
async def assign_stand(ask: Asking) -> None:
    who = await applicant(ask.stage, BARRA)
    grant = {"category": "taxi", **who.pair}
    permit = await ask.stage.done("secretary/grantPermit", grant, town=BARRA)
    assert permit["stand"] is None

    made = await ask.done(permitId=permit["id"], stand=await free_stand(ask))

    assert made["stand"]["number"]


@case("mayor/runs", BARRA)
async def runs(ask: Asking) -> None:
    await night(ask.stage.database, [await ask.stage.town(BARRA)])
    (run,) = [edge["node"] for edge in (await ask(first=5))["edges"]]

    assert (run["day"], run["state"], run["message"]) == ("2026-03-10", "done", None)
    assert run["endedAt"]
    assert run["counts"]["expired"] > 0


@case("mayor/verifySeals", COTRIGUACU)
async def verify_seals(ask: Asking) -> None:
    await acts.seal_all(ask.stage.database, await ask.stage.town(COTRIGUACU))

    assert await ask() == []


@case("operator/checkPack", BARRA)
async def check_pack(ask: Asking) -> None:
    whole = await ask(text=PLANS[BARRA].pack)
    broken = await ask(text=PLANS[BARRA].pack.replace('category = "taxi"', 'category = "tacsi"', 1))

    assert {problem["severity"] for problem in whole} <= {"warning"}
    error = next(problem for problem in broken if problem["severity"] == "error")
    assert error["line"] > 1
    assert "tacsi" in error["message"]


@case("operator/onboard", "")
async def onboard(ask: Asking) -> None:
    made = await ask.done(text=THIRD_TOWN.read_text(encoding="utf-8"))

    assert made["slug"]
    again = await ask.stage.act(ask.document, {"text": PLANS[BARRA].pack}, town="")
    assert again["code"] == "CONFLICT", "a change is an amendment"


@case("operator/publishAmendment", BARRA)
async def publish_amendment(ask: Asking) -> None:
    before = await ask.stage.run("public/law", town=BARRA, on="2030-01-01")
    made = await ask.done(**AMENDMENT, text=HARSHER, why="Lei aprovada")

    assert made["seq"] > 2
    assert (await ask.stage.run("public/law", town=BARRA, on="2030-01-01"))["firstDay"] == before["firstDay"]
    fines = [await fine_of(ask, day) for day in ("2029-12-31", "2030-01-01")]
    assert fines == ["30", "35"]


@case("operator/previewAmendment", BARRA)
async def preview_amendment(ask: Asking) -> None:
    found = await ask(input={**AMENDMENT, "text": HARSHER}, on="2030-01-01")

    assert (found["on"], found["affected"]) == ("2030-01-01", [])
    assert found["lookedAt"] > 10


@case("operator/supplyParameter", BARRA)
async def supply_parameter(ask: Asking) -> None:
    await ask.done(code="valor_ufir", value="2.00", source="Decreto 1/2031", since="2031-01-01")

    found = await ask.stage.run("public/law", town=BARRA, on="2031-01-01")
    (ufir,) = [parameter for parameter in found["parameters"] if parameter["code"] == "valor_ufir"]
    assert (ufir["value"], ufir["source"]) == ("2.00", "Decreto 1/2031")


@case("operator/chooseReading", COTRIGUACU)
async def choose_reading(ask: Asking) -> None:
    await ask.done(code="corrida", option="split", why="Decreto 2/2031", since="2031-01-01")

    options = {}
    for day in ("2030-12-31", "2031-01-01"):
        law = await ask.stage.run("public/law", town=COTRIGUACU, on=day)
        (reading,) = [reading for reading in law["readings"] if reading["code"] == "corrida"]
        options[reading["option"]] = reading["chosen"]
    assert options == {"start_time": False, "split": True}


async def fine_of(ask: Asking, day: str) -> str:
    answer = await ask.stage.run("public/quoteInfraction", town=BARRA, codes=["II-08"], seenOn=day, category="taxi")
    units: str = answer["money"]["units"]
    return units
