"""A case goes on: to its next step, with that step's term; nothing here is decided."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any
from uuid import UUID

from sqlalchemy import Row

from services import deadlines, terms
from services.acts.record import Act
from services.database import Transaction
from services.errors import Refused
from services.escalations import store as escalations
from services.proceedings import store
from services.proceedings.finality import make_final
from services.proceedings.parties import respondents
from services.proceedings.path import BY_SERVICE, PARTY, Path
from services.proceedings.tables import Charge, Proceeding
from services.registry.facts import facts
from tenants.law.kinds.proceedings import ProcessStep

CASE_STEP = "case_step"
UPHELD, DISMISSED = "upheld", "dismissed"


@dataclass(frozen=True, slots=True)
class Over:
    """How the step of a party ended: by what it filed, or by the end of its term."""

    on: date
    filed: bool

    @property
    def final_from(self) -> date:
        """What is filed ends the step at once; a term has its last day whole."""
        return self.on if self.filed else self.on + terms.DAY


async def taken(tx: Transaction, case_id: UUID, version: int | None = None) -> Proceeding:
    """The case, locked, with everything recorded that is over. Raises NotFound, Conflict."""
    await deadlines.settle(tx, subject=("case", case_id))
    return await store.lock_case(tx, case_id, version)


async def enter(tx: Transaction, act: Act, case: Proceeding, path: Path, step: ProcessStep, start: date) -> None:
    """The case waits at a step. Its term runs from ``start``, unless it runs from the service on each party."""
    case.step = step.code
    if step.actor != PARTY:
        await run(tx, act, case, path, step, start)
    elif step.after != BY_SERVICE:
        for party in respondents(await store.parties(tx, case.id)):
            await run(tx, act, case, path, step, start, party_id=party.id)


async def run(
    tx: Transaction,
    act: Act,
    case: Proceeding,
    path: Path,
    step: ProcessStep,
    start: date,
    *,
    party_id: UUID | None = None,
    must: bool = False,
) -> UUID | None:
    """Open the term of a step. None: the law gives it none. ``must``: raise Refused where it has not said which."""
    new = term_of(act, case, path, step, start, party_id=party_id, must=must)
    return None if new is None else (await deadlines.open_each(tx, [new]))[0]


def term_of(
    act: Act,
    case: Proceeding,
    path: Path,
    step: ProcessStep,
    start: date,
    *,
    party_id: UUID | None = None,
    must: bool = False,
) -> deadlines.NewDeadline | None:
    decision = path.term(step, start)
    if not decision.permits and must:
        raise Refused(decision)
    if not decision.permits or decision.value.last_day is None:
        return None
    said = decision.plain()
    return deadlines.NewDeadline(
        kind=step.code,
        rule=step.code,
        subject_kind="case",
        subject_id=case.id,
        opened_on=start,
        last_day=decision.value.last_day,
        article=terms.articles(step.cite or path.rule.cite),
        opened_act=act.id,
        inputs={
            "process": path.rule.code,
            "event": step.after,
            "on": start.isoformat(),
            "party": str(party_id) if party_id else None,
            "rule": said["rules"],
            "message": said["message"],
            "readings": said["readings"],
        },
        counted=said["value"],
        follows=[{"do": CASE_STEP}],
    )


async def meet(tx: Transaction, act: Act, case: Proceeding, step: str, on: date, party_id: UUID | None = None) -> None:
    """Close as met what runs of a step, everybody's or one party's."""
    for term in await store.terms(tx, case.id, step):
        if term.state in ("open", "suspended") and party_id in (None, UUID(term.party) if term.party else None):
            await deadlines.meet(tx, term.id, on=on, act_id=act.id)
    if party_id is None:
        await escalations.close(tx, ("case", case.id), [step], on, act.id)


async def ended_for(
    tx: Transaction, case: Proceeding, step: ProcessStep, parties: Sequence[Row[Any]]
) -> dict[UUID, Over]:
    """Of each respondent for whom the step is over, how it ended."""
    filed = await store.filed(tx, case.id, step.code)
    ended = {id: Over(day, filed=True) for id, day in filed.items()}
    for term in await store.terms(tx, case.id, step.code):
        party = UUID(term.party) if term.party else None
        if party is not None and term.state == "expired":
            ended.setdefault(party, Over(term.last_day, filed=False))
    known = {party.id for party in parties}
    return {id: over for id, over in ended.items() if id in known}


def concerned(charge: Charge, parties: Sequence[Row[Any]]) -> list[UUID]:
    """Whose charge it is."""
    return [charge.party_id] if charge.party_id else [party.id for party in parties]


async def awaited(tx: Transaction, case: Proceeding, step: ProcessStep, left: Sequence[Charge]) -> set[UUID]:
    """Whose turn it still is in a party's step: who may defend themselves, or appeal against what was upheld."""
    parties = respondents(await store.parties(tx, case.id))
    theirs = [each for each in left if each.outcome == UPHELD or (step.instance == 1 and each.outcome is None)]
    whose = {id for each in theirs for id in concerned(each, parties)}
    return whose - (await ended_for(tx, case, step, parties)).keys()


async def go_on(
    tx: Transaction, act: Act, case: Proceeding, path: Path, step: ProcessStep, *, joined_on: date | None = None
) -> None:
    """After a party has filed, or its term is over: what has become final, and whether all have had their turn.

    ``joined_on``: when what was filed came into the file, before which nobody has to answer it.
    """
    parties = respondents(await store.parties(tx, case.id))
    ended = await ended_for(tx, case, step, parties)
    running = [each for each in await store.charges(tx, case.id) if each.final_on is None]
    appealing = step.instance > 1
    for charge in running:
        whose = concerned(charge, parties)
        if all(id in ended for id in whose) and _unchallenged(charge, [ended[id] for id in whose], appealing):
            day = max(ended[id].final_from for id in whose)
            refused = charge.decided_on if step.instance > 2 else None
            await make_final(tx, case, charge, day, act=act, refused_on=refused)
    left = [each for each in running if each.final_on is None]
    if not left:
        case.step = None
    elif not await awaited(tx, case, step, left):
        start = max([over.on for over in ended.values()] + ([joined_on] if joined_on else []), default=act.legal_day)
        await _leave(tx, act, case, path, step, left, list(ended.values()), start)
    await tx.session.flush()


def _unchallenged(charge: Charge, ended: Sequence[Over], appealing: bool) -> bool:
    """What nobody has appealed; or a penalty applied at once against which nobody has defended themselves."""
    if appealing:
        return charge.appealed_on is None
    return charge.applied and charge.appealed_on is None and not any(over.filed for over in ended)


async def _leave(
    tx: Transaction,
    act: Act,
    case: Proceeding,
    path: Path,
    step: ProcessStep,
    left: Sequence[Charge],
    ended: Sequence[Over],
    start: date,
) -> None:
    """All have had their turn: to the next step, or straight to the second instance where that was chosen."""
    appeal = path.appeal_from(step.instance)
    if appeal and not any(each.outcome for each in left) and any(each.appealed_on for each in left):
        for each in left:
            each.appealed_on, each.appealed_act = start, act.id
        await enter(tx, act, case, path, path.judged_at(appeal.instance), start)
        return
    following = path.after(step, defended=any(over.filed for over in ended))
    if following is not None:
        await enter(tx, act, case, path, following, start)


async def happened(tx: Transaction, act: Act, case: Proceeding, event: str, on: date) -> None:
    """An event of the case: terms of the law that it sets running, or meets."""
    law = await tx.law(on=on)
    keys = {"category": case.category} if case.category else {}
    await terms.meet(tx, act, law, subject=("case", case.id), events=[event], on=on)
    running = terms.started(law, facts(law), of="case", event=event, on=on, keys=keys)
    await terms.open_started(tx, act, running, subject=("case", case.id), on=on)


def touched(case: Proceeding) -> None:
    """The case as someone saw it is no longer the case as it is."""
    case.version += 1


def night_act(tx: Transaction, due: deadlines.Due) -> Act:
    """The act by which a deadline was found to be over, as what follows rests on it."""
    return Act(due.act_id, "deadline.expired", tx.now, due.last_day, "deadline", due.id)
