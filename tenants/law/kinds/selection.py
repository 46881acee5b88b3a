"""In what order candidates come (seleção): a ladder, points, a judgement, and at last a draw that anyone can repeat."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from hashlib import sha256

from tenants.law.citation import Citation
from tenants.law.decide import answer
from tenants.law.decision import Decision, Missing, Outcome
from tenants.law.evaluation import Evaluation
from tenants.law.facts import Facts
from tenants.law.kinds.demands import named
from tenants.law.kinds.grants import Selection, SelectionStep


@dataclass(frozen=True, slots=True)
class Candidate:
    """A candidate by the key under which they are published; ``present``: at the draw."""

    key: str
    facts: Facts
    present: bool = True


@dataclass(frozen=True, slots=True)
class Judgement:
    """An office's recorded judgement at a step (from 0, in the law's order): the place of each, equal or not."""

    step: int
    places: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class SelectionQuestion:
    """In what order do the candidates come, and who is chosen?

    Args:
        vacancies: None: only the order is asked for.
        seed: Published before the draw; the same seed gives the same order.
    """

    category: str
    candidates: Sequence[Candidate]
    vacancies: int | None = None
    seed: str | None = None
    judgements: Sequence[Judgement] = ()
    keys: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Reason:
    """What set a candidate apart from others at a step of the law."""

    step: int
    why: str
    citations: tuple[Citation, ...]


@dataclass(frozen=True, slots=True)
class Ranked:
    """A candidate's place from 1, shared by equals, or 0: out of the draw. ``chosen`` None: not asked, or a tie."""

    key: str
    place: int
    chosen: bool | None
    reasons: tuple[Reason, ...]


@dataclass(frozen=True, slots=True)
class SelectionAnswer:
    """``waits``: the step (from 0) that lacks a judgement, the seed or a fact; None: none does."""

    rule: str
    ranking: tuple[Ranked, ...]
    judged_on: str
    seed: str | None
    waits: int | None = None


Group = tuple[Candidate, ...]


def compared(rule: Selection) -> frozenset[str]:
    """The facts of a candidate that the order may come to compare; readings and parameters are the law's own."""
    conditions = [each for step in rule.order for each in (step.when, step.score) if each is not None]
    named = {code for condition in conditions for code in condition.facts}
    named |= {code for step in rule.order for code in (step.most, step.least) if code is not None}
    return frozenset(code for code in named if not code.startswith(("param.", "reading.")))


@answer.register
def _(question: SelectionQuestion, ev: Evaluation) -> Decision:
    rules = ev.rules(Selection, **{**question.keys, "category": question.category})
    if ev.obstacle:
        return ev.close()
    if len(rules) != 1:
        ev.undetermined("a lei não diz uma ordem de seleção" if not rules else "a lei diz mais de uma ordem de seleção")
        return ev.close()
    rule, seats = rules[0], question.vacancies
    ordered = tuple(sorted(question.candidates, key=lambda each: each.key))
    if rule.by == "credentialing" or (seats is not None and len(ordered) <= seats):
        why = Reason(0, "há vaga para todos", rule.cite)
        ranking = tuple(Ranked(each.key, 1, True, (why,)) for each in ordered)
        return ev.decide(Outcome.VALUE, "Há vaga para todos os candidatos.", value=_value(rule, ranking, question))
    return _Ranking(rule, ev, question).answer(ordered)


def _value(
    rule: Selection, ranking: tuple[Ranked, ...], question: SelectionQuestion, waits: int | None = None
) -> SelectionAnswer:
    return SelectionAnswer(rule.code, ranking, rule.judged_on, question.seed, waits)


class _Ranking:
    """Splits the groups of equals step by step, as long as there are any; mutable while it works."""

    def __init__(self, rule: Selection, ev: Evaluation, question: SelectionQuestion) -> None:
        self.rule, self.ev, self.question = rule, ev, question
        self.own = {each.key: ev.fresh(each.facts) for each in question.candidates}
        self.reasons: dict[str, list[Reason]] = {each.key: [] for each in question.candidates}
        self.out: list[str] = []
        self.step: int | None = None

    def answer(self, candidates: Group) -> Decision:
        groups = [candidates]
        if self.rule.by == "points":
            groups = self._by_points(candidates)
        for at, step in enumerate(self.rule.order):
            if self._stuck() or all(len(group) == 1 for group in groups):
                break
            self.step = at
            if step.score is None or self.rule.by != "points":
                groups = [rest for g in groups for rest in (self._split(at, step, g) if len(g) > 1 else [g])]
        return self._closed(groups)

    def _stuck(self) -> bool:
        return self.ev.obstacle is not None or any(own.obstacle for own in self.own.values())

    def _split(self, at: int, step: SelectionStep, group: Group) -> list[Group]:
        self.ev.part(self.rule, f"{at + 1}", step.cite)
        if step.draw:
            return self._drawn(at, step, group)
        if step.judge is not None:
            return self._judged(at, step, group)
        if step.when is not None:
            when = step.when
            return self._by(at, step, group, lambda own: None if (it := own.holds(when)) is None else -int(it))
        if step.score is not None:
            return self._by(at, step, group, lambda own: _negative(self._score(step, own)))
        fact, sign = (step.most, -1) if step.most else (step.least or "", 1)
        return self._by(at, step, group, lambda own: _number(own.fact(fact), sign))

    def _score(self, step: SelectionStep, own: Evaluation) -> int | None:
        score = own.score(step.score) if step.score is not None else None
        return score if score is None or step.cap is None else min(score, step.cap)

    def _by(self, at: int, step: SelectionStep, group: Group, key: Callable[[Evaluation], int | None]) -> list[Group]:
        """The smallest number first; where one is not known, nobody moves and it is noted."""
        numbers = {each.key: key(self.own[each.key]) for each in group}
        known = {name: number for name, number in numbers.items() if number is not None}
        if len(known) < len(numbers):
            return [group]
        return self._grouped(at, step, group, known, _told(step))

    def _grouped(self, at: int, step: SelectionStep, group: Group, numbers: Mapping[str, int], why: str) -> list[Group]:
        places = sorted(set(numbers.values()))
        split = [tuple(each for each in group if numbers[each.key] == place) for place in places]
        if len(split) > 1:
            for place, equals in enumerate(split, start=1):
                for each in equals:
                    text = f"{why}: {place}º de {len(split)}"
                    self.reasons[each.key].append(Reason(at, text, step.cite))
        return split

    def _by_points(self, group: Group) -> list[Group]:
        scored = [step for step in self.rule.order if step.score is not None]
        totals: dict[str, int] = {}
        for each in group:
            points = [self._score(step, self.own[each.key]) for step in scored]
            known = [point for point in points if point is not None]
            if len(known) == len(points):
                totals[each.key] = -sum(known)
        if len(totals) < len(group):
            return [group]
        split = self._grouped(0, scored[0], group, totals, "pontos") if scored else [group]
        for each in group:
            self.reasons[each.key] = [Reason(0, f"{-totals[each.key]} pontos", self.rule.cite)]
        return split

    def _judged(self, at: int, step: SelectionStep, group: Group) -> list[Group]:
        places: Mapping[str, int] = next((j.places for j in self.question.judgements if j.step == at), {})
        if all(each.key in places for each in group):
            return self._grouped(at, step, group, places, _told(step))
        office = self.ev.office(step.judge) if step.judge else None
        if office is not None:
            self.ev.left_to(office)
        return [group]

    def _drawn(self, at: int, step: SelectionStep, group: Group) -> list[Group]:
        """By the digest of the seed and the key; who is absent comes last or is out, as the law says."""
        seed = self.question.seed
        if not seed:
            self.ev.lacks(Missing("fact", "selection.seed", "Qual é a semente publicada do sorteio?"))
            return [group]
        absent = [] if self.rule.absent_from_draw == "nothing" else [each.key for each in group if not each.present]
        drawn = sorted(group, key=lambda each: (each.key in absent, sha256(f"{seed}:{each.key}".encode()).digest()))
        if self.rule.absent_from_draw == "out":
            self.out += absent
            for key in absent:
                self.reasons[key].append(Reason(at, "ausente do sorteio: excluído", step.cite))
            drawn = [each for each in drawn if each.key not in absent]
        for place, each in enumerate(drawn, start=1):
            self.reasons[each.key].append(Reason(at, f"sorteio: {place}º de {len(drawn)}", step.cite))
        return [(each,) for each in drawn]

    def _closed(self, groups: Sequence[Group]) -> Decision:
        ranking = self._ranking(groups)
        value = _value(self.rule, ranking, self.question, self.step if self._stuck() else None)
        by_key = {each.key: each for each in ranking}
        parts = [self._part(by_key[key], own) for key, own in self.own.items()]
        cut_through = self.question.vacancies is not None and any(each.chosen is None for each in ranking)
        if cut_through and not self._stuck():
            self.ev.undetermined(f"{named(self.rule)}: a lei não desempata os candidatos da última vaga")
        if self._stuck():
            return self.ev.together(parts, message="A ordem ainda não se pode dizer.", value=value)
        names = ", ".join(each.key for each in sorted(ranking, key=lambda r: r.place or len(ranking) + 1) if each.place)
        return self.ev.decide(Outcome.VALUE, f"Ordem: {names}.", value=value, parts=parts)

    def _ranking(self, groups: Sequence[Group]) -> tuple[Ranked, ...]:
        seats, place, found = self.question.vacancies, 1, list[Ranked]()
        for group in groups:
            last = place + len(group) - 1
            chosen = None if seats is None or place <= seats < last else last <= seats
            found += [Ranked(each.key, place, chosen, tuple(self.reasons[each.key])) for each in group]
            place = last + 1
        return (*found, *(Ranked(key, 0, False, tuple(self.reasons[key])) for key in self.out))

    def _part(self, ranked: Ranked, own: Evaluation) -> Decision:
        if own.obstacle:
            closed = own.close()
            return own.decide(closed.outcome, f"{ranked.key}: {closed.message}", value=ranked)
        why = "; ".join(reason.why for reason in ranked.reasons) or "empate"
        return own.decide(Outcome.VALUE, f"{ranked.key}: {why}.", value=ranked)


def _told(step: SelectionStep) -> str:
    return step.title or step.ask or "; ".join(map(str, step.cite)) or "critério da lei"


def _negative(number: int | None) -> int | None:
    return None if number is None else -number


def _number(fact: object, sign: int) -> int | None:
    """A whole number, or a day by its distance: earlier is less."""
    match fact:
        case date():
            return sign * fact.toordinal()
        case int():
            return sign * fact
    return None
