"""Whether one demand of the law (exigência) is met: a paper, a condition, an item, an office's judgement."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from tenants.law.decision import Decision, Outcome
from tenants.law.evaluation import Evaluation
from tenants.law.kinds.papers import Filed, PaperFact, filed, paper_title
from tenants.law.kinds.requirements import Equipment, Requirement, VehicleSpec
from tenants.law.quantity import Length
from tenants.law.rule import Demand, Missed, OfficeRef, Rule

Demanding = Requirement | VehicleSpec | Equipment


@dataclass(frozen=True, slots=True)
class Draws:
    """What missing a demand draws."""

    infraction: str | None = None
    opens: str | None = None
    do: str | None = None
    cause: str | None = None
    decides: str | None = None


@dataclass(frozen=True, slots=True)
class Demanded:
    """A demand and what to keep of it. ``valid_until``: the paper's last day; ``cure_until``: to mend what fails."""

    kind: str
    code: str
    title: str
    of: str
    paper: str | None = None
    valid_until: date | None = None
    cure: Length | None = None
    cure_until: date | None = None
    missed: Draws | None = None


def named(rule: Rule) -> str:
    """What people call a rule."""
    return rule.title or rule.ask or rule.code


def exempt(ev: Evaluation) -> Decision:
    """What ``each`` says where it gives no rule: an obstacle, or a transition that exempts."""
    return ev.close() if ev.obstacle else ev.decide(Outcome.ALLOWED, "Dispensado pela regra de transição.")


def drawn_when_missed(rule: Demand, ev: Evaluation) -> Draws | None:
    match rule.missed:
        case None:
            return None
        case str() as infraction:
            return Draws(infraction)
        case Missed(infraction=infraction, opens=opens, do=do, cause=cause, decides=decides):
            return Draws(infraction, opens, do, cause, ev.office(decides) if decides else None)


def demanded(rule: Demanding | None, ev: Evaluation, papers: Sequence[PaperFact]) -> Decision:
    """ALLOWED, DENIED, or what stands in the way of knowing."""
    if rule is None:
        return exempt(ev)
    if ev.obstacle:  # whether it concerns the case is not certain: nothing of its own is asked yet
        return ev.close()
    due = ev.day(rule.first_due) if rule.first_due else None
    if due is not None and ev.on < due:
        return ev.decide(Outcome.ALLOWED, f"{named(rule)}: exigido a partir de {due:%d/%m/%Y}.")
    found = _paper(rule, ev, papers)
    return _closed(rule, ev, found, _condition(rule, ev))


def _paper(rule: Demanding, ev: Evaluation, papers: Sequence[PaperFact]) -> Filed:
    if not isinstance(rule, Requirement) or rule.paper is None:
        return Filed(True)
    own = [paper for paper in papers if paper.of == rule.of]
    noted = ev.fresh() if rule.on_missing == "review" else ev
    valid_for = rule.valid_for or rule.every
    found = filed(noted, own, rule.paper, age_under=rule.age_under, valid_for=valid_for, counting=rule.counting)
    return Filed(False, why="não apresentado") if noted is not ev and found.counts is None else found


def _condition(rule: Demanding, ev: Evaluation) -> bool | None:
    holds = True if rule.must is None else ev.holds(rule.must)
    if isinstance(rule, Equipment):
        carried = ev.fact("vehicle.equipment")
        if not isinstance(carried, tuple):
            return None
        return holds if rule.item in carried else False
    return holds


def _closed(rule: Demanding, ev: Evaluation, paper: Filed, holds: bool | None) -> Decision:
    judge = rule.judge if isinstance(rule, Requirement) else None
    value = _value(rule, ev, paper)
    title = paper_title(ev.law, value.paper) if value.paper and not rule.title else named(rule)
    if paper.counts is False or holds is False:
        why = paper.why or "não atendido"
        if isinstance(rule, Requirement) and rule.on_missing == "review":
            return _review(ev, judge, f"{title}: {why}; cabe decidir à autoridade.", value)
        return ev.decide(Outcome.DENIED, f"{title}: {why}.", value=value)
    if ev.obstacle is None and judge is not None:
        return _review(ev, judge, f"{title}: depende de avaliação.", value)
    if ev.obstacle:
        return ev.close(value=value)
    until = f" até {paper.until:%d/%m/%Y}" if paper.until else ""
    return ev.decide(Outcome.ALLOWED, f"{title}: atendido{until}.", value=value)


def _review(ev: Evaluation, judge: OfficeRef | None, message: str, value: Demanded) -> Decision:
    office = ev.office(judge) if judge else ""
    if office is None:
        return ev.close(value=value)
    ev.left_to(office)
    return ev.decide(Outcome.NEEDS_DECISION, message, value=value)


def _value(rule: Demanding, ev: Evaluation, paper: Filed) -> Demanded:
    """What a demand comes to; nothing it lacks here stands in the way of the answer."""
    side = ev.fresh()
    cure = side.value(rule.cure) if rule.cure else None
    until = side.plus(ev.on, rule.cure, rule.counting) if rule.cure else None
    return Demanded(
        kind=rule.kind,
        code=rule.code,
        title=named(rule),
        of=rule.of if isinstance(rule, Requirement) else "vehicle",
        paper=rule.paper if isinstance(rule, Requirement) else None,
        valid_until=paper.until,
        cure=cure if isinstance(cure, Length) else None,
        cure_until=until if isinstance(until, date) else None,
        missed=drawn_when_missed(rule, side),
    )
