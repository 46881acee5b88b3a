"""From a call for vacancies to the licence, under the founding laws: each step in its time, by whom the law names."""

import asyncio
import json
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest

from services.database import Database
from services.errors import Conflict, Forbidden, Invalid, Refused
from services.selection import enrolling
from tenants.law.decision import Outcome
from tests.support.factories import BARRA, COTRIGUACU, Maker, make_town
from tests.support.selection import ALIKE, LOTTERY, Contest, drawn, frozen, verified


@pytest.fixture
async def barra(own_database: Database) -> Contest:
    return Contest(own_database, await make_town(own_database, BARRA), BARRA, "secretary")


@pytest.fixture
async def cotriguacu(own_database: Database) -> Contest:
    return Contest(own_database, await make_town(own_database, COTRIGUACU), COTRIGUACU, "mayor")


async def test_equals_are_drawn_and_anybody_can_repeat_it(barra: Contest, tmp_path: Path) -> None:
    await drawn(barra, 2, 2, 2, 5)
    await barra.publishes()

    proof = await barra.proof()
    run = verified(proof, tmp_path)
    places = await barra.order()

    assert (run.returncode, run.stderr) == (0, "")
    assert json.loads(run.stdout) == proof["order"] == [[str(id)] for _, id in places]
    assert places[0] == (1, barra.candidates[3])
    assert [place for place, _ in places] == [1, 2, 3, 4]


@pytest.mark.parametrize("forged", ["seed", "facts", "order"])
async def test_a_forged_proof_shows(barra: Contest, tmp_path: Path, forged: str) -> None:
    await drawn(barra, 2, 2, 2, 2, 2)
    await barra.publishes()
    proof = await barra.proof()
    if forged == "seed":
        proof["seed"]["text"] += "0"
    elif forged == "facts":
        proof["lists"][-1]["text"] = proof["lists"][-1]["text"].replace(
            '"candidate.dependants":2', '"candidate.dependants":3'
        )
    else:
        proof["order"].reverse()

    run = verified(proof, tmp_path)

    assert run.returncode == 1
    assert run.stderr.startswith("WRONG")


async def test_what_is_published_names_nobody(barra: Contest) -> None:
    await frozen(barra, 1, 2)

    text = json.dumps(await barra.proof(), ensure_ascii=False)
    people = await barra.rows("SELECT cpf, name FROM person WHERE tenant_id = :tenant")

    assert people
    assert not [person for person in people if person.cpf in text or person.name in text]


async def test_the_hash_is_published_before_the_seed_can_be_known(barra: Contest) -> None:
    await frozen(barra, 2, 2)
    (act,) = await barra.rows("SELECT body, local_day FROM act WHERE tenant_id = :tenant AND verb = 'selection.frozen'")
    first = (await barra.proof())["lists"][0]

    assert json.loads(act.body)["changes"]["sha256"] == first["sha256"]
    assert date.fromisoformat(first["publishedOn"]) == act.local_day == barra.today


async def test_a_seed_before_the_list_is_refused(barra: Contest) -> None:
    await barra.opens(1)
    await barra.enrols(**ALIKE)
    with pytest.raises(Refused, match="ainda não foi fechada"):
        await barra.draws("48213")


async def test_a_seed_waits_for_what_an_office_is_to_judge(barra: Contest) -> None:
    await frozen(barra, 2, 2)
    barra.pass_days(4)
    with pytest.raises(Refused) as refused:
        await barra.draws("48213")

    assert refused.value.decision.outcome is Outcome.NEEDS_DECISION
    assert refused.value.decision.office == "fiscalizacao"


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ({"source": "Mega-Sena"}, "source"),
        ({"drawn_on": date(2026, 3, 16)}, "drawnOn"),
        ({"drawn_on": date(2026, 3, 18)}, "drawnOn"),
        ({"seed": "  "}, "seed"),
    ],
)
async def test_the_seed_is_that_of_the_lottery_that_was_named(
    barra: Contest, given: dict[str, Any], field: str
) -> None:
    """Otherwise one could choose among results, or among days."""
    await frozen(barra, 2, 2)
    await barra.judges(6, dict.fromkeys(barra.candidates, 1))
    barra.pass_days(4)
    with pytest.raises(Invalid) as invalid:
        await barra.draws(**{"seed": "48213", **given})

    assert invalid.value.field == field


async def test_a_seed_is_entered_once_and_nothing_is_judged_after_it(barra: Contest) -> None:
    await drawn(barra, 2, 2)
    with pytest.raises(Conflict):
        await barra.draws("11111")
    with pytest.raises(Refused, match="semente"):
        await barra.judges(6, dict.fromkeys(barra.candidates, 1))


async def test_a_judgement_is_the_named_office_s_and_parts_the_equals(barra: Contest) -> None:
    await frozen(barra, 2, 2, 1)
    ana, bia, caio = barra.candidates
    with pytest.raises(Forbidden):
        await barra.judges(6, {ana: 2, bia: 1}, role="clerk")
    with pytest.raises(Invalid) as invalid:
        await barra.judges(6, {ana: 2, bia: 1, caio: 3})
    assert invalid.value.field == "places"
    with pytest.raises(Invalid) as invalid:
        await barra.judges(1, {ana: 2, bia: 1})
    assert invalid.value.field == "step"

    await barra.judges(6, {ana: 2, bia: 1})
    await barra.publishes()

    assert await barra.order() == [(1, bia), (2, ana), (3, caio)]
    assert [json.loads(each["text"])["because"] for each in (await barra.proof())["lists"]] == ["frozen", "judgement"]


async def test_a_lottery_that_passed_before_the_judgement_is_no_use(barra: Contest) -> None:
    await frozen(barra, 2, 2)
    barra.pass_days(5)
    with pytest.raises(Invalid) as invalid:
        await barra.judges(6, dict.fromkeys(barra.candidates, 1))
    assert invalid.value.field == "drawSource"
    later = barra.today + timedelta(days=2)

    await barra.judges(6, dict.fromkeys(barra.candidates, 1), draw_source="Loteria Federal, 6.051", draw_on=later)
    barra.at(later)
    await barra.draws("99", source="Loteria Federal, 6.051")

    assert (await barra.proof())["seed"]["source"] == "Loteria Federal, 6.051"


async def test_more_vacancies_than_the_law_leaves_free_are_refused_with_the_article(barra: Contest) -> None:
    with pytest.raises(Refused) as refused:
        await barra.opens(47)

    assert refused.value.decision.outcome is Outcome.DENIED
    assert {"Lei 3.085/2009, art. 33", "Lei 3.085/2009, art. 23, § 1, I"} <= {
        str(c) for c in refused.value.decision.citations
    }


async def test_a_vacancy_is_promised_once(cotriguacu: Contest) -> None:
    await cotriguacu.opens(4)
    with pytest.raises(Refused, match=r"Há 2 vaga\(s\)"):
        await cotriguacu.opens(3)

    await cotriguacu.opens(2)


async def test_a_law_without_a_selection_for_the_category_is_told_so(barra: Contest) -> None:
    with pytest.raises(Refused, match="A lei deste município não prevê seleção") as refused:
        await barra.opens(1, category="escolar")

    assert [(each.kind, each.code) for each in refused.value.decision.missing] == [("rule", "selection")]


async def test_a_call_is_the_granting_office_s_to_open(barra: Contest) -> None:
    barra.granter = "mayor"
    with pytest.raises(Forbidden):
        await barra.opens(1)


async def test_one_enrols_in_time_once_and_tells_what_is_compared(barra: Contest) -> None:
    call = await barra.opens(1, days=1)
    with pytest.raises(Refused) as refused:
        await barra.enrols(cohort={"facts": {"candidate.marital": ""}})
    assert refused.value.decision.outcome is Outcome.UNPROVEN
    assert [each.code for each in refused.value.decision.missing] == ["candidate.marital"]
    for code in ("candidate__applied_on", "holder__permits", "vehicle__doors"):
        with pytest.raises(Invalid, match="não se declara"):
            await barra.enrols(**ALIKE | {code: "1"})
    await barra.enrols(**ALIKE)
    barra.at(call.closes_on + timedelta(days=1))
    with pytest.raises(Refused, match="As inscrições vão de 10/03/2026 a 11/03/2026"):
        await barra.enrols(**ALIKE)


async def test_one_person_enrols_once_however_often_they_are_registered(barra: Contest) -> None:
    await barra.opens(1)
    first = await barra.enrols(**ALIKE)
    async with barra.database.transaction(barra.town) as tx:
        make = await Maker.of(tx, seed="registered again")
        sql = (
            "SELECT h.person_id FROM selection_candidate AS s JOIN holder AS h "
            "ON (h.tenant_id, h.id) = (s.tenant_id, s.holder_id) WHERE s.tenant_id = :tenant AND s.id = :id"
        )
        again = await make.holder(kind="autonomo", person_id=await tx.scalar(sql, id=first))
        car, clerk = await make.vehicle(holder_id=again.id), make.offices.who("register")
        with pytest.raises(Invalid, match="já está inscrito"):
            await enrolling.enrol_candidate(tx, clerk, call_id=barra.call, holder_id=again.id, vehicle_id=car.id)


async def test_whom_the_law_bars_does_not_enrol(barra: Contest) -> None:
    await barra.opens(1)
    with pytest.raises(Refused) as refused:
        await barra.enrols(**ALIKE, local__vinculo="sim")

    assert "Lei 3.085/2009, art. 11" in {str(c) for c in refused.value.decision.citations}


async def test_who_lacks_a_paper_on_the_last_day_is_out_of_the_list(barra: Contest) -> None:
    await barra.opens(1)
    ana = await barra.enrols(**ALIKE)
    bia = await barra.enrols(cohort={"without": ["antecedentes"]}, **ALIKE)
    barra.pass_days(3)

    await barra.freezes(draw_source=LOTTERY, draw_on=barra.today + timedelta(days=4))

    assert await barra.states() == {ana: "enrolled", bia: "excluded"}
    listed = json.loads((await barra.proof())["lists"][0]["text"])["candidates"]
    assert [each["id"] for each in listed] == [str(ana)]


async def test_the_list_stays_open_while_one_may_enrol(barra: Contest) -> None:
    await barra.opens(1)
    with pytest.raises(Refused, match="só se fecha depois"):
        await barra.freezes(draw_source=LOTTERY, draw_on=barra.today + timedelta(days=4))


async def test_a_call_that_nobody_answers_is_over(barra: Contest) -> None:
    await frozen(barra)

    assert [
        row.state
        for row in await barra.rows("SELECT state(c, :day) AS state FROM selection_call AS c", day=barra.today)
    ] == ["ended"]


async def test_cotriguacu_draws_no_lots(cotriguacu: Contest) -> None:
    await cotriguacu.opens(1)
    await cotriguacu.enrols(candidate__driving_months=60, candidate__dependants=1)
    cotriguacu.pass_days(3)
    with pytest.raises(Refused, match="A lei deste município não prevê sorteio"):
        await cotriguacu.freezes(draw_source=LOTTERY, draw_on=cotriguacu.today + timedelta(days=4))
    await cotriguacu.freezes()
    with pytest.raises(Refused, match="A lei deste município não prevê sorteio"):
        await cotriguacu.draws("48213")


async def test_a_tie_that_the_law_does_not_break_is_no_result(cotriguacu: Contest) -> None:
    await cotriguacu.opens(1)
    for _ in range(2):
        await cotriguacu.enrols(candidate__driving_months=60, candidate__dependants=1)
    cotriguacu.pass_days(3)
    await cotriguacu.freezes()
    await cotriguacu.judges(1, dict.fromkeys(cotriguacu.candidates, 1), role="secretary")
    await cotriguacu.judges(3, dict.fromkeys(cotriguacu.candidates, 1))
    with pytest.raises(Refused, match="não desempata") as refused:
        await cotriguacu.publishes()

    assert refused.value.decision.outcome is Outcome.UNDETERMINED


async def test_two_freezes_at_once_happen_once(barra: Contest) -> None:
    await barra.opens(1)
    for _ in range(2):
        await barra.enrols(**ALIKE)
    barra.pass_days(3)
    draw = {"draw_source": LOTTERY, "draw_on": barra.today + timedelta(days=4)}
    for version in (1, None):
        results = await asyncio.gather(
            *(barra.freezes(version=version, **draw) for _ in range(3)), return_exceptions=True
        )
        refused = [result for result in results if isinstance(result, Conflict)]

        assert len(refused) == (2 if version else 3)
    assert len((await barra.proof())["lists"]) == 1
    assert len(await barra.rows("SELECT 1 FROM act WHERE verb = 'selection.frozen'")) == 1
