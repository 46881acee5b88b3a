"""A permit passes on (transferência, sucessão): the old instrument ends and the new one is issued, at once."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any
from uuid import UUID

from sqlalchemy import Row
from sqlalchemy.dialects.postgresql import Range

from services import acts, deadlines, numbers, terms
from services.access import Actor
from services.database import Transaction
from services.errors import Invalid, Refused
from services.permits import store as permits
from services.permits.days import nothing_later
from services.permits.declared import declared
from services.permits.ending import endings_of, locked, record_end
from services.permits.granting import drive
from services.permits.offices import granting_office
from services.permits.tables import Permit, Transfer
from services.permits.transfers import store
from services.permits.transfers.deciding import Judged, Wish, judge
from services.permits.unforeseen import not_provided
from services.registry import store as registry
from services.stands import slots
from services.stands import store as stands
from tenants.law.decision import Outcome
from tenants.law.kinds.grants import Ending, Instrument
from tenants.law.law import Law

ON_TRANSFER = "transfer"
GRANTED = "granted"


async def transfer_permit(
    tx: Transaction,
    actor: Actor,
    *,
    permit_id: UUID,
    cause: str,
    holder_id: UUID,
    vehicle_id: UUID | None = None,
    requested_on: date | None = None,
    event_on: date | None = None,
    to: str | None = None,
    papers: Sequence[str] = (),
    facts: Mapping[str, str] | None = None,
    version: int | None = None,
    on: date | None = None,
    judged: bool = False,
) -> UUID:
    """Pass a permit on; answers the new permit's id.

    Args:
        cause: A code of the law's list of causes.
        vehicle_id: The receiver's own car; the permit's, which passes into their name, when it is not said.
        event_on: Of the death, the sale, the finding.
        to: In what capacity they receive, where the law names capacities.
        papers: Codes of papers presented beside those on file.
        facts: What heirs, giver and receiver declare.
        version: The permit as the caller saw it.
        on: The day of the decision, the first of the new permit; today when it is not said.
        judged: The office records that it has decided what the law leaves to its judgement.

    Raises:
        Refused: The law knows no such transfer, or a condition or a demand on the receiver is not met.
        Conflict: The permit has changed since the caller saw it.
    """
    actor.must("grant")
    day, asked = _in_order(tx.today, on or tx.today, requested_on, event_on)
    permit = await locked(tx, permit_id, day, version)
    await deadlines.settle(tx, day, [("vehicle", vehicle_id)] if vehicle_id else [])
    await nothing_later(tx, permit, day)
    law = await tx.law(on=day)
    office = granting_office(law, actor, permit)
    current, stand = await _served_by(tx, permit, day)
    wish = Wish(cause, holder_id, vehicle_id or current, asked, event_on, declared(law, facts), papers, to)
    found = await _judged(tx, law, permit, current, wish, judged=judged)
    return await Passing(tx, actor, office, law, permit, stand, wish, found).write(facts or {})


def _in_order(today: date, day: date, requested_on: date | None, event_on: date | None) -> tuple[date, date]:
    """The day of the decision and that of the request. Raises Invalid."""
    if day > today:
        raise Invalid("on", "future", "O dia da transferência ainda não chegou.")
    asked = requested_on or day
    if asked > day or (event_on is not None and event_on > asked):
        raise Invalid("requestedOn", "order", "A causa vem antes do pedido, e o pedido antes da decisão.")
    return day, asked


async def _served_by(tx: Transaction, permit: Row[Any], day: date) -> tuple[UUID, str | None]:
    """The permit's vehicle, and its stand, where nobody takes a place meanwhile. Raises Refused without a vehicle."""
    stand = await store.stand_of(tx, permit.id, day)
    if stand is not None:
        await stands.lock(tx, stand)
    current = await permits.vehicle_of(tx, permit.id, day)
    if current is None:
        raise Refused(permits.not_active(permit, day))
    return current.vehicle_id, stand


async def _judged(tx: Transaction, law: Law, permit: Row[Any], current: UUID, wish: Wish, *, judged: bool) -> Judged:
    if wish.holder_id == permit.holder_id:
        raise Invalid("holderId", "same", "Quem recebe já é o titular.")
    found = await judge(tx, law, permit, current, wish)
    if not (found.decision.permits or (judged and found.decision.outcome is Outcome.NEEDS_DECISION)):
        raise Refused(found.decision)
    return found


@dataclass(frozen=True, slots=True)
class Passing:
    """One permit on its way from one holder to another, as decided."""

    tx: Transaction
    actor: Actor
    office: str
    law: Law
    permit: Row[Any]
    stand: str | None
    wish: Wish
    found: Judged

    async def write(self, declared_facts: Mapping[str, str]) -> UUID:
        """The old permit ends, with its cause; then the new one begins, where the other stood."""
        tx, day, new_id = self.tx, self.law.on, await registry.new_id(self.tx)
        ending = self._ending()
        decision = self.found.decision
        ended = await record_end(
            tx, self.actor, self.permit, ending, day, decision=decision, office=self.office, result=new_id
        )
        act = await acts.record(
            tx,
            self.actor,
            "permit.transferred",
            on=("permit", new_id),
            decision=decision,
            office=self.office,
            legal_day=day,
            changes={"from": self.permit.id, "cause": self.wish.cause, "declared": dict(declared_facts)},
        )
        await self._issue(new_id, act)
        await registry.add(tx, self._transfer(new_id, ended, declared_facts))
        return new_id

    def _ending(self) -> Ending:
        found = [each for each in endings_of(self.law, self.permit) if each.on == ON_TRANSFER]
        if not found:
            raise not_provided(self.law, "que a outorga termine por transferência", Instrument.kind)
        return found[0]

    async def _issue(self, new_id: UUID, act: acts.Act) -> None:
        """The new instrument: for what remains of the term, or for a new one; its vehicle, its place, its terms."""
        tx, day, permit = self.tx, self.law.on, self.permit
        running = self._terms()
        during = Range(day, permit.during.upper if self._rest() else terms.day_after(terms.validity(running)))
        row = Permit(
            tenant_id=tx.tenant_id,
            id=new_id,
            number=await numbers.take(tx, "permit", day.year),
            category=permit.category,
            instrument=permit.instrument,
            holder_id=self.wish.holder_id,
            granted_on=day,
            during=during,
            granted_act=act.id,
        )
        await registry.add(tx, row)
        await store.put_in_name(tx, self.wish.vehicle_id, self.wish.holder_id)
        await drive(tx, new_id, self.wish.vehicle_id, during, act.id)
        if self.stand is not None:
            await slots.place(tx, act, new_id, self.stand, during)
        await terms.open_started(tx, act, running, subject=("permit", new_id), on=day)

    def _rest(self) -> bool:
        return bool(self.found.answer.value.remaining == "rest")

    def _terms(self) -> list[terms.Running]:
        """The terms that a grant sets running; that of the permit itself ends when the old one would have."""
        keys = {"category": self.permit.category}
        running = terms.started(self.law, self.found.case.facts, of="permit", event=GRANTED, on=self.law.on, keys=keys)
        if not self._rest() or self.permit.during.upper is None:
            return running
        last = self.permit.during.upper - terms.DAY
        kept = [
            terms.counted(self.law, self.found.case.facts, each.term, on=self.law.on, keys=keys, last=last)
            if each.term.validity
            else each
            for each in running
        ]
        return [each for each in kept if each]

    def _transfer(self, new_id: UUID, ended: acts.Act, declared_facts: Mapping[str, str]) -> Transfer:
        value, fee = self.found.answer.value, self.found.charged
        return Transfer(
            tenant_id=self.tx.tenant_id,
            from_permit=self.permit.id,
            to_permit=new_id,
            cause=self.wish.cause,
            rule=value.transfer,
            requested_on=self.wish.requested_on,
            event_on=self.wish.event_on,
            transferred_on=self.law.on,
            remaining=value.remaining,
            locked_until=value.locked_until,
            barred_until=value.barred_until,
            fee_units=fee.units if fee else None,
            fee_unit=fee.unit if fee else None,
            fee_rate=fee.rate if fee else None,
            fee_brl=fee.brl if fee else None,
            declared=dict(declared_facts),
            act_id=ended.id,
        )
