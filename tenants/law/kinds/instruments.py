"""What grants the service (termo, permissão, autorização), the licence beside it, the steps on the way there."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date

from tenants.law.calendar import DayCount
from tenants.law.citation import Citation
from tenants.law.decide import answer
from tenants.law.decision import Decision, Outcome
from tenants.law.evaluation import Evaluation
from tenants.law.kinds.demands import named
from tenants.law.kinds.grants import Instrument, Step
from tenants.law.quantity import Length


@dataclass(frozen=True, slots=True)
class InstrumentQuestion:
    """By what instrument is the service granted? ``events``: the days of steps already taken, by their codes."""

    category: str
    events: Mapping[str, date] = field(default_factory=dict)
    keys: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class StepAnswer:
    """``due``: its counted term, once what it follows has taken place."""

    code: str
    title: str
    actor: str
    after: str | None
    term: Length | None
    due: DayCount | None
    citations: tuple[Citation, ...]


@dataclass(frozen=True, slots=True)
class InstrumentAnswer:
    """``licence`` and ``term``: the codes of the yearly licence beside it and of the rule for its own term."""

    code: str
    title: str
    chosen_by: str
    licence: str | None
    licence_title: str
    term: str | None
    precarious: bool
    granted_by: str | None
    steps: tuple[StepAnswer, ...]
    citations: tuple[Citation, ...]


@answer.register
def _(question: InstrumentQuestion, ev: Evaluation) -> Decision:
    rules = ev.rules(Instrument, **{**question.keys, "category": question.category})
    if not ev.obstacle and len(rules) != 1:
        why = "não diz por que instrumento" if not rules else "diz mais de um instrumento pelo qual"
        ev.undetermined(f"a lei {why} se outorga o serviço")
    if ev.obstacle:
        return ev.close()
    rule = rules[0]
    office = ev.office(rule.granted_by) if rule.granted_by else None
    steps = tuple(_step(step, ev, question.events) for step in rule.steps)
    if ev.obstacle:
        return ev.close()
    value = InstrumentAnswer(
        code=rule.code,
        title=named(rule),
        chosen_by=rule.chosen_by,
        licence=rule.license,
        licence_title=rule.license_title,
        term=rule.term,
        precarious=rule.precarious,
        granted_by=office,
        steps=steps,
        citations=rule.cite,
    )
    return ev.decide(Outcome.VALUE, f"O serviço é outorgado por: {named(rule)}.", value=value)


def _step(step: Step, ev: Evaluation, events: Mapping[str, date]) -> StepAnswer:
    term = ev.value(step.term) if step.term else None
    length = term if isinstance(term, Length) else None
    start = events.get(step.after) if step.after else None
    due = ev.counted(step.counting, start, length) if start and length else None
    return StepAnswer(step.code, step.title, step.actor, step.after, length, due, step.cite)
