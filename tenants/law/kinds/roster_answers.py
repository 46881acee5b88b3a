"""Does a proposed roster cover the hours, give each vehicle its hours, and let no more rest than may?"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from typing import Literal

from tenants.law.calendar import DAYS_A_WEEK
from tenants.law.decide import answer
from tenants.law.decision import Decision, Outcome, combine
from tenants.law.evaluation import Evaluation
from tenants.law.kinds.roster_demands import bound, may_rest, minutes_of
from tenants.law.kinds.stands import Cover, Roster, ServiceDuty
from tenants.law.kinds.windows import DAY, MINUTE, Span, days_of, local, segments
from tenants.law.quantity import Hours


@dataclass(frozen=True, slots=True)
class Shift:
    """A vehicle at work, on the town's clock: first moment in, last one out."""

    vehicle: str
    start: datetime
    end: datetime


@dataclass(frozen=True, slots=True)
class RosterQuestion:
    """What does a proposed roster for ``[since, until)`` break?

    Args:
        fleet: Every vehicle that must work.
        agreed_by: Who has agreed to it (codes of the pack); None: not looked at.
        exempt: Why a vehicle need not work, where it need not.
    """

    category: str
    shifts: Sequence[Shift]
    fleet: Sequence[str]
    since: datetime
    until: datetime
    agreed_by: Sequence[str] | None = None
    exempt: Mapping[str, str] = field(default_factory=dict)
    keys: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class DutyQuestion(RosterQuestion):
    """As ``RosterQuestion``, of the hours of duty alone."""


@dataclass(frozen=True, slots=True)
class Breach:
    """What a roster breaks: too few vehicles over a span, too many at rest, too few minutes, a day without work."""

    rule: str
    what: Literal["cover", "rest", "hours", "daily"]
    start: datetime
    end: datetime
    demanded: int
    found: int
    vehicle: str | None = None


@dataclass(frozen=True, slots=True)
class RosterAnswer:
    breaches: tuple[Breach, ...]


@answer.register
def _(question: DutyQuestion, ev: Evaluation) -> Decision:
    return _together(ev, _duties(ev, question))


@answer.register
def _(question: RosterQuestion, ev: Evaluation) -> Decision:
    rosters = ev.rules(Roster, category=question.category, **question.keys)
    covers = [_roster(ev.alone(rule), rule, question) for rule in rosters]
    return _together(ev, [*covers, *_duties(ev, question)])


def _duties(ev: Evaluation, question: RosterQuestion) -> list[Decision]:
    """Each demand of a duty is answered apart: what breaks one shows although another is not determined."""
    duties = ev.rules(ServiceDuty, category=question.category, **question.keys)
    return [part(ev.alone(rule), rule, question) for rule in duties for part in (_hours, _daily, _rest)]


def _together(ev: Evaluation, parts: Sequence[Decision]) -> Decision:
    breaches = tuple(breach for part in parts if isinstance(part.value, RosterAnswer) for breach in part.value.breaches)
    told = " ".join(dict.fromkeys(part.message for part in parts if not part.permits)) or "A escala cumpre a lei."
    own = [ev.close()] if ev.obstacle else []
    return combine([*own, *parts], message=told, value=RosterAnswer(breaches))


def _found(ev: Evaluation, breaches: Sequence[Breach], broken: str, kept: str) -> Decision:
    if breaches:
        return ev.decide(Outcome.DENIED, broken, value=RosterAnswer(tuple(breaches)))
    return ev.close() if ev.obstacle else ev.decide(Outcome.ALLOWED, kept, value=RosterAnswer(()))


# --- cover ---------------------------------------------------------------------------------------------------------


def _roster(ev: Evaluation, rule: Roster, question: RosterQuestion) -> Decision:
    """Without the agreement that the law wants, an office decides."""
    breaches = [breach for cover in rule.cover for breach in _uncovered(ev, rule, cover, question)]
    disagreed = question.agreed_by is not None and not set(rule.agreed_by) <= set(question.agreed_by)
    if disagreed and not breaches and rule.otherwise and (office := ev.office(rule.otherwise)):
        ev.left_to(office)
    return _found(ev, breaches, "Há horas sem o número de veículos que a lei exige.", "As horas estão cobertas.")


def _uncovered(ev: Evaluation, rule: Roster, cover: Cover, question: RosterQuestion) -> Iterator[Breach]:
    band = None if cover.hours == "all" else ev.typed(cover.hours, Hours)
    if cover.hours != "all" and band is None:
        return
    for start, end, present in _present(ev, question, question.fleet, band):
        if present < cover.least:
            yield Breach(rule.code, "cover", start, end, cover.least, present)


def _present(
    ev: Evaluation, question: RosterQuestion, fleet: Sequence[str], band: Hours | None
) -> list[tuple[datetime, datetime, int]]:
    """How many of the fleet work, from moment to moment of a band; neighbours with the same number are one span."""
    shifts = [(s.vehicle, local(ev, s.start), local(ev, s.end)) for s in question.shifts if s.vehicle in fleet]
    edges = [edge for _, start, end in shifts for edge in (start, end)]
    spans: list[tuple[datetime, datetime, int]] = []
    for start, end in segments(_span(ev, question), edges, [band] if band else []):
        if band is not None and not band.contains(start.time()):
            continue
        present = len({vehicle for vehicle, begins, ends in shifts if begins <= start and end <= ends})
        if spans and spans[-1][1] == start and spans[-1][2] == present:
            spans[-1] = (spans[-1][0], end, present)
        else:
            spans.append((start, end, present))
    return spans


def _span(ev: Evaluation, question: RosterQuestion) -> Span:
    return local(ev, question.since), local(ev, question.until)


# --- duty ----------------------------------------------------------------------------------------------------------


def _hours(ev: Evaluation, rule: ServiceDuty, question: RosterQuestion) -> Decision:
    """A shift counts on the day on which it starts; a week is seven days from the roster's first."""
    demanded = minutes_of(ev, rule)
    vehicles, own = bound(rule, question.fleet, question.exempt), _own(ev, question)
    breaches = []
    for days in _periods(ev, rule, question) if demanded else []:
        for vehicle in vehicles:
            found = sum(_worked(own.get(vehicle, ()), day) for day in days)
            if found < demanded:
                breaches.append(_short(rule, "hours", days, demanded, found, vehicle))
    return _found(ev, breaches, "Há veículos com menos horas do que a lei exige.", "Cada veículo cumpre as horas.")


def _daily(ev: Evaluation, rule: ServiceDuty, question: RosterQuestion) -> Decision:
    days = list(days_of(_span(ev, question))) if rule.daily else []
    vehicles, own = bound(rule, question.fleet, question.exempt), _own(ev, question)
    idle = [(day, vehicle) for day in days for vehicle in vehicles if not _runs(own.get(vehicle, ()), day)]
    breaches = [_short(rule, "daily", [day], 1, 0, vehicle) for day, vehicle in idle]
    return _found(ev, breaches, "Há veículos parados em dia de trabalho.", "Todos trabalham todos os dias.")


def _rest(ev: Evaluation, rule: ServiceDuty, question: RosterQuestion) -> Decision:
    """At no moment of the hours of rest may more be away than may."""
    kept = "Não descansam mais do que podem."
    fleet = bound(rule, question.fleet, question.exempt)
    found = may_rest(ev, rule, len(fleet))
    if found is None:
        return _found(ev, (), "", kept)
    band, may = found
    breaches = [
        Breach(rule.code, "rest", start, end, may, len(fleet) - present)
        for start, end, present in _present(ev, question, fleet, band)
        if len(fleet) - present > may
    ]
    return _found(ev, breaches, "Descansam mais veículos do que a lei permite.", kept)


def _periods(ev: Evaluation, rule: ServiceDuty, question: RosterQuestion) -> list[list[date]]:
    """The days, or the whole weeks, of the roster."""
    days = list(days_of(_span(ev, question)))
    if rule.per == "day":
        return [[day] for day in days]
    weeks = [days[at : at + DAYS_A_WEEK] for at in range(0, len(days), DAYS_A_WEEK)]
    return [week for week in weeks if len(week) == DAYS_A_WEEK]


def _own(ev: Evaluation, question: RosterQuestion) -> dict[str, list[Span]]:
    """The shifts of each vehicle on the town's clock, in order."""
    own: dict[str, list[Span]] = defaultdict(list)
    for start, end, vehicle in sorted((local(ev, s.start), local(ev, s.end), s.vehicle) for s in question.shifts):
        own[vehicle].append((start, end))
    return own


def _worked(own: Sequence[Span], day: date) -> int:
    """Minutes of the shifts that start on a day; what overlaps counts once."""
    minutes, reached = timedelta(), datetime.combine(day, time())
    for start, end in own:
        if start.date() == day:
            minutes += max(end - max(start, reached), timedelta())
            reached = max(reached, end)
    return minutes // MINUTE


def _runs(own: Sequence[Span], day: date) -> bool:
    first, last = datetime.combine(day, time()), datetime.combine(day + DAY, time())
    return any(start < last and end > first for start, end in own)


def _short(
    rule: ServiceDuty, what: Literal["hours", "daily"], days: Sequence[date], demanded: int, found: int, vehicle: str
) -> Breach:
    start, end = datetime.combine(days[0], time()), datetime.combine(days[-1] + DAY, time())
    return Breach(rule.code, what, start, end, demanded, found, vehicle)
