"""Results, objections, awards, the term to sign and the permit, under the founding laws; who fails is followed."""

import asyncio
import json
from datetime import date, timedelta
from typing import Any
from uuid import UUID

import pytest

from services.access import Actor
from services.database import Database
from services.errors import Conflict, Forbidden, Invalid, Refused
from services.nights import night
from services.permits.licensing import issue_licence
from services.selection import awarding, objecting, store
from services.selection.tables import SelectionCandidate
from tests.support.factories import BARRA, COTRIGUACU, make_town
from tests.support.selection import Contest, bid, frozen


@pytest.fixture
async def barra(own_database: Database) -> Contest:
    return Contest(own_database, await make_town(own_database, BARRA), BARRA, "secretary")


@pytest.fixture
async def cotriguacu(own_database: Database) -> Contest:
    return Contest(own_database, await make_town(own_database, COTRIGUACU), COTRIGUACU, "mayor")


async def test_barra_ends_with_a_permit_and_no_term_that_its_law_does_not_have(barra: Contest) -> None:
    await frozen(barra, 3, 2)
    ana, bia = barra.candidates
    await barra.publishes()
    with pytest.raises(Refused, match="Ainda se pode recorrer"):
        await barra.awards()
    barra.pass_days(8)
    await barra.awards()
    assert await barra.states() == {ana: "awarded", bia: "enrolled"}
    assert await barra.rows("SELECT 1 FROM deadline WHERE subject_kind = 'candidate'") == []

    signed = await barra.signs(ana, stand="1")

    (permit,) = await barra.rows("SELECT holder_id, granted_on FROM permit WHERE id = :id", id=signed.permit_id)
    assert (permit.holder_id, permit.granted_on) == (signed.holder_id, barra.today)
    assert (await barra.rows("SELECT stand FROM stand_assignment WHERE permit_id = :id", id=signed.permit_id))[
        0
    ].stand == "1"
    (call,) = await barra.rows("SELECT ended_on FROM selection_call")
    assert call.ended_on == barra.today


async def test_in_barra_who_gives_up_makes_room_for_the_next(barra: Contest) -> None:
    await frozen(barra, 3, 2)
    ana, bia = barra.candidates
    await barra.publishes()
    barra.pass_days(8)
    await barra.awards()

    await barra.does("secretary", awarding.call_next, candidate_id=ana, why="Desistiu por escrito")

    assert await barra.states() == {ana: "lost", bia: "awarded"}
    with pytest.raises(Refused, match="perdeu a vaga"):
        await barra.signs(ana)


async def test_cotriguacu_has_five_days_to_sign_and_ten_for_the_licence(cotriguacu: Contest) -> None:
    await bid(cotriguacu, 2, 1)
    _, bia = cotriguacu.candidates
    await cotriguacu.awards()
    awarded = cotriguacu.today
    (due,) = await cotriguacu.rows("SELECT * FROM deadline WHERE subject_kind = 'candidate'")
    assert (due.kind, due.subject_id, due.article) == ("adesao", bia, "Lei 624/2009, art. 4, § 1")
    assert due.last_day >= awarded + timedelta(days=5)
    assert [each["do"] for each in due.follows] == ["notify", "call_next"]

    signed = await cotriguacu.signs(bia, stand="1")

    steps = await cotriguacu.rows(
        "SELECT kind, article, last_day, state FROM deadline WHERE kind IN ('adesao', 'primeiro_alvara') ORDER BY id"
    )
    assert [(row.kind, row.state) for row in steps] == [("adesao", "met"), ("primeiro_alvara", "open")]
    assert steps[1].article == "Lei 624/2009, art. 4, § 2"
    assert steps[1].last_day >= awarded + timedelta(days=10)
    await cotriguacu.does("clerk", issue_licence, permit_id=signed.permit_id, judged=True)
    (state,) = await cotriguacu.rows("SELECT state FROM deadline WHERE kind = 'primeiro_alvara'")
    assert state.state == "met"


async def test_whoever_lets_the_term_pass_is_followed_by_the_next_with_act_and_notice(cotriguacu: Contest) -> None:
    await bid(cotriguacu, 2, 1)
    ana, bia = cotriguacu.candidates
    await cotriguacu.awards()
    cotriguacu.pass_days(30)

    await night(cotriguacu.database, [cotriguacu.town], cotriguacu.today)
    await night(cotriguacu.database, [cotriguacu.town], cotriguacu.today)

    assert await cotriguacu.states() == {bia: "lost", ana: "awarded"}
    acts = await cotriguacu.rows(
        "SELECT verb, subject_id FROM act WHERE verb IN ('candidate.lost', 'candidate.awarded') ORDER BY id"
    )
    assert [(row.verb, row.subject_id) for row in acts] == [
        ("candidate.awarded", bia), ("candidate.lost", bia), ("candidate.awarded", ana)
    ]  # fmt: skip
    (running,) = await cotriguacu.rows("SELECT opened_on FROM deadline WHERE kind = 'adesao' AND state = 'open'")
    assert running.opened_on == cotriguacu.today, "nobody's term runs before they are called"
    notices = await cotriguacu.rows(
        "SELECT template, subject_id FROM notice WHERE subject_kind = 'candidate' ORDER BY id"
    )
    assert ("candidate_awarded", ana) in [(row.template, row.subject_id) for row in notices]


async def test_the_late_one_cannot_sign_and_no_permit_is_made(cotriguacu: Contest) -> None:
    await bid(cotriguacu, 1, 2)
    await cotriguacu.awards()
    cotriguacu.pass_days(30)
    with pytest.raises(Refused, match="perdeu a vaga"):
        await cotriguacu.signs(cotriguacu.candidates[0])

    assert await cotriguacu.rows("SELECT 1 FROM permit") == []


async def test_two_signatures_at_once_make_one_permit(cotriguacu: Contest) -> None:
    await bid(cotriguacu, 1, 2)
    await cotriguacu.awards()
    first = cotriguacu.candidates[0]

    results = await asyncio.gather(*(cotriguacu.signs(first) for _ in range(2)), return_exceptions=True)

    assert sum(isinstance(result, Refused) for result in results) == 1
    assert len(await cotriguacu.rows("SELECT 1 FROM permit")) == 1


async def test_an_objection_has_its_term_and_nothing_is_awarded_before_it_is_decided(barra: Contest) -> None:
    await frozen(barra, 3, 2)
    ana, bia = barra.candidates
    with pytest.raises(Refused, match="ainda não foi publicado"):
        await barra.objects(bia)
    await barra.publishes()
    objection = await barra.objects(bia)
    barra.pass_days(8)
    with pytest.raises(Refused, match="Recorre-se do resultado até"):
        await barra.objects(ana)
    with pytest.raises(Refused, match=r"1 recurso\(s\) sem decisão"):
        await barra.awards()

    await barra.does("mayor", objecting.decide_objection, objection_id=objection.id, upheld=False, why="Não procede.")

    await barra.awards()
    assert await barra.states() == {ana: "awarded", bia: "enrolled"}
    with pytest.raises(Conflict):
        await barra.does("mayor", objecting.decide_objection, objection_id=objection.id, upheld=False, why="De novo.")


async def test_an_objection_that_is_upheld_says_what_changes(barra: Contest) -> None:
    await frozen(barra, 3, 2)
    ana, bia = barra.candidates
    await barra.publishes()
    objection = await barra.objects(bia)
    given = {"objection_id": objection.id, "upheld": True, "why": "Documento falso."}
    with pytest.raises(Invalid, match="Diga o que muda"):
        await barra.does("mayor", objecting.decide_objection, **given)

    await barra.does("mayor", objecting.decide_objection, candidate_id=ana, **given)
    await barra.publishes()

    assert await barra.states() == {ana: "excluded", bia: "enrolled"}
    assert json.loads((await barra.proof())["lists"][-1]["text"])["because"] == "objection"
    states = await barra.rows("SELECT state FROM deadline WHERE kind = 'recurso_selecao' ORDER BY id")
    assert [row.state for row in states] == ["met", "open"]


async def test_until_the_town_says_how_long_one_may_object_there_is_no_result(own_database: Database) -> None:
    town = await make_town(own_database, COTRIGUACU, samples=False)
    contest = Contest(own_database, town, COTRIGUACU, "mayor")
    await contest.opens(1)
    await contest.enrols(candidate__driving_months=60, candidate__dependants=1)
    contest.pass_days(3)
    await contest.freezes()
    with pytest.raises(Refused) as refused:
        await contest.publishes()

    assert [each.code for each in refused.value.decision.missing] == ["prazo_recurso_selecao"]


async def test_candidates_object_for_themselves_and_for_nobody_else(barra: Contest) -> None:
    await frozen(barra, 3, 2)
    ana, bia = barra.candidates
    await barra.publishes()
    async with barra.database.transaction(barra.town) as tx:
        whose = await store.whose(tx, bia)
        actor = Actor(subject="bia", kind="public", tenant_id=barra.town, person_id=whose.person_id)
        filed = await objecting.file_objection(tx, actor, candidate_id=bia, says="Faltou contar um dependente.")
        with pytest.raises(Forbidden):
            await objecting.file_objection(tx, actor, candidate_id=ana, says="Contra o primeiro.")

    assert (filed.candidate_id, filed.upheld) == (bia, None)


def line(*places: int) -> list[SelectionCandidate]:
    """Candidates in these places, in the order of their ids."""
    given: dict[str, Any] = dict.fromkeys(
        ("tenant_id", "call_id", "holder_id", "vehicle_id", "enrolled_act"), UUID(int=0)
    )
    return [
        SelectionCandidate(**given, id=UUID(int=at), enrolled_on=date(2026, 3, 9), place=place)
        for at, place in enumerate(places, start=1)
    ]


@pytest.mark.parametrize(
    ("places", "vacancies", "called"),
    [
        ((1, 2, 3), 2, [1, 2]),
        ((3, 1, 2), 1, [2]),
        ((1, 1), 2, [1, 2]),
        ((1, 2, 2), 2, [1]),
        ((2, 2, 1), 0, []),
        ((0, 1), 2, [2]),
    ],
)
def test_the_next_in_line_are_called_and_equals_only_together(
    places: tuple[int, ...], vacancies: int, called: list[int]
) -> None:
    """Place 0 is out; of equals who are too many for what is free, the law prefers none."""
    assert [each.id.int for each in awarding.next_up(line(*places), vacancies)] == called
