"""How the documents of the public, of holders and of drivers are asked."""

from typing import Any

from tests.acceptance.operations import Asking, case
from tests.acceptance.stage import BARRA, COTRIGUACU, articles, supposing

TAXI = {"category": "taxi"}


@case("public/municipality", COTRIGUACU)
async def municipality(ask: Asking) -> None:
    found = await ask()

    assert (found["slug"], found["ibge"], found["zone"]) == (COTRIGUACU, "5103379", "America/Cuiaba")
    assert (found["today"], found["fictitious"]) == ("2026-03-10", True)


@case("public/viewer", BARRA)
async def viewer(ask: Asking) -> None:
    assert await ask() is None
    clerk = await ask.stage.run(ask.document, town=BARRA, role="clerk")
    assert (clerk["kind"], clerk["offices"], clerk["powers"]) == ("office", ["cadastro"], ["read", "register"])


@case("public/law", BARRA)
async def law(ask: Asking) -> None:
    found = await ask(on="2010-10-15")

    assert (found["firstDay"], len(found["stands"]), len(found["readings"])) == ("2009-12-28", 13, 33)
    assert {category["code"] for category in found["categories"]} == {"taxi", "escolar"}
    (ufir,) = [parameter for parameter in found["parameters"] if parameter["code"] == "valor_ufir"]
    assert (ufir["missing"], ufir["value"], ufir["sample"]) == (False, "1.0641", True)


@case("public/rule", COTRIGUACU)
async def rule(ask: Asking) -> None:
    found = (await ask(kind="vehicle_age", code="idade"))["rule"]

    assert (found["kind"], found["payload"]["limit"]) == ("vehicle_age", "5 years")
    assert "art. 10, VI" in {citation["device"] for citation in found["citations"]}


@case("public/infractions", BARRA)
async def infractions(ask: Asking) -> None:
    codes, after = [], None
    while True:
        page = (await ask(first=20, after=after))["infractions"]
        codes += [edge["node"]["code"] for edge in page["edges"]]
        after = page["pageInfo"]["endCursor"]
        if not page["pageInfo"]["hasNextPage"]:
            break

    assert len(codes) == len(set(codes)) == page["totalCount"] == 54


@case("public/publicPermit", BARRA)
async def public_permit(ask: Asking) -> None:
    known = await permit_with(ask, "stand")

    found = await ask(plate=known["vehicle"]["plate"])

    assert (found["number"], found["state"], found["stand"]) == (known["number"], "active", known["stand"])
    assert await ask(plate="AAA0A00") is None


@case("public/quota", BARRA)
async def quota(ask: Asking) -> None:
    found = await ask(category="taxi")

    assert (found["outcome"], found["value"]["limit"]) == ("ALLOWED", 47)
    assert found["value"]["room"] == 47 - found["value"]["active"] > 0
    assert "art. 33, § 1" in articles(found)


@case("public/quoteQuota", BARRA)
async def quote_quota(ask: Asking) -> None:
    found = await ask(category="taxi", active=46, on="2010-10-15", suppose=supposing(town__populacao=65_000))

    assert (found["outcome"], found["value"]["room"]) == ("ALLOWED", 1)


@case("public/quoteShare", BARRA)
async def quote_share(ask: Asking) -> None:
    two = supposing(vehicle__doors=2)
    found = await ask(category="taxi", among="fleet", fleet=[{"count": 1, "facts": two}], entering=two, on="2010-10-15")

    assert (found["outcome"], found["value"]["counting"]) == ("DENIED", 2)


@case("public/quoteInfraction", COTRIGUACU)
async def quote_infraction(ask: Asking) -> None:
    found = await ask(codes=["CO-8-1", "CO-40-II"], seenOn="2011-02-10", category="taxi")

    assert (found["outcome"], found["money"]["brl"], found["money"]["unit"]) == ("VALUE", "650.00", "UFM")
    assert [struck["infraction"] for struck in found["value"]["struck"]] == ["CO-40-II"]


@case("public/quoteFare", COTRIGUACU)
async def quote_fare(ask: Asking) -> None:
    found = await ask(category="taxi", starts="2011-05-05T23:30", ends="2011-05-05T23:50", fare="10.00")

    assert (found["outcome"], found["number"]) == ("VALUE", "13.00")


@case("public/points", BARRA)
async def points(ask: Asking) -> None:
    """Neither law counts points."""
    found = await ask(past=[{"on": "2025-05-01", "points": 4, "keys": [{"key": "driver", "code": "d"}]}])

    assert (found["outcome"], found["value"]["total"], found["value"]["living"]) == ("VALUE", 0, [])


@case("public/term", COTRIGUACU)
async def term(ask: Asking) -> None:
    found = await ask(code="alvara", start="2010-02-01", on="2011-03-03")

    assert (found["outcome"], found["day"]) == ("VALUE", "2011-01-31")
    assert [step["last_day_before"] for step in found["value"]["late"]] == ["2011-01-31", "2011-03-02"]


@case("public/process", COTRIGUACU)
async def process(ask: Asking) -> None:
    found = await ask(process="administrativo", on="2011-05-12")

    assert found["value"]["judge"] == "financas"
    assert {"defesa", "decisao"} <= set(found["value"]["steps"])


@case("public/stepTerm", COTRIGUACU)
async def step_term(ask: Asking) -> None:
    found = await ask(process="administrativo", step="defesa", start="2011-05-13", on="2011-05-13")

    assert (found["outcome"], found["day"]) == ("VALUE", "2011-05-23")
    assert "art. 52" in articles(found)


@case("public/served", COTRIGUACU)
async def served(ask: Asking) -> None:
    found = await ask(way="post", dates=[{"event": "posted", "day": "2011-06-01"}], on="2011-08-01")

    assert found["value"]["served_on"] == "2011-06-11"


@case("public/fee", COTRIGUACU)
async def fee(ask: Asking) -> None:
    found = await ask(code="taxa_alvara", on="2010-05-03")

    assert (found["money"]["units"], found["money"]["brl"]) == ("46.28", "1504.10")


@case("public/vehicleAge", BARRA)
async def vehicle_age(ask: Asking) -> None:
    found = await ask(**TAXI, at="entry", suppose=supposing(vehicle__first_registration="2020-03-10"))

    assert (found["outcome"], found["day"]) == ("ALLOWED", "2026-03-10")


@case("public/mayHold", BARRA)
async def may_hold(ask: Asking) -> None:
    first = supposing(holder__permits=0, holder__vehicles=0)

    assert (await ask(category="taxi", holder="autonomo", suppose=first))["outcome"] == "ALLOWED"
    assert (await ask(category="taxi", holder="empresa", suppose=first))["outcome"] == "DENIED"


@case("public/substitute", BARRA)
async def substitute(ask: Asking) -> None:
    found = await ask(category="taxi", since="2026-03-10", days=10, requested=True, provedBy=["inss"], paper="atestado")

    assert found["outcome"] == "DENIED"
    assert "15 dias" in found["message"]


@case("public/transfer", BARRA)
async def transfer(ask: Asking) -> None:
    found = await ask(category="taxi", cause="sale", requestedOn="2026-03-10")

    assert (found["outcome"], found["value"]["free"]) == ("ALLOWED", True)


@case("public/inspectionDue", BARRA)
async def inspection_due(ask: Asking) -> None:
    assert (await ask(category="taxi", lastOn="2010-02-10", on="2010-03-01"))["value"]["due_on"] == "2010-08-10"


@case("public/campaign", BARRA)
async def campaign(ask: Asking) -> None:
    found = await ask(code="recadastramento", on="2010-01-04")

    assert (found["value"]["opens_on"], found["value"]["last_day"]) == ("2009-12-28", "2010-01-12")
    assert "art. 31" in articles(found)


@case("holder/myPermits", BARRA)
async def my_permits(ask: Asking) -> None:
    found = await ask()

    assert found["totalCount"] == len(found["edges"]) == 1
    permit = found["edges"][0]["node"]
    assert (permit["category"], permit["state"], permit["licence"]["state"]) == ("taxi", "active", "active")
    assert [deadline["kind"] for deadline in permit["deadlines"] if deadline["state"] == "open"] == ["alvara"]


@case("driver/demands", BARRA)
async def demands(ask: Asking) -> None:
    found = await ask()

    papers = {rule["payload"].get("paper") for rule in found["rules"]} - {None}
    assert {"cnh", "carteira_saude"} <= papers <= {code["code"] for code in found["papers"]}
    assert "driver.suspended" in {fact["code"] for fact in found["facts"]}


async def permit_with(ask: Asking, relation: str) -> Any:
    """A permit in force that has this."""
    page = await ask.stage.run("clerk/permits", town=ask.town, first=100, state="active")
    return next(edge["node"] for edge in page["edges"] if edge["node"][relation])
