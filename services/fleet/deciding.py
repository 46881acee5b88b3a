"""When an act may rest on a decision."""

from dataclasses import replace

from services.errors import Refused
from tenants.law.decision import Decision, Outcome


def must_permit(decision: Decision, *, judged: bool) -> None:
    """Raises Refused, saying first what decided, unless the law permits it or the office has judged what it must."""
    if decision.permits or (judged and decision.outcome is Outcome.NEEDS_DECISION):
        return
    told = next((part.message for part in decision.parts if part.outcome is decision.outcome), decision.message)
    raise Refused(replace(decision, message=told))
