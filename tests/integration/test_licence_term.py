"""A law without a term for licences provides none, and says so; one whose length the town has not supplied waits."""

from datetime import date
from random import Random

import pytest

from deploy.fictitious.numbers import Numbers
from services.access import actor_of, operator
from services.accounts.appointments import appoint
from services.database import Database
from services.errors import Refused
from services.permits.granting import grant_permit
from services.permits.licensing import issue_licence
from services.permits.renewals.package import renewal_package
from services.registry import people, vehicles
from tenants.law.decision import Outcome
from tests.support.register import found

LAW = """
[[office]]
rows = [{ code = "prefeito", title = "Prefeito", may = ["grant", "license", "register", "read"], cite = "art. 2" }]
[list]
holder = { autonomo = "Autônomo" }
[[parameter]]
rows = [{ code = "validade", type = "length", ask = "Por quanto tempo vale o alvará?", cite = "art. 4" }]
[[instrument]]
rows = [{ code = "termo", title = "Termo", cite = "art. 3", chosen_by = "authorization" }]
"""
UNSAID = """
[[term]]
rows = [{ code = "alvara", title = "Alvará", cite = "art. 4", of = "licence", starts = "issued", \
length = { param = "validade" }, validity = true }]
"""


@pytest.mark.parametrize(
    ("more", "said", "missing"),
    [
        ("", "A lei deste município não prevê até quando vale o alvará.", [("rule", "term")]),
        (UNSAID, "A lei do município não diz até quando vale o alvará.", []),
    ],
    ids=["no term", "no length yet"],
)
async def test_a_licence_whose_end_nothing_says_is_refused(
    own_database: Database, more: str, said: str, missing: list[tuple[str, str]]
) -> None:
    numbers = Numbers(Random(7))  # noqa: S311 - no secret
    town = await found(own_database, law=LAW + more)
    async with own_database.transaction(town) as tx:
        await appoint(tx, operator("op"), subject="prefeita", office="prefeito", since=date(2020, 1, 1))
        mayor = await actor_of(tx, "prefeita")
        person = await people.register_person(tx, mayor, cpf=numbers.cpf(), name="Ana")
        holder = (await people.register_holder(tx, mayor, kind="autonomo", person_id=person.id)).id
        car = await vehicles.register_vehicle(tx, mayor, plate=numbers.plate(mercosul=True), holder_id=holder)
        permit = await grant_permit(tx, mayor, category="taxi", holder_id=holder, vehicle_id=car.id)

        with pytest.raises(Refused) as issued:
            await issue_licence(tx, mayor, permit_id=permit.id)
        with pytest.raises(Refused) as packed:
            await renewal_package(tx, permit_id=permit.id)

    for no in (issued, packed):
        assert no.value.decision.outcome is (Outcome.DENIED if missing else Outcome.UNDETERMINED)
        assert no.value.decision.message == said
        assert [(each.kind, each.code) for each in no.value.decision.missing] == missing
