"""What was proposed because a fine was overdue loses its ground when the fine is not due after all."""

from collections.abc import Collection
from typing import Any

from sqlalchemy import Row

from services import acts
from services.access import system
from services.acts.record import Act
from services.database import Transaction
from services.permits.endings import store as endings
from services.permits.renewals.standing import standings
from services.proceedings import store
from services.proceedings.pieces import NewPiece, file_piece
from tenants.law.kinds.terms import Term


async def overdue_no_more(tx: Transaction, act: Act, fine: Row[Any], kinds: Collection[str]) -> None:
    """Proposals that only this fine's lateness opened fall, each by an act; a case about one is told, and decides.

    Args:
        kinds: The terms of the fine that are not over any more.
    """
    law = await tx.law(on=tx.today)
    opened = {late.opens for kind in kinds if (term := law.get(Term, kind)) for late in term.late if late.opens}
    found = [row for row in await endings.proposals_of(tx, fine.permit_id) if row.state == "open"]
    lost = [row for row in found if row.ground in opened]
    if not lost:
        return
    late = {s.step.opens for each in await standings(tx, fine.permit_id) for s in each.begun}
    for proposal in lost:
        if proposal.ground not in late:
            await _falls(tx, act, fine, proposal)


async def _falls(tx: Transaction, act: Act, fine: Row[Any], proposal: Row[Any]) -> None:
    said = f"A multa {fine.number}, cujo atraso a motivou, foi impugnada com efeito suspensivo e não é exigível."
    charge = await store.case_of(tx, proposal_id=proposal.id)
    if charge is None:
        made = await acts.record(
            tx,
            system(tx.tenant_id),
            "proposal.dismissed",
            on=("proposal", proposal.id),
            changes={"fine": fine.id, "after": act.id},
            why=said,
        )
        await endings.close_proposal(tx, proposal.id, "dismissed", tx.today, made.id)
        return
    case = await store.lock_case(tx, charge.proceeding_id)
    if case.archived_on is None:
        made = await acts.record(
            tx, system(tx.tenant_id), "case.piece_added", on=("case", case.id), changes={"after": act.id}, why=said
        )
        new = NewPiece(kind="notice", title="Informação: multa não exigível", text=said, filed_on=tx.today)
        await file_piece(tx, case.id, made, new)
        case.version += 1
