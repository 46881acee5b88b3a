"""How terms are counted, and what follows their last day."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta

from tenants.law.calendar import DayCount, count_back
from tenants.law.citation import Citation
from tenants.law.decide import answer
from tenants.law.decision import Decision, Outcome
from tenants.law.evaluation import Evaluation
from tenants.law.kinds.effects import Drawn, Setting, drawn
from tenants.law.kinds.terms import Late, Term
from tenants.law.quantity import Length, MonthDay
from tenants.law.values import FactValueOf, Ranged

_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class TermQuestion:
    """By when? ``start`` is the day of the event that sets the term running.

    Args:
        start: Of a yearly validity, the day before which it cannot end: its issue, or the end of the one before it.
        last: The last day as it was counted when the term was opened; None: it is counted from ``start``.
        suspensions: First and last day of each, both suspended.
        length: As an office has fixed it, where the law leaves it to one.
    """

    code: str
    start: date
    keys: Mapping[str, str] = field(default_factory=dict)
    suspensions: Sequence[tuple[date, date]] = ()
    last: date | None = None
    length: Length | None = None


@dataclass(frozen=True, slots=True)
class LateStep:
    """What follows. ``last_day_before`` is still in time, ``first_day`` is not; ``begun``: on the law's day."""

    last_day_before: date
    first_day: date
    begun: bool
    days: DayCount | None
    infraction: str | None
    also: tuple[str, ...]
    opens: str | None
    must_open: bool
    effect: Drawn | None
    decides: str | None
    cite: tuple[Citation, ...]


@dataclass(frozen=True, slots=True)
class TermAnswer:
    """``window_from``: the first day on which renewal may be asked; ``follows``: the facts that the end moves with."""

    term: str
    of: str
    last_day: date
    days: DayCount | None
    late: tuple[LateStep, ...]
    met_by: tuple[str, ...]
    binds: str
    renewals: int | None
    window_from: date | None
    follows: tuple[str, ...]
    incomplete: str | None = None

    def begun(self) -> tuple[LateStep, ...]:
        """The steps of lateness that have begun by the law's day."""
        return tuple(step for step in self.late if step.begun)


@answer.register
def _(question: TermQuestion, ev: Evaluation) -> Decision:
    rule = ev.named(Term, question.code, question.keys)
    if rule is None:
        return ev.close()
    days, last = (None, question.last) if question.last else _end(ev, rule, question)
    if last is None:
        return ev.close()
    found = TermAnswer(
        term=rule.code,
        of=rule.of,
        last_day=last,
        days=days,
        late=tuple(step for at, late in enumerate(rule.late) if (step := _late(ev, rule, at, late, last))),
        met_by=rule.met_by,
        binds=rule.binds,
        renewals=ev.whole(rule.renewals) if rule.renewals else None,
        window_from=_window(ev, rule, last),
        follows=_follows(rule),
        incomplete=rule.incomplete,
    )
    if ev.obstacle:
        return ev.close(value=found)
    return ev.decide(Outcome.VALUE, f"{rule.title or rule.code}: até {last:%d/%m/%Y}.", value=found)


def _end(ev: Evaluation, rule: Term, question: TermQuestion) -> tuple[DayCount | None, date | None]:
    """The count, where there is one, and the last day."""
    given = question.length if isinstance(rule.length, Ranged) else None
    length = given or ev.typed(rule.length, Length)
    if rule.length and length is None:
        return None, None
    if rule.ends:
        match ev.value(rule.ends):
            case MonthDay() as yearly:
                return None, _yearly(yearly, question.start, length)
            case date() as day:
                return None, day
            case None:
                return None, None
        ev.undetermined(f"o prazo {rule.code} não termina em um dia")
        return None, None
    if length is None:
        return None, question.start
    days = ev.counted(rule.counting, question.start, length, question.suspensions)
    if days is None:
        return None, None
    return days, (days.rolled_from or days.last_day) if rule.validity else days.last_day


def _yearly(yearly: MonthDay, start: date, length: Length | None) -> date:
    """The first such day after the start; of a length of years, so many of them on."""
    years = length.count if length and length.per == "years" else 1
    first = yearly.on_or_after(start + _DAY)
    return yearly.in_year(first.year + years - 1)


def _late(ev: Evaluation, rule: Term, at: int, late: Late, last: date) -> LateStep | None:
    after = ev.typed(late.after, Length)
    if after is None:
        return None
    days = ev.counted(late.counting or rule.counting, last, after) if after.count else None
    if after.count and days is None:
        return None
    still = days.last_day if days else last
    ev.part(rule, f"late-{at}", late.cite)
    decides = ev.office(late.decides) if late.decides else None
    by = (decides,) if decides else ()
    return LateStep(
        last_day_before=still,
        first_day=still + _DAY,
        begun=ev.on > still,
        days=days,
        infraction=late.infraction,
        also=late.also,
        opens=late.opens,
        must_open=late.must_open,
        effect=drawn(ev.fresh(), late.effect, Setting(days={"effect": still + _DAY}, by=by)) if late.effect else None,
        decides=decides,
        cite=late.cite,
    )


def _window(ev: Evaluation, rule: Term, last: date) -> date | None:
    length = ev.typed(rule.window, Length)
    if length is None:
        return None
    counting = ev.counting(rule.counting).model_copy(update={"roll": "none"})
    return count_back(counting, last, length, ev.law.calendar).last_day


def _follows(rule: Term) -> tuple[str, ...]:
    ends = (rule.ends, rule.length)
    return tuple(value.fact for value in ends if isinstance(value, FactValueOf)) if rule.follows else ()
