"""Inspections, approvals, enrolments and sales by their ids."""

from uuid import UUID

from api.fleet import loading
from api.fleet.types import Approval, Enrolment, Inspection, VehicleSale
from api.nodes import loads
from api.selection import Selection
from services.database import Reader
from services.drivers import store as drivers
from services.fleet import store as fleet
from services.inspections import store as inspections


@loads("inspection")
async def inspection(tx: Reader, id: UUID, wanted: Selection) -> Inspection:
    return loading.inspection_of(await inspections.one(tx, id))


@loads("approval")
async def approval(tx: Reader, id: UUID, wanted: Selection) -> Approval:
    return loading.approval_of(await fleet.approval(tx, id))


@loads("enrolment")
async def enrolment(tx: Reader, id: UUID, wanted: Selection) -> Enrolment:
    return loading.enrolment_of(await drivers.enrolment(tx, id))


@loads("sale")
async def sale(tx: Reader, id: UUID, wanted: Selection) -> VehicleSale:
    return await loading.sale_of(tx, await fleet.sale(tx, id))
