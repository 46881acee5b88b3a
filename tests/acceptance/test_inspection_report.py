"""The report of an inspection: its words, on paper, and who may have it."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING, Any

import pytest

from api.types.scalars import read_id
from services.accounts import store as accounts
from tests.acceptance.living import Living, Person
from tests.acceptance.stage import COTRIGUACU
from tests.acceptance.test_vehicles import inspected
from tests.support.pages import words_of

if TYPE_CHECKING:
    from tests.acceptance.stage import Stage


@pytest.fixture
async def taxi(legislated: Stage) -> tuple[Living, Person, Any]:
    """Somebody's taxi on the first of March 2010, and its permit."""
    town = Living(legislated, COTRIGUACU)
    town.on("2010-03-01")
    who = await town.somebody()
    return town, who, await town.permit(who, stand="1")


async def report(town: Living, id: str) -> tuple[Any, str]:
    found = await town.ask("clerk/inspectionReport", id=id)
    return found, words_of(base64.b64decode(found["pdf"]))


async def test_one_with_faults_says_each_and_until_when_to_mend_them(taxi: tuple[Living, Person, Any]) -> None:
    town, who, permit = taxi
    failed = await inspected(town, who.vehicle, carried=["extintor", "cintos"], faults=["Pneu careca"])
    found, said = await report(town, failed["id"])
    (act,) = await town.ask("clerk/acts", subjectId=failed["id"])

    car = (await town.ask("clerk/vehicleFile", id=who.vehicle))["vehicle"]
    holder = (await town.ask("clerk/permit", id=permit["id"]))["holder"]["name"]
    for words in (
        "Cotriguaçu — MT",
        f"Laudo de vistoria nº {failed['number']}",
        "Vistoria técnica anual",
        "art. 29, III",
        "Vistoriado em 01/03/2010",
        f"placa {car['plate']}",
        f"{car['manufactureYear']} / {car['modelYear']}",
        f"Outorga {permit['number']} Titular {holder}",
        "Resultado: reprovado",
        "Falha Infração Caixa luminosa TAXI no teto: não atendido. CO-29-IV",
        "Estepe em bom estado: não atendido. CO-29-IV",
        "Pneu careca —",
        "Extintor de incêndio no modelo aprovado Lei 624/2009, art. 10, I;",
        "Vistoriado por Agente da fiscalização de exemplo Órgão Agentes da fiscalização",
        "Sanar as falhas até 16/03/2010",
        f"Ato: {read_id(act['id']).key}",
        found["actHash"],
    ):
        assert words in said, said
    assert (said.count(" presente "), said.count(" ausente ")) == (2, 3)
    assert (found["number"], found["actId"]) == (failed["number"], act["id"])
    assert "Próxima vistoria" not in said


async def test_one_that_passed_says_what_it_looked_at_again_and_when_the_next_is_due(
    taxi: tuple[Living, Person, Any],
) -> None:
    town, who, _ = taxi
    failed = await inspected(town, who.vehicle, carried=["extintor", "cintos"])
    town.on("2010-03-10")
    again = await inspected(town, who.vehicle, carried=["extintor", "cintos", "estepe"])
    town.on("2010-03-15")
    passed = await inspected(town, who.vehicle)
    _, still = await report(town, again["id"])
    _, said = await report(town, passed["id"])

    assert "Sanar as falhas até 16/03/2010" in still, "looking again gives no more"
    assert f"nº {failed['number']}, de 01/03/2010" in still
    assert "Resultado: aprovado" in said
    assert f"nº {again['number']}, de 10/03/2010" in said
    assert "Próxima vistoria até 15/03/2011" in said
    assert (said.count(" presente "), said.count(" ausente ")) == (5, 0)
    assert not {"Falhas", "Sanar"} & set(said.split())


async def test_it_is_for_whose_vehicle_it_was_and_for_no_other_holder(taxi: tuple[Living, Person, Any]) -> None:
    town, who, _ = taxi
    other = await town.somebody()
    done = await inspected(town, who.vehicle)
    waiting = await town.done("inspector/scheduleInspection", vehicleId=who.vehicle, rule="vistoria", on="2010-03-02")
    async with town.stage.database.transaction(await town.stage.town(COTRIGUACU)) as tx:
        await accounts.ensure(tx, "dono", person_id=read_id(who.person).key)
        await accounts.ensure(tx, "outra", person_id=read_id(other.person).key)
    query = "query ($id: ID!) { inspectionReport(id: $id) { number } }"

    async def codes(subject: str, id: str) -> Any:
        token = town.stage.web.token(subject, town=COTRIGUACU)
        return await town.stage.web.codes(query, variables={"id": id}, token=token)

    assert await codes("dono", done["id"]) == []
    assert await codes("outra", done["id"]) == ["FORBIDDEN"]
    assert await codes("dono", waiting["id"]) == ["INVALID"], "an appointment has no report"
