"""A fine that is challenged is not due, also where its payment term was found to be over before."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import Any
from uuid import UUID

import pytest

from services.database import Database
from services.errors import Conflict, Refused
from services.money import indebting, store
from services.money.paying import record_payment
from services.permits.endings.proposing import propose_ending
from tests.support.factories import COTRIGUACU
from tests.support.proceedings import Docket

SEEN = date(2011, 5, 5)
LAST_TO_PAY = date(2011, 6, 6)  # thirty days end on a Saturday
SERVED = date(2011, 6, 1)
LAST_TO_DEFEND = date(2011, 6, 9)


@pytest.fixture
async def cotriguacu(own_database: Database) -> Docket:
    docket = await Docket.of(own_database, COTRIGUACU)
    docket.at(SEEN)
    return docket


async def fined_case(docket: Docket) -> tuple[UUID, UUID]:
    permit = await docket.permit(date(2011, 1, 10))
    fine = await docket.fined(permit.id, "CO-40-III", SEEN, "fiscalizacao")
    case = await docket.opens(
        "fiscalizacao",
        infractions=["CO-40-III"],
        seen_on=SEEN,
        opened_by="registro_de_ocorrencia",
        permit_id=permit.id,
        fine_ids=[fine],
        source=("fine", fine),
    )
    return case, fine


async def served(docket: Docket, on: date = SERVED) -> tuple[UUID, UUID]:
    case, fine = await fined_case(docket)
    docket.at(on)
    await docket.serves(case, "fiscalizacao", way="person", dates={"acknowledged": on})
    return case, fine


async def payable(docket: Docket, fine: UUID) -> list[tuple[str, date]]:
    """Its terms, in the order in which they came."""
    rows = await docket.rows(
        "SELECT state, last_day FROM deadline WHERE tenant_id = :tenant AND subject_kind = 'fine' AND subject_id = :id "
        "ORDER BY id",
        id=fine,
    )
    return [(row.state, row.last_day) for row in rows]


async def to_debt(docket: Docket, fine: UUID) -> None:
    await docket.do(indebting.send_to_active_debt, "divida_ativa", fine_id=fine)


async def debt_of(docket: Docket, fine: UUID) -> Any:
    async with docket.database.reader(docket.town) as tx:
        return await store.debt(tx, fine)


@pytest.mark.parametrize("night", [True, False])
async def test_a_term_that_was_over_before_the_defence_waits_and_begins_anew(cotriguacu: Docket, night: bool) -> None:
    case, fine = await served(cotriguacu)
    cotriguacu.at(date(2011, 6, 8))
    if night:
        await cotriguacu.night()
        assert await payable(cotriguacu, fine) == [("expired", LAST_TO_PAY)]
    cotriguacu.at(LAST_TO_DEFEND)
    await cotriguacu.defends(case, "financas")

    assert await payable(cotriguacu, fine) == [("replaced", LAST_TO_PAY), ("suspended", LAST_TO_PAY)]
    cotriguacu.at(date(2011, 6, 10))
    await cotriguacu.night()
    with pytest.raises(Refused, match="ainda não é definitiva"):
        await to_debt(cotriguacu, fine)

    await cotriguacu.takes(case, "fiscalizacao")
    await cotriguacu.decides(case, "financas")
    await cotriguacu.serves(case, "fiscalizacao", way="person", dates={"acknowledged": date(2011, 6, 10)})
    cotriguacu.at(date(2011, 6, 21))
    await cotriguacu.night()
    (charge,) = await cotriguacu.charges(case)
    assert charge.final_on == date(2011, 6, 21)
    assert (await payable(cotriguacu, fine))[1:] == [("open", date(2011, 7, 21))], "thirty days from its finality"
    with pytest.raises(Refused, match="não terminou"):
        await to_debt(cotriguacu, fine)
    cotriguacu.at(date(2011, 7, 22))
    await to_debt(cotriguacu, fine)
    assert (await debt_of(cotriguacu, fine)).entered_on == date(2011, 7, 22)


async def test_a_reopened_term_says_by_which_act_and_why(cotriguacu: Docket) -> None:
    case, _ = await served(cotriguacu)
    cotriguacu.at(LAST_TO_DEFEND)
    await cotriguacu.night()
    await cotriguacu.defends(case, "financas")

    rows = await cotriguacu.rows(
        "SELECT d.state, d.last_day, d.closed_on, a.body, s.inputs ->> 'reopens' = CAST(d.id AS text) AS named, "
        "f.due_deadline_id = s.id AS due FROM act AS a "
        "JOIN deadline AS d ON d.tenant_id = a.tenant_id AND d.id = a.subject_id "
        "JOIN deadline AS s ON s.tenant_id = d.tenant_id AND s.id = d.replaced_by "
        "JOIN fine AS f ON f.tenant_id = d.tenant_id AND f.id = d.subject_id "
        "WHERE a.tenant_id = :tenant AND a.verb = 'deadline.reopened'"
    )
    assert [(row.state, row.closed_on, row.named, row.due) for row in rows] == [("replaced", LAST_TO_PAY, True, True)]
    assert "não é exigível" in rows[0].body


async def test_of_what_was_received_in_time_the_days_left_stay_left(cotriguacu: Docket) -> None:
    """Received on a Sunday by an office that had no say; entered when the night had found the payment to be late."""
    case, fine = await served(cotriguacu)
    cotriguacu.at(date(2011, 6, 8))
    await cotriguacu.night()
    await cotriguacu.defends(case, "financas", filed_on=date(2011, 6, 5), addressed_to="prefeito")

    assert await payable(cotriguacu, fine) == [("replaced", LAST_TO_PAY), ("suspended", LAST_TO_PAY)]
    await cotriguacu.takes(case, "fiscalizacao")
    await cotriguacu.decides(case, "financas")
    await cotriguacu.serves(case, "fiscalizacao", way="person", dates={"acknowledged": date(2011, 6, 8)})
    cotriguacu.at(date(2011, 6, 21))
    await cotriguacu.night()

    (charge,) = await cotriguacu.charges(case)
    assert charge.final_on == date(2011, 6, 21), "10 days to the 18th, a Saturday"
    assert (await payable(cotriguacu, fine))[1:] == [("open", date(2011, 6, 21))], "the thirtieth day was a Saturday"


async def test_what_was_sent_to_be_collected_falls_when_the_defence_was_in_time_after_all(cotriguacu: Docket) -> None:
    case, fine = await served(cotriguacu, SEEN)
    cotriguacu.at(date(2011, 6, 7))
    await cotriguacu.night()
    await to_debt(cotriguacu, fine)
    await cotriguacu.enforces(case, "fiscalizacao")
    await cotriguacu.archives(case, "financas")
    cotriguacu.at(date(2011, 6, 10))
    await cotriguacu.defends(case, "financas", filed_on=date(2011, 5, 12), addressed_to="prefeito")

    debt = await debt_of(cotriguacu, fine)
    (charge,) = await cotriguacu.charges(case)
    found = await cotriguacu.case(case)
    assert (debt.number, debt.cancelled_on) == ("0001/2011", date(2011, 6, 7)), "not before it was entered"
    assert (charge.final_on, charge.enforced_on, charge.suspended_on) == (None, None, date(2011, 5, 12))
    assert (found.state, found.step) == ("open", "replica")
    assert (await cotriguacu.terms("case", case))["retention"].state == "met"
    assert (await cotriguacu.pieces(case))[-1].late is False
    verbs = [row.verb for row in await cotriguacu.rows("SELECT verb FROM act WHERE tenant_id = :tenant ORDER BY id")]
    assert {"case.reopened", "debt.cancelled", "deadline.reopened"} <= set(verbs)
    with pytest.raises(Refused, match="ainda não é definitiva"):
        await to_debt(cotriguacu, fine)

    await cotriguacu.takes(case, "fiscalizacao")
    await cotriguacu.decides(case, "financas", "dismissed")
    with pytest.raises(Refused, match="afastada"):
        await to_debt(cotriguacu, fine)
    assert await payable(cotriguacu, fine) == [("replaced", LAST_TO_PAY), ("met", LAST_TO_PAY)]


async def test_what_was_paid_of_a_fine_that_is_dismissed_is_somebody_s_to_give_back(cotriguacu: Docket) -> None:
    case, fine = await served(cotriguacu)
    await cotriguacu.do(record_payment, "financas", fine_id=fine, brl=Decimal("100.00"), reference="guia-1")
    await cotriguacu.defends(case, "financas")
    await cotriguacu.takes(case, "fiscalizacao")
    await cotriguacu.decides(case, "financas", "dismissed")

    (task,) = await cotriguacu.rows("SELECT * FROM clerk_task WHERE tenant_id = :tenant AND kind = 'refund'")
    assert (task.subject_kind, task.subject_id, "R$ 100.00" in task.detail) == ("fine", fine, True)


async def test_one_that_comes_again_has_a_number_of_its_own(cotriguacu: Docket) -> None:
    case, fine = await served(cotriguacu, SEEN)
    cotriguacu.at(date(2011, 6, 7))
    await to_debt(cotriguacu, fine)
    await cotriguacu.defends(case, "financas", filed_on=date(2011, 5, 12))
    await cotriguacu.takes(case, "fiscalizacao")
    await cotriguacu.decides(case, "financas")
    await cotriguacu.serves(case, "fiscalizacao", way="person", dates={"acknowledged": date(2011, 6, 7)})
    cotriguacu.at(date(2011, 8, 1))
    await to_debt(cotriguacu, fine)

    assert (await debt_of(cotriguacu, fine)).number == "0002/2011"
    with pytest.raises(Conflict):
        await to_debt(cotriguacu, fine)


async def test_a_fine_without_a_case_is_not_collected_while_it_may_be_defended(cotriguacu: Docket) -> None:
    """Under a law whose days to pay are fewer than those to defend oneself."""
    await cotriguacu.amend(SHORT)
    permit = await cotriguacu.permit(date(2011, 1, 10))
    fine = await cotriguacu.fined(permit.id, "CO-40-III", SEEN, "fiscalizacao")
    assert await payable(cotriguacu, fine) == [("open", date(2011, 5, 9))]

    cotriguacu.at(date(2011, 5, 13))
    with pytest.raises(Refused, match="cabe defesa até 13/05/2011"):
        await to_debt(cotriguacu, fine)
    cotriguacu.at(date(2011, 5, 14))
    await to_debt(cotriguacu, fine)


SHORT = """
[[term]]
code = "pagar_multa"
title = "Recolher a multa"
of = "fine"
starts = "notified"
length = "3 days"
counting = "prazo"
met_by = ["paid"]
cite = ["art. 73", "art. 73, § ún."]
[[term.late]]
after = "0 days"
effect = { do = "order", label = "Inscrever", cite = "art. 73, § ún." }
decides = "divida_ativa"
cite = "art. 73, § ún."
"""


async def test_what_was_proposed_for_an_overdue_fine_falls_with_its_ground(cotriguacu: Docket) -> None:
    case, fine = await served(cotriguacu, SEEN)
    (permit,) = [row.permit_id for row in await cotriguacu.rows("SELECT permit_id FROM fine WHERE tenant_id = :tenant")]
    proposed = {"permit_id": permit, "cause": "caducidade", "infraction": "CO-17-IV"}
    cotriguacu.at(LAST_TO_PAY)
    await cotriguacu.night()
    with pytest.raises(Refused, match="só em 07/06/2011 se pode abrir"):
        await cotriguacu.do(propose_ending, "financas", **proposed)
    cotriguacu.at(date(2011, 6, 7))
    await cotriguacu.night()
    await cotriguacu.do(propose_ending, "financas", **proposed)

    await cotriguacu.defends(case, "financas", filed_on=date(2011, 5, 12), addressed_to="prefeito")

    (row,) = await cotriguacu.rows(
        "SELECT p.state, a.body FROM proposal AS p JOIN act AS a ON a.tenant_id = p.tenant_id AND a.id = p.closed_act "
        "WHERE p.tenant_id = :tenant"
    )
    assert row.state == "dismissed"
    assert "não é exigível" in row.body
    with pytest.raises(Refused, match="Nada está atrasado"):
        await cotriguacu.do(propose_ending, "financas", **proposed)
    assert fine


async def test_a_case_about_an_overdue_fine_is_told_that_it_is_not_due(cotriguacu: Docket) -> None:
    case, _ = await served(cotriguacu, SEEN)
    (permit,) = [row.permit_id for row in await cotriguacu.rows("SELECT permit_id FROM fine WHERE tenant_id = :tenant")]
    cotriguacu.at(date(2011, 6, 7))
    await cotriguacu.night()
    ending = await cotriguacu.opens(
        "financas", infractions=["CO-17-IV"], seen_on=date(2011, 6, 7), opened_by="de_oficio", permit_id=permit
    )
    await cotriguacu.defends(case, "financas", filed_on=date(2011, 5, 12), addressed_to="prefeito")

    piece = (await cotriguacu.pieces(ending))[-1]
    (charge,) = await cotriguacu.charges(ending)
    assert (piece.title, charge.outcome) == ("Informação: multa não exigível", None), "the office decides"


async def test_who_has_no_permit_is_fined_at_the_end_of_the_case_and_not_asked_to_defend_it_again(
    cotriguacu: Docket,
) -> None:
    case = await cotriguacu.opens(
        "financas",
        infractions=["CO-40-VI"],
        seen_on=SEEN,
        opened_by="de_oficio",
        category="taxi",
        respondents=[{"name": "Motorista clandestino"}],
    )
    await cotriguacu.defends(case, "financas")
    await cotriguacu.takes(case, "fiscalizacao")
    await cotriguacu.decides(case, "financas")
    await cotriguacu.serves(case, "fiscalizacao", way="person", dates={"acknowledged": SEEN})
    cotriguacu.at(date(2011, 5, 20))
    await cotriguacu.night()
    await cotriguacu.enforces(case, "fiscalizacao")

    (charge,) = await cotriguacu.charges(case)
    rows = await cotriguacu.rows(
        "SELECT f.id, f.brl, f.proceeding_id, p.category, p.defence_id, p.final_on FROM fine AS f "
        "JOIN penalty AS p ON p.tenant_id = f.tenant_id AND p.fine_id = f.id WHERE f.tenant_id = :tenant"
    )
    assert [(row.id, row.brl, row.proceeding_id, row.category) for row in rows] == [
        (charge.fine_id, Decimal("650.00"), case, "taxi")
    ]
    assert (rows[0].defence_id, rows[0].final_on) == (None, date(2011, 5, 20))
    assert await payable(cotriguacu, rows[0].id) == [("open", date(2011, 6, 20))]
    with pytest.raises(Refused, match=r"vai até 20/06/2011 \(Lei 624/2009, art. 73"):
        await to_debt(cotriguacu, rows[0].id)
    cotriguacu.at(date(2011, 6, 21))
    await to_debt(cotriguacu, rows[0].id)
