"""A case is opened (instauração): from a record, a complaint or ex officio; one file for all infractions of a fact."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any
from uuid import UUID

from sqlalchemy import Row

from services import acts, deadlines, numbers
from services.access import Actor
from services.acts.record import Act
from services.database import Transaction
from services.enforcement import store as penalties
from services.enforcement.drawing import Offender, draw
from services.enforcement.occurrences.store import vehicle_of_permit
from services.errors import Conflict, Invalid, NotFound, Refused
from services.permits import store as permits
from services.permits.declared import declared
from services.permits.endings import store as endings
from services.permits.endings.proposing import END, propose_ending, propose_suspension
from services.proceedings import store
from services.proceedings.parties import Respondent, add_respondents
from services.proceedings.path import Path
from services.proceedings.pieces import NewPiece, file_piece
from services.proceedings.tables import Charge, Proceeding
from services.registry import store as registry
from tenants.law.decision import Decision, Outcome, plain
from tenants.law.law import Law
from tenants.law.questions import Drawn, Penalty

SUSPEND = "suspend"


@dataclass(frozen=True, slots=True)
class Fact:
    """What happened: which infractions it is, on what day, with which permit and category."""

    infractions: Sequence[str]
    seen_on: date
    offender: Offender
    known: Mapping[str, str] | None

    @property
    def permit(self) -> Row[Any] | None:
        return self.offender.permit

    @property
    def category(self) -> str | None:
        return self.offender.category


async def open_case(
    tx: Transaction,
    actor: Actor,
    *,
    infractions: Sequence[str],
    seen_on: date,
    opened_by: str,
    text: str,
    respondents: Sequence[Mapping[str, Any]] = (),
    process: str | None = None,
    source: tuple[str, UUID] | None = None,
    permit_id: UUID | None = None,
    category: str | None = None,
    fine_ids: Sequence[UUID] = (),
    facts: Mapping[str, str] | None = None,
    opened_on: date | None = None,
    offender: Offender | None = None,
) -> UUID:
    """Open a case about one fact; answers its id.

    Args:
        infractions: All that the fact is; what the law's overlaps strike out is no charge.
        opened_by: How the law says that it may be opened, by its word for it.
        text: What sets it going (termo de instauração): its first piece.
        respondents: Each of one key of ``Respondent``; the permit's holder when none is given.
        source: Kind and id of what it is opened from; None: ex officio.
        offender: Whose it is, as the record of it has found; otherwise the permit's holder, or the respondents.
        fine_ids: Fines that were applied for the fact already: provisional until the case is over.

    Raises:
        Refused: The law has no process, or the fact is no infraction, or what that draws is not determined.
        Conflict: There is one already.
    """
    office, day = actor.must("propose"), opened_on or tx.today
    path = _path(await tx.law(on=day), process, opened_by)
    whose = offender or await _offender(tx, day, permit_id, category, respondents)
    fact = _in_order(tx, day, Fact(infractions, seen_on, whose, facts))
    respondents = respondents or ([{"holder_id": fact.permit.holder_id}] if fact.permit else [])
    decision = await _decided(tx, fact)
    case_id = await registry.new_id(tx)
    act = await _opened(tx, actor, case_id, decision, office, day)
    row = _row(tx, act, path, fact, decision, (case_id, opened_by, source))
    await _write(tx, actor, act, row, fact, decision, respondents, fine_ids)
    await _number(tx, act, row, text, office)
    return case_id


async def _opened(tx: Transaction, actor: Actor, case_id: UUID, decision: Decision, office: str, day: date) -> Act:
    on = ("case", case_id)
    return await acts.record(tx, actor, "case.opened", on=on, decision=decision, office=office, legal_day=day)


async def _number(tx: Transaction, act: Act, row: Proceeding, text: str, office: str) -> None:
    """The first piece, and last of all the number: its counter is everybody's."""
    new = NewPiece(kind="opening", title="Instauração", text=text, filed_on=act.legal_day, office=office)
    await file_piece(tx, row.id, act, new)
    row.number = await numbers.take(tx, "case", act.legal_day.year)
    await tx.session.flush()


def _in_order(tx: Transaction, day: date, fact: Fact) -> Fact:
    if not fact.seen_on <= day <= tx.today:
        raise Invalid("openedOn", "order", "O processo não se abre antes do fato, nem no futuro.")
    return fact


async def _offender(
    tx: Transaction,
    day: date,
    permit_id: UUID | None,
    category: str | None,
    respondents: Sequence[Mapping[str, Any]],
) -> Offender:
    """The permit's holder, with the driver and whoever else answers; nobody else changes the permit meanwhile."""
    permit = await permits.permit(tx, permit_id, day, lock=True) if permit_id else None
    about = [] if permit is None else await penalties.subjects_of(tx, permit.id)
    about += [("driver", each["driver_id"]) for each in respondents if each.get("driver_id")]
    await deadlines.settle(tx, day, about)
    named = {key: each[key] for each in reversed(respondents) for key in ("holder_id", "driver_id") if each.get(key)}
    return Offender(
        permit=permit,
        vehicle=await vehicle_of_permit(tx, permit.id, day) if permit else None,
        driver_id=named.get("driver_id"),
        told_category=category,
        known_holder=named.get("holder_id"),
    )


def _path(law: Law, process: str | None, opened_by: str) -> Path:
    path = Path.chosen(law, process)
    if opened_by not in path.rule.opened_by:
        raise Invalid("openedBy", "unknown_code", f"O processo abre-se por: {', '.join(path.rule.opened_by)}.")
    return path


def _row(
    tx: Transaction,
    act: Act,
    path: Path,
    fact: Fact,
    decision: Decision,
    whence: tuple[UUID, str, tuple[str, UUID] | None],
) -> Proceeding:
    case_id, opened_by, source = whence
    return Proceeding(
        tenant_id=tx.tenant_id,
        id=case_id,
        process=path.rule.code,
        opened_by=opened_by,
        source_kind=source[0] if source else None,
        source_id=source[1] if source else None,
        category=fact.category,
        permit_id=fact.permit.id if fact.permit else None,
        seen_on=fact.seen_on,
        opened_on=act.legal_day,
        opened_act=act.id,
        decision=decision.plain(),
        step=path.first.code,
    )


async def _decided(tx: Transaction, fact: Fact) -> Decision:
    """What the law of the day of the fact draws. Raises Refused where it draws nothing, or has not said what."""
    law = await tx.law(on=fact.seen_on)
    known = declared(law, fact.known)
    by_holder = True if fact.offender.holder_id else None
    decision = await draw(tx, law, fact.offender, fact.infractions, known, by_holder=by_holder)
    if decision.outcome not in (Outcome.VALUE, Outcome.NEEDS_DECISION) or not decision.value.kept:
        raise Refused(decision)
    return decision


async def _write(
    tx: Transaction,
    actor: Actor,
    act: Act,
    row: Proceeding,
    fact: Fact,
    decision: Decision,
    respondents: Sequence[Mapping[str, Any]],
    fine_ids: Sequence[UUID],
) -> None:
    """The case, who answers in it, and what for."""
    if row.source_id is not None and await store.from_source(tx, row.source_kind or "", row.source_id):
        raise Conflict(message="Já há processo sobre este fato.")
    await registry.add(tx, row)
    await add_respondents(tx, act, row.id, [Respondent(**each) for each in respondents])
    applied = await _applied(tx, fine_ids)
    on_the_spot = await store.applied(tx, row.source_kind, row.source_id)
    law = await tx.law(on=act.legal_day)
    for penalty in decision.value.kept:
        fine = applied.pop(penalty.infraction, None)
        proposal = await _proposed(tx, actor, law, fact, penalty, act.legal_day)
        charge = _charge(tx, row, penalty, fine, proposal)
        charge.applied = fine is not None or penalty.infraction in on_the_spot
        tx.session.add(charge)
    if applied:
        raise Invalid("fineIds", "infraction", f"Não é deste fato a multa por {', '.join(applied)}.")
    await tx.session.flush()


async def _applied(tx: Transaction, fine_ids: Sequence[UUID]) -> dict[str, UUID]:
    """The fine of each infraction. Raises NotFound, also for another town's."""
    found = await store.fines(tx, fine_ids)
    if len(found) < len(set(fine_ids)):
        raise NotFound("fine", fine_ids)
    return {row.infraction: row.id for row in found}


async def _proposed(tx: Transaction, actor: Actor, law: Law, fact: Fact, penalty: Penalty, day: date) -> UUID | None:
    """What takes effect only at the end of a process is proposed now; what was proposed before is decided here."""
    waiting = next((each for each in penalty.effects if each.do in (END, SUSPEND)), None)
    if waiting is None or fact.permit is None:
        return None
    open_ones = await endings.proposals_of(tx, fact.permit.id)
    same = (each for each in open_ones if (each.state, each.ground) == ("open", penalty.infraction))
    found = next((each.id for each in same if each.effect == waiting.do), None)
    return found or await _propose(tx, actor, fact, penalty, waiting, day)


async def _propose(tx: Transaction, actor: Actor, fact: Fact, penalty: Penalty, waiting: Drawn, day: date) -> UUID:
    given: dict[str, Any] = {"permit_id": fact.permit.id, "on": day, "facts": fact.known}  # type: ignore[union-attr]
    if waiting.do == END:
        return await propose_ending(tx, actor, cause=waiting.cause or "", infraction=penalty.infraction, **given)
    return await propose_suspension(tx, actor, infraction=penalty.infraction, **given)


def _charge(tx: Transaction, row: Proceeding, penalty: Penalty, fine: UUID | None, proposal: UUID | None) -> Charge:
    return Charge(
        tenant_id=tx.tenant_id,
        proceeding_id=row.id,
        infraction=penalty.infraction,
        title=penalty.title,
        effects=plain(penalty.effects),
        fine_id=fine,
        proposal_id=proposal,
    )
