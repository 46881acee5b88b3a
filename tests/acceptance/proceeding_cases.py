"""How the documents of cases and of money are asked."""

import base64
import json
from typing import Any

from tests.acceptance.operations import Asking, case
from tests.acceptance.public_cases import permit_with
from tests.acceptance.stage import COTRIGUACU
from tests.acceptance.trying import DAY, Trial, fine_of
from tests.support.pages import words_of


async def trial(ask: Asking, *infractions: str, **given: Any) -> Trial:
    """A case about a permit of the register."""
    return await Trial.opened(ask.stage, (await permit_with(ask, "licence"))["id"], *infractions, **given)


async def own(ask: Asking) -> Trial:
    """A case about the permit of whoever asks."""
    mine = (await ask.stage.run("holder/myPermits", town=COTRIGUACU))["edges"][0]["node"]
    return await Trial.opened(ask.stage, mine["id"])


@case("inspector/openCase", COTRIGUACU)
async def open_case(ask: Asking) -> None:
    found = (await trial(ask)).case

    assert (found["state"], found["step"], found["version"]) == ("open", "defesa", 1)
    assert found["number"].endswith("/2026")
    assert [(each["kind"], each["firstPage"]) for each in found["pieces"]] == [("opening", 1)]


@case("clerk/addRepresentative", COTRIGUACU)
async def add_representative(ask: Asking) -> None:
    made = await trial(ask)
    found = await made.done("clerk/addRepresentative", partyId=made.party, text="Procuração.", name="Advogada")

    assert [(each["role"], each["actsFor"]) for each in found["parties"]] == [
        ("respondent", None),
        ("representative", made.party),
    ]


@case("clerk/endRepresentation", COTRIGUACU)
async def end_representation(ask: Asking) -> None:
    made = await trial(ask)
    await made.done("clerk/addRepresentative", partyId=made.party, text="Procuração.", name="Advogada")
    lawyer = made.case["parties"][1]["id"]
    found = await made.done("clerk/endRepresentation", partyId=lawyer, text="Renuncio.")

    assert (found["parties"][1]["endedOn"], found["pieces"][-1]["text"]) == (DAY, "Renuncio.")
    assert found["pieces"][-1]["title"] == "Fim do mandato de Advogada, desde 10/03/2026"
    assert (await made.act("clerk/endRepresentation", partyId=lawyer, text="Renuncio."))["code"] == "CONFLICT"


@case("inspector/addPiece", COTRIGUACU)
async def add_piece(ask: Asking) -> None:
    found = await (await trial(ask)).done("inspector/addPiece", title="Fotografia", text="Descrição.", restricted=False)

    assert (found["pieces"][-1]["title"], found["pieces"][-1]["previous"]) == (
        "Fotografia",
        found["pieces"][0]["chain"],
    )


@case("inspector/serveParty", COTRIGUACU)
async def serve_party(ask: Asking) -> None:
    made = await trial(ask)
    await made.served(refused=True)

    assert (made.term("defesa")["lastDay"], made.case["services"][0]["refused"]) == ("2026-03-18", True)


@case("holder/fileDefence", COTRIGUACU)
async def own_defence(ask: Asking) -> None:
    made = await own(ask)
    found = await made.done("holder/fileDefence", partyId=made.party, text="Não fui eu.")

    assert (found["step"], found["charges"][0]["suspendedOn"]) == ("replica", DAY)


@case("clerk/fileDefence", COTRIGUACU)
async def defence_at_the_counter(ask: Asking) -> None:
    made = await trial(ask)
    await made.served()

    assert (await made.defended(filedOn=DAY))["step"] == "replica"


@case("holder/fileAppeal", COTRIGUACU)
async def own_appeal(ask: Asking) -> None:
    made = await (await own(ask)).judged()
    await made.served()
    found = await made.done("holder/fileAppeal", partyId=made.party, text="Recorro.")

    assert (found["step"], found["charges"][0]["appealedOn"]) == ("julgamento", DAY)


@case("clerk/fileAppeal", COTRIGUACU)
async def appeal_at_the_counter(ask: Asking) -> None:
    made = await (await trial(ask)).judged()
    given: dict[str, Any] = {"partyId": made.party, "text": "Recorro de parte.", "chargeIds": [made.charge["id"]]}

    assert (await made.done("clerk/fileAppeal", **given))["step"] == "julgamento"


@case("inspector/takeStep", COTRIGUACU)
async def reply(ask: Asking) -> None:
    made = await trial(ask)
    await made.defended()

    assert (await made.replied())["step"] == "decisao"


async def to_be_decided(ask: Asking) -> Trial:
    made = await trial(ask)
    await made.defended()
    await made.replied()
    return made


@case("secretary/orderDiligence", COTRIGUACU)
async def order_diligence(ask: Asking) -> None:
    made = await to_be_decided(ask)
    found = await made.done("secretary/orderDiligence", text="Ouça-se o passageiro.", version=made.case["version"])

    assert (found["step"], made.term("diligencia")["lastDay"]) == ("diligencia", "2026-03-16")


@case("secretary/takeStep", COTRIGUACU)
async def diligence(ask: Asking) -> None:
    made = await to_be_decided(ask)
    await made.done("secretary/orderDiligence", text="Ouça-se o passageiro.")

    assert (await made.done("secretary/takeStep", text="Ouvido."))["step"] == "decisao"


@case("secretary/decideCase", COTRIGUACU)
async def decide(ask: Asking) -> None:
    made = await to_be_decided(ask)
    found = await made.decided("dismissed", version=made.case["version"])

    assert (found["state"], found["charges"][0]["finalOn"]) == ("final", DAY)


@case("mayor/decideCase", COTRIGUACU)
async def judge(ask: Asking) -> None:
    made = await (await trial(ask)).judged()
    await made.done("clerk/fileAppeal", partyId=made.party, text="Recorro.")
    found = await made.decided(role="mayor")

    assert (found["state"], found["charges"][0]["outcome"]) == ("final", "upheld")


async def upheld(ask: Asking, *infractions: str, **given: Any) -> Trial:
    made = await (await trial(ask, *infractions, **given)).judged()
    await made.done("clerk/fileAppeal", partyId=made.party, text="Recorro.")
    await made.decided(role="mayor")
    return made


@case("inspector/enforceCharge", COTRIGUACU)
async def enforce(ask: Asking) -> None:
    made = await upheld(ask)
    found = await made.done("inspector/enforceCharge", chargeId=made.charge["id"])

    assert found["charges"][0]["enforcedOn"] == DAY


@case("mayor/enforceCharge", COTRIGUACU)
async def suspend(ask: Asking) -> None:
    made = await upheld(ask, "CO-41-IV", fined=False)
    found = await made.done("mayor/enforceCharge", chargeId=made.charge["id"], until="2026-04-10")

    assert found["charges"][0]["enforcedOn"] == DAY


async def kept(ask: Asking) -> Trial:
    made = await to_be_decided(ask)
    await made.decided("dismissed")
    await made.done("inspector/archiveCase", text="Arquive-se.")
    return made


@case("inspector/archiveCase", COTRIGUACU)
async def archive(ask: Asking) -> None:
    made = await kept(ask)

    assert (made.case["state"], made.term("retention")["lastDay"]) == ("archived", "2031-03-10")


@case("secretary/holdCase", COTRIGUACU)
async def hold(ask: Asking) -> None:
    assert (await (await trial(ask)).done("secretary/holdCase", why="Ordem judicial"))["heldOn"] == DAY


@case("secretary/releaseCase", COTRIGUACU)
async def release(ask: Asking) -> None:
    made = await trial(ask)
    await made.done("secretary/holdCase", why="Ordem judicial")

    assert (await made.done("secretary/releaseCase", why="Ordem revogada"))["heldOn"] is None


@case("secretary/disposeCase", COTRIGUACU)
async def dispose(ask: Asking) -> None:
    """Years of keeping pass in `test_proceedings`; here they have not."""
    no = await (await kept(ask)).act("secretary/disposeCase")

    assert (no["code"], "10/03/2031" in no["message"]) == ("REFUSED", True)


@case("clerk/recordPayment", COTRIGUACU)
async def record_payment(ask: Asking) -> None:
    fine = await fine_of(ask.stage, (await permit_with(ask, "licence"))["id"], "CO-40-IV", DAY)
    found = await ask.done(fineId=fine, brl="50.00", reference=f"guia {fine}")

    assert (found["paid"], found["left"], found["payments"][0]["paidOn"]) == ("50.00", "600.00", DAY)


@case("secretary/sendToActiveDebt", COTRIGUACU)
async def send_to_debt(ask: Asking) -> None:
    """What is not yet due is not sent."""
    fine = await fine_of(ask.stage, (await permit_with(ask, "licence"))["id"], "CO-40-V", DAY)
    no = await ask.stage.act(ask.document, {"fineId": fine}, town=COTRIGUACU)

    assert (no["code"], no["message"]) == ("REFUSED", "A multa ainda não é definitiva: cabe defesa até 18/03/2026.")


@case("clerk/fineAccount", COTRIGUACU)
async def fine_account(ask: Asking) -> None:
    fine = await fine_of(ask.stage, (await permit_with(ask, "licence"))["id"], "CO-40-VIII", DAY)
    found = await ask(fineId=fine)

    assert (found["left"], found["debt"], found["deadlines"][0]["lastDay"]) == ("650.00", None, "2026-04-09")


@case("clerk/case", COTRIGUACU)
async def case_by_id(ask: Asking) -> None:
    made = await trial(ask)

    assert await ask(id=made.id) == made.case


@case("holder/case", COTRIGUACU)
async def own_case(ask: Asking) -> None:
    made = await own(ask)
    page = await ask.stage.run("clerk/permits", town=COTRIGUACU, first=100, state="active")
    mine = made.case["parties"][0]["name"]
    permit = next(edge["node"]["id"] for edge in page["edges"] if edge["node"]["holder"]["name"] != mine)
    others = await Trial.opened(ask.stage, permit)

    assert (await ask(id=made.id))["number"] == made.case["number"]
    body = await ask.stage.body(ask.document, town=COTRIGUACU, id=others.id)
    assert [error["extensions"]["code"] for error in body["errors"]] == ["FORBIDDEN"]


@case("clerk/cases", COTRIGUACU)
async def cases(ask: Asking) -> None:
    made = [await trial(ask) for _ in range(2)]
    page = await ask(first=1)
    after = await ask(first=100, after=page["pageInfo"]["endCursor"], state="open")

    assert page["edges"][0]["node"]["id"] == made[1].id
    assert after["edges"][0]["node"]["id"] == made[0].id
    assert {edge["node"]["state"] for edge in after["edges"]} == {"open"}


@case("public/publicCase", COTRIGUACU)
async def public_case(ask: Asking) -> None:
    made = await to_be_decided(ask)
    await made.decided("dismissed")
    found = await ask(number=made.case["number"])

    texts = {piece["title"]: piece["text"] for piece in found["pieces"]}
    assert texts["Decisão de primeira instância"] == "Fundamentos e decisão."
    assert texts["Impugnação"] is None
    assert made.case["parties"][0]["name"] not in json.dumps(found, ensure_ascii=False)
    assert await ask(number="9999/2026") is None


async def certified(ask: Asking, made: Trial) -> None:
    await made.served()
    found = await ask(deadlineId=made.term("defesa")["id"])

    assert [day["counted"] for day in found["days"]] == [False, *[True] * 8]
    assert found["days"][0]["why"] == "dia do começo: não se conta"
    assert "rolar" in {reading["code"] for reading in found["readings"]}


@case("clerk/deadlineCertificate", COTRIGUACU)
async def certificate(ask: Asking) -> None:
    await certified(ask, await trial(ask))


@case("holder/deadlineCertificate", COTRIGUACU)
async def own_certificate(ask: Asking) -> None:
    await certified(ask, await own(ask))


async def exported(ask: Asking, made: Trial) -> None:
    found = await ask(id=made.id)
    twin = json.loads(found["twin"])

    assert f"Processo {found['number']}" in words_of(base64.b64decode(found["pdf"]))
    assert (found["number"], twin["number"]) == (made.case["number"],) * 2
    assert found["head"] == twin["pieces"][-1]["chain"] == made.case["pieces"][-1]["chain"]


@case("clerk/caseFile", COTRIGUACU)
async def case_file(ask: Asking) -> None:
    await exported(ask, await to_be_decided(ask))


@case("holder/caseFile", COTRIGUACU)
async def own_case_file(ask: Asking) -> None:
    await exported(ask, await own(ask))
