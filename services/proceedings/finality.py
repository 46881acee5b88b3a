"""What nobody can challenge any more is final (decisão definitiva), at once and part by part."""

from datetime import date

from services import acts
from services.access import system
from services.acts.record import Act
from services.database import Transaction
from services.permits.endings import store as endings
from services.proceedings import effects
from services.proceedings.tables import Charge, Proceeding

UPHELD, DISMISSED = "upheld", "dismissed"


async def make_final(
    tx: Transaction, case: Proceeding, charge: Charge, day: date, *, act: Act, refused_on: date | None = None
) -> None:
    """A charge as it was decided, or as it was applied and nobody challenged it, is final from a day on.

    Args:
        act: On what it rests.
        refused_on: The day on which an appeal was refused, from which the law may count the payment anew.
    """
    outcome = charge.outcome or UPHELD
    final = await acts.record(
        tx,
        system(tx.tenant_id),
        "case.final",
        on=("case", case.id),
        legal_day=day,
        changes={"charge": charge.id, "infraction": charge.infraction, "outcome": outcome, "after": act.id},
    )
    if charge.outcome is None:
        charge.outcome, charge.decided_on, charge.decided_act = outcome, day, final.id
    if outcome == DISMISSED:
        await effects.cancel(tx, final, charge, day)
        if charge.proposal_id is not None:
            await endings.close_proposal(tx, charge.proposal_id, DISMISSED, day, final.id)
    else:
        await effects.release(tx, final, case, charge, day, refused_on)
    charge.suspended_on = charge.suspended_act = None
    charge.final_on, charge.final_act = day, final.id
    charge.version += 1
    await tx.session.flush()


async def withdraw(tx: Transaction, charge: Charge, *, undecided: bool) -> None:
    """What was taken for final was challenged in time after all: it is not, and nothing of it is carried out.

    Args:
        undecided: Nor does its decision stand, which had not heard the challenge.
    """
    if undecided:
        charge.outcome = charge.decided_on = charge.decided_act = None
    charge.enforced_on = charge.enforced_act = None
    charge.final_on = charge.final_act = None
    charge.version += 1
    await tx.session.flush()
