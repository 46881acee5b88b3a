"""What a penalty draws waits while it is challenged (efeito suspensivo): its payment term stands still."""

from datetime import date

from services.acts.record import Act
from services.database import Transaction
from services.proceedings import payments
from services.proceedings.tables import Charge, Proceeding


async def suspend(tx: Transaction, act: Act, charge: Charge, on: date) -> None:
    """From a day on nothing that the charge draws takes effect."""
    if charge.suspended_on is not None:
        return
    charge.suspended_on, charge.suspended_act = on, act.id
    charge.version += 1
    if charge.fine_id is not None:
        await payments.stop(tx, act, charge.fine_id, on)


async def cancel(tx: Transaction, act: Act, charge: Charge, on: date) -> None:
    """Nothing is due any more."""
    if charge.fine_id is not None:
        await payments.cancel(tx, act, charge.fine_id, on)


async def release(
    tx: Transaction, act: Act, case: Proceeding, charge: Charge, on: date, refused_on: date | None = None
) -> None:
    """It runs again from a day on; ``refused_on``: anew where the law counts from the refusal of an appeal."""
    if charge.fine_id is not None:
        await payments.go_on(tx, act, charge.fine_id, case.category, on, refused_on)
