"""A driver may not drive: suspended for a time (suspensão), or struck off the register (cassação do registro)."""

from datetime import date
from uuid import UUID

from sqlalchemy.dialects.postgresql import Range

from services import acts, deadlines
from services.access import Actor
from services.database import Transaction
from services.drivers import store
from services.drivers.tables import DriverBar
from services.errors import Conflict, Invalid
from services.permits.unforeseen import not_provided
from services.registry import store as registry
from services.terms import day_after
from tenants.law.cel import Condition
from tenants.law.kinds.requirements import Requirement
from tenants.law.kinds.transfers import Crew
from tenants.law.law import Law

SUSPENDED, STRUCK_OFF = "suspended", "struck_off"
REGISTER = frozenset({"driver.registered", "driver.suspended"})  # a law that asks for these has a register of drivers
TITLES = {SUSPENDED: "a suspensão de condutores", STRUCK_OFF: "a cassação do registro de condutores"}


async def suspend_driver(
    tx: Transaction,
    actor: Actor,
    *,
    driver_id: UUID,
    why: str,
    since: date | None = None,
    until: date | None = None,
) -> UUID:
    """Suspend a driver; ``until``: the last day, without which it lasts until it is lifted. Answers their id.

    Raises:
        Refused: The town's law keeps no register of drivers.
        Conflict: The driver is suspended in these days already.
    """
    office = actor.must("suspend")
    return await _bar(tx, actor, office, driver_id, SUSPENDED, why=why, since=since or tx.today, until=until)


async def strike_driver_off(
    tx: Transaction, actor: Actor, *, driver_id: UUID, why: str, since: date | None = None
) -> UUID:
    """Strike a driver off the register; their enrolments end. Answers their id. Raises as ``suspend_driver``."""
    office = actor.must("cancel")
    return await _bar(tx, actor, office, driver_id, STRUCK_OFF, why=why, since=since or tx.today, until=None)


async def _bar(
    tx: Transaction,
    actor: Actor,
    office: str,
    driver_id: UUID,
    what: str,
    *,
    why: str,
    since: date,
    until: date | None,
) -> UUID:
    law = await tx.law(on=since)
    if until is not None and until < since:
        raise Invalid("until", "order", "A suspensão terminaria antes de começar.")
    if not _keeps_register(law):
        raise not_provided(law, TITLES[what], Crew.kind)
    await store.lock(tx, driver_id)
    await deadlines.settle(tx, subject=("driver", driver_id))
    act = await acts.record(
        tx,
        actor,
        f"driver.{what}",
        on=("driver", driver_id),
        office=office,
        legal_day=since,
        changes={"since": since, "until": until},
        why=why,
    )
    bar = DriverBar(
        tenant_id=tx.tenant_id, driver_id=driver_id, what=what, during=Range(since, day_after(until)), act_id=act.id
    )
    await registry.add(tx, bar)
    if what == STRUCK_OFF:
        await store.end_enrolments(tx, since, act.id, driver=driver_id)
    return driver_id


def _keeps_register(law: Law) -> bool:
    conditions: list[Condition | None] = [rule.must for _, rule in law.all(Crew)]
    conditions += [rule.must for _, rule in law.all(Requirement) if rule.of == "driver"]
    return any(condition is not None and REGISTER & set(condition.facts) for condition in conditions)


async def lift_suspension(
    tx: Transaction, actor: Actor, *, driver_id: UUID, on: date | None = None, why: str | None = None
) -> UUID:
    """End a suspension before its time: ``on`` is the first day without it. Answers the driver's id.

    Raises:
        Conflict: The driver is not suspended on that day.
    """
    office = actor.must("suspend")
    day = on or tx.today
    await store.lock(tx, driver_id)
    await deadlines.settle(tx, subject=("driver", driver_id))
    bar = await store.bar_on(tx, driver_id, SUSPENDED, day)
    if bar is None:
        raise Conflict(message=f"O condutor não está suspenso em {day:%d/%m/%Y}.")
    act = await acts.record(
        tx, actor, "driver.suspension_lifted", on=("driver", driver_id), office=office, legal_day=day, why=why
    )
    await store.lift(tx, bar.id, day, act.id)
    return driver_id
