"""The register's records by their ids."""

from uuid import UUID

from api.nodes import loads
from api.register import loading
from api.register.queries import permit_by
from api.register.types import Company, Deadline, Driver, Fine, Holder, Licence, Paper, Permit, Person, Vehicle
from api.selection import Selection
from services.database import Reader
from services.deadlines import store as deadlines
from services.enforcement import store as fines
from services.errors import NotFound
from services.permits import store as permits
from services.registry import store as registry


@loads("person")
async def person(tx: Reader, id: UUID, wanted: Selection) -> Person:
    return loading.person_of(await registry.one(tx, "person", id))


@loads("company")
async def company(tx: Reader, id: UUID, wanted: Selection) -> Company:
    return loading.company_of(await registry.one(tx, "company", id))


@loads("holder")
async def holder(tx: Reader, id: UUID, wanted: Selection) -> Holder:
    return loading.holder_of(await registry.one(tx, "holder", id))


@loads("driver")
async def driver(tx: Reader, id: UUID, wanted: Selection) -> Driver:
    return loading.driver_of(await registry.one(tx, "driver", id))


@loads("vehicle")
async def vehicle(tx: Reader, id: UUID, wanted: Selection) -> Vehicle:
    return loading.vehicle_of(await registry.one(tx, "vehicle", id))


@loads("paper")
async def paper(tx: Reader, id: UUID, wanted: Selection) -> Paper:
    return loading.paper_of(await registry.one(tx, "paper", id))


@loads("permit")
async def permit(tx: Reader, id: UUID, wanted: Selection) -> Permit:
    return await permit_by(tx, id, wanted)


@loads("licence")
async def licence(tx: Reader, id: UUID, wanted: Selection) -> Licence:
    return loading.licence_of(await permits.licence(tx, id, tx.today))


@loads("fine")
async def fine(tx: Reader, id: UUID, wanted: Selection) -> Fine:
    return loading.fine_of(await fines.fine(tx, id))


@loads("deadline")
async def deadline(tx: Reader, id: UUID, wanted: Selection) -> Deadline:
    row = await deadlines.by_id(tx, id)
    if row is None:
        raise NotFound("deadline", id)
    return loading.deadline_of(row)
