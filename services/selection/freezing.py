"""The list is frozen and published (fechamento); an office judges what the law leaves to it, and the list with it."""

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any
from uuid import UUID

from services import acts, deadlines
from services.access import Actor
from services.acts import Entry
from services.database import Transaction
from services.errors import Conflict, Invalid, NotFound
from services.permits.eligibility import Pairing, cases_of
from services.registry import store as registry
from services.registry.attributes import stored
from services.selection import store
from services.selection.calling import CALL
from services.selection.enrolling import APPLIED_ON, CANDIDATE, known
from services.selection.ranking import answered, draft, publish, rank, tied, waits_for
from services.selection.rules import Order, granting_office, instrument_of, lacking, must_run, named_office, order_of
from services.selection.tables import SelectionCall, SelectionCandidate, SelectionJudgement
from tenants.law.decision import Decision, Outcome, plain
from tenants.law.kinds.grants import Selection
from tenants.law.law import Law

OUT = frozenset({Outcome.DENIED, Outcome.UNPROVEN})


async def freeze_call(
    tx: Transaction,
    actor: Actor,
    *,
    call_id: UUID,
    version: int | None = None,
    draw_source: str | None = None,
    draw_on: date | None = None,
) -> SelectionCall:
    """Freeze the list (fechar a lista): who may take part, what is compared, who is equal; its hash is the act's.

    Args:
        draw_source: The public lottery that will give the seed, and ``draw_on`` the day of its drawing, still to
            come: named now, so that nobody can choose among results. Only where the law ends in a draw.

    Raises:
        Conflict: It is frozen already, or of another version.
        Refused: One may still enrol.
    """
    actor.must("grant")  # before it is told whether there is such a call
    await deadlines.settle(tx, tx.today, await store.subjects(tx, call_id))
    call = await store.lock_call(tx, call_id, version)
    law = await tx.law(on=call.announced_on)
    order = order_of(law, call.category)
    office = granting_office(actor, instrument_of(law, call.category))
    _may_be_frozen(order, call, tx.today)
    if order.draws or draw_source is not None:
        announce_draw(call, order, tx.today, draw_source, draw_on)
    members = await store.members(tx, call_id)
    refused = await _look_at_each(tx, order, call, members)
    drafted = await draft(tx, law, order, call, [each for each in members if each.id not in refused], "frozen")
    act = await acts.record(
        tx, actor, "selection.frozen", on=(CALL, call_id), office=office,
        decision=order.decision(Outcome.VALUE, f"{len(members) - len(refused)} candidato(s) na lista."),
        changes={**drafted.told, "drawSource": call.draw_source, "drawOn": call.draw_on},
    )  # fmt: skip
    call.frozen_on, call.frozen_act, call.version = tx.today, act.id, call.version + 1
    if len(refused) == len(members):  # nobody came
        call.ended_on, call.ended_act = tx.today, act.id
    await _exclude(tx, actor, office, members, refused)
    await publish(tx, call, drafted, act.id)
    return call


def _may_be_frozen(order: Order, call: SelectionCall, today: date) -> None:
    """Raises Conflict, Refused."""
    if call.frozen_on is not None:
        raise Conflict(message="A lista deste edital já foi fechada.")
    must_run(order, call)
    if today <= call.closes_on:
        raise order.no(f"As inscrições vão até {call.closes_on:%d/%m/%Y}: a lista só se fecha depois.")


def announce_draw(call: SelectionCall, order: Order, today: date, source: str | None, on: date | None) -> None:
    """Which public lottery will give the seed. Raises Invalid, or Refused where the law draws no lots."""
    if not order.draws:
        raise lacking(Selection.kind, "sorteio entre os candidatos")
    if not (source or "").strip() or on is None:
        raise Invalid("drawSource", "missing", "Diga de que sorteio público virá a semente, e de que dia.")
    if on <= today:
        raise Invalid("drawOn", "past", "O sorteio que dará a semente tem de ser posterior à publicação da lista.")
    call.draw_source, call.draw_on = " ".join((source or "").split()), on


async def _look_at_each(
    tx: Transaction, order: Order, call: SelectionCall, members: Sequence[SelectionCandidate]
) -> dict[UUID, Decision]:
    """Keep what the order compares of each, and answer who is out: on the last day to enrol, what did they lack?"""
    law = await tx.law(on=call.closes_on)
    pairings = [Pairing(call.category, each.holder_id, each.vehicle_id) for each in members]
    refused = {}
    for each, case in zip(members, await cases_of(tx, law, pairings), strict=True):
        told = {**stored(law, each.declared), APPLIED_ON: each.enrolled_on}
        case = case.telling(told)
        each.facts, each.version = plain(known(case, order.compares)), each.version + 1
        decision = case.eligible(law, "entry")
        if decision.outcome in OUT:
            refused[each.id] = decision
    return refused


async def _exclude(
    tx: Transaction,
    actor: Actor,
    office: str,
    members: Sequence[SelectionCandidate],
    refused: Mapping[UUID, Decision],
) -> None:
    entries = [Entry(id, tx.today, CANDIDATE, decision=decision) for id, decision in refused.items()]
    made = await acts.record_each(tx, actor, "candidate.excluded", entries, office=office)
    for each in members:
        if each.id in refused:
            each.excluded_on, each.excluded_act = tx.today, made[each.id]
            each.excluded_why = refused[each.id].message


async def record_judgement(
    tx: Transaction,
    actor: Actor,
    *,
    call_id: UUID,
    step: int,
    places: Sequence[Mapping[str, Any]],
    version: int | None = None,
    draw_source: str | None = None,
    draw_on: date | None = None,
) -> SelectionCall:
    """An office judges (julgar) a step that the law leaves to it; the list that comes of it is published.

    Args:
        step: As the law counts its order, from 1.
        places: Of each candidate whom the steps before left equal: `candidate_id` and `place`, from 1.
        draw_source: Another lottery, where the one that was named has passed meanwhile.

    Raises:
        Forbidden: The law gives it to another office.
        Invalid: Nothing waits at that step, or not all of the equals are judged.
        Refused: The list is not frozen yet, or the seed is known.
    """
    call = await _call_to_judge(tx, actor, call_id, version)
    law = await tx.law(on=call.announced_on)
    order = order_of(law, call.category)
    await must_be_frozen(tx, order, call)
    members = await store.members(tx, call_id)
    decision = rank(law, call, members, await store.judgements(tx, call_id), drawn=False)
    office = await _judge(tx, actor, order, decision, step)
    judged = {each["candidate_id"]: each["place"] for each in places}
    if set(judged) != tied(decision) or len(judged) != len(places) or any(place < 1 for place in judged.values()):
        raise Invalid("places", "tied", f"Dê um lugar a cada um dos {len(tied(decision))} empatados, e só a eles.")
    if call.seed is None and call.draw_on is not None and call.draw_on <= tx.today:
        announce_draw(call, order, tx.today, draw_source, draw_on)
    said = {"step": step, "places": {str(id): place for id, place in judged.items()}}
    return await _judged(tx, actor, office, law, order, call, members, said)


async def must_be_frozen(tx: Transaction, order: Order, call: SelectionCall) -> None:
    """What is judged is judged before the seed is known, unless an objection has opened the order again."""
    must_run(order, call)
    if call.frozen_on is None:
        raise order.no("A lista de candidatos ainda não foi fechada.")
    if call.result_on is not None or (call.seed is not None and not await store.upheld(tx, call.id)):
        raise order.no("A semente do sorteio já é conhecida: nada mais se julga.")


async def _call_to_judge(tx: Transaction, actor: Actor, call_id: UUID, version: int | None) -> SelectionCall:
    """The judge need have no other power than the law gives by name. Raises Forbidden before NotFound."""
    try:
        await deadlines.settle(tx, tx.today, await store.subjects(tx, call_id))
        return await store.lock_call(tx, call_id, version)
    except NotFound:
        actor.must("decide")  # before it is told that there is no such call
        raise


async def _judge(tx: Transaction, actor: Actor, order: Order, decision: Decision, step: int) -> str:
    """The office that the law or the town names for the step that waits. Raises Invalid, Refused or Forbidden."""
    at = answered(decision).waits
    if waits_for(decision, order) != "judgement" or at is None or at + 1 != step:
        waiting = f"o passo {at + 1}" if at is not None and waits_for(decision, order) == "judgement" else "nenhum"
        raise Invalid("step", "not_waiting", f"Não há o que julgar nesse passo; espera julgamento: {waiting}.")
    judge = order.rule.order[at].judge
    if judge is None:
        raise LookupError("a step that waits for a judgement names a judge")
    return actor.must_hold(named_office(await tx.law(on=tx.today), judge), "decide")


async def _judged(
    tx: Transaction,
    actor: Actor,
    office: str,
    law: Law,
    order: Order,
    call: SelectionCall,
    members: Sequence[SelectionCandidate],
    said: dict[str, Any],
) -> SelectionCall:
    judgement_id = await registry.new_id(tx)
    title = order.rule.order[said["step"] - 1].title or order.rule.title
    act = await acts.record(
        tx, actor, "selection.judged", on=(CALL, call.id), office=office, changes={**said, "judgement": judgement_id},
        decision=order.decision(Outcome.VALUE, f"{title}: julgado por {office}."),
    )  # fmt: skip
    row = SelectionJudgement(
        tenant_id=tx.tenant_id, id=judgement_id, call_id=call.id, step=said["step"], places=said["places"],
        office=office, act_id=act.id,
    )  # fmt: skip
    await registry.add(tx, row)
    await publish_again(tx, actor, office, law, order, call, members, "judgement")
    call.version += 1
    return call


async def publish_again(
    tx: Transaction,
    actor: Actor,
    office: str,
    law: Law,
    order: Order,
    call: SelectionCall,
    members: Sequence[SelectionCandidate],
    because: str,
) -> str:
    """The next list, with an act of its own; answers what it waits for."""
    drafted = await draft(tx, law, order, call, members, because)
    changes = {**drafted.told, "because": because, "drawSource": call.draw_source, "drawOn": call.draw_on}
    act = await acts.record(tx, actor, "selection.listed", on=(CALL, call.id), office=office, changes=changes)
    await publish(tx, call, drafted, act.id)
    return drafted.waits
