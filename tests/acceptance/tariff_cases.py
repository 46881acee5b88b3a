"""How the documents of tariffs are asked."""

from typing import Any

from tests.acceptance.operations import Asking, case
from tests.acceptance.stage import BARRA, COTRIGUACU, TODAY, articles

TAXI = {"category": "taxi"}
FLAG = {"code": "bandeirada", "brl": "5.00"}
KM = {"code": "km", "brl": "3.00", "times": "ride.metres", "per": "1000"}
TABLE = {"code": "comum", "title": "Tarifa comum", "components": [FLAG, KM]}
DECREE = {"norm": "Decreto 20/2026", "officialOn": TODAY.isoformat(), "tables": [TABLE]}
SHEET = {"lines": [{"item": "Combustível", "brl": "2100.50"}, {"item": "Pneus", "brl": "149.50"}], "km": "3000"}
WANTED = {
    BARRA: [("heard", "comissao_tarifas"), ("heard", "financas"), ("papers", "estudo_custos"), ("approved", "camara")],
    COTRIGUACU: [("heard", "permissionarios"), ("papers", "planilha_de_custos")],
}


async def opened(ask: Asking) -> str:
    made = await ask.stage.done("mayor/openTariffReview", TAXI, town=ask.town)
    return str(made["id"])


async def ready(ask: Asking) -> str:
    """A review for which all has been done that the law wants."""
    review = await opened(ask)
    for what, code in WANTED[ask.town]:
        step = {"tariffReviewId": review, "what": what, "code": code, "source": f"Ata sobre {code}"}
        await ask.stage.done("clerk/recordTariffStep", step, town=ask.town)
    return review


@case("mayor/openTariffReview", BARRA)
async def open_review(ask: Asking) -> None:
    made = await ask.done(**TAXI)

    assert (made["because"], made["requestedOn"], made["granted"], made["steps"]) == ("cost", "2026-03-10", None, [])


@case("holder/openTariffReview", COTRIGUACU)
async def ask_for_review(ask: Asking) -> None:
    made = await ask.done(**TAXI, sheet={**SHEET, "asked": "4,00 por km", "paper": "planilha_de_custos"})

    assert (made["because"], made["sheet"]["total"], made["sheet"]["perKm"]) == ("request", "2250.00", "0.75")
    assert [(step["what"], step["code"]) for step in made["steps"]] == [("papers", "planilha_de_custos")]


@case("clerk/recordTariffStep", BARRA)
async def record_step(ask: Asking) -> None:
    review = await opened(ask)
    made = await ask.done(tariffReviewId=review, what="approved", code="camara", source="Ata 7/2026")

    assert made["steps"] == [{"what": "approved", "code": "camara", "on": "2026-03-10", "source": "Ata 7/2026"}]


@case("mayor/tariffChange", BARRA)
async def tariff_change(ask: Asking) -> None:
    """What is wanted before a table counts: also the council's record."""
    found = await ask(tariffReviewId=await opened(ask))

    assert found["outcome"] == "UNPROVEN"
    assert {missing["code"].rpartition(".")[2] for missing in found["missing"]} == {code for _, code in WANTED[BARRA]}
    assert (await ask(tariffReviewId=await ready(ask)))["outcome"] == "ALLOWED"


@case("mayor/setTariff", COTRIGUACU)
async def set_tariff(ask: Asking) -> None:
    unready: Any = {"tariffReviewId": await opened(ask), **DECREE}
    no = await ask.stage.act(ask.document, unready, town=COTRIGUACU)
    assert no["code"] == "REFUSED", "nobody has been heard"

    made = await ask.done(tariffReviewId=await ready(ask), **DECREE)

    assert (made["granted"], made["decidedOn"]) == (True, "2026-03-10")
    ride: dict[str, Any] = {**TAXI, "starts": "2026-03-12T12:00", "metres": 5000}
    assert (await ask.stage.run("public/quoteFare", town=COTRIGUACU, **ride))["number"] == "20.00"


@case("public/tariffs", COTRIGUACU)
async def tariffs(ask: Asking) -> None:
    given = {**DECREE, "norm": "Decreto 21/2026", "tables": [{**TABLE, "toArea": "interior"}]}
    given["areas"] = [{"code": "interior", "title": "Interior"}]
    review = await ready(ask)
    await ask.stage.done("mayor/setTariff", {"tariffReviewId": review, **given}, town=COTRIGUACU)
    found = await ask(on="2026-03-12")

    tables = {rule["code"]: rule for rule in found["rules"]}
    assert set(tables) >= {"noturna", "comum"}
    assert tables["comum"]["publication"] == "Decreto 21/2026"
    assert tables["comum"]["payload"]["components"][1]["value"] == "3.00 BRL"
    assert {area["code"] for area in found["areas"]} == {"interior"}
    again = {"tariffReviewId": await ready(ask), **DECREE, "norm": "Decreto 22/2026"}
    await ask.stage.done("mayor/setTariff", again, town=COTRIGUACU)


@case("mayor/refuseTariffReview", COTRIGUACU)
async def refuse_review(ask: Asking) -> None:
    made = await ask.done(tariffReviewId=await opened(ask), why="custos estáveis")

    assert (made["granted"], made["decidedOn"]) == (False, "2026-03-10")


@case("clerk/tariffReviews", BARRA)
async def reviews(ask: Asking) -> None:
    review = await opened(ask)
    page = await ask(**TAXI, first=1)

    assert [edge["node"]["id"] for edge in page["edges"]] == [review]


@case("public/tariffDue", COTRIGUACU)
async def tariff_due(ask: Asking) -> None:
    review = await opened(ask)
    refusal = {"tariffReviewId": review, "why": "custos estáveis"}
    await ask.stage.done("mayor/refuseTariffReview", refusal, town=COTRIGUACU)
    found = await ask(**TAXI)

    assert (found["outcome"], found["day"]) == ("ALLOWED", "2027-03-10")
    assert {"art. 27", "art. 28"} <= articles(found)


@case("public/priceAgreement", BARRA)
async def price_agreement(ask: Asking) -> None:
    wedding, trip = [await ask(**TAXI, raises=True, occasion=code) for code in ("casamento", "viagem")]

    assert (wedding["outcome"], trip["outcome"]) == ("ALLOWED", "DENIED")
    assert "art. 26, I" in articles(trip)
    assert (await ask(**TAXI, raises=False))["outcome"] == "ALLOWED", "a discount is free"
