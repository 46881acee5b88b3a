"""A vehicle is sold (venda): what the law asks before, and the end of its service."""

from dataclasses import replace
from datetime import date
from uuid import UUID

from services import acts
from services.access import Actor
from services.database import Transaction
from services.errors import Conflict, Invalid, Refused
from services.fleet import running, store
from services.fleet.changing import locked
from services.fleet.leaving import Leaving, left
from services.fleet.store import Serving
from services.fleet.tables import Sale
from services.permits import store as permits
from services.registry import store as registry
from tenants.law.decide import decide
from tenants.law.decision import Decision, Outcome
from tenants.law.facts import Facts
from tenants.law.kinds.infractions import Infraction
from tenants.law.law import Law
from tenants.law.questions import DutyAnswer, RestrictionQuestion

SOLD = "vehicle.sold"
AT_SALE = "sale"


async def sell_vehicle(
    tx: Transaction,
    actor: Actor,
    *,
    vehicle_id: UUID,
    sold_on: date,
    plate_released_on: date | None = None,
    holder_id: UUID | None = None,
    version: int | None = None,
    as_found: bool = False,
    why: str | None = None,
) -> UUID:
    """Record a vehicle's sale, with which its service ends; answers the vehicle's id.

    Args:
        plate_released_on: When its rental plate was written off (baixa), if it was.
        holder_id: Who has it now, if they are in the register.
        as_found: Record the sale though the law forbids it: the act keeps the answer and the infraction that it is.

    Raises:
        Refused: The law forbids the sale; carries the answer, which names the infraction.
        Conflict: The vehicle has changed since.
    """
    office = actor.must("register")
    _in_order(tx.today, sold_on, plate_released_on)
    law = await tx.law(on=sold_on)
    row = await store.served(tx, await locked(tx, law, vehicle_id), sold_on)  # the plate may be on it still
    if version is not None and row.version != version:
        raise Conflict(version, row.version)
    if holder_id is not None:
        await registry.must_exist(tx, "holder", holder_id)
    decision = await _decision(tx, law, row, released=plate_released_on is not None)
    if not (decision.permits or (as_found and decision.outcome is Outcome.DENIED)):
        raise Refused(decision)
    said = {"soldOn": sold_on, "plateReleasedOn": plate_released_on, "permit": row.permit_id}
    on = ("vehicle", vehicle_id)
    act = await acts.record(
        tx, actor, SOLD, on=on, decision=decision, office=office, legal_day=sold_on, changes=said, why=why
    )
    sale = Sale(tenant_id=tx.tenant_id, vehicle_id=vehicle_id, sold_on=sold_on, act_id=act.id)
    sale.plate_released_on, sale.from_holder_id, sale.to_holder_id = plate_released_on, row.holder_id, holder_id
    await registry.add(tx, sale)
    await _leave(tx, law, row, act.id)
    await store.change_hands(tx, vehicle_id, holder_id)
    return vehicle_id


def _in_order(today: date, sold_on: date, released_on: date | None) -> None:
    if sold_on > today or (released_on or sold_on) > sold_on:
        raise Invalid("soldOn", "order", "A baixa da placa vem antes da venda, e a venda não é futura.")


async def _decision(tx: Transaction, law: Law, row: Serving, *, released: bool) -> Decision:
    """Of a vehicle that serves nobody, and served no permit that is in force, the law asks nothing."""
    if row.permit_id is None:
        return Decision(Outcome.ALLOWED, "O veículo não está em serviço.")
    known, _ = await running.known_of(tx, law, row)
    found = {"vehicle.plate_released": released, "vehicle.in_service": row.service_id is not None}
    facts = Facts.of({**known, **found}, law.vocabulary)
    decision = decide(law, RestrictionQuestion(category=row.category, at=AT_SALE), facts)
    return replace(decision, message=named(law, decision)) if decision.outcome is Outcome.DENIED else decision


def named(law: Law, decision: Decision) -> str:
    """What it says, and the infractions that doing it all the same would be."""
    answers = [part.value for part in (decision, *decision.parts) if part.outcome is Outcome.DENIED]
    codes = dict.fromkeys(each.infraction for each in answers if isinstance(each, DutyAnswer) and each.infraction)
    rules = [(code, law.get(Infraction, code)) for code in codes]
    told = "; ".join(f"{code} ({rule.title})" if rule else code for code, rule in rules)
    return f"{decision.message} Infração: {told}." if told else decision.message


async def _leave(tx: Transaction, law: Law, row: Serving, act_id: UUID) -> None:
    """The permit stays without a vehicle until another takes its place."""
    if row.permit_id is None or row.service_id is None:
        return
    await permits.close_vehicle(tx, row.service_id, law.on)
    await permits.touch(tx, row.permit_id)
    await left(tx, [Leaving(row.id, law.on, act_id)])
