"""Points: what infractions carry while each lives, and what the sum draws when it rises to a threshold."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date

from tenants.law.decide import answer
from tenants.law.decision import Decision, Outcome
from tenants.law.evaluation import Evaluation
from tenants.law.kinds.effects import Drawn, Setting, drawn
from tenants.law.kinds.infractions import Measure, Points, Threshold
from tenants.law.kinds.repetition import Event, counted, lives_until, points_of


@dataclass(frozen=True, slots=True)
class PointsQuestion:
    """How many points live on the law's day, and what has the sum drawn? ``keys``: whose points, which category."""

    events: Sequence[Event]
    keys: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Living:
    """An event's points and the last day on which they count; None: they do not expire."""

    on: date
    points: int
    until: date | None


@dataclass(frozen=True, slots=True)
class Fired:
    """A threshold that the sum rose to on a day. ``choose``: one of the effects, by the office."""

    rule: str
    at: int
    on: date
    total: int
    effects: tuple[Drawn, ...]
    choose: bool
    office: str | None
    spends: bool


@dataclass(frozen=True, slots=True)
class PointsAnswer:
    """The sum of what lives, and every threshold that it ever rose to, oldest first."""

    total: int
    living: tuple[Living, ...]
    fired: tuple[Fired, ...]

    def drawn_on(self, day: date) -> tuple[Fired, ...]:
        return tuple(each for each in self.fired if each.on == day)


@answer.register
def _(question: PointsQuestion, ev: Evaluation) -> Decision:
    rules = ev.rules(Points, **question.keys)
    if not rules:
        return ev.decide(Outcome.VALUE, "A lei não conta pontos neste caso.", value=PointsAnswer(0, (), ()))
    if len(rules) > 1:
        ev.undetermined(f"mais de uma contagem de pontos alcança o caso: {', '.join(rule.code for rule in rules)}")
        return ev.close()
    found = _counted(ev, rules[0], question)
    if found is None or ev.obstacle:
        return ev.close(value=found)
    return ev.decide(Outcome.VALUE, _text(found, ev.on), value=found)


def _counted(ev: Evaluation, rule: Points, question: PointsQuestion) -> PointsAnswer | None:
    measure = ev.rule(Measure, rule.measure)
    if measure is None:
        ev.undetermined(f"a lei não tem a medida {rule.measure}")
        return None
    past = sorted((e for e in question.events if e.on <= ev.on), key=lambda e: e.on)
    spent: set[int] = set()
    fired: list[Fired] = []
    for at, event in enumerate(past):
        living = _unspent(counted(ev, measure, past[: at + 1], question.keys, event.on), spent)
        after = _sum(ev, living)
        before = _sum(ev, [e for e in living if e is not event])
        risen = [t for t in sorted(rule.thresholds, key=lambda t: t.at) if before < t.at <= after]
        fired += [_fired(ev, rule, threshold, event.on, after) for threshold in risen]
        if any(threshold.spends for threshold in risen):
            spent |= {id(e) for e in living}
    alive = _unspent(counted(ev, measure, past, question.keys, ev.on), spent)
    lives = tuple(Living(e.on, points_of(ev, e), lives_until(ev, measure, e)) for e in alive)
    return PointsAnswer(sum(each.points for each in lives), lives, tuple(fired))


def _unspent(events: Iterable[Event], spent: set[int]) -> list[Event]:
    return [event for event in events if id(event) not in spent]


def _sum(ev: Evaluation, events: Iterable[Event]) -> int:
    return sum(points_of(ev, event) for event in events)


def _fired(ev: Evaluation, rule: Points, threshold: Threshold, on: date, total: int) -> Fired:
    """On the law's own day an office that must choose is what stands in the way."""
    office = ev.office(threshold.office) if threshold.office else None
    if threshold.choose and on == ev.on:
        ev.left_to(office)
    apart = ev if on == ev.on else ev.fresh()
    effects = tuple(drawn(apart, e, Setting(by=(office,) if office else ())) for e in threshold.effects)
    return Fired(rule.code, threshold.at, on, total, effects, threshold.choose, office, threshold.spends)


def _text(found: PointsAnswer, on: date) -> str:
    drawn_now = ", ".join(effect.text for each in found.drawn_on(on) for effect in each.effects)
    return f"{found.total} pontos" + (f": {drawn_now}." if drawn_now else ".")
