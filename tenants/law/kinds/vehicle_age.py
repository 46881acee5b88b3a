"""How old a vehicle may be. What counts as age, its boundary and its extensions are the rule's, never ours."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta

from tenants.law.calendar import MONTHS_A_YEAR, add_months, years_between
from tenants.law.citation import Citation
from tenants.law.decide import answer
from tenants.law.decision import Decision, Outcome
from tenants.law.evaluation import Evaluation
from tenants.law.kinds.demands import exempt
from tenants.law.kinds.papers import PaperFact, filed, lacks_paper, paper_title
from tenants.law.kinds.requirements import Extension, VehicleAge
from tenants.law.quantity import Length

_DAY = timedelta(days=1)
_BASES = {
    "manufacture_year": "ano de fabricação",
    "manufacture_year_end": "fim do ano de fabricação",
    "model_year": "ano do modelo",
    "model_year_end": "fim do ano do modelo",
    "first_registration": "primeiro emplacamento",
}


@dataclass(frozen=True, slots=True)
class VehicleAgeQuestion:
    """May a vehicle of this age enter, be renewed, stay …? A written request is a paper of the code ``request``."""

    category: str
    at: str = "entry"
    papers: Sequence[PaperFact] = ()
    keys: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ExtensionAnswer:
    """``state``: granted, possible (what it needs is not there), or spent (it adds nothing more)."""

    needs: str
    title: str
    add: Length
    state: str
    until: date | None
    office: str | None
    citations: tuple[Citation, ...]


@dataclass(frozen=True, slots=True)
class VehicleAgeAnswer:
    """``limit_day``: the last day by the rule alone; ``last_day``: with what is granted; ``possible_day``: at most.

    ``age``: whole years on the day of the case; ``infraction``: what staying beyond draws.
    """

    rule: str
    basis: str
    since: date | None
    age: int
    limit: Length
    limit_day: date
    last_day: date
    possible_day: date
    extensions: tuple[ExtensionAnswer, ...]
    infraction: str | None


@dataclass(frozen=True, slots=True)
class _Measured:
    """A vehicle by one basis: the day or the year it counts from, its age, its last day."""

    basis: str
    since: date | None
    age: int
    limit: Length
    last: date


@answer.register
def _(question: VehicleAgeQuestion, ev: Evaluation) -> Decision:
    keys = {**question.keys, "category": question.category}
    rules = ev.each(VehicleAge, lambda rule: question.at in rule.at or "always" in rule.at, **keys)
    parts = [exempt(own) if rule is None else _limited(rule, own, question) for rule, own in rules]
    values = [part.value for part in parts if isinstance(part.value, VehicleAgeAnswer)]
    message = "; ".join(part.message.rstrip(".") for part in parts) or "A lei não limita a idade do veículo"
    return ev.together(parts, message=f"{message}.", value=min(values, key=lambda v: v.last_day, default=None))


def _limited(rule: VehicleAge, ev: Evaluation, question: VehicleAgeQuestion) -> Decision:
    found = None if ev.obstacle else _measured(rule, ev)
    if found is None:
        return ev.close()
    side = ev.fresh()
    value = _value(rule, found, _extensions(rule, side, question, found.last))
    whole = f"{found.limit.text} ({_BASES.get(found.basis, found.basis)})"
    if ev.on <= found.last:
        if not side.obstacle:
            ev.takes(side)
        message = f"Dentro do limite de {whole} até {found.last:%d/%m/%Y}."
        return ev.close(value=value) if ev.obstacle else ev.decide(Outcome.ALLOWED, message, value=value)
    ev.takes(side)
    for each in value.extensions:
        ev.part(rule, each.needs, each.citations)
    if ev.on <= value.last_day:
        return _extended(ev, value, whole)
    if ev.on <= value.possible_day:
        for each in value.extensions:
            if each.state == "possible":
                lacks_paper(ev, each.needs, each.title)
        return ev.close(value=value)
    if side.obstacle:
        return ev.close(value=value)
    longer = f"; com as prorrogações, {value.last_day:%d/%m/%Y}" if value.last_day > found.last else ""
    message = f"Passou do limite de {whole}, cujo último dia foi {found.last:%d/%m/%Y}{longer}."
    return ev.decide(Outcome.DENIED, message, value=value)


def _extended(ev: Evaluation, value: VehicleAgeAnswer, whole: str) -> Decision:
    for office in (each.office for each in value.extensions if each.state == "granted"):
        if office:
            ev.left_to(office)
    if ev.obstacle:
        return ev.close(value=value)
    message = f"Passou do limite de {whole}; prorrogado até {value.last_day:%d/%m/%Y}."
    return ev.decide(Outcome.ALLOWED, message, value=value)


def _value(rule: VehicleAge, found: _Measured, extensions: Sequence[ExtensionAnswer]) -> VehicleAgeAnswer:
    granted = [each.until for each in extensions if each.state == "granted" and each.until]
    possible = [each.until for each in extensions if each.until]
    return VehicleAgeAnswer(
        rule=rule.code,
        basis=found.basis,
        since=found.since,
        age=found.age,
        limit=found.limit,
        limit_day=found.last,
        last_day=max([found.last, *granted]),
        possible_day=max([found.last, *possible]),
        extensions=tuple(extensions),
        infraction=rule.late,
    )


# --- the age ---------------------------------------------------------------------------------------------------


def _measured(rule: VehicleAge, ev: Evaluation) -> _Measured | None:
    """By the first basis that is known, by the strictest, or by the one that a reading names.

    None: what it lacks is noted. By the strictest, one basis may be noted as missing beside the answer of another.
    """
    take, limit, boundary = ev.word(rule.take), ev.value(rule.limit), ev.word(rule.boundary)
    if take is None or boundary is None or limit is None:
        return None
    if not isinstance(limit, Length) or (rule.count == "years" and limit.per != "years"):
        ev.undetermined(f"{rule.code}: o limite de idade não é um prazo em anos")
        return None
    bases = rule.basis if take in ("first_known", "strictest") else (take,)
    known = {basis: fact for basis in bases if (fact := _since(ev, basis)) is not None}
    if take == "first_known":
        known = dict(list(known.items())[:1])
    if not known or (take == "strictest" and len(known) < len(bases)):
        for basis in (basis for basis in bases if basis not in known):
            ev.lacks_fact(_asked(basis))
    for basis in known:
        ev.fact(f"vehicle.{basis}" if f"vehicle.{basis}" in ev.facts else _asked(basis))
    found = [_by(rule, ev, basis, since, limit, boundary) for basis, since in known.items()]
    return min(found, key=lambda each: each.last, default=None)


def _asked(basis: str) -> str:
    """The fact to ask for: the year, where its last day would do."""
    return f"vehicle.{basis.removesuffix('_end')}"


def _since(ev: Evaluation, basis: str) -> date | int | None:
    fact = ev.facts.get(f"vehicle.{basis}")
    if fact is None and basis.endswith("_year_end"):
        year = ev.facts.get(_asked(basis))
        return date(year, 12, 31) if isinstance(year, int) else None  # law-free: the last day of a year
    return fact if isinstance(fact, (date, int)) else None


def _by(rule: VehicleAge, ev: Evaluation, basis: str, since: date | int, limit: Length, boundary: str) -> _Measured:
    inside = boundary == "in"
    if isinstance(since, int):  # whole calendar years
        last = date(since + limit.count + (0 if inside else -1), 12, 31)  # law-free: the last day of a year
        return _Measured(basis, None, ev.on.year - since, limit, last)
    if rule.count == "years":  # of that age until the eve of the next anniversary
        last = add_months(since, (limit.count + int(inside)) * MONTHS_A_YEAR) - _DAY
    else:
        anniversary = ev.count(None, since, limit).last_day
        last = anniversary if inside else anniversary - _DAY
    return _Measured(basis, since, years_between(since, ev.on), limit, last)


# --- more time -------------------------------------------------------------------------------------------------


def _extensions(rule: VehicleAge, ev: Evaluation, question: VehicleAgeQuestion, last: date) -> list[ExtensionAnswer]:
    """What each adds: those whose paper is there first, as many as count, one after the other."""
    here = [each for each in rule.extend if question.at in each.at and ev.word(each.off) != "yes"]
    most = ev.whole(rule.extend_most) if rule.extend_most else len(here)
    there = {each.needs for each in here if filed(ev.fresh(), question.papers, each.needs).counts}
    answers: list[ExtensionAnswer] = []
    for each in sorted(here, key=lambda extension: extension.needs not in there):
        add = ev.value(each.add)
        if not isinstance(add, Length) or most is None:
            continue
        state = "spent" if len(answers) >= most else "granted" if each.needs in there else "possible"
        if state != "spent":
            last = ev.count(None, last, add).last_day
        answers.append(_extension(ev, each, add, state, None if state == "spent" else last))
    return answers


def _extension(ev: Evaluation, each: Extension, add: Length, state: str, until: date | None) -> ExtensionAnswer:
    office = ev.office(each.judge) if each.judge and state != "spent" else None
    title = paper_title(ev.law, each.needs)
    return ExtensionAnswer(each.needs, title, add, state, until, office, each.cite)
