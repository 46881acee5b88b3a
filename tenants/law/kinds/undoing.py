"""How a call for vacancies may be undone before anybody is awarded one: revoked, annulled, as the law knows it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from tenants.law.decide import answer
from tenants.law.decision import Decision, Missing, Outcome
from tenants.law.evaluation import Evaluation
from tenants.law.kinds.grants import Selection, Undoing

STAGES = ("open", "frozen", "published")  # in the order in which a call goes


@dataclass(frozen=True, slots=True)
class UndoingQuestion:
    """May a call be undone so, when it has come to a stage? ``met``: what the law wants before, of what was done."""

    category: str
    code: str
    stage: str
    met: Sequence[str] = ()
    keys: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class UndoingAnswer:
    rule: str
    code: str
    title: str
    decides: str | None


@answer.register
def _(question: UndoingQuestion, ev: Evaluation) -> Decision:
    rules = ev.rules(Selection, **{**question.keys, "category": question.category})
    found = [(rule, each) for rule in rules for each in rule.undoing if each.code == question.code]
    if not found and not ev.obstacle:
        ev.lacks(Missing("rule", Selection.kind, f"a lei não prevê desfazer o edital por {question.code}"))
    if ev.obstacle:
        return ev.close()
    rule, undoing = found[0]
    ev.part(rule, undoing.code, undoing.cite)
    return _may(rule, undoing, ev, question)


def _may(rule: Selection, undoing: Undoing, ev: Evaluation, question: UndoingQuestion) -> Decision:
    decides = ev.office(undoing.decides) if undoing.decides else None
    title = undoing.title or undoing.code
    value = UndoingAnswer(rule.code, undoing.code, title, decides)
    if question.stage not in STAGES or STAGES.index(question.stage) > STAGES.index(undoing.until):
        return ev.decide(Outcome.DENIED, f"{title}: o edital já passou da fase em que a lei o admite.", value=value)
    for need in undoing.needs:
        if need not in question.met:
            ev.lacks(Missing("fact", f"selection.{need}", f"Foi atendido antes: {need}?"))
    if ev.obstacle:  # what is wanted before, the office cannot decide away
        return ev.close(value=value)
    if decides:
        ev.left_to(decides)
        return ev.close(value=value)
    return ev.decide(Outcome.ALLOWED, f"{title}: a lei admite.", value=value)
