"""An inspection is given a day (agendamento). To keep it is no term of the law: what is due has its own."""

from datetime import date
from uuid import UUID

from services import acts, deadlines
from services.access import Actor
from services.database import Transaction
from services.errors import Conflict, Invalid, Refused
from services.fleet import running
from services.fleet import store as fleet
from services.inspections import store
from services.inspections.tables import Inspection
from services.permits.unforeseen import not_provided
from services.registry import store as registry
from tenants.law.decision import Decision, Outcome
from tenants.law.kinds.requirements import Inspection as InspectionRule
from tenants.law.law import Law

SCHEDULED = "inspection.scheduled"


async def schedule_inspection(
    tx: Transaction, actor: Actor, *, vehicle_id: UUID, rule: str, on: date, version: int | None = None
) -> UUID:
    """Give a vehicle's inspection a day, or another day; answers the inspection's id.

    Args:
        rule: The code of the inspection in the law.
        version: The appointment as the caller saw it, where there is one.

    Raises:
        Refused: The law asks no such inspection of the vehicle, or the vehicle serves nobody.
        Conflict: The appointment has changed since.
    """
    office = actor.must("inspect")
    if on < tx.today:
        raise Invalid("on", "past", "O dia marcado já passou.")
    law = await tx.law(on=tx.today)
    await fleet.lock(tx, vehicle_id)
    await deadlines.settle(tx, law.on, ("vehicle", vehicle_id))
    row = await fleet.serving(tx, vehicle_id, law.on)
    if row.permit_id is None:
        raise Refused(Decision(Outcome.DENIED, f"O veículo {row.plate} não está em outorga vigente."))
    asked = asked_of(law, row.category, rule)
    waiting = await store.scheduled(tx, vehicle_id, rule)
    if waiting is not None and version is not None and waiting.version != version:
        raise Conflict(version, waiting.version)
    id = waiting.id if waiting is not None else await registry.new_id(tx)
    changes = {"vehicle": vehicle_id, "rule": rule, "scheduledOn": on}
    act = await acts.record(tx, actor, SCHEDULED, on=("inspection", id), office=office, changes=changes)
    if waiting is not None:
        await store.move(tx, id, on, act.id)
        return id
    made = Inspection(tenant_id=tx.tenant_id, id=id, vehicle_id=vehicle_id, category=row.category, rule=rule, what="")
    made.what, made.permit_id, made.scheduled_on, made.scheduled_act = asked.of, row.permit_id, on, act.id
    await registry.add(tx, made)
    return id


def asked_of(law: Law, category: str, rule: str) -> InspectionRule:
    """The inspection of this code that the law asks of the category. Raises Refused where it asks none."""
    found = next((each for each in running.inspected(law, category) if each.code == rule), None)
    if found is None:
        raise not_provided(law, f"a vistoria “{rule}” para esta categoria", InspectionRule.kind)
    return found
