"""One door to the law: a question, the facts, a decision. Pure and deterministic."""

from functools import singledispatch
from typing import Any

from tenants.law.decision import Decision, Outcome
from tenants.law.evaluation import Evaluation
from tenants.law.facts import Facts
from tenants.law.law import Law


@singledispatch
def answer(question: Any, ev: Evaluation) -> Decision:
    """How a question is answered: each kind of rule registers its own questions."""
    raise TypeError(f"no rule answers a {type(question).__name__}")


def decide(law: Law, question: Any, facts: Facts) -> Decision:
    """Answer a question under the law of ``law.on`` as known at ``law.known_at``."""
    first = law.first_day
    if first is not None and law.on < first:
        why = f"Nenhuma lei do município vigorava em {law.on:%d/%m/%Y}: a primeira vigora desde {first:%d/%m/%Y}."
        return Decision(Outcome.UNDETERMINED, why)
    return answer(question, Evaluation(law, facts))
