"""Administrative process: what a step allows and by when, and when a person counts as served."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date

from tenants.law.calendar import DayCount
from tenants.law.citation import Citation
from tenants.law.decide import answer
from tenants.law.decision import Decision, Missing, Outcome
from tenants.law.evaluation import Evaluation
from tenants.law.kinds.proceedings import Deemed, Process, ProcessStep, ServiceWay
from tenants.law.quantity import Length


@dataclass(frozen=True, slots=True)
class ProcessQuestion:
    """How is a process conducted: its steps, who judges, what it costs, how long its file is kept?"""

    process: str
    keys: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ProcessAnswer:
    process: str
    steps: tuple[str, ...]
    judge: str | None
    opened_by: tuple[str, ...]
    deposit: bool
    one_file_per_fact: bool
    keep: Length | None
    direct_to_second: bool
    ex_officio: bool
    unappealed_final: bool
    orders: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class StepQuestion:
    """By when, to whom and with what effect is a step taken? ``start``: the day of the event that it follows.

    ``suspensions``: first and last day of each, both suspended.
    """

    process: str
    step: str
    start: date | None = None
    keys: Mapping[str, str] = field(default_factory=dict)
    suspensions: Sequence[tuple[date, date]] = ()


@dataclass(frozen=True, slots=True)
class StepAnswer:
    """``last_day`` None: the law gives no term, or the start is not known. ``following``: the step after it."""

    process: str
    step: str
    instance: int
    actor: str
    to: str | None
    after: str
    last_day: date | None
    days: DayCount | None
    suspends: bool
    silence: str
    whole_or_part: bool
    optional: bool
    contents: tuple[str, ...]
    following: str | None
    cite: tuple[Citation, ...]


@dataclass(frozen=True, slots=True)
class ServedQuestion:
    """When does a service count as done? ``dates``: received, posted, published, signed …, those that are known.

    Args:
        tried: The ways that have failed before; None: not looked at, and the answer says which must have been.
        where_unknown: The person's whereabouts are unknown.
    """

    way: str
    dates: Mapping[str, date]
    tried: Sequence[str] | None = None
    where_unknown: bool = False
    keys: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ServedAnswer:
    """``by``: the date that the day was taken from. ``after``: the ways that must have failed before."""

    way: str
    served_on: date
    by: str
    after: tuple[str, ...]
    refusal_noted: bool


_ASKS = {
    "received": "Em que dia a intimação foi recebida?",
    "posted": "Em que dia a intimação foi entregue à agência postal?",
    "published": "Em que dia o edital foi publicado?",
    "signed": "Em que dia a pessoa teve ciência, ou foi declarada a recusa?",
}


@answer.register
def _(question: ProcessQuestion, ev: Evaluation) -> Decision:
    rule = ev.named(Process, question.process, question.keys)
    if rule is None:
        return ev.close()
    keep = ev.typed(rule.keep, Length)
    found = ProcessAnswer(
        process=rule.code,
        steps=tuple(step.code for step in rule.step),
        judge=ev.office(rule.judge) if rule.judge else None,
        opened_by=rule.opened_by,
        deposit=rule.deposit,
        one_file_per_fact=rule.one_file_per_fact,
        keep=keep,
        direct_to_second=ev.word(rule.direct_to_second) == "yes",
        ex_officio=ev.word(rule.ex_officio) == "yes",
        unappealed_final=rule.unappealed_final,
        orders=rule.orders,
    )
    if ev.obstacle:
        return ev.close(value=found)
    return ev.decide(Outcome.VALUE, rule.title or f"Processo {rule.code}", value=found)


@answer.register
def _(question: StepQuestion, ev: Evaluation) -> Decision:
    rule = ev.named(Process, question.process, question.keys)
    at = next((i for i, step in enumerate(rule.step) if step.code == question.step), None) if rule else None
    if rule is None or at is None:
        if rule:
            ev.lacks(Missing("rule", question.step, f"o processo {rule.code} não tem o passo {question.step}"))
        return ev.close()
    step = rule.step[at]
    ev.part(rule, step.code, step.cite)
    days = _term(ev, rule, step, question)
    found = StepAnswer(
        process=rule.code,
        step=step.code,
        instance=step.instance,
        actor=step.actor,
        to=_to(ev, rule, step),
        after=step.after,
        last_day=days.last_day if days else None,
        days=days,
        suspends=step.suspends,
        silence=step.silence,
        whole_or_part=step.whole_or_part,
        optional=step.optional,
        contents=step.contents,
        following=rule.step[at + 1].code if at + 1 < len(rule.step) else None,
        cite=step.cite,
    )
    if ev.obstacle:
        return ev.close(value=found)
    until = f"até {found.last_day:%d/%m/%Y}" if found.last_day else "sem prazo na lei"
    return ev.decide(Outcome.VALUE, f"{step.title or step.code}: {until}.", value=found)


def _term(ev: Evaluation, rule: Process, step: ProcessStep, question: StepQuestion) -> DayCount | None:
    length = ev.typed(step.term, Length)
    if length is None:
        return None
    if question.start is None:
        ev.lacks(Missing("fact", f"{step.code}.start", f"Em que dia ocorreu o que dá começo ao prazo ({step.after})?"))
        return None
    return ev.counted(step.counting or rule.counting, question.start, length, question.suspensions)


def _to(ev: Evaluation, rule: Process, step: ProcessStep) -> str | None:
    """Whom it goes to; where an authority acts, who that is: the step's, or the one that judges the process."""
    if step.to:
        return ev.office(step.to)
    return ev.office(rule.judge) if rule.judge and step.actor == "authority" else None


@answer.register
def _(question: ServedQuestion, ev: Evaluation) -> Decision:
    rules = ev.rules(ServiceWay, lambda r: r.way == question.way, **question.keys)
    if not rules:
        return ev.decide(Outcome.DENIED, f"A lei não admite a intimação por {question.way}.")
    rule = rules[0]
    before = [way for way in rule.after if question.tried is not None and way not in question.tried]
    if before and not (rule.where_unknown and question.where_unknown):
        return ev.decide(Outcome.DENIED, f"Antes de {rule.title or rule.way}, tenta-se: {', '.join(before)}.")
    found = _served(ev, rule, question.dates)
    if found is None:
        return ev.close()
    served = ServedAnswer(rule.way, found[0], found[1], rule.after, rule.refusal_noted)
    return ev.decide(Outcome.VALUE, f"Intimação feita em {found[0]:%d/%m/%Y}.", value=served)


def _served(ev: Evaluation, rule: ServiceWay, dates: Mapping[str, date]) -> tuple[date, str] | None:
    """By its own date, else by the one that replaces it."""
    if isinstance(rule.done, str) and rule.done in dates:
        return dates[rule.done], rule.done
    deemed = rule.done if isinstance(rule.done, Deemed) else rule.otherwise
    if deemed is not None and deemed.since in dates:
        length = ev.typed(deemed.add, Length)
        days = ev.counted(deemed.counting, dates[deemed.since], length) if length else None
        return (days.last_day, deemed.since) if days else None
    needed = [rule.done] if isinstance(rule.done, str) else []
    for name in dict.fromkeys([*needed, *([deemed.since] if deemed else [])]):
        ev.lacks(Missing("fact", f"service.{name}", _ASKS.get(name, f"Em que dia ({name})?")))
    return None
