"""A term that stands still is counted again when it runs again: by the law of the day of its fact, as known by then."""

from __future__ import annotations

from datetime import date
from uuid import UUID

import pytest

from services.database import Database
from services.recomputing.previewing import preview_recomputation
from services.recomputing.running import recompute
from tests.integration.test_payment_terms import LAST_TO_PAY, SEEN, SERVED, payable, served
from tests.support.factories import COTRIGUACU, OPERATOR
from tests.support.proceedings import Docket

HOLIDAY = '[[holiday]]\ncode = "exemplo"\ntitle = "Feriado"\nday = 2011-06-21\nact = "Decreto"\n'
PAY = """
[[term]]
code = "pagar_multa"
title = "Pagamento da multa"
cite = "art. 73"
of = "fine"
starts = "notified"
met_by = ["paid"]
length = "40 days"
counting = "prazo"
"""


async def stopped(database: Database) -> tuple[Docket, UUID, UUID]:
    """A fine whose thirty days to pay stand still, as it is defended."""
    docket = await Docket.of(database, COTRIGUACU)
    docket.at(SEEN)
    case, fine = await served(docket)
    await docket.defends(case, "financas")
    assert await payable(docket, fine) == [("suspended", LAST_TO_PAY)]
    return docket, case, fine


async def run_again(docket: Docket, case: UUID) -> None:
    await docket.takes(case, "fiscalizacao")
    await docket.decides(case, "financas")
    await docket.serves(case, "fiscalizacao", way="person", dates={"acknowledged": SERVED})
    docket.at(date(2011, 6, 14))
    await docket.night()


@pytest.mark.parametrize(
    ("text", "last"),
    [
        ("", date(2011, 6, 17)),
        (PAY, date(2011, 6, 27)),
        (PAY + "from = 2011-05-06\n", date(2011, 6, 17)),
    ],
    ids=["as it was", "another length since before the fact", "another length from the day after"],
)
async def test_what_is_left_is_counted_by_the_law_of_the_day_of_the_fact(
    own_database: Database, text: str, last: date
) -> None:
    docket, case, fine = await stopped(own_database)
    if text:
        await docket.amend(text)
        (row,) = await docket.rows("SELECT id FROM publication WHERE tenant_id = :tenant ORDER BY seq DESC LIMIT 1")
        async with own_database.reader(docket.town) as tx:
            assert (await preview_recomputation(tx, OPERATOR, publication_id=row.id)).changes == ()
        await docket.do(recompute, "prefeito", publication_id=row.id)
        await docket.work()
        assert await payable(docket, fine) == [("suspended", LAST_TO_PAY)], "it stands still"
    await run_again(docket, case)

    assert await payable(docket, fine) == [("open", last)]
