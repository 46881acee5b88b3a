"""A case with just the parts that are asked for: one statement for each."""

from typing import Any
from uuid import UUID

from sqlalchemy import Row

from api.proceedings.types import (
    ActiveDebt,
    Case,
    CaseCharge,
    CaseParty,
    CasePiece,
    CaseService,
    CaseSummary,
    CertifiedDay,
    DeadlineCertificate,
    Exhibit,
    FineAccount,
    Payment,
    PublicCase,
    PublicCharge,
    PublicPiece,
    Recount,
)
from api.register.loading import deadline_of
from api.selection import Selection
from api.types.decisions import Decision, Norms
from api.types.scalars import global_id
from services.database import Reader
from services.deadlines import store as deadlines
from services.money import store as money
from services.proceedings import certifying, store
from services.proceedings.exhibiting import evidence_of
from services.proceedings.exporting import gone_of
from services.proceedings.pieces import text_of


async def case_of(tx: Reader, id: UUID, wanted: Selection) -> Case:
    """Raises NotFound."""
    row = await store.case(tx, id)
    norms = (await tx.law(on=tx.today)).norms
    case = Case(
        id=global_id("case", row.id),
        number=row.number,
        process=row.process,
        opened_by=row.opened_by,
        seen_on=row.seen_on,
        opened_on=row.opened_on,
        state=row.state,
        step=row.step,
        archived_on=row.archived_on,
        held_on=row.held_on,
        disposed_on=row.disposed_on,
        version=row.version,
        decision=Decision.of(row.decision, norms),
    )
    if "parties" in wanted:
        case.parties = [party_of(each) for each in await store.parties(tx, id)]
    if "charges" in wanted:
        case.charges = [charge_of(each) for each in await store.charges(tx, id)]
    if "services" in wanted:
        case.services = [service_of(each, norms) for each in await store.services(tx, id)]
    if "pieces" in wanted:
        case.pieces = [piece_of(each) for each in await store.pieces(tx, id)]
    if "deadlines" in wanted:
        case.deadlines = [deadline_of(each) for each in await deadlines.of_subjects(tx, [("case", id)], tx.today)]
    return case


def summary_of(row: Row[Any]) -> CaseSummary:
    return CaseSummary(
        id=global_id("case", row.id),
        number=row.number,
        process=row.process,
        opened_on=row.opened_on,
        state=row.state,
        step=row.step,
        version=row.version,
    )


def party_of(row: Row[Any]) -> CaseParty:
    return CaseParty(
        id=global_id("party", row.id),
        role=row.role,
        name=row.shown,
        acts_for=global_id("party", row.acts_for) if row.acts_for else None,
        since=row.since,
        ended_on=row.ended_on,
    )


def charge_of(row: Any) -> CaseCharge:
    return CaseCharge(
        id=global_id("charge", row.id),
        infraction=row.infraction,
        title=row.title,
        applied=row.applied,
        effects=row.effects,
        fine_id=global_id("fine", row.fine_id) if row.fine_id else None,
        proposal_id=global_id("proposal", row.proposal_id) if row.proposal_id else None,
        outcome=row.outcome,
        decided_on=row.decided_on,
        appealed_on=row.appealed_on,
        suspended_on=row.suspended_on,
        final_on=row.final_on,
        enforced_on=row.enforced_on,
    )


def service_of(row: Any, norms: Norms) -> CaseService:
    return CaseService(
        party_id=global_id("party", row.party_id),
        step=row.step,
        way=row.way,
        refused=row.refused,
        failed_on=row.failed_on,
        served_on=row.served_on,
        decision=Decision.of(row.decision, norms),
    )


def piece_of(row: Row[Any]) -> CasePiece:
    return CasePiece(
        id=global_id("piece", row.id),
        seq=row.seq,
        kind=row.kind,
        title=row.title,
        restricted=row.restricted,
        filed_on=row.filed_on,
        filed_at=row.filed_at,
        late=row.late,
        first_page=row.first_page,
        pages=row.pages,
        text=text_of(row.content),
        gone=gone_of(row),
        sha256=row.sha256,
        previous=row.previous,
        chain=row.chain,
        evidence=exhibit_of(row),
    )


def exhibit_of(row: Row[Any]) -> Exhibit | None:
    shown = evidence_of(row)
    if shown is None:
        return None
    path = f"/evidence/{shown['id']}" if shown["kept"] and row.content is not None else None
    return Exhibit(path=path, media_type=shown["mediaType"], size=shown["size"], sha256=shown["sha256"])


async def public_case_of(tx: Reader, number: str) -> PublicCase | None:
    """No names, and no text that is restricted."""
    row = await store.case_by_number(tx, number)
    if row is None:
        return None
    return PublicCase(
        number=row.number,
        process=row.process,
        opened_on=row.opened_on,
        state=row.state,
        step=row.step,
        charges=[
            PublicCharge(infraction=each.infraction, title=each.title, outcome=each.outcome, final_on=each.final_on)
            for each in await store.charges(tx, row.id)
        ],
        pieces=[public_piece_of(each) for each in await store.pieces(tx, row.id)],
    )


def public_piece_of(row: Row[Any]) -> PublicPiece:
    return PublicPiece(
        seq=row.seq,
        title=row.title,
        filed_on=row.filed_on,
        first_page=row.first_page,
        pages=row.pages,
        sha256=row.sha256,
        chain=row.chain,
        text=None if row.restricted else text_of(row.content),
        gone=gone_of(row),
        evidence=None if row.restricted else exhibit_of(row),
    )


def certificate_of(found: certifying.Certificate, norms: Norms) -> DeadlineCertificate:
    used = Decision.of({**EMPTY, "rules": found.rules, "readings": found.readings}, norms)
    return DeadlineCertificate(
        deadline=deadline_of(found.deadline),
        message=found.message,
        rolled_from=found.rolled_from,
        days=[CertifiedDay(day=each.day, counted=each.counted, why=each.why) for each in found.days],
        rules=used.rules,
        readings=used.readings,
        recounts=[
            Recount(on=each.on, was=each.was, last_day=each.last_day, norm=each.norm, message=each.message)
            for each in found.recounts
        ],
    )


EMPTY: dict[str, Any] = {
    "outcome": "VALUE",
    "message": "",
    "value": None,
    "office": None,
    "citations": [],
    "facts": {},
    "missing": [],
    "parts": [],
}


async def account_of(tx: Reader, id: UUID) -> FineAccount:
    """Raises NotFound."""
    row, debt = await money.fine(tx, id), await money.debt(tx, id)
    norms = (await tx.law(on=tx.today)).norms
    return FineAccount(
        id=global_id("fine", row.id),
        number=row.number,
        brl=row.brl,
        paid=row.paid,
        left=money.left(row),
        payments=[payment_of(each) for each in await money.payments(tx, id)],
        deadlines=[deadline_of(each) for each in await deadlines.of_subjects(tx, [("fine", id)], tx.today)],
        debt=None if debt is None else debt_of(debt, norms),
    )


def payment_of(row: Row[Any]) -> Payment:
    return Payment(id=global_id("payment", row.id), paid_on=row.paid_on, brl=row.brl, reference=row.reference)


def debt_of(row: Row[Any], norms: Norms) -> ActiveDebt:
    return ActiveDebt(
        id=global_id("active_debt", row.id),
        number=row.number,
        entered_on=row.entered_on,
        cancelled_on=row.cancelled_on,
        brl=row.brl,
        decision=Decision.of(row.decision, norms),
    )
