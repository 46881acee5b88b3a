"""Whoever is called comes with their papers (comparecimento); at last the campaign is closed (encerramento)."""

from datetime import date
from typing import Any
from uuid import UUID

from sqlalchemy import Row

from services import acts, deadlines
from services.access import Actor
from services.campaigns import store
from services.database import Reader, Transaction
from services.deadlines import store as deadline_rows
from services.drivers import store as drivers
from services.drivers.facts import driver_facts
from services.errors import Conflict, Invalid, Refused
from services.fleet.deciding import must_permit
from services.permits import store as permits
from services.permits.eligibility import Pairing, case_of
from services.registry import store as registry
from services.registry.facts import paper_facts
from tenants.law.decide import decide
from tenants.law.decision import Decision, Outcome
from tenants.law.law import Law
from tenants.law.questions import EligibilityQuestion

AT = "campaign"  # the occasion: what is asked on it, and always


async def attend_campaign(
    tx: Transaction, actor: Actor, *, summons_id: UUID, on: date | None = None, judged: bool = False
) -> UUID:
    """Record that someone who was called came, with all that the law asks of them; answers the summons' id.

    Who comes after the last day is recorded as late: what missing it draws stays.

    Raises:
        Refused: Something that the law asks is not there; carries every answer.
        Conflict: They came before.
        Invalid: The day has not come, or is before the campaign.
    """
    office, day = actor.must("register"), on or tx.today
    call = await store.call(tx, summons_id, tx.today, lock=True)
    campaign = await store.campaign(tx, call.campaign_id)
    if day > tx.today:
        raise Invalid("on", "future", "O dia do comparecimento ainda não chegou.")
    if day < campaign.opened_on:
        raise Invalid("on", "order", "A campanha ainda não estava aberta nesse dia.")
    if call.attended_on is not None:
        raise Conflict(message=f"O comparecimento já está registrado em {call.attended_on:%d/%m/%Y}.")
    subject = ("driver", call.driver_id) if call.driver_id else ("permit", call.permit_id)
    await deadlines.settle(tx, day, subject)
    law = await tx.law(on=day)
    decision = await asked_of(tx, law, call)
    must_permit(decision, judged=judged)
    act = await acts.record(
        tx, actor, "campaign.attended", on=("summons", summons_id), decision=decision, office=office, legal_day=day
    )
    await store.attend(tx, summons_id, day, act.id, decision.plain())
    if await runs(tx, call.deadline_id):
        await deadlines.meet(tx, call.deadline_id, on=day, act_id=act.id)
    return summons_id


async def runs(tx: Reader, deadline_id: UUID) -> bool:
    """Is the term still to be met?"""
    row = await deadline_rows.by_id(tx, deadline_id)
    return row is not None and row.state in ("open", "suspended")


async def asked_of(tx: Reader, law: Law, call: Row[Any]) -> Decision:
    """What the law asks of whoever is called: of a holder with the vehicle, or of a driver alone."""
    vehicle = await permits.vehicle_of(tx, call.permit_id, law.on)
    vehicle_id = vehicle.vehicle_id if vehicle else None
    case = await case_of(tx, law, Pairing(call.category, call.holder_id, vehicle_id, call.granted_on))
    if call.driver_id is None:
        return case.eligible(law, AT)
    rows = await drivers.standing(tx, law.on, drivers=[call.driver_id])
    own = next((row for row in rows if row.holder_id == call.holder_id), rows[0])
    known = driver_facts(law, own, law.on, is_holder=own.holder_id is None)
    told = case.telling({code: value for code, value in known.items() if value is not None})
    papers = paper_facts(await registry.papers(tx, [call.driver_id]), [call.driver_id])
    question = EligibilityQuestion(call.category, case.holder_kind, AT, papers, of=("driver",))
    return decide(law, question, told.facts)


async def close_campaign(
    tx: Transaction, actor: Actor, *, campaign_id: UUID, version: int | None = None, on: date | None = None
) -> UUID:
    """Close a campaign; answers its id.

    Raises:
        Refused: Someone's term still runs.
        Conflict: It is closed, or has changed since.
    """
    office, day = actor.must("register"), on or tx.today
    campaign = await store.campaign(tx, campaign_id, lock=True)
    if day > tx.today or day < campaign.opened_on:
        raise Invalid("on", "order", "O dia do encerramento está fora da campanha.")
    if version is not None and campaign.version != version:
        raise Conflict(version, campaign.version)
    if campaign.closed_on is not None:
        raise Conflict(message=f"A campanha foi encerrada em {campaign.closed_on:%d/%m/%Y}.")
    counts = (await store.counts(tx, [campaign_id], day))[campaign_id]
    if running := counts.get("called", 0):
        raise Refused(Decision(Outcome.DENIED, f"O prazo ainda corre para {running} convocado(s)."))
    subject = ("campaign", campaign_id)
    act = await acts.record(
        tx, actor, "campaign.closed", on=subject, office=office, legal_day=day, changes={"counts": counts}
    )
    await store.close(tx, campaign_id, day, act.id)
    return campaign_id
