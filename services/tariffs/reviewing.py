"""A tariff is reviewed (revisão tarifária): asked for with a cost sheet, heard upon, decided. Each step is an act."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any
from uuid import UUID

from sqlalchemy import Row

from services import acts, deadlines
from services.access import Actor
from services.acts.record import Act
from services.database import Reader, Transaction
from services.errors import Conflict, Invalid, Refused
from services.registry import store as registry
from services.tariffs import store
from services.tariffs.asking import What, happened, must_be_asked, policy_of, review_due, setting_office
from services.tariffs.sheets import sheet_of
from services.tariffs.tables import TariffReview, TariffStep
from tenants.law.decision import Decision
from tenants.law.law import Law

BY_COST, BY_REQUEST = "cost", "request"


async def open_review(
    tx: Transaction,
    actor: Actor,
    *,
    category: str,
    because: str | None = None,
    holder_id: UUID | None = None,
    sheet: Mapping[str, Any] | None = None,
    requested_on: date | None = None,
) -> UUID:
    """Ask for a review of a category's tariff; answers the review's id.

    Args:
        because: What asks for it, as the law calls it; by default a holder's request, or an office's own look at costs.
        holder_id: Whose request an office enters; a holder asks for themselves.
        sheet: The cost sheet; its ``paper`` is the one of the law's papers that it is.

    Raises:
        Refused: The law provides no tariffs for the category, or no review for this reason.
    """
    law = await tx.law(on=_come(tx, "requestedOn", requested_on))
    holder, office = await _asking(tx, law, actor, category, holder_id)
    policy_of(law, category)
    why = because or (BY_REQUEST if holder else BY_COST)
    tariff = await store.locked(tx, category)
    await deadlines.settle(tx, law.on, ("tariff", tariff.id))
    decision = review_due(law, tariff, category, because=[why])
    if not decision.permits:
        raise Refused(decision)
    return await _write(
        tx, actor, law, tariff, Request(holder, office, why, sheet_of(sheet) if sheet else None), decision
    )


def _come(tx: Transaction, field: str, day: date | None) -> date:
    """A day that is not to come: until then what runs would be found over. Raises Invalid."""
    if day is not None and day > tx.today:
        raise Invalid(field, "future", "Este dia ainda não chegou.")
    return day or tx.today


@dataclass(frozen=True, slots=True)
class Request:
    """Whose request (None: the administration's own), entered in which office, for which reason, with which sheet."""

    holder_id: UUID | None
    office: str | None
    because: str
    sheet: Mapping[str, Any] | None


async def _write(
    tx: Transaction, actor: Actor, law: Law, tariff: Row[Any], request: Request, decision: Decision
) -> UUID:
    review_id, sheet = await registry.new_id(tx), request.sheet
    act = await acts.record(
        tx,
        actor,
        "tariff.requested",
        on=("tariff", tariff.id),
        decision=decision,
        office=request.office,
        legal_day=law.on,
        changes={"because": request.because, "sheet": sheet},
        result={"id": str(review_id)},
    )
    row = TariffReview(
        tenant_id=tx.tenant_id,
        id=review_id,
        tariff_id=tariff.id,
        holder_id=request.holder_id,
        because=request.because,
        requested_on=law.on,
        sheet=None if sheet is None else dict(sheet),
        requested_act=act.id,
    )
    await registry.add(tx, row)
    if sheet and "paper" in sheet:
        must_be_asked(law, tariff.category, "papers", sheet["paper"])
        await _step(tx, act, review_id, "papers", sheet["paper"], law.on, "Planilha juntada ao pedido")
    if request.holder_id:
        await store.asked(tx, tariff.id, request.holder_id)
    await happened(tx, act, law, tariff, "requested")
    return review_id


async def record_step(
    tx: Transaction, actor: Actor, *, tariff_review_id: UUID, what: What, code: str, source: str, on: date | None = None
) -> UUID:
    """Record that someone was heard, that someone approved, or that a paper is there; answers the review's id.

    Args:
        code: As the law names whom it asks, or the paper.
        source: The minutes, the opinion, the record of the vote.

    Raises:
        Invalid: The law does not ask for it before a tariff; or it is recorded already.
        Conflict: The review has been decided.
    """
    office = actor.must("register")
    review, _ = await open_one(tx, tariff_review_id)
    law = await tx.law(on=_come(tx, "on", on))
    must_be_asked(law, review.category, what, code)
    if any((step.what, step.code) == (what, code) for step in await store.steps(tx, [tariff_review_id])):
        raise Invalid("code", "recorded", f"Já consta deste processo: {code}.")
    act = await acts.record(
        tx,
        actor,
        "tariff.step_recorded",
        on=("tariff", review.tariff_id),
        office=office,
        legal_day=law.on,
        changes={"review": tariff_review_id, "what": what, "code": code, "source": source},
        result={"id": str(tariff_review_id)},
    )
    await _step(tx, act, tariff_review_id, what, code, law.on, source)
    return tariff_review_id


async def refuse_review(
    tx: Transaction,
    actor: Actor,
    *,
    tariff_review_id: UUID,
    why: str,
    version: int | None = None,
    on: date | None = None,
) -> UUID:
    """Decide that the tariff stays as it is (indeferir a revisão): it has been reviewed. Answers the review's id.

    Raises:
        Forbidden: The law gives tariffs to another office.
        Conflict: The review has been decided, or changed since.
    """
    actor.must("tariff")
    review, tariff = await open_one(tx, tariff_review_id, version)
    law = await tx.law(on=_come(tx, "on", on))
    office = setting_office(law, actor, review.category)
    act = await acts.record(
        tx,
        actor,
        "tariff.review_refused",
        on=("tariff", tariff.id),
        office=office,
        legal_day=law.on,
        changes={"review": tariff_review_id},
        why=why,
        result={"id": str(tariff_review_id)},
    )
    await store.decide(tx, tariff_review_id, granted=False, day=law.on, act_id=act.id)
    await store.reviewed(tx, tariff.id, law.on)
    await happened(tx, act, law, tariff, "reviewed")
    return tariff_review_id


async def open_one(tx: Transaction, review_id: UUID, version: int | None = None) -> tuple[Row[Any], Row[Any]]:
    """A review that is not decided, and its tariff, once nobody else changes them. Raises NotFound, Conflict."""
    seen = await store.review(tx, review_id)
    tariff = await store.locked(tx, seen.category)
    await deadlines.settle(tx, tx.today, ("tariff", tariff.id))
    review = await store.review(tx, review_id)
    if version is not None and review.version != version:
        raise Conflict(version, review.version)
    if review.granted is not None:
        raise Conflict(message="Este pedido de revisão já foi decidido.")
    return review, tariff


async def _asking(
    tx: Reader, law: Law, actor: Actor, category: str, holder_id: UUID | None
) -> tuple[UUID | None, str | None]:
    """Whose request it is (None: the administration's own), and in which office the actor enters it."""
    branch = law.branch(category)
    if actor.person_id or actor.company_id:
        own = await store.holding(tx, branch, law.on, person=actor.person_id, company=actor.company_id)
        if own is not None and holder_id in (None, own):
            return own, None
    if holder_id is None:
        return None, actor.must("tariff")
    office = actor.must("register")
    if await store.holding(tx, branch, law.on, holder=holder_id) is None:
        raise Invalid("holderId", "no_permit", "Só pede a revisão quem tem outorga vigente da categoria.")
    return holder_id, office


async def _step(tx: Transaction, act: Act, review_id: UUID, what: What, code: str, on: date, source: str) -> None:
    row = TariffStep(
        tenant_id=tx.tenant_id, review_id=review_id, what=what, code=code, met_on=on, source=source, act_id=act.id
    )
    await registry.add(tx, row)
