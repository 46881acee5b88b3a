"""How many permits there may be (vagas), and which part of a fleet may, or must, be something."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal

from tenants.law.decide import answer
from tenants.law.decision import Decision, Missing, Outcome
from tenants.law.evaluation import Evaluation
from tenants.law.facts import Facts
from tenants.law.kinds.demands import exempt, named
from tenants.law.kinds.grants import Quota, ShareRule
from tenants.law.law import Law
from tenants.law.quantity import PERCENT, Number, Percent, Quantity, Rounding, number_text
from tenants.law.rule import Rule

AREA, CATEGORY, OF_VEHICLE = "area", "category", "permit.category"


@dataclass(frozen=True, slots=True)
class QuotaQuestion:
    """Is there room for one more permit, or for so many as are ``wanted``?

    Args:
        active: Permits in force in the category, in the whole town.
        by_category: Those of every category by itself, for rules of a category that the one asked for belongs to;
            empty: ``active`` is all that they count.
        free_slots: Vacancies of the stands; None: not counted. ``slots``: taken or not, of which a permit without
            a stand takes one too.
        area: The area of the permit asked for, and the permits in force in it.
        in_areas: The permits of each area by their categories, in place of ``area_active``.
        moving: The permits are there already and come into the area: only its own rules count.
    """

    category: str
    active: int
    free_slots: int | None = None
    area: str | None = None
    area_active: int | None = None
    keys: Mapping[str, str] = field(default_factory=dict)
    by_category: Mapping[str, int] = field(default_factory=dict)
    in_areas: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    slots: int | None = None
    moving: bool = False
    wanted: int = 1


@dataclass(frozen=True, slots=True)
class QuotaAnswer:
    """``room``: how many more there may be; ``excess``: how many there are too many, kept unless the law reduces."""

    rule: str
    limit: int | None
    active: int
    room: int
    excess: int
    kept: bool
    raised_by: str


@answer.register
def _(question: QuotaQuestion, ev: Evaluation) -> Decision:
    keys = {**question.keys, "category": question.category, **({AREA: question.area} if question.area else {})}
    rules = list(ev.each(Quota, **keys))
    if question.moving or any(rule is not None and rule.beside and AREA in rule.applies for rule, _ in rules):
        rules = [(rule, own) for rule, own in rules if rule is None or AREA in rule.applies]
    parts = [exempt(own) if rule is None else _room(rule, own, question) for rule, own in rules]
    values = [part.value for part in parts if isinstance(part.value, QuotaAnswer)]
    message = "; ".join(part.message.rstrip(".") for part in parts) or "A lei não limita o número de outorgas"
    return ev.together(parts, message=f"{message}.", value=min(values, key=lambda v: v.room, default=None))


def _room(rule: Quota, ev: Evaluation, question: QuotaQuestion) -> Decision:
    frozen = rule.frozen_until is not None and ev.holds(rule.frozen_until) is False
    limit = _limit(rule, ev)
    active = _in_area(rule, ev, question) if AREA in rule.applies else _active(rule, ev, question)
    if active is None:
        ev.lacks(Missing("fact", "area.active", f"Quantas outorgas vigentes há na área {question.area}?"))
    if rule.stands and question.free_slots is None:
        ev.lacks(Missing("fact", "stands.free", "Quantas vagas livres há nos pontos?"))
    if ev.obstacle or active is None:
        return ev.close()
    rooms = [limit - active] if limit is not None else []
    if rule.stands and question.free_slots is not None:
        rooms += [question.free_slots] if question.slots is None else [question.free_slots, question.slots - active]
    room = 0 if frozen else max(0, min(rooms, default=0))
    excess = max(0, active - limit) if limit is not None else 0
    kept = rule.excess == "keep"
    value = QuotaAnswer(rule.code, limit, active, room, excess, kept, rule.raised_by)
    outcome = Outcome.ALLOWED if room >= max(1, question.wanted) else Outcome.DENIED
    return ev.decide(outcome, _told(value, frozen), value=value)


def _active(rule: Quota, ev: Evaluation, question: QuotaQuestion) -> int:
    """What the rule counts: a category's own permits and those of the categories under it.

    Those of an area whose quota stands beside the town's are not among them.
    """
    if not question.by_category:
        return question.active
    reach = _reach(rule, ev, question.category)
    beside = areas_beside(ev.law, question.category)
    apart = sum(_of(reach, counts) for area, counts in question.in_areas.items() if area in beside)
    return _of(reach, question.by_category) - apart


def _in_area(rule: Quota, ev: Evaluation, question: QuotaQuestion) -> int | None:
    if not question.in_areas:
        return question.area_active
    return _of(_reach(rule, ev, question.category), question.in_areas.get(question.area or "", {}))


def _of(reach: frozenset[str] | None, counts: Mapping[str, int]) -> int:
    return sum(count for category, count in counts.items() if reach is None or category in reach)


def areas_beside(law: Law, category: str) -> frozenset[str]:
    """The areas that have a quota of their own beside the town's, for a category."""
    found = set()
    for _, rule in law.all(Quota):
        areas = rule.applies.get(AREA, ()) if rule.beside else ()
        found |= {area for area in areas if law.concerns(rule, {"category": category, AREA: area})}
    return frozenset(found)


def _reach(rule: Rule, ev: Evaluation, category: str) -> frozenset[str] | None:
    """The categories that count together where a rule concerns one of them; None: the rule names none."""
    if CATEGORY not in rule.applies:
        return None
    named = ev.law.family(category) & set(rule.applies[CATEGORY])
    return frozenset(each for code in named for each in ev.law.branch(code))


def _limit(rule: Quota, ev: Evaluation) -> int | None:
    """Whole permits: a part of one is none. None: only the stands limit, or what it lacks is noted."""
    if rule.value is None:
        if not rule.stands:
            ev.undetermined(f"{named(rule)}: a lei não diz quantas")
        return None
    found = ev.value(rule.value)
    if found is None:
        return None
    if not isinstance(found, Number):
        ev.undetermined(f"{named(rule)}: o limite não é um número")
        return None
    return int(Rounding("down").apply(found.value))


def _told(value: QuotaAnswer, frozen: bool) -> str:
    count = f"{value.active} outorgas vigentes" + (f", limite {value.limit}" if value.limit is not None else "")
    if frozen:
        return f"{count}: novas outorgas estão congeladas."
    if value.room:
        return f"{count}: {'cabe' if value.room == 1 else 'cabem'} mais {value.room}."
    if value.excess:
        fate = "as existentes ficam, por direito adquirido" if value.kept else f"devem sair {value.excess}"
        return f"{count}: nenhuma nova; {fate}."
    return f"{count}: não há vaga."


# --- shares ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ShareQuestion:
    """May one vehicle enter, leave, or take another's place? With neither: does the whole keep the law?

    Args:
        fleet: Vehicles of like facts and how many there are of them (of an offer: what is offered). One whose
            facts say a category that a rule does not reach is no part of what the rule counts.
        idle: The same of permits that are not in service, for rules that count them too.
    """

    category: str
    fleet: Sequence[tuple[Facts, int]]
    entering: Facts | None = None
    leaving: Facts | None = None
    among: str = "fleet"
    keys: Mapping[str, str] = field(default_factory=dict)
    idle: Sequence[tuple[Facts, int]] = ()


@dataclass(frozen=True, slots=True)
class ShareAnswer:
    """After the change. ``limit``: how many may (or must) count; ``unfilled``: what becomes of an empty reserve."""

    rule: str
    counting: int
    whole: int
    percent: Decimal | None
    limit: Decimal
    unfilled: str


@answer.register
def _(question: ShareQuestion, ev: Evaluation) -> Decision:
    keys = {**question.keys, "category": question.category}
    rules = ev.each_untested(ShareRule, lambda rule: rule.among == question.among, **keys)
    parts = [exempt(own) if rule is None else _share(rule, own, question) for rule, own in rules]
    value = next((part.value for part in parts if part.value is not None), None)
    message = "; ".join(part.message.rstrip(".") for part in parts) or "A lei não reserva parte da frota"
    return ev.together(parts, message=f"{message}.", value=value)


def _share(rule: ShareRule, ev: Evaluation, question: ShareQuestion) -> Decision:
    counting = whole = 0
    idle = question.idle if ev.word(rule.counted) == "all" else ()
    for facts, times in (*_after(question), *idle):
        inside, counts = _counted(rule, ev, question, facts)
        whole += times * inside
        counting += times * (inside and counts)
    entering = _counted(rule, ev, question, question.entering) if question.entering is not None else (False, False)
    change = question.entering is not None or question.leaving is not None
    bounds = [(bound, most) for bound, most in ((rule.most, True), (rule.least, False)) if bound is not None]
    limits = [(_number(rule, ev, ev.value(bound), whole), most) for bound, most in bounds]
    if ev.obstacle:
        return ev.close()
    known = [(limit, most) for limit, most in limits if limit is not None]
    worse = [
        (limit, most)
        for limit, most in known
        if (counting > limit if most else counting < limit) and (not change or (entering[0] and entering[1] is most))
    ]
    shown = (worse or known)[0][0] if known else Decimal(whole)
    percent = PERCENT * counting / whole if whole else None
    value = ShareAnswer(rule.code, counting, whole, percent, shown, rule.unfilled)
    return ev.decide(Outcome.DENIED if worse else Outcome.ALLOWED, _share_told(rule, value, bool(worse)), value=value)


def _after(question: ShareQuestion) -> list[tuple[Facts, int]]:
    fleet = list(question.fleet)
    if question.leaving is not None:
        fleet.append((question.leaving, -1))
    if question.entering is not None:
        fleet.append((question.entering, 1))
    return fleet


def _counted(rule: ShareRule, ev: Evaluation, question: ShareQuestion, facts: Facts) -> tuple[bool, bool]:
    """Is it part of the whole, and does it count? What a vehicle lacks is noted, its facts are not."""
    reach, category = _reach(rule, ev, question.category), facts.get(OF_VEHICLE)
    if reach is not None and category is not None and category not in reach:
        return False, False
    own = ev.fresh(facts)
    inside = rule.within is None or own.holds(rule.within)
    counts = rule.when is None or own.holds(rule.when)
    if own.obstacle:
        ev.lacks_as(own)
    return bool(inside), bool(counts)


def _number(rule: ShareRule, ev: Evaluation, bound: Quantity | None, whole: int) -> Decimal | None:
    """How many of the whole the bound is."""
    mode = ev.word(rule.round)
    if isinstance(bound, Number):
        return bound.value
    if not isinstance(bound, Percent) or mode is None:
        if bound is not None and mode is not None:
            ev.undetermined(f"{named(rule)}: o limite não é parte nem número")
        return None
    exact = bound.fraction * whole
    return exact if mode == "exact" else Rounding(mode).apply(exact)  # type: ignore[arg-type]


def _share_told(rule: ShareRule, value: ShareAnswer, worse: bool) -> str:
    part = f"{value.counting}/{value.whole}"
    if value.percent is not None:
        part += f" = {number_text(value.percent, 2)} %"
    return f"{named(rule)}: {part}, {'fora' if worse else 'dentro'} do limite de {number_text(value.limit)}."
