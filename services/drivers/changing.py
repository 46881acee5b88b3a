"""What the register knows of a driver changes: above all a new licence to drive (CNH), whose term takes over."""

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any
from uuid import UUID

from services import acts, terms
from services.access import Actor
from services.acts.record import Act
from services.database import Transaction
from services.deadlines import settle
from services.deadlines import store as deadlines
from services.deadlines.succession import hand_over
from services.drivers import store
from services.errors import Invalid
from services.registry import identity
from services.registry import store as registry
from services.registry.attributes import checked
from services.registry.facts import facts
from services.registry.people import letters_of
from services.registry.tables import Driver
from tenants.law.law import Law

CHANGED = "driver.changed"


async def update_driver(
    tx: Transaction,
    actor: Actor,
    *,
    driver_id: UUID,
    version: int,
    cnh_number: str | None = None,
    cnh_categories: Sequence[str] | None = None,
    attributes: Mapping[str, str] | None = None,
    why: str | None = None,
    **changes: Any,
) -> UUID:
    """Change what is known of a driver; answers their id.

    Args:
        version: The driver as the caller saw them.
        attributes: Facts that the law declares; those not named stay.
        changes: The other columns by name.

    Raises:
        Conflict: The driver has changed since.
    """
    office = actor.must("register")
    law = await tx.law(on=tx.today)
    await store.lock(tx, driver_id)
    await settle(tx, law.on, ("driver", driver_id))
    row = await registry.loaded(tx, Driver, driver_id)
    values = dict(changes)
    if cnh_number is not None:
        values["cnh_number"], values["review"] = identity.cnh(cnh_number)
    if cnh_categories is not None:
        values["cnh_categories"] = letters_of(cnh_categories)
    if attributes:
        values["attributes"] = {**row.attributes, **checked(law, attributes)}
    changed = await registry.change(tx, row, version, values)
    if row.cnh_first_on and row.cnh_until and row.cnh_until < row.cnh_first_on:
        raise Invalid("cnhUntil", "order", "A CNH vence antes da primeira habilitação.")
    act = await acts.record(tx, actor, CHANGED, on=("driver", driver_id), office=office, changes=changed, why=why)
    if "cnh_until" in changed:
        await run_licence(tx, law, act, driver_id, row.cnh_until)
    return driver_id


async def run_licence(tx: Transaction, law: Law, act: Act, driver_id: UUID, until: date | None) -> None:
    """The term of the licence to drive, in place of the one that ran."""
    subject, on = ("driver", driver_id), law.on
    running = terms.started(law, facts(law, {"driver.cnh.until": until}), of="driver", event="filed", on=on, keys={})
    for each in running:
        before = await deadlines.open_of(tx, subject, [each.term.code])
        made = await terms.open_started(tx, act, [each], subject=subject, on=on)
        await hand_over(tx, before, made, on=on, act_id=act.id)
