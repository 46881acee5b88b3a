"""The first grant of a permit (outorga): quota, stand, eligibility, all under the law of the day of the grant."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from uuid import UUID

from sqlalchemy.dialects.postgresql import Range

from services import acts, deadlines, numbers, terms
from services.access import Actor
from services.database import Transaction
from services.errors import Invalid, Refused
from services.fleet import running as vehicle_terms
from services.permits import fleet, store, vacancies
from services.permits.eligibility import Case, Pairing, case_of
from services.permits.tables import Permit, PermitVehicle
from services.permits.transfers.barring import barred
from services.registry import store as registry
from services.selection import store as selection
from services.stands import slots
from services.stands import store as stands
from tenants.law.decision import Decision, Outcome, combine, first_no
from tenants.law.facts import FactValue
from tenants.law.kinds.grants import Instrument
from tenants.law.law import Law

BIDDING = "bidding"


@dataclass(frozen=True, slots=True)
class Wish:
    """What is asked for."""

    category: str
    holder_id: UUID
    vehicle_id: UUID
    stand: str | None


async def grant_permit(
    tx: Transaction,
    actor: Actor,
    *,
    category: str,
    holder_id: UUID,
    vehicle_id: UUID,
    stand: str | None = None,
    granted_on: date | None = None,
    judged: bool = False,
    declared: Mapping[str, FactValue] | None = None,
    called: bool = False,
) -> Permit:
    """Grant a permit (permissão, autorização).

    Args:
        granted_on: The legal day of the grant, which picks the law; today when it is not said.
        judged: The office records that it has decided what the law leaves to its judgement; where the law wants a
            bidding, also that one was held.
        declared: What the holder declared when enrolling for it, beside what the register knows.
        called: The vacancy is one that a call has promised them; others may have only what no call has promised.

    Raises:
        Refused: A demand, the quota, a share of the fleet or the stand stands against it; carries every answer.
    """
    office = actor.must("grant")
    day = granted_on or tx.today
    if day > tx.today:
        raise Invalid("grantedOn", "future", "O dia da outorga ainda não chegou.")
    law = await tx.law(on=day)
    wish = Wish(category, holder_id, vehicle_id, stand)
    await _lock(tx, law, wish)
    await _settle(tx, law, wish, called=called)
    case = await case_of(tx, law, Pairing(category, holder_id, vehicle_id), declared)
    decision = await _decision(tx, law, wish, case, called=called)
    if not decision.carries(judged=judged):
        raise Refused(decision)
    return await _write(tx, actor, office, law, wish, case, decision)


async def _lock(tx: Transaction, law: Law, wish: Wish) -> None:
    """The category first, then the stand; what they guard is counted only after."""
    await store.lock_category(tx, law.root(wish.category))
    if wish.stand is not None:
        await stands.lock(tx, wish.stand)


async def _settle(tx: Transaction, law: Law, wish: Wish, *, called: bool) -> None:
    """What is over of whoever enters; and of those who were promised what they have not taken up."""
    subjects = [("holder", wish.holder_id), ("vehicle", wish.vehicle_id)]
    if not called:
        subjects += await selection.running(tx, law.branch(law.root(wish.category)))
    await deadlines.settle(tx, law.on, subjects)


async def _decision(tx: Transaction, law: Law, wish: Wish, case: Case, *, called: bool) -> Decision:
    """Everything that a grant must pass, each with its own answer."""
    parts = [
        await fleet.quota(tx, law, wish.category, stand=wish.stand),
        await fleet.shares(tx, law, wish.category, entering=wish.vehicle_id),
        case.eligible(law, "entry"),
    ]
    if wish.stand is not None:
        parts.append(await slots.room_at(tx, law, wish.stand, wish.category))
    else:
        parts += _waits_nowhere(law, wish.category)
    kept = None if called else await vacancies.unpromised(tx, law, wish.category, wish.stand)
    parts += [kept] if kept else []
    parts += [] if called else _not_called(law, wish.category)
    barring = await barred(tx, law, wish.holder_id)
    parts += [barring] if barring else []
    decision = combine(parts, message="A outorga atende à lei.")
    return decision if decision.permits else combine(parts, message=first_no(decision))


def _waits_nowhere(law: Law, category: str) -> list[Decision]:
    """What stands against a grant without a stand: the law gives each permit one of its own."""
    said = "A lei quer que cada outorga tenha o seu ponto fixo: diga em qual ela fica."
    return [Decision(Outcome.DENIED, said, rules=(found.used,)) for found in slots.own_stand(law, category)]


def _not_called(law: Law, category: str) -> list[Decision]:
    """Where the law wants a bidding and no call of this register was one, the office says that it was held."""
    rules = [each for each in law.all(Instrument) if law.concerns(each[1], {"category": category})]
    said = "A lei manda escolher o titular por licitação: fora de um edital daqui, o órgão atesta que ela houve."
    return [
        Decision(Outcome.NEEDS_DECISION, said, rules=(found.used,))
        for found, rule in rules[:1]
        if rule.chosen_by == BIDDING
    ]


async def _write(
    tx: Transaction, actor: Actor, office: str, law: Law, wish: Wish, case: Case, decision: Decision
) -> Permit:
    day, permit_id = law.on, await registry.new_id(tx)
    running = terms.started(law, case.facts, of="permit", event="granted", on=day, keys={"category": wish.category})
    act = await acts.record(
        tx, actor, "permit.granted", on=("permit", permit_id), decision=decision, office=office, legal_day=day
    )
    last = terms.validity(running)
    permit = Permit(
        tenant_id=tx.tenant_id,
        id=permit_id,
        number="",
        category=wish.category,
        instrument=_instrument(law, wish.category),
        holder_id=wish.holder_id,
        granted_on=day,
        during=Range(day, terms.day_after(last)),
        granted_act=act.id,
    )
    permit.number = await numbers.take(tx, "permit", day.year)
    await registry.add(tx, permit)
    await drive(tx, permit_id, wish.vehicle_id, permit.during, act.id)
    if wish.stand is not None:
        await slots.place(tx, act, permit_id, wish.stand, permit.during)
    await terms.open_started(tx, act, running, subject=("permit", permit_id), on=day)
    return permit


async def drive(tx: Transaction, permit_id: UUID, vehicle_id: UUID, during: Range[date], act_id: UUID) -> None:
    """The vehicle serves the permit in these days, at most the permit's. Raises Conflict when it serves another."""
    row = PermitVehicle(
        tenant_id=tx.tenant_id, permit_id=permit_id, vehicle_id=vehicle_id, during=during, act_id=act_id
    )
    await registry.add(tx, row)
    if not during.isempty:
        await vehicle_terms.entered(tx, await tx.law(on=during.lower or tx.today), act_id, vehicle_id)


def _instrument(law: Law, category: str) -> str:
    """The instrument that grants the category's service."""
    found = [item for _, item in law.all(Instrument) if law.concerns(item, {"category": category})]
    if not found:
        raise Invalid("category", "no_instrument", f"A lei não diz qual instrumento outorga {category}.")
    return found[0].code
