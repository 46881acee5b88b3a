"""How tariffs are set and reviewed, and what may be agreed beside them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date

from tenants.law.decide import answer
from tenants.law.decision import Decision, Missing, Outcome
from tenants.law.evaluation import Evaluation
from tenants.law.kinds.tariffs import TariffPolicy
from tenants.law.quantity import Length


@dataclass(frozen=True, slots=True)
class AgreementQuestion:
    """May passenger and driver agree on a price? ``raises``: above the tariff; ``occasion``: the pack's code."""

    category: str
    raises: bool
    occasion: str | None = None
    keys: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class TariffChangeQuestion:
    """May a tariff be set, with what has been done before (who was heard, who approved, which papers there are)?

    ``surcharge``, ``by_law``: it adds a tariff to the common one, and by a law.
    """

    category: str
    heard: Sequence[str] = ()
    approved: Sequence[str] = ()
    papers: Sequence[str] = ()
    surcharge: bool = False
    by_law: bool = False
    keys: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class TariffChangeAnswer:
    set_by: str | None
    hears: tuple[str, ...]
    approves: str
    papers: tuple[str, ...]
    zones: bool


@dataclass(frozen=True, slots=True)
class ReviewQuestion:
    """Is a tariff to be reviewed? ``because``: what asks for it, as the law calls it (``cost``, ``request``)."""

    category: str
    last_on: date | None = None
    because: Sequence[str] = ()
    keys: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ReviewAnswer:
    """``due_on``: the last day by which it must be, where the law says how often."""

    due_on: date | None
    when: tuple[str, ...]
    needs: tuple[str, ...]


def _policy(ev: Evaluation, category: str, keys: Mapping[str, str]) -> TariffPolicy | None:
    rules = ev.rules(TariffPolicy, category=category, **keys)
    if len(rules) > 1:
        ev.undetermined(f"mais de uma política de tarifas: {', '.join(rule.code for rule in rules)}")
    elif not rules:
        ev.lacks(Missing("rule", "tariff_policy", "a lei não diz como se fixam as tarifas"))
    return rules[0] if len(rules) == 1 else None


@answer.register
def _(question: AgreementQuestion, ev: Evaluation) -> Decision:
    rule = _policy(ev, question.category, question.keys)
    if rule is None or ev.obstacle:
        return ev.close()
    if not question.raises:
        return ev.decide(Outcome.ALLOWED, "O desconto é livre.")
    if question.occasion in rule.raise_only_for:
        return ev.decide(Outcome.ALLOWED, f"A ocasião admite preço combinado: {question.occasion}.")
    named = ", ".join(rule.raise_only_for) or "nenhuma ocasião"
    return ev.decide(Outcome.DENIED, f"Só se combina preço acima da tarifa em: {named}.", value=rule.raise_only_for)


@answer.register
def _(question: TariffChangeQuestion, ev: Evaluation) -> Decision:
    rule = _policy(ev, question.category, question.keys)
    if rule is None:
        return ev.close()
    if question.surcharge and rule.surcharge_only_by_law and not question.by_law:
        return ev.decide(Outcome.DENIED, "Tarifa adicional só por lei.")
    valid_after = ev.word(rule.valid_after)
    needed = [("heard", who, "Foi ouvido") for who in rule.hears if who not in question.heard]
    if rule.approves and valid_after == "approval" and rule.approves not in question.approved:
        needed.append(("approved", rule.approves, "Aprovou"))
    needed += [("papers", paper, "Foi apresentado") for paper in rule.review_needs if paper not in question.papers]
    for what, code, ask in needed:
        ev.lacks(Missing("fact", f"tariff.{what}.{code}", f"{ask}: {code}?"))
    set_by = ev.office(rule.set_by) if rule.set_by else None
    found = TariffChangeAnswer(set_by, rule.hears, rule.approves, rule.review_needs, rule.zones)
    if ev.obstacle:
        return ev.close(value=found)
    return ev.decide(Outcome.ALLOWED, "A tarifa pode ser fixada.", value=found)


@answer.register
def _(question: ReviewQuestion, ev: Evaluation) -> Decision:
    rule = _policy(ev, question.category, question.keys)
    if rule is None:
        return ev.close()
    every = ev.typed(rule.review_every, Length)
    days = ev.counted(None, question.last_on, every) if every and question.last_on else None
    found = ReviewAnswer(days.last_day if days else None, rule.review_when, rule.review_needs)
    if every and question.last_on is None:
        ev.lacks(Missing("fact", "tariff.reviewed_on", "Em que dia foi a última revisão das tarifas?"))
    if set(question.because) & set(rule.review_when):
        return ev.decide(Outcome.ALLOWED, "A lei manda rever as tarifas quando assim se pede.", value=found)
    if ev.obstacle:
        return ev.close(value=found)
    if found.due_on is not None:
        late = "venceu" if ev.on > found.due_on else "vence"
        return ev.decide(Outcome.ALLOWED, f"A revisão das tarifas {late} em {found.due_on:%d/%m/%Y}.", value=found)
    return ev.decide(Outcome.DENIED, f"Só se reveem as tarifas por: {', '.join(rule.review_when)}.", value=found)
