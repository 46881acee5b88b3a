"""A fine is paid (recolhimento): its term is met when all of it is."""

from datetime import date
from decimal import Decimal
from typing import Any
from uuid import UUID

from sqlalchemy import Row

from services import acts, deadlines, terms
from services.access import Actor
from services.database import Transaction
from services.errors import Conflict, Invalid
from services.money import store
from services.money.tables import Payment
from services.registry import store as registry

CENTS = 2


async def record_payment(
    tx: Transaction,
    actor: Actor,
    *,
    fine_id: UUID,
    brl: Decimal,
    reference: str,
    paid_on: date | None = None,
) -> UUID:
    """Record what was paid of a fine; answers the fine's id.

    Args:
        brl: In reais, with cents at most.
        reference: The receipt's number, once in a town.

    Raises:
        Invalid: It is more than is due, or the receipt is recorded already.
        Conflict: The fine was dismissed.
    """
    office, day = actor.must("register"), paid_on or tx.today
    fine = await store.lock_fine(tx, fine_id)
    await deadlines.settle(tx, day, ("fine", fine_id))
    await _must_be_due(tx, fine, brl, reference, day)
    act = await acts.record(
        tx,
        actor,
        "fine.paid",
        on=("fine", fine_id),
        office=office,
        legal_day=day,
        changes={"brl": brl, "left": store.left(fine) - brl},
    )
    row = Payment(tenant_id=tx.tenant_id, fine_id=fine_id, paid_on=day, brl=brl, reference=reference, act_id=act.id)
    await registry.add(tx, row)
    if brl == store.left(fine):
        law = await tx.law(on=day)
        await terms.meet(tx, act, law, subject=("fine", fine_id), events=["paid"], on=day)
    await deadlines.settle(tx, subject=("fine", fine_id))
    return fine_id


async def _must_be_due(tx: Transaction, fine: Row[Any], brl: Decimal, reference: str, day: date) -> None:
    charge = await store.charge_of(tx, fine.id)
    if charge is not None and charge.outcome == "dismissed":
        raise Conflict(message="Esta multa foi afastada: nada há que pagar.")
    if day > tx.today:
        raise Invalid("paidOn", "future", "O pagamento não pode ser futuro.")
    if day < fine.seen_on:
        raise Invalid("paidOn", "order", f"O fato é de {fine.seen_on:%d/%m/%Y}: nada se pagou antes dele.")
    if not 0 < brl <= store.left(fine) or -brl.as_tuple().exponent > CENTS:  # type: ignore[operator]
        raise Invalid("brl", "out_of_bounds", f"Faltam pagar R$ {store.left(fine):.2f}.")
    if not reference.strip() or await store.reference_taken(tx, reference):
        raise Invalid("reference", "taken", "Diga o número do comprovante, ainda não registrado.")
