"""What the law draws for a fact is corrected: who owes what it drew owes the new amount, the rest is listed."""

from __future__ import annotations

from datetime import date, datetime, time
from decimal import Decimal
from typing import Any
from uuid import UUID

import pytest

from services.database import Database
from services.enforcement.fining import issue_fine
from services.enforcement.occurrences.recording import record_occurrence
from services.money.indebting import send_to_active_debt
from services.money.paying import record_payment
from services.recomputing.fines import drawing
from services.recomputing.previewing import Preview
from services.recomputing.running import recompute
from tests.integration.test_recomputing import latest, listed, previewed, told
from tests.support.factories import BARRA, COTRIGUACU
from tests.support.proceedings import Docket

GRANTED, SEEN = date(2011, 3, 1), date(2011, 5, 5)
FINES = {BARRA: "financas", COTRIGUACU: "fiscalizacao"}
INFRACTION = """
[[infraction]]
code = "{code}"
title = "Como corrigida"
cite = "{cite}"
do = "{do}"
by = "{by}"
{rest}
"""
CITES = {"I-07": "anexo, grupo I, item 7", "CO-40-VII": "art. 40, VII", "CO-40-V": "art. 40, V", "CO-26": "art. 26"}


def corrected(code: str, rest: str, do: str = "fine") -> str:
    slug = COTRIGUACU if code.startswith("CO") else BARRA
    return INFRACTION.format(code=code, cite=CITES[code], do=do, by=FINES[slug], rest=rest)


async def town_of(database: Database, slug: str) -> tuple[Docket, UUID]:
    """A town on a day, and a permit in it."""
    docket = await Docket.of(database, slug)
    docket.at(GRANTED)
    permit = await docket.permit(GRANTED)
    docket.at(SEEN)
    return docket, permit.id


@pytest.fixture
async def cotriguacu(own_database: Database) -> tuple[Docket, UUID]:
    return await town_of(own_database, COTRIGUACU)


async def fine(docket: Docket, permit: UUID, *codes: str, on: date = SEEN, office: str = "fiscalizacao") -> UUID:
    docket.at(on)
    given = {"permit_id": permit, "infractions": codes, "seen_on": on}
    found: UUID = (await docket.do(issue_fine, office, **given)).id
    return found


async def pay(docket: Docket, id: UUID, brl: str = "1.00") -> None:
    await docket.do(record_payment, "financas", fine_id=id, brl=Decimal(brl), reference=f"guia {id}")


async def run(docket: Docket) -> Preview:
    """Previewed, then done: the preview is what the job does, and once more there is nothing to do."""
    seen = await previewed(docket)
    await docket.do(recompute, "prefeito", publication_id=await latest(docket), why="Correção.")
    await docket.work()
    done = (await docket.rows("SELECT result FROM job WHERE tenant_id = :tenant ORDER BY id DESC LIMIT 1"))[0].result
    assert (done["moved"], done["revalued"]) == (seen.count("term"), seen.count("amount"))
    assert sorted(await told(docket, "fine.recomputed")) == sorted(
        change.subject_id for change in seen.changes if change.what == "amount"
    )
    assert sorted(await listed(docket)) == sorted(
        (change.finding or "", change.subject_id) for change in seen.changes if change.what == "review"
    )
    await docket.do(recompute, "prefeito", publication_id=await latest(docket), why="De novo.")
    before = await docket.rows("SELECT f::text FROM fine AS f WHERE tenant_id = :tenant ORDER BY id")
    await docket.work()
    again = (await docket.rows("SELECT result FROM job WHERE tenant_id = :tenant ORDER BY id DESC LIMIT 1"))[0].result
    assert (again["moved"], again["revalued"], again["reviews"]) == (0, 0, 0)
    assert await docket.rows("SELECT f::text FROM fine AS f WHERE tenant_id = :tenant ORDER BY id") == before
    assert (await previewed(docket)).count("amount") == 0
    return seen


async def owed(docket: Docket, id: UUID) -> Any:
    (row,) = await docket.rows(
        "SELECT f.units, f.unit, f.rate, f.brl, f.decision, y.effect FROM fine AS f "
        "LEFT JOIN penalty AS y ON y.tenant_id = f.tenant_id AND y.fine_id = f.id "
        "WHERE f.tenant_id = :tenant AND f.id = :id",
        id=id,
    )
    return row


async def reviews(docket: Docket) -> dict[UUID, Any]:
    rows = await docket.rows("SELECT * FROM recomputation_review WHERE tenant_id = :tenant")
    return {row.subject_id: row for row in rows}


@pytest.mark.parametrize(("slug", "code", "unit"), [(BARRA, "I-07", "UFIR"), (COTRIGUACU, "CO-40-VII", "UFM")])
async def test_a_corrected_amount_is_owed_by_whoever_has_paid_nothing(
    own_database: Database, slug: str, code: str, unit: str
) -> None:
    docket, permit = await town_of(own_database, slug)
    before, unpaid, paid = [
        await fine(docket, permit, code, on=day, office=FINES[slug])
        for day in (date(2011, 4, 4), SEEN, date(2011, 5, 6))
    ]
    await pay(docket, paid)
    was = await owed(docket, unpaid)
    await docket.amend(corrected(code, f'amount = "200 {unit}"\nfrom = 2011-05-01'))
    seen = await run(docket)

    now = await owed(docket, unpaid)
    assert (now.units, now.unit, now.rate, now.brl) == (200, unit, was.rate, 200 * was.rate)
    assert Decimal(now.effect["money"]["brl"]) == now.brl
    assert now.effect["units"] == {"value": "200", "unit": unit}
    assert [change.subject_id for change in seen.changes] == [unpaid, paid]
    assert [(change.before, change.after) for change in seen.changes if change.what == "amount"] == [
        (f"{was.brl:.2f}", f"{now.brl:.2f}")
    ]
    (part,) = now.decision["parts"][len(was.decision["parts"]) :]
    assert part["message"].endswith("Fonte: Decreto de exemplo.")
    assert any(CITES[code] in citation for citation in part["citations"])
    (act,) = await docket.rows(
        "SELECT CAST(body AS jsonb) -> 'changes' AS changes FROM act WHERE tenant_id = :tenant AND verb = :verb",
        verb="fine.recomputed",
    )
    assert (Decimal(act.changes["was"]["units"]), act.changes["units"]) == (was.units, "200")
    assert (Decimal(act.changes["was"]["brl"]), Decimal(act.changes["brl"])) == (was.brl, now.brl)
    found = (await reviews(docket))[paid]
    assert (found.finding, found.before["unit"], found.after["units"]) == ("paid", unit, "200")
    assert (await owed(docket, before)).units == was.units, "the correction does not reach that day"


async def test_an_amount_in_reais_is_corrected_too(cotriguacu: tuple[Docket, UUID]) -> None:
    docket, permit = cotriguacu
    await docket.amend(corrected("CO-40-V", 'amount = "500 BRL"'))
    unpaid, own = await fine(docket, permit, "CO-40-V"), await fine(docket, permit, "CO-40-V", on=date(2011, 5, 6))
    async with docket.database.transaction(docket.town) as tx:
        await tx.rows("UPDATE fine SET brl = 480 WHERE tenant_id = :tenant AND id = :id", id=own)
    await docket.amend(corrected("CO-40-V", 'amount = "500.50 BRL"'))
    await run(docket)

    now = await owed(docket, unpaid)
    assert (now.units, now.unit, now.brl) == (Decimal("500.50"), "BRL", Decimal("500.50"))
    assert (await owed(docket, own)).brl == 480
    assert await listed(docket) == [("amount_of_its_own", own)]


async def test_an_amount_that_a_parameter_names_follows_it_also_in_the_case(cotriguacu: tuple[Docket, UUID]) -> None:
    docket, permit = cotriguacu
    named = '[[parameter]]\ncode = "multa_de_papel"\ntype = "amount"\nask = "Quanto?"\ncite = "art. 40, VII"\n'
    await docket.amend(named + corrected("CO-40-VII", 'amount = { param = "multa_de_papel" }') + supplied("30 UFM"))
    challenged = await fine(docket, permit, "CO-40-VII")
    case = await docket.opens(
        "fiscalizacao",
        infractions=["CO-40-VII"],
        seen_on=SEEN,
        opened_by="registro_de_ocorrencia",
        permit_id=permit,
        fine_ids=[challenged],
        source=("fine", challenged),
    )
    await docket.amend(supplied("35 UFM"))
    await run(docket)

    now = await owed(docket, challenged)
    assert (now.units, now.brl) == (35, 35 * now.rate)
    (charge,) = await docket.charges(case)
    (effect,) = charge.effects
    assert (effect["units"], Decimal(effect["money"]["brl"])) == ({"value": "35", "unit": "UFM"}, now.brl)

    await docket.amend('[[supplied]]\ncode = "valor_ufm"\nvalue = "40 BRL"\nsource = "Errata"\n')
    await docket.do(recompute, "prefeito", publication_id=await latest(docket), why="Valor da unidade.")
    await docket.work()
    (charge,) = await docket.charges(case)
    assert (await owed(docket, challenged)).brl == Decimal(charge.effects[0]["money"]["brl"]) == 35 * 40


def supplied(value: str) -> str:
    return f'[[supplied]]\ncode = "multa_de_papel"\nvalue = "{value}"\nsource = "Decreto"\n'


async def recorded(docket: Docket, permit: UUID, code: str, on: date) -> UUID:
    """Seen by an inspector, who applies what the law draws at once."""
    docket.at(on)
    given = {
        "client_id": f"aparelho {on}",
        "seen_at": datetime.combine(on, time(9)),
        "place": "Rua A",
        "permit_id": permit,
    }
    made: UUID = await docket.do(record_occurrence, "fiscalizacao", infractions=[code], notified_on=on, **given)
    return made


async def test_what_repetition_draws_is_drawn_after_what_went_before(cotriguacu: tuple[Docket, UUID]) -> None:
    """The first time is a warning, and stays one; the second is fined, by the ladder's step."""
    docket, permit = cotriguacu
    await recorded(docket, permit, "CO-39-I", date(2011, 4, 4))
    await recorded(docket, permit, "CO-39-I", SEEN)
    (again,) = [row.id for row in await docket.rows("SELECT id FROM fine WHERE tenant_id = :tenant")]
    assert (await owed(docket, again)).units == 20
    await docket.amend(LADDER.format(nth=2))
    await run(docket)
    assert (await owed(docket, again)).units == 22

    await docket.amend(LADDER.format(nth=3))
    await docket.do(recompute, "prefeito", publication_id=await latest(docket), why="Só a terceira.")
    await docket.work()
    assert await listed(docket) == [("drawn_otherwise", again)]
    assert "advertência" in (await reviews(docket))[again].after["drawn"]


LADDER = """
[[ladder]]
code = "reincidencia"
title = "Advertência, depois multa"
cite = ["art. 39", "art. 40, I"]
applies = {{ infraction = ["CO-39-I", "CO-39-II"] }}
measure = "advertido"
steps = [{{ nth = 1, do = "warn" }}, {{ nth = {nth}, do = "fine", amount = "22 UFM", as = "CO-40-I" }}]
"""


@pytest.mark.parametrize(
    ("text", "drawn"),
    [
        (corrected("CO-40-V", 'amount = "20 UFM"\nafter_process = true'), "multa"),
        (corrected("CO-40-V", "", do="warn"), "advertência"),
        (corrected("CO-40-V", 'tiers = [{ if = "vehicle.doors > 3", amount = "30 UFM" }]'), "portas"),
        (corrected("CO-40-V", 'amount = "20 UFM"\njudge = "prefeito"\nask = "Foi grave?"'), "prefeito"),
        (corrected("CO-40-V", 'amount = "20 UFM"\noff = "yes"'), "CO-40-V"),
    ],
    ids=["a process first", "a warning", "a fact that nobody kept", "an office judges", "none at all"],
)
async def test_what_is_drawn_otherwise_is_an_offices_to_look_at(
    cotriguacu: tuple[Docket, UUID], text: str, drawn: str
) -> None:
    docket, permit = cotriguacu
    unpaid = await fine(docket, permit, "CO-40-V")
    was = await owed(docket, unpaid)
    await docket.amend(text)
    seen = await run(docket)

    assert [(change.what, change.finding) for change in seen.changes] == [("review", "drawn_otherwise")]
    assert (await owed(docket, unpaid)).brl == was.brl
    (found,) = (await reviews(docket)).values()
    assert found.before["drawn"] == was.decision["message"] == seen.changes[0].before
    assert found.after["drawn"] == seen.changes[0].after
    assert drawn in found.after["drawn"]
    assert found.after["drawn"].endswith("Fonte: Decreto de exemplo.")


OVERLAP = """
[[overlap]]
code = "preco"
title = "Preço acima da tabela"
cite = ["art. 40, X", "art. 47"]
order = ["CO-26", "CO-40-V"]
"""


async def test_another_infraction_that_stands_is_another_fine(cotriguacu: tuple[Docket, UUID]) -> None:
    docket, permit = cotriguacu
    one, alone = await fine(docket, permit, "CO-40-V", "CO-26"), await fine(docket, permit, "CO-40-V")
    await docket.amend(OVERLAP)
    await run(docket)

    assert await listed(docket) == [("drawn_otherwise", one)]
    assert alone not in await reviews(docket)
    assert "CO-26" in (await reviews(docket))[one].after["drawn"]


async def test_another_reading_may_let_another_infraction_stand(own_database: Database) -> None:
    docket, permit = await town_of(own_database, BARRA)
    one = await fine(docket, permit, "II-03", "I-07", office="financas")
    assert (await owed(docket, one)).units == 20
    await docket.amend('[[choice]]\ncode = "anexos"\noption = "highest"\nby = "prefeito"\nwhy = "decreto"\n')
    await run(docket)

    assert await listed(docket) == [("drawn_otherwise", one)]
    assert (await owed(docket, one)).units == 20
    assert "I-07" in (await reviews(docket))[one].after["drawn"]


async def test_what_is_in_active_debt_is_listed(cotriguacu: tuple[Docket, UUID]) -> None:
    docket, permit = cotriguacu
    sent = await fine(docket, permit, "CO-40-V")
    docket.at(date(2011, 7, 20))
    await docket.do(send_to_active_debt, "divida_ativa", fine_id=sent)
    await docket.amend(corrected("CO-40-V", 'amount = "21 UFM"'))
    await run(docket)

    assert ("in_active_debt", sent) in await listed(docket)
    assert (await owed(docket, sent)).units == 20


async def test_a_units_value_draws_nothing_again(
    cotriguacu: tuple[Docket, UUID], monkeypatch: pytest.MonkeyPatch
) -> None:
    docket, permit = cotriguacu
    unpaid = await fine(docket, permit, "CO-40-V")
    times: list[Any] = []
    monkeypatch.setattr(drawing, "drawn", lambda *given: times.append(given))
    await docket.amend('[[supplied]]\ncode = "valor_ufm"\nvalue = "40 BRL"\nsource = "Errata"\n')
    await docket.amend(corrected("CO-26", 'amount = "21 UFM"'))
    assert (await previewed(docket)).changes == (), "that infraction is nobody's"
    first = (await docket.rows("SELECT id FROM publication WHERE tenant_id = :tenant ORDER BY seq DESC OFFSET 1"))[0].id
    seen = await previewed(docket, publication_id=first)

    assert [(change.subject_id, change.after) for change in seen.changes if change.what == "amount"] == [
        (unpaid, "800.00")
    ]
    assert times == []


async def test_a_unit_and_an_amount_are_corrected_at_once(cotriguacu: tuple[Docket, UUID]) -> None:
    docket, permit = cotriguacu
    unpaid = await fine(docket, permit, "CO-40-V")
    value = '[[supplied]]\ncode = "valor_ufm"\nvalue = "40 BRL"\nsource = "Errata"\n'
    await docket.amend(corrected("CO-40-V", 'amount = "25 UFM"') + value)
    await run(docket)

    now = await owed(docket, unpaid)
    assert (now.units, now.rate, now.brl) == (25, 40, 1000)
