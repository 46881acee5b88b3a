"""A party is served (citação, intimação): by the ways that the law admits, in its order, done when it says so."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any
from uuid import UUID

from sqlalchemy import Row

from services import acts
from services.access import Actor
from services.database import Transaction
from services.errors import Conflict, Invalid, Refused
from services.permits.unforeseen import not_provided
from services.proceedings import store
from services.proceedings.parties import RESPONDENT, respondents
from services.proceedings.path import BY_SERVICE, PARTY, Path
from services.proceedings.pieces import NewPiece, file_piece
from services.proceedings.progress import UPHELD, concerned, happened, run, taken, touched
from services.proceedings.tables import Proceeding, Service
from services.registry import store as registry
from services.registry.facts import facts
from tenants.law.decide import decide
from tenants.law.decision import Decision, Outcome
from tenants.law.kinds.proceedings import ProcessStep, ServiceWay
from tenants.law.law import Law
from tenants.law.questions import ServedQuestion


@dataclass(frozen=True, slots=True)
class Attempt:
    """How somebody was to be served, and what came of it."""

    way: str
    dates: Mapping[str, date]
    failed_on: date | None
    refused: bool
    where_unknown: bool
    why: str | None
    received_by: str | None


async def serve_party(
    tx: Transaction,
    actor: Actor,
    *,
    case_id: UUID,
    party_id: UUID,
    way: str,
    dates: Mapping[str, date] | None = None,
    failed_on: date | None = None,
    refused: bool = False,
    where_unknown: bool = False,
    why: str | None = None,
    received_by: str | None = None,
    version: int | None = None,
) -> UUID:
    """Record that a party was served, or that it could not be; answers the case's id.

    Args:
        way: The law's word for how.
        dates: The days that are known, by the law's words for them: received, posted, published, acknowledged.
        failed_on: The attempt failed that day: then no ``dates``.
        refused: The person refused to sign, and who served says so.
        where_unknown: Nobody knows where the person is.
        received_by: Who signed for it, where it was not the party (representante, preposto, alguém da casa).

    Raises:
        Refused: The law does not admit this way, or not yet; or a date, or the term that follows, is missing.
        Conflict: The party is served already, or the case does not wait for it.
    """
    office = actor.must("record")
    case = await taken(tx, case_id, version)
    party = await store.party(tx, case_id, party_id)
    path = Path.of(await tx.law(on=tx.today), case.process)
    step = path.step(case.step)
    since = await _awaits(tx, case, step, party)
    _in_order(since, dates or {}, failed_on, tx.today)
    tried = [each for each in await store.services(tx, case_id) if (each.party_id, each.step) == (party_id, step.code)]
    if any(each.served_on for each in tried):
        raise Conflict(message="A pessoa já foi intimada para este passo.")
    attempt = Attempt(way, dates or {}, failed_on, refused, where_unknown, why, received_by)
    decision = _decided(path.law, attempt, [each.way for each in tried])
    row = await _row(tx, case, party_id, step, attempt, decision)
    await _write(tx, actor, office, case, path, step, row, decision, received_by)
    return case_id


async def _awaits(tx: Transaction, case: Proceeding, step: ProcessStep, party: Row[Any]) -> date:
    """Since when there is what this party is served: the case, or its decision. Raises Conflict if nothing waits."""
    if step.actor != PARTY or step.after != BY_SERVICE or party.role != RESPONDENT:
        raise Conflict(message="O processo não aguarda a intimação desta parte.")
    charges = await store.charges(tx, case.id)
    parties = respondents(await store.parties(tx, case.id))
    own = [each for each in charges if each.final_on is None and party.id in concerned(each, parties)]
    if not any(each.outcome == UPHELD or step.instance == 1 for each in own):
        raise Conflict(message="Nada há, neste passo, de que intimar esta parte.")
    decided = [each.decided_on for each in own if each.decided_on] if step.instance > 1 else []
    return max([case.opened_on, *decided])


def _in_order(since: date, dates: Mapping[str, date], failed_on: date | None, today: date) -> None:
    """Raises Invalid."""
    if bool(dates) == (failed_on is not None):
        raise Invalid("dates", "one_of", "Diga as datas da intimação, ou o dia em que a tentativa falhou.")
    days = [*dates.values(), *([failed_on] if failed_on else [])]
    if not all(since <= day <= today for day in days):
        raise Invalid("dates", "order", f"A intimação não é anterior a {since:%d/%m/%Y}, dia do ato, nem futura.")


async def _row(
    tx: Transaction, case: Proceeding, party_id: UUID, step: ProcessStep, attempt: Attempt, decision: Decision
) -> Service:
    return Service(
        tenant_id=tx.tenant_id,
        id=await registry.new_id(tx),
        proceeding_id=case.id,
        party_id=party_id,
        step=step.code,
        way=attempt.way,
        dates={name: day.isoformat() for name, day in attempt.dates.items()},
        refused=attempt.refused,
        where_unknown=attempt.where_unknown,
        failed_on=attempt.failed_on,
        served_on=None if attempt.failed_on else decision.value.served_on,
        why=attempt.why,
        decision=decision.plain(),
        act_id=case.opened_act,  # until its own is recorded
    )


def _decided(law: Law, attempt: Attempt, tried: list[str]) -> Decision:
    """When it counts as done. Raises Refused."""
    rule = next((rule for _, rule in law.all(ServiceWay) if rule.way == attempt.way), None)
    if attempt.refused and (rule is None or not rule.refusal_noted):
        raise not_provided(law, "intimação com recusa certificada por este meio", ServiceWay.kind)
    question = ServedQuestion(way=attempt.way, dates=attempt.dates, tried=tried, where_unknown=attempt.where_unknown)
    decision = decide(law, question, facts(law))
    if attempt.failed_on and decision.outcome is not Outcome.DENIED:
        return Decision(Outcome.ALLOWED, f"Tentativa sem êxito em {attempt.failed_on:%d/%m/%Y}.", rules=decision.rules)
    if not decision.permits:
        raise Refused(decision)
    return decision


async def _write(
    tx: Transaction,
    actor: Actor,
    office: str,
    case: Proceeding,
    path: Path,
    step: ProcessStep,
    row: Service,
    decision: Decision,
    received_by: str | None,
) -> None:
    day = row.failed_on or max(date.fromisoformat(said) for said in row.dates.values())
    verb = "case.service_failed" if row.failed_on else "case.served"
    told = {"party": row.party_id, "step": step.code, "way": row.way, "refused": row.refused, "receivedBy": received_by}
    act = await acts.record(
        tx,
        actor,
        verb,
        on=("case", case.id),
        decision=decision,
        office=office,
        legal_day=day,
        changes=told,
        why=row.why,
    )
    row.act_id = act.id
    await registry.add(tx, row)
    if row.served_on is not None:
        await run(tx, act, case, path, step, row.served_on, party_id=row.party_id, must=True)
        await happened(tx, act, case, "served", row.served_on)
    await file_piece(tx, case.id, act, _certified(path.law, row, decision, day, office, received_by))
    touched(case)
    await tx.session.flush()


def _certified(law: Law, row: Service, decision: Decision, day: date, office: str, received_by: str | None) -> NewPiece:
    """The certificate of whoever served (certidão): how, when it counts as done, who signed or would not."""
    way = next((rule.title for _, rule in law.all(ServiceWay) if rule.way == row.way), None) or row.way
    signed = f"Recebida por: {received_by}." if received_by else ""
    said = [decision.message, "Recusou-se a assinar." if row.refused else "", signed, row.why or ""]
    return NewPiece(
        kind="service",
        title=f"{'Tentativa de intimação' if row.failed_on else 'Intimação'}: {way[0].lower()}{way[1:]}",
        text="\n".join(filter(None, said)),
        filed_on=day,
        party_id=row.party_id,
        office=office,
    )
