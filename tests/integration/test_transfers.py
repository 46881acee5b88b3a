"""What a law may tie to a transfer: how long it is locked, whom it bars, how often, and what remains of the term."""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from random import Random
from uuid import UUID

import pytest

from deploy.fictitious.numbers import Numbers
from services.access import Actor, actor_of, operator
from services.accounts.appointments import appoint
from services.clock import FixedClock
from services.database import Database, Transaction
from services.errors import Invalid, Refused
from services.permits.granting import grant_permit
from services.permits.transfers.transferring import transfer_permit
from services.registry import people, vehicles
from tests.support.register import found

LAW = """
[[office]]
rows = [{ code = "prefeito", title = "Prefeito", may = ["grant", "register", "read"], cite = "art. 2" }]
[list]
holder = { autonomo = "Autônomo" }
cause = { sale = "Venda", gift = "Doação" }
ending = { transferencia = "Transferência" }
[[instrument]]
rows = [{ code = "termo", title = "Termo", cite = "art. 3", chosen_by = "authorization", endings = [
  { cause = "transferencia", on = "transfer", cite = "art. 6" },
] }]
[[term]]
code = "outorga"
title = "Outorga"
cite = "art. 4"
of = "permit"
starts = "granted"
length = "5 years"
validity = true
[[transfer]]
rows = [
  { code = "venda", title = "Venda", cite = "art. 7", cause = "sale", to = "autonomo", locks = "2 years", \
bars = "3 years", fee = "100 BRL" },
  { code = "doacao", title = "Doação", cite = "art. 8", cause = "gift", to = "autonomo", remaining = "new", \
most_times = 1, fee = "0 BRL" },
]
"""
GRANTED, PASSED = date(2024, 1, 10), date(2024, 6, 3)


@dataclass(slots=True)
class Town:
    """Its mayor at work, in one transaction."""

    tx: Transaction
    mayor: Actor
    numbers: Numbers

    async def holder(self) -> UUID:
        person = await people.register_person(self.tx, self.mayor, cpf=self.numbers.cpf(), name="Pessoa")
        return (await people.register_holder(self.tx, self.mayor, kind="autonomo", person_id=person.id)).id

    async def permit(self, holder: UUID, on: date = GRANTED) -> UUID:
        plate = self.numbers.plate(mercosul=True)
        car = await vehicles.register_vehicle(self.tx, self.mayor, plate=plate, holder_id=holder)
        made = await grant_permit(
            self.tx, self.mayor, category="taxi", holder_id=holder, vehicle_id=car.id, granted_on=on
        )
        return made.id

    async def pass_on(self, permit: UUID, to: UUID, cause: str = "sale", on: date = PASSED) -> UUID:
        return await transfer_permit(self.tx, self.mayor, permit_id=permit, cause=cause, holder_id=to, on=on)


@pytest.fixture
async def town(own_database: Database) -> AsyncIterator[Town]:
    assert isinstance(own_database.clock, FixedClock)
    own_database.clock.at = datetime(2027, 12, 1, 15, tzinfo=UTC)
    id = await found(own_database, law=LAW)
    async with own_database.transaction(id) as tx:
        await appoint(tx, operator("op"), subject="prefeita", office="prefeito", since=date(2020, 1, 1))
        yield Town(tx, await actor_of(tx, "prefeita"), Numbers(Random(7)))  # noqa: S311 - no secret


def said(no: pytest.ExceptionInfo[Refused]) -> str:
    return f"{no.value} {[str(citation) for citation in no.value.decision.citations]}"


async def test_a_permit_that_was_bought_is_locked_until_its_day(town: Town) -> None:
    seller, buyer, next_one = [await town.holder() for _ in range(3)]
    bought = await town.pass_on(await town.permit(seller), buyer)

    with pytest.raises(Refused, match="não passa adiante até 03/06/2026") as no:
        await town.pass_on(bought, next_one, on=date(2026, 6, 3))

    assert "art. 7" in said(no)
    assert await town.pass_on(bought, next_one, on=date(2026, 6, 4))


async def test_who_sold_gets_no_other_for_as_long_as_the_law_says(town: Town) -> None:
    seller, buyer, other = [await town.holder() for _ in range(3)]
    await town.pass_on(await town.permit(seller), buyer)
    another = await town.permit(other)

    with pytest.raises(Refused, match="não pode receber outra até 03/06/2027") as no:
        await town.permit(seller, date(2027, 6, 3))
    with pytest.raises(Refused, match="até 03/06/2027"):
        await town.pass_on(another, seller, on=date(2025, 1, 2))

    assert "art. 7" in said(no)
    assert await town.permit(seller, date(2027, 6, 4))


async def test_a_cause_may_be_used_so_often_over_the_whole_chain(town: Town) -> None:
    first, second, third = [await town.holder() for _ in range(3)]
    given = await town.pass_on(await town.permit(first), second, "gift")

    with pytest.raises(Refused, match=r"só se transfere 1 vez"):
        await town.pass_on(given, third, "gift", on=date(2025, 1, 2))


@pytest.mark.parametrize(("cause", "upper"), [("sale", date(2029, 1, 11)), ("gift", date(2029, 6, 4))])
async def test_the_rest_of_the_term_or_a_new_one(town: Town, cause: str, upper: date) -> None:
    giver, receiver = await town.holder(), await town.holder()

    new = await town.pass_on(await town.permit(giver), receiver, cause)

    row = await town.tx.one("SELECT upper(during) AS upper FROM permit WHERE id = :id", id=new)
    deadline = await town.tx.one(
        "SELECT last_day FROM deadline WHERE subject_id = :id AND kind = 'outorga' AND state = 'open'", id=new
    )
    assert (row.upper, (deadline.last_day - row.upper).days) == (upper, -1)


async def test_the_fee_is_kept_as_it_was_charged(town: Town) -> None:
    giver, receiver = await town.holder(), await town.holder()
    await town.pass_on(await town.permit(giver), receiver)

    row = await town.tx.one("SELECT fee_units, fee_unit, fee_brl, locked_until, barred_until FROM transfer")

    assert (str(row.fee_brl), row.fee_unit) == ("100.00", "BRL")
    assert (row.locked_until, row.barred_until) == (date(2026, 6, 3), date(2027, 6, 3))


async def test_nothing_passes_on_a_day_to_come(town: Town) -> None:
    """Else the holder's own would end today, by terms that still run."""
    giver, receiver = await town.holder(), await town.holder()
    permit = await town.permit(giver)

    with pytest.raises(Invalid) as no:
        await transfer_permit(
            town.tx,
            town.mayor,
            permit_id=permit,
            cause="sale",
            holder_id=receiver,
            on=town.tx.today + timedelta(days=1),
        )

    assert no.value.field == "on"


@pytest.mark.parametrize("wrong", ["to the holder", "before the cause"])
async def test_what_is_not_asked_in_order_is_invalid(town: Town, wrong: str) -> None:
    giver, receiver = await town.holder(), await town.holder()
    permit = await town.permit(giver)
    event = date(2024, 6, 5) if wrong == "before the cause" else None
    to = giver if wrong == "to the holder" else receiver

    with pytest.raises(Invalid) as no:
        await transfer_permit(
            town.tx, town.mayor, permit_id=permit, cause="sale", holder_id=to, event_on=event, on=PASSED
        )

    assert no.value.field == ("requestedOn" if event else "holderId")
