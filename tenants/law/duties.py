"""The authority's own duties: which rule gives a term that binds it, and before whom its silence comes."""

from collections.abc import Iterator
from dataclasses import dataclass

from tenants.law.citation import Citation
from tenants.law.kinds.escalations import Escalate
from tenants.law.kinds.grants import Instrument
from tenants.law.kinds.proceedings import Process, ProcessStep
from tenants.law.kinds.terms import Term
from tenants.law.law import Law

PARTY, AUTHORITY = "party", "authority"


@dataclass(frozen=True, slots=True)
class Duty:
    """What is to be done. ``passes``: the matter goes on without it when its term is over."""

    kind: str
    rule: str
    title: str
    cite: tuple[Citation, ...]
    escalates: tuple[Escalate, ...]
    passes: bool = False


def duties(law: Law) -> Iterator[Duty]:
    """Every duty of the authority that has, or may have, a term."""
    for _, term in law.all(Term):
        if term.binds == AUTHORITY:
            yield Duty(term.code, term.code, term.title, term.cite, term.escalates)
    for _, rule in law.all(Process):
        for step in rule.step:
            if step.actor != PARTY and step.term is not None:
                yield of_step(rule, step)
    for _, instrument in law.all(Instrument):
        for way in instrument.steps:
            if way.actor != PARTY and way.term is not None:
                yield Duty(way.code, way.code, way.title, way.cite or instrument.cite, way.escalates)


def of_step(rule: Process, step: ProcessStep) -> Duty:
    passes = step.optional or step.actor != AUTHORITY
    return Duty(step.code, rule.code, step.title, step.cite or rule.cite, step.escalates, passes)


def duty_of(law: Law, kind: str, rule: str, *, step: bool = False) -> Duty | None:
    """The duty of a deadline of this kind and rule; ``step``: one on the way to an instrument."""
    if not step:
        term = law.get(Term, kind)
        if term is not None and term.binds == AUTHORITY and rule == kind:
            return Duty(term.code, term.code, term.title, term.cite, term.escalates)
    for _, instrument in law.all(Instrument):
        for way in instrument.steps:
            if way.code == kind and way.actor != PARTY:
                return Duty(kind, rule, way.title, way.cite or instrument.cite, way.escalates)
    return None
