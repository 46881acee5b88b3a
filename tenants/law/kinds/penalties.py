"""One fact, one or several infractions: which stand, which give way, and what those that stand draw."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal

from tenants.law.decide import answer
from tenants.law.decision import Decision, Outcome
from tenants.law.evaluation import Evaluation
from tenants.law.kinds.effects import Drawn, stated
from tenants.law.kinds.infractions import Infraction, Overlap
from tenants.law.kinds.repetition import Event, LadderAnswer, LadderQuestion, repeated
from tenants.law.quantity import Amount, Number


@dataclass(frozen=True, slots=True)
class InfractionsQuestion:
    """What does one fact draw that is all these infractions?

    Args:
        keys: Of the case: category, holder kind, and whose it is (holder, vehicle, driver) for repetition.
        events: The past, for repetition.
        days: When what may fix a unit's value took place (``payment``, ``decision`` …); the fact's own is the law's.
    """

    codes: Sequence[str]
    keys: Mapping[str, str] = field(default_factory=dict)
    events: Sequence[Event] = ()
    days: Mapping[str, date] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Penalty:
    """An infraction that stands: what it draws, who may apply it, what may be opened besides (never by itself)."""

    infraction: str
    title: str
    group: str
    subject: str
    effects: tuple[Drawn, ...]
    nth: int
    by: tuple[str, ...]
    after_process: bool
    may_open: tuple[str, ...]
    ladder: str | None = None

    @property
    def brl(self) -> Decimal:
        """The reais of its effects together."""
        return sum((e.money.brl for e in self.effects if e.money), Decimal(0))


@dataclass(frozen=True, slots=True)
class Struck:
    """An infraction that gives way: to which, by which overlap; without one it does not reach the case at all."""

    infraction: str
    overlap: str | None
    to: str | None
    why: str


@dataclass(frozen=True, slots=True)
class PenaltyAnswer:
    kept: tuple[Penalty, ...]
    struck: tuple[Struck, ...]

    @property
    def brl(self) -> Decimal:
        return sum((penalty.brl for penalty in self.kept), Decimal(0))


@answer.register
def _(question: InfractionsQuestion, ev: Evaluation) -> Decision:
    codes = tuple(dict.fromkeys(question.codes))
    present, struck = _present(ev, codes, question.keys)
    strikes = _overlaps(ev, present, question.keys)
    _must_end_somewhere(ev, present, strikes)
    struck += list({s.infraction: s for s in reversed(strikes)}.values())[::-1]
    struck += _residual(present, {each.infraction for each in struck})
    gone = {each.infraction for each in struck}
    kept = tuple(_penalty(ev, rule, question) for code, rule in present.items() if code not in gone)
    found = PenaltyAnswer(kept, tuple(struck))
    if ev.obstacle:
        return ev.close(value=found)
    if not kept:
        return ev.decide(Outcome.DENIED, "; ".join(each.why for each in struck) or "nenhuma infração", value=found)
    return ev.decide(Outcome.VALUE, "; ".join(_text(penalty) for penalty in kept) + ".", value=found)


def _present(
    ev: Evaluation, codes: Sequence[str], keys: Mapping[str, str]
) -> tuple[dict[str, Infraction], list[Struck]]:
    """The infractions that reach the case; the others give way to nothing: they are none in it."""
    points = {r.answered_point for _, r in ev.law.all(Infraction) if r.code in codes}
    reaching = {r.code: r for r in ev.rules(Infraction, lambda r: r.answered_point in points, **keys)}
    present = {code: reaching[code] for code in codes if code in reaching}
    struck = []
    for code in codes:
        if ev.law.get(Infraction, code) is None:
            ev.undetermined(f"a lei não tem a infração {code} em {ev.on:%d/%m/%Y}")
        elif code not in present:
            struck.append(Struck(code, None, None, f"{code} não alcança este caso"))
    return present, struck


def _overlaps(ev: Evaluation, present: Mapping[str, Infraction], keys: Mapping[str, str]) -> list[Struck]:
    """What each overlap strikes of all that are present; what any of them strikes stays out."""
    several = ev.rules(Overlap, lambda r: len(set(r.order) & present.keys()) > 1, **keys)
    return [strike for overlap in several for strike in _strikes(ev, overlap, present)]


def _strikes(ev: Evaluation, overlap: Overlap, present: Mapping[str, Infraction]) -> list[Struck]:
    own = [code for code in dict.fromkeys(overlap.order) if code in present]
    keeps = ev.word(overlap.keeps)
    match keeps:
        case None | "all":
            return []
        case "first":
            stays: str | None = own[0]
        case "lowest" | "highest":
            stays = _extreme(ev, own, present, max if keeps == "highest" else min)
        case _:
            ev.undetermined(f"a sobreposição {overlap.code} guarda {keeps!r}, que nada quer dizer")
            return []
    why = f"{{}} pune o mesmo fato que {stays}"
    return [Struck(code, overlap.code, stays, why.format(code)) for code in own if stays and code != stays]


def _residual(present: Mapping[str, Infraction], gone: set[str]) -> list[Struck]:
    """What punishes only facts that nothing else punishes."""
    own = next((code for code, rule in present.items() if not rule.residual and code not in gone), None)
    left = [code for code, rule in present.items() if rule.residual and code not in gone]
    return [Struck(code, None, own, f"{code} só pune o que não tem penalidade própria") for code in left if own]


def _extreme(
    ev: Evaluation, codes: Sequence[str], present: Mapping[str, Infraction], pick: Callable[..., str]
) -> str | None:
    """By amount in one unit, else in reais; of equals the first in the overlap's order."""
    amounts = {code: _amount(ev, present[code]) for code in codes}
    known = {code: amount for code, amount in amounts.items() if amount is not None}
    if len(known) < len(codes):
        if not ev.obstacle:
            ev.undetermined(f"comparar {', '.join(codes)} pede valor em cada uma")
        return None
    if len({amount.unit for amount in known.values()}) == 1:
        worth = {code: amount.value for code, amount in known.items()}
    else:
        reais = {code: ev.reais(amount, ev.on) for code, amount in known.items()}
        worth = {code: money.brl for code, money in reais.items() if money is not None}
        if len(worth) < len(codes):
            return None
    return pick(codes, key=lambda code: worth[code])


def _amount(ev: Evaluation, rule: Infraction) -> Amount | None:
    value = stated(ev, rule) if rule.amount or rule.tiers else None
    return Amount(value.value, "BRL") if isinstance(value, Number) else value if isinstance(value, Amount) else None


def _must_end_somewhere(ev: Evaluation, present: Iterable[str], strikes: Sequence[Struck]) -> None:
    """Where overlaps strike each other's in a circle, nothing tells which stands."""
    out = {strike.infraction for strike in strikes}
    settled = {code for code in present if code not in out}
    while more := {s.infraction for s in strikes if s.to in settled} - settled:
        settled |= more
    if out - settled:
        ev.undetermined(f"as sobreposições excluem-se em círculo: {', '.join(sorted(out - settled))}")


def _penalty(ev: Evaluation, rule: Infraction, question: InfractionsQuestion) -> Penalty:
    if rule.judge and (office := ev.office(rule.judge)):
        ev.left_to(office)
    ladder_question = LadderQuestion(rule.code, question.keys, question.events, question.days)
    climbed: LadderAnswer = repeated(ev, rule, ladder_question)
    return Penalty(
        infraction=rule.code,
        title=rule.title,
        group=rule.group,
        subject=rule.subject,
        effects=climbed.effects,
        nth=climbed.nth,
        by=rule.by,
        after_process=rule.after_process,
        may_open=climbed.may_open,
        ladder=climbed.ladder,
    )


def _text(penalty: Penalty) -> str:
    effects = ", ".join(effect.text for effect in penalty.effects)
    return f"{penalty.infraction}, {penalty.title or 'infração'}: {effects}"
