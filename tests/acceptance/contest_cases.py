"""How the documents of a call for vacancies are asked."""

import hashlib
import json
from typing import Any

from tests.acceptance.calling import LAST_DAY, LOTTERY, Calling, for_a_while
from tests.acceptance.operations import Asking, case
from tests.acceptance.stage import BARRA, COTRIGUACU


def calling(ask: Asking) -> Calling:
    return Calling(ask.stage, ask.town)


def states(call: Any) -> list[str]:
    return [each["state"] for each in call["candidates"]]


@case("secretary/openCall", BARRA)
async def open_call(ask: Asking) -> None:
    made = await ask.done(category="taxi", vacancies=1, announcedOn="2026-03-02", closesOn="2026-03-20")

    assert (made["state"], made["closesOn"]) == ("open", "2026-03-20")
    assert [each["kind"] for each in made["deadlines"]] == ["enrolment"]


@case("clerk/enrolCandidate", BARRA)
async def enrol_candidate(ask: Asking) -> None:
    here = calling(ask)
    await here.opens()
    made = await ask.done(**await here.enrolling())

    assert (made["state"], made["enrolledOn"]) == ("enrolled", LAST_DAY)


@case("secretary/freezeCall", BARRA)
async def freeze_call(ask: Asking) -> None:
    here = calling(ask)
    await here.opens()
    for _ in range(2):
        await here.enrols()
    made = await ask.done(callId=here.call["id"], **here.draw())

    assert (made["state"], made["waits"], made["drawSource"]) == ("frozen", "judgement", LOTTERY)
    assert [each["revision"] for each in made["lists"]] == [1]


@case("inspector/recordJudgement", BARRA)
async def record_judgement(ask: Asking) -> None:
    here = calling(ask)
    await here.frozen()
    made = await ask.done(**here.judging(6, 1, 1))

    assert made["waits"] == "seed"


@case("secretary/enterSeed", BARRA)
async def enter_seed(ask: Asking) -> None:
    with for_a_while(ask.stage):
        here = calling(ask)
        await here.frozen()
        await here.judges(6, 1, 1)
        here.pass_days(4)
        drawn = {"seed": "48213", "source": LOTTERY, "drawnOn": str(here.today)}
        made = await ask.done(callId=here.call["id"], **drawn)

    assert made["seed"] == "48213"


@case("secretary/publishResult", BARRA)
async def publish_result(ask: Asking) -> None:
    here = calling(ask)
    await here.ranked()
    made = await ask.done(callId=here.call["id"])

    assert made["state"] == "published"
    assert [each["place"] for each in made["candidates"]] == [1, 2]
    assert {each["kind"] for each in made["deadlines"] if each["state"] == "open"} == {"recurso_selecao"}


@case("clerk/fileObjection", BARRA)
async def file_objection(ask: Asking) -> None:
    here = calling(ask)
    await here.published()
    made = await ask.done(candidateId=here.candidates[1]["id"], says="Tenho mais um dependente.")

    assert (made["upheld"], made["candidateId"]) == (None, here.candidates[1]["id"])


@case("holder/fileObjection", BARRA)
async def object_for_oneself(ask: Asking) -> None:
    here = calling(ask)
    mine = await here.published_with_the_account()
    given = {"candidateId": mine["candidate"]["id"], "says": "Meu veículo é o mais novo."}
    made = await ask.stage.done(ask.document, given, town=ask.town, role="candidate")

    assert (made["upheld"], made["candidateId"]) == (None, here.candidates[-1]["id"])
    other = {**given, "candidateId": here.candidates[0]["id"]}
    no = await ask.stage.act(ask.document, other, town=ask.town, role="candidate")
    assert no["code"] == "FORBIDDEN"


@case("holder/myCandidacies", BARRA)
async def my_candidacies(ask: Asking) -> None:
    here = calling(ask)
    told = await here.published_with_the_account()

    assert told["candidate"]["id"] == here.candidates[-1]["id"]
    assert (told["candidate"]["place"], told["call"]["state"]) == (2, "published")
    assert "recurso_selecao" in [each["kind"] for each in told["deadlines"] if each["state"] == "open"]
    assert await ask.stage.run(ask.document, town=ask.town, role="holder") == []


@case("mayor/decideObjection", BARRA)
async def decide_objection(ask: Asking) -> None:
    here = calling(ask)
    await here.published()
    filed = await here.done("clerk/fileObjection", candidateId=here.candidates[1]["id"], says="A proposta era melhor.")
    made = await ask.done(objectionId=filed["id"], upheld=False, why="Não é.")

    assert (made["upheld"], made["decidedOn"]) == (False, "2026-03-10")


@case("mayor/award", COTRIGUACU, alone=True)
async def award(ask: Asking) -> None:
    with for_a_while(ask.stage):
        here = calling(ask)
        await here.published()
        here.pass_days(8)
        made = await ask.done(callId=here.call["id"])

    assert (made["state"], states(made)) == ("awarded", ["awarded", "enrolled"])


@case("secretary/undoCall", BARRA)
async def undo_call(ask: Asking) -> None:
    """Neither founding law knows it; `test_selection` publishes one that does."""
    here = calling(ask)
    await here.opens()
    given = {"callId": here.call["id"], "undoing": "revogacao", "why": "Interesse público."}
    no = await ask.stage.act(ask.document, given, town=ask.town)

    assert no["code"] == "REFUSED"
    assert no["message"] == "A lei deste município não prevê desfazer o edital por revogacao."
    assert [(each["kind"], each["code"]) for each in no["decision"]["missing"]] == [("rule", "selection")]


@case("secretary/callNext", BARRA)
async def call_next(ask: Asking) -> None:
    with for_a_while(ask.stage):
        here = calling(ask)
        await here.awarded()
        made = await ask.done(candidateId=here.candidates[0]["id"], why="Desistiu por escrito.")
        call = await here.stage.run("clerk/call", town=here.town, id=here.call["id"])

    assert (made["state"], made["lostWhy"]) == ("lost", "Desistiu por escrito.")
    assert states(call) == ["lost", "awarded"]


@case("mayor/signAdhesion", COTRIGUACU, alone=True)
async def sign_adhesion(ask: Asking) -> None:
    with for_a_while(ask.stage):
        here = calling(ask)
        await here.awarded()
        made = await ask.done(candidateId=here.candidates[0]["id"], stand="3", judged=True)

    assert (made["state"], [each["state"] for each in made["deadlines"]]) == ("signed", ["met"])
    assert made["permitId"]


@case("clerk/calls", BARRA)
async def calls(ask: Asking) -> None:
    here = calling(ask)
    await here.frozen()
    page = await ask(first=1)

    (node,) = [each["node"] for each in page["edges"]]
    assert (node["id"], node["state"], states(node)) == (here.call["id"], "frozen", ["enrolled", "enrolled"])


@case("clerk/call", BARRA)
async def call(ask: Asking) -> None:
    here = calling(ask)
    await here.published()
    told = await ask(id=here.call["id"])

    assert [each["reasons"][0]["why"] for each in told["candidates"]] == [
        "Veículo próprio mais bem conservado: 1º de 2",
        "Veículo próprio mais bem conservado: 2º de 2",
    ]


@case("public/publicCall", BARRA)
async def public_call(ask: Asking) -> None:
    here = calling(ask)
    await here.published()
    told = await ask(number=here.call["number"])

    assert [each["place"] for each in told["candidates"]] == [1, 2]
    for each in told["lists"]:
        assert hashlib.sha256(each["text"].encode()).hexdigest() == each["sha256"]
    assert not [each for each in here.candidates if each["name"] in json.dumps(told, ensure_ascii=False)]


@case("public/drawProof", BARRA)
async def draw_proof(ask: Asking) -> None:
    here = calling(ask)
    await here.published()
    told = await ask(number=here.call["number"])

    assert hashlib.sha256(told["text"].encode()).hexdigest() == told["sha256"]
    assert [len(equals) for equals in json.loads(told["text"])["order"]] == [1, 1]
