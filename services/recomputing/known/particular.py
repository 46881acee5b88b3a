"""A deadline that follows what is known of a vehicle, a paper or a substitute, counted again."""

from dataclasses import dataclass
from datetime import date
from typing import Any

from sqlalchemy import Row

from services.fleet.drawing import follows
from services.fleet.running import STAY, cure_of
from services.inspections.facts import seen_facts
from services.recomputing.causes import Cause
from services.recomputing.counting import Count, Moved
from services.recomputing.known.knowing import PAPER, VEHICLE, Known
from services.registry import validity
from services.registry.facts import facts, vehicle_facts
from services.terms import articles
from tenants.law.decide import decide
from tenants.law.decision import Decision, Outcome
from tenants.law.evaluation import Evaluation
from tenants.law.facts import Facts
from tenants.law.kinds.requirements import Inspection, Requirement, VehicleAge
from tenants.law.kinds.transfers import Crew, Substitute
from tenants.law.law import Law
from tenants.law.questions import InspectionAnswer, InspectionQuestion, VehicleAgeAnswer, VehicleAgeQuestion


@dataclass(frozen=True, slots=True)
class Particular:
    """Counts such rows again for one cause.

    What is known of them may have changed since: only what the law as it was known gave them moves.
    """

    cause: Cause

    def counts(self, row: Row[Any], known: Known) -> bool:
        """A vehicle has terms of other rules too, which follow from their rows alone."""
        laws = [days.on(known.day) for days in (self.cause.now, self.cause.then)]
        return known.of != VEHICLE or any(law.get(kind, row.rule) for law in laws for kind in (VehicleAge, Inspection))

    def moved(self, row: Row[Any], known: Known) -> Moved | None:
        now = counted(self.cause.now.on(known.day), row, known)
        if now is None or now.last_day == row.last_day:
            return None
        then = counted(self.cause.then.on(known.day), row, known)
        if then is not None and then.last_day == now.last_day:
            return None
        if (then is None or then.last_day != row.last_day) and not self._as_it_was(row, known):
            return None
        return Moved(row, now)

    def _as_it_was(self, row: Row[Any], known: Known) -> bool:
        before = counted(self.cause.known_at(known.seq).on(known.day), row, known)
        return before is not None and before.last_day == row.last_day


def counted(law: Law, row: Row[Any], known: Known) -> Count | None:
    """By the law of its day; None: that law does not say where it ends."""
    if known.of == VEHICLE:
        return _age(law, row, known) or _inspection(law, row, known)
    return _paper(law, known) if known.of == PAPER else _substitute(law, known)


def _facts(law: Law, known: Known) -> Facts:
    """As they were told when it was opened."""
    row = known.row
    serves = {
        "permit.category": row.category,
        "permit.granted_on": row.granted_on,
        "permit.active": row.permit_id is not None,
        "vehicle.in_service": row.permit_id is not None,
    }
    seen = seen_facts(law, row, row.category, row.plate) if row.category else {}
    return facts(law, vehicle_facts(law, row, holder_id=row.permit_holder_id), seen, serves)


def _age(law: Law, row: Row[Any], known: Known) -> Count | None:
    """How long it may stay in service, with what was granted."""
    if row.kind != row.rule or law.get(VehicleAge, row.rule) is None:
        return None
    question = VehicleAgeQuestion(category=known.row.category, at=STAY, papers=known.papers)
    decision = decide(law, question, _facts(law, known))
    for part in decision.parts:
        if isinstance(value := part.value, VehicleAgeAnswer) and value.rule == row.rule:
            return Count(value.last_day, part, value, follows=follows(value.infraction))
    return None


def _inspection(law: Law, row: Row[Any], known: Known) -> Count | None:
    """When the next is due, or until when what one has found is to be mended."""
    rule = law.get(Inspection, row.rule)
    cure = row.kind == cure_of(row.rule)
    if rule is None or not (cure or row.kind == row.rule):
        return None
    question = InspectionQuestion(
        category=known.row.category,
        last_on=row.opened_on if cure or known.row.renews else None,
        of=rule.of,
        plate=known.row.plate,
        found_on=row.opened_on if cure else None,
        code=rule.code,
    )
    decision = decide(law, question, _facts(law, known))
    value = decision.value
    if not isinstance(value, InspectionAnswer):
        return None
    last = value.cure_until if cure else value.due_on
    if last is None:
        return None
    drawn = follows(value.missed.infraction, value.missed.opens) if value.missed else follows(None)
    return Count(last, decision, {"last_day": last} if cure else value, follows=drawn)


def _paper(law: Law, known: Known) -> Count | None:
    """The earlier of its own last day and of the validity that a demand gives it."""
    found = validity.demanded(law, known.row)
    if found is None:
        return None
    rule, last = found
    drawn = follows(validity.drawn(rule))
    return Count(
        last, _said(law, rule, last), {"last_day": last}, follows=drawn, rule=rule.code, article=articles(rule.cite)
    )


def _substitute(law: Law, known: Known) -> Count | None:
    """Where no certificate says how long, the law does; but no longer than the permit."""
    row = known.row
    rule = law.get(Crew, row.rule) if row.role else law.get(Substitute, row.rule)
    ends = rule.lasts if isinstance(rule, Crew) else rule.ends if rule is not None else None
    if rule is None or ends is None:
        return None
    told = {
        "permit.category": row.category,
        "permit.granted_on": row.granted_on,
        "permit.active": True,
        "holder.kind": row.holder_kind,
        "driver.role": row.role,
    }
    last = Evaluation(law, facts(law, told)).day(ends)
    if last is None:
        return None
    bound: date = min(last, row.bound or last)
    return Count(bound, _said(law, rule, bound), {"last_day": bound})


def _said(law: Law, rule: Requirement | Substitute | Crew, last: date) -> Decision:
    ev = Evaluation(law, Facts({}, law.vocabulary))
    if found := law.find(rule.kind, rule.code):
        ev.uses(found)
    return ev.decide(Outcome.VALUE, f"{rule.title or rule.code}: até {last:%d/%m/%Y}.", value={"last_day": last})
