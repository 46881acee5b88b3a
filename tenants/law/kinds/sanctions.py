"""Sanctions that a law provides for any infraction, from the mildest to the gravest, and what each of them needs.

And what a bar to a grant draws that comes to light only afterwards.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from pydantic import Field

from tenants.law.citation import Citation
from tenants.law.decide import answer
from tenants.law.decision import Decision, Outcome
from tenants.law.evaluation import Evaluation
from tenants.law.kinds.effects import Do, Drawn, Effect, Setting, drawn
from tenants.law.kinds.grants import Exclusion
from tenants.law.kinds.infractions import Infraction
from tenants.law.loading import Codes
from tenants.law.rule import Rule
from tenants.law.values import Ranged, Word


class Sanction(Rule, Effect):
    """A sanction that an office may apply to any infraction, or to those that ``applies`` names.

    ``grade`` counts from the mildest. ``order``: graded, where one that is not yet in turn needs a reasoned decision,
    or free. ``needs``: papers that must be on file before it is applied.
    """

    kind: ClassVar[str] = "sanction"
    grade: int = Field(ge=1)
    order: Word = Word(word="graded")
    after_process: bool = False
    needs: Codes = ()


@dataclass(frozen=True, slots=True)
class SanctionsQuestion:
    """Which sanctions may be applied for an infraction, by whom, after what?

    Args:
        sanction: Only this one.
        earlier: Codes of the sanctions that have been applied to the same holder before.
        filed: Papers on the file.
        in_process: The case has gone through the process that ``opens`` names.
    """

    infraction: str
    sanction: str | None = None
    keys: Mapping[str, str] = field(default_factory=dict)
    earlier: Sequence[str] = ()
    filed: Sequence[str] = ()
    in_process: bool = False


@dataclass(frozen=True, slots=True)
class Offered:
    """``reasoned``: out of turn. ``open_term``: the decision sets its length. ``lacks``: what is missing."""

    sanction: str
    title: str
    do: Do
    grade: int
    decides: str | None
    reasoned: bool
    open_term: bool
    opens: str | None
    cause: str | None
    lacks: tuple[str, ...]
    cite: tuple[Citation, ...]


@answer.register
def _(question: SanctionsQuestion, ev: Evaluation) -> Decision:
    keys = {**question.keys, "infraction": question.infraction}
    rules = ev.rules(Sanction, lambda rule: question.sanction in (None, rule.code), **keys)
    if not rules:
        why = f"A lei não prevê, para este caso, {question.sanction or 'sanção'} além do que a infração já acarreta."
        return ev.decide(Outcome.DENIED, why)
    offered = [_offered(ev, rule, question) for rule in sorted(rules, key=lambda rule: rule.grade)]
    if ev.obstacle:
        return ev.close(value=tuple(offered))
    lacking = [each for each in offered if each.lacks]
    if question.sanction and lacking:
        return ev.decide(
            Outcome.DENIED, f"Antes de {lacking[0].title}: {', '.join(lacking[0].lacks)}.", value=offered[0]
        )
    ev.left_to(offered[0].decides)
    message = "; ".join(f"{each.title} ({'com motivos' if each.reasoned else 'na ordem'})" for each in offered)
    return ev.decide(Outcome.NEEDS_DECISION, f"{message}.", value=offered[0] if question.sanction else tuple(offered))


def _offered(ev: Evaluation, rule: Sanction, question: SanctionsQuestion) -> Offered:
    missing = [
        f"juntar {ev.law.list('paper').get(paper, paper)}" for paper in rule.needs if paper not in question.filed
    ]
    process = ["concluir o processo com defesa"] if rule.after_process and not question.in_process else []
    return Offered(
        sanction=rule.code,
        title=rule.title or rule.code,
        do=rule.do,
        grade=rule.grade,
        decides=ev.office(rule.decides) if rule.decides else None,
        reasoned=ev.word(rule.order) == "graded" and rule.grade > _in_turn(ev, question),
        open_term=isinstance(rule.term, Ranged),
        opens=rule.opens,
        cause=rule.cause,
        lacks=(*process, *missing),
        cite=rule.cite,
    )


def _in_turn(ev: Evaluation, question: SanctionsQuestion) -> int:
    """The gravest grade that is in turn: what the infraction itself draws, or the next after the gravest before."""
    infraction = ev.law.get(Infraction, question.infraction)
    grades = [(rule, rule.grade) for _, rule in ev.law.all(Sanction)]
    own = [grade for rule, grade in grades if infraction is not None and rule.do == infraction.do]
    before = [grade + 1 for rule, grade in grades if rule.code in question.earlier]
    return max([1, *own, *before])


# --- bars that come to light ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class RevealedQuestion:
    """A bar (``exclusion``) existed when the permit was granted, or was got round: what does that draw?"""

    exclusion: str
    keys: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class RevealedAnswer:
    """``at_once``: without a process; otherwise ``effect.opens`` names the one that must be opened."""

    exclusion: str
    fraud: bool
    at_once: bool
    effect: Drawn


@answer.register
def _(question: RevealedQuestion, ev: Evaluation) -> Decision:
    rule = ev.rule(Exclusion, question.exclusion)
    if rule is None or rule.revealed is None:
        return ev.decide(Outcome.DENIED, "A lei não diz o que acarreta descobrir-se depois este impedimento.")
    at_once = ev.word(rule.revealed_at_once) == "yes"
    ev.part(rule, "revealed", rule.revealed.cite)
    effect = drawn(ev, rule.revealed, Setting())
    found = RevealedAnswer(rule.code, rule.fraud, at_once, effect)
    if ev.obstacle:
        return ev.close(value=found)
    title = rule.title or rule.code
    if at_once:
        return ev.decide(Outcome.VALUE, f"{title}: {effect.text}, desde logo.", value=found)
    ev.left_to(effect.decides)
    return ev.decide(Outcome.NEEDS_DECISION, f"{title}: {effect.text}, por processo que é dever abrir.", value=found)
