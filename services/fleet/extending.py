"""More time for a vehicle past its limit (prorrogação): for what the law grants it, on the papers that it asks."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from uuid import UUID

from services import acts, deadlines
from services.access import Actor
from services.database import Transaction
from services.errors import Invalid, Refused
from services.fleet import running, store
from services.fleet.deciding import must_permit
from services.fleet.store import Serving
from services.permits import store as permits
from services.permits.unforeseen import not_provided
from tenants.law.decision import Decision, Outcome
from tenants.law.kinds.requirements import VehicleAge
from tenants.law.law import Law
from tenants.law.questions import VehicleAgeAnswer

EXTENDED = "vehicle.extended"


async def extend_vehicle(
    tx: Transaction, actor: Actor, *, vehicle_id: UUID, on: date | None = None, judged: bool = False
) -> UUID:
    """Let a vehicle stay beyond the law's limit, on the papers filed for it; answers the vehicle's id.

    Args:
        on: The day of the decision, which picks the law.
        judged: The office records that it has decided what the law leaves to its judgement.

    Raises:
        Refused: The law grants no more time, or not on these papers; carries the answer, with what is missing.
    """
    office = actor.must("license")
    law = await tx.law(on=on or tx.today)
    if law.on > tx.today:
        raise Invalid("on", "future", "O dia da decisão ainda não chegou.")
    row = await serving(tx, vehicle_id, law.on, lock=True)
    await deadlines.settle(tx, law.on, ("vehicle", vehicle_id))
    known, papers = await running.known_of(tx, law, row)
    decision = running.stay(law, row, known, papers)
    values = [part.value for part in decision.parts if isinstance(part.value, VehicleAgeAnswer)]
    if not any(each.state for value in values for each in value.extensions):
        raise not_provided(law, "prorrogação da idade do veículo", VehicleAge.kind)
    must_permit(decision, judged=judged)
    await _grants_more(tx, law, row, values, decision)
    act = await acts.record(
        tx,
        actor,
        EXTENDED,
        on=("vehicle", vehicle_id),
        decision=decision,
        office=office,
        legal_day=law.on,
        changes={"until": min(value.last_day for value in values)},
    )
    await running.run_stay(tx, law, act.id, row, decision)
    return vehicle_id


async def serving(tx: Transaction, vehicle_id: UUID, day: date, *, lock: bool = False) -> Serving:
    """A vehicle in a permit's service on a day. Raises Refused for one that serves none."""
    row = await store.serving(tx, vehicle_id, day)
    if lock:
        if row.permit_id is not None:
            await permits.permit(tx, row.permit_id, day, lock=True)
        await store.lock(tx, vehicle_id)
        row = await store.serving(tx, vehicle_id, day)
    if row.permit_id is None:
        said = f"O veículo {row.plate} não está em outorga vigente em {day:%d/%m/%Y}."
        raise Refused(Decision(Outcome.DENIED, said))
    return row


async def _grants_more(
    tx: Transaction, law: Law, row: Serving, values: Sequence[VehicleAgeAnswer], decision: Decision
) -> None:
    """Raises Refused where nothing filed adds a day to those that the vehicle has already."""
    granted = [each for value in values for each in value.extensions if each.state == "granted"]
    lasts = {value.rule: value.last_day for value in values}
    had = await store.last_days(tx, row.id, list(lasts))
    if granted and any(had.get(rule, date.min) < last for rule, last in lasts.items()):
        return
    until = min(lasts.values())
    wanted = dict.fromkeys(each.title for value in values for each in value.extensions if each.state == "possible")
    asked = f" Falta: {'; '.join(wanted)}." if wanted else " A lei não dá outra prorrogação."
    said = f"O veículo {row.plate} serve até {until:%d/%m/%Y}.{asked}"
    raise Refused(replace(decision, outcome=Outcome.DENIED, message=said))
