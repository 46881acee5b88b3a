"""Somebody of a cohort enters the register: person or company, holder, driver, vehicle, papers."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from random import Random
from uuid import UUID

from deploy.fictitious import names
from deploy.fictitious.numbers import Numbers
from deploy.fictitious.plan import Ago, Cohort, Plan
from services.access import Actor
from services.database import Transaction
from services.registry.papers import PAPER_SUBJECTS, NewPaper, file_papers
from services.registry.people import register_company, register_driver, register_holder, register_person
from services.registry.vehicles import register_vehicle
from tenants.law.kinds.requirements import Requirement
from tenants.law.law import Law

A_YEAR = 365
BORN = (24 * A_YEAR, 62 * A_YEAR)  # days before today
LICENSED = (3 * A_YEAR, 5 * A_YEAR)  # the first driver's licence, days before the papers are asked for
LICENCE_LEFT = (A_YEAR, 9 * A_YEAR)  # how long it is still valid
PAPER_AGE = (3, 20)  # days, when it is filed
NEW_PLATES_SINCE = 2020  # the year made from which vehicles here have Mercosul plates


@dataclass(slots=True)
class Chance:
    """What is drawn for one cohort: the same every time, whatever other cohorts draw."""

    random: Random
    numbers: Numbers
    today: date

    @classmethod
    def of(cls, seed: str, today: date) -> "Chance":
        random = Random(seed)  # noqa: S311 - the same register every time
        return cls(random, Numbers(random), today)

    def day(self, ago: Ago) -> date:
        longest, shortest = ago
        return self.today - timedelta(days=self.random.randint(shortest, longest))

    def span(self, days: tuple[int, int]) -> timedelta:
        return timedelta(days=self.random.randint(*days))


@dataclass(frozen=True, slots=True)
class Member:
    """Somebody of a cohort, as the register knows them."""

    name: str
    person_id: UUID | None = None
    company_id: UUID | None = None
    driver_id: UUID | None = None
    holder_id: UUID | None = None
    vehicle_id: UUID | None = None


@dataclass(frozen=True, slots=True)
class Entering:
    """Who registers whom, and what is drawn for them. ``on``: the day by which the papers must have been issued."""

    tx: Transaction
    clerk: Actor
    plan: Plan
    cohort: Cohort
    chance: Chance
    on: date

    async def member(self, number: int) -> Member:
        """Register the cohort's next one."""
        cohort, driver = self.cohort, None
        name, person, company = await (self._company(number) if cohort.company else self._person(number))
        if person and cohort.cnh:
            driver = await self._driver(person)
        if not cohort.holder:
            return Member(name, person, company, driver)
        holder = (
            await register_holder(self.tx, self.clerk, kind=cohort.holder, person_id=person, company_id=company)
        ).id
        vehicle = await self.car(holder)
        await self._papers({"holder": holder, "driver": driver, "vehicle": vehicle})
        return Member(name, person, company, driver, holder, vehicle)

    async def _person(self, number: int) -> tuple[str, UUID | None, UUID | None]:
        chance = self.chance
        woman = chance.random.random() < 1 / 2
        name, sex = names.person(chance.random, woman=woman), "female" if woman else "male"
        drawn = {code: str(chance.random.randint(*bounds)) for code, bounds in self.plan.drawn.items()}
        person = await register_person(
            self.tx,
            self.clerk,
            cpf=chance.numbers.cpf(),
            name=name,
            email=names.email(name, number),
            birth_on=chance.today - chance.span(BORN),
            attributes=self._told({**self.plan.person, "holder.sex": sex, **drawn}),
        )
        return name, person.id, None

    async def _company(self, number: int) -> tuple[str, UUID | None, UUID | None]:
        name = names.firm(self.chance.random)
        company = await register_company(
            self.tx,
            self.clerk,
            cnpj=self.chance.numbers.cnpj(letters=number % 2 == 1),
            name=name,
            email=names.email(name, number),
            attributes=self._told(self.plan.company),
        )
        return name, None, company.id

    def _told(self, common: Mapping[str, str]) -> dict[str, str]:
        """What everybody tells and what the cohort does; an empty text is left unproven."""
        own = {code: value for code, value in self.cohort.facts.items() if code not in self.plan.car}
        return {code: value for code, value in {**common, **own}.items() if value}

    async def _driver(self, person_id: UUID) -> UUID:
        chance, numbers = self.chance, self.chance.numbers
        driver = await register_driver(
            self.tx,
            self.clerk,
            person_id=person_id,
            cnh_number=numbers.failing_cnh() if self.cohort.review else numbers.cnh(),
            cnh_categories=self.cohort.cnh,
            cnh_ear=True,
            cnh_first_on=self.on - chance.span(LICENSED),
            cnh_until=chance.today + chance.span(LICENCE_LEFT),
        )
        return driver.id

    async def car(self, holder_id: UUID) -> UUID:
        """A vehicle as old on the day as the cohort says, in the holder's name."""
        chance = self.chance
        age = chance.random.randint(*self.cohort.aged)
        made = self.on.year - age
        facts = {**self.plan.car, **{c: v for c, v in self.cohort.facts.items() if c in self.plan.car}}
        vehicle = await register_vehicle(
            self.tx,
            self.clerk,
            plate=chance.numbers.plate(mercosul=made >= NEW_PLATES_SINCE),
            renavam=chance.numbers.renavam(),
            holder_id=holder_id,
            manufacture_year=made,
            model_year=made + chance.random.randint(0, 1),
            first_registration=date(made, self.on.month, 1),
            doors=chance.random.choice(self.cohort.doors),
            seats=self.cohort.seats,
            fuel=chance.random.choice(self.plan.fuels) if self.plan.fuels else None,
            attributes={code: value for code, value in facts.items() if value},
        )
        return vehicle.id

    async def newer_car(self, holder_id: UUID) -> UUID:
        """Another vehicle with its papers."""
        vehicle = await self.car(holder_id)
        await self._papers({"vehicle": vehicle})
        return vehicle

    async def _papers(self, subjects: Mapping[str, UUID | None]) -> None:
        """Every paper that the law asks of the cohort's category and kind of holder, but those that it is without."""
        asked = [(subjects.get(of), code) for of, code in asked_papers(await self.tx.law(on=self.on), self.cohort)]
        papers = [
            NewPaper(subject, code, issued_on=self.on - self.chance.span(PAPER_AGE))
            for subject, code in asked
            if subject is not None and code not in self.cohort.without
        ]
        await file_papers(self.tx, self.clerk, papers=papers)


def asked_papers(law: Law, cohort: Cohort) -> list[tuple[str, str]]:
    """Of whom the law asks which paper, each once."""
    keys = {"category": cohort.category, "holder": cohort.holder}
    asked = [
        (rule.of, rule.paper)
        for _, rule in law.all(Requirement)
        if rule.paper and rule.of in PAPER_SUBJECTS and law.concerns(rule, keys)
    ]
    return list(dict.fromkeys(asked))
