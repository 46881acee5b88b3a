"""An authority that lets its term pass has decided nothing: an act says so, others have it, and it is done late."""

from datetime import date
from typing import Any
from uuid import UUID

import pytest

from services.database import Database
from services.enforcement.complaints.answering import answer_complaint
from services.enforcement.complaints.receiving import file_complaint
from services.escalations import store
from tests.support.factories import COTRIGUACU
from tests.support.proceedings import Docket

SERVED = date(2011, 5, 2)
CHAIN = """
[[term]]
code = "reclamacao"
title = "Dar ciência ao usuário das providências"
cite = "art. 34, VII"
of = "complaint"
starts = "received"
length = "30 days"
counting = "prazo"
met_by = ["answered"]
binds = "authority"
escalates = ["financas", { to = "prefeito", after = "15 days", cite = "art. 60" }]
"""


@pytest.fixture
async def cotriguacu(own_database: Database) -> Docket:
    docket = await Docket.of(own_database, COTRIGUACU)
    docket.at(SERVED)
    return docket


async def waiting(docket: Docket, **only: Any) -> list[tuple[str, str | None, int]]:
    async with docket.database.reader(docket.town) as tx:
        return [(row.kind, row.office, row.days_late) for row in await store.page(tx, 50, open=True, **only)]


async def closed(docket: Docket) -> list[tuple[str, str | None, str, int]]:
    async with docket.database.reader(docket.town) as tx:
        rows = await store.page(tx, 50, open=False)
        return [(row.kind, row.office, row.closed_as, row.days_late) for row in rows]


async def defended(docket: Docket) -> UUID:
    case = await docket.opens(
        "financas",
        infractions=["CO-40-VI"],
        seen_on=SERVED,
        opened_by="de_oficio",
        category="taxi",
        respondents=[{"name": "Autuado"}],
    )
    await docket.serves(case, "fiscalizacao", way="person", dates={"acknowledged": SERVED})
    await docket.defends(case, "financas")
    return case


async def test_a_reply_that_is_not_given_is_passed_and_a_decision_that_is_not_given_waits(cotriguacu: Docket) -> None:
    case = await defended(cotriguacu)
    cotriguacu.at(date(2011, 5, 16))
    await cotriguacu.night()
    assert [(kind, office) for kind, office, _ in await waiting(cotriguacu)] == [("replica", "financas")]
    assert (await cotriguacu.case(case)).step == "decisao", "the law lets the case go on without a reply"

    cotriguacu.at(date(2011, 7, 1))
    await cotriguacu.night()
    assert [(kind, office) for kind, office, _ in await waiting(cotriguacu)] == [
        ("replica", "financas"),
        ("decisao", "prefeito"),
    ]
    assert [each.outcome for each in await cotriguacu.charges(case)] == [None]
    acts = await cotriguacu.rows(
        "SELECT legal_day, body FROM act WHERE tenant_id = :tenant AND verb = 'case.escalated' ORDER BY id"
    )
    assert "art. 58" in acts[-1].body
    assert "nada está decidido" in acts[-1].body
    told = await cotriguacu.rows(
        "SELECT DISTINCT office FROM notice WHERE tenant_id = :tenant AND template = 'term_escalated'"
    )
    assert {row.office for row in told} >= {"financas", "prefeito"}

    await cotriguacu.decides(case, "financas")
    assert await waiting(cotriguacu) == []
    assert [each[:3] for each in await closed(cotriguacu)] == [
        ("replica", "financas", "passed"),
        ("decisao", "prefeito", "met"),
    ]
    assert (await closed(cotriguacu))[1][3] > 0, "how late it was shows"


async def test_a_second_night_says_nothing_again(cotriguacu: Docket) -> None:
    await defended(cotriguacu)
    cotriguacu.at(date(2011, 7, 1))
    await cotriguacu.night()
    once = await cotriguacu.rows("SELECT count(*) AS n FROM act WHERE tenant_id = :tenant")
    await cotriguacu.night()
    again = await cotriguacu.rows("SELECT count(*) AS n FROM act WHERE tenant_id = :tenant")
    assert once[0].n == again[0].n


async def test_it_goes_up_the_chain_until_it_is_done(cotriguacu: Docket) -> None:
    await cotriguacu.amend(CHAIN)
    async with cotriguacu.database.transaction(cotriguacu.town) as tx:
        filed = await file_complaint(tx, await cotriguacu.actor(tx, "financas"), text="Recusou a corrida.")
    cotriguacu.at(date(2011, 6, 3))
    await cotriguacu.night()
    assert [(kind, office) for kind, office, _ in await waiting(cotriguacu)] == [("reclamacao", "financas")]
    assert await waiting(cotriguacu, office="prefeito") == []

    cotriguacu.at(date(2011, 6, 17))
    await cotriguacu.night()
    assert [(kind, office) for kind, office, _ in await waiting(cotriguacu)] == [
        ("reclamacao", "financas"),
        ("reclamacao", "prefeito"),
    ]

    await cotriguacu.do(answer_complaint, "fiscalizacao", complaint_id=filed.id, answer="Apurado.", founded=False)
    assert await waiting(cotriguacu) == []
    assert [each[2] for each in await closed(cotriguacu)] == ["met", "met"]


async def test_done_between_two_levels_it_comes_before_nobody_else(cotriguacu: Docket) -> None:
    await cotriguacu.amend(CHAIN)
    async with cotriguacu.database.transaction(cotriguacu.town) as tx:
        filed = await file_complaint(tx, await cotriguacu.actor(tx, "financas"), text="Recusou a corrida.")
    cotriguacu.at(date(2011, 6, 3))
    await cotriguacu.night()
    await cotriguacu.do(answer_complaint, "fiscalizacao", complaint_id=filed.id, answer="Apurado.", founded=False)
    cotriguacu.at(date(2011, 7, 17))
    await cotriguacu.night()

    assert await waiting(cotriguacu) == []
    assert [each[1] for each in await closed(cotriguacu)] == ["financas"]


async def test_where_the_law_names_nobody_it_waits_for_whoever_looks(cotriguacu: Docket) -> None:
    await cotriguacu.amend(
        CHAIN.replace('escalates = ["financas", { to = "prefeito", after = "15 days", cite = "art. 60" }]', "")
    )
    async with cotriguacu.database.transaction(cotriguacu.town) as tx:
        await file_complaint(tx, await cotriguacu.actor(tx, "financas"), text="Recusou a corrida.")
    cotriguacu.at(date(2011, 6, 3))
    await cotriguacu.night()

    assert [office for _, office, _ in await waiting(cotriguacu, office="fiscalizacao")] == [None]
    acts = await cotriguacu.rows("SELECT body FROM act WHERE tenant_id = :tenant AND verb = 'complaint.escalated'")
    assert "Perante quem responde" in acts[0].body
