"""Who may hold a permit: kinds of holder, titles, caps."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal

from tenants.law.decide import answer
from tenants.law.decision import Decision, Outcome
from tenants.law.evaluation import Evaluation
from tenants.law.kinds.demands import exempt, named
from tenants.law.kinds.grants import Allowed, HolderPolicy
from tenants.law.quantity import Percent
from tenants.law.values import Value

ONE_MORE = frozenset({"entry", "transfer"})  # the permit asked for counts beside those already held


@dataclass(frozen=True, slots=True)
class HolderQuestion:
    """May such a holder hold (one more, at ``entry`` and ``transfer``) in a category?"""

    category: str
    holder: str
    at: str = "entry"
    keys: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class HolderAnswer:
    """The caps that reach the holder. ``title_until``: the last day of the title to the vehicle, if it ends."""

    holder: str
    title: str
    permits: int | None
    vehicles: int | None
    title_until: date | None = None


@answer.register
def _(question: HolderQuestion, ev: Evaluation) -> Decision:
    keys = {"category": question.category, "holder": question.holder, **question.keys}
    parts = list(admitted(ev, question.at, keys))
    value = next((part.value for part in parts if part.value is not None), None)
    message = "; ".join(part.message.rstrip(".") for part in parts) or "A lei não limita quem pode ser titular"
    return ev.together(parts, message=f"{message}.", value=value)


def admitted(ev: Evaluation, at: str, keys: Mapping[str, str]) -> Iterator[Decision]:
    """One decision for each policy; a policy does not reach by holder: it says who may."""
    for policy, own in ev.each(HolderPolicy, **keys):
        yield exempt(own) if policy is None else _policy(policy, own, keys["holder"], at)


def _policy(policy: HolderPolicy, ev: Evaluation, holder: str, at: str) -> Decision:
    if ev.obstacle:
        return ev.close()
    rows = [row for row in policy.allow if row.holder == holder and ev.word(row.off) != "yes"]
    kind = ev.law.list("holder").get(holder, holder)
    if not rows:
        return ev.decide(Outcome.DENIED, f"{named(policy)}: a lei não admite como titular: {kind}.")
    row = _by_title(rows, ev)
    if row is None and not ev.obstacle:
        return ev.decide(Outcome.DENIED, f"{named(policy)}: a lei não admite esse título sobre o veículo: {kind}.")
    if row is None:
        return ev.close()
    failed = [why for why in (_condition(row, ev), *_caps(row, ev, at)) if why]
    value = _value(row, ev)
    if failed:
        return ev.decide(Outcome.DENIED, f"{named(policy)}: {'; '.join(failed)}.", value=value)
    return (
        ev.close(value=value) if ev.obstacle else ev.decide(Outcome.ALLOWED, f"{kind}: pode ser titular.", value=value)
    )


def _by_title(rows: list[Allowed], ev: Evaluation) -> Allowed | None:
    """The row of the title under which the vehicle is held; one without a title takes any."""
    if not any(row.title for row in rows):
        return rows[0]
    title = ev.fact("holder.title")
    return next((row for row in rows if title is not None and row.title in ("", title)), None)


def _condition(row: Allowed, ev: Evaluation) -> str:
    return "não atende à condição" if row.must is not None and ev.holds(row.must) is False else ""


def _caps(row: Allowed, ev: Evaluation, at: str) -> Iterator[str]:
    more = int(at in ONE_MORE)
    for cap, fact, what, added in (
        (row.permits, "holder.permits", "outorga(s)", more),
        (row.vehicles, "holder.vehicles", "veículo(s)", more),
        (row.partners, "holder.partners", "sócio(s)", 0),
    ):
        most, has = (ev.whole(cap), ev.fact(fact)) if cap is not None else (None, None)
        if most is not None and isinstance(has, int) and has + added > most:
            yield f"no máximo {most} {what}, e já tem {has}"
    if row.share is not None:
        yield from _share(row.share, ev, more)


def _share(share: Value, ev: Evaluation, more: int) -> Iterator[str]:
    most, held, active = ev.value(share), ev.fact("holder.permits"), ev.fact("town.active_permits")
    if not (isinstance(most, Percent) and isinstance(held, int) and isinstance(active, int)):
        return
    if Decimal(held + more) > most.fraction * (active + more):
        yield f"no máximo {most.text} das outorgas"


def _value(row: Allowed, ev: Evaluation) -> HolderAnswer:
    ends = ev.day(row.ends) if row.ends else None
    permits = ev.whole(row.permits) if row.permits else None
    vehicles = ev.whole(row.vehicles) if row.vehicles else None
    return HolderAnswer(row.holder, row.title, permits, vehicles, ends)
