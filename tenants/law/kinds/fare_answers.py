"""What a ride costs: the tariff's components, and the surcharges in whose windows it falls."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from decimal import Decimal

from tenants.law.decide import answer
from tenants.law.decision import Decision, Missing, Outcome
from tenants.law.evaluation import Evaluation
from tenants.law.facts import Facts
from tenants.law.kinds.tariffs import Component, Tariff
from tenants.law.kinds.windows import MINUTE, WEEKDAYS, local, segments
from tenants.law.money import rate_of
from tenants.law.quantity import Amount, Hours, MonthDay, Number, Percent, Quantity, Rounding

Part = tuple[int, int]  # so much of so much: what part of the ride a window takes
ALL, NONE = (1, 1), (0, 1)


@dataclass(frozen=True, slots=True)
class FareQuestion:
    """What does a ride cost that starts (and ends) at these moments of the town's clock?

    Args:
        fare: Reais by the meter or the table, before surcharges; None: the law's own components say, on facts.
        events: Occasions of the ride, as the pack calls them.

    Raises:
        ValueError: It ends before it starts.
    """

    category: str
    starts: datetime
    ends: datetime | None = None
    fare: Decimal | None = None
    events: Sequence[str] = ()
    keys: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.ends is not None and self.ends < self.starts:
            raise ValueError("a ride ends after it starts")


@dataclass(frozen=True, slots=True)
class FareLine:
    """A part of the fare, exact: only the total is rounded."""

    rule: str
    title: str
    brl: Decimal


@dataclass(frozen=True, slots=True)
class FareAnswer:
    """``base`` before surcharges, exact; ``total`` rounded once."""

    base: Decimal
    total: Decimal
    lines: tuple[FareLine, ...]


@answer.register
def _(question: FareQuestion, ev: Evaluation) -> Decision:
    ev = ev.fresh(_ride_facts(question, ev))
    rules = ev.rules(Tariff, category=question.category, **question.keys)
    taken = [(rule, part) for rule in rules if (part := _taken(ev, rule, question)) != NONE]
    lines = _base(ev, [rule for rule, _ in taken if rule.add is None], question)
    if lines is None:
        return ev.close()
    base = sum((line.brl for line in lines), Decimal(0))
    extra = _surcharges(ev, [(rule, part) for rule, part in taken if rule.add is not None], base)
    if ev.obstacle:
        return ev.close()
    total = base + sum((line.brl for line in extra), Decimal(0))
    rounding = next((rule.round for rule, _ in taken if rule.round), None) or ev.law.book.town.money
    found = FareAnswer(base, rounding.apply(total), (*lines, *extra))
    return ev.decide(Outcome.VALUE, f"Corrida: {Amount(found.total, 'BRL').text}.", value=found)


def _ride_facts(question: FareQuestion, ev: Evaluation) -> Facts:
    """Hour, weekday and holiday follow from the moments; what the caller states wins."""
    starts = local(ev, question.starts)
    known: dict[str, object] = {
        "ride.starts": (starts - datetime.combine(starts.date(), time())) // MINUTE,
        "ride.weekday": starts.isoweekday(),
        "ride.holiday": ev.law.calendar.is_holiday(starts.date()),
    }
    return ev.facts.with_({code: value for code, value in known.items() if code not in ev.facts})


# --- windows -------------------------------------------------------------------------------------------------------


def _taken(ev: Evaluation, rule: Tariff, question: FareQuestion) -> Part:
    """What part of the ride a rule's window takes: all or nothing, unless the law divides the ride."""
    if rule.events and not set(rule.events) & set(question.events):
        return NONE
    if not (rule.hours or rule.weekdays or rule.holidays or rule.season):
        return ALL
    ride = ev.word(rule.ride)
    opened = _opened(ev, rule)
    if ride is None or opened is None:
        return NONE
    starts = local(ev, question.starts)
    if ride == "start":
        return ALL if opened(starts) else NONE
    if question.ends is None:
        ev.lacks(Missing("fact", "ride.ends", ev.law.vocabulary["ride.ends"].ask))
        return NONE
    ends = local(ev, question.ends)
    if ride == "end" or starts == ends:
        return ALL if opened(ends) else NONE
    band = ev.typed(rule.hours, Hours)
    spans = segments((starts, ends), (), [band] if band else [])
    inside = sum((b - a for a, b in spans if opened(a)), start=timedelta())
    return (inside // timedelta.resolution, (ends - starts) // timedelta.resolution) if inside else NONE


def _opened(ev: Evaluation, rule: Tariff) -> Callable[[datetime], bool] | None:
    """Whether a rule's window holds a moment; None: what is missing has been noted."""
    band, last = ev.typed(rule.hours, Hours), ev.word(rule.last)
    season = [ev.typed(day, MonthDay) for day in rule.season or ()]
    if (rule.hours and band is None) or last is None or None in season:
        return None

    def opened(moment: datetime) -> bool:
        clock = moment.time().replace(second=0, microsecond=0)
        in_band = band is None or band.contains(clock) or (last == "in" and clock == band.end)
        return in_band and _on_day(ev, rule, moment.date()) and _in_season(season, moment.date())

    return opened


def _on_day(ev: Evaluation, rule: Tariff, day: date) -> bool:
    if not rule.weekdays and not rule.holidays:
        return True
    return WEEKDAYS[day.weekday()] in rule.weekdays or (rule.holidays and ev.law.calendar.is_holiday(day))


def _in_season(season: Sequence[MonthDay | None], day: date) -> bool:
    match season:
        case (MonthDay() as first, MonthDay() as last):
            opens, closes = first.in_year(day.year), last.in_year(day.year)
            return opens <= day <= closes if opens <= closes else day >= opens or day <= closes
    return True


# --- sums ----------------------------------------------------------------------------------------------------------


def _base(ev: Evaluation, rules: Sequence[Tariff], question: FareQuestion) -> list[FareLine] | None:
    """What the meter says, or the components of the tariffs that hold; at least their minimum."""
    if question.fare is not None:
        lines = [FareLine("", "Tarifa", question.fare)]
    else:
        alone = [rule for rule in rules if rule.stacking == "replace"]
        rules = alone or rules
        if len(alone) > 1:
            ev.undetermined(f"mais de uma tarifa substitui as outras: {', '.join(rule.code for rule in alone)}")
        found = [_component(ev, rule, component) for rule in rules for component in rule.components]
        lines = [line for line in found if line is not None]
        if not any(rule.components for rule in rules):
            ev.undetermined("falta o valor da tarifa: nem o caso nem a lei o diz")
    minimum = max((m for rule in rules if rule.minimum and (m := _reais(ev, ev.value(rule.minimum)))), default=None)
    if ev.obstacle:
        return None
    short = (minimum or Decimal(0)) - sum((line.brl for line in lines), Decimal(0))
    return [*lines, FareLine("", "Complemento da tarifa mínima", short)] if short > 0 else lines


def _component(ev: Evaluation, rule: Tariff, part: Component) -> FareLine | None:
    holds = True if part.when is None else ev.holds(part.when)
    if holds is False:
        return None
    value = _reais(ev, ev.value(part.value))
    measure = _measured(ev, part)
    if not holds or value is None or measure is None:
        return None
    return FareLine(f"{rule.code}/{part.code}", rule.title or rule.code, value * measure)


def _measured(ev: Evaluation, part: Component) -> Decimal | None:
    """How many times the value counts: what is measured beyond and below the thresholds, in the component's unit."""
    if part.times is None:
        return Decimal(1)
    fact, mode = ev.quantity_of(part.times), ev.word(part.round)
    edges = [ev.typed(edge, Number) if edge else Number(Decimal(0)) for edge in (part.beyond, part.below, part.per)]
    if not isinstance(fact, Number) or mode is None or None in edges:
        return None
    beyond, below, per = (edge.value for edge in edges if edge)
    reached = min(fact.value, below) if part.below else fact.value
    times = max(reached - beyond, Decimal(0)) / (per if part.per else 1)
    return times if mode == "exact" else Rounding(mode).apply(times)  # type: ignore[arg-type]


def _surcharges(ev: Evaluation, rules: Sequence[tuple[Tariff, Part]], base: Decimal) -> list[FareLine]:
    """Those that stand alone take the place of all; of those that compete the greatest; the others add up."""
    lines = [(rule, line) for rule, part in rules if (line := _surcharge(ev, rule, part, base))]
    alone = [line for rule, line in lines if rule.stacking == "replace"]
    if alone:
        return [max(alone, key=lambda line: line.brl)]
    rivals = [line for rule, line in lines if rule.stacking == "greatest"]
    greatest = [max(rivals, key=lambda line: line.brl)] if rivals else []
    return [*(line for rule, line in lines if rule.stacking == "add"), *greatest]


def _surcharge(ev: Evaluation, rule: Tariff, part: Part, base: Decimal) -> FareLine | None:
    """Multiplied first and divided last, so that what is whole stays whole."""
    add = ev.value(rule.add) if rule.add else None
    whole = base * add.fraction if isinstance(add, Percent) else _reais(ev, add)
    return None if whole is None else FareLine(rule.code, rule.title or rule.code, whole * part[0] / part[1])


def _reais(ev: Evaluation, value: Quantity | None) -> Decimal | None:
    """Exact: rounding comes last."""
    match value:
        case Number(number):
            return number
        case Amount(number, unit):
            rate = rate_of(ev, unit, ev.on)
            return None if rate is None else number * rate
        case None:
            return None
    ev.undetermined(f"{value} não é uma quantia")
    return None
