"""A candidate answers a call (inscrição): a holder with a vehicle, what they declare, and their papers on file."""

from collections.abc import Mapping
from datetime import date
from typing import Any
from uuid import UUID

from services import acts, deadlines
from services.access import Actor
from services.database import Transaction
from services.errors import Invalid, Refused
from services.permits.eligibility import Case, Pairing, case_of
from services.registry import store as registry
from services.registry.attributes import checked, parsed
from services.selection import store
from services.selection.rules import Order, must_run, order_of
from services.selection.tables import SelectionCall, SelectionCandidate
from tenants.law.decision import Decision, Missing, Outcome
from tenants.law.facts import FactValue
from tenants.law.law import Law

CANDIDATE = "candidate"
TAKEN = "Este titular ou este veículo já está inscrito neste edital."
APPLIED_ON = "candidate.applied_on"


async def enrol_candidate(
    tx: Transaction,
    actor: Actor,
    *,
    call_id: UUID,
    holder_id: UUID,
    vehicle_id: UUID,
    facts: Mapping[str, str] | None = None,
    enrolled_on: date | None = None,
) -> SelectionCandidate:
    """Enrol a candidate (inscrever). Papers may follow until the list is frozen, which looks again.

    Args:
        facts: What the candidate declares of themselves, by the codes of the law's vocabulary, as text.

    Raises:
        Refused: It is not the time, the law bars them, or what the order compares has not been declared.
        Invalid: A fact is not a candidate's to declare; holder or vehicle is enrolled already.
    """
    office = actor.must("register")
    day = enrolled_on or tx.today
    if day > tx.today:
        raise Invalid("enrolledOn", "future", "O dia da inscrição ainda não chegou.")
    entering = [("holder", holder_id), ("vehicle", vehicle_id)]
    await deadlines.settle(tx, day, [*await store.subjects(tx, call_id), *entering])
    call = await store.lock_call(tx, call_id)
    order = order_of(await tx.law(on=call.announced_on), call.category)
    _in_time(call, order, day)
    if await store.enrolled(tx, call_id, holder_id):
        raise Invalid("holderId", "taken", TAKEN)
    law = await tx.law(on=day)
    told = parsed(law, own(law, facts or {}), "facts")
    case = await case_of(tx, law, Pairing(call.category, holder_id, vehicle_id), {**told, APPLIED_ON: day})
    _comparable(law, order, case)
    decision = case.eligible(law, "entry")
    if decision.outcome is Outcome.DENIED:
        raise Refused(decision)
    declared = checked(law, facts or {}, "facts")
    return await _write(tx, actor, office, call, decision, holder_id, vehicle_id, declared, day)


async def _write(
    tx: Transaction,
    actor: Actor,
    office: str,
    call: SelectionCall,
    decision: Decision,
    holder_id: UUID,
    vehicle_id: UUID,
    declared: dict[str, Any],
    day: date,
) -> SelectionCandidate:
    candidate_id = await registry.new_id(tx)
    act = await acts.record(
        tx, actor, "candidate.enrolled", on=(CANDIDATE, candidate_id), decision=decision, office=office, legal_day=day,
        changes={"call": call.number, "holder": holder_id, "vehicle": vehicle_id},
    )  # fmt: skip
    candidate = SelectionCandidate(
        tenant_id=tx.tenant_id,
        id=candidate_id,
        call_id=call.id,
        holder_id=holder_id,
        vehicle_id=vehicle_id,
        declared=declared,
        enrolled_on=day,
        enrolled_act=act.id,
    )
    await registry.add_once(tx, candidate, field="holderId", message=TAKEN)
    return candidate


def own(law: Law, facts: Mapping[str, str]) -> Mapping[str, str]:
    """Only what a candidate can say of themselves: the rest is the register's. Raises Invalid."""
    for code in facts:
        spec = law.vocabulary.get(code)
        if spec is not None and (spec.of != CANDIDATE or spec.proof == "register"):
            raise Invalid("facts", "not_declared", f"O fato {code} não se declara na inscrição: consta do cadastro.")
    return facts


def known(case: Case, codes: frozenset[str]) -> dict[str, FactValue]:
    """Of the facts of a candidate, those that the order compares."""
    return {code: case.facts[code] for code in sorted(codes) if code in case.facts}


def _in_time(call: SelectionCall, order: Order, day: date) -> None:
    must_run(order, call)
    if call.frozen_on is not None:
        raise order.no("A lista de candidatos deste edital já foi fechada.")
    if not call.opens_on <= day <= call.closes_on:
        raise order.no(f"As inscrições vão de {call.opens_on:%d/%m/%Y} a {call.closes_on:%d/%m/%Y}.")


def _comparable(law: Law, order: Order, case: Case) -> None:
    """Nobody can be placed in an order of which they have not told what it compares."""
    lacking = sorted(order.compares - set(case.facts))
    if lacking:
        missing = tuple(Missing("fact", code, law.vocabulary[code].ask) for code in lacking)
        said = f"Falta declarar: {' '.join(each.ask for each in missing)}"
        raise Refused(order.decision(Outcome.UNPROVEN, said, missing))
