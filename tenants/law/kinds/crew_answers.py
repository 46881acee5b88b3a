"""Who may drive in the holder's stead, and who beside them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta

from tenants.law.calendar import Counting, count, count_back
from tenants.law.decide import answer
from tenants.law.decision import Decision, Missing, Outcome
from tenants.law.evaluation import Evaluation
from tenants.law.kinds.transfers import Crew, Substitute
from tenants.law.money import Money
from tenants.law.quantity import Amount, Length, Number

_DAY = timedelta(days=1)
_BOTH_ENDS = Counting(code="both-ends", first="in")


@dataclass(frozen=True, slots=True)
class SubstituteQuestion:
    """May another drive in the holder's stead from ``since``, to ``until`` or for ``days``, first and last counted?

    Args:
        until: None, and no ``days``: as long as the cause lasts.
        requested: It was asked for; None: the fact ``substitute.requested`` says.
        proved_by: Who has proven the cause (codes of the pack).
        paper: The code of the paper presented; None: the fact ``substitute.papers`` says.
    """

    category: str
    since: date
    until: date | None = None
    days: int | None = None
    requested: bool | None = None
    proved_by: Sequence[str] = ()
    paper: str | None = None
    keys: Mapping[str, str] = field(default_factory=dict)

    @property
    def last(self) -> date | None:
        return self.since + self.days * _DAY - _DAY if self.days is not None else self.until


@dataclass(frozen=True, slots=True)
class SubstituteAnswer:
    """``until`` None: as long as the cause lasts. ``licence_again``: a new licence must be asked for."""

    substitute: str
    since: date
    until: date | None
    paper: str | None
    licence_again: bool
    fee: Money | None
    free: bool


@dataclass(frozen=True, slots=True)
class CrewQuestion:
    """May one more serve in a role? ``count`` is how many there would then be, ``hours`` a day for this one.

    ``told_on``, ``begins_on``: when the office was told, and from when it would be so.
    """

    category: str
    role: str
    count: int
    hours: int | None = None
    papers: Sequence[str] = ()
    told_on: date | None = None
    begins_on: date | None = None
    keys: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class CrewAnswer:
    role: str
    most: int | None
    least: int | None
    hours: int | None
    until: date | None
    card: str | None = None


# --- in the holder's stead -----------------------------------------------------------------------------------------


@answer.register
def _(question: SubstituteQuestion, ev: Evaluation) -> Decision:
    rules = ev.rules(Substitute, category=question.category, **question.keys)
    if not rules:
        return ev.decide(Outcome.DENIED, "A lei não admite motorista substituto.")
    parts = [_substitute(ev.alone(rule), rule, question) for rule in rules]
    if len(parts) == 1:
        return parts[0]
    worst = next((p for p in parts if not p.permits), parts[0])
    return ev.together(parts, message=worst.message, value=worst.value)


def _substitute(ev: Evaluation, rule: Substitute, question: SubstituteQuestion) -> Decision:
    last = question.last
    if last is None and rule.ends is not None:
        last = ev.day(rule.ends)
    refused = _too_short(ev, rule, question.since, last) or _unproven(ev, rule, question)
    met = True if rule.must is None else ev.holds(rule.must)
    if met is False:
        refused = refused or "O substituto não atende ao que a lei exige."
    if refused:
        return ev.decide(Outcome.DENIED, refused)
    _asked(ev, rule, question)
    amount = ev.typed(rule.fee, Amount)
    found = SubstituteAnswer(
        substitute=rule.code,
        since=question.since,
        until=last,
        paper=rule.paper,
        licence_again=rule.licence_again,
        fee=ev.reais(amount, ev.on) if amount and amount.value else None,
        free=amount is not None and not amount.value,
    )
    if ev.obstacle:
        return ev.close(value=found)
    until = f"até {last:%d/%m/%Y}" if last else "enquanto durar a causa"
    return ev.decide(Outcome.ALLOWED, f"A lei admite o substituto {until}.", value=found)


def _too_short(ev: Evaluation, rule: Substitute, since: date, last: date | None) -> str | None:
    if rule.least is None:
        return None
    least = ev.typed(rule.least, Length)
    if last is None:
        ev.lacks_fact("substitute.until")
    if last is None or least is None:
        return None
    enough = count(_BOTH_ENDS, since, least, ev.law.calendar).last_day
    return f"O afastamento é de menos de {least.text}." if last < enough else None


def _unproven(ev: Evaluation, rule: Substitute, question: SubstituteQuestion) -> str | None:
    """Who must prove the cause: any of them, all, or the one that a reading names."""
    if not rule.provers:
        return None
    proof = ev.word(rule.proof)
    if proof is None:
        return None
    needed = rule.provers if proof in ("any", "all") else (proof,)
    lacking = [who for who in needed if who not in question.proved_by]
    enough = not lacking or (proof == "any" and len(lacking) < len(needed))
    if enough:
        return None
    if question.proved_by and not set(question.proved_by) & set(rule.provers):
        return f"A incapacidade prova-se por: {', '.join(rule.provers)}."
    how = " ou ".join(lacking) if proof == "any" else " e ".join(lacking)
    ev.lacks(Missing("fact", "substitute.proved_by", f"A incapacidade foi provada por {how}?"))
    return None


def _asked(ev: Evaluation, rule: Substitute, question: SubstituteQuestion) -> None:
    """It is asked for in writing, with its paper."""
    requested = question.requested if question.requested is not None else ev.facts.get("substitute.requested")
    if not requested:
        ev.lacks_fact("substitute.requested")
    known = ev.facts.get("substitute.papers")
    papers = known if isinstance(known, tuple) else ()
    if rule.paper and rule.paper != question.paper and rule.paper not in papers:
        title = ev.law.list("paper").get(rule.paper, rule.paper)
        ev.lacks(Missing("fact", f"substitute.papers.{rule.paper}", f"Foi apresentado: {title}?"))


# --- beside the holder ---------------------------------------------------------------------------------------------


@answer.register
def _(question: CrewQuestion, ev: Evaluation) -> Decision:
    rules = ev.rules(Crew, lambda r: r.role == question.role, category=question.category, **question.keys)
    if not rules:
        return ev.decide(Outcome.DENIED, f"A lei não prevê {question.role} no serviço.")
    parts = [_crew(ev.alone(rule), rule, question) for rule in rules]
    if len(parts) == 1:
        return parts[0]
    worst = next((p for p in parts if not p.permits), parts[0])
    return ev.together(parts, message=worst.message, value=worst.value)


def _crew(ev: Evaluation, rule: Crew, question: CrewQuestion) -> Decision:
    most = ev.whole(rule.most) if rule.most else None
    least = ev.whole(rule.least) if rule.least else None
    hours = _hours(ev, rule)
    refused = None
    if most is not None and question.count > most:
        refused = f"A lei admite no máximo {most}."
    elif least is not None and question.count < least:
        refused = f"A lei exige ao menos {least}."
    elif hours is not None and question.hours is not None and question.hours > hours:
        refused = f"A lei admite no máximo {hours} horas por dia."
    elif _told_late(ev, rule, question):
        refused = "A mudança não foi comunicada com a antecedência que a lei pede."
    elif rule.must is not None and ev.holds(rule.must) is False:
        refused = "Não se cumpre a condição da lei para esta função."
    if refused:
        return ev.decide(Outcome.DENIED, refused)
    for paper in rule.papers:
        if paper not in question.papers:
            title = ev.law.list("paper").get(paper, paper)
            ev.lacks(Missing("fact", f"crew.papers.{paper}", f"Foi apresentado: {title}?"))
    found = CrewAnswer(question.role, most, least, hours, ev.day(rule.lasts) if rule.lasts else None, rule.card)
    if ev.obstacle:
        return ev.close(value=found)
    return ev.decide(Outcome.ALLOWED, "A lei admite.", value=found)


def _hours(ev: Evaluation, rule: Crew) -> int | None:
    value = ev.value(rule.hours) if rule.hours else None
    if isinstance(value, Length) and value.per == "hours":
        return value.count
    return int(value.value) if isinstance(value, Number) else None


def _told_late(ev: Evaluation, rule: Crew, question: CrewQuestion) -> bool:
    ahead = ev.typed(rule.ahead, Length)
    if ahead is None:
        return False
    for name, day in (("told_on", question.told_on), ("begins_on", question.begins_on)):
        if day is None:
            ev.lacks(Missing("fact", f"crew.{name}", "Em que dia se comunicou, e de que dia em diante vale?"))
    if question.told_on is None or question.begins_on is None:
        return False
    return (
        question.told_on > count_back(ev.counting(rule.counting), question.begins_on, ahead, ev.law.calendar).last_day
    )
