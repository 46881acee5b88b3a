"""Who did it is known only later: record, penalties and case are theirs; repetition counts in its category."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING, Any

import pytest

from api.types.scalars import read_id
from services.accounts import store as accounts
from tests.acceptance.applying import car_input, registered
from tests.acceptance.living import Living
from tests.acceptance.stage import COTRIGUACU

if TYPE_CHECKING:
    from tests.acceptance.stage import Stage

SEEN = "2011-05-05"
PLATE = "NPM4321"
OPENING = {"openedBy": "registro_de_ocorrencia", "text": "Instaura-se."}
IN_TAXIS = """
[[ladder]]
code = "reincidencia"
title = "Advertência, depois multa, entre táxis"
cite = ["art. 39", "art. 40, I", "art. 40, § 2"]
applies = { category = "taxi", infraction = ["CO-39-I", "CO-39-II"] }
measure = "advertido"
steps = [{ nth = 1, do = "warn" }, { nth = 2, do = "fine", amount = "20 UFM", as = "CO-40-I" }]
beyond = "repeat_last"
"""


@pytest.fixture
async def town(legislated: Stage) -> Living:
    town = Living(legislated, COTRIGUACU)
    town.on(SEEN)
    return town


async def recorded(town: Living, *infractions: str, **given: Any) -> Any:
    sent = {"clientId": str(uuid.uuid4()), "seenAt": f"{town.today}T11:30", "place": "Centro", **given}
    return await town.done("inspector/recordOccurrence", infractions=list(infractions), **sent)


async def case_of(town: Living, record: Any) -> Any:
    page = await town.ask("clerk/cases", first=100)
    number = record["caseNumber"]
    id = next(edge["node"]["id"] for edge in page["edges"] if edge["node"]["number"] == number)
    return await town.ask("clerk/case", id=id)


async def test_a_plate_of_nobody_is_punished_when_somebody_is_found(town: Living) -> None:
    record = await recorded(town, "CO-40-VI", plate=PLATE)
    assert (record["state"], record["penalties"]) == ("open", [])
    town.on("2011-05-12")
    who = await town.somebody(car=False)
    found = await town.done(
        "inspector/identifyOffender", occurrenceId=record["id"], personId=who.person, why="CRLV apresentado."
    )
    applied = await town.done("inspector/applyPenalties", occurrenceId=record["id"], notifiedOn="2011-05-12")
    tried = await town.done("inspector/tryOccurrence", occurrenceId=record["id"], **OPENING)
    made = await case_of(town, tried)

    assert found["personName"] == made["parties"][0]["name"]
    assert [(each["what"], each["brl"], each["dueOn"]) for each in applied["penalties"]] == [
        ("fine", "650.00", "2011-06-13")
    ]
    assert f"Condutor ou autuado: {found['personName']}" in applied["copy"]
    assert made["charges"][0]["applied"], "provisional until the case is over"
    again = await town.act(
        "inspector/identifyOffender", occurrenceId=record["id"], name="Outro", why="Disse que foi outro."
    )
    assert (again["code"], again["message"]) == ("CONFLICT", "O registro já diz de quem é o fato.")


async def test_who_was_nobody_in_the_register_answers_by_name_and_files_for_themselves(
    town: Living,
) -> None:
    record = await recorded(town, "CO-40-VI", plate=PLATE, notifiedOn=SEEN)
    tried = await town.done("inspector/tryOccurrence", occurrenceId=record["id"], **OPENING)
    unknown = await case_of(town, tried)
    assert unknown["parties"][0]["name"] == f"Condutor do veículo {PLATE}"

    town.on("2011-05-09")
    who = await town.somebody(car=False)
    await town.done("inspector/identifyOffender", occurrenceId=record["id"], personId=who.person, why="CNH lida.")
    known = await case_of(town, tried)
    async with town.stage.database.transaction(await town.stage.town(COTRIGUACU)) as tx:
        await accounts.ensure(tx, "quem-dirigia", person_id=read_id(who.person).key)
    token = town.stage.web.token("quem-dirigia", town=COTRIGUACU)
    given = {"caseId": known["id"], "partyId": known["parties"][0]["id"], "text": "Não era transporte pago."}
    mutation = "mutation ($input: FileDefenceInput!) { fileDefence(input: $input) { ... on Case { step } } }"
    answer = await town.stage.web.ask(mutation, variables={"input": given}, token=token)

    assert known["parties"][0]["id"] == unknown["parties"][0]["id"], "the same party, with all that was done"
    assert (known["pieces"][-1]["title"], known["pieces"][-1]["text"]) == ("Identificação do autuado", "CNH lida.")
    assert answer["fileDefence"]["step"] == "replica"


async def test_a_vehicle_that_is_registered_later_has_what_was_seen_of_its_plate(town: Living) -> None:
    record = await recorded(town, "CO-40-VI", plate=PLATE, offenderName="Fulano")
    town.on("2012-05-05")
    who = await town.somebody(car=False)
    body = car_input(COTRIGUACU, who.holder, made=2011, registered_on="2011-12-01")
    car = await registered(town.stage, COTRIGUACU, "Vehicle", {**body, "plate": PLATE})
    shown = await town.ask("inspector/occurrence", id=record["id"])
    life = await town.ask("clerk/record", subjectId=car["id"], first=50)

    entries = [edge["node"] for edge in life["edges"] if edge["node"]["kind"] == "occurrence"]
    assert (record["vehicleId"], shown["vehicleId"], shown["permitId"]) == (None, car["id"], None)
    assert [(each["number"], each["day"], each["code"]) for each in entries] == [(record["number"], SEEN, "CO-40-VI")]
    assert entries[0]["title"] == "Transporte remunerado com veículo não licenciado"


async def test_the_record_of_a_holder_has_the_inspector_s_records_and_the_cases(town: Living) -> None:
    town.on("2011-01-10")
    who = await town.somebody()
    permit = await town.permit(who)
    town.on(SEEN)
    record = await recorded(town, "CO-40-V", permitId=permit["id"], notifiedOn=SEEN)
    tried = await town.done("inspector/tryOccurrence", occurrenceId=record["id"], **OPENING)
    beside = await town.act("inspector/applyPenalties", occurrenceId=record["id"])
    life = await town.ask("clerk/record", subjectId=who.holder, first=100)

    entries = {each["node"]["kind"]: each["node"] for each in life["edges"]}
    assert "a penalidade decide-se nele" in beside["message"], "nothing is applied beside its process"
    assert entries["occurrence"]["number"] == record["number"]
    assert (entries["case"]["number"], entries["case"]["state"]) == (tried["caseNumber"], "open")


async def test_conduct_counts_in_the_category_of_the_day_also_without_a_permit(town: Living) -> None:
    await town.done("operator/publishAmendment", text=IN_TAXIS, norm="Lei 1", officialOn="2010-01-01")
    town.on("2011-01-10")
    who = await town.somebody()
    permit = await town.permit(who)
    town.on(SEEN)
    told = {"driverId": who.driver, "notifiedOn": SEEN}
    await recorded(town, "CO-39-I", permitId=permit["id"], **told)
    town.on("2011-05-20")

    asked = [permit["id"], who.holder, who.driver]
    found = [(await town.ask("inspector/conduct", subjectId=id))["repetition"] for id in asked]

    assert [[(each["infraction"], each["category"], each["nth"]) for each in one] for one in found] == [
        [("CO-39-I", "taxi", 2)],
        [("CO-39-I", "taxi", 2)],
        [("CO-39-I", "taxi", 1)],
    ], "the law matches the holder; of a driver alone it counts none"
    second = await recorded(town, "CO-39-I", permitId=permit["id"], notifiedOn="2011-05-20", driverId=who.driver)
    assert [(each["what"], each["brl"]) for each in second["penalties"]] == [("fine", "650.00")]


async def test_a_representative_who_has_gone_neither_files_nor_reads(town: Living) -> None:
    town.on("2011-01-10")
    permit = await town.permit(await town.somebody())
    town.on(SEEN)
    record = await recorded(town, "CO-40-V", permitId=permit["id"], notifiedOn=SEEN)
    tried = await town.done("inspector/tryOccurrence", occurrenceId=record["id"], **OPENING)
    made = await case_of(town, tried)
    lawyer = await town.somebody(car=False)
    async with town.stage.database.transaction(await town.stage.town(COTRIGUACU)) as tx:
        await accounts.ensure(tx, "advogada", person_id=read_id(lawyer.person).key)
    party = {"caseId": made["id"], "partyId": made["parties"][0]["id"]}
    made = await town.done("clerk/addRepresentative", **party, text="Procuração.", personId=lawyer.person)
    given = {**party, "text": "Defesa."}
    town.on("2011-05-09")
    ended = await town.done(
        "clerk/endRepresentation", caseId=made["id"], partyId=made["parties"][1]["id"], text="Renuncio."
    )
    token = town.stage.web.token("advogada", town=COTRIGUACU)
    mutation = "mutation ($input: FileDefenceInput!) { fileDefence(input: $input) { __typename } }"
    answer = await town.stage.web.ask(mutation, variables={"input": given}, token=token)
    read = await town.stage.web.codes(f'{{ case(id: "{made["id"]}") {{ number }} }}', token=token)

    assert ended["parties"][1]["endedOn"] == "2011-05-09"
    assert (answer["fileDefence"]["__typename"], read) == ("Forbidden", ["FORBIDDEN"])
    assert (await town.done("clerk/fileDefence", **given))["step"] == "replica", "the party's own right is untouched"
