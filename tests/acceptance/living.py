"""Lives of permits in years long past, as their front ends and the offices would have lived them."""

from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from typing import Any

from tests.acceptance.applying import (
    KINDS,
    car_input,
    driver_input,
    facts_of,
    person_input,
    registered,
    stand_of_its_own,
)
from tests.acceptance.stage import BARRA, COTRIGUACU, PLANS, Stage

# Who grants and who issues licences, town by town.
GRANTS = {BARRA: "secretary", COTRIGUACU: "mayor"}
LICENSES = {BARRA: "secretary", COTRIGUACU: "clerk"}
FINES = {BARRA: "secretary", COTRIGUACU: "inspector"}
NOON = 16  # of Mato Grosso, in UTC
PAPER_AGE = timedelta(days=5)


@dataclass(slots=True)
class Person:
    """Ids as the API knows them."""

    person: str
    holder: str
    driver: str
    vehicle: str


@dataclass(slots=True)
class Living:
    """One town on its days, which only go forward."""

    stage: Stage
    town: str
    today: date = field(default=date(2010, 1, 4))

    def on(self, day: str) -> None:
        self.today = date.fromisoformat(day)
        self.stage.at(datetime(self.today.year, self.today.month, self.today.day, NOON, tzinfo=UTC))

    async def act(self, document: str, *, role: str = "", **given: Any) -> Any:
        return await self.stage.act(document, given, town=self.town, role=role)

    async def done(self, document: str, *, role: str = "", **given: Any) -> Any:
        return await self.stage.done(document, given, town=self.town, role=role)

    async def ask(self, document: str, *, role: str = "", **variables: Any) -> Any:
        return await self.stage.run(document, town=self.town, role=role, **variables)

    async def somebody(self, *, car: bool = True, papers_until: str | None = None, **facts: str) -> Person:
        """Who can prove today all that the law asks of a taxi driver with a new car, some of it up to a day."""
        told = {
            **PLANS[self.town].person,
            "holder.sex": "female",
            **{c.replace("__", "."): v for c, v in facts.items()},
        }
        drawn = {code: str(least) for code, (least, _) in PLANS[self.town].drawn.items()}
        person = await registered(self.stage, self.town, "Person", person_input(facts_of(told | drawn)))
        kind = {"kind": KINDS[self.town], "personId": person["id"]}
        holder = await registered(self.stage, self.town, "Holder", kind)
        driver = await registered(self.stage, self.town, "Driver", driver_input(person["id"]))
        made = await self.car(holder["id"]) if car else ""
        who = Person(person["id"], holder["id"], driver["id"], made)
        subjects = {"holder": who.holder, "driver": who.driver, "vehicle": who.vehicle}
        await self.papers(subjects, valid_until=papers_until)
        return who

    async def car(self, holder: str) -> str:
        year = self.today.year - 1
        body = car_input(self.town, holder, made=year, registered_on=f"{year}-12-01")
        return str((await registered(self.stage, self.town, "Vehicle", body))["id"])

    async def papers(
        self, subjects: dict[str, str], *, valid_until: str | None = None, category: str = "taxi", without: str = ""
    ) -> None:
        """Every paper that the law asks of these in a category, but one, fresh today."""
        law = (await self.ask("driver/demands", role="public"))["rules"]
        asked = {
            (rule["payload"]["of"], rule["payload"]["paper"])
            for rule in law
            if rule["payload"].get("paper") and category in rule["payload"].get("applies", {}).get("category", category)
        }
        for of, code in sorted(asked):
            if subjects.get(of) and code != without:
                dated = {"issuedOn": (self.today - PAPER_AGE).isoformat()}
                dated |= {"validUntil": valid_until} if valid_until else {}
                await self.done("clerk/filePaper", subjectId=subjects[of], code=code, **dated)

    async def permit(self, who: Person, *, stand: str | None = None) -> Any:
        given = {"category": "taxi", "holderId": who.holder, "vehicleId": who.vehicle, "judged": True}
        given |= {"stand": stand} if stand else await stand_of_its_own(self.stage, self.town)
        return await self.done("secretary/grantPermit", role=GRANTS[self.town], **given)

    async def licence(self, permit: str) -> Any:
        given = {"permitId": permit, "judged": True}
        return await self.done("clerk/issueLicence", role=LICENSES[self.town], **given)

    async def life(self, permit: str, on: str | None = None) -> Any:
        return await self.ask("clerk/permitLife", permitId=permit, **({"on": on} if on else {}))

    async def night(self) -> None:
        """The town's work of today."""
        from services.nights import night

        (outcome,) = await night(self.stage.database, [await self.stage.town(self.town)])
        assert outcome.error is None, outcome
