"""The seed of the draw enters, once the list is published; then the result is published (sorteio, resultado)."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from uuid import UUID

from services import acts, deadlines
from services.access import Actor
from services.acts.record import Act
from services.database import Transaction
from services.errors import Conflict, Invalid, Refused
from services.selection import store
from services.selection.calling import CALL
from services.selection.ranking import answered, rank, waits_for
from services.selection.rules import (
    Order,
    granting_office,
    instrument_of,
    lacking,
    must_run,
    objection_term,
    order_of,
)
from services.selection.tables import SelectionCall, SelectionCandidate
from services.terms import Running, articles
from tenants.law.decision import Outcome, first_no, plain
from tenants.law.kinds.grants import Selection
from tenants.law.law import Law


async def enter_seed(
    tx: Transaction,
    actor: Actor,
    *,
    call_id: UUID,
    seed: str,
    source: str,
    drawn_on: date,
    absent: Sequence[Mapping[str, UUID]] | None = None,
    version: int | None = None,
) -> SelectionCall:
    """Enter the seed (registrar a semente): what the public lottery gave that was named when the list was frozen.

    Args:
        absent: Who was absent from the draw, by `candidate_id`, where the law makes something of it.

    Raises:
        Refused: The list is not frozen, something else is still to be decided, or the law draws no lots.
        Invalid: It is of another lottery, or of a day before the one named.
        Conflict: There is a seed already.
    """
    actor.must("grant")  # before it is told whether there is such a call
    await deadlines.settle(tx, tx.today, await store.subjects(tx, call_id))
    call = await store.lock_call(tx, call_id, version)
    law = await tx.law(on=call.announced_on)
    order = order_of(law, call.category)
    office = granting_office(actor, instrument_of(law, call.category))
    members = await store.members(tx, call_id)
    await _waits_for_it(tx, law, order, call, members)
    await _of_the_lottery(tx, call, seed.strip(), source, drawn_on)
    away = [each["candidate_id"] for each in absent or ()]
    _may_be_absent(order, away, {each.id for each in members})
    act = await acts.record(
        tx, actor, "selection.seeded", on=(CALL, call_id), office=office, legal_day=drawn_on,
        decision=order.decision(Outcome.VALUE, f"Semente do sorteio: {seed.strip()} ({call.draw_source})."),
        changes={"seed": seed.strip(), "source": call.draw_source, "drawnOn": drawn_on, "absent": away},
    )  # fmt: skip
    call.seed, call.seed_on, call.seed_act, call.absent = seed.strip(), drawn_on, act.id, away
    call.version += 1
    return call


async def _waits_for_it(
    tx: Transaction, law: Law, order: Order, call: SelectionCall, members: Sequence[SelectionCandidate]
) -> None:
    """Only a published list whose equals nothing but the seed can part."""
    must_run(order, call)
    if call.frozen_on is None:
        raise order.no("A lista de candidatos ainda não foi fechada: a semente só vem depois.")
    if not order.draws:
        raise lacking(Selection.kind, "sorteio entre os candidatos")
    if call.seed is not None:
        raise Conflict(message="A semente deste sorteio já foi registrada.")
    decision = rank(law, call, members, await store.judgements(tx, call.id), drawn=False)
    if decision.permits:
        raise order.no("Não há empate que dependa de sorteio.")
    if waits_for(decision, order) != "seed":
        raise Refused(replace(decision, message=first_no(decision)))


async def _of_the_lottery(tx: Transaction, call: SelectionCall, seed: str, source: str, drawn_on: date) -> None:
    """Is it what was announced, and drawn after the last list was published?"""
    if not seed:
        raise Invalid("seed", "empty", "Informe o resultado do sorteio público.")
    if " ".join(source.split()) != call.draw_source:
        raise Invalid("source", "other", f"O sorteio anunciado é outro: {call.draw_source}.")
    if call.draw_on is None or drawn_on < call.draw_on:
        raise Invalid("drawnOn", "early", f"O sorteio anunciado é de {call.draw_on:%d/%m/%Y} em diante.")
    if drawn_on > tx.today:
        raise Invalid("drawnOn", "future", "O dia do sorteio ainda não chegou.")
    published = (await store.lists(tx, [call.id]))[call.id][-1].published_on
    if drawn_on <= published:
        raise Invalid("drawnOn", "early", f"O sorteio não é posterior à lista publicada em {published:%d/%m/%Y}.")


def _may_be_absent(order: Order, away: Sequence[UUID], members: set[UUID]) -> None:
    if away and order.rule.absent_from_draw == "nothing":
        raise Invalid("absent", "no_effect", "A lei não liga efeito à ausência no sorteio.")
    if not set(away) <= members:
        raise Invalid("absent", "unknown", "Só um candidato deste edital pode faltar ao sorteio.")


async def publish_result(tx: Transaction, actor: Actor, *, call_id: UUID, version: int | None = None) -> SelectionCall:
    """Publish the result (publicar o resultado): everybody's place and why; objections may be filed from now on.

    Raises:
        Refused: A judgement or the seed is missing, the law breaks no tie of the last vacancy, or the town has not
            said until when one may object.
        Conflict: It is published already.
    """
    actor.must("grant")  # before it is told whether there is such a call
    await deadlines.settle(tx, tx.today, await store.subjects(tx, call_id))
    call = await store.lock_call(tx, call_id, version)
    law = await tx.law(on=call.announced_on)
    order = order_of(law, call.category)
    office = granting_office(actor, instrument_of(law, call.category))
    must_run(order, call)
    if call.frozen_on is None:
        raise order.no("Não há lista fechada de que publicar o resultado.")
    if call.result_on is not None:
        raise Conflict(message="O resultado deste edital já foi publicado.")
    members = await store.members(tx, call_id)
    decision = rank(law, call, members, await store.judgements(tx, call_id), drawn=True)
    if not decision.permits:
        raise Refused(replace(decision, message=first_no(decision)))
    running = objection_term(await tx.law(on=tx.today), call.category)
    act = await acts.record(tx, actor, "selection.published", on=(CALL, call_id), decision=decision, office=office)
    places = {UUID(each.key): each.place for each in answered(decision).ranking}
    for each in members:
        each.place, each.version = places.get(each.id), each.version + 1
    call.result, call.result_on, call.result_act = plain(decision.value), tx.today, act.id
    call.version += 1
    if running is not None:
        await _run(tx, act, call, running)
    return call


async def _run(tx: Transaction, act: Act, call: SelectionCall, running: Running) -> None:
    """The term to object."""
    await deadlines.open_(
        tx,
        kind=running.term.code,
        rule=running.term.code,
        subject=(CALL, call.id),
        opened_on=tx.today,
        last_day=running.last_day,
        article=articles(running.term.cite),
        act_id=act.id,
        inputs={"event": running.term.starts, "on": tx.today, "rule": running.decision.plain()["rules"]},
        counted=running.decision.plain()["value"],
    )
