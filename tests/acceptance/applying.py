"""Somebody applies for a permit, as their front ends and the clerk's would do it."""

from dataclasses import dataclass
from itertools import count
from random import Random
from typing import Any

from deploy.fictitious.numbers import Numbers
from services.importing.columns import letters
from tests.acceptance.stage import BARRA, COTRIGUACU, PLANS, Stage

KINDS = {BARRA: "autonomo", COTRIGUACU: "pessoa_fisica"}
SEED = 35  # other numbers than the fictitious register's
_nth = count(1)
_numbers = Numbers(Random(SEED))  # noqa: S311 - no secret


@dataclass(frozen=True, slots=True)
class Applicant:
    """Ids as the API knows them."""

    person: str
    holder: str
    driver: str
    vehicle: str
    plate: str

    @property
    def pair(self) -> dict[str, str]:
        return {"holderId": self.holder, "vehicleId": self.vehicle}


async def applicant(
    stage: Stage, town: str, *, doors: int = 4, made: int = 2025, registered_on: str | None = None, **facts: str
) -> Applicant:
    """A taxi driver with a car, who can prove all that the law asks; ``facts`` are told instead (dots as ``__``)."""
    told = {**PLANS[town].person, "holder.sex": "female", **{c.replace("__", "."): v for c, v in facts.items()}}
    drawn = {code: str(least) for code, (least, _) in PLANS[town].drawn.items()}
    person = await registered(stage, town, "Person", person_input(facts_of(told | drawn)))
    holder = await registered(stage, town, "Holder", {"kind": KINDS[town], "personId": person["id"]})
    driver = await registered(stage, town, "Driver", driver_input(person["id"]))
    body = car_input(town, holder["id"], doors=doors, made=made, registered_on=registered_on)
    car = await registered(stage, town, "Vehicle", body)
    made_up = Applicant(person["id"], holder["id"], driver["id"], car["id"], car["plate"])
    await file_papers(stage, town, {"holder": made_up.holder, "driver": made_up.driver, "vehicle": made_up.vehicle})
    return made_up


async def another_car(stage: Stage, town: str, holder: str, *, doors: int = 4, made: int = 2025) -> str:
    """A further car in a holder's name, with its papers."""
    car = await registered(stage, town, "Vehicle", car_input(town, holder, doors=doors, made=made))
    await file_papers(stage, town, {"vehicle": car["id"]})
    return str(car["id"])


async def stand_of_its_own(stage: Stage, town: str) -> dict[str, str]:
    """What a grant says of the stand: one with a free slot where the law wants one, else nothing."""
    if town != COTRIGUACU:
        return {}
    stands = await stage.run("public/stands", town=town, category="taxi")
    return {"stand": next(each["code"] for each in stands if each["free"])}


async def registered(stage: Stage, town: str, what: str, given: dict[str, Any]) -> Any:
    return await stage.done(f"clerk/register{what}", given, town=town)


async def file_papers(stage: Stage, town: str, subjects: dict[str, str]) -> None:
    """Every paper that the law asks of a taxi's holder, driver or vehicle."""
    law = (await stage.run("driver/demands", town=town, role="public"))["rules"]
    for rule in law:
        payload = rule["payload"]
        asked = payload.get("applies", {}).get("category", "taxi")
        if payload.get("paper") and payload["of"] in subjects and "taxi" in asked:
            given = {"subjectId": subjects[payload["of"]], "code": payload["paper"], "issuedOn": "2026-03-02"}
            await stage.done("clerk/filePaper", given, town=town)


def person_input(attributes: list[dict[str, str]] | None = None, **changes: Any) -> dict[str, Any]:
    given = {"cpf": _numbers.cpf(), "name": f"Requerente {letters(next(_nth))}", "birthOn": "1980-05-01"}
    return {**given, "email": "requerente@example.org", "attributes": attributes or [], **changes}


def company_input() -> dict[str, Any]:
    return {"cnpj": _numbers.cnpj(letters=True), "name": f"Empresa {next(_nth)}", "email": "empresa@example.org"}


def driver_input(person: str) -> dict[str, Any]:
    cnh = {"cnhNumber": _numbers.cnh(), "cnhCategories": ["B", "D"], "cnhEar": True}
    return {"personId": person, **cnh, "cnhFirstOn": "2005-01-01", "cnhUntil": "2030-01-01"}


def car_input(
    town: str, holder: str, *, doors: int = 4, made: int = 2025, registered_on: str | None = None
) -> dict[str, Any]:
    years = {"manufactureYear": made, "modelYear": made, "firstRegistration": registered_on or f"{made}-02-01"}
    body = {"doors": doors, "seats": 5, "attributes": facts_of(PLANS[town].car)}
    fuel = {"fuel": "flex"} if PLANS[town].fuels else {}
    return {
        "plate": _numbers.plate(mercosul=True),
        "renavam": _numbers.renavam(),
        "holderId": holder,
        **years,
        **body,
        **fuel,
    }


def facts_of(told: dict[str, str]) -> list[dict[str, str]]:
    return [{"code": code, "value": value} for code, value in told.items() if value]
