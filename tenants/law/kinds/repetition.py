"""The same again: past events as the law counts them, and what repetition draws."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from decimal import Decimal

from tenants.law.decide import answer
from tenants.law.decision import Decision, Outcome
from tenants.law.evaluation import Evaluation
from tenants.law.kinds.effects import Drawn, Effect, Setting, drawn
from tenants.law.kinds.infractions import Infraction, Ladder, Measure, Rung
from tenants.law.quantity import Length, Number
from tenants.law.values import Value

_DAY = timedelta(days=1)
ANY_GROUP = "*"


@dataclass(frozen=True, slots=True)
class Event:
    """A past event. ``keys``: infraction, group, holder, vehicle, driver …; ``penalty``: the register's word."""

    on: date
    keys: Mapping[str, str] = field(default_factory=dict)
    penalty: str = ""
    final_on: date | None = None
    paid: bool | None = None
    points: int | None = None
    days: int | None = None

    def kind(self, counts: str) -> bool:
        """Is it one of what a measure counts?"""
        match counts:
            case "infraction":
                return "infraction" in self.keys
            case "points":
                return self.points is not None or "infraction" in self.keys
        return self.penalty == counts


@dataclass(frozen=True, slots=True)
class LadderQuestion:
    """What does an infraction draw, after these past events? ``keys`` say whose and which category's it is."""

    infraction: str
    keys: Mapping[str, str] = field(default_factory=dict)
    events: Sequence[Event] = ()
    days: Mapping[str, date] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class LadderAnswer:
    """``nth`` counts this time; ``counted`` are the days of the past events that count."""

    infraction: str
    nth: int
    effects: tuple[Drawn, ...]
    counted: tuple[date, ...]
    may_open: tuple[str, ...]
    ladder: str | None


# --- measures ------------------------------------------------------------------------------------------------------


def counted(
    ev: Evaluation, measure: Measure, events: Sequence[Event], keys: Mapping[str, str], day: date
) -> list[Event]:
    """The events up to a day that a measure counts for a case, oldest first; what is unproven of one is noted."""
    past = sorted((e for e in events if e.on <= day and e.kind(measure.counts)), key=lambda e: e.on)
    alike = [e for e in past if all(e.keys.get(key) == keys.get(key) for key in measure.match)]
    meant = [e for e in alike if measure.when is None or _counts(ev, measure, e, day)]
    return [e for e in _windowed(ev, measure, meant, events, day) if _lives(ev, measure, e, day)]


def _counts(ev: Evaluation, measure: Measure, event: Event, day: date) -> bool:
    """``if`` on the event's own facts, beside those of the case."""
    own: dict[str, object] = {"event.on": event.on, "event.final": _final(event, day)}
    own |= {f"event.{key}": event.keys[key] for key in ("infraction", "group") if key in event.keys}
    own |= {"event.penalty": event.penalty} if event.penalty else {}
    own |= {"event.paid": event.paid} if event.paid is not None else {}
    apart = ev.fresh(ev.facts.with_(own))
    holds = measure.when is None or apart.holds(measure.when)
    if holds is None:
        ev.takes(apart)
    for code in measure.when.facts if measure.when else ():
        if code.startswith("reading."):
            ev.reading(code.removeprefix("reading."))
    return bool(holds)


def _final(event: Event, on: date) -> bool:
    return event.final_on is not None and event.final_on <= on


def _windowed(ev: Evaluation, measure: Measure, meant: list[Event], events: Sequence[Event], day: date) -> list[Event]:
    match measure.anchor:
        case "calendar_year":
            return [e for e in meant if e.on.year == day.year]
        case "last_effect":
            last = max((e.on for e in events if e.penalty == measure.effect and e.on <= day), default=date.min)
            return [e for e in meant if e.on > last]
        case "final_decision":
            return [e for e in meant if e.final_on and _final(e, day) and _within(ev, measure, e.final_on, day)]
        case "previous_event":
            return _chain(ev, measure, meant, day)
        case "first_event":
            return _period(ev, measure, meant, day)
    return [e for e in meant if _within(ev, measure, e.on, day)]


def _chain(ev: Evaluation, measure: Measure, meant: list[Event], day: date) -> list[Event]:
    """Back from a day, as long as no gap is wider than the window."""
    kept: list[Event] = []
    later = day
    for event in reversed(meant):
        if not _within(ev, measure, event.on, later):
            break
        kept.append(event)
        later = event.on
    return kept[::-1]


def _period(ev: Evaluation, measure: Measure, meant: list[Event], day: date) -> list[Event]:
    """The period, opened by its first event, that holds a day."""
    held: list[Event] = []
    for event in meant:
        if not held or not _within(ev, measure, held[0].on, event.on):
            held = []
        held.append(event)
    return held if held and _within(ev, measure, held[0].on, day) else []


def _within(ev: Evaluation, measure: Measure, since: date, day: date) -> bool:
    if measure.window is None:
        return True
    last = _last(ev, measure, since, measure.window)
    return last is not None and day <= last


def _last(ev: Evaluation, measure: Measure, since: date, value: Value) -> date | None:
    """The last day inside a window or a life."""
    length, bounds = ev.typed(value, Length), ev.word(measure.bounds)
    days = ev.counted(measure.counting, since, length) if length else None
    if days is None or bounds is None:
        return None
    return days.last_day if bounds == "in" else days.last_day - _DAY


def lives_until(ev: Evaluation, measure: Measure, event: Event) -> date | None:
    """The last day of an event's life; None: it has no end, or what is missing has been noted."""
    life = measure.lives.get(event.keys.get("group", ""), measure.lives.get(ANY_GROUP))
    since = event.final_on if measure.anchor == "final_decision" else event.on
    return None if life is None or since is None else _last(ev, measure, since, life)


def _lives(ev: Evaluation, measure: Measure, event: Event, day: date) -> bool:
    until = lives_until(ev, measure, event)
    return day <= until if until else not measure.lives.keys() & {event.keys.get("group", ""), ANY_GROUP}


def total(ev: Evaluation, measure: Measure, events: Iterable[Event]) -> int:
    """How many, or their sum."""
    match measure.sum:
        case "points":
            return sum(points_of(ev, event) for event in events)
        case "days":
            return sum(event.days or 0 for event in events)
    return sum(1 for _ in events)


def points_of(ev: Evaluation, event: Event) -> int:
    """As recorded; else what its infraction carried on its own day."""
    if event.points is not None:
        return event.points
    there = ev.at(event.on)
    rule = there.rule(Infraction, event.keys.get("infraction", ""))
    points = there.typed(rule.points, Number) if rule else None
    if there is not ev:
        ev.takes(there)
    return int(points.value) if points else 0


# --- ladders -------------------------------------------------------------------------------------------------------


def repeated(ev: Evaluation, rule: Infraction, question: LadderQuestion) -> LadderAnswer:
    """What an infraction draws at its nth time: its ladder's step, or its own effects where no ladder reaches it."""
    keys = {"infraction": rule.code, **({"group": rule.group} if rule.group else {}), **question.keys}
    ladders = ev.rules(Ladder, **keys)
    ladder = ladders[0] if ladders else None
    if ladder is None:
        effects = _own(ev, rule, Setting(days=question.days, by=rule.by))
        return LadderAnswer(rule.code, 1, effects, (), _may_open(rule, effects), None)
    if len(ladders) > 1:
        ev.undetermined(f"mais de uma escala de reincidência alcança {rule.code}: {', '.join(r.code for r in ladders)}")
    measure = ev.rule(Measure, ladder.measure)
    if measure is None:
        ev.undetermined(f"a lei não tem a medida {ladder.measure}")
        return LadderAnswer(rule.code, 1, (), (), (), ladder.code)
    past = counted(ev, measure, question.events, keys, ev.on)
    nth = total(ev, measure, past) + 1
    effects = _climbed(ev, ladder, rule, nth, question)
    return LadderAnswer(rule.code, nth, effects, tuple(e.on for e in past), _may_open(rule, effects), ladder.code)


def _own(ev: Evaluation, rule: Infraction, setting: Setting) -> tuple[Drawn, ...]:
    return tuple(drawn(ev, effect, setting) for effect in (rule, *(_of(rule, each) for each in rule.also)))


def _of(rule: Infraction, effect: Effect) -> Effect:
    """A split that says no sum divides the infraction's own."""
    if effect.do != "split" or effect.amount or effect.tiers:
        return effect
    return effect.model_copy(update={"amount": rule.amount, "tiers": rule.tiers})


def _may_open(rule: Infraction, effects: Iterable[Drawn]) -> tuple[str, ...]:
    return tuple(dict.fromkeys([*rule.may_open, *(e.opens for e in effects if e.opens)]))


def _climbed(ev: Evaluation, ladder: Ladder, rule: Infraction, nth: int, question: LadderQuestion) -> tuple[Drawn, ...]:
    rungs, beyond = _rungs(ladder, nth)
    factor = _factor(ev, ladder, rungs, beyond)
    most = ev.value(ladder.most) if ladder.most else None
    setting = Setting(question.days, rule.by, factor, ladder.factor_on, most)
    if not rungs:
        return _own(ev, rule, setting)
    for rung in rungs:
        ev.part(ladder, str(rung.nth), rung.cite)
    return tuple(drawn(ev, rung, setting, base=rule) for rung in rungs)


def _rungs(ladder: Ladder, nth: int) -> tuple[list[Rung], int]:
    """The steps that the nth time draws, and how many times it is beyond the last of them (without: the first)."""
    last = max((rung.nth for rung in ladder.steps), default=1)
    reached = (nth - 1) % last + 1 if ladder.beyond == "repeat_all" else nth
    if ladder.beyond == "stop" and nth > last:
        return [], 0
    step = max((rung.nth for rung in ladder.steps if rung.nth <= reached), default=0)
    return [rung for rung in ladder.steps if rung.nth == step], max(nth - last, 0)


def _factor(ev: Evaluation, ladder: Ladder, rungs: Sequence[Rung], beyond: int) -> Number | None:
    whole = ev.typed(ladder.factor, Number)
    stated = next((ev.typed(rung.factor, Number) for rung in rungs if rung.factor), None)
    times = stated.value if stated else Decimal(1)
    if whole:
        times *= whole.value**beyond
    return None if times == 1 else Number(times)


@answer.register
def _(question: LadderQuestion, ev: Evaluation) -> Decision:
    rules = ev.rules(Infraction, lambda r: r.code == question.infraction, **question.keys)
    if not rules:
        ev.undetermined(f"a lei não tem, para este caso, a infração {question.infraction} em {ev.on:%d/%m/%Y}")
        return ev.close()
    found = repeated(ev, rules[0], question)
    if ev.obstacle:
        return ev.close(value=found)
    effects = ", ".join(effect.text for effect in found.effects) or "nada"
    return ev.decide(Outcome.VALUE, f"{found.nth}ª vez, como a lei conta: {effects}.", value=found)
