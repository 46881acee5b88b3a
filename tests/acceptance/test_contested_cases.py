"""Cases in which several have a hand, and papers that went astray: nothing is decided twice, nothing is lost."""

from __future__ import annotations

import asyncio
import uuid
from typing import TYPE_CHECKING, Any

import pytest

from tests.acceptance.living import Living
from tests.acceptance.stage import COTRIGUACU
from tests.acceptance.trying import Trial

if TYPE_CHECKING:
    from tests.acceptance.stage import Stage

SEEN = "2011-05-05"
SERVED, LAST = "2011-05-12", "2011-05-20"
BOTH = [{"name": "Primeiro"}, {"name": "Segundo"}]


@pytest.fixture
async def living(legislated: Stage) -> Living:
    living = Living(legislated, COTRIGUACU)
    living.on("2011-01-10")
    return living


async def tried(living: Living, *infractions: str, fined: bool = True, **given: Any) -> Trial:
    permit = str((await living.permit(await living.somebody()))["id"])
    living.on(SEEN)
    made = await Trial.opened(living.stage, permit, *infractions, day=SEEN, fined=fined, **given)
    living.on(SERVED)
    return made


def parties(made: Trial) -> list[str]:
    return [each["id"] for each in made.case["parties"]]


async def each_served(made: Trial, day: str) -> None:
    for party in parties(made):
        known = [{"name": "acknowledged", "on": day}]
        await made.done("inspector/serveParty", partyId=party, way="person", dates=known)


def charges(made: Trial) -> dict[str, Any]:
    return {each["infraction"]: each for each in made.case["charges"]}


async def fresh(living: Living, made: Trial) -> Any:
    made.case = await living.ask("clerk/case", id=made.id)
    return made.case


# --- at once ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seen", [True, False], ids=["each saw a version", "nobody says which"])
async def test_of_two_who_decide_at_once_one_has_decided(living: Living, seen: bool) -> None:
    made = await tried(living)
    await made.served(SERVED)
    await made.defended()
    await made.replied()
    given = {"caseId": made.id, "text": "Decido."} | ({"version": made.case["version"]} if seen else {})
    decisions = [
        {**given, "outcomes": [{"chargeId": made.charge["id"], "outcome": outcome}]}
        for outcome in ("upheld", "dismissed")
    ]
    answers = await asyncio.gather(
        *(living.stage.act("secretary/decideCase", each, town=COTRIGUACU) for each in decisions)
    )
    case = await fresh(living, made)

    conflict = next(each for each in answers if each.get("code") == "CONFLICT")
    assert len([each for each in answers if "number" in each]) == 1
    assert len([each for each in case["pieces"] if each["kind"] == "decisao.decision"]) == 1
    assert conflict["message"]


# --- one of two -------------------------------------------------------------------------------------------------------


async def test_a_part_that_one_of_two_appeals_waits_and_the_rest_is_final_when_both_had_their_term(
    living: Living,
) -> None:
    made = await tried(living, "CO-40-III", "CO-40-V", respondents=BOTH)
    await each_served(made, SERVED)
    for party in parties(made):
        await made.done("clerk/fileDefence", partyId=party, text="Não foi assim.")
    await made.replied()
    await made.decided()
    await each_served(made, SERVED)
    first = parties(made)[0]
    living.on("2011-05-16")
    await made.done("clerk/fileAppeal", partyId=first, text="Só desta.", chargeIds=[charges(made)["CO-40-V"]["id"]])

    assert {code: each["finalOn"] for code, each in charges(made).items()} == {"CO-40-III": None, "CO-40-V": None}
    assert made.case["step"] == "recurso", "the other's term still runs"
    living.on("2011-05-24")
    await living.night()
    case = await fresh(living, made)
    assert (case["step"], charges(made)["CO-40-III"]["finalOn"]) == ("julgamento", "2011-05-24")
    assert charges(made)["CO-40-V"]["suspendedOn"] is not None
    fines = [(await living.ask("clerk/fineAccount", fineId=fine))["deadlines"][-1]["state"] for fine in made.fines]
    assert fines == ["open", "suspended"]
    said = [{"chargeId": charges(made)["CO-40-V"]["id"], "outcome": "dismissed"}]
    await made.done("mayor/decideCase", outcomes=said, text="Provejo.")
    assert {code: each["outcome"] for code, each in charges(made).items()} == {
        "CO-40-III": "upheld",
        "CO-40-V": "dismissed",
    }


# --- astray -----------------------------------------------------------------------------------------------------------


async def test_a_defence_left_with_the_mayor_counts_from_the_day_on_which_he_received_it(living: Living) -> None:
    made = await tried(living)
    await made.served(SERVED)
    living.on("2011-05-25")
    await living.night()
    assert (await fresh(living, made))["state"] == "final"
    await made.defended(addressedTo="prefeito", filedOn=LAST)

    piece = made.case["pieces"][-1]
    assert (made.case["step"], made.charge["finalOn"], made.charge["suspendedOn"]) == ("replica", None, LAST)
    assert (piece["filedOn"], piece["late"]) == (LAST, False)
    assert piece["title"] == "Impugnação (entregue a: prefeito; vale na instância competente)"
    assert made.term("replica")["lastDay"] == "2011-06-06", "ten days from the day on which it came into the file"


async def test_what_was_decided_without_a_defence_that_had_come_in_time_is_decided_again(living: Living) -> None:
    made = await tried(living, "CO-41-IV", fined=False)
    await made.served(SERVED)
    living.on("2011-05-23")
    await living.night()
    await fresh(living, made)
    await made.decided()
    assert (made.case["step"], made.charge["outcome"]) == ("recurso", "upheld")
    living.on("2011-05-25")
    await made.defended(addressedTo="camara", filedOn="2011-05-19")

    assert (made.case["step"], made.charge["outcome"]) == ("replica", None)
    await made.replied()
    await made.decided("dismissed")
    assert [each["kind"] for each in made.case["pieces"]].count("decisao.decision") == 2, "the first stays in the file"
    again = await made.act("clerk/fileDefence", partyId=made.party, text="De novo.", filedOn="2011-05-19")
    assert (again["code"], again["message"]) == ("CONFLICT", "Já não há o que impugnar neste processo.")


async def test_an_appeal_that_comes_to_light_when_all_is_carried_out_is_in_the_file_all_the_same(
    living: Living,
) -> None:
    made = await tried(living, "CO-41-IV", fined=False)
    await made.served(SERVED)
    await made.defended()
    await made.replied()
    await made.decided()
    await made.served(SERVED)
    living.on("2011-05-24")
    await living.night()
    await fresh(living, made)
    await made.done("mayor/enforceCharge", chargeId=made.charge["id"], until="2011-06-02")
    living.on("2011-05-25")
    await made.done("clerk/fileAppeal", partyId=made.party, text="Recorro.", filedOn="2011-05-20")

    piece = made.case["pieces"][-1]
    assert (piece["late"], piece["text"], made.charge["enforcedOn"]) == (False, "Recorro.", "2011-05-24")
    assert "recebida no prazo" in piece["title"]


async def test_a_second_defence_does_not_undo_a_decision_that_has_heard_the_first(living: Living) -> None:
    made = await tried(living)
    await made.served(SERVED)
    await made.defended()
    await made.replied()
    await made.decided()
    no = await made.act("clerk/fileDefence", partyId=made.party, text="Mais.", filedOn=SERVED)

    assert no["code"] == "CONFLICT"
    assert (await fresh(living, made))["charges"][0]["outcome"] == "upheld"


# --- what a file says -------------------------------------------------------------------------------------------------


async def test_what_a_defence_lacks_is_noted_and_no_reason_to_refuse_it(living: Living) -> None:
    made = await tried(living)
    await made.served(SERVED, receivedBy="Maria, esposa do autuado")
    wrong = await made.act("clerk/fileDefence", partyId=made.party, text="Nego.", contents=["testamento"])
    await made.defended(contents=["autoridade", "qualificacao", "motivos", "diligencias", "pedido"])

    assert (wrong["code"], wrong["field"]) == ("INVALID", "contents")
    served, defence = made.case["pieces"][-2:]
    assert "Recebida por: Maria, esposa do autuado." in served["text"]
    assert defence["title"] == "Impugnação (não traz: Provas que pretende produzir)"
    assert (defence["late"], made.case["step"]) == (False, "replica")


async def test_whoever_judges_may_order_at_any_point_and_nobody_else(living: Living) -> None:
    made = await tried(living)
    given = {"title": "oitiva do passageiro", "text": "Requerida só para protelar.", "order": "indeferir"}
    no = await made.act("inspector/addPiece", **given)
    unknown = await made.act("inspector/addPiece", role="secretary", **{**given, "order": "prender"})
    await made.done("inspector/addPiece", role="secretary", **given)

    assert (no["code"], unknown["field"]) == ("FORBIDDEN", "order")
    assert made.case["pieces"][-1]["title"] == "Indeferir medida protelatória: oitiva do passageiro"
    assert made.case["step"] == "defesa", "an order moves nothing"


async def test_that_a_decision_is_carried_out_stands_in_the_file(living: Living) -> None:
    made = await tried(living)
    await made.served(SERVED)
    living.on("2011-05-24")
    await living.night()
    await fresh(living, made)
    await made.done("inspector/enforceCharge", chargeId=made.charge["id"])

    piece = made.case["pieces"][-1]
    assert piece["title"] == "Execução da decisão: CO-40-III"
    assert "Decisão definitiva em 21/05/2011" in piece["text"]
    assert "Executa-se: multa de R$ 650,00." in piece["text"].replace("Multa", "multa")


async def test_what_is_challenged_with_suspensive_effect_counts_for_nothing_meanwhile(living: Living) -> None:
    """A warning that counts from its day on, as this town reads its law, does not while its defence is judged."""
    reading = {"code": "advertencia", "option": "any_warning", "why": "decreto", "officialOn": "2010-01-01"}
    await living.done("operator/chooseReading", **reading)
    permit = str((await living.permit(await living.somebody()))["id"])
    drawn = []
    living.on(SEEN)
    record = await recorded(living, permit)
    opening = {"openedBy": "registro_de_ocorrencia", "text": "Instaura-se."}
    tried_one = await living.done("inspector/tryOccurrence", occurrenceId=record["id"], **opening)
    page = await living.ask("clerk/cases", first=1)
    case = await living.ask("clerk/case", id=page["edges"][0]["node"]["id"])
    for defended in (False, True):
        living.on("2011-05-09" if not defended else "2011-05-10")
        if defended:
            given = {"caseId": case["id"], "partyId": case["parties"][0]["id"], "text": "Estava limpo."}
            await living.done("clerk/fileDefence", **given)
            conduct = await living.ask("inspector/conduct", subjectId=permit)
        preview = await recorded(living, permit)
        drawn.append([each["what"] for each in preview["penalties"]])

    assert tried_one["caseNumber"] == case["number"]
    assert drawn[0] == ["fine"], "the warning of the 5th counts"
    assert (conduct["entries"][0]["suspendedOn"], conduct["entries"][0]["counts"]) == ("2011-05-10", False)
    assert drawn[1] == ["warning"], "it stands still"


async def recorded(living: Living, permit: str) -> Any:
    sent = {"clientId": str(uuid.uuid4()), "seenAt": f"{living.today}T11:30", "place": "Centro"}
    given: dict[str, Any] = {**sent, "permitId": permit, "notifiedOn": str(living.today), "infractions": ["CO-39-I"]}
    return await living.done("inspector/recordOccurrence", **given)
