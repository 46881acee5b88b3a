"""People, vehicles, permits and licences of a founding town, made by the use cases: a test names what it is about.

A town of these factories is fictitious: its samples are supplied and its offices filled, nobody is in its register.
"""

from dataclasses import dataclass, field
from datetime import date
from typing import Any
from uuid import UUID

from deploy.fictitious.load import fill_offices, supply
from deploy.fictitious.people import Chance, Entering, Member
from deploy.fictitious.plan import Cohort, Plan, plans
from deploy.fictitious.stories import Offices
from services.access import Actor, actor_of, operator
from services.database import Database, Transaction
from services.municipalities.publishing import onboard
from services.permits.granting import grant_permit
from services.permits.licensing import issue_licence
from services.permits.tables import Licence, Permit
from services.registry.people import register_company, register_driver, register_holder, register_person
from services.registry.tables import Company, Driver, Holder, Person, Vehicle
from services.registry.vehicles import register_vehicle
from services.stands import store as stands
from services.stands.slots import own_stand
from tenants.law.kinds.stands import Stand

OPERATOR = operator("platform")
BARRA, COTRIGUACU = "barra-do-garcas", "cotriguacu"


def plan_of(slug: str) -> Plan:
    return next(plan for plan in plans() if plan.slug == slug)


async def make_town(database: Database, slug: str = BARRA, *, samples: bool = True) -> UUID:
    """A founding town under its own law, with somebody in each office."""
    plan = plan_of(slug)
    town = await onboard(database, OPERATOR, text=plan.pack, fictitious=True)
    async with database.transaction(town.id) as tx:
        if samples:
            await supply(tx, plan=plan)
        await fill_offices(tx, plan=plan)
    return town.id


async def officer(tx: Transaction, power: str) -> Actor:
    """Somebody whose office may do it under the town's law."""
    return (await officers(tx)).who(power)


async def officers(tx: Transaction) -> Offices:
    plan = plan_of(tx.town.slug)
    return Offices([await actor_of(tx, account.subject) for account in plan.account if account.offices])


@dataclass(slots=True)
class Maker:
    """Makes one after the other in a transaction; the same numbers and names in every run."""

    tx: Transaction
    plan: Plan
    offices: Offices
    chance: Chance
    made: int = field(default=0)

    @classmethod
    async def of(cls, tx: Transaction, seed: str = "tests") -> "Maker":
        return cls(tx, plan_of(tx.town.slug), await officers(tx), Chance.of(seed, tx.today))

    async def person(self, **given: Any) -> Person:
        fields = {"cpf": self.chance.numbers.cpf(), "name": "Ana Exemplo", "email": "ana@example.org", **given}
        return await register_person(self.tx, self.offices.who("register"), **fields)

    async def company(self, **given: Any) -> Company:
        fields = {"cnpj": self.chance.numbers.cnpj(), "name": "Exemplo Ltda.", **given}
        return await register_company(self.tx, self.offices.who("register"), **fields)

    async def holder(self, kind: str, **given: Any) -> Holder:
        person = None if "company_id" in given or "person_id" in given else (await self.person()).id
        return await register_holder(self.tx, self.offices.who("register"), kind=kind, **{"person_id": person, **given})

    async def driver(self, **given: Any) -> Driver:
        person = given.pop("person_id", None) or (await self.person()).id
        fields = {"cnh_number": self.chance.numbers.cnh(), "cnh_categories": ["B"], **given}
        return await register_driver(self.tx, self.offices.who("register"), person_id=person, **fields)

    async def vehicle(self, **given: Any) -> Vehicle:
        fields = {"plate": self.chance.numbers.plate(mercosul=True), "doors": 4, "seats": 5, **given}
        return await register_vehicle(self.tx, self.offices.who("register"), **fields)

    async def candidate(self, on: date | None = None, **cohort: Any) -> Member:
        """Somebody who can prove all that the law asks on a day; ``cohort`` says what is otherwise."""
        self.made += 1
        story = self.plan.candidate.model_copy(update={"facts": {}, "without": (), "account": None, **cohort})
        clerk = self.offices.who("register")
        entering = Entering(self.tx, clerk, self.plan, story, self.chance, on or self.tx.today)
        return await entering.member(self.made)

    async def permit(self, on: date | None = None, *, stand: str | None = None, **cohort: Any) -> Permit:
        """Where the law gives each permit a stand of its own, at the first with a free slot unless one is named."""
        member = await self.candidate(on, **cohort)
        category = cohort.get("category", self.plan.candidate.category)
        stand = stand or await free_stand(self.tx, category, on or self.tx.today)
        return await grant_permit(
            self.tx,
            self.offices.who("grant"),
            category=category,
            holder_id=member.holder_id or UUID(int=0),
            vehicle_id=member.vehicle_id or UUID(int=0),
            stand=stand,
            granted_on=on,
            judged=True,
        )

    async def licence(self, permit: Permit, on: date | None = None) -> Licence:
        clerk = self.offices.who("license")
        return await issue_licence(self.tx, clerk, permit_id=permit.id, issued_on=on, judged=True)


async def free_stand(tx: Transaction, category: str, on: date) -> str | None:
    """None: the law gives permits of the category no stand of their own."""
    law, taken = await tx.law(on=on), await stands.taken(tx, on)
    free = (each.code for _, each in law.all(Stand) if each.slots and taken.get(each.code, 0) < each.slots)
    return next(free) if own_stand(law, category) else None


def cohort_of(slug: str, code: str) -> Cohort:
    return next(cohort for cohort in plan_of(slug).cohort if cohort.code == code)
