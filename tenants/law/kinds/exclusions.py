"""What bars a person from a grant (impedimentos)."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from tenants.law.decision import Decision, Missing, Outcome
from tenants.law.evaluation import Evaluation
from tenants.law.kinds.demands import exempt, named
from tenants.law.kinds.grants import Exclusion


@dataclass(frozen=True, slots=True)
class PastEnding:
    """How and when an earlier permit ended: a cause of the pack's list, and the day from which it counts."""

    cause: str
    on: date


@dataclass(frozen=True, slots=True)
class ExclusionAnswer:
    """``until``: the last day of the bar; None: it has no end, or does not bar."""

    code: str
    barred: bool
    until: date | None = None
    cause: str | None = None
    fraud: bool = False


def bars(rule: Exclusion | None, ev: Evaluation, endings: Sequence[PastEnding] | None) -> Decision:
    """DENIED where the bar holds on the day."""
    if rule is None:
        return exempt(ev)
    met = True if rule.when is None else ev.holds(rule.when)
    if met is False:
        return _free(rule, ev)
    if rule.endings:
        return _by_ending(rule, ev, met, endings)
    since = ev.fact(rule.starts) if rule.starts else None
    until = _until(rule, ev, since) if rule.lasts else None
    if met is None or (rule.lasts and until is None):
        return ev.close()
    if until is not None and until < ev.on:
        return _free(rule, ev)
    return _barred(rule, ev, until, None)


def _by_ending(rule: Exclusion, ev: Evaluation, met: bool | None, endings: Sequence[PastEnding] | None) -> Decision:
    if endings is None:
        causes = ev.fact("holder.endings")
        told = [cause for cause in rule.endings if isinstance(causes, tuple) and cause in causes]
        if causes is not None and told and rule.lasts:
            ev.lacks(Missing("fact", "holder.endings", "Em que dia terminaram suas outorgas?"))
        elif causes is not None and told and met:
            return _barred(rule, ev, None, told[0])
        return ev.close() if ev.obstacle else _free(rule, ev)
    for ending in (each for each in endings if each.cause in rule.endings and each.on <= ev.on):
        until = _until(rule, ev, ending.on) if rule.lasts else None
        if met and not (rule.lasts and until is None) and (until is None or ev.on <= until):
            return _barred(rule, ev, until, ending.cause)
        if ev.obstacle:
            return ev.close()
    return _free(rule, ev)


def _until(rule: Exclusion, ev: Evaluation, since: object) -> date | None:
    if rule.lasts is None or not isinstance(since, date):
        if rule.starts is None:
            ev.undetermined(f"{named(rule)}: a lei não diz desde quando conta o impedimento")
        return None
    last = ev.plus(since, rule.lasts, None)
    return last if isinstance(last, date) else None


def _free(rule: Exclusion, ev: Evaluation) -> Decision:
    return ev.decide(Outcome.ALLOWED, f"{named(rule)}: não impede.", value=ExclusionAnswer(rule.code, False))


def _barred(rule: Exclusion, ev: Evaluation, until: date | None, cause: str | None) -> Decision:
    how_long = f" até {until:%d/%m/%Y}" if until else ""
    why = f" ({ev.law.list('ending').get(cause, cause)})" if cause else ""
    value = ExclusionAnswer(rule.code, True, until, cause, rule.fraud)
    return ev.decide(Outcome.DENIED, f"{named(rule)}: impede a outorga{how_long}{why}.", value=value)
