"""Two holders change shifts (permuta): one asks, the other agrees, and the roster must still keep the law."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any
from uuid import UUID

from sqlalchemy import Row

from services import acts
from services.access import Actor
from services.database import Transaction
from services.errors import Conflict, Invalid, NotFound, Refused
from services.registry import store as registry
from services.stands.rosters import checking, store
from services.stands.rosters.agreeing import locked, speaks_for
from services.stands.rosters.tables import RosterSwap
from tenants.law.decision import Decision
from tenants.law.questions import Shift


async def ask_swap(tx: Transaction, actor: Actor, *, shift_ids: Sequence[UUID], source: str | None = None) -> UUID:
    """Ask another holder to change shifts; answers the swap's id. Who asks agrees.

    Args:
        shift_ids: The asking holder's shift, and the other's.
        source: Where an office that records it for a holder has it from.

    Raises:
        Forbidden: The first shift is not of the holder who asks, and no office records it for them.
        NotFound: A shift is not there.
        Refused: With the shifts changed, the roster would break the law.
    """
    found = await store.shift_pair(tx, shift_ids[:1])
    office = await speaks_for(tx, actor, next((each.permit_id for each in found.values()), None), source)
    one, other = await _pair(tx, shift_ids)
    row = await _governing(tx, one.roster_id)
    await _changed(tx, row, one, other)
    swap_id = await registry.new_id(tx)
    subject = ("roster", row.id)
    said = {"swap": swap_id, "shifts": list(shift_ids), "source": source}
    act = await acts.record(
        tx, actor, "roster.swap_asked", on=subject, office=office, changes=said, result={"id": str(swap_id)}
    )
    swap = RosterSwap(
        tenant_id=tx.tenant_id,
        id=swap_id,
        shift_id=one.id,
        other_shift_id=other.id,
        asked_by=one.permit_id,
        asked_of=other.permit_id,
        asked_act=act.id,
    )
    await registry.add(tx, swap)
    return swap_id


async def answer_swap(tx: Transaction, actor: Actor, *, swap_id: UUID, agrees: bool, source: str | None = None) -> UUID:
    """The other holder agrees, and the shifts change hands; or does not. Answers the roster's id.

    Raises:
        Forbidden: It was not asked of the holder who answers, and no office records it for them.
        Conflict: It has been answered, or a shift has changed hands since.
        Refused: With the shifts changed, the roster would break the law.
    """
    seen = await store.find_swap(tx, swap_id)
    office = await speaks_for(tx, actor, seen.asked_of if seen else None, source)
    row = await _governing(tx, (await store.swap(tx, swap_id)).roster_id)
    asked = await store.swap(tx, swap_id)
    one, other = await _pair(tx, [asked.shift_id, asked.other_shift_id])
    if asked.agrees is not None or (one.permit_id, other.permit_id) != (asked.asked_by, asked.asked_of):
        raise Conflict(message="A permuta já foi respondida, ou um dos turnos já mudou de mãos.")
    decision = await _changed(tx, row, one, other) if agrees else None
    act = await acts.record(
        tx,
        actor,
        "roster.swap_answered",
        on=("roster", row.id),
        decision=decision,
        office=office,
        changes={"swap": swap_id, "agrees": agrees, "source": source},
    )
    await store.answer_swap(tx, swap_id, agrees=agrees, act_id=act.id)
    if agrees:
        await store.exchange(tx, one, other)
        await store.touch(tx, row.id)
    return UUID(str(row.id))


async def _pair(tx: Transaction, ids: Sequence[UUID]) -> tuple[Row[Any], Row[Any]]:
    """Both shifts, of one roster and two permits. Raises NotFound, Invalid."""
    if len(ids) != 2:
        raise Invalid("shiftIds", "two", "Trocam-se dois turnos.")
    found: Mapping[UUID, Row[Any]] = await store.shift_pair(tx, ids)
    for each in ids:
        if each not in found:
            raise NotFound("shift", each)
    pair = found[ids[0]], found[ids[1]]
    if pair[0].roster_id != pair[1].roster_id or pair[0].permit_id == pair[1].permit_id:
        raise Invalid("shiftIds", "not_another", "Trocam-se turnos de duas outorgas, na mesma escala.")
    return pair


async def _governing(tx: Transaction, roster_id: UUID) -> Row[Any]:
    """The roster, locked, which has been approved and is not over. Raises Conflict."""
    row = await locked(tx, roster_id)
    if row.state not in ("future", "active"):
        raise Conflict(message="Só se trocam turnos de escala homologada.")
    return row


async def _changed(tx: Transaction, row: Row[Any], one: Row[Any], other: Row[Any]) -> Decision:
    """Does the roster keep the law with the two shifts changed? Raises Invalid, Refused."""
    plan = await checking.plan_in(tx, row)
    number = {permit: number for number, permit in plan.permits.items()}
    ours, theirs = number[one.permit_id], number[other.permit_id]
    mine, yours = Shift(ours, one.starts, one.ends), Shift(theirs, other.starts, other.ends)
    after = [shift for shift in plan.shifts if shift not in (mine, yours)]
    after += [replace(mine, vehicle=theirs), replace(yours, vehicle=ours)]
    for vehicle in (ours, theirs):
        own = sorted((shift.start, shift.end) for shift in after if shift.vehicle == vehicle)
        if any(end > start for (_, end), (start, _) in pairwise(own)):
            raise Invalid("shiftIds", "overlap", f"Os turnos de {vehicle} se sobreporiam.")
    decision = await checking.check(tx, await tx.law(on=row.since), replace(plan, shifts=tuple(after)))
    if not decision.permits:
        raise Refused(decision)
    return decision
