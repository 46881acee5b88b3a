"""What the register knows of a vehicle changes (atualização): nobody's change is lost, and no rule is got round."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from services import acts, deadlines
from services.access import Actor
from services.database import Transaction
from services.errors import Invalid, Refused
from services.fleet import running, store
from services.fleet.store import Serving
from services.permits import fleet
from services.permits import store as permits
from services.registry import identity
from services.registry import store as registry
from services.registry.attributes import checked
from services.registry.tables import Vehicle
from services.registry.vehicles import must_be_plausible
from tenants.law.decide import decide
from tenants.law.decision import Decision, Outcome, combine
from tenants.law.law import Law
from tenants.law.questions import EligibilityQuestion

CHANGED = "vehicle.changed"
ALWAYS = "always"


async def update_vehicle(
    tx: Transaction,
    actor: Actor,
    *,
    vehicle_id: UUID,
    version: int,
    as_found: bool = False,
    why: str | None = None,
    attributes: Mapping[str, str] | None = None,
    **changes: Any,
) -> UUID:
    """Change what is known of a vehicle; answers its id.

    Args:
        version: The vehicle as the caller saw it.
        as_found: Record it as it was found, though the law forbids it in service: the act keeps the answer.
        attributes: Facts that the law declares; those not named stay.
        changes: The columns by name.

    Raises:
        Conflict: The vehicle has changed since.
        Refused: In service it would break a rule that it does not break now; carries every answer.
    """
    office = actor.must("register")
    law = await tx.law(on=tx.today)
    before = await _standing(tx, law, await locked(tx, law, vehicle_id))
    row = await registry.loaded(tx, Vehicle, vehicle_id)
    values = await _values(tx, changes)
    if attributes:
        values["attributes"] = {**row.attributes, **checked(law, attributes)}
    changed = await registry.change(tx, row, version, values)
    must_be_plausible(tx.today, row)
    decision = _newly(before, await _standing(tx, law, await store.serving(tx, vehicle_id, law.on)))
    if decision.outcome is Outcome.DENIED and not as_found:
        raise Refused(decision)
    said = decision if decision.parts else None
    act = await acts.record(
        tx, actor, CHANGED, on=("vehicle", vehicle_id), decision=said, office=office, changes=changed, why=why
    )
    await running.changed(tx, law, act.id, vehicle_id)
    return vehicle_id


async def locked(tx: Transaction, law: Law, vehicle_id: UUID) -> Serving:
    """A vehicle whose change may change the fleet: the category and the permit are locked before it."""
    row = await store.serving(tx, vehicle_id, law.on)
    if row.permit_id is not None:
        await permits.lock_category(tx, law.root(row.category))
        await permits.permit(tx, row.permit_id, law.on, lock=True)
    await store.lock(tx, vehicle_id)
    await deadlines.settle(tx, law.on, ("vehicle", vehicle_id))
    return await store.serving(tx, vehicle_id, law.on)


async def _values(tx: Transaction, changes: Mapping[str, Any]) -> dict[str, Any]:
    values = dict(changes)
    if values.get("plate") is not None:
        values["plate"] = identity.plate(values["plate"])
    elif "plate" in values:
        raise Invalid("plate", "empty", "Informe a placa.")
    if values.get("renavam"):
        values["renavam"] = identity.renavam(values["renavam"])
    if values.get("holder_id") is not None:
        await registry.must_exist(tx, "holder", values["holder_id"])
    return values


async def _standing(tx: Transaction, law: Law, row: Serving) -> list[Decision]:
    """What the law says at all times of a vehicle in service, and of the fleet with it."""
    if row.permit_holder_id is None:
        return []
    known, papers = await running.known_of(tx, law, row)
    holder = (await registry.candidates(tx, [row.permit_holder_id]))[row.permit_holder_id]
    question = EligibilityQuestion(row.category, holder.kind, ALWAYS, papers, of=("vehicle",))
    whole = await fleet.shares(tx, law, row.category, entering=None)
    return [*decide(law, question, known).parts, *(whole.parts or (whole,))]


def _newly(before: list[Decision], after: list[Decision]) -> Decision:
    """Only what a change brings about is held against it."""
    broken = {_rule(part) for part in before if part.outcome is Outcome.DENIED}
    parts = [part for part in after if part.outcome is Outcome.DENIED and _rule(part) not in broken]
    message = " ".join(part.message for part in parts) or "Nada do que muda contraria a lei."
    return combine(parts, message=message)


def _rule(decision: Decision) -> tuple[str, ...]:
    return tuple(rule.code for rule in decision.rules)
