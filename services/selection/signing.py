"""Whoever was awarded a vacancy signs (termo de adesão): in the same transaction the permit is granted."""

from datetime import date
from uuid import UUID

from services import acts, deadlines
from services.access import Actor
from services.database import Transaction
from services.errors import Invalid
from services.permits import store as permits
from services.permits.fleet import area_of
from services.permits.granting import grant_permit
from services.registry.attributes import stored
from services.selection import store
from services.selection.awarding import end_if_over, must_hold_award, new_step
from services.selection.enrolling import APPLIED_ON, CANDIDATE
from services.selection.rules import AWARD, Order, granting_office, instrument_of, order_of, steps_after
from services.selection.tables import SelectionCall, SelectionCandidate
from services.stands import store as stands
from tenants.law.decision import Outcome
from tenants.law.kinds.quotas import areas_beside
from tenants.law.law import Law


async def sign_adhesion(
    tx: Transaction,
    actor: Actor,
    *,
    candidate_id: UUID,
    stand: str | None = None,
    signed_on: date | None = None,
    judged: bool = False,
) -> SelectionCandidate:
    """Record the signature (assinar o termo) and grant the permit; the law's term for what follows it runs.

    Args:
        signed_on: The legal day; today when it is not said.
        judged: The office records that it has decided what the law leaves to its judgement.

    Raises:
        Refused: The vacancy was not awarded or is lost, or the grant has something against it.
    """
    actor.must("grant")  # before it is told whether there is such a candidate
    day = signed_on or tx.today
    if day > tx.today:
        raise Invalid("signedOn", "future", "O dia da assinatura ainda não chegou.")
    law = await tx.law(on=day)
    call = await _locked(tx, law, candidate_id, stand)
    order = order_of(await tx.law(on=call.announced_on), call.category)
    instrument = instrument_of(law, call.category)
    office = granting_office(actor, instrument)
    members = await store.members(tx, call.id)
    (candidate,) = [each for each in members if each.id == candidate_id]
    must_hold_award(order, candidate)
    _of_the_area(law, order, call, stand)
    signing = [step.code for step in instrument.steps if step.after == AWARD]
    act = await acts.record(
        tx, actor, "candidate.signed", on=(CANDIDATE, candidate_id), office=office, legal_day=day,
        decision=order.decision(Outcome.VALUE, f"Adesão à vaga do edital {call.number}."),
    )  # fmt: skip
    await deadlines.meet_kinds(tx, on_subject=(CANDIDATE, candidate_id), kinds=signing, on=day, act_id=act.id)
    candidate.permit_id = await _granted(tx, actor, law, call, candidate, stand, judged=judged)
    candidate.signed_on, candidate.signed_act, candidate.version = day, act.id, candidate.version + 1
    signed = instrument_of(law, call.category, dict.fromkeys(signing, day))
    after = [step for code in signing for step in steps_after(signed, code)]
    await deadlines.open_each(tx, [new_step(law, step, ("permit", candidate.permit_id), act.id) for step in after])
    end_if_over(tx, call, members, act.id)
    return candidate


def _of_the_area(law: Law, order: Order, call: SelectionCall, stand: str | None) -> None:
    """The stand is where the call's vacancies are. Raises Refused."""
    area = area_of(law, stand)
    if call.area is not None and area != call.area:
        raise order.no(f"As vagas deste edital são da área {call.area}: o ponto tem de ser dela.")
    if call.area is None and area in areas_beside(law, call.category):
        raise order.no(f"A área {area} tem vagas próprias, que não são deste edital.")


async def _locked(tx: Transaction, law: Law, candidate_id: UUID, stand: str | None) -> SelectionCall:
    """The candidate's call, once the category and the stand are ours and what is over is recorded."""
    call_id = await store.call_of(tx, candidate_id)
    seen = await store.call(tx, call_id, law.on)
    await permits.lock_category(tx, law.root(seen.category))
    if stand is not None:
        await stands.lock(tx, stand)
    await deadlines.settle(tx, law.on, (CANDIDATE, candidate_id))
    return await store.lock_call(tx, call_id)


async def _granted(
    tx: Transaction,
    actor: Actor,
    law: Law,
    call: SelectionCall,
    candidate: SelectionCandidate,
    stand: str | None,
    *,
    judged: bool,
) -> UUID:
    permit = await grant_permit(
        tx,
        actor,
        category=call.category,
        holder_id=candidate.holder_id,
        vehicle_id=candidate.vehicle_id,
        stand=stand,
        granted_on=law.on,
        judged=judged,
        declared={**stored(law, candidate.declared), APPLIED_ON: candidate.enrolled_on},
        called=True,
    )
    return permit.id
