"""Permits that end otherwise than by their term: proposed with its articles, defended, final by the law's authority."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest

from tests.acceptance.living import Living
from tests.acceptance.stage import BARRA, COTRIGUACU, articles

if TYPE_CHECKING:
    from tests.acceptance.stage import Stage

ENDINGS = {
    "a conviction for evading taxes": (
        COTRIGUACU,
        {"cause": "caducidade", "infraction": "CO-17-VI"},
        "CO-17-VI",
        {"art. 17, VI", "art. 43", "art. 44"},
    ),
    "a precarious permit revoked": (COTRIGUACU, {"cause": "revogacao"}, "transgression", {"art. 7", "art. 49"}),
    "death without heirs": (COTRIGUACU, {"cause": "falecimento"}, "death_without_heirs", {"art. 16, II", "art. 42"}),
    "an illicit act": (BARRA, {"cause": "revogacao"}, "illicit_act", {"art. 10"}),
    "fraud": (BARRA, {"cause": "cancelamento", "ground": "fraud"}, "fraud", {"art. 3, § 2", "art. 11, § 1"}),
    "not used": (BARRA, {"cause": "cancelamento", "ground": "not_used"}, "not_used", {"art. 34", "art. 34, § 2"}),
}


async def granted(stage: Stage, town: str) -> tuple[Living, Any]:
    living = Living(stage, town)
    living.on("2010-03-01")
    permit = await living.permit(await living.somebody())
    living.on("2010-09-01")
    return living, permit


@pytest.mark.parametrize("what", ENDINGS)
async def test_it_is_proposed_with_its_articles_and_ends_the_permit_when_it_is_final(
    legislated: Stage, what: str
) -> None:
    town, given, ground, cited = ENDINGS[what]
    living, permit = await granted(legislated, town)

    proposal = await living.done("inspector/proposeEnding", permitId=permit["id"], **given, why="Autos 7/2010.")
    meanwhile = await living.life(permit["id"])
    living.on("2010-11-01")
    by_another = await living.act("mayor/finalizeEnding", role="inspector", proposalId=proposal["id"])
    final = await living.done("mayor/finalizeEnding", proposalId=proposal["id"], version=proposal["version"])
    after = await living.life(permit["id"])

    assert (proposal["state"], proposal["ground"], proposal["cause"]) == ("open", ground, given["cause"])
    assert cited <= articles(proposal["decision"])
    assert meanwhile["state"] == "active", "nothing takes effect before the defence is heard"
    assert by_another["code"] == "FORBIDDEN"
    assert (final["state"], final["closedOn"]) == ("applied", "2010-11-01")
    assert (after["state"], (await living.life(permit["id"], "2010-10-31"))["state"]) == ("ended", "active")
    found = await living.ask("clerk/permit", id=permit["id"])
    assert found["endedCause"] == given["cause"]


async def test_a_way_of_ending_that_a_law_does_not_have_is_refused_in_those_words(legislated: Stage) -> None:
    living, permit = await granted(legislated, COTRIGUACU)

    no = await living.act("inspector/proposeEnding", permitId=permit["id"], cause="caducidade", infraction="CO-40-III")
    unknown = await living.act("inspector/proposeEnding", permitId=permit["id"], cause="cassacao")

    assert (no["code"], unknown["code"]) == ("REFUSED", "REFUSED")
    assert no["message"] == "A lei deste município não prevê que CO-40-III acarrete Caducidade."
    assert unknown["message"].startswith("A lei deste município não prevê que a outorga termine por")
    assert [each["decision"]["missing"][0]["kind"] for each in (no, unknown)] == ["rule", "rule"]
    assert [each["decision"]["missing"][0]["code"] for each in (no, unknown)] == ["infraction", "instrument"]


async def test_an_end_that_is_a_penalty_needs_the_infraction_that_draws_it(legislated: Stage) -> None:
    living, permit = await granted(legislated, COTRIGUACU)

    for cause in ("caducidade", "cancelamento"):
        no = await living.act("inspector/proposeEnding", permitId=permit["id"], cause=cause, why="Não serve bem.")
        assert (no["code"], no["field"], no["problem"]) == ("INVALID", "infraction", "missing")
    assert (await living.life(permit["id"]))["proposals"] == []


async def test_ended_by_two_who_saw_the_same_it_ends_once_and_the_other_gets_both_versions(legislated: Stage) -> None:
    living, permit = await granted(legislated, COTRIGUACU)
    seen = (await living.ask("clerk/permit", id=permit["id"]))["version"]
    given = {"permitId": permit["id"], "cause": "a_pedido", "version": seen}

    answers = await asyncio.gather(*(living.act("mayor/endPermit", **given) for _ in range(2)))

    (conflict,) = [each for each in answers if each.get("code") == "CONFLICT"]
    (ended,) = [each for each in answers if each.get("state") == "ended"]
    assert (conflict["expected"], conflict["actual"], ended["version"]) == (seen, seen + 1, seen + 1)
    record = await living.ask("clerk/record", subjectId=permit["holder"]["id"], first=100)
    assert [edge["node"]["verb"] for edge in record["edges"]].count("permit.ended") == 1
