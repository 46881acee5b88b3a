"""Stands: who has room, who may wait where and when, how one is created, moved or closed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from tenants.law.decide import answer
from tenants.law.decision import Decision, Missing, Outcome
from tenants.law.evaluation import Evaluation
from tenants.law.kinds.stands import Stand, StandPolicy
from tenants.law.kinds.windows import local
from tenants.law.quantity import Hours

LEGISLATIVE = "legislative"  # the legislature's leave comes first, like all else that must be met


@dataclass(frozen=True, slots=True)
class StandRoomQuestion:
    """Has a stand a slot for one more permit, ``taken`` being taken?"""

    stand: str
    taken: int
    keys: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class StandRoomAnswer:
    stand: str
    slots: int
    taken: int
    free: int


@dataclass(frozen=True, slots=True)
class StandUseQuestion:
    """May a permit whose own stand is ``own`` wait at a stand at this moment of the town's clock?"""

    category: str
    stand: str
    at: datetime
    own: str | None = None
    keys: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class StandUseAnswer:
    stand: str
    access: str
    hours: Hours | None
    takes_slot: bool


@dataclass(frozen=True, slots=True)
class StandActQuestion:
    """May a stand be created, moved or closed? ``met``: what the law wants before, of what has been done.

    ``fixed``: whether the stand is to be a fixed one.
    """

    category: str
    act: Literal["create", "move", "close"]
    met: Sequence[str] = ()
    fixed: bool = True
    keys: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class StandActAnswer:
    """``how``: in the law's words, or the system's (``decree``, ``legislative`` …); ``former``: acts of before."""

    act: str
    how: str | None
    needs: tuple[str, ...]
    decides: str | None
    assigned: bool
    former: str | None


@answer.register
def _(question: StandRoomQuestion, ev: Evaluation) -> Decision:
    rule = ev.named(Stand, question.stand, question.keys)
    if rule is None:
        return ev.close()
    if rule.slots is None:
        return ev.decide(Outcome.DENIED, f"O ponto {rule.number} não tem vagas próprias.")
    free = max(rule.slots - question.taken, 0)
    found = StandRoomAnswer(rule.code, rule.slots, question.taken, free)
    if not free:
        full = f"O ponto {rule.number} está completo: {question.taken} de {rule.slots} vaga(s)."
        return ev.decide(Outcome.DENIED, full, value=found)
    return ev.decide(Outcome.ALLOWED, f"O ponto {rule.number} tem {free} vaga(s) livre(s).", value=found)


@answer.register
def _(question: StandUseQuestion, ev: Evaluation) -> Decision:
    rule = ev.named(Stand, question.stand, {"category": question.category, **question.keys})
    if rule is None:
        return ev.close()
    hours = ev.typed(rule.hours, Hours)
    takes = ev.word(rule.counts) != "no"
    found = StandUseAnswer(rule.code, rule.access, hours, takes)
    if ev.obstacle:
        return ev.close(value=found)
    within = found.hours is None or found.hours.contains(local(ev, question.at).time())
    shared = rule.access == "shared"  # open to all in its hours, and fixed in all others
    if found.hours and not within and not shared:
        return ev.decide(Outcome.DENIED, f"O ponto {rule.number} só se usa {found.hours.text}.", value=found)
    fixed = rule.access == "fixed" or (shared and not within)
    if fixed and _own_only(ev, question) and question.own != rule.code:
        if question.own is None:
            ev.lacks(Missing("fact", "stand.own", "Qual é o ponto do titular?"))
            return ev.close(value=found)
        but = f"; neste, todos, {found.hours.text}" if shared and found.hours else ""
        return ev.decide(Outcome.DENIED, f"Cada um espera só no seu próprio ponto{but}.", value=found)
    return ev.decide(Outcome.ALLOWED, f"Pode esperar no ponto {rule.number}.", value=found)


def _own_only(ev: Evaluation, question: StandUseQuestion) -> bool:
    keys = {"category": question.category, **question.keys}
    return bool(ev.rules(StandPolicy, lambda r: r.own_only or r.assigned, **keys))


@answer.register
def _(question: StandActQuestion, ev: Evaluation) -> Decision:
    keys = {"category": question.category, **question.keys}
    rules = ev.rules(StandPolicy, lambda r: bool(r.create or r.close or r.decides or r.fixed_only), **keys)
    meant = [rule for rule in rules if (rule.create if question.act == "create" else rule.close)] or rules
    if not meant:
        ev.lacks(Missing("rule", "stand_policy", "a lei não diz como se cria, muda ou fecha um ponto"))
        return ev.close()
    if not question.fixed and any(rule.fixed_only for rule in rules):
        return ev.decide(Outcome.DENIED, "A lei só admite pontos fixos.")
    parts = [_act(ev.alone(rule), rule, question) for rule in meant[:1]]
    return parts[0]


def _act(ev: Evaluation, rule: StandPolicy, question: StandActQuestion) -> Decision:
    how = (ev.word(rule.create) if rule.create else None) if question.act == "create" else rule.close
    decides = ev.office(rule.decides) if rule.decides else None
    former = ev.word(rule.former) if rule.former else None
    found = StandActAnswer(question.act, how, rule.needs, decides, rule.assigned, former)
    for need in (*rule.needs, *([how] if how == LEGISLATIVE else [])):
        if need not in question.met:
            ev.lacks(Missing("fact", f"stand.{need}", f"Foi atendido antes: {need}?"))
    if ev.obstacle:
        return ev.close(value=found)
    if decides:
        ev.left_to(decides)
        return ev.close(value=found)
    return ev.decide(Outcome.ALLOWED, rule.title or "A lei admite.", value=found)
