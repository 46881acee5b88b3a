"""A town under a random law: who is in its register, who acts in it, and what the law has answered there."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date, timedelta
from random import Random
from typing import Any
from uuid import UUID

from deploy.fictitious.numbers import Numbers
from services.access import Actor, actor_of, operator
from services.accounts.appointments import appoint
from services.database import Database, Transaction
from services.municipalities.publishing import onboard
from services.registry.papers import NewPaper, file_papers
from services.registry.people import register_driver, register_holder, register_person
from services.registry.vehicles import register_vehicle
from tests.property.law import generator as of_law
from tests.property.lives.laws import fitting, numbers_of

YEAR = timedelta(days=365)
PEOPLE, VEHICLES = 5, 7
CLERK = "ana"


@dataclass(slots=True)
class Seen:
    """What has occurred over all walks: kinds of rule, outcomes, causes of ending, links of chains, steps."""

    kinds: Counter[str] = field(default_factory=Counter)
    outcomes: Counter[str] = field(default_factory=Counter)
    endings: Counter[str] = field(default_factory=Counter)
    chains: Counter[str] = field(default_factory=Counter)
    done: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)

    def decision(self, plain: Any) -> None:
        """A decision in its plain form, with its parts."""
        for each in _inside(plain):
            if "outcome" in each:
                self.outcomes[each["outcome"]] += 1
            self.kinds.update(rule["kind"] for rule in each.get("rules", ()) if isinstance(rule, dict))


def _inside(value: Any) -> Iterator[dict[str, Any]]:
    if isinstance(value, dict):
        yield value
    for each in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from _inside(each)


@dataclass(slots=True)
class Town:
    """``law``: the numbers of its law that the invariants are about; ``doors``, ``kinds``: what fits it."""

    database: Database
    id: UUID
    numbers: Numbers
    law: dict[str, Any]
    doors: int
    kinds: list[str]
    actor: Actor
    seen: Seen
    holders: list[UUID] = field(default_factory=list)
    drivers: list[UUID] = field(default_factory=list)
    vehicles: list[UUID] = field(default_factory=list)


async def found(database: Database, text: str, number: int, seen: Seen) -> Town:
    """A town of its own name and number, with somebody in both offices and a few people with their cars."""
    own = text.replace('slug = "vila"', f'slug = "vila-{number}"').replace(
        'ibge = "5100000"', f'ibge = "{5100000 + number}"'
    )
    town = await onboard(database, operator("platform"), text=own, fictitious=True)
    async with database.transaction(town.id) as tx:
        for office in of_law.OFFICES:
            await appoint(tx, operator("platform"), subject=CLERK, office=office, since=tx.today)
    async with database.transaction(town.id) as tx:
        law, numbers = await tx.law(on=tx.today), Numbers(Random(number))  # noqa: S311 - the same every time
        made = Town(database, town.id, numbers, numbers_of(law), *fitting(law), await actor_of(tx, CLERK), seen)
        for at in range(PEOPLE):
            await person(tx, made, at)
        for at in range(VEHICLES):
            await vehicle(tx, made, at)
    return made


async def person(tx: Transaction, town: Town, at: int) -> None:
    """Holder and driver, with papers, about whom nearly everything is known."""
    clerk = town.actor
    known = {
        "local.since": (tx.today - 3 * YEAR).isoformat(),
        "candidate.other_income": "true" if at % PEOPLE == PEOPLE - 1 else "false",
    }
    who = await register_person(
        tx, clerk, cpf=town.numbers.cpf(), name="Ana Exemplo", email="ana@example.org",
        birth_on=tx.today - (24 + at) * YEAR,
    )  # fmt: skip
    kind = of_law.HOLDERS[at % 2] if at % 5 == 4 else town.kinds[at % len(town.kinds)]
    holder = await register_holder(tx, clerk, kind=kind, person_id=who.id, attributes=known)
    driver = await register_driver(
        tx, clerk, person_id=who.id, cnh_number=town.numbers.cnh(), cnh_categories=["B"], cnh_until=tx.today + 9 * YEAR
    )
    town.holders.append(holder.id)
    town.drivers.append(driver.id)
    await papers(tx, town, len(town.holders) - 1, 90 + 200 * at)


async def papers(tx: Transaction, town: Town, at: int, days: int) -> None:
    """The papers that the law asks for, of holder and driver, for so many days."""
    until = tx.today + timedelta(days=days)
    new = [NewPaper(of, of_law.PAPERS[0], tx.today, until) for of in (town.holders[at], town.drivers[at])]
    await file_papers(tx, town.actor, papers=new)


async def vehicle(tx: Transaction, town: Town, at: int) -> None:
    """One in so many lacks what the law may ask of it."""
    flawed = at % VEHICLES == VEHICLES - 1
    known = {"local.level": "1", "local.flag": "true" if flawed else "false"}
    made = await register_vehicle(
        tx,
        town.actor,
        plate=town.numbers.plate(mercosul=True),
        manufacture_year=tx.today.year - (at % 5 == 4),
        first_registration=None if flawed else date(tx.today.year, 1, 1),
        doors=6 - town.doors if at % 5 == 3 else town.doors,
        seats=5,
        fuel=of_law.FUELS[at % 2],
        attributes=known if flawed else {**known, "vehicle.equipment": of_law.ITEM},
    )
    town.vehicles.append(made.id)
