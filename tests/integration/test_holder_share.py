"""A holder may have at most a part of all permits: the register itself counts them."""

from datetime import date

from services.database import Database
from services.municipalities.publishing import amend
from services.permits.eligibility import eligibility
from tenants.law.decision import Decision
from tests.support.factories import COTRIGUACU, OPERATOR, Maker, make_town

A_THIRD = """
[[holder_policy]]
code = "quem_pode"
title = "Quem pode"
cite = "art. 6, I"
applies = { category = "taxi" }
allow = [{ holder = "pessoa_fisica", share = "34%" }]
"""


def parts(decision: Decision) -> list[Decision]:
    return [decision, *(each for part in decision.parts for each in parts(part))]


async def test_a_part_of_all_permits_is_told_from_the_register(own_database: Database) -> None:
    town = await make_town(own_database, COTRIGUACU)
    async with own_database.transaction(town) as tx:
        make = await Maker.of(tx)
        *_, third = [await make.permit(aged=(0, 0)) for _ in range(3)]
        newcomer = await make.candidate(aged=(0, 0))
        await amend(tx, OPERATOR, text=A_THIRD, norm="Lei 9.000/2026", official_on=date(2026, 1, 1))
    assert newcomer.holder_id is not None

    async with own_database.reader(town) as reader:
        answers = {
            holder: [
                part.message
                for part in parts(await eligibility(reader, category="taxi", holder_id=holder, vehicle_id=None))
                if any(rule.code == "quem_pode" for rule in part.rules)
            ]
            for holder in (newcomer.holder_id, third.holder_id)
        }
    assert any("pode ser titular" in said for said in answers[newcomer.holder_id]), "one of four"
    assert any("no máximo 34% das outorgas" in said for said in answers[third.holder_id]), "two of four"
