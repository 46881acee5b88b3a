"""Vacancies are awarded in the published order (adjudicação); whoever fails a term makes room for the next in line."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from typing import TYPE_CHECKING, Any
from uuid import UUID

from services import acts, deadlines
from services.access import Actor, system
from services.acts import Entry
from services.deadlines.consequences import Due, consequence
from services.errors import Refused
from services.notices.queue import NewNotice, queue
from services.permits import store as permits
from services.permits import vacancies
from services.selection import store
from services.selection.calling import CALL
from services.selection.enrolling import CANDIDATE
from services.selection.objecting import term_of
from services.selection.rules import AWARD, Order, granting_office, instrument_of, must_run, order_of, steps_after
from services.selection.tables import SelectionCall, SelectionCandidate
from services.terms import articles
from tenants.law.decision import Decision, Outcome, combine, first_no, plain
from tenants.law.kinds.instruments import StepAnswer
from tenants.law.law import Law

if TYPE_CHECKING:
    from services.transactions import Transaction

PARTY = "party"
AWARDED = "candidate_awarded"


async def award(tx: "Transaction", actor: Actor, *, call_id: UUID, version: int | None = None) -> SelectionCall:
    """Award the vacancies that are free to those who are next (adjudicar); the law's term to sign runs from today.

    Raises:
        Refused: There is no result, it may still be objected to, an objection is undecided, or nobody is next.
    """
    actor.must("grant")  # before it is told whether there is such a call
    law = await tx.law(on=tx.today)
    seen = await store.call(tx, call_id, tx.today)
    await permits.lock_category(tx, law.root(seen.category))
    await deadlines.settle(tx, tx.today, await store.subjects(tx, call_id))
    call = await store.lock_call(tx, call_id, version)
    order = order_of(await tx.law(on=call.announced_on), call.category)
    office = granting_office(actor, instrument_of(law, call.category))
    await _nobody_may_object(tx, order, call)
    members = await store.members(tx, call_id)
    decision, room = await _room(tx, law, call)
    chosen = next_up(members, call.vacancies, room)
    if not chosen and room is not None and room < 1 and next_up(members, call.vacancies):
        raise Refused(decision)
    if not chosen:
        raise order.no("Nenhum candidato pode ser chamado agora: as vagas estão adjudicadas, ou acabou a ordem.")
    said = f"{len(chosen)} vaga(s) adjudicada(s)."
    act = await acts.record(
        tx, actor, "selection.awarded", on=(CALL, call_id), office=office,
        decision=combine([order.decision(Outcome.VALUE, said), decision], message=said),
        changes={"candidates": [each.id for each in chosen]},
    )  # fmt: skip
    if call.awarded_on is None:
        call.awarded_on, call.awarded_act = tx.today, act.id
    await call_in(tx, actor, office, law, call, chosen)
    return call


async def _room(tx: "Transaction", law: Law, call: SelectionCall) -> tuple[Decision, int | None]:
    """What the law of the day still leaves, less what others may take up (None: no limit). Raises Refused."""
    less = await store.awarded(tx, law.branch(law.root(call.category)))
    found = await vacancies.free(tx, law, call.category, less, area=call.area)
    decision = combine(found.parts, message=f"Há {found.room} vaga(s).")
    if decision.outcome not in (Outcome.ALLOWED, Outcome.DENIED):
        raise Refused(replace(decision, message=first_no(decision)))
    return (decision, found.room) if decision.permits else (replace(decision, message=first_no(decision)), 0)


async def _nobody_may_object(tx: "Transaction", order: Order, call: SelectionCall) -> None:
    must_run(order, call)
    if call.result_on is None:
        raise order.no("O resultado da seleção ainda não foi publicado.")
    running = await term_of(tx, order, call)
    if running is not None and tx.today <= running.last_day:
        cited = articles(running.term.cite)
        raise order.no(f"Ainda se pode recorrer do resultado até {running.last_day:%d/%m/%Y} ({cited}).")
    if pending := await store.undecided(tx, call.id):
        raise order.no(f"Há {pending} recurso(s) sem decisão.")


def free_of(members: Sequence[SelectionCandidate], vacancies: int) -> int:
    """Vacancies that nobody holds an award of."""
    return vacancies - sum(each.awarded_on is not None and each.lost_on is None for each in members)


def in_line(members: Sequence[SelectionCandidate]) -> list[SelectionCandidate]:
    """Who has a place and was not called yet, the next first."""
    waiting = [each for each in members if each.place and each.awarded_on is None and each.excluded_on is None]
    return sorted(waiting, key=lambda each: (each.place or 0, each.id))


def next_up(members: Sequence[SelectionCandidate], vacancies: int, room: int | None = None) -> list[SelectionCandidate]:
    """Who is next for what is free. Equals whom the law does not part, and who are too many, are not called.

    ``room``: what the quota and the stands leave by now, where they limit.
    """
    free = free_of(members, vacancies)
    free = free if room is None else min(free, room)
    chosen: list[SelectionCandidate] = []
    for _, equals in groupby(in_line(members), key=lambda each: each.place):
        group = list(equals)
        if len(group) > free - len(chosen):
            break
        chosen += group
    return chosen


async def call_in(
    tx: "Transaction",
    actor: Actor,
    office: str | None,
    law: Law,
    call: SelectionCall,
    chosen: Sequence[SelectionCandidate],
) -> None:
    """Each has their award, the term to take it up, and a notice. It runs from the day on which they are called."""
    steps = steps_after(instrument_of(law, call.category, {AWARD: tx.today}), AWARD)
    entries = [
        Entry(each.id, tx.today, CANDIDATE, changes={"call": call.number, "place": each.place}) for each in chosen
    ]
    made = await acts.record_each(tx, actor, "candidate.awarded", entries, office=office)
    new = []
    for each in chosen:
        each.awarded_on, each.awarded_act, each.version = tx.today, made[each.id], each.version + 1
        new += [new_step(law, step, (CANDIDATE, each.id), made[each.id]) for step in steps]
    ids = await deadlines.open_each(tx, new)
    first = {due.subject_id: id for due, id in zip(reversed(new), reversed(ids), strict=True)}
    notices = [_notice(each, first.get(each.id), call) for each in chosen]
    await queue(tx, notices)
    call.version += 1


def new_step(law: Law, step: StepAnswer, subject: tuple[str, UUID], act_id: UUID) -> deadlines.NewDeadline:
    """The deadline of a step to the instrument. A party who misses it is told, and the next in line is called."""
    if step.due is None:
        raise LookupError(f"the step {step.code} has no term that runs")
    return deadlines.NewDeadline(
        kind=step.code,
        rule=step.code,
        subject_kind=subject[0],
        subject_id=subject[1],
        opened_on=law.on,
        last_day=step.due.last_day,
        article=articles(step.citations),
        opened_act=act_id,
        inputs={"event": step.after, "on": law.on, "step": step.title},
        counted=plain(step.due),
        follows=_follows(step, subject[0]),
    )


def _follows(step: StepAnswer, of: str) -> list[dict[str, Any]]:
    """An authority that misses it has somebody above it."""
    if step.actor != PARTY:
        return [{"do": "escalate", "step": True}]
    told = {"do": "notify", "template": "term_expired"}
    return [told, {"do": "call_next"}] if of == CANDIDATE else [told]


def _notice(candidate: SelectionCandidate, deadline_id: UUID | None, call: SelectionCall) -> NewNotice:
    return NewNotice(
        key=f"awarded:{candidate.id}",
        template=AWARDED,
        subject_kind=CANDIDATE,
        subject_id=candidate.id,
        deadline_id=deadline_id,
        holds_while="open" if deadline_id else None,
        payload={"place": candidate.place, "category": call.category},
    )


async def call_next(tx: "Transaction", actor: Actor, *, candidate_id: UUID, why: str) -> SelectionCandidate:
    """Whoever was awarded a vacancy does not take it up (desistência): the next in line is called.

    Raises:
        Refused: They were not awarded one, have signed, or have lost it already.
    """
    actor.must("grant")  # before it is told whether there is such a call
    await deadlines.settle(tx, tx.today, (CANDIDATE, candidate_id))
    call = await store.lock_call(tx, await store.call_of(tx, candidate_id))
    order, law = order_of(await tx.law(on=call.announced_on), call.category), await tx.law(on=tx.today)
    instrument = instrument_of(law, call.category)
    office = granting_office(actor, instrument)
    members = await store.members(tx, call.id)
    (candidate,) = [each for each in members if each.id == candidate_id]
    must_hold_award(order, candidate)
    act = await acts.record(tx, actor, "candidate.lost", on=(CANDIDATE, candidate_id), office=office, why=why)
    steps = [step.code for step in instrument.steps if step.after == AWARD]
    await deadlines.meet_kinds(tx, on_subject=(CANDIDATE, candidate_id), kinds=steps, on=tx.today, act_id=act.id)
    await _lose(tx, actor, office, law, call, members, {candidate_id: (act.id, why)})
    return candidate


def must_hold_award(order: Order, candidate: SelectionCandidate) -> None:
    """Raises Refused."""
    if candidate.signed_on is not None:
        raise order.no("O candidato já assinou a adesão.")
    if candidate.lost_on is not None:
        raise order.no(f"O candidato perdeu a vaga em {candidate.lost_on:%d/%m/%Y}: {candidate.lost_why}")
    if candidate.awarded_on is None:
        raise order.no("Nenhuma vaga foi adjudicada a este candidato.")


async def _lose(
    tx: "Transaction",
    actor: Actor,
    office: str | None,
    law: Law,
    call: SelectionCall,
    members: Sequence[SelectionCandidate],
    lost: Mapping[UUID, tuple[UUID, str]],
) -> None:
    """They lose what they were awarded, and the next in line are called."""
    for each in members:
        if each.id in lost:
            each.lost_act, each.lost_why = lost[each.id]
            each.lost_on, each.version = tx.today, each.version + 1
    chosen = next_up(members, call.vacancies)
    if chosen:
        await call_in(tx, actor, office, law, call, chosen)
    end_if_over(tx, call, members, next(iter(lost.values()))[0])


def end_if_over(tx: "Transaction", call: SelectionCall, members: Sequence[SelectionCandidate], act_id: UUID) -> None:
    """A call is over when every vacancy is signed for, or nobody holds an award and nobody is left in line."""
    signed = sum(each.signed_on is not None for each in members)
    pending = any(each.awarded_on and not each.lost_on and not each.signed_on for each in members)
    if call.ended_on is None and (signed == call.vacancies or not (pending or in_line(members))):
        call.ended_on, call.ended_act = tx.today, act_id
    call.version += 1


@consequence("call_next")
async def call_next_in_line(tx: "Transaction", batch: Sequence[tuple[Due, Mapping[str, Any]]]) -> None:
    """The term to take an award up is over. The next one's runs from today, not from a day when nobody called them."""
    due = {each.subject_id: each for each, _ in batch}
    night, law = system(tx.tenant_id), await tx.law(on=tx.today)
    for call_id in sorted({await store.call_of(tx, id) for id in due}):
        call = await store.lock_call(tx, call_id)
        members = await store.members(tx, call_id)
        late = [each for each in members if each.id in due and each.awarded_on and not each.signed_on]
        late = [each for each in late if each.lost_on is None]
        if not late:
            continue
        why = {each.id: f"Prazo vencido em {due[each.id].last_day:%d/%m/%Y} ({due[each.id].article})." for each in late}
        entries = [Entry(each.id, due[each.id].last_day, CANDIDATE, why=why[each.id]) for each in late]
        made = await acts.record_each(tx, night, "candidate.lost", entries)
        await _lose(tx, night, None, law, call, members, {id: (made[id], why[id]) for id in why})
