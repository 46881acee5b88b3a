"""May a permit pass on? The law's conditions for the cause, and every demand on who receives it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any
from uuid import UUID

from sqlalchemy import Row

from services.database import Transaction
from services.drivers import store as drivers
from services.drivers.facts import driving
from services.errors import Invalid
from services.permits import fleet
from services.permits.eligibility import Case, Pairing, case_of
from services.permits.endings import store as endings
from services.permits.transfers import store
from services.permits.transfers.barring import barred
from services.permits.unforeseen import not_provided
from services.registry import store as registry
from services.registry.facts import facts
from tenants.law.decide import decide
from tenants.law.decision import Decision, combine
from tenants.law.facts import FactValue
from tenants.law.kinds.terms import Fee
from tenants.law.kinds.transfers import Transfer
from tenants.law.law import Law
from tenants.law.money import Money
from tenants.law.questions import FeeAnswer, FeeQuestion, TransferQuestion

MOMENTS = ("entry", "transfer")  # the receiver meets what a grant asks, and what the passing on does


@dataclass(frozen=True, slots=True)
class Wish:
    """What is asked: for which cause, by when, to whom, with which vehicle and papers."""

    cause: str
    holder_id: UUID
    vehicle_id: UUID
    requested_on: date
    event_on: date | None
    told: Mapping[str, FactValue]
    papers: Sequence[str] = ()
    to: str | None = None


@dataclass(frozen=True, slots=True)
class Judged:
    """``answer``: the law's on the cause; ``decision``: all together; ``charged``: the fee, after what waives it."""

    decision: Decision
    answer: Decision
    case: Case
    charged: Money | None = field(default=None)


async def judge(tx: Transaction, law: Law, permit: Row[Any], current: UUID, wish: Wish) -> Judged:
    """Every answer that the transfer rests on. Raises Refused where the law knows no transfer at all."""
    if not any(law.concerns(rule, {"category": permit.category}) for _, rule in law.all(Transfer)) and not any(
        isinstance(found.item, Transfer) for found in law.upcoming(Transfer)
    ):
        raise not_provided(law, "a transferência da outorga", Transfer.kind)
    if wish.cause not in law.list("cause"):
        raise Invalid("cause", "unknown_code", f"A lei conhece: {', '.join(law.list('cause'))}.")
    case = await _receiver(tx, law, permit, current, wish)
    question = await _question(tx, law, permit, wish, case)
    known = facts(law, case.facts, wish.told, _of_case(wish))
    answer = decide(law, question, known)
    parts = [answer]
    if answer.value is not None and answer.value.qualifies:
        parts += [case.eligible(law, at) for at in MOMENTS]
    if wish.vehicle_id != current:
        parts.append(await fleet.shares(tx, law, permit.category, entering=wish.vehicle_id, leaving=current))
    barring = await barred(tx, law, wish.holder_id)
    parts += [barring] if barring else []
    charged = _fee(law, permit, known, answer)
    decision = combine(parts, message=answer.message, value=answer.value)
    worst = next((part for part in parts if part.outcome is decision.outcome), answer)
    message = answer.message if decision.permits else worst.message
    return Judged(combine(parts, message=message, value=answer.value), answer, case, charged)


async def _receiver(tx: Transaction, law: Law, permit: Row[Any], current: UUID, wish: Wish) -> Case:
    """The receiver and the vehicle as they would be: the permit's own passes into their name."""
    would_be: dict[str, FactValue] = {"permit.active": True, "vehicle.in_service": True}
    if wish.vehicle_id == current:
        would_be["vehicle.own_name"] = True
    row = (await endings.lives(tx, [permit.id], law.on))[permit.id]
    would_be |= {"permit.transfers": row.transfers, "permit.renewals": row.renewals, "permit.suspended": row.suspended}
    pairing = Pairing(permit.category, wish.holder_id, wish.vehicle_id)
    return await case_of(tx, law, pairing, {**wish.told, **would_be})


async def _question(tx: Transaction, law: Law, permit: Row[Any], wish: Wish, case: Case) -> TransferQuestion:
    came = await store.acquired(tx, permit.id)
    lives = await endings.lives(tx, [permit.id], law.on)
    return TransferQuestion(
        category=permit.category,
        cause=wish.cause,
        requested_on=wish.requested_on,
        event_on=wish.event_on,
        decided_on=law.on,
        to=_to(law, wish, case.holder_kind),
        granted_on=permit.granted_on,
        times=lives[permit.id].transfers,
        acquired=(came.cause, came.transferred_on) if came else None,
        papers=await _papers(tx, law, permit, wish),
    )


def _to(law: Law, wish: Wish, kind: str) -> str | None:
    """Whom the law names as receiver: a kind of holder, which the register knows, or a capacity, which is said."""
    named = {code for _, rule in law.all(Transfer) if rule.cause == wish.cause for code in rule.to}
    if named & set(law.list("holder")):
        return kind
    return wish.to


async def _papers(tx: Transaction, law: Law, permit: Row[Any], wish: Wish) -> tuple[str, ...]:
    """Codes of what is on file for giver, receiver, who drives for them and the vehicle, and of what is presented."""
    holders = await registry.candidates(tx, [permit.holder_id, wish.holder_id])
    own = [row.driver_id for row in holders.values() if row.driver_id]
    crew = await drivers.standing(tx, law.on, drivers=own, holders=list(holders))
    driven = [driving(crew, own=row.driver_id, holder=id, category=permit.category) for id, row in holders.items()]
    ids = [*holders, *(row.driver_id for row in driven if row)]
    filed = await registry.papers(tx, [*ids, wish.vehicle_id])
    return tuple(dict.fromkeys([*wish.papers, *(row.code for each in filed.values() for row in each)]))


def _of_case(wish: Wish) -> dict[str, FactValue | None]:
    return {
        "transfer.cause": wish.cause,
        "transfer.on": wish.event_on,
        "transfer.requested_on": wish.requested_on,
    }


def _fee(law: Law, permit: Row[Any], known: Any, answer: Decision) -> Money | None:
    """What is charged: by the fee for transfers where the law has one, with its waivers; else what the cause says."""
    if answer.value is None or answer.value.free:
        return None
    keys = {"category": permit.category}
    if any(rule.of == "transfer" and law.concerns(rule, keys) for _, rule in law.all(Fee)):
        found = decide(law, FeeQuestion(of="transfer", keys=keys), known)
        if found.permits and isinstance(found.value, FeeAnswer):
            return found.value.total
    charged: Money | None = answer.value.fee
    return charged
