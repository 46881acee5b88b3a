"""A fee that the law asks otherwise for an act of long ago is an office's to look at: nobody knows who has paid it."""

from __future__ import annotations

from datetime import UTC, date, datetime
from decimal import Decimal
from random import Random
from typing import Any
from uuid import UUID

import pytest

from deploy.fictitious.numbers import Numbers
from services.access import actor_of
from services.accounts.appointments import appoint
from services.clock import FixedClock
from services.database import Database
from services.permits.tables import Licence
from services.permits.transfers.transferring import transfer_permit
from services.recomputing import fees
from services.recomputing.running import recompute
from tests.integration.test_recomputing import latest, previewed
from tests.integration.test_transfers import LAW, PASSED, Town
from tests.support.factories import COTRIGUACU, OPERATOR, Maker
from tests.support.proceedings import Docket
from tests.support.register import found

ISSUED = date(2011, 3, 1)
VALUE = '[[supplied]]\ncode = "{code}"\nvalue = "{value}"\nsource = "Decreto"\n'


async def listed(docket: Docket) -> list[tuple[str, UUID, Any, Any]]:
    rows = await docket.rows("SELECT * FROM recomputation_review WHERE tenant_id = :tenant ORDER BY id")
    return [(row.finding, row.subject_id, row.before, row.after) for row in rows]


async def run(docket: Docket) -> None:
    async with docket.database.transaction(docket.town) as tx:
        await recompute(tx, OPERATOR, publication_id=await latest(docket), why="Correção.")
    await docket.work()


async def licensed(database: Database) -> tuple[Docket, Licence]:
    docket = await Docket.of(database, COTRIGUACU)
    docket.at(ISSUED)
    permit = await docket.permit(ISSUED)
    async with database.transaction(docket.town) as tx:
        return docket, await (await Maker.of(tx)).licence(permit)


async def test_a_corrected_fee_of_a_licence_is_listed_with_what_it_would_be(
    own_database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    docket, licence = await licensed(own_database)
    await docket.amend(VALUE.format(code="taxa_alvara", value="50 UPFM"))
    seen = await previewed(docket)
    await run(docket)

    rate, was = licence.fee_rate or Decimal(0), licence.fee_units
    assert (licence.fee_unit, was) == ("UPFM", Decimal("46.28"))
    ((finding, subject, before, after),) = await listed(docket)
    assert (finding, subject) == ("fee", licence.id)
    assert (before["units"], after["units"], after["unit"]) == ("46.28", "50", "UPFM")
    assert (Decimal(before["brl"]), Decimal(after["brl"])) == (licence.fee_brl, 50 * rate)
    assert [(row.subject_id, row.finding, row.after) for row in seen.changes] == [(licence.id, "fee", after["brl"])]

    await run(docket)
    assert len(await listed(docket)) == 1, "a second run finds nothing new"

    times: list[Any] = []
    monkeypatch.setattr(fees, "asked", lambda *given: times.append(given))
    await docket.amend(VALUE.format(code="valor_ufm", value="40 BRL"))
    (row,) = (await previewed(docket)).changes
    assert (row.finding, row.after, times) == ("fee", f"{Decimal('46.28') * 40:.2f}", [])


FEE = '[[fee]]\ncode = "taxa"\ntitle = "Taxa"\ncite = "art. 7"\nof = "transfer"\namount = "{amount}"\n'
WAIVED = FEE + 'waive = [{{ if = "transfer.cause == \'sale\'", cite = "art. 7" }}]\n'


async def transferred(database: Database) -> Docket:
    """A permit that was sold, at a fee."""
    assert isinstance(database.clock, FixedClock)
    database.clock.at = datetime(2027, 12, 1, 15, tzinfo=UTC)
    docket = Docket(database, await found(database, law=LAW + FEE.format(amount="80 BRL")))
    async with database.transaction(docket.town) as tx:
        await appoint(tx, OPERATOR, subject="prefeita", office="prefeito", since=date(2020, 1, 1))
        town = Town(tx, await actor_of(tx, "prefeita"), Numbers(Random(7)))  # noqa: S311 - no secret
        seller, buyer = [await town.holder() for _ in range(2)]
        permit = await town.permit(seller)
        await transfer_permit(tx, town.mayor, permit_id=permit, cause="sale", holder_id=buyer, on=PASSED)
    return docket


@pytest.mark.parametrize(
    ("text", "after"),
    [
        (FEE.format(amount="90 BRL"), "90.00"),
        (WAIVED.format(amount="80 BRL"), "0"),
        (FEE.format(amount="90 BRL") + "from = 2025-01-01\n", None),
    ],
    ids=["more", "waived", "only later"],
)
async def test_the_fee_of_a_transfer_is_asked_for_again_from_what_was_said_of_it(
    own_database: Database, text: str, after: str | None
) -> None:
    docket = await transferred(own_database)
    await docket.amend(text)
    seen = await previewed(docket)

    changes = [(row.subject_kind, row.finding, row.before, row.after) for row in seen.changes]
    assert changes == ([] if after is None else [("transfer", "fee", "80.00", after)])


async def test_a_fee_that_is_not_what_the_law_asked_says_nothing_of_the_correction(own_database: Database) -> None:
    docket, licence = await licensed(own_database)
    async with own_database.transaction(docket.town) as tx:
        await tx.rows("UPDATE licence SET fee_units = 10 WHERE tenant_id = :tenant AND id = :id", id=licence.id)
    await docket.amend(VALUE.format(code="taxa_alvara", value="50 UPFM"))

    assert (await previewed(docket)).changes == ()
