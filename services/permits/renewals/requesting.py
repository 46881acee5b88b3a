"""The yearly licence's renewal is asked for (requerer a renovação do alvará): in time or late, in full or not."""

from dataclasses import dataclass
from datetime import date
from typing import Any
from uuid import UUID

from sqlalchemy import Row

from services import acts, deadlines, terms
from services.access import Actor
from services.database import Reader, Transaction
from services.errors import Conflict, Invalid, NotFound, Refused
from services.permits import store
from services.permits.days import must_stand
from services.permits.eligibility import Pairing, case_of
from services.permits.renewals import store as renewals
from services.permits.renewals.standing import drawn, keys_of
from services.permits.tables import RenewalRequest
from services.permits.unforeseen import not_provided
from services.registry import store as registry
from services.registry.facts import facts
from tenants.law.decide import decide
from tenants.law.decision import Decision, Outcome
from tenants.law.kinds.terms import Term
from tenants.law.law import Law
from tenants.law.questions import TermQuestion

REQUESTED = "renewal_requested"
RENEWED = "renewed"
NODE = "renewal_request"


@dataclass(frozen=True, slots=True)
class Asked:
    """What the request comes to. ``infractions``: all that it is, being late or without its papers."""

    last_day: date
    in_time: bool
    complete: bool
    infractions: tuple[str, ...]
    seen_on: date | None


async def request_renewal(tx: Transaction, actor: Actor, *, permit_id: UUID, requested_on: date | None = None) -> UUID:
    """Ask for a licence's renewal; answers the request's id. The permit is kept, whatever lateness costs.

    Args:
        requested_on: The day on which it was handed in; today when it is not said.

    Raises:
        Forbidden: Neither the holder nor an office that issues licences.
        Refused: The permit is not active, or it is too early.
        Conflict: It has been asked for already, with all that it needs.
    """
    day = requested_on or tx.today
    if day > tx.today:
        raise Invalid("requestedOn", "future", "O dia do pedido ainda não chegou.")
    law = await tx.law(on=day)
    permit, office = await theirs(tx, actor, permit_id, day, "license", lock=True)
    must_stand(permit, day)
    licence = await store.last_licence(tx, permit_id)
    if licence is None:
        raise Invalid("permitId", "no_licence", "Esta outorga ainda não tem alvará que se renove.")
    if day < licence.during.lower:
        raise Invalid("requestedOn", "order", f"O alvará a renovar só vale desde {licence.during.lower:%d/%m/%Y}.")
    if await renewals.asked_in_full(tx, licence.id):
        raise Conflict(message="A renovação deste alvará já foi pedida.")
    await deadlines.settle(tx, day, [("permit", permit_id), ("licence", licence.id)])
    decision = await _decision(tx, law, permit, licence)
    request_id = await registry.new_id(tx)
    act = await acts.record(
        tx, actor, "renewal.requested", on=(NODE, request_id), decision=decision, office=office, legal_day=day
    )
    await registry.add(tx, _row(tx, permit, licence, act, decision, request_id))
    await terms.meet(tx, act, law, subject=("licence", licence.id), events={REQUESTED}, on=day)
    return request_id


def _row(
    tx: Transaction, permit: Row[Any], licence: Row[Any], act: acts.Act, decision: Decision, id: UUID
) -> RenewalRequest:
    return RenewalRequest(
        tenant_id=tx.tenant_id,
        id=id,
        permit_id=permit.id,
        licence_id=licence.id,
        requested_on=act.legal_day,
        complete=decision.value.complete,
        decision=decision.plain(),
        act_id=act.id,
    )


async def theirs(
    tx: Reader, actor: Actor, permit_id: UUID, day: date, power: str, *, lock: bool = False
) -> tuple[Row[Any], str | None]:
    """A permit and the office in which one acts for its holder; None: the holder acts.

    Raises:
        Forbidden: Neither; whether there is such a permit is not told then.
        NotFound: To who has the power.
    """
    try:
        permit = await store.permit(tx, permit_id, day, lock=lock)
    except NotFound:
        actor.must(power)
        raise
    holder = (await registry.holders(tx, [permit.holder_id]))[permit.holder_id]
    return permit, actor.must_unless_own(power, person_id=holder.person_id, company_id=holder.company_id)


async def _decision(tx: Transaction, law: Law, permit: Row[Any], licence: Row[Any]) -> Decision:
    """When it was due, what it lacks, and what it draws; it is taken in any case, unless it comes too early."""
    vehicle = await store.vehicle_of(tx, permit.id, law.on)
    if vehicle is None:
        raise Refused(store.not_active(permit, law.on))
    due = due_by(law, permit, licence)
    first = due.value.window_from
    if first is not None and law.on < first:
        raise Refused(Decision(Outcome.DENIED, f"A renovação só se pede a partir de {first:%d/%m/%Y}.", parts=(due,)))
    case = await case_of(tx, law, Pairing(permit.category, permit.holder_id, vehicle.vehicle_id, permit.granted_on))
    papers = case.eligible(law, "renewal")
    codes, seen_on = _faults(law, due, complete=papers.permits)
    costs = await drawn(tx, await tx.law(on=seen_on), permit, codes, {}) if seen_on else None
    asked = Asked(due.value.last_day, law.on <= due.value.last_day, papers.permits, codes, seen_on)
    message = " ".join([_told(asked), *([costs.message] if costs else [])])
    parts = (due, papers, *([costs] if costs else []))
    return Decision(Outcome.ALLOWED, message, value=asked, parts=parts)


def due_by(law: Law, permit: Row[Any], licence: Row[Any]) -> Decision:
    """The term by which it is asked for, with the licence's own last day. Raises Refused where there is none."""
    keys, met = keys_of(permit), {REQUESTED, RENEWED}
    found = [
        term for _, term in law.all(Term) if term.of == "licence" and met & {*term.met_by} and law.concerns(term, keys)
    ]
    if not found:
        raise not_provided(law, "a renovação do alvará", Term.kind)
    last = licence.during.upper - terms.DAY
    question = TermQuestion(code=found[0].code, start=licence.during.lower, keys=keys, last=last)
    decision = decide(law, question, facts(law, {"permit.category": permit.category}))
    if decision.value is None:
        raise Refused(decision)
    return decision


def _faults(law: Law, due: Decision, *, complete: bool) -> tuple[tuple[str, ...], date | None]:
    """The infractions that the one omission is, and its day: that on which lateness begins, or that of the request."""
    late = [step for step in due.value.late if step.infraction and law.on > step.last_day_before]
    codes = [code for step in late for code in (step.infraction, *step.also)]
    if not complete and due.value.incomplete:
        codes.append(due.value.incomplete)
    day = late[0].first_day if late else law.on
    return tuple(dict.fromkeys(codes)), day if codes else None


def _told(asked: Asked) -> str:
    last = f"{asked.last_day:%d/%m/%Y}"
    when = f"Pedido no prazo, que vai até {last}." if asked.in_time else f"Pedido fora do prazo, que foi até {last}."
    return when if asked.complete else f"{when} Faltam documentos ou condições da renovação."
