"""When the next inspection (vistoria) is due, and from when to when a campaign (recadastramento) runs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date

from tenants.law.decide import answer
from tenants.law.decision import Decision, Outcome
from tenants.law.evaluation import Evaluation
from tenants.law.kinds.demands import Draws, drawn_when_missed, exempt, named
from tenants.law.kinds.papers import PaperFact, filed
from tenants.law.kinds.requirements import Campaign, Inspection
from tenants.law.quantity import Length, MonthDay


@dataclass(frozen=True, slots=True)
class InspectionQuestion:
    """When is the next inspection due? ``last_on``: the day of the last one that passed; None: there was none.

    ``found_on``: the day on which faults were found that have yet to be mended. Facts may decide the period (age).
    ``code``: of the one inspection asked about, where the law has several.
    """

    category: str
    last_on: date | None
    of: str = "vehicle"
    plate: str | None = None
    papers: Sequence[PaperFact] = ()
    found_on: date | None = None
    keys: Mapping[str, str] = field(default_factory=dict)
    code: str | None = None

    def asks_of(self, rule: Inspection) -> bool:
        return rule.of == self.of and self.code in (None, rule.code)


@dataclass(frozen=True, slots=True)
class InspectionAnswer:
    """``due_on``: its last day. ``overdue``: that day has passed. ``lacking``: papers to be there before."""

    rule: str
    due_on: date
    overdue: bool
    by: str | None
    every: Length | None
    cure_until: date | None
    lacking: tuple[str, ...]
    displayed: bool
    missed: Draws | None


@answer.register
def _(question: InspectionQuestion, ev: Evaluation) -> Decision:
    rules = ev.each(Inspection, question.asks_of, **{**question.keys, "category": question.category})
    parts = [exempt(own) if rule is None else _due(rule, own, question) for rule, own in rules]
    if len(parts) == 1:
        return parts[0]
    values = [part.value for part in parts if isinstance(part.value, InspectionAnswer)]
    message = " ".join(part.message for part in parts) or "A lei não exige vistoria."
    return ev.together(parts, message=message, value=min(values, key=lambda v: v.due_on, default=None))


def _due(rule: Inspection, ev: Evaluation, question: InspectionQuestion) -> Decision:
    if ev.obstacle:
        return ev.close()
    every = ev.value(rule.every) if rule.every else None
    due = _day(rule, ev, question, every if isinstance(every, Length) else None)
    office = ev.office(rule.by) if rule.by else None
    cure = ev.plus(question.found_on, rule.cure, rule.counting) if rule.cure else None
    if due is None or ev.obstacle:
        return ev.close()
    value = InspectionAnswer(
        rule=rule.code,
        due_on=due,
        overdue=due < ev.on,
        by=office,
        every=every if isinstance(every, Length) else None,
        cure_until=cure if isinstance(cure, date) else None,
        lacking=tuple(code for code in rule.needs if not filed(ev.fresh(), question.papers, code).counts),
        displayed=rule.displayed,
        missed=drawn_when_missed(rule, ev),
    )
    when = "venceu" if value.overdue else "vence"
    return ev.decide(Outcome.VALUE, f"{named(rule)}: {when} em {due:%d/%m/%Y}.", value=value)


def _day(rule: Inspection, ev: Evaluation, question: InspectionQuestion, every: Length | None) -> date | None:
    """By the plate, in the year after that of the last one; else a period from it; a first one at once or as said."""
    last = question.last_on
    first = ev.day(rule.first_due) if rule.first_due else ev.on
    if rule.by_plate_ending:
        day = _of_plate(rule.by_plate_ending, ev, question.plate)
        if day is None or first is None:
            return None
        return day.on_or_after(first) if last is None else day.in_year(last.year + 1)
    if last is None:
        return first
    if every is None:
        if not ev.obstacle:
            ev.undetermined(f"{named(rule)}: a lei não diz de quanto em quanto tempo")
        return None
    return ev.count(rule.counting, last, every).last_day


def _of_plate(days: Mapping[str, MonthDay], ev: Evaluation, plate: str | None) -> MonthDay | None:
    ending = plate.strip()[-1:] if plate else str(ev.fact("vehicle.plate_ending") or 0)
    if not plate and "vehicle.plate_ending" not in ev.facts:
        return None
    day = next((day for digits, day in days.items() if ending in digits), None)
    if day is None:
        ev.undetermined(f"o calendário da lei não tem o final de placa {ending!r}")
    return day


# --- campaigns -------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class CampaignQuestion:
    """From when to when does a campaign run, for the vehicle of this plate where the plate decides?"""

    code: str
    plate: str | None = None
    keys: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class CampaignAnswer:
    rule: str
    whom: str
    opens_on: date
    last_day: date
    running: bool
    missed: Draws | None


@answer.register
def _(question: CampaignQuestion, ev: Evaluation) -> Decision:
    rule = ev.named(Campaign, question.code, question.keys)
    if rule is None:
        return ev.close()
    opens = _opens(rule, ev)
    last = _last(rule, ev, question, opens)
    missed = drawn_when_missed(rule, ev)
    if opens is None or last is None or ev.obstacle:
        if not ev.obstacle:
            ev.undetermined(f"{named(rule)}: a lei não diz quando começa e acaba")
        return ev.close()
    value = CampaignAnswer(rule.code, rule.whom, opens, last, opens <= ev.on <= last, missed)
    message = f"{named(rule)}: de {opens:%d/%m/%Y} a {last:%d/%m/%Y}."
    return ev.decide(Outcome.VALUE, message, value=value)


def _opens(rule: Campaign, ev: Evaluation) -> date | None:
    """A day, or that of each year; by the plate's calendar alone, the first of the year."""
    if rule.opens_on is None:
        return date(ev.on.year, 1, 1) if rule.by_plate_ending else None
    match ev.value(rule.opens_on):
        case MonthDay() as day:
            return day.in_year(ev.on.year)
        case date() as day:
            return day
    return None


def _last(rule: Campaign, ev: Evaluation, question: CampaignQuestion, opens: date | None) -> date | None:
    if rule.by_plate_ending:
        day = _of_plate(rule.by_plate_ending, ev, question.plate)
        return day.on_or_after(opens) if day and opens else None
    length = ev.value(rule.term) if rule.term else None
    if opens is None or not isinstance(length, Length):
        return None
    return ev.count(rule.counting, opens, length).last_day
