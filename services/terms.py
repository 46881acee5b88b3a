"""Terms of the law as deadlines of the register: which ones an event sets running, and which it meets."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any
from uuid import UUID

from services import deadlines
from services.acts.record import Act
from services.database import Transaction
from services.permits.endings.lapsing import END_PERMIT
from tenants.law.citation import Citation
from tenants.law.decide import decide
from tenants.law.decision import Decision, plain
from tenants.law.facts import Facts
from tenants.law.kinds.terms import Term
from tenants.law.law import Law
from tenants.law.quantity import Length
from tenants.law.questions import TermQuestion

DAY = timedelta(days=1)
AUTHORITY, ESCALATE = "authority", "escalate"  # what is done is named in services.escalations
PERMIT = "permit"


@dataclass(frozen=True, slots=True)
class Running:
    """A term that an event sets running, with its last day as the law counts it."""

    term: Term
    decision: Decision
    last_day: date
    length: Length | None = None  # as an office has fixed it


def started(
    law: Law, facts: Facts, *, of: str, event: str, on: date, keys: dict[str, str], length: Length | None = None
) -> list[Running]:
    """The terms of a subject that an event of a day sets running; those whose end is not determined are left out.

    Args:
        length: As an office has fixed it, for terms that the law leaves to one.
    """
    found = [term for _, term in law.all(Term) if term.of == of and term.starts == event and law.concerns(term, keys)]
    return [each for term in found if (each := counted(law, facts, term, on=on, keys=keys, length=length))]


def counted(
    law: Law,
    facts: Facts,
    term: Term,
    *,
    on: date,
    keys: dict[str, str],
    last: date | None = None,
    length: Length | None = None,
) -> Running | None:
    """One term from an event, or with a last day that is known already; None: its end is not determined."""
    decision = decide(law, TermQuestion(code=term.code, start=on, keys=keys, last=last, length=length), facts)
    return Running(term, decision, decision.value.last_day, length) if decision.permits else None


async def open_started(
    tx: Transaction, act: Act, running: Sequence[Running], *, subject: tuple[str, UUID], on: date
) -> list[UUID]:
    """Open a deadline for each term that runs."""
    new = [new_deadline(act, each, subject=subject, on=on) for each in running]
    return await deadlines.open_each(tx, new) if new else []


def new_deadline(act: Act, each: Running, *, subject: tuple[str, UUID], on: date) -> deadlines.NewDeadline:
    """A term that runs as the deadline to open: with what it was counted from, and what follows its end."""
    return deadlines.NewDeadline(
        kind=each.term.code,
        rule=each.term.code,
        subject_kind=subject[0],
        subject_id=subject[1],
        opened_on=on,
        last_day=each.last_day,
        article=articles(each.term.cite),
        opened_act=act.id,
        inputs={
            "event": each.term.starts,
            "on": on.isoformat(),
            "rule": each.decision.plain()["rules"],
            **({"length": literal(each.length)} if each.length else {}),
        },
        counted=each.decision.plain()["value"],
        follows=follows_of(each),
    )


def literal(length: Length) -> str:
    """A length as a pack writes it."""
    return f"{length.count} {length.per.replace('_', ' ')}"


def follows_of(each: Running) -> list[dict[str, Any]]:
    """Its holder is told; and what the law says of lateness runs as deadlines of their own.

    One that binds the authority comes before whom the law names: its silence is nobody else's.
    """
    if each.term.binds == AUTHORITY:
        return [{"do": ESCALATE}]
    told = {"do": "notify", "template": "term_expired"}
    later = [step for step in each.decision.value.late if step.last_day_before > each.last_day]
    opened = [{"do": "open", "deadline": _late(each, step)} for step in later]
    return [told, *opened, *_draws_at_once(each), *_ends(each)]


def _draws_at_once(each: Running) -> list[dict[str, Any]]:
    """What is drawn from the first day of lateness on, and is an office's to bring about, is named by an act."""
    return [drawn for step in _at_once(each) for drawn in _draws(step, by_itself=_by_itself(each, step))]


def _at_once(each: Running) -> list[Any]:
    return [step for step in each.decision.value.late if step.last_day_before == each.last_day]


def _by_itself(each: Running, step: Any) -> bool:
    """Whether its effect is that a permit ends, nobody having to decide."""
    effect = step.effect
    if effect is None or each.term.of != PERMIT:
        return False
    return effect.do == "end" and bool(effect.cause) and not step.decides and not effect.opens


def _ends(each: Running) -> list[dict[str, Any]]:
    """What ends by the mere end of its term, nobody having to decide: a permit, of whatever cause the law gives."""
    causes = [step.effect.cause for step in _at_once(each) if _by_itself(each, step)]
    if not causes and each.term.of == PERMIT and each.term.validity:
        return [{"do": END_PERMIT, "cause": None}]
    return [{"do": END_PERMIT, "cause": cause} for cause in causes]


def _late(each: Running, step: Any) -> dict[str, Any]:
    return {
        "kind": each.term.code,
        "rule": step.infraction or step.opens or each.term.code,
        "last_day": step.last_day_before.isoformat(),
        "article": articles(step.cite or each.term.cite),
        "inputs": {"late": plain(step)},
        "follows": [{"do": "notify", "template": "term_late"}, *_draws(step)],
    }


def _draws(step: Any, *, by_itself: bool = False) -> list[dict[str, Any]]:
    """What so much lateness draws is named by an act; to apply it, or to open its process, is an office's."""
    effect = step.effect.text if step.effect and not by_itself else None
    named = {"infraction": step.infraction, "also": list(step.also), "opens": step.opens, "effect": effect}
    drawn = {name: code for name, code in named.items() if code}
    if not drawn:
        return []
    how = {"must_open": step.must_open and bool(step.opens), "office": step.decides, "article": articles(step.cite)}
    return [{"do": "draw", **drawn, **{name: said for name, said in how.items() if said}}]


async def meet(
    tx: Transaction, act: Act, law: Law, *, subject: tuple[str, UUID], events: Collection[str], on: date
) -> None:
    """Close as met the open deadlines of a subject that one of these events meets."""
    kinds = [term.code for _, term in law.all(Term) if not set(events).isdisjoint(term.met_by)]
    await meet_kinds(tx, act, subject=subject, kinds=kinds, on=on)


async def meet_kinds(tx: Transaction, act: Act, *, subject: tuple[str, UUID], kinds: Sequence[str], on: date) -> None:
    """Close as met the open deadlines of some kinds of a subject."""
    if kinds:
        await deadlines.meet_kinds(tx, on_subject=subject, kinds=kinds, on=on, act_id=act.id)


def articles(cited: Sequence[Citation]) -> str:
    return "; ".join(str(citation) for citation in cited)


def validity(running: Sequence[Running]) -> date | None:
    """The earliest last day among the terms that are the subject's own validity."""
    days = [each.last_day for each in running if each.term.validity]
    return min(days, default=None)


def day_after(last: date | None) -> date | None:
    """The open end of a range whose last day is known."""
    return None if last is None else last + DAY
