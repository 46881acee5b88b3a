"""A holder of the third town's own kind over HTTP, from candidate to fine: no step asks for anything of the town's."""

from dataclasses import dataclass
from datetime import date
from typing import Any

import pytest

from tests.third_town.asking import ANSWER, TODAY, Decision, Ipe, supposing

CLERK = "bia"
NO = "... on Problem { code message } ... on Refused { decision { " + ANSWER + " } }"
FEDERAL = "Lei 12.009/2009"


async def act(ipe: Ipe, mutation: str, shown: str, given: dict[str, Any]) -> dict[str, Any]:
    """Do something as the clerk, and see what became of it."""
    type_ = f"{mutation[0].upper()}{mutation[1:]}Input"
    document = f"mutation ($input: {type_}!) {{ {mutation}(input: $input) {{ __typename {shown} {NO} }} }}"
    answer: dict[str, Any] = await ipe.run(document, subject=CLERK, input=given)
    return answer


async def made(ipe: Ipe, mutation: str, what: str, given: dict[str, Any]) -> str:
    """The id of what a registration made."""
    answer = await act(ipe, mutation, f"... on {what} {{ id }}", given)
    assert answer["__typename"] == what, answer
    return str(answer["id"])


@dataclass(frozen=True, slots=True)
class Candidate:
    """The ids of one who asks for a permit."""

    driver: str
    holder: str
    vehicle: str


async def registered(ipe: Ipe, cpf: str, cnh: str, plate: str) -> Candidate:
    """A member of the cooperative since long, with a licence and a motorcycle, who has yet to show the course."""
    person = await made(ipe, "registerPerson", "Person", {"cpf": cpf, "name": "Rui Prado", "birthOn": "1990-01-01"})
    licence = {"cnhNumber": cnh, "cnhCategories": ["A"], "cnhFirstOn": "2015-06-01", "cnhUntil": "2030-06-01"}
    driver = await made(ipe, "registerDriver", "Driver", {"personId": person, **licence})
    joined = [{"code": "local.cooperado_desde", "value": "2020-02-01"}]
    member = {"kind": "cooperado", "personId": person, "attributes": joined}
    holder = await made(ipe, "registerHolder", "Holder", member)
    seen = [{"code": "local.capacetes", "value": "1"}, {"code": "local.cilindradas", "value": "160"}]
    motorcycle = {"plate": plate, "holderId": holder, "manufactureYear": 2025, "fuel": "gasolina", "attributes": seen}
    return Candidate(driver, holder, await made(ipe, "registerVehicle", "Vehicle", motorcycle))


@pytest.fixture(scope="module")
async def clerk(ipe: Ipe) -> Ipe:
    """Somebody holds the office that the town's law gives the register to."""
    given = {"subject": CLERK, "office": "sutran", "since": TODAY.isoformat()}
    document = "mutation ($input: AppointInput!) { appoint(input: $input) { ... on Appointment { office } } }"
    answer = await ipe.run(document, subject="plataforma", operator=True, input=given)
    assert answer == {"office": "sutran"}
    return ipe


@pytest.fixture(scope="module")
async def candidate(clerk: Ipe) -> Candidate:
    return await registered(clerk, "52998224725", "02650306461", "BCD4E27")


async def eligible(ipe: Ipe, candidate: Candidate, **facts: object) -> Decision:
    ids = {"holderId": candidate.holder, "vehicleId": candidate.vehicle}
    return await ipe.answer("eligibility", subject=CLERK, category="mototaxi", **ids, suppose=supposing(**facts))


async def test_each_demand_has_its_answer_and_what_is_not_there_is_named(clerk: Ipe, candidate: Candidate) -> None:
    found = await eligible(clerk, candidate)

    assert (found.outcome, found.missing) == ("UNPROVEN", ["paper.curso_moto"])
    assert found.part("curso_piloto")["citations"] == [{"text": f"{FEDERAL}, art. 2, III"}]
    for rule in ("titulares_motos", "idade_federal", "habilitado_a", "capacete_passageiro", "cilindrada"):
        assert found.part(rule)["outcome"] == "ALLOWED"
    assert "idade_condutor" not in [used["code"] for part in found.body["parts"] for used in part["rules"]]


@pytest.mark.parametrize(
    ("facts", "rule", "article"),
    [
        ({"driver__age": 20}, "idade_federal", f"{FEDERAL}, art. 2, I"),  # the town would admit them at eighteen
        ({"local__capacetes": 0}, "capacete_passageiro", "Lei 88/2018, art. 9, II"),
        ({"local__cilindradas": 110}, "cilindrada", "Lei 88/2018, art. 9, I"),
        ({"local__cooperado_desde": "2025-12-01"}, "titulares_motos", "Lei 88/2018, art. 4"),
        ({"vehicle__manufacture_year": 2023}, "idade_entrada", "Lei 88/2018, art. 12"),
    ],
)
async def test_what_fails_is_denied_by_its_own_article(
    clerk: Ipe, candidate: Candidate, facts: dict[str, object], rule: str, article: str
) -> None:
    found = await eligible(clerk, candidate, **facts)

    assert (found.outcome, found.part(rule)["outcome"]) == ("DENIED", "DENIED")
    assert article in [each["text"] for each in found.part(rule)["citations"]]


@pytest.fixture(scope="module")
async def permitted(clerk: Ipe) -> str:
    """The id of a permit."""
    asking = await registered(clerk, "39053344705", "02650306463", "BCD4E29")
    course = {"subjectId": asking.driver, "code": "curso_moto", "issuedOn": "2023-05-04"}
    await made(clerk, "filePaper", "Paper", course)
    wish = {"category": "mototaxi", "holderId": asking.holder, "vehicleId": asking.vehicle}
    return await made(clerk, "grantPermit", "Permit", wish)


@pytest.mark.parametrize(("over", "brl"), [(45, "164.75"), (12, "90.00")])
async def test_a_fine_takes_its_tier_from_what_was_seen(clerk: Ipe, permitted: str, over: int, brl: str) -> None:
    fine = {"permitId": permitted, "infractions": ["IPE-03"], "seenOn": TODAY.isoformat()}
    seen = {**fine, "facts": [{"code": "local.excesso_kmh", "value": str(over)}]}

    unseen = await act(clerk, "issueFine", "... on Fine { brl }", fine)
    issued = await act(clerk, "issueFine", "... on Fine { brl }", seen)
    wrong = await act(clerk, "issueFine", "... on Fine { brl }", {**seen, "facts": [{"code": "local.x", "value": "1"}]})

    assert (unseen["__typename"], unseen["decision"]["missing"]) == (
        "Refused",
        [{"kind": "fact", "code": "local.excesso_kmh"}],
    )
    assert issued == {"__typename": "Fine", "brl": brl}
    assert wrong["__typename"] == "Invalid"


async def test_from_refusal_to_grant_to_fine(clerk: Ipe) -> None:
    asking = await registered(clerk, "11144477735", "02650306462", "BCD4E28")
    wish = {"category": "mototaxi", "holderId": asking.holder, "vehicleId": asking.vehicle}
    shown = "... on Permit { id category deadlines { kind lastDay article } }"

    refused = await act(clerk, "grantPermit", shown, wish)
    course = {"subjectId": asking.driver, "code": "curso_moto", "issuedOn": "2023-05-04"}
    await made(clerk, "filePaper", "Paper", course)
    granted = await act(clerk, "grantPermit", shown, wish)
    fine = {"permitId": granted.get("id"), "infractions": ["IPE-01", "IPE-02"], "seenOn": TODAY.isoformat()}
    issued = await act(clerk, "issueFine", "... on Fine { infraction brl unit }", fine)

    assert (refused["__typename"], refused["decision"]["missing"][0]["code"]) == ("Refused", "paper.curso_moto")
    assert granted["category"] == "mototaxi"
    assert {each["kind"]: (each["lastDay"], each["article"]) for each in granted["deadlines"]} == {
        "vigencia_credencial": ("2030-03-10", "Lei 88/2018, art. 3, § 2"),
        "estreia_moto": ("2026-03-31", "Lei 88/2018, art. 3, § 3"),  # the fifteenth working day
    }
    assert (issued["infraction"], issued["brl"], issued["unit"]) == ("IPE-01", "180.00", "BRL")
    agenda = await clerk.run("{ agenda(first: 10) { edges { node { kind lastDay } } } }", subject=CLERK)
    last_days = {edge["node"]["kind"]: edge["node"]["lastDay"] for edge in agenda["edges"]}
    assert last_days["pagar_ao_fundo_ipe"] == "2026-03-16"  # five days from Wednesday end on a Sunday


async def test_one_permit_is_all_that_a_member_may_have(clerk: Ipe, candidate: Candidate) -> None:
    found = await eligible(clerk, candidate, holder__permits=1)

    assert found.part("titulares_motos")["outcome"] == "DENIED"


async def test_the_quota_of_the_category_counts_the_permits_of_those_under_it(clerk: Ipe) -> None:
    """Whichever of the two is asked for: one permit of the wider category is in force, or none yet."""
    wider = await clerk.answer("quota", category="mototaxi", on=date(2026, 3, 10))
    narrower = await clerk.answer("quota", category="motocarga", on=date(2026, 3, 10))

    assert wider.value["active"] == narrower.value["active"]
    assert (narrower.outcome, narrower.value["limit"]) == ("ALLOWED", 91)
