"""The way of a process through its steps, as the law orders them; no step is known by its name."""

from collections.abc import Collection
from dataclasses import dataclass, replace
from datetime import date

from services.errors import Conflict, Invalid
from services.permits.unforeseen import not_provided
from services.registry.facts import facts
from tenants.law.decide import decide
from tenants.law.decision import Decision, RuleUsed
from tenants.law.kinds.basis import CodeList, Supplied
from tenants.law.kinds.proceedings import Process, ProcessStep
from tenants.law.law import Law
from tenants.law.questions import ProcessQuestion, StepQuestion
from tenants.law.values import ParamValue

PARTY = "party"
AUTHORITY = "authority"
BY_SERVICE = "service"


@dataclass(frozen=True, slots=True)
class Path:
    """The steps of one process under the law of a day."""

    law: Law
    rule: Process

    @classmethod
    def of(cls, law: Law, process: str) -> "Path":
        rule = law.get(Process, process)
        if rule is None:
            raise not_provided(law, f"o processo {process}", Process.kind)
        return cls(law, rule)

    @classmethod
    def chosen(cls, law: Law, process: str | None) -> "Path":
        """The process that was named, or the only one. Raises Refused, Invalid."""
        known = [rule for _, rule in law.all(Process)]
        if not known:
            raise not_provided(law, "processo administrativo", Process.kind)
        if process is None and len(known) > 1:
            raise Invalid("process", "one_of", f"Diga qual processo: {', '.join(rule.code for rule in known)}.")
        if process is not None and law.get(Process, process) is None:
            raise Invalid("process", "unknown_code", f"A lei não tem o processo {process} em {law.on:%d/%m/%Y}.")
        return cls.of(law, process or known[0].code)

    @property
    def first(self) -> ProcessStep:
        return self.rule.step[0]

    def step(self, code: str | None) -> ProcessStep:
        """Raises Conflict where the case is over, or its law has this step no more."""
        found = next((step for step in self.rule.step if step.code == code), None)
        if found is None:
            raise Conflict(message="O processo já não tem passo em curso.")
        return found

    def after(self, step: ProcessStep, *, defended: bool = True) -> ProcessStep | None:
        """The next step of the same instance that is not optional; a reply answers a defence, and none without one."""
        later = self.rule.step[self.rule.step.index(step) + 1 :]
        same = (each for each in later if each.instance == step.instance and not each.optional)
        return next((each for each in same if defended or each.actor != "agent"), None)

    def judged_at(self, instance: int) -> ProcessStep:
        """Where an instance decides: its last step of an authority, or the last one, whose office it goes to."""
        own = [each for each in self.rule.step if each.instance == instance]
        judging = [each for each in own if each.actor == AUTHORITY and not each.optional]
        return (judging or own)[-1]

    def appeal_from(self, instance: int) -> ProcessStep | None:
        """The party's step that leads to the next instance; None: there is none, and the decision is the last."""
        later = (each for each in self.rule.step if each.instance > instance and each.actor == PARTY)
        return next(later, None)

    def diligence(self, instance: int) -> ProcessStep | None:
        """The step that the authority may order before it decides: its instance's, or the first's."""
        orders = [each for each in self.rule.step if each.optional]
        own = [each for each in orders if each.instance == instance]
        return next(iter(own or orders), None)

    def titled(self, codes: Collection[str], code: str) -> str:
        """As the list of the law that holds all of these codes calls one of them."""
        lists = (each.codes for _, each in self.law.all(CodeList))
        return next((titles[code] for titles in lists if set(codes) <= titles.keys()), code)

    def answer(self) -> Decision:
        """How the process is conducted."""
        return decide(self.law, ProcessQuestion(process=self.rule.code), facts(self.law))

    def term(self, step: ProcessStep, start: date | None, suspensions: tuple[tuple[date, date], ...] = ()) -> Decision:
        """By when the step is taken, to whom; what the town itself supplied is named with its source."""
        question = StepQuestion(process=self.rule.code, step=step.code, start=start, suspensions=suspensions)
        return _naming(self.law, step, decide(self.law, question, facts(self.law)))


def _naming(law: Law, step: ProcessStep, decision: Decision) -> Decision:
    """The parameter that the term is, where it is one, and the act of the town that says so."""
    if not isinstance(step.term, ParamValue):
        return decision
    found = law.find(Supplied.kind, step.term.param)
    if found is None or not isinstance(found.item, Supplied):
        return decision
    said = found.item
    parameter = law.book.parameters.get(said.code)
    cited = parameter.cite if parameter else ()
    used = RuleUsed(Supplied.kind, said.code, f"{said.value} ({said.source})", cited, found.since, found.publication)
    told = f"{decision.message} Prazo informado pelo município: {said.value} ({said.source})."
    return replace(decision, message=told, rules=(*decision.rules, used))
