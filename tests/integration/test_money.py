"""A fine is paid, or goes to active debt when its term is over and nothing can change it any more."""

from __future__ import annotations

from datetime import date, timedelta
from decimal import Decimal
from typing import Any
from uuid import UUID

import pytest

from services.database import Database
from services.errors import Conflict, Forbidden, Invalid, Refused
from services.money import indebting, paying, store
from tests.support.factories import BARRA, COTRIGUACU
from tests.support.proceedings import Docket

SEEN, DAY = date(2011, 5, 20), timedelta(days=1)


@pytest.fixture
async def cotriguacu(own_database: Database) -> Docket:
    docket = await Docket.of(own_database, COTRIGUACU)
    docket.at(SEEN)
    return docket


async def fine_of(docket: Docket) -> UUID:
    permit = await docket.permit(date(2011, 1, 10))
    return await docket.fined(permit.id, "CO-40-III", SEEN, "fiscalizacao")


async def pays(docket: Docket, fine: UUID, brl: str, reference: str = "guia-1", **given: Any) -> None:
    await docket.do(paying.record_payment, "financas", fine_id=fine, brl=Decimal(brl), reference=reference, **given)


async def test_a_fine_is_due_thirty_days_after_the_notice_and_met_when_all_of_it_is_paid(cotriguacu: Docket) -> None:
    fine = await fine_of(cotriguacu)
    assert (await cotriguacu.terms("fine", fine))["pagar_multa"].last_day == date(2011, 6, 20)

    await pays(cotriguacu, fine, "600.00")
    assert (await cotriguacu.terms("fine", fine))["pagar_multa"].state == "open"
    await pays(cotriguacu, fine, "50.00", "guia-2")

    assert (await cotriguacu.terms("fine", fine))["pagar_multa"].state == "met"
    with pytest.raises(Conflict):
        await cotriguacu.do(indebting.send_to_active_debt, "divida_ativa", fine_id=fine)


@pytest.mark.parametrize(("brl", "field"), [("650.01", "brl"), ("0", "brl"), ("-1", "brl"), ("1.005", "brl")])
async def test_nobody_pays_more_than_is_due_nor_less_than_a_cent(cotriguacu: Docket, brl: str, field: str) -> None:
    fine = await fine_of(cotriguacu)
    with pytest.raises(Invalid) as wrong:
        await pays(cotriguacu, fine, brl)

    assert wrong.value.field == field


async def test_nothing_is_paid_before_the_fact_nor_in_days_to_come(cotriguacu: Docket) -> None:
    fine = await fine_of(cotriguacu)
    for day, problem in ((SEEN - DAY, "order"), (SEEN + DAY, "future")):
        with pytest.raises(Invalid) as wrong:
            await pays(cotriguacu, fine, "650.00", paid_on=day)
        assert (wrong.value.field, wrong.value.problem) == ("paidOn", problem)


async def test_a_receipt_pays_once(cotriguacu: Docket) -> None:
    fine = await fine_of(cotriguacu)
    await pays(cotriguacu, fine, "10.00")
    with pytest.raises(Invalid, match="comprovante"):
        await pays(cotriguacu, fine, "10.00")


async def test_what_is_not_paid_goes_to_active_debt_the_day_after_the_last(cotriguacu: Docket) -> None:
    fine = await fine_of(cotriguacu)
    await pays(cotriguacu, fine, "150.00")
    cotriguacu.at(date(2011, 6, 20))
    with pytest.raises(Refused, match="não terminou"):
        await cotriguacu.do(indebting.send_to_active_debt, "divida_ativa", fine_id=fine)
    cotriguacu.at(date(2011, 6, 21))
    with pytest.raises(Forbidden):
        await cotriguacu.do(indebting.send_to_active_debt, "financas", fine_id=fine)
    await cotriguacu.do(indebting.send_to_active_debt, "divida_ativa", fine_id=fine)

    async with cotriguacu.database.reader(cotriguacu.town) as tx:
        debt = await store.debt(tx, fine)
    assert debt is not None
    assert (debt.number, debt.brl, debt.entered_on) == ("0001/2011", Decimal("500.00"), date(2011, 6, 21))
    assert any("art. 73, § ún." in cited for cited in debt.decision["citations"])
    with pytest.raises(Conflict):
        await cotriguacu.do(indebting.send_to_active_debt, "divida_ativa", fine_id=fine)


async def test_what_is_still_defended_is_not_sent_to_be_collected(cotriguacu: Docket) -> None:
    fine = await fine_of(cotriguacu)
    permit = (await cotriguacu.rows("SELECT permit_id FROM fine WHERE tenant_id = :tenant"))[0].permit_id
    case = await cotriguacu.opens(
        "fiscalizacao",
        infractions=["CO-40-III"],
        seen_on=SEEN,
        opened_by="registro_de_ocorrencia",
        permit_id=permit,
        fine_ids=[fine],
    )
    await cotriguacu.defends(case, "financas")
    cotriguacu.at(date(2012, 1, 10))

    with pytest.raises(Refused, match="ainda não é definitiva"):
        await cotriguacu.do(indebting.send_to_active_debt, "divida_ativa", fine_id=fine)


async def test_a_law_without_active_debt_says_so(own_database: Database) -> None:
    docket = await Docket.of(own_database, BARRA)
    docket.at(date(2010, 10, 15))
    permit = await docket.permit(date(2010, 10, 15))
    fine = await docket.fined(permit.id, "I-17", date(2010, 10, 15), "financas")
    docket.at(date(2012, 10, 15))

    with pytest.raises(Refused, match="não prevê prazo para pagar multas"):
        await docket.do(indebting.send_to_active_debt, "financas", fine_id=fine)
