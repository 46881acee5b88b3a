"""What the law asks of a roster before there is one: how many must be there when, and how long each must work."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Literal

from tenants.law.decide import answer
from tenants.law.decision import Decision, Missing, Outcome
from tenants.law.evaluation import Evaluation
from tenants.law.kinds.stands import Roster, ServiceDuty
from tenants.law.kinds.windows import MINUTE
from tenants.law.quantity import Hours, Length, Number, Percent, Rounding, text

_HOUR = timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class RosterDemandsQuestion:
    """What must a roster of these vehicles keep? ``exempt``: why a vehicle need not work, where it need not."""

    category: str
    fleet: Sequence[str]
    exempt: Mapping[str, str] = field(default_factory=dict)
    keys: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Presence:
    """At any moment of a band (None: of the whole day) so many of these vehicles must be at work."""

    rule: str
    hours: Hours | None
    least: int
    vehicles: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Work:
    """So many minutes a day or a week each of these vehicles must work; ``daily``: and some on every day."""

    rule: str
    minutes: int
    per: Literal["day", "week"]
    daily: bool
    vehicles: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RosterDemandsAnswer:
    """``agreed_by``: whose agreement a roster wants (codes of the pack); ``otherwise``: the office that decides."""

    presence: tuple[Presence, ...]
    work: tuple[Work, ...]
    agreed_by: tuple[str, ...]
    otherwise: str | None


@answer.register
def _(question: RosterDemandsQuestion, ev: Evaluation) -> Decision:
    keys = {"category": question.category, **question.keys}
    rosters, duties = ev.rules(Roster, **keys), ev.rules(ServiceDuty, **keys)
    if not rosters and not duties:
        ev.lacks(Missing("rule", "roster", "a lei não prevê escala nem jornada"))
        return ev.close()
    presence = [each for rule in rosters for each in _covers(ev, rule, question)]
    for duty in duties:
        presence += [rest] if (rest := _rest(ev, duty, question)) else []
    agreed_by = tuple(dict.fromkeys(code for rule in rosters for code in rule.agreed_by))
    offices = [ev.office(rule.otherwise) for rule in rosters if rule.otherwise]
    work = tuple(_work(ev, duty, question) for duty in duties)
    found = RosterDemandsAnswer(tuple(presence), work, agreed_by, next(iter(offices), None))
    if ev.obstacle:
        return ev.close(value=found)
    return ev.decide(Outcome.VALUE, "O que a lei exige da escala.", value=found)


def _covers(ev: Evaluation, rule: Roster, question: RosterDemandsQuestion) -> list[Presence]:
    found = []
    for cover in rule.cover:
        band = None if cover.hours == "all" else ev.typed(cover.hours, Hours)
        if cover.hours == "all" or band is not None:
            found.append(Presence(rule.code, band, cover.least, tuple(question.fleet)))
    return found


def bound(rule: ServiceDuty, fleet: Sequence[str], exempt: Mapping[str, str]) -> list[str]:
    """The vehicles that a duty binds."""
    return [vehicle for vehicle in fleet if exempt.get(vehicle) not in rule.exempt]


def minutes_of(ev: Evaluation, rule: ServiceDuty) -> int:
    """How long each must work in the duty's period; none where the law says none."""
    value = ev.value(rule.hours) if rule.hours else None
    hours = value.count if isinstance(value, Length) else int(value.value) if isinstance(value, Number) else 0
    return hours * _HOUR // MINUTE


def may_rest(ev: Evaluation, rule: ServiceDuty, of: int) -> tuple[Hours, int] | None:
    """The hours of rest, and how many of so many may rest in them; None: no rule, or what is missing is noted."""
    if rule.rest is None:
        return None
    band, most = ev.typed(rule.rest.hours, Hours), ev.value(rule.rest.most)
    if most is not None and not isinstance(most, Percent | Number):
        ev.undetermined(f"{text(most)} não diz quantos podem descansar")
    if band is None or not isinstance(most, Percent | Number):
        return None
    allowed = most.fraction * of if isinstance(most, Percent) else most.value
    return band, int(Rounding("down").apply(allowed))


def _work(ev: Evaluation, rule: ServiceDuty, question: RosterDemandsQuestion) -> Work:
    vehicles = tuple(bound(rule, question.fleet, question.exempt))
    return Work(rule.code, minutes_of(ev, rule), rule.per, rule.daily, vehicles)


def _rest(ev: Evaluation, rule: ServiceDuty, question: RosterDemandsQuestion) -> Presence | None:
    vehicles = tuple(bound(rule, question.fleet, question.exempt))
    found = may_rest(ev, rule, len(vehicles))
    return Presence(rule.code, found[0], max(len(vehicles) - found[1], 0), vehicles) if found else None
