"""Where a permit stands with its terms on a day (situação): what is late, since when, and what that draws."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any
from uuid import UUID

from sqlalchemy import Row

from services.database import Reader
from services.deadlines import store as deadlines
from services.enforcement import store as enforcement
from services.permits import store
from services.permits.endings import store as endings
from services.permits.renewals import store as renewals
from services.registry.facts import facts
from tenants.law.decide import decide
from tenants.law.decision import Decision
from tenants.law.facts import FactValue
from tenants.law.kinds.infractions import Infraction
from tenants.law.kinds.terms import Term
from tenants.law.law import Law
from tenants.law.questions import InfractionsQuestion, LateStep, TermQuestion

RUNNING = ("open", "suspended", "expired")
ABSENCE = "absence_started"


@dataclass(frozen=True, slots=True)
class Consequence:
    """A step of lateness that has begun. ``codes``: the infractions that it is; ``fined``: that was done already."""

    step: LateStep
    codes: tuple[str, ...]
    draws: Decision | None
    fined: bool

    @property
    def process(self) -> bool:
        """It may only be opened, not applied."""
        return self.step.opens is not None


@dataclass(frozen=True, slots=True)
class Standing:
    """A term of a permit, its licence or a final fine that has not been met, and what has come of it by the day."""

    term: Term
    deadline: Row[Any]
    decision: Decision
    begun: tuple[Consequence, ...]


async def standings(tx: Reader, permit_id: UUID, on: date | None = None) -> list[Standing]:
    """Every unmet term of a permit, its licences and its final fines on a day, the earliest last day first.

    Raises:
        NotFound: There is no such permit.
    """
    law = await tx.law(on=on or tx.today)
    permit = await store.permit(tx, permit_id, law.on)
    licences = [("licence", row.id) for row in await renewals.licences(tx, permit_id)]
    fines = [("fine", id) for id in await enforcement.final_fines_of(tx, permit_id, law.on)]
    rows = await deadlines.of_subjects(tx, [("permit", permit_id), *licences, *fines], law.on)
    absences = await endings.absences_of(tx, permit_id)
    found = []
    for root in rows:
        term = law.get(Term, root.kind)
        if term is None or "after" in root.inputs or root.state_today not in RUNNING or root.opened_on > law.on:
            continue
        late = [row for row in rows if row.inputs.get("after") == str(root.id)]
        found.append(await _standing(tx, law, permit, term, root, late, absences))
    return found


async def _standing(
    tx: Reader,
    law: Law,
    permit: Row[Any],
    term: Term,
    root: Row[Any],
    late: Sequence[Row[Any]],
    absences: Sequence[Row[Any]],
) -> Standing:
    question = TermQuestion(code=term.code, start=root.opened_on, keys=keys_of(permit), last=root.last_day)
    decision = decide(law, question, facts(law, {"permit.category": permit.category}))
    away = next((row for row in absences if term.starts == ABSENCE and row.since == root.opened_on), None)
    known = {} if away is None else {"offence.justified": away.justified}
    steps = decision.value.late if decision.value else ()
    stopped = root.state_today == "suspended"
    begun = [await consequence(tx, permit, s, known) for s in steps if not stopped and _begun(s, late, law.on)]
    return Standing(term, root, decision, tuple(begun))


def _begun(step: LateStep, late: Sequence[Row[Any]], day: date) -> bool:
    """By its own deadline, where one has been opened and may have been met; else by its day."""
    own = [row for row in late if row.last_day == step.last_day_before and row.rule in (step.infraction, step.opens)]
    return own[0].state_today == "expired" if own else day > step.last_day_before


async def consequence(
    tx: Reader, permit: Row[Any], step: LateStep, known: Mapping[str, FactValue | None]
) -> Consequence:
    """What a step of lateness draws, under the law of its first day."""
    law = await tx.law(on=step.first_day)
    codes = (step.infraction, *step.also) if step.infraction else ()
    if step.opens and law.get(Infraction, step.opens):
        codes = (step.opens,)
    draws = await drawn(tx, law, permit, codes, known) if codes else None
    done = bool(step.infraction) and await renewals.fined(tx, permit.id, codes, step.first_day)
    return Consequence(step, codes, draws, done)


async def drawn(
    tx: Reader, law: Law, permit: Row[Any], codes: Sequence[str], known: Mapping[str, FactValue | None]
) -> Decision:
    """What one fact draws that is all these infractions, after what the holder was fined for before."""
    events = await enforcement.events(tx, permit.holder_id, law.on)
    question = InfractionsQuestion(
        codes=tuple(codes), keys={**keys_of(permit), "holder": str(permit.holder_id)}, events=events
    )
    of_case = {"permit.category": permit.category, "offence.by_holder": True}
    return decide(law, question, facts(law, of_case, known))


def keys_of(permit: Row[Any]) -> dict[str, str]:
    return {"category": permit.category}
