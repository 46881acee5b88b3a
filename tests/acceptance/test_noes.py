"""A no is an answer: what kind, why by which article, which field, which version; and nothing half-done."""

from __future__ import annotations

import asyncio
import uuid
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy.exc import DBAPIError

from api.types.scalars import global_id
from services.registry import store as registry
from tests.acceptance.applying import another_car, applicant, car_input, person_input
from tests.acceptance.stage import BARRA, COTRIGUACU, articles

if TYPE_CHECKING:
    from tests.acceptance.applying import Applicant
    from tests.acceptance.stage import Stage

TAXI = {"category": "taxi"}


async def granted(stage: Stage, who: Applicant | None = None) -> Any:
    """A taxi of Barra in service."""
    who = who or await applicant(stage, BARRA)
    return await stage.done("secretary/grantPermit", {**TAXI, **who.pair}, town=BARRA)


async def acts_of(stage: Stage, permit: Any) -> list[str]:
    return [act["verb"] for act in await stage.run("clerk/acts", town=BARRA, subjectId=permit["id"])]


# --- Refused: the law says no -----------------------------------------------------------------------------------------


async def test_a_candidate_who_does_not_meet_the_law_is_refused_with_every_answer(seen: Stage) -> None:
    who = await applicant(seen, BARRA, local__vinculo="sim")
    before = (await seen.run("clerk/permits", town=BARRA))["totalCount"]

    no = await seen.act("secretary/grantPermit", {**TAXI, **who.pair}, town=BARRA)

    assert (no["code"], no["decision"]["outcome"]) == ("REFUSED", "DENIED")
    assert "art. 11" in articles(no["decision"])
    assert no["message"] == no["decision"]["message"]
    parts = no["decision"]["parts"]
    assert {part["outcome"] for part in parts} == {"ALLOWED", "DENIED"}
    assert all(part["message"] for part in parts)
    assert (await seen.run("clerk/permits", town=BARRA))["totalCount"] == before


async def test_what_is_still_to_prove_is_asked_for(seen: Stage) -> None:
    who = await applicant(seen, BARRA, local__vinculo="", local__parente_taxista="")

    no = await seen.act("secretary/grantPermit", {**TAXI, **who.pair}, town=BARRA)

    assert (no["code"], no["decision"]["outcome"]) == ("REFUSED", "UNPROVEN")
    missing = {m["code"]: m for part in no["decision"]["parts"] for m in part["missing"]}
    assert {"local.vinculo", "local.parente_taxista"} <= set(missing)
    assert missing["local.vinculo"]["ask"] == "Tem vínculo empregatício formalizado?"
    assert {m["kind"] for m in missing.values()} == {"fact"}


async def test_nobody_judges_in_the_law_s_place(seen: Stage) -> None:
    """`judged` decides what the law leaves to an office, and nothing else."""
    who = await applicant(seen, BARRA, local__vinculo="sim")

    assert (await seen.act("secretary/grantPermit", {**TAXI, **who.pair, "judged": True}, town=BARRA))[
        "code"
    ] == "REFUSED"


async def test_a_full_stand_refuses_by_its_article(seen: Stage) -> None:
    who = await applicant(seen, COTRIGUACU)
    given = {**TAXI, **who.pair, "stand": "2", "judged": True}

    no = await seen.act("secretary/grantPermit", given, town=COTRIGUACU, role="mayor")

    assert no["code"] == "REFUSED"
    assert "art. 18, II" in articles(no["decision"])
    assert "completo: 1 de 1" in " ".join(part["message"] for part in no["decision"]["parts"])


async def test_a_fact_that_is_no_infraction_is_not_fined(seen: Stage) -> None:
    permit = await granted(seen)
    given = {"permitId": permit["id"], "seenOn": "2026-03-10", "infractions": ["I-19"]}

    no = await seen.act("inspector/issueFine", given, town=BARRA, role="secretary")

    assert (no["code"], no["decision"]["outcome"]) == ("REFUSED", "DENIED")
    assert "I-19" in no["message"]
    assert await acts_of(seen, permit) == ["permit.granted"], "no act of what was not done"


# --- Invalid: an input is wrong, and named ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("document", "changes", "field", "problem"),
    [
        ("Person", {"cpf": "111.444.777-36"}, "cpf", "check_digits"),
        ("Person", {"name": "Ana Lima 529.982.247-25"}, "name", "digits"),
        ("Person", {"birthOn": "2026-03-11"}, "birthOn", "future"),
        ("Person", {"attributes": [{"code": "local.nada", "value": "sim"}]}, "attributes", "unknown_fact"),
        ("Person", {"attributes": [{"code": "local.vinculo", "value": "talvez"}]}, "attributes", "fact_type"),
        ("Vehicle", {"plate": "ABC12D4"}, "plate", "form"),
        ("Vehicle", {"renavam": "12345678901"}, "renavam", "check_digits"),
        ("Vehicle", {"modelYear": 2031}, "modelYear", "order"),
        ("Vehicle", {"doors": 0}, "doors", "positive"),
        ("Holder", {"kind": "nobreza"}, "kind", "unknown_code"),
        ("Holder", {"personId": None}, "personId", "one_of"),
    ],
)
async def test_a_wrong_input_is_named(
    seen: Stage, document: str, changes: dict[str, Any], field: str, problem: str
) -> None:
    holder = (await seen.run("clerk/permits", town=BARRA, first=1))["edges"][0]["node"]["holder"]["id"]
    person = (await seen.run("clerk/people", town=BARRA, first=1))["edges"][0]["node"]["id"]
    given: dict[str, Any] = {
        "Person": person_input(),
        "Vehicle": car_input(BARRA, holder),
        "Holder": {"kind": "autonomo", "personId": person},
    }[document]

    no = await seen.act(f"clerk/register{document}", {**given, **changes}, town=BARRA)

    assert (no["code"], no["field"], no["problem"]) == ("INVALID", field, problem)
    assert no["message"]


async def test_a_number_in_the_register_is_taken(seen: Stage) -> None:
    given = person_input()
    await seen.done("clerk/registerPerson", given, town=BARRA)

    no = await seen.act("clerk/registerPerson", {**given, "name": "Outra pessoa"}, town=BARRA)

    assert (no["code"], no["field"], no["problem"]) == ("INVALID", "cpf", "taken")


async def test_a_day_to_come_is_no_day_of_a_grant(seen: Stage) -> None:
    who = await applicant(seen, BARRA)

    no = await seen.act("secretary/grantPermit", {**TAXI, **who.pair, "grantedOn": "2026-03-11"}, town=BARRA)

    assert (no["code"], no["field"]) == ("INVALID", "grantedOn")


# --- Conflict: somebody was faster ------------------------------------------------------------------------------------


async def test_a_swap_of_a_permit_that_has_changed_is_a_conflict_with_both_versions(seen: Stage) -> None:
    who = await applicant(seen, BARRA)
    permit = await granted(seen, who)
    first, second = [await another_car(seen, BARRA, who.holder) for _ in range(2)]
    swap = {"permitId": permit["id"], "vehicleId": first, "version": permit["version"]}
    swapped = await seen.done("clerk/swapVehicle", swap, town=BARRA, role="secretary")

    no = await seen.act("clerk/swapVehicle", {**swap, "vehicleId": second}, town=BARRA, role="secretary")

    assert (no["code"], no["expected"], no["actual"]) == ("CONFLICT", permit["version"], swapped["version"])
    now = await seen.run("clerk/permit", town=BARRA, id=permit["id"])
    assert (now["vehicle"]["id"], now["version"]) == (first, swapped["version"])
    assert await acts_of(seen, permit) == ["permit.granted", "vehicle.swapped"]


async def test_a_car_serves_one_permit(seen: Stage) -> None:
    one, other = await applicant(seen, BARRA), await applicant(seen, BARRA)
    await granted(seen, one)
    permit = await granted(seen, other)

    swap = {"permitId": permit["id"], "vehicleId": one.vehicle}
    no = await seen.act("clerk/swapVehicle", swap, town=BARRA, role="secretary")

    assert no["code"] in {"CONFLICT", "REFUSED"}
    assert (await seen.run("clerk/permit", town=BARRA, id=permit["id"]))["vehicle"]["id"] == other.vehicle


# --- A request that is made again -------------------------------------------------------------------------------------


async def test_a_repeated_grant_is_answered_with_the_first_and_not_done_again(seen: Stage) -> None:
    who = await applicant(seen, BARRA)
    given = {**TAXI, **who.pair, "requestId": "outorga-1"}

    first = await seen.done("secretary/grantPermit", given, town=BARRA)
    again = await seen.done("secretary/grantPermit", given, town=BARRA)

    assert again == first
    assert await acts_of(seen, first) == ["permit.granted"]


async def test_the_same_request_with_other_input_is_a_conflict(seen: Stage) -> None:
    one, other = await applicant(seen, BARRA), await applicant(seen, BARRA)
    await seen.done("secretary/grantPermit", {**TAXI, **one.pair, "requestId": "outorga-2"}, town=BARRA)

    no = await seen.act("secretary/grantPermit", {**TAXI, **other.pair, "requestId": "outorga-2"}, town=BARRA)
    granted_after_all = await seen.act("secretary/grantPermit", {**TAXI, **other.pair}, town=BARRA)

    assert no["code"] == "CONFLICT"
    assert "requestId" in no["message"]
    assert granted_after_all["state"] == "active"


@pytest.mark.parametrize(
    ("document", "role"), [("clerk/issueLicence", "secretary"), ("inspector/issueFine", "secretary")]
)
async def test_licences_and_fines_are_not_made_twice(seen: Stage, document: str, role: str) -> None:
    permit = await granted(seen)
    given: dict[str, Any] = {"permitId": permit["id"], "requestId": f"{document} {permit['id']}"}
    if document.endswith("issueFine"):
        given |= {"seenOn": "2026-03-10", "infractions": ["I-17"]}

    first = await seen.done(document, given, town=BARRA, role=role)

    assert await seen.done(document, given, town=BARRA, role=role) == first


async def test_a_request_that_was_refused_may_be_made_again(seen: Stage) -> None:
    """A no leaves nothing, not even its name."""
    who = await applicant(seen, BARRA)
    given = {**TAXI, **who.pair, "requestId": "outorga-3"}
    refused = await seen.act("secretary/grantPermit", {**given, "stand": "no such"}, town=BARRA)

    made = await seen.act("secretary/grantPermit", given, town=BARRA)

    assert refused["code"] == "INVALID"
    assert made["state"] == "active"


async def test_of_the_same_request_ten_times_at_once_one_grant_comes(seen: Stage) -> None:
    who = await applicant(seen, BARRA)
    given = {**TAXI, **who.pair, "requestId": "outorga-4"}
    before = (await seen.run("clerk/permits", town=BARRA))["totalCount"]

    made = await asyncio.gather(*(seen.act("secretary/grantPermit", given, town=BARRA) for _ in range(10)))

    assert {permit["number"] for permit in made} == {made[0]["number"]}
    assert (await seen.run("clerk/permits", town=BARRA))["totalCount"] == before + 1


# --- A bug is no no ---------------------------------------------------------------------------------------------------


async def test_a_fault_of_the_database_is_masked_and_the_next_request_is_answered(
    seen: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Here: nobody looked whether the person is there, and a foreign key does."""

    async def looked_at_nothing(*given: object) -> None:
        return None

    with monkeypatch.context() as patch:
        patch.setattr(registry, "must_exist", looked_at_nothing)
        given = {"kind": "autonomo", "personId": global_id("person", uuid.uuid4())}
        answer = await seen.body("clerk/registerHolder", town=BARRA, input=given)

    (error,) = answer["errors"]
    assert error["extensions"]["code"] == "INTERNAL"
    assert "holder_tenant_id" not in str(answer), "not even the name of the key"
    assert (await seen.done("clerk/registerPerson", person_input(), town=BARRA))["id"]


async def test_an_error_of_the_database_is_not_its_own_cause(seen: Stage) -> None:
    """Whoever follows causes to the first must come to an end."""
    with pytest.raises(DBAPIError) as caught:
        async with seen.database.transaction(await seen.town(BARRA)) as tx:
            await tx.rows("SELECT 1/0")

    met: list[BaseException] = [caught.value]
    cause = caught.value.__cause__
    while cause is not None:
        assert cause not in met
        met.append(cause)
        cause = cause.__cause__


async def test_law_asked_for_twice_is_published_once(seen: Stage) -> None:
    """The same request again is answered with the publication that it made; with other input it is a conflict."""
    given = {"code": "arredondar", "option": "floor", "why": "Parecer", "requestId": "leitura-1"}
    first = await seen.done("operator/chooseReading", given, town=BARRA)

    assert await seen.done("operator/chooseReading", given, town=BARRA) == first
    no = await seen.act("operator/chooseReading", {**given, "option": "ceil"}, town=BARRA)
    assert no["code"] == "CONFLICT"
    await seen.done("operator/chooseReading", {**given, "option": "ceil", "requestId": "leitura-2"}, town=BARRA)
