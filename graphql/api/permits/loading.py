"""A permit's life with just the parts that are asked for: one statement for each."""

from datetime import date
from typing import Any
from uuid import UUID

from sqlalchemy import Row

from api.permits.types import (
    Absence,
    Extension,
    LateConsequence,
    PermitLife,
    Proposal,
    RenewalLapse,
    RenewalPackage,
    RenewalRequest,
    Substitute,
    Suspension,
    TermStanding,
    Transfer,
)
from api.register.loading import deadline_of
from api.selection import Selection
from api.types.decisions import Decision, Norms
from api.types.scalars import global_id
from services.database import Reader
from services.permits import store as permits
from services.permits.endings import store as endings
from services.permits.renewals import package, standing
from services.permits.renewals import store as renewals
from services.permits.substitutes import store as substitutes
from services.permits.transfers import store as transfers


async def life_of(tx: Reader, id: UUID, wanted: Selection, day: date) -> PermitLife:
    """One permit's, as it is on a day. Raises NotFound."""
    row, norms = await permits.permit(tx, id, day), (await tx.law(on=day)).norms
    life = PermitLife(id=global_id("permit", id), number=row.number, state=row.state, version=row.version)
    if "suspended" in wanted:
        life.suspended = (await endings.lives(tx, [id], day))[id].suspended
    if "standing" in wanted:
        life.standing = [standing_of(each, norms) for each in await standing.standings(tx, id, day)]
    if "requests" in wanted:
        life.requests = [request_of(each, norms) for each in await renewals.requests_of(tx, id)]
    if "extensions" in wanted:
        life.extensions = [extension_of(each) for each in await renewals.extensions_of(tx, id)]
    if "transfers" in wanted:
        life.transfers = [transfer_of(each) for each in await transfers.of_permit(tx, id)]
    await _serving(tx, life, id, wanted, day, norms)
    return life


async def _serving(tx: Reader, life: PermitLife, id: UUID, wanted: Selection, day: date, norms: Norms) -> None:
    """Who drives, who is away, and what is to become of it."""
    if "substitutes" in wanted:
        life.substitutes = [substitute_of(each) for each in await substitutes.of_permit(tx, id, day)]
    if "absences" in wanted:
        life.absences = [absence_of(each) for each in await endings.absences_of(tx, id)]
    if "proposals" in wanted:
        life.proposals = [proposal_of(each, norms) for each in await endings.proposals_of(tx, id)]
    if "suspensions" in wanted:
        life.suspensions = [suspension_of(each) for each in await endings.suspensions_of(tx, id, day)]


def standing_of(found: standing.Standing, norms: Norms) -> TermStanding:
    return TermStanding(
        term=found.term.code,
        title=found.term.title,
        deadline=deadline_of(found.deadline),
        decision=Decision.of(found.decision.plain(), norms),
        begun=[consequence_of(each, norms) for each in found.begun],
    )


def consequence_of(found: standing.Consequence, norms: Norms) -> LateConsequence:
    step = found.step
    return LateConsequence(
        last_day_in_time=step.last_day_before,
        first_day=step.first_day,
        infractions=list(found.codes),
        opens=step.opens,
        decides=step.decides,
        fined=found.fined,
        decision=Decision.of(found.draws.plain(), norms) if found.draws else None,
    )


def request_of(row: Row[Any], norms: Norms) -> RenewalRequest:
    return RenewalRequest(
        id=global_id("renewal_request", row.id),
        requested_on=row.requested_on,
        complete=row.complete,
        decision=Decision.of(row.decision, norms),
    )


def package_of(found: package.Package, norms: Norms) -> RenewalPackage:
    return RenewalPackage(
        since=found.since,
        until=found.until,
        decision=Decision.of(found.decision.plain(), norms),
        lapses=[
            RenewalLapse(
                what=each.what,
                code=each.code,
                title=each.title,
                message=each.message,
                articles=each.articles,
                last_day=each.last_day,
                days=each.days,
            )
            for each in found.lapses
        ],
    )


def extension_of(row: Row[Any]) -> Extension:
    return Extension(id=global_id("extension", row.id), since=row.since, until=row.until)


def substitute_of(row: Row[Any]) -> Substitute:
    return Substitute(
        id=global_id("substitute", row.id),
        name=row.name,
        rule=row.rule,
        role=row.role,
        since=row.since,
        until=row.until,
        state=row.state,
        version=row.version,
    )


def transfer_of(row: Row[Any]) -> Transfer:
    return Transfer(
        id=global_id("transfer", row.id),
        from_number=row.from_number,
        to_number=row.to_number,
        cause=row.cause,
        rule=row.rule,
        requested_on=row.requested_on,
        event_on=row.event_on,
        transferred_on=row.transferred_on,
        remaining=row.remaining,
        locked_until=row.locked_until,
        barred_until=row.barred_until,
        fee_units=row.fee_units,
        fee_unit=row.fee_unit,
        fee_brl=row.fee_brl,
        declared=row.declared,
    )


def absence_of(row: Row[Any]) -> Absence:
    return Absence(id=global_id("absence", row.id), since=row.since, until=row.until, justified=row.justified)


def proposal_of(row: Row[Any], norms: Norms) -> Proposal:
    return Proposal(
        id=global_id("proposal", row.id),
        effect=row.effect,
        cause=row.cause,
        ground=row.ground,
        proposed_on=row.proposed_on,
        office=row.office,
        state=row.state,
        closed_on=row.closed_on,
        version=row.version,
        decision=Decision.of(row.decision, norms),
    )


def suspension_of(row: Row[Any]) -> Suspension:
    return Suspension(
        id=global_id("suspension", row.id), since=row.since, until=row.until, state=row.state, version=row.version
    )
