"""Permits with just the relations that are asked for: one statement for each, whatever the number of rows."""

from collections.abc import Sequence
from datetime import date
from typing import Any
from uuid import UUID

from sqlalchemy import Row

from api.register.types import (
    Company,
    Deadline,
    Driver,
    Fine,
    Holder,
    Licence,
    Paper,
    Permit,
    Person,
    StandPlace,
    Vehicle,
)
from api.selection import Selection
from api.types.scalars import global_id
from services.database import Reader
from services.deadlines import store as deadlines
from services.enforcement import store as fines
from services.permits import store as permits
from services.registry import store as registry
from services.stands import store as stands
from tenants.law.kinds.stands import Stand
from tenants.law.law import Law

FINES_USUAL, FINES_MOST = 20, 100  # law-free: rows of a relation


async def permits_of(tx: Reader, rows: Sequence[Row[Any]], wanted: Selection, day: date) -> list[Permit]:
    """The page's permits, each relation that ``wanted`` names filled in."""
    found = {row.id: permit_of(row) for row in rows}
    ids = list(found)
    if "holder" in wanted:
        holders = await registry.holders(tx, [row.holder_id for row in rows])
        for row in rows:
            found[row.id].holder = holder_of(holders[row.holder_id])
    if "vehicle" in wanted:
        for id, vehicle in (await permits.vehicles_of(tx, ids, day)).items():
            found[id].vehicle = vehicle_of(vehicle)
    if "stand" in wanted:
        law = await tx.law(on=day)
        for id, code in (await stands.of_permits(tx, ids, day)).items():
            found[id].stand = stand_of(law, code)
    await _licences(tx, found, wanted, day)
    for use in wanted.uses("fines"):
        most = min(use.arguments.get("first") or FINES_USUAL, FINES_MOST)
        of_each = await fines.fines_of(tx, ids, most=most)
        for id, permit in found.items():
            permit.related[use.key] = [fine_of(row) for row in of_each.get(id, ())]
    return list(found.values())


async def _licences(tx: Reader, found: dict[UUID, Permit], wanted: Selection, day: date) -> None:
    if "licence" not in wanted and "deadlines" not in wanted:
        return
    licences = await permits.licences_of(tx, list(found), day)
    for id, row in licences.items():
        found[id].licence = licence_of(row)
    if "deadlines" not in wanted:
        return
    owner = {("permit", id): id for id in found} | {("licence", row.id): id for id, row in licences.items()}
    for row in await deadlines.of_subjects(tx, list(owner), day):
        found[owner[row.subject_kind, row.subject_id]].deadlines.append(deadline_of(row))


def permit_of(row: Row[Any]) -> Permit:
    return Permit(
        id=global_id("permit", row.id),
        number=row.number,
        category=row.category,
        instrument=row.instrument,
        state=row.state,
        granted_on=row.granted_on,
        since=row.since,
        until=row.until,
        ended_on=row.ended_on,
        ended_cause=row.ended_cause,
        version=row.version,
    )


def holder_of(row: Row[Any]) -> Holder:
    return Holder(id=global_id("holder", row.id), kind=row.kind, name=row.name, version=row.version)


def vehicle_of(row: Row[Any]) -> Vehicle:
    return Vehicle(
        id=global_id("vehicle", row.id),
        plate=row.plate,
        renavam=row.renavam,
        manufacture_year=row.manufacture_year,
        model_year=row.model_year,
        first_registration=row.first_registration,
        doors=row.doors,
        seats=row.seats,
        fuel=row.fuel,
        version=row.version,
    )


def driver_of(row: Row[Any]) -> Driver:
    return Driver(
        id=global_id("driver", row.id),
        name=row.name,
        cnh_number=row.cnh_number,
        cnh_categories=row.cnh_categories,
        cnh_ear=row.cnh_ear,
        cnh_first_on=row.cnh_first_on,
        cnh_until=row.cnh_until,
        review=row.review,
        version=row.version,
    )


def stand_of(law: Law, code: str) -> StandPlace | None:
    """None: the law of the day has no such stand any more."""
    stand = law.get(Stand, code)
    return None if stand is None else StandPlace(code=code, number=stand.number, place=stand.place)


def licence_of(row: Row[Any]) -> Licence:
    return Licence(
        id=global_id("licence", row.id),
        number=row.number,
        since=row.since,
        until=row.until,
        state=row.state,
        fee_units=row.fee_units,
        fee_unit=row.fee_unit,
        fee_brl=row.fee_brl,
    )


def deadline_of(row: Row[Any]) -> Deadline:
    return Deadline(
        id=global_id("deadline", row.id),
        kind=row.kind,
        rule=row.rule,
        opened_on=row.opened_on,
        last_day=row.last_day,
        state=row.state_today,
        article=row.article,
    )


def fine_of(row: Row[Any]) -> Fine:
    return Fine(
        id=global_id("fine", row.id),
        number=row.number,
        infraction=row.infraction,
        seen_on=row.seen_on,
        units=row.units,
        unit=row.unit,
        rate=row.rate,
        brl=row.brl,
    )


def person_of(row: Row[Any]) -> Person:
    return Person(
        id=global_id("person", row.id),
        cpf=row.cpf,
        name=row.name,
        email=row.email,
        birth_on=row.birth_on,
        version=row.version,
    )


def company_of(row: Row[Any]) -> Company:
    return Company(id=global_id("company", row.id), cnpj=row.cnpj, name=row.name, email=row.email, version=row.version)


def paper_of(row: Row[Any]) -> Paper:
    return Paper(
        id=global_id("paper", row.id),
        code=row.code,
        number=row.number,
        issued_on=row.issued_on,
        valid_until=row.valid_until,
    )
