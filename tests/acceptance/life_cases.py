"""How the documents of a permit's life are asked, each on a permit of the fictitious register or one of its own."""

from datetime import date
from typing import Any

from tests.acceptance.living import Living
from tests.acceptance.operations import Asking, case
from tests.acceptance.stage import BARRA, COTRIGUACU, articles

PAST = date(2025, 2, 3)
LATE, LICENSED, OTHER, NEW = "0003/2023", "0001/2023", "0002/2023", "0001/2026"  # of Cotriguaçu


async def numbered(ask: Asking, number: str, category: str = "taxi") -> Any:
    page = await ask.stage.run("clerk/permits", town=ask.town, first=100, category=category)
    (found,) = [edge["node"] for edge in page["edges"] if edge["node"]["number"] == number]
    return found


async def of_last_year(ask: Asking, stand: str) -> Any:
    """A permit of Cotriguaçu that nobody else asks about."""
    living = Living(ask.stage, ask.town, PAST)
    who = await living.somebody()
    given: dict[str, Any] = {
        "category": "taxi",
        "holderId": who.holder,
        "vehicleId": who.vehicle,
        "stand": stand,
        "judged": True,
    }
    return await living.done("mayor/grantPermit", grantedOn=PAST.isoformat(), **given)


async def done(ask: Asking, document: str, **given: Any) -> Any:
    """What another role's document has made before."""
    return await ask.stage.done(document, given, town=ask.town)


async def stand_in(ask: Asking, number: str, since: str, until: str) -> dict[str, Any]:
    """An unfit holder with INSS's finding, and who would drive."""
    permit = await numbered(ask, number)
    living = Living(ask.stage, ask.town, date(2026, 3, 10))
    driver = await living.somebody(car=False)
    paper = {"code": "inss_incapacidade", "issuedOn": "2026-03-05", "validUntil": until}
    holder = (await ask.stage.run("clerk/permit", town=ask.town, id=permit["id"]))["holder"]["id"]
    await living.done("clerk/filePaper", subjectId=holder, **paper)
    return {"permitId": permit["id"], "driverId": driver.driver, "since": since, "provedBy": ["inss"]}


@case("clerk/permitLife", COTRIGUACU)
async def permit_life(ask: Asking) -> None:
    life = await ask(permitId=(await numbered(ask, LICENSED))["id"])

    assert (life["number"], life["state"]) == (LICENSED, "active")
    assert {"permissao", "alvara"} <= {standing["term"] for standing in life["standing"]}


@case("holder/permitLife", BARRA)
async def own_life(ask: Asking) -> None:
    mine = (await ask.stage.run("holder/myPermits", town=BARRA))["edges"][0]["node"]
    other = (await numbered(ask, "0003/2024"))["id"]
    body = await ask.stage.body("holder/permitLife", town=BARRA, permitId=other)

    assert (await ask(permitId=mine["id"]))["number"] == mine["number"]
    assert [error["extensions"]["code"] for error in body["errors"]] == ["FORBIDDEN"]


@case("clerk/renewalPackage", COTRIGUACU)
async def renewal_package(ask: Asking) -> None:
    permit = await numbered(ask, NEW)
    vehicle = (await ask.stage.run("clerk/permit", town=ask.town, id=permit["id"]))["vehicle"]["id"]
    await done(ask, "clerk/filePaper", subjectId=vehicle, code="ipva", issuedOn="2026-03-01", validUntil="2026-12-31")
    found = await ask(permitId=permit["id"])

    assert (found["since"], found["until"]) == ("2026-03-10", "2027-01-31")
    assert all(lapse["articles"] and lapse["message"] for lapse in found["lapses"])
    assert all(lapse["lastDay"] is None or lapse["lastDay"] < found["until"] for lapse in found["lapses"])


@case("holder/renewalPackage", BARRA)
async def own_package(ask: Asking) -> None:
    mine = (await ask.stage.run("holder/myPermits", town=BARRA))["edges"][0]["node"]

    assert (await ask(permitId=mine["id"]))["until"] > "2026-03-10"


@case("clerk/requestRenewal", COTRIGUACU)
async def request_renewal(ask: Asking) -> None:
    made = await ask.done(permitId=(await numbered(ask, LICENSED))["id"])

    assert (made["requestedOn"], made["decision"]["value"]["in_time"]) == ("2026-03-10", True)


@case("holder/requestRenewal", BARRA)
async def ask_for_ones_own(ask: Asking) -> None:
    mine = (await ask.stage.run("holder/myPermits", town=BARRA))["edges"][0]["node"]
    other = await numbered(ask, "0003/2024")
    refused = await ask.stage.act("holder/requestRenewal", {"permitId": other["id"]}, town=BARRA)

    assert (await ask.done(permitId=mine["id"]))["requestedOn"] == "2026-03-10"
    assert refused["code"] == "FORBIDDEN"


@case("inspector/fineLateness", COTRIGUACU)
async def fine_lateness(ask: Asking) -> None:
    made = await ask.done(permitId=(await numbered(ask, LATE))["id"], term="alvara")

    assert (made["infraction"], made["seenOn"], made["units"]) == ("CO-8-1", "2024-02-01", "20")


@case("mayor/extendPermit", COTRIGUACU)
async def extend_permit(ask: Asking) -> None:
    permit = await numbered(ask, OTHER)
    before = (await ask.stage.run("clerk/permit", town=ask.town, id=permit["id"]))["until"]
    made = await ask.done(permitId=permit["id"])
    again = await ask.stage.act("mayor/extendPermit", {"permitId": permit["id"]}, town=ask.town)

    assert made["until"] == before.replace(before[:4], str(int(before[:4]) + 5))
    assert (again["code"], "art. 8" in articles(again["decision"])) == ("REFUSED", True)


@case("mayor/grantPermit", COTRIGUACU, alone=True)
async def grant_permit(ask: Asking) -> None:
    """After a bidding that was held elsewhere, as the office attests."""
    who = await Living(ask.stage, ask.town, date(2026, 3, 10)).somebody()
    given = {"category": "taxi", "holderId": who.holder, "vehicleId": who.vehicle, "stand": "3"}
    made = await ask.done(**given, judged=True)

    assert (made["state"], made["stand"]["number"]) == ("active", 3)


@case("mayor/transferPermit", COTRIGUACU, alone=True)
async def transfer_permit(ask: Asking) -> None:
    permit = await of_last_year(ask, "3")
    to = await Living(ask.stage, ask.town, date(2026, 3, 10)).somebody(car=False)
    facts = [{"code": code, "value": "sim"} for code in ("local.aceita_condicoes", "heirs.waived")]
    given = {"cause": "morte", "holderId": to.holder, "papers": ["permissao_anterior"], "facts": facts, "judged": True}
    made = await ask.done(permitId=permit["id"], **given)

    assert (made["holder"]["id"], made["stand"]["number"], made["until"]) == (to.holder, 3, permit["until"])


@case("mayor/endPermit", COTRIGUACU, alone=True)
async def end_permit(ask: Asking) -> None:
    permit = await of_last_year(ask, "4")
    made = await ask.done(permitId=permit["id"], cause="a_pedido", version=permit["version"])

    assert (made["state"], made["endedOn"], made["endedCause"]) == ("ended", "2026-03-10", "a_pedido")


@case("clerk/admitSubstitute", COTRIGUACU)
async def admit_substitute(ask: Asking) -> None:
    made = await ask.done(**await stand_in(ask, NEW, "2026-03-10", "2026-03-31"))

    assert (made["rule"], made["until"], made["state"]) == ("invalidez", "2026-03-31", "active")


@case("clerk/endSubstitute", COTRIGUACU)
async def end_substitute(ask: Asking) -> None:
    given = await stand_in(ask, LATE, "2026-03-09", "2026-03-31")
    made = await done(ask, "clerk/admitSubstitute", **given)
    ended = await ask.done(substituteId=made["id"], why="Alta")

    assert (ended["until"], ended["state"]) == ("2026-03-09", "ended")


@case("clerk/admitStandIn", COTRIGUACU)
async def admit_stand_in(ask: Asking) -> None:
    permit = await numbered(ask, LICENSED)
    driver = await Living(ask.stage, ask.town, date(2026, 3, 10)).somebody(car=False)
    given = {"permitId": permit["id"], "driverId": driver.driver, "role": "espolio"}
    made = await ask.done(**given, facts=[{"code": "local.titular_falecido", "value": "sim"}])

    assert (made["role"], made["state"]) == ("espolio", "active")


@case("inspector/noteEvent", COTRIGUACU)
async def note_event(ask: Asking) -> None:
    made = await ask.done(permitId=(await numbered(ask, OTHER))["id"], event="absence_started", on="2026-03-05")

    assert "abandono" in {deadline["kind"] for deadline in made["deadlines"]}


@case("inspector/proposeEnding", BARRA)
async def propose_ending(ask: Asking) -> None:
    made = await ask.done(permitId=(await numbered(ask, "0006/2024", "escolar"))["id"], cause="cassacao")

    assert (made["effect"], made["state"]) == ("end", "open")
    assert "art. 8, IV" in articles(made["decision"])


@case("inspector/proposeSuspension", BARRA)
async def propose_suspension(ask: Asking) -> None:
    """A law may suspend by an infraction of its own, or by a sanction for any."""
    made = await ask.done(permitId=(await numbered(ask, "0006/2024", "escolar"))["id"], infraction="I-06")

    assert (made["effect"], made["office"]) == ("suspend", "financas")
    assert "art. 28, III" in articles(made["decision"])


@case("inspector/revealBar", BARRA)
async def reveal_bar(ask: Asking) -> None:
    permit = await numbered(ask, "0003/2024")
    kin = [{"code": "local.parente_taxista", "value": "sim"}]
    made = await ask.done(permitId=permit["id"], exclusion="parentesco", facts=kin)

    assert (made["cause"], made["ground"], made["state"]) == ("cancelamento", "parentesco", "open")
    assert "art. 3, § 2" in articles(made["decision"])


async def proposal(ask: Asking, number: str) -> Any:
    permit = await numbered(ask, number, "escolar")
    return await done(ask, "inspector/proposeEnding", permitId=permit["id"], cause="cassacao")


@case("mayor/finalizeEnding", BARRA)
async def finalize_ending(ask: Asking) -> None:
    made = await ask.done(proposalId=(await proposal(ask, "0009/2023"))["id"])

    assert (made["state"], made["closedOn"]) == ("applied", "2026-03-10")
    assert (await numbered(ask, "0009/2023", "escolar"))["state"] == "ended"


@case("mayor/dismissProposal", BARRA)
async def dismiss_proposal(ask: Asking) -> None:
    made = await ask.done(proposalId=(await proposal(ask, "0008/2023"))["id"], why="Defesa acolhida")

    assert (made["state"], made["closedOn"]) == ("dismissed", "2026-03-10")
    assert (await numbered(ask, "0008/2023", "escolar"))["state"] == "active"


@case("mayor/finalizeSuspension", COTRIGUACU)
async def finalize_suspension(ask: Asking) -> None:
    permit = await numbered(ask, NEW)
    made = await done(ask, "inspector/proposeSuspension", permitId=permit["id"], infraction="CO-41-III")
    suspended = await ask.done(proposalId=made["id"], until="2026-03-20")

    assert (suspended["since"], suspended["until"], suspended["state"]) == ("2026-03-10", "2026-03-20", "active")


@case("mayor/reactivatePermit", COTRIGUACU)
async def reactivate_permit(ask: Asking) -> None:
    permit = await numbered(ask, LICENSED)
    made = await done(ask, "inspector/proposeSuspension", permitId=permit["id"], infraction="CO-41-III")
    suspended = await done(ask, "mayor/finalizeSuspension", proposalId=made["id"], until="2026-03-20")
    lifted = await ask.done(suspensionId=suspended["id"], version=suspended["version"])

    assert lifted["state"] == "ended"
    assert (await ask.stage.run("clerk/permitLife", town=ask.town, permitId=permit["id"]))["suspended"] is False
