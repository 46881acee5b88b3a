"""A roster that keeps what the law asks, found by HiGHS, a solver of integer programmes.

Two programmes, one after the other. The first chooses which shifts a day needs and how many vehicles work each: so that
somebody is there at all hours, if that can be; with as few hours of work as the law allows; then with as many vehicles
as possible at the emptiest moment. The second says which vehicle works which shift on which day, so that nobody goes
from one shift into the next without a rest, and the shifts that nobody likes go round. The law's bands are the same on
all days, and so are the first programme's shifts.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import product

import highspy
from highspy import highs_linear_expression as Sum
from highspy import highs_var

from tenants.law.kinds.windows import DAY, MINUTE
from tenants.law.questions import Presence, RosterDemandsAnswer, Shift, Work

A_DAY = DAY // MINUTE
AN_HOUR = timedelta(hours=1) // MINUTE
A_WEEK = 7  # law-free: days of a week
USUAL = 8 * AN_HOUR  # law-free: minutes of a shift where the law names none
REST = 8 * AN_HOUR  # law-free: minutes that who drives needs between two shifts
WHOLE = 4_000  # law-free: up to this size the second programme sees the whole roster, beyond it one week that recurs
SECONDS = 4.0  # law-free: what one search may take
ROUNDED = 1e-6  # law-free: what is lost in a solver's floating point
FAIR_ENOUGH = 0.05  # law-free: how far from the fairest roster one may stop


Works = dict[tuple[int, int, int], highs_var | Sum]  # by vehicle, day and shift, by their places


@dataclass(frozen=True, slots=True)
class Turn:
    """A shift on any day: minutes of its start since midnight, and of its length. It may wrap midnight."""

    start: int
    length: int

    def covers(self, minute: int) -> bool:
        return (minute - self.start) % A_DAY < self.length


@dataclass(frozen=True, slots=True)
class Needed:
    """A shift, and how many vehicles must work it on every day."""

    turn: Turn
    vehicles: int


def propose(demands: RosterDemandsAnswer, fleet: Sequence[str], since: datetime, days: int) -> list[Shift] | None:
    """Shifts for so many days from a midnight on; None: these vehicles cannot do what the law asks.

    The last day's shifts may end on the day after; those of the day before the first are there from midnight on.
    """
    needed = _needed(demands, len(fleet))
    if needed is None:
        return None
    size = len(fleet) * days * len(needed)
    cycle = days if size <= WHOLE else min(days, A_WEEK)
    works = _assigned(demands, fleet, needed, cycle)
    if works is None:
        return None
    found = [
        _shift(fleet[at], since + day * DAY, needed[turn].turn, since)
        for day in range(-1, days)
        for at, turn in sorted(works[day % cycle].items())
    ]
    return [shift for shift in found if shift.end > shift.start]


def _shift(vehicle: str, midnight: datetime, turn: Turn, since: datetime) -> Shift:
    start = midnight + turn.start * MINUTE
    return Shift(vehicle, max(start, since), start + turn.length * MINUTE)


# --- which shifts a day needs --------------------------------------------------------------------------------------


def _needed(demands: RosterDemandsAnswer, size: int) -> list[Needed] | None:
    turns = _turns(demands, size)
    model = _model()
    counts = [model.addIntegral(lb=0, ub=size) for _ in turns]
    used = [model.addBinary() for _ in turns]
    for count, is_used in zip(counts, used, strict=True):
        model.addConstr(count <= size * is_used)
    moments = sorted({edge for turn in turns for edge in (turn.start, (turn.start + turn.length) % A_DAY)})
    at_work = {m: model.qsum(n for n, turn in zip(counts, turns, strict=True) if turn.covers(m)) for m in moments}
    for presence, moment in product(demands.presence, moments):
        if _inside(presence, moment):
            model.addConstr(at_work[moment] >= presence.least)
    everybody = model.qsum(counts)
    model.addConstr(everybody == size if any(_every_day(work) for work in demands.work) else everybody <= size)
    minutes = model.qsum(n * turn.length for n, turn in zip(counts, turns, strict=True))
    for work in demands.work:
        model.addConstr(minutes * (A_WEEK if work.per == "week" else 1) >= work.minutes * size)
    emptiest = model.addVariable(lb=0, ub=size)
    for moment in moments:
        model.addConstr(emptiest <= at_work[moment])
    somebody = model.addBinary()
    model.addConstr(somebody <= emptiest)
    for goal in (-1 * somebody, minutes, -1 * emptiest, model.qsum(used)):
        if not _at_best(model, goal):
            return None
    values = [round(model.variableValue(count)) for count in counts]
    return [Needed(turn, n) for turn, n in zip(turns, values, strict=True) if n]


def _every_day(work: Work) -> bool:
    """Hours of a day are owed on each day."""
    return work.daily or (work.per == "day" and work.minutes > 0)


def _turns(demands: RosterDemandsAnswer, size: int) -> list[Turn]:
    """Shifts to choose from: of the hours that each must work, or as long as a band, or as few vehicles need it."""
    bands = [_minutes(presence) for presence in demands.presence]
    usual = max((work.minutes for work in demands.work if work.per == "day"), default=0) or USUAL
    most = max((presence.least for presence in demands.presence), default=0)
    shared = -(-most * A_DAY // size) if size else A_DAY
    lengths = {usual, *(length for _, length in bands), -(-shared // AN_HOUR) * AN_HOUR}
    lengths = {length for length in lengths if usual <= length <= A_DAY - REST} or {usual}
    edges = {0, *(start for start, _ in bands), *((start + length) % A_DAY for start, length in bands)}
    starts = {(edge + step * length) % A_DAY for edge in edges for length in lengths for step in _steps(length)}
    return [Turn(start, length) for start in sorted(starts) for length in sorted(lengths)]


def _steps(length: int) -> range:
    return range(-(-A_DAY // length))


def _minutes(presence: Presence) -> tuple[int, int]:
    """A band's start and length in minutes; the whole day's, where it has no hours."""
    if presence.hours is None:
        return 0, A_DAY
    start, end = (clock.hour * AN_HOUR + clock.minute for clock in (presence.hours.start, presence.hours.end))
    return start, (end - start) % A_DAY or A_DAY


def _inside(presence: Presence, minute: int) -> bool:
    start, length = _minutes(presence)
    return (minute - start) % A_DAY < length


# --- who works which ----------------------------------------------------------------------------------------------


def _assigned(
    demands: RosterDemandsAnswer, fleet: Sequence[str], needed: Sequence[Needed], days: int
) -> list[dict[int, int]] | None:
    """For each day of a cycle, the shift of each vehicle that works: after the last day comes the first again."""
    model = _model(FAIR_ENOUGH)
    cells = list(product(range(len(fleet)), range(days), range(len(needed))))
    works: Works = dict(zip(cells, model.addBinaries(len(cells)), strict=True))
    weekly = any(work.per == "week" for work in demands.work)  # whoever lacks hours of a week may come in besides
    for day, (turn, each) in product(range(days), enumerate(needed)):
        there = model.qsum(works[at, day, turn] for at in range(len(fleet)))
        model.addConstr(there >= each.vehicles if weekly else there == each.vehicles)
    for at, day in product(range(len(fleet)), range(days)):
        today = model.qsum(works[at, day, turn] for turn in range(len(needed)))
        daily = any(_every_day(work) and fleet[at] in work.vehicles for work in demands.work)
        model.addConstr(today == 1 if daily else today <= 1)
        for one, other in _too_close(needed):
            model.addConstr(works[at, day, one] + works[at, (day + 1) % days, other] <= 1)
    _weekly(model, demands, fleet, needed, works, days)
    if not _at_best(model, _unfairness(model, needed, works, len(fleet), days)):
        return None
    chosen = [cell for cell, variable in works.items() if round(model.variableValue(variable))]
    return [{at: turn for at, on, turn in chosen if on == day} for day in range(days)]


def _too_close(needed: Sequence[Needed]) -> Iterator[tuple[int, int]]:
    """A shift, and another on the next day that begins before who worked the first has rested."""
    for (one, before), (other, after) in product(enumerate(needed), repeat=2):
        if before.turn.start + before.turn.length + REST > A_DAY + after.turn.start:
            yield one, other


def _weekly(
    model: highspy.Highs,
    demands: RosterDemandsAnswer,
    fleet: Sequence[str],
    needed: Sequence[Needed],
    works: Works,
    days: int,
) -> None:
    """The hours of each whole week, where the law counts by weeks."""
    for work, at in product(demands.work, range(len(fleet))):
        if work.per == "week" and fleet[at] in work.vehicles:
            for first in range(0, days - A_WEEK + 1, A_WEEK):
                week = product(range(first, first + A_WEEK), enumerate(needed))
                minutes = model.qsum(works[at, day, turn] * each.turn.length for day, (turn, each) in week)
                model.addConstr(minutes >= work.minutes)


def _unfairness(
    model: highspy.Highs,
    needed: Sequence[Needed],
    works: Works,
    vehicles: int,
    days: int,
) -> Sum:
    """How often whoever has a shift most often has it, over all shifts; and who works most, how often."""
    worst = [model.addVariable(lb=0, ub=days) for _ in needed]
    busiest = model.addVariable(lb=0, ub=days)
    for at in range(vehicles):
        often = [model.qsum(works[at, day, turn] for day in range(days)) for turn in range(len(needed))]
        for most, times in zip(worst, often, strict=True):
            model.addConstr(times <= most)
        model.addConstr(model.qsum(often) <= busiest)
    return model.qsum([*worst, busiest])


# --- the solver ---------------------------------------------------------------------------------------------------


def _model(gap: float = 0.0) -> highspy.Highs:
    """One thread and one seed: the same question has the same answer. ``gap``: how far from the best it may stop."""
    model: highspy.Highs = highspy.Highs()  # type: ignore[no-untyped-call]
    model.silent()
    for option, value in (("threads", 1), ("random_seed", 0), ("time_limit", SECONDS), ("mip_rel_gap", gap)):
        model.setOptionValue(option, value)
    return model


def _at_best(model: highspy.Highs, goal: Sum) -> bool:
    """Find the best for a goal, and keep it for the goals that follow. False: there is no solution at all."""
    model.minimize(goal)
    if model.getInfo().primal_solution_status != highspy.SolutionStatus.kSolutionStatusFeasible:
        return False
    model.addConstr(goal <= model.getObjectiveValue() + ROUNDED)
    return True
