"""A vehicle leaves a permit's service, or its permit ends: nothing more is demanded of it there."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING
from uuid import UUID

from services.fleet import store
from tenants.law.kinds.requirements import Inspection, VehicleAge

if TYPE_CHECKING:
    from services.database import Transaction
    from tenants.law.law import Law


@dataclass(frozen=True, slots=True)
class Leaving:
    """From a day on it serves no more, by an act."""

    vehicle_id: UUID
    on: date
    act_id: UUID


async def left(tx: "Transaction", leaving: Sequence[Leaving]) -> None:
    """How long each may stay and when it is to be inspected runs no more; its papers' own terms do. One statement."""
    kinds = {kind for day in {each.on for each in leaving} for kind in _kinds(await tx.law(on=day))}
    if kinds:
        await store.close_terms(tx, leaving, sorted(kinds))


async def permits_ended(tx: "Transaction", ended: Sequence[tuple[UUID, date, UUID]]) -> None:
    """Of permits, each with its first day without it and its act: before their vehicles are let go."""
    by_permit = {permit: (day, act) for permit, day, act in ended}
    serving = await store.vehicles_of_permits(tx, ended)
    await left(tx, [Leaving(row.vehicle_id, *by_permit[row.permit_id]) for row in serving])


def _kinds(law: "Law") -> set[str]:
    """A term to mend faults is of the rule of its inspection."""
    return {rule.code for cls in (Inspection, VehicleAge) for _, rule in law.all(cls)}
