"""What is final is carried out (execução da decisão): each effect by those whose act it is."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from decimal import Decimal
from typing import Any
from uuid import UUID

from services import acts
from services.access import Actor
from services.acts.record import Act
from services.database import Transaction
from services.enforcement.drawing import Offender
from services.enforcement.fining import fine_without_permit, issue_fine
from services.enforcement.tables import Fine
from services.errors import Conflict, Invalid, NotFound, Refused
from services.permits.endings.finalizing import finalize_ending
from services.permits.endings.proposing import END
from services.permits.endings.suspending import finalize_suspension
from services.proceedings import store
from services.proceedings.opening import SUSPEND
from services.proceedings.parties import respondents
from services.proceedings.path import Path
from services.proceedings.pieces import NewPiece, file_piece
from services.proceedings.progress import UPHELD, taken, touched
from services.proceedings.tables import Charge, Proceeding
from tenants.law.decision import Outcome
from tenants.law.kinds.effects import TITLES


async def enforce_charge(
    tx: Transaction,
    actor: Actor,
    *,
    case_id: UUID,
    charge_id: UUID,
    since: date | None = None,
    until: date | None = None,
    on: date | None = None,
    version: int | None = None,
    why: str | None = None,
) -> UUID:
    """Carry out what a final decision upheld; answers the case's id.

    Args:
        since: First and ``until`` last day of a suspension whose length the decision says.
        on: The day on which it is carried out, on which the person is told; today when it is not said.

    Raises:
        Refused: It is not final, or was dismissed.
        Forbidden: The law gives the act to another office.
        Conflict: It has been carried out.
    """
    actor.must("read")
    day = on or tx.today
    case = await taken(tx, case_id, version)
    charge = next((each for each in await store.charges(tx, case_id) if each.id == charge_id), None)
    if charge is None:
        raise NotFound("charge", charge_id)
    path = Path.of(await tx.law(on=tx.today), case.process)
    _must_be_final(path, charge, day, tx.today)
    changes = {"charge": charge_id, "infraction": charge.infraction, "effects": [e["do"] for e in charge.effects]}
    office = actor.must(_power(charge))
    act = await acts.record(
        tx, actor, "case.enforced", on=("case", case_id), office=office, legal_day=day, changes=changes, why=why
    )
    for effect in charge.effects:
        await _carry_out(tx, actor, case, charge, effect, day, {"since": since, "until": until})
    await _join(tx, act, case, charge, {"since": since, "until": until}, office, why)
    charge.enforced_on, charge.enforced_act = day, act.id
    charge.version += 1
    touched(case)
    await tx.session.flush()
    return case_id


async def _join(
    tx: Transaction,
    act: Act,
    case: Proceeding,
    charge: Charge,
    span: Mapping[str, date | None],
    office: str,
    why: str | None,
) -> None:
    """That it was carried out is a piece of the file: what, since when, and that the person is to comply."""
    drawn = "; ".join(_said(effect) for effect in charge.effects)
    said = [
        f"Decisão definitiva em {charge.final_on:%d/%m/%Y}: {charge.infraction} — {charge.title}.",
        f"Executa-se: {drawn}.",
        f"Desde {span['since']:%d/%m/%Y}." if span["since"] else "",
        f"Até {span['until']:%d/%m/%Y}." if span["until"] else "",
        f"Intime-se o autuado a cumprir, a contar de {act.legal_day:%d/%m/%Y}.",
        why or "",
    ]
    new = NewPiece(
        kind="enforcement",
        title=f"Execução da decisão: {charge.infraction}",
        text="\n".join(filter(None, said)),
        filed_on=act.legal_day,
        office=office,
    )
    await file_piece(tx, case.id, act, new)


def _said(effect: Mapping[str, Any]) -> str:
    """An effect as people read it."""
    what = effect.get("label") or TITLES[effect["do"]]
    money = effect.get("money")
    return f"{what} de R$ {Decimal(money['brl']):.2f}".replace(".", ",") if money else str(what)


def _power(charge: Charge) -> str:
    """The power that carrying it out takes."""
    kinds = {effect["do"] for effect in charge.effects}
    if "fine" in kinds and charge.fine_id is None:
        return "fine"
    return next((power for do, power in ((END, "cancel"), (SUSPEND, "suspend")) if do in kinds), "record")


def _must_be_final(path: Path, charge: Charge, day: date, today: date) -> None:
    """Raises Refused, Conflict, Invalid."""
    if charge.outcome != UPHELD or charge.final_on is None:
        said = "Só se executa o que foi mantido por decisão definitiva."
        raise Refused(replace(path.answer(), outcome=Outcome.DENIED, message=said, value=None))
    if charge.enforced_on is not None:
        raise Conflict(message="Esta penalidade já foi executada.")
    if not charge.final_on <= day <= today:
        raise Invalid("on", "order", "A execução não é anterior à decisão definitiva, nem futura.")


async def _carry_out(
    tx: Transaction,
    actor: Actor,
    case: Proceeding,
    charge: Charge,
    effect: Mapping[str, Any],
    day: date,
    span: Mapping[str, date | None],
) -> None:
    """A warning, an order and what was fined already need no more than the act."""
    if effect["do"] == END and charge.proposal_id is not None:
        await finalize_ending(tx, actor, proposal_id=charge.proposal_id, on=day)
    elif effect["do"] == SUSPEND and charge.proposal_id is not None:
        await finalize_suspension(
            tx, actor, proposal_id=charge.proposal_id, since=span["since"], until=span["until"], on=day
        )
    elif effect["do"] == "fine" and charge.fine_id is None:
        charge.fine_id = (await _fine(tx, actor, case, charge, day)).id


async def _fine(tx: Transaction, actor: Actor, case: Proceeding, charge: Charge, day: date) -> Fine:
    """Of the permit; without one, of whoever answers in the case, first of all by who they are in the register."""
    if case.permit_id is not None:
        given: dict[str, Any] = {"infractions": [charge.infraction], "seen_on": case.seen_on, "notified_on": day}
        return await issue_fine(tx, actor, permit_id=case.permit_id, final=True, **given)
    people = respondents(await store.parties(tx, case.id))
    who = next((each for each in people if charge.party_id in (None, each.id)), people[0])
    offender = Offender(
        driver_id=who.driver_id,
        name=who.name,
        told_category=case.category,
        known_holder=who.holder_id,
        person_id=who.person_id,
    )
    return await fine_without_permit(
        tx, actor, offender, infraction=charge.infraction, seen_on=case.seen_on, told_on=day, case_id=case.id
    )
