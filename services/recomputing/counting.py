"""A term that runs, counted again: by the rule and the law of its day, from what it was opened with."""

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Any

from sqlalchemy import Row

from services.proceedings.payments import suspensions
from services.recomputing.causes import Cause, Days
from services.registry.facts import facts
from tenants.law.calendar import Suspensions
from tenants.law.decide import decide
from tenants.law.decision import Decision
from tenants.law.facts import Facts
from tenants.law.kinds.proceedings import Process
from tenants.law.kinds.requirements import Campaign
from tenants.law.kinds.terms import Term
from tenants.law.law import Law
from tenants.law.quantity import Length, parse_literal
from tenants.law.questions import CampaignQuestion, InstrumentQuestion, StepQuestion, TermQuestion


@dataclass(frozen=True, slots=True)
class Count:
    """Where a term ends, by which decision. ``counted``: as its row keeps it; ``term``: the law's own that it is.

    ``follows``, ``rule``, ``article``: what else its row says from then on; None: as before.
    """

    last_day: date
    decision: Decision
    counted: Any = None
    term: Term | None = None
    follows: Sequence[Mapping[str, Any]] | None = None
    rule: str | None = None
    article: str | None = None
    written: dict[str, Any] = field(default_factory=dict, compare=False)  # what many rows write of it, made once

    def once(self, what: str, make: Callable[[], Any]) -> Any:
        if what not in self.written:
            self.written[what] = make()
        return self.written[what]


@dataclass(frozen=True, slots=True)
class Moved:
    """A deadline whose last day the publication puts elsewhere."""

    row: Row[Any]
    count: Count


@dataclass(frozen=True, slots=True)
class Case:
    """What a count depends on: rows that agree in it are counted once."""

    kind: str
    rule: str
    of: str
    on: date
    start: date
    certain: bool
    category: str | None
    granted_on: date | None
    process: str | None
    step: str | None
    event: str | None
    late: bool
    length: str | None
    plate: str | None
    stood_still: Suspensions

    @classmethod
    def of_row(cls, row: Row[Any]) -> "Case":
        inputs = row.inputs
        started = row.started or inputs.get("on")
        late = "after" in inputs and "late" in inputs
        return cls(
            kind=row.kind,
            rule=row.rule,
            of=row.subject_kind,
            on=row.opened_on,
            start=row.opened_on if late or started is None else date.fromisoformat(started),
            certain=late or row.started is not None,
            category=row.category,
            granted_on=row.granted_on,
            process=inputs.get("process"),
            step=inputs.get("step"),
            event=inputs.get("event"),
            late=late,
            length=inputs.get("length"),
            plate=row.plate if "campaign" in inputs else None,
            stood_still=suspensions(inputs),
        )


@dataclass(slots=True)
class Counter:
    """Counts rows again for one cause, each case once."""

    cause: Cause
    known: dict[Hashable, Count | None] = field(default_factory=dict)

    def moved(self, row: Row[Any]) -> Moved | None:
        """None: the publication leaves it where it is, or it was not counted from what its row keeps."""
        case = Case.of_row(row)
        now = self._count("now", self.cause.now, case)
        if now is None or now.last_day == row.last_day:
            return None
        then = self._count("then", self.cause.then, case)
        if then is not None and then.last_day == now.last_day:
            return None
        if not case.certain and (then is None or then.last_day != row.last_day):
            return None
        return Moved(row, now)

    def _count(self, when: str, days: Days, case: Case) -> Count | None:
        key = (when, case)
        if key not in self.known:
            self.known[key] = counted(days.on(case.on), case)
        return self.known[key]


def counted(law: Law, case: Case) -> Count | None:
    """By the law of its day; None: that law has no such term, does not say where it ends, or it follows a fact."""
    for counting in (_lateness, _step, _way, _campaign, _term):
        decision = counting(law, case)
        if decision is not None:
            return decision
    return None


def _lateness(law: Law, case: Case) -> Count | None:
    """What the law lets follow so long after a last day."""
    term = law.get(Term, case.kind)
    if not case.late or term is None:
        return None
    decision = decide(law, TermQuestion(case.kind, case.start, _keys(case), last=case.start), _facts(law, case))
    steps = decision.value.late if decision.permits else ()
    step = next((each for each in steps if (each.infraction or each.opens or case.kind) == case.rule), None)
    return None if step is None else Count(step.last_day_before, decision)


def _step(law: Law, case: Case) -> Count | None:
    """A step of a process: in its case, or before there is one."""
    rule = None if case.late else law.get(Process, case.process or case.rule)
    if rule is None or case.kind not in [step.code for step in rule.step]:
        return None
    question = StepQuestion(process=rule.code, step=case.kind, start=case.start, suspensions=case.stood_still)
    decision = decide(law, question, facts(law))
    if not decision.permits or decision.value.last_day is None:
        return None
    return Count(decision.value.last_day, decision, decision.value)


def _way(law: Law, case: Case) -> Count | None:
    """A step on the way to the instrument."""
    if case.step is None or case.category is None or case.event is None:
        return None
    question = InstrumentQuestion(category=case.category, events={case.event: case.start})
    decision = decide(law, question, facts(law))
    steps = decision.value.steps if decision.permits else ()
    due = next((step.due for step in steps if step.code == case.kind and step.due is not None), None)
    return None if due is None else Count(due.last_day, decision, due)


def _campaign(law: Law, case: Case) -> Count | None:
    """The last day of a call to all of a group."""
    if law.get(Campaign, case.rule) is None:
        return None
    decision = decide(law, CampaignQuestion(case.rule, case.plate, _keys(case)), _facts(law, case))
    return Count(decision.value.last_day, decision, decision.value) if decision.permits else None


def _term(law: Law, case: Case) -> Count | None:
    term = law.get(Term, case.kind)
    if term is None or case.late or case.rule != case.kind or case.step is not None or term.follows:
        return None
    given = parse_literal(case.length) if case.length else None
    question = TermQuestion(
        code=case.kind,
        start=case.start,
        keys=_keys(case),
        suspensions=case.stood_still,
        length=given if isinstance(given, Length) else None,
    )
    decision = decide(law, question, _facts(law, case))
    if not decision.permits:
        return None
    return Count(decision.value.last_day, decision, decision.value, term)


def _keys(case: Case) -> dict[str, str]:
    return {"category": case.category} if case.category else {}


def _facts(law: Law, case: Case) -> Facts:
    return facts(law, {"permit.category": case.category, "permit.granted_on": case.granted_on})


def light(count: Count) -> Decision:
    """What an act says of a count: not each of its days, which the row keeps."""
    made: Decision = count.once("light", lambda: replace(count.decision, value={"last_day": count.last_day}, parts=()))
    return made


def plainly(count: Count) -> dict[str, Any]:
    """The same as it is stored and shown."""
    made: dict[str, Any] = count.once("plain", lambda: light(count).plain())
    return made
