"""Restrictions (what must not be) and duties of conduct: do they bind here, and what does breaking them draw?"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import time

from tenants.law.decide import answer
from tenants.law.decision import Decision, Missing, Outcome
from tenants.law.evaluation import Evaluation
from tenants.law.kinds.demands import exempt, named
from tenants.law.kinds.requirements import Conduct, Excuse, Restriction
from tenants.law.quantity import Hours, Quantity, text


@dataclass(frozen=True, slots=True)
class RestrictionQuestion:
    """May this be done? All restrictions of the category, or the one of ``code``, or those of a ``matter``.

    Args:
        at: Only those that are tested on this occasion.
        about: What it contains or consists of, in the codes that the rules ban.
        measured: What ``most`` limits: a percentage, a number.
        occasion: What may except it.
    """

    category: str
    code: str | None = None
    about: Sequence[str] = ()
    measured: Quantity | None = None
    occasion: str | None = None
    keys: Mapping[str, str] = field(default_factory=dict)
    matter: str | None = None
    at: str | None = None

    def asks_of(self, rule: Restriction) -> bool:
        named = self.code in (None, rule.code) and self.matter in (None, rule.matter)
        return named and (self.at is None or self.at in rule.at)


@dataclass(frozen=True, slots=True)
class DutyAnswer:
    """``infraction``: what breaking the rule is; ``excuse``: why it does not bind."""

    rule: str
    infraction: str | None
    excuse: str | None = None


@answer.register
def _(question: RestrictionQuestion, ev: Evaluation) -> Decision:
    keys = {**question.keys, "category": question.category}
    rules = ev.each(Restriction, question.asks_of, **keys)
    parts = [restricted(rule, own, question) for rule, own in rules]
    if len(parts) == 1:
        return parts[0]
    message = "; ".join(part.message.rstrip(".") for part in parts) or "A lei não o restringe"
    return ev.together(parts, message=f"{message}.")


def restricted(rule: Restriction | None, ev: Evaluation, question: RestrictionQuestion) -> Decision:
    if rule is None:
        return exempt(ev)
    if ev.obstacle:
        return ev.close()
    value = DutyAnswer(rule.code, rule.infraction)
    if question.occasion is not None and question.occasion in rule.except_for:
        excused = DutyAnswer(rule.code, rule.infraction, question.occasion)
        return ev.decide(Outcome.ALLOWED, f"{named(rule)}: excetuado ({question.occasion}).", value=excused)
    failed = _broken(rule, ev, question)
    if failed:
        return ev.decide(Outcome.DENIED, f"{named(rule)}: {failed}.", value=value)
    if rule.judge is not None and not ev.obstacle and (office := ev.office(rule.judge)) is not None:
        ev.left_to(office)
    if ev.obstacle:
        return ev.close(value=value)
    return ev.decide(Outcome.ALLOWED, f"{named(rule)}: respeitado.", value=value)


def _broken(rule: Restriction, ev: Evaluation, question: RestrictionQuestion) -> str:
    """Why it is broken; empty: it is not, or it is not known and what it lacks is noted."""
    banned = [each for each in question.about if each in rule.banned]
    if banned:
        return f"vedado: {', '.join(banned)}"
    holds = True if rule.must is None else ev.holds(rule.must)
    over = _over(rule, ev, question.measured) if rule.most is not None else ""
    return "vedado" if holds is False else over


def _over(rule: Restriction, ev: Evaluation, measured: Quantity | None) -> str:
    most = ev.value(rule.most) if rule.most is not None else None
    if most is None:
        return ""
    if measured is None:
        ev.lacks(Missing("fact", f"{rule.code}.measured", rule.ask or f"{named(rule)}: quanto mede?"))
        return ""
    if type(measured) is not type(most):
        ev.undetermined(f"{named(rule)}: {text(measured)} não se compara com {text(most)}")
        return ""
    return f"{text(measured)} passa de {text(most)}" if measured > most else ""  # type: ignore[operator]


# --- conduct ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ConductQuestion:
    """Does a duty bind in this case? ALLOWED: it does not, so nothing is broken; DENIED: not doing it breaks it.

    Args:
        occasion: What may except it, in the rule's own codes.
        at: The local time of the fact, for duties that do not bind at all hours.
    """

    code: str
    occasion: str | None = None
    at: time | None = None
    keys: Mapping[str, str] = field(default_factory=dict)


@answer.register
def _(question: ConductQuestion, ev: Evaluation) -> Decision:
    rule = ev.named(Conduct, question.code, question.keys)
    if rule is None:
        return ev.close()
    if question.occasion is not None and question.occasion in rule.except_for:
        return _excused(rule, ev, question.occasion, question.occasion)
    for excuse in rule.excuses:
        if excuse.code == question.occasion or question.occasion is None:
            holds = _holds(excuse, ev, question)
            if holds:
                ev.part(rule, excuse.code, excuse.cite)
                return _excused(rule, ev, excuse.code, excuse.title or excuse.code)
    if ev.obstacle:
        return ev.close(value=DutyAnswer(rule.code, rule.infraction))
    value = DutyAnswer(rule.code, rule.infraction)
    return ev.decide(Outcome.DENIED, f"{named(rule)}: o dever obriga neste caso.", value=value)


def _excused(rule: Conduct, ev: Evaluation, code: str, title: str) -> Decision:
    value = DutyAnswer(rule.code, rule.infraction, code)
    return ev.decide(Outcome.ALLOWED, f"{named(rule)}: não obriga ({title}).", value=value)


def _holds(excuse: Excuse, ev: Evaluation, question: ConductQuestion) -> bool | None:
    """An excuse without condition or hours holds for the occasion of its code only."""
    if excuse.when is None and excuse.hours is None:
        return excuse.code == question.occasion
    hours = ev.value(excuse.hours) if excuse.hours is not None else None
    if excuse.hours is not None:
        if question.at is None:
            ev.lacks(Missing("fact", "event.time", "A que horas foi?"))
            return None
        if not isinstance(hours, Hours) or not hours.contains(question.at):
            return None if hours is None else False
    return True if excuse.when is None else ev.holds(excuse.when)
