"""What nobody paid in time is sent to be collected (inscrição em dívida ativa), where the law says so."""

from datetime import date
from typing import Any
from uuid import UUID

from sqlalchemy import Row

from services import acts, deadlines, numbers
from services.access import Actor, system
from services.database import Transaction
from services.errors import Conflict, Invalid, Refused
from services.money import store
from services.money.tables import ActiveDebt
from services.permits.offices import office_that
from services.permits.unforeseen import not_provided
from services.registry import store as registry
from services.registry.facts import facts
from tenants.law.decide import decide
from tenants.law.decision import Decision, Outcome
from tenants.law.kinds.terms import Late, Term
from tenants.law.law import Law
from tenants.law.questions import TermQuestion

ORDER = "order"


async def send_to_active_debt(tx: Transaction, actor: Actor, *, fine_id: UUID, on: date | None = None) -> UUID:
    """Send a fine to active debt; answers the fine's id.

    Raises:
        Refused: Its term still runs or stands still, it is not final, or the law knows no such order.
        Forbidden: The law gives the order to another office.
        Conflict: It has been paid, or sent before.
    """
    actor.must("read")
    day = on or tx.today
    if day > tx.today:
        raise Invalid("on", "future", "O dia da inscrição ainda não chegou.")
    fine = await _taken(tx, fine_id)
    if fine.debt is not None or store.left(fine) <= 0:
        raise Conflict(message="A multa já foi paga, ou já está em dívida ativa.")
    law = await tx.law(on=day)
    rows = await store.due(tx, fine_id)
    if not rows:
        raise not_provided(law, "prazo para pagar multas", Term.kind)
    last = await _over(tx, fine_id, day)
    term, late = _order(law, rows[-1].kind)
    office = office_that(law, actor, late.decides, "decide")
    decision = _decided(law, term, last, fine.category)
    act = await acts.record(
        tx,
        actor,
        "fine.sent_to_debt",
        on=("fine", fine_id),
        decision=decision,
        office=office,
        legal_day=day,
        changes={"brl": store.left(fine), "lastDay": last},
    )
    row = ActiveDebt(
        tenant_id=tx.tenant_id,
        number="",
        fine_id=fine_id,
        entered_on=day,
        brl=store.left(fine),
        decision=decision.plain(),
        act_id=act.id,
    )
    row.number = await numbers.take(tx, "active_debt", day.year)
    await registry.add(tx, row)
    return fine_id


async def _taken(tx: Transaction, fine_id: UUID) -> Row[Any]:
    """The fine, locked after its case, with everything recorded that is over."""
    case_id = await store.case_of(tx, fine_id)
    if case_id is not None:
        await deadlines.settle(tx, subject=("case", case_id))
    fine = await store.lock_fine(tx, fine_id)
    await deadlines.settle(tx, subject=("fine", fine_id))
    return fine


def _decided(law: Law, term: Term, last: date, category: str | None) -> Decision:
    """What the law says of the end of the term. Raises Refused where it has not said enough."""
    keys = {"category": category} if category else {}
    decision = decide(law, TermQuestion(code=term.code, start=last, keys=keys, last=last), facts(law))
    if not decision.permits:
        raise Refused(decision)
    return decision


async def _over(tx: Transaction, fine_id: UUID, day: date) -> date:
    """The last day to pay. Raises Refused while it is not past, or the fine may still fall."""
    await _must_be_final(tx, fine_id, day)
    rows = await store.due(tx, fine_id)
    last = store.over(rows, day)
    if last is None or last >= day:
        raise Refused(Decision(Outcome.DENIED, _still(rows[-1])))
    return last


def _still(row: Row[Any]) -> str:
    if row.state == "met":
        return f"O prazo para pagar a multa ({row.article}) já não corre: nada há que inscrever."
    if row.state == "suspended":
        return f"O prazo para pagar a multa ({row.article}) está suspenso desde {row.suspended_on:%d/%m/%Y}."
    return f"O prazo para pagar a multa não terminou: vai até {row.last_day:%d/%m/%Y} ({row.article})."


async def _must_be_final(tx: Transaction, fine_id: UUID, day: date) -> None:
    """Raises Refused while the fine may still fall, or once it has fallen."""
    charge = await store.charge_of(tx, fine_id)
    if charge is not None:
        if charge.final_on is None:
            said = f"A multa ainda não é definitiva: o processo {charge.number} corre."
            raise Refused(Decision(Outcome.DENIED, said))
        if charge.outcome == "dismissed":
            said = f"A multa foi afastada no processo {charge.number}: nada há que inscrever."
            raise Refused(Decision(Outcome.DENIED, said))
        return
    defence = await store.defence_of(tx, fine_id)
    if defence is None or (defence.final_on is not None and defence.final_on <= day):
        return
    if defence.last_day is None:
        raise Refused(Decision(Outcome.DENIED, "A multa ainda não é definitiva: o prazo de defesa não começou."))
    if defence.last_day >= day:
        until = f"{defence.last_day:%d/%m/%Y}"
        raise Refused(Decision(Outcome.DENIED, f"A multa ainda não é definitiva: cabe defesa até {until}."))


async def withdraw_debt(tx: Transaction, fine_id: UUID, on: date, *, why: str) -> None:
    """What was sent to be collected is not to be (cancelamento da inscrição), by an act; where anything was."""
    found = await store.debt(tx, fine_id)
    if found is None or found.cancelled_on is not None:
        return
    act = await acts.record(
        tx,
        system(tx.tenant_id),
        "debt.cancelled",
        on=("active_debt", found.id),
        legal_day=max(on, found.entered_on),
        changes={"fine": fine_id, "number": found.number, "brl": found.brl, "from": on},
        why=why,
    )
    await store.cancel_debt(tx, found.id, act.legal_day, act.id)


def _order(law: Law, code: str) -> tuple[Term, Late]:
    """What the law orders when the term is over. Raises Refused for a law that orders nothing."""
    term = law.get(Term, code)
    found = next((late for late in (term.late if term else ()) if late.effect and late.effect.do == ORDER), None)
    if term is None or found is None:
        raise not_provided(law, "inscrição em dívida ativa", Term.kind)
    return term, found
