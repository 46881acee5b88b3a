"""May a permit pass on to another, on what conditions, and with what consequences?"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date

from tenants.law.decide import answer
from tenants.law.decision import PRECEDENCE, Decision, Missing, Outcome
from tenants.law.evaluation import Evaluation
from tenants.law.kinds.transfers import Transfer
from tenants.law.law import InForce
from tenants.law.money import Money
from tenants.law.quantity import Amount, Length
from tenants.law.values import Value

_BEST = (Outcome.ALLOWED, Outcome.NEEDS_DECISION, Outcome.UNPROVEN, Outcome.UNDETERMINED, Outcome.DENIED)


@dataclass(frozen=True, slots=True)
class TransferQuestion:
    """May a permit pass on for this cause?

    Each cause says which of the days counts; ``decided_on`` is the law's day where it is not given.

    Args:
        event_on: Of the death, the sale, the finding …
        to: Which kind of receiver; None: whichever the law admits.
        times: How often the permit has passed on before.
        acquired: By what cause, and when, the holder got the permit from another; None: it was granted to them.
        papers: Codes of the papers presented.
    """

    category: str
    cause: str
    requested_on: date | None = None
    event_on: date | None = None
    decided_on: date | None = None
    to: str | None = None
    granted_on: date | None = None
    times: int | None = None
    acquired: tuple[str, date] | None = None
    papers: Sequence[str] = ()
    keys: Mapping[str, str] = field(default_factory=dict)

    def day(self, counts: str, on: date) -> date | None:
        """The day of the case that a rule says counts; the request is the law's own day where no other is given."""
        match counts:
            case "event":
                return self.event_on
            case "decision":
                return self.decided_on or on
        return self.requested_on or on


@dataclass(frozen=True, slots=True)
class TransferAnswer:
    """``free``: nothing is charged. ``locked_until``, ``barred_until``: of the new permit, of who passed it on."""

    transfer: str
    cause: str
    to: tuple[str, ...]
    day: date
    fee: Money | None
    free: bool
    remaining: str
    papers: tuple[str, ...]
    qualifies: bool
    reissue: bool
    locked_until: date | None
    barred_until: date | None


@answer.register
def _(question: TransferQuestion, ev: Evaluation) -> Decision:
    """Rules for one receiver must all admit it; between kinds of receivers the best answer counts."""
    admitted = _admitted(ev, question)
    if not admitted:
        return _none(ev, question)
    receivers: dict[tuple[str, ...], list[Decision]] = {}
    for there, rule, day in admitted:
        receivers.setdefault(rule.to, []).append(_may(there.alone(rule), rule, day, question))
    answers = [_all(ev, parts) for parts in receivers.values()]
    return min(answers, key=lambda decision: _BEST.index(decision.outcome))


def _all(ev: Evaluation, parts: list[Decision]) -> Decision:
    if len(parts) == 1:
        return parts[0]
    worst = next((p for outcome in PRECEDENCE for p in parts if p.outcome is outcome), parts[0])
    return ev.fresh().together(parts, message=worst.message, value=worst.value)


def _admitted(ev: Evaluation, question: TransferQuestion) -> list[tuple[Evaluation, Transfer, date]]:
    """The rules for the cause, each found in the law of the day that it says counts."""
    found = []
    for counts in ("request", "event", "decision"):
        day = question.day(counts, ev.on)
        if day is None:
            continue
        there = ev.at(day)

        def meant(rule: Transfer, counts: str = counts) -> bool:
            to = question.to is None or question.to in rule.to
            return rule.cause == question.cause and rule.counts == counts and to

        found += [(there, rule, day) for rule in there.rules(Transfer, meant, **_keys(question))]
    return found


def _keys(question: TransferQuestion) -> dict[str, str]:
    return {"category": question.category, **question.keys}


def _none(ev: Evaluation, question: TransferQuestion) -> Decision:
    """Denied, citing what the law does admit, or the day from which it admits this cause."""
    later = _later(ev, question)
    if later is not None:
        ev.uses(later)
        if later.doubt or later.since is None:
            return ev.close()
        since = f"{later.since:%d/%m/%Y}"
        return ev.decide(Outcome.DENIED, f"A lei só admite esta transferência a partir de {since}.")
    ev.rules(Transfer, **_keys(question))
    return ev.decide(Outcome.DENIED, "A lei não admite transferência por esta causa, ou a quem a recebe.")


def _later(ev: Evaluation, question: TransferQuestion) -> InForce | None:
    """The next version of a rule for the cause that is not in force yet."""
    keys = _keys(question)
    coming = [f for f in ev.law.upcoming(Transfer) if isinstance(f.item, Transfer) and f.item.cause == question.cause]
    meant = [f for f in coming if isinstance(f.item, Transfer) and ev.law.concerns(f.item, keys)]
    return min(meant, key=lambda found: found.since or date.max, default=None)


def _may(ev: Evaluation, rule: Transfer, day: date, question: TransferQuestion) -> Decision:
    refused = next(filter(None, _refusals(ev, rule, day, question)), None)
    met = True if rule.must is None else ev.holds(rule.must)
    if met is False:
        refused = refused or "Não se cumpre a condição da lei para esta transferência."
    if refused:
        return ev.decide(Outcome.DENIED, refused)
    for paper in rule.papers:
        if paper not in question.papers:
            title = ev.law.list("paper").get(paper, paper)
            ev.lacks(Missing("fact", f"transfer.papers.{paper}", f"Foi apresentado: {title}?"))
    if rule.judge and (office := ev.office(rule.judge)):
        ev.left_to(office)
    found = _consequences(ev, rule, day)
    if ev.obstacle:
        return ev.close(value=found)
    charged = f", com taxa de {Amount(found.fee.brl, 'BRL').text}" if found.fee else ""
    price = ", sem ônus" if found.free else charged
    return ev.decide(Outcome.ALLOWED, f"A lei admite a transferência{price}.", value=found)


def _refusals(ev: Evaluation, rule: Transfer, day: date, question: TransferQuestion) -> list[str | None]:
    """Each bar of the rule on its own: why it refuses, or None."""
    return [
        _held(ev, rule, day, question),
        _in_time(ev, rule, question),
        _locked(ev, day, question),
        _too_often(ev, rule, question),
    ]


def _held(ev: Evaluation, rule: Transfer, day: date, question: TransferQuestion) -> str | None:
    if rule.held_for is None:
        return None
    since = question.granted_on or _day_fact(ev, "permit.granted_on")
    last = _after(ev, rule, since, rule.held_for)
    return f"A outorga só se transfere a partir de {last:%d/%m/%Y}." if last and day < last else None


def _in_time(ev: Evaluation, rule: Transfer, question: TransferQuestion) -> str | None:
    if rule.within is None:
        return None
    event, asked = question.event_on or _day_fact(ev, "transfer.on"), question.requested_on or ev.on
    last = _after(ev, rule, event, rule.within)
    return f"O pedido devia ser feito até {last:%d/%m/%Y}." if last and asked > last else None


def _locked(ev: Evaluation, day: date, question: TransferQuestion) -> str | None:
    """A permit that was itself passed on, under the rule of its own cause and day."""
    if question.acquired is None:
        return None
    cause, since = question.acquired
    there = ev.at(since)
    locking = there.rules(Transfer, lambda r: r.cause == cause and r.locks is not None, **_keys(question))
    until = [last for rule in locking if rule.locks and (last := _after(there, rule, since, rule.locks))]
    if there is not ev:
        ev.takes(there)
    last = max(until, default=None)
    return (
        f"A outorga recebida por transferência não passa adiante até {last:%d/%m/%Y}." if last and day <= last else None
    )


def _too_often(ev: Evaluation, rule: Transfer, question: TransferQuestion) -> str | None:
    if rule.most_times is None:
        return None
    known = question.times if question.times is not None else ev.fact("permit.transfers")
    if not isinstance(known, int) or known < rule.most_times:
        return None
    return f"A outorga só se transfere {rule.most_times} vez(es)."


def _day_fact(ev: Evaluation, code: str) -> date | None:
    found = ev.fact(code)
    return found if isinstance(found, date) else None


def _after(ev: Evaluation, rule: Transfer, since: date | None, value: Value | None) -> date | None:
    length = ev.typed(value, Length)
    if since is None or length is None:
        return None
    days = ev.counted(rule.counting, since, length)
    return days.last_day if days else None


def _consequences(ev: Evaluation, rule: Transfer, day: date) -> TransferAnswer:
    amount = ev.typed(rule.fee, Amount)
    return TransferAnswer(
        transfer=rule.code,
        cause=rule.cause,
        to=rule.to,
        day=day,
        fee=ev.reais(amount, day) if amount and amount.value else None,
        free=amount is not None and not amount.value,
        remaining=rule.remaining,
        papers=rule.papers,
        qualifies=rule.qualifies,
        reissue=rule.reissue,
        locked_until=_after(ev, rule, day, rule.locks),
        barred_until=_after(ev, rule, day, rule.bars),
    )
