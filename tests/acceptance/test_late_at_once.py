"""What lateness draws from its first day on, by the law alone: the night names it; to apply it is an office's."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.acceptance.living import Living
from tests.acceptance.stage import BARRA, COTRIGUACU

if TYPE_CHECKING:
    from tests.acceptance.stage import Stage


@pytest.fixture
def barra(legislated: Stage) -> Living:
    town = Living(legislated, BARRA)
    town.on("2010-03-01")
    return town


@pytest.fixture
def cotriguacu(legislated: Stage) -> Living:
    town = Living(legislated, COTRIGUACU)
    town.on("2010-03-01")
    return town


async def drawn(town: Living, subject: str) -> list[Any]:
    """What was named of a subject, after a night that begins twice."""
    for _ in range(2):
        await town.night()
    acts = await town.ask("clerk/acts", subjectId=subject)
    return [act for act in acts if act["verb"] == "infraction.drawn"]


async def to_do(town: Living) -> list[Any]:
    """What an office is to apply or open."""
    found = await town.ask("clerk/clerkTasks", first=100)
    return [each["node"] for each in found["edges"] if each["node"]["kind"] == "drawn"]


def named(act: Any) -> dict[str, Any]:
    return {name: said for name, said in act["body"]["changes"].items() if name not in {"deadline", "kind", "article"}}


def cited(act: Any) -> set[str]:
    return {text.partition(", ")[2] for text in act["body"]["decision"]["citations"]}


async def test_a_licence_that_nobody_renews_draws_its_infraction_on_the_first_day(barra: Living) -> None:
    permit = (await barra.permit(await barra.somebody(), stand="1"))["id"]
    licence = await barra.licence(permit)
    barra.on(licence["until"])
    assert await drawn(barra, licence["id"]) == []
    barra.on("2011-03-02")

    (act,) = await drawn(barra, licence["id"])

    decision = act["body"]["decision"]
    assert (licence["until"], act["legalDay"], act["actor"]) == ("2011-03-01", "2011-03-02", "system")
    assert named(act) == {"infraction": "I-04"}
    assert (decision["outcome"], "incorre em I-04, Alvará não renovado" in decision["message"]) == ("DENIED", True)
    assert "anexo, grupo I, item 4" in act["body"]["changes"]["article"]
    assert [rule["code"] for rule in decision["rules"]] == ["I-04"]
    assert (await barra.ask("clerk/permitLife", permitId=permit))["state"] == "active", "nothing is applied"
    (task,) = await to_do(barra)
    assert (task["subjectId"], task["detail"]) == (licence["id"], decision["message"])
    await barra.done("clerk/closeClerkTask", taskId=task["id"], done="Autuado.")
    assert (await drawn(barra, licence["id"]), await to_do(barra)) == ([act], [])


async def test_what_is_renewed_in_time_draws_nothing(barra: Living) -> None:
    who = await barra.somebody()
    permit = (await barra.permit(who, stand="1"))["id"]
    licence = await barra.licence(permit)
    barra.on("2011-02-20")
    await barra.papers({"holder": who.holder, "driver": who.driver, "vehicle": who.vehicle})
    await barra.licence(permit)
    barra.on("2011-03-02")

    assert await drawn(barra, licence["id"]) == []


async def test_a_driver_s_card_that_expires_draws_its_infraction(barra: Living) -> None:
    driver = (await barra.somebody(car=False)).driver
    card = {"subjectId": driver, "code": "carteira_saude", "issuedOn": "2010-03-01"}
    await barra.done("clerk/filePaper", **card, validUntil="2010-10-01")
    barra.on("2010-10-02")

    assert {"infraction": "II-07"} in [named(act) for act in await drawn(barra, driver)]


async def test_one_omission_is_named_with_all_that_it_is(cotriguacu: Living) -> None:
    permit = (await cotriguacu.permit(await cotriguacu.somebody(), stand="1"))["id"]
    licence = await cotriguacu.licence(permit)
    cotriguacu.on("2011-02-01")
    (at_once,) = await drawn(cotriguacu, licence["id"])
    cotriguacu.on("2011-03-03")

    _, later = await drawn(cotriguacu, licence["id"])

    assert (at_once["legalDay"], named(at_once)) == ("2011-02-01", {"infraction": "CO-8-1", "also": ["CO-40-II"]})
    assert {"art. 8, § 1", "art. 40, II"} <= cited(at_once)
    assert (later["legalDay"], named(later)) == ("2011-03-03", {"opens": "CO-16-I", "office": "prefeito"})
    assert "pode ser aberto processo por CO-16-I" in later["body"]["decision"]["message"]


async def test_a_process_that_may_be_opened_at_once_is_proposed_to_its_office(cotriguacu: Living) -> None:
    permit = (await cotriguacu.permit(await cotriguacu.somebody(), stand="1"))["id"]
    cotriguacu.on("2010-04-06")

    (act,) = await drawn(cotriguacu, permit)

    decision = act["body"]["decision"]
    assert (act["legalDay"], named(act)) == ("2010-04-06", {"opens": "CO-17-I", "office": "prefeito"})
    assert (decision["outcome"], decision["office"]) == ("NEEDS_DECISION", "prefeito")
    assert "art. 17, I" in cited(act)
    life = await cotriguacu.life(permit)
    assert (life["state"], life["proposals"]) == ("active", []), "it is the office that opens it"
    proposed = await cotriguacu.done(
        "inspector/proposeEnding", permitId=permit, cause="caducidade", infraction="CO-17-I"
    )
    assert proposed["ground"] == "CO-17-I"
