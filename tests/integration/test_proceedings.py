"""Administrative cases under the founding laws: every term on its last day, every end where the law puts it."""

from __future__ import annotations

import asyncio
from datetime import date, time
from typing import Any
from uuid import UUID

import pytest

from services.database import Database
from services.errors import Conflict, Forbidden, Invalid, Refused
from services.nights.night import remind
from services.permits import store as permits
from services.permits.endings.finalizing import finalize_ending
from services.proceedings import archiving, enforcing, instructing, opening
from services.proceedings.pieces import broken
from tenants.law.decision import Outcome
from tests.support.factories import BARRA, COTRIGUACU
from tests.support.proceedings import Docket

SEEN = date(2011, 5, 5)
SERVED = date(2011, 5, 12)


@pytest.fixture
async def cotriguacu(own_database: Database) -> Docket:
    docket = await Docket.of(own_database, COTRIGUACU)
    docket.at(SEEN)
    return docket


async def fined_case(docket: Docket, infraction: str = "CO-40-III") -> tuple[UUID, UUID]:
    """A taxi fined on the street and told so, and the case about it."""
    permit = await docket.permit(date(2011, 1, 10))
    fine = await docket.fined(permit.id, infraction, SEEN, "fiscalizacao")
    case = await docket.opens(
        "fiscalizacao",
        infractions=[infraction],
        seen_on=SEEN,
        opened_by="registro_de_ocorrencia",
        permit_id=permit.id,
        fine_ids=[fine],
        source=("fine", fine),
    )
    return case, fine


async def test_a_fine_that_nobody_challenges_is_final_when_the_term_has_run(cotriguacu: Docket) -> None:
    case, fine = await fined_case(cotriguacu)
    cotriguacu.at(date(2011, 5, 12))
    await cotriguacu.serves(case, "fiscalizacao", way="person", dates={"acknowledged": date(2011, 5, 12)})
    assert (await cotriguacu.terms("case", case))["defesa"].last_day == date(2011, 5, 20)

    cotriguacu.at(date(2011, 5, 20))
    await cotriguacu.night()
    assert (await cotriguacu.case(case)).step == "defesa"
    cotriguacu.at(date(2011, 5, 23))
    with pytest.raises(Conflict):
        await cotriguacu.decides(case, "financas")
    await cotriguacu.night()

    (charge,) = await cotriguacu.charges(case)
    assert (charge.outcome, charge.final_on) == ("upheld", date(2011, 5, 21))
    assert (await cotriguacu.case(case)).state == "final"
    assert (await cotriguacu.terms("fine", fine))["pagar_multa"].state == "open"


async def test_the_whole_way_to_the_mayor_and_into_the_archive(cotriguacu: Docket) -> None:
    case, fine = await fined_case(cotriguacu)
    before = (await cotriguacu.terms("fine", fine))["pagar_multa"]
    cotriguacu.at(date(2011, 5, 12))
    await cotriguacu.serves(case, "fiscalizacao", way="person", dates={"acknowledged": date(2011, 5, 12)})
    cotriguacu.at(date(2011, 5, 20), time(23, 59, 59))
    await cotriguacu.defends(case, "financas")

    assert (await cotriguacu.terms("fine", fine))["pagar_multa"].state == "suspended"
    assert (await cotriguacu.case(case)).step == "replica"
    assert (await cotriguacu.terms("case", case))["replica"].last_day == date(2011, 5, 30)
    await cotriguacu.takes(case, "fiscalizacao")
    assert (await cotriguacu.case(case)).step == "decisao"
    cotriguacu.at(date(2011, 5, 25))
    await cotriguacu.orders(case, "financas")
    assert (await cotriguacu.case(case)).step == "diligencia"
    await cotriguacu.takes(case, "financas")
    with pytest.raises(Forbidden):
        await cotriguacu.decides(case, "prefeito")
    await cotriguacu.decides(case, "financas")
    assert (await cotriguacu.case(case)).step == "recurso"
    cotriguacu.at(date(2011, 6, 1))
    await cotriguacu.serves(case, "fiscalizacao", way="post", dates={"received": date(2011, 6, 1)})
    assert (await cotriguacu.terms("case", case))["recurso"].last_day == date(2011, 6, 13)
    cotriguacu.at(date(2011, 6, 13))
    await cotriguacu.appeals(case, "financas")
    assert (await cotriguacu.case(case)).step == "julgamento"
    cotriguacu.at(date(2011, 7, 1))
    await cotriguacu.decides(case, "prefeito")

    (charge,) = await cotriguacu.charges(case)
    assert (charge.outcome, charge.final_on, charge.suspended_on) == ("upheld", date(2011, 7, 1), None)
    due = await cotriguacu.terms("fine", fine)
    assert (due["pagar_multa"].state, before.state) == ("replaced", "open")
    assert (due["pagar_multa_recorrida"].state, due["pagar_multa_recorrida"].last_day) == ("open", date(2011, 8, 1))
    with pytest.raises(Conflict):
        await cotriguacu.archives(case, "financas")
    await cotriguacu.enforces(case, "fiscalizacao")
    await cotriguacu.archives(case, "financas")
    pieces = await cotriguacu.pieces(case)
    assert [piece.seq for piece in pieces] == list(range(1, len(pieces) + 1))
    assert broken(pieces) == []
    assert (await cotriguacu.terms("case", case))["retention"].last_day == date(2016, 7, 1)


async def test_barra_asks_for_the_term_that_its_law_does_not_give(own_database: Database) -> None:
    docket = await Docket.of(own_database, BARRA)
    docket.at(date(2026, 3, 10))
    permit = await docket.permit(date(2026, 3, 10))
    case = await docket.opens(
        "fiscalizacao",
        infractions=["I-17"],
        seen_on=date(2026, 3, 10),
        opened_by="registro",
        process="administrativo",
        permit_id=permit.id,
    )
    await docket.serves(case, "fiscalizacao", way="person", dates={"acknowledged": date(2026, 3, 10)})

    term = (await docket.terms("case", case))["defesa"]
    assert term.last_day == date(2026, 3, 25)
    assert "valor de exemplo, sem norma" in term.inputs["message"]


async def test_a_decision_that_nobody_appeals_is_final_after_the_term_and_the_payment_runs_on(
    cotriguacu: Docket,
) -> None:
    """Fined on May 5, stopped from May 20 to the end of the term to appeal: what is left of thirty days follows."""
    case, fine = await defended(cotriguacu)
    cotriguacu.at(date(2011, 5, 25))
    await cotriguacu.takes(case, "fiscalizacao")
    await cotriguacu.decides(case, "financas")
    await cotriguacu.serves(case, "fiscalizacao", way="person", dates={"acknowledged": date(2011, 5, 25)})
    cotriguacu.at(date(2011, 6, 7))
    await cotriguacu.night()

    (charge,) = await cotriguacu.charges(case)
    due = (await cotriguacu.terms("fine", fine))["pagar_multa"]
    assert (charge.outcome, charge.final_on) == ("upheld", date(2011, 6, 7))
    assert (due.state, due.last_day) == ("open", date(2011, 6, 22))
    stopped = [day for day in due.counted["days"]["days"] if day["why"] == "prazo suspenso"]
    assert (stopped[0]["day"], stopped[-1]["day"], len(stopped)) == ("2011-05-20", "2011-06-06", 18)


async def defended(docket: Docket, on: date = date(2011, 5, 20)) -> tuple[UUID, UUID]:
    case, fine = await fined_case(docket)
    docket.at(SERVED)
    await docket.serves(case, "fiscalizacao", way="person", dates={"acknowledged": SERVED})
    docket.at(on)
    await docket.defends(case, "financas")
    return case, fine


async def test_nobody_decides_on_a_day_before_everybody_has_been_heard(cotriguacu: Docket) -> None:
    """A day that somebody mistypes takes nobody's turn."""
    case, _ = await defended(cotriguacu)
    cotriguacu.at(date(2011, 5, 25))
    await cotriguacu.takes(case, "fiscalizacao")

    with pytest.raises(Invalid):
        await cotriguacu.decides(case, "financas", on=date(2011, 5, 19))
    await cotriguacu.decides(case, "financas", on=date(2011, 5, 20))

    (charge,) = await cotriguacu.charges(case)
    assert (charge.outcome, charge.decided_on, charge.final_on) == ("upheld", date(2011, 5, 20), None)


async def test_nothing_answers_what_has_not_come_yet(cotriguacu: Docket) -> None:
    """A reply or a diligence of a day before would let the days of the decision run before anybody could decide."""
    case, _ = await defended(cotriguacu)
    cotriguacu.at(date(2011, 5, 25))

    with pytest.raises(Invalid):
        await cotriguacu.takes(case, "fiscalizacao", on=date(2011, 5, 19))
    await cotriguacu.takes(case, "fiscalizacao", on=date(2011, 5, 20))
    with pytest.raises(Invalid):
        await cotriguacu.orders(case, "financas", on=date(2011, 5, 19))
    await cotriguacu.orders(case, "financas", on=date(2011, 5, 24))
    with pytest.raises(Invalid):
        await cotriguacu.takes(case, "financas", on=date(2011, 5, 23))
    await cotriguacu.takes(case, "financas", on=date(2011, 5, 24))


async def test_where_nobody_defends_the_decision_is_of_no_day_of_the_term(own_database: Database) -> None:
    docket = await Docket.of(own_database, BARRA)
    docket.at(date(2026, 3, 10))
    permit = await docket.permit(date(2026, 3, 10))
    case = await docket.opens(
        "fiscalizacao",
        infractions=["I-17"],
        seen_on=date(2026, 3, 10),
        opened_by="registro",
        process="administrativo",
        permit_id=permit.id,
    )
    await docket.serves(case, "fiscalizacao", way="person", dates={"acknowledged": date(2026, 3, 10)})
    docket.at(date(2026, 4, 1))
    await docket.night()

    with pytest.raises(Invalid):
        await docket.decides(case, "financas", on=date(2026, 3, 25))
    await docket.decides(case, "financas", on=date(2026, 3, 26))


async def test_nobody_is_told_of_a_decision_before_it_was_made(cotriguacu: Docket) -> None:
    """Else the term to appeal would be over before it could begin, and the penalty final."""
    case, _ = await defended(cotriguacu)
    cotriguacu.at(date(2011, 5, 25))
    await cotriguacu.takes(case, "fiscalizacao")
    await cotriguacu.decides(case, "financas")
    cotriguacu.at(date(2011, 6, 20))
    before, same = date(2011, 5, 24), date(2011, 5, 25)

    with pytest.raises(Invalid):
        await cotriguacu.serves(case, "fiscalizacao", way="person", dates={"acknowledged": before})
    with pytest.raises(Invalid):
        await cotriguacu.serves(case, "fiscalizacao", way="person", failed_on=before)
    await cotriguacu.serves(case, "fiscalizacao", way="person", dates={"acknowledged": same})

    assert (await cotriguacu.terms("case", case))["recurso"].opened_on == same


async def test_what_is_dismissed_is_final_and_nothing_is_due(cotriguacu: Docket) -> None:
    case, fine = await defended(cotriguacu)
    await cotriguacu.takes(case, "fiscalizacao")
    await cotriguacu.decides(case, "financas", "dismissed")

    (charge,) = await cotriguacu.charges(case)
    assert (charge.outcome, charge.final_on) == ("dismissed", date(2011, 5, 20))
    assert (await cotriguacu.terms("fine", fine))["pagar_multa"].state == "met"
    with pytest.raises(Refused):
        await cotriguacu.do(enforcing.enforce_charge, "fiscalizacao", case_id=case, charge_id=charge.id)
    await cotriguacu.archives(case, "financas")
    assert (await cotriguacu.case(case)).state == "archived"


async def test_a_defence_is_in_time_to_the_last_second_and_late_at_midnight(cotriguacu: Docket) -> None:
    in_time, _ = await defended(cotriguacu)
    cotriguacu.at(SEEN)
    late, fine = await fined_case(cotriguacu, "CO-40-V")
    cotriguacu.at(SERVED)
    await cotriguacu.serves(late, "fiscalizacao", way="person", dates={"acknowledged": SERVED})
    cotriguacu.at(date(2011, 5, 21), time(0, 0, 0))
    await cotriguacu.defends(late, "financas")

    assert [piece.late for piece in await cotriguacu.pieces(in_time)] == [False, False, False]
    piece = (await cotriguacu.pieces(late))[-1]
    assert piece.late
    assert "fora do prazo, que terminou em 20/05/2011" in piece.title
    assert (await cotriguacu.charges(late))[0].final_on == date(2011, 5, 21)
    assert (await cotriguacu.terms("fine", fine))["pagar_multa"].state == "open"


async def test_what_an_office_received_in_time_and_entered_later_is_in_time(cotriguacu: Docket) -> None:
    case, fine = await fined_case(cotriguacu)
    cotriguacu.at(SERVED)
    await cotriguacu.serves(case, "fiscalizacao", way="person", dates={"acknowledged": SERVED})
    cotriguacu.at(date(2011, 5, 24))
    await cotriguacu.night()
    assert (await cotriguacu.charges(case))[0].final_on is not None

    await cotriguacu.defends(case, "financas", filed_on=date(2011, 5, 20))

    (charge,) = await cotriguacu.charges(case)
    assert (charge.final_on, charge.outcome, charge.suspended_on) == (None, None, date(2011, 5, 20))
    assert (await cotriguacu.case(case)).step == "replica"
    assert (await cotriguacu.terms("fine", fine))["pagar_multa"].state == "suspended"
    assert (await cotriguacu.pieces(case))[-1].late is False


async def test_a_defence_handed_to_the_mayor_counts_in_the_first_instance(cotriguacu: Docket) -> None:
    case, _ = await fined_case(cotriguacu)
    cotriguacu.at(SERVED)
    await cotriguacu.serves(case, "fiscalizacao", way="person", dates={"acknowledged": SERVED})
    await cotriguacu.defends(case, "financas", addressed_to="prefeito")

    assert (await cotriguacu.case(case)).step == "replica"
    assert "entregue a: prefeito" in (await cotriguacu.pieces(case))[-1].title


async def test_where_the_town_reads_it_so_one_goes_straight_to_the_second_instance(cotriguacu: Docket) -> None:
    await cotriguacu.amend('[[choice]]\ncode = "recurso_direto"\noption = "on"\nby = "prefeito"\nwhy = "decreto"\n')
    case, _ = await fined_case(cotriguacu)
    cotriguacu.at(SERVED)
    await cotriguacu.serves(case, "fiscalizacao", way="person", dates={"acknowledged": SERVED})
    await cotriguacu.defends(case, "financas", addressed_to="prefeito")

    assert (await cotriguacu.case(case)).step == "julgamento"
    await cotriguacu.decides(case, "prefeito")
    assert (await cotriguacu.charges(case))[0].final_on == SERVED


async def test_a_part_that_is_not_appealed_is_final_at_once(cotriguacu: Docket) -> None:
    permit = await cotriguacu.permit(date(2011, 1, 10))
    both = ["CO-40-III", "CO-40-V"]
    fines = [await cotriguacu.fined(permit.id, each, SEEN, "fiscalizacao") for each in both]
    case = await cotriguacu.opens(
        "financas", infractions=both, seen_on=SEEN, opened_by="de_oficio", permit_id=permit.id, fine_ids=fines
    )
    cotriguacu.at(SERVED)
    await cotriguacu.serves(case, "fiscalizacao", way="person", dates={"acknowledged": SERVED})
    await cotriguacu.defends(case, "financas")
    await cotriguacu.takes(case, "fiscalizacao")
    await cotriguacu.decides(case, "financas")
    await cotriguacu.serves(case, "fiscalizacao", way="person", dates={"acknowledged": SERVED})
    first, second = await cotriguacu.charges(case)
    cotriguacu.at(date(2011, 5, 16))
    await cotriguacu.appeals(case, "financas", charge_ids=[second.id])

    first, second = await cotriguacu.charges(case)
    assert (first.final_on, second.final_on) == (date(2011, 5, 16), None)
    assert (await cotriguacu.terms("fine", fines[0]))["pagar_multa"].state == "open"
    assert (await cotriguacu.terms("fine", fines[1]))["pagar_multa"].state == "suspended"
    await cotriguacu.decides(case, "prefeito", "dismissed")
    assert [each.outcome for each in await cotriguacu.charges(case)] == ["upheld", "dismissed"]


AT_ONCE = """
[[process]]
code = "administrativo"
title = "Processo administrativo"
cite = "art. 45"
counting = "defesa"
opened_by = ["de_oficio"]
judge = "financas"
step = [
  { code = "defesa", actor = "party", term = "8 days", after = "service", suspends = true, cite = "art. 52" },
  { code = "decisao", actor = "authority", after = "defesa", cite = "art. 58" },
  { code = "recurso", instance = 2, actor = "party", to = "prefeito", term = "10 days", counting = "prazo", \
after = "service", suspends = true, silence = "final", whole_or_part = true, cite = "art. 60" },
]
"""


async def test_an_office_that_judges_appeals_at_once_hears_everybody_first(cotriguacu: Docket) -> None:
    """Where the law gives the last judgement no step of its own, one appeal does not end the other party's term."""
    await cotriguacu.amend(AT_ONCE)
    permit = await cotriguacu.permit(date(2011, 1, 10))
    case = await cotriguacu.opens(
        "financas",
        infractions=["CO-40-III", "CO-40-V"],
        seen_on=SEEN,
        opened_by="de_oficio",
        permit_id=permit.id,
        respondents=[{"name": "Autuada"}, {"name": "Autuado"}],
    )
    one, other = await cotriguacu.respondents(case)
    cotriguacu.at(SERVED)
    for party in (one, other):
        await cotriguacu.serves(case, "fiscalizacao", party_id=party, way="person", dates={"acknowledged": SERVED})
        await cotriguacu.defends(case, "financas", party_id=party)
    await cotriguacu.decides(case, "financas")
    for party in (one, other):
        await cotriguacu.serves(case, "fiscalizacao", party_id=party, way="person", dates={"acknowledged": SERVED})
    await cotriguacu.appeals(case, "financas", party_id=one, charge_ids=[(await cotriguacu.charges(case))[0].id])
    with pytest.raises(Conflict, match="ainda corre o prazo"):
        await cotriguacu.decides(case, "prefeito")

    cotriguacu.at(date(2011, 5, 24))
    await cotriguacu.decides(case, "prefeito")

    first, second = await cotriguacu.charges(case)
    assert (first.final_on, second.final_on) == (date(2011, 5, 24), date(2011, 5, 24))
    await cotriguacu.enforces(case, "fiscalizacao")
    await cotriguacu.archives(case, "financas")


async def test_the_silence_of_the_authority_is_put_on_record_and_decides_nothing(cotriguacu: Docket) -> None:
    case, _ = await defended(cotriguacu)
    await cotriguacu.takes(case, "fiscalizacao")
    cotriguacu.at(date(2011, 12, 1))
    await cotriguacu.night()

    assert (await cotriguacu.case(case)).step == "decisao"
    assert [each.outcome for each in await cotriguacu.charges(case)] == [None]
    verbs = await cotriguacu.rows(
        "SELECT verb FROM act WHERE tenant_id = :tenant AND subject_id = :id ORDER BY id", id=case
    )
    assert [row.verb for row in verbs].count("case.escalated") == 1
    await cotriguacu.decides(case, "financas")


async def test_a_notice_to_the_public_comes_when_the_other_ways_have_failed(cotriguacu: Docket) -> None:
    case, _ = await fined_case(cotriguacu)
    cotriguacu.at(date(2011, 6, 1))
    published = {"way": "edict", "dates": {"published": date(2011, 6, 1)}}
    with pytest.raises(Refused, match="Antes de"):
        await cotriguacu.serves(case, "fiscalizacao", **published)
    for way in ("person", "post"):
        await cotriguacu.serves(case, "fiscalizacao", way=way, failed_on=date(2011, 6, 1), why="Mudou-se.")
    await cotriguacu.serves(case, "fiscalizacao", **published)

    term = (await cotriguacu.terms("case", case))["defesa"]
    assert (term.opened_on, term.last_day) == (date(2011, 7, 1), date(2011, 7, 11))
    with pytest.raises(Conflict):
        await cotriguacu.serves(case, "fiscalizacao", **published)


async def test_a_permit_ends_only_when_the_case_has_said_so(cotriguacu: Docket) -> None:
    permit = await cotriguacu.permit(date(2011, 1, 10))
    case = await cotriguacu.opens(
        "financas", infractions=["CO-23"], seen_on=SEEN, opened_by="de_oficio", permit_id=permit.id
    )
    (charge,) = await cotriguacu.charges(case)
    with pytest.raises(Refused, match="decisão definitiva"):
        await cotriguacu.do(finalize_ending, "prefeito", proposal_id=charge.proposal_id)
    cotriguacu.at(SERVED)
    await cotriguacu.serves(case, "fiscalizacao", way="person", dates={"acknowledged": SERVED}, refused=True)
    cotriguacu.at(date(2011, 5, 24))
    await cotriguacu.night()
    assert (await cotriguacu.case(case)).step == "decisao"
    await cotriguacu.decides(case, "financas")
    await cotriguacu.serves(case, "fiscalizacao", way="person", dates={"acknowledged": date(2011, 5, 24)})
    cotriguacu.at(date(2011, 6, 10))
    await cotriguacu.night()
    with pytest.raises(Forbidden):
        await cotriguacu.enforces(case, "financas")
    await cotriguacu.enforces(case, "prefeito")

    async with cotriguacu.database.reader(cotriguacu.town) as tx:
        ended = await permits.permit(tx, permit.id, date(2011, 6, 10))
    assert (ended.state, ended.ended_cause) == ("ended", "cancelamento")


async def test_of_two_decisions_at_once_one_is_taken(cotriguacu: Docket) -> None:
    case, _ = await defended(cotriguacu)
    await cotriguacu.takes(case, "fiscalizacao")
    seen = (await cotriguacu.case(case)).version
    await cotriguacu.holding("financas")

    came = await asyncio.gather(
        *(cotriguacu.decides(case, "financas", said, version=seen) for said in ("upheld", "dismissed")),
        return_exceptions=True,
    )

    assert sorted(type(each).__name__ for each in came) == ["Conflict", "NoneType"]


async def test_fifty_cases_that_commit_and_ten_that_roll_back_are_numbered_one_to_fifty(cotriguacu: Docket) -> None:
    await cotriguacu.holding("financas")

    async def opens(nth: int) -> None:
        given: dict[str, Any] = {"respondents": [{"name": f"Pessoa {nth}"}], "infractions": ["CO-40-VI"]}
        async with cotriguacu.database.transaction(cotriguacu.town) as tx:
            who = await cotriguacu.actor(tx, "financas")
            await opening.open_case(
                tx, who, text="Instaure-se.", seen_on=SEEN, opened_by="de_oficio", category="taxi", **given
            )
            if nth % 6 == 0:
                raise Undone

    came = await asyncio.gather(*(opens(nth) for nth in range(60)), return_exceptions=True)

    assert [type(each) for each in came].count(Undone) == 10
    rows = await cotriguacu.rows("SELECT number FROM proceeding WHERE tenant_id = :tenant ORDER BY number")
    assert [row.number for row in rows] == [f"{number:04d}/2011" for number in range(1, 51)]


class Undone(Exception):
    """The transaction is rolled back."""


async def test_pieces_are_destroyed_when_the_years_are_over_unless_they_are_held(cotriguacu: Docket) -> None:
    case, _ = await defended(cotriguacu)
    await cotriguacu.takes(case, "fiscalizacao")
    await cotriguacu.decides(case, "financas", "dismissed")
    cotriguacu.at(date(2012, 2, 29))
    await cotriguacu.archives(case, "financas")
    assert (await cotriguacu.terms("case", case))["retention"].last_day == date(2017, 2, 28)
    with pytest.raises(Refused, match="28/02/2017"):
        await cotriguacu.do(archiving.dispose_case, "financas", case_id=case)

    cotriguacu.at(date(2017, 3, 1))
    await cotriguacu.do(archiving.hold_case, "financas", case_id=case, why="Ordem judicial")
    with pytest.raises(Refused, match="Ordem judicial"):
        await cotriguacu.do(archiving.dispose_case, "financas", case_id=case)
    await cotriguacu.do(archiving.release_case, "financas", case_id=case, why="Ordem revogada")
    before = await cotriguacu.pieces(case)
    await cotriguacu.do(archiving.dispose_case, "financas", case_id=case)

    after = await cotriguacu.pieces(case)
    assert [piece.content for piece in after] == [None] * len(before)
    assert [piece.chain for piece in after] == [piece.chain for piece in before]
    assert broken(after) == []


async def test_a_piece_is_neither_changed_nor_taken_away(cotriguacu: Docket) -> None:
    case, _ = await fined_case(cotriguacu)
    for sql in (
        "UPDATE proceeding_piece SET title = 'outro' WHERE tenant_id = :tenant RETURNING id",
        "DELETE FROM proceeding_piece WHERE tenant_id = :tenant RETURNING id",
    ):
        with pytest.raises(Exception, match="permission denied"):
            async with cotriguacu.database.transaction(cotriguacu.town) as tx:
                await tx.rows(sql)
    (piece,) = await cotriguacu.pieces(case)

    assert broken([piece]) == []
    assert broken([Forged(piece)]) == [1]


class Forged:
    """A piece with another title."""

    def __init__(self, piece: Any) -> None:
        self._piece = piece

    def __getattr__(self, name: str) -> Any:
        return "outro" if name == "title" else getattr(self._piece, name)


async def test_what_is_not_to_be_done_is_refused(cotriguacu: Docket) -> None:
    case, fine = await fined_case(cotriguacu)
    given = {"infractions": ["CO-40-III"], "seen_on": SEEN, "opened_by": "registro_de_ocorrencia"}
    with pytest.raises(Conflict, match="Já há processo"):
        await cotriguacu.opens("financas", **given, respondents=[{"name": "Outro"}], source=("fine", fine))
    with pytest.raises(Invalid):
        await cotriguacu.opens("financas", **given, respondents=[])
    with pytest.raises(Invalid):
        await cotriguacu.opens("financas", **{**given, "opened_by": "boato"}, respondents=[{"name": "Outro"}])
    with pytest.raises(Forbidden):
        await cotriguacu.opens("camara", **given, respondents=[{"name": "Outro"}])
    with pytest.raises(Conflict):
        await cotriguacu.decides(case, "financas")
    with pytest.raises(Conflict):
        await cotriguacu.do(instructing.take_step, "fiscalizacao", case_id=case, text="Réplica")
    with pytest.raises(Conflict):
        await cotriguacu.appeals(case, "financas")


async def test_barra_without_its_parameter_says_what_is_missing(own_database: Database) -> None:
    docket = await Docket.of(own_database, BARRA, samples=False)
    docket.at(date(2026, 3, 10))
    await docket.amend(
        """
[[supplied]]
sample = true
source = "valor de exemplo"
rows = [{ code = "publicacao", value = 2009-12-28 }, { code = "valor_ufir", value = 1.0641 }]
"""
    )
    case = await docket.opens(
        "fiscalizacao",
        infractions=["I-17"],
        seen_on=date(2026, 3, 10),
        opened_by="registro",
        process="administrativo",
        category="taxi",
        respondents=[{"name": "Autuado"}],
    )
    with pytest.raises(Refused) as refused:
        await docket.serves(case, "fiscalizacao", way="person", dates={"acknowledged": date(2026, 3, 10)})

    assert refused.value.decision.outcome is Outcome.UNDETERMINED
    assert [missing.code for missing in refused.value.decision.missing] == ["prazo_defesa"]


async def test_whose_term_runs_is_reminded_of_it(cotriguacu: Docket) -> None:
    case, _ = await fined_case(cotriguacu)
    cotriguacu.at(SERVED)
    await cotriguacu.serves(case, "fiscalizacao", way="person", dates={"acknowledged": SERVED})
    cotriguacu.at(date(2011, 5, 17))
    async with cotriguacu.database.transaction(cotriguacu.town) as tx:
        await remind(tx, tx.today, 100)

    rows = await cotriguacu.rows(
        "SELECT n.state, n.template, p.id = n.person_id AS told FROM notice AS n "
        "JOIN person AS p ON p.tenant_id = n.tenant_id AND p.id = n.person_id "
        "WHERE n.tenant_id = :tenant AND n.subject_kind = 'case' AND n.subject_id = :case",
        case=case,
    )
    assert [(row.state, row.template, row.told) for row in rows] == [("queued", "prazo_vence", True)]
