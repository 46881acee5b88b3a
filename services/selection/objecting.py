"""Objections to the result (recursos): filed within the law's term, decided before anybody is awarded anything."""

from collections.abc import Mapping
from datetime import date
from uuid import UUID

from services import acts, deadlines
from services.access import Actor
from services.database import Reader, Transaction
from services.errors import Conflict, Invalid, NotFound
from services.registry import store as registry
from services.registry.attributes import parsed
from services.selection import store
from services.selection.calling import CALL
from services.selection.enrolling import own
from services.selection.freezing import announce_draw, publish_again
from services.selection.rules import Order, lacking, must_run, objection_term, order_of
from services.selection.tables import SelectionCall, SelectionCandidate, SelectionObjection
from services.terms import Running, articles
from tenants.law.decision import Outcome, plain
from tenants.law.law import Law

OBJECTION = "objection"


async def file_objection(
    tx: Transaction, actor: Actor, *, candidate_id: UUID, says: str, filed_on: date | None = None
) -> SelectionObjection:
    """File an objection (recorrer): by the candidate, or for them by the office that registers.

    Raises:
        Refused: The law gives no term to object, the result is not published, or the term is over.
    """
    office = await _speaks_for(tx, actor, candidate_id)
    day = filed_on or tx.today
    if day > tx.today:
        raise Invalid("filedOn", "future", "O dia do recurso ainda não chegou.")
    if not says.strip():
        raise Invalid("says", "empty", "Diga contra o que se recorre, e por quê.")
    call_id = await store.call_of(tx, candidate_id)
    await deadlines.settle(tx, day, await store.subjects(tx, call_id))
    call = await store.lock_call(tx, call_id)
    order = order_of(await tx.law(on=call.announced_on), call.category)
    must_run(order, call)
    running = await term_of(tx, order, call)
    if running is None:
        raise lacking("term", "recurso contra o resultado da seleção")
    if not call.result_on or day < call.result_on or day > running.last_day:
        raise order.no(f"Recorre-se do resultado até {running.last_day:%d/%m/%Y} ({articles(running.term.cite)}).")
    objection_id = await registry.new_id(tx)
    act = await acts.record(
        tx, actor, "objection.filed", on=(OBJECTION, objection_id), office=office, legal_day=day,
        decision=running.decision, changes={"call": call.number, "candidate": candidate_id},
    )  # fmt: skip
    objection = SelectionObjection(
        tenant_id=tx.tenant_id, id=objection_id, call_id=call.id, candidate_id=candidate_id, says=says.strip(),
        filed_on=day, filed_act=act.id,
    )  # fmt: skip
    await registry.add(tx, objection)
    return objection


async def term_of(tx: Reader, order: Order, call: SelectionCall) -> Running | None:
    """How long one may object to the call's result. Raises Refused where there is no result yet."""
    if call.result_on is None:
        if objection_term(await tx.law(on=tx.today), call.category) is None:
            raise lacking("term", "recurso contra o resultado da seleção")
        raise order.no("O resultado da seleção ainda não foi publicado.")
    return objection_term(await tx.law(on=call.result_on), call.category)


async def _speaks_for(tx: Transaction, actor: Actor, candidate_id: UUID) -> str | None:
    """The office that files it; None: the candidates themselves do. Raises Forbidden or NotFound."""
    try:
        whose = await store.whose(tx, candidate_id)
    except NotFound:
        actor.must("register")  # before it is told that there is no such candidate
        raise
    mine = (actor.person_id, actor.company_id)
    if (whose.person_id and whose.person_id == mine[0]) or (whose.company_id and whose.company_id == mine[1]):
        return None
    return actor.must("register")


async def decide_objection(
    tx: Transaction,
    actor: Actor,
    *,
    objection_id: UUID,
    upheld: bool,
    why: str,
    candidate_id: UUID | None = None,
    facts: Mapping[str, str] | None = None,
    version: int | None = None,
    draw_source: str | None = None,
    draw_on: date | None = None,
) -> SelectionObjection:
    """Decide an objection (decidir o recurso). One that is upheld opens the order again: the result is taken back.

    Args:
        candidate_id: Who leaves the order by it; ``facts``: what is right of the one who objected.
        draw_source: The lottery, where equals now wait for a seed and the one named has passed.

    Raises:
        Invalid: It is upheld, and nothing changes.
        Conflict: It is decided already, or of another version.
    """
    office = actor.must("decide")
    objection, call = await _locked(tx, objection_id, version)
    if upheld and candidate_id is None and not facts:
        raise Invalid("upheld", "no_change", "Diga o que muda: quem sai da ordem, ou que fato se corrige.")
    said = "Recurso provido." if upheld else "Recurso negado."
    order = order_of(law := await tx.law(on=call.announced_on), call.category)
    act = await acts.record(
        tx, actor, "objection.decided", on=(OBJECTION, objection_id), office=office, why=why,
        decision=order.decision(Outcome.VALUE, said), changes={"upheld": upheld, "out": candidate_id},
    )  # fmt: skip
    objection.upheld, objection.decided_on, objection.decided_act = upheld, tx.today, act.id
    objection.version += 1
    if upheld:
        members = await store.members(tx, call.id)
        if candidate_id is not None:
            _take_out(members, candidate_id, tx.today, act.id, why)
        _correct(law, order, members, objection.candidate_id, facts or {})
        await _open_again(tx, actor, office, law, order, call, members, act.id, (draw_source, draw_on))
    return objection


async def _locked(tx: Transaction, id: UUID, version: int | None) -> tuple[SelectionObjection, SelectionCall]:
    """An objection that nobody has decided, and its call, which is locked first."""
    call_id = (await store.objection(tx, id)).call_id
    await deadlines.settle(tx, tx.today, await store.subjects(tx, call_id))
    call = await store.lock_call(tx, call_id)
    objection = await store.objection(tx, id)
    if version is not None and objection.version != version:
        raise Conflict(version, objection.version)
    if objection.decided_on is not None:
        raise Conflict(message="Este recurso já foi decidido.")
    must_run(order_of(await tx.law(on=call.announced_on), call.category), call)
    return objection, call


def _take_out(members: list[SelectionCandidate], id: UUID, day: date, act_id: UUID, why: str) -> None:
    found = [each for each in members if each.id == id and each.excluded_on is None]
    if not found:
        raise Invalid("candidateId", "unknown", "Só sai da ordem quem nela está.")
    found[0].excluded_on, found[0].excluded_act, found[0].excluded_why = day, act_id, why


def _correct(law: Law, order: Order, members: list[SelectionCandidate], id: UUID, facts: Mapping[str, str]) -> None:
    told = {code: plain(value) for code, value in parsed(law, own(law, facts), "facts").items()}
    if unknown := sorted(set(told) - order.compares):
        raise Invalid("facts", "not_compared", f"A ordem não compara: {', '.join(unknown)}.")
    for each in members:
        if each.id == id and told:
            each.facts = {**(each.facts or {}), **told}


async def _open_again(
    tx: Transaction,
    actor: Actor,
    office: str,
    law: Law,
    order: Order,
    call: SelectionCall,
    members: list[SelectionCandidate],
    act_id: UUID,
    draw: tuple[str | None, date | None],
) -> None:
    """The result is no longer one: places go, its term to object ends, the corrected list is published."""
    if call.awarded_on is not None:
        raise order.no("As vagas deste edital já foram adjudicadas.")
    running = await term_of(tx, order, call)
    kinds = [running.term.code] if running else []
    await deadlines.meet_kinds(tx, on_subject=(CALL, call.id), kinds=kinds, on=tx.today, act_id=act_id)
    call.result, call.result_on, call.result_act, call.version = None, None, None, call.version + 1
    for each in members:
        each.place, each.version = None, each.version + 1
    if draw[0] is not None and call.seed is None:
        announce_draw(call, order, tx.today, *draw)
    waits = await publish_again(tx, actor, office, law, order, call, members, "objection")
    if waits == "seed" and call.seed is None and call.draw_on is not None and call.draw_on <= tx.today:
        raise Invalid("drawSource", "missing", "Agora há empate a sortear: diga de que sorteio público virá a semente.")
