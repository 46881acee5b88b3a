"""What a town's law says of selection: the order, the steps to the instrument, the term to object.

What a law does not have is refused, naming the kind of rule that is missing.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

from services.access import Actor
from services.errors import Refused
from services.registry.facts import facts
from services.selection.tables import SelectionCall
from services.terms import Running, articles
from tenants.law.decide import decide
from tenants.law.decision import Decision, Missing, Outcome, RuleUsed
from tenants.law.evaluation import Evaluation
from tenants.law.kinds.grants import Selection
from tenants.law.kinds.instruments import InstrumentAnswer, InstrumentQuestion, StepAnswer
from tenants.law.kinds.selection import compared
from tenants.law.kinds.terms import Term
from tenants.law.law import Law
from tenants.law.questions import TermQuestion
from tenants.law.rule import OfficeRef

OF, PUBLISHED = "selection", "result_published"
AWARD = "award"


@dataclass(frozen=True, slots=True)
class Order:
    """The law's order of candidates, as a decision rests on it."""

    rule: Selection
    used: RuleUsed

    @property
    def articles(self) -> str:
        return articles(self.rule.cite)

    @property
    def compares(self) -> frozenset[str]:
        return compared(self.rule)

    @property
    def draws(self) -> bool:
        """Does it end in a draw, if need be?"""
        return any(step.draw for step in self.rule.order)

    def decision(self, outcome: Outcome, message: str, missing: tuple[Missing, ...] = ()) -> Decision:
        return Decision(outcome, message, rules=(self.used,), missing=missing)

    def no(self, message: str) -> Refused:
        """A refusal under this rule."""
        return Refused(self.decision(Outcome.DENIED, message))


def must_run(order: Order, call: SelectionCall) -> None:
    """Raises Refused: the call is over, or was undone."""
    if call.ended_on is None:
        return
    how = "ficou sem efeito" if call.undone else "encerrou-se"
    raise order.no(f"Este edital {how} em {call.ended_on:%d/%m/%Y}.")


def lacking(kind: str, what: str) -> Refused:
    """The refusal of what the town's law does not have; ``kind``: the kind of rule that is missing."""
    message = f"A lei deste município não prevê {what}."
    return Refused(Decision(Outcome.UNDETERMINED, message, missing=(Missing("rule", kind, message),)))


def order_of(law: Law, category: str) -> Order:
    """Raises Refused where the law has no order for the category, or does not say which of several counts."""
    ev = Evaluation(law, facts(law, {"permit.category": category}))
    rules = ev.rules(Selection, category=category)
    if ev.obstacle:
        raise Refused(ev.close())
    found = [law.find(Selection.kind, rule.code) for rule in rules]
    if len(rules) != 1 or found[0] is None:
        raise lacking(Selection.kind, f"seleção de candidatos para a categoria {category}")
    return Order(rules[0], found[0].used)


def instrument_of(law: Law, category: str, events: Mapping[str, date] | None = None) -> InstrumentAnswer:
    """What grants the category's service; ``events``: days of steps taken, from which the next ones count.

    Raises:
        Refused: The law has no instrument for it, or a term of its steps is not determined.
    """
    question = InstrumentQuestion(category=category, events=events or {})
    decision = decide(law, question, facts(law, {"permit.category": category}))
    if not isinstance(decision.value, InstrumentAnswer):
        raise Refused(decision)
    return decision.value


def steps_after(instrument: InstrumentAnswer, event: str) -> list[StepAnswer]:
    """The steps that follow an event and have a term."""
    return [step for step in instrument.steps if step.after == event and step.due is not None]


def granting_office(actor: Actor, instrument: InstrumentAnswer) -> str:
    """The office in which the actor grants: the instrument's own, where it names one. Raises Forbidden."""
    return actor.must_hold(instrument.granted_by, "grant") if instrument.granted_by else actor.must("grant")


def objection_term(law: Law, category: str) -> Running | None:
    """How long one may object to a result published on the law's day; None: the law does not say that one may.

    Raises:
        Refused: It may be objected to, and the town has not said until when.
    """
    keys = {"category": category}
    for _, term in law.all(Term):
        if term.of == OF and term.starts == PUBLISHED and law.concerns(term, keys):
            decision = decide(law, TermQuestion(code=term.code, start=law.on, keys=keys), facts(law))
            if not decision.permits:
                raise Refused(decision)
            return Running(term, decision, decision.value.last_day)
    return None


def named_office(law: Law, ref: OfficeRef) -> str:
    """Raises Refused where the town has not said which office it is."""
    found = law.office_of(ref)
    if isinstance(found, Missing):
        raise Refused(Decision(Outcome.UNDETERMINED, f"Falta informar: {found.ask}", missing=(found,)))
    return found
