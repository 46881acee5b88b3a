"""A quota of an area counts the permits that wait at its stands."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tenants.law.decision import Outcome
from tenants.law.questions import QuotaAnswer

if TYPE_CHECKING:
    from services.database import Transaction

LAW = """
[list]
area = { centro = "Centro" }
[[stand]]
applies = { category = "taxi" }
rows = [
  { number = 1, place = "Praça", slots = 5, area = "centro", cite = "art. 2" },
  { number = 2, place = "Estação", slots = 5, area = "centro", cite = "art. 2" },
  { number = 3, place = "Bairro", slots = 5, cite = "art. 2" },
]
[[quota]]
rows = [
  { code = "todos", applies = { category = "taxi" }, value = 9, cite = "art. 3" },
  { code = "no_centro", applies = { category = "taxi", area = "centro" }, value = 2, cite = "art. 4" },
]
"""


async def test_an_area_that_is_full_admits_no_more_and_another_stand_does(tx: Transaction) -> None:
    from services import acts
    from services.permits import fleet
    from services.stands import slots
    from tests.support.register import CLERK, make_permit, publish

    await publish(tx, LAW)
    law = await tx.law(on=tx.today)
    outcomes = []
    for stand in ("1", "3", "2"):
        permit = await make_permit(tx)
        act = await acts.record(tx, CLERK, "stand.assigned", on=("permit", permit.id))
        await slots.place(tx, act, permit.id, stand, permit.during)
        outcomes.append((await fleet.quota(tx, law, "taxi", stand="2")).outcome)

    full = await fleet.quota(tx, law, "taxi", stand="1")
    elsewhere = await fleet.quota(tx, law, "taxi", stand="3")

    assert outcomes == [Outcome.ALLOWED, Outcome.ALLOWED, Outcome.DENIED]
    assert (full.outcome, [str(c) for c in full.citations]) == (
        Outcome.DENIED,
        ["Lei 1/2000, art. 3", "Lei 1/2000, art. 4"],
    )
    assert isinstance(full.value, QuotaAnswer)
    assert (full.value.rule, full.value.active, full.value.room) == ("no_centro", 2, 0)
    assert elsewhere.outcome is Outcome.ALLOWED
