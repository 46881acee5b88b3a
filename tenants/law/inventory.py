"""Every kind of deadline that a town's law sets running: derived from its rules and from nothing else."""

from collections.abc import Iterator
from functools import singledispatch

from tenants.law.deadline_kinds import (
    ADMITTED,
    AUTHORITY,
    CALL_NEXT,
    CASE_STEP,
    DRAW,
    END,
    END_SUBSTITUTE,
    MISSED,
    NOTIFY,
    OPEN,
    PARTY,
    DeadlineKind,
    Follow,
    Length,
    Look,
)
from tenants.law.kinds.grants import Instrument, Selection
from tenants.law.kinds.proceedings import Process
from tenants.law.kinds.registry import RULES
from tenants.law.kinds.requirements import Campaign, Inspection, Requirement, VehicleAge
from tenants.law.kinds.terms import Late, Term
from tenants.law.kinds.transfers import Substitute
from tenants.law.law import Law
from tenants.law.rule import Item


def inventory(law: Law) -> tuple[DeadlineKind, ...]:
    """The deadline kinds of a law, in the order of the kinds of rule and of its own."""
    look = Look(law)
    return tuple(each for cls in RULES for _, item in law.all(cls) for each in sets_running(item, look))


@singledispatch
def sets_running(item: Item, look: Look) -> Iterator[DeadlineKind]:
    """The deadline kinds of one rule; a kind of rule that is not told of here sets none running."""
    yield from ()


@sets_running.register
def _(item: Term, look: Look) -> Iterator[DeadlineKind]:
    authority = item.binds == AUTHORITY
    follows = look.escalates(item.escalates) if authority else tuple(_lateness(item, look))
    yield DeadlineKind(
        kind=item.code,
        rule_kind=item.kind,
        rule=item.code,
        title=item.title,
        of="substitute" if (item.of, item.starts) == ADMITTED else item.of,
        cite=item.cite,
        length=look.length(item.ends, item.length),
        opens=(f"{item.of}.{item.starts}",),
        meets=tuple(f"{item.of}.{event}" for event in item.met_by),
        follows=follows,
        told=look.told(item.code),
        binds=item.binds,
        ends=not authority and (item.validity or not item.late),
    )


def _lateness(item: Term, look: Look) -> Iterator[Follow]:
    """Its end is told, and ends a permit whose validity it is; what comes later runs as deadlines of their own."""
    yield Follow(NOTIFY, "term_expired")
    ended = False
    for late in item.late:
        after = look.length(late.after)
        office = look.office(late.decides)
        if after.days:
            yield Follow(OPEN, "term_late", after, office, late.cite)
            yield Follow(DRAW, _drawn(late), after, office, late.cite)
            continue
        ends = item.of == "permit" and _ends(late)
        ended = ended or ends
        yield Follow(END if ends else DRAW, _drawn(late), None, office, late.cite)
    if item.of == "permit" and item.validity and not ended:
        yield Follow(END)
    if (item.of, item.starts) == ADMITTED:
        yield Follow(END_SUBSTITUTE)


def _ends(late: Late) -> bool:
    return late.effect is not None and late.effect.do == "end" and late.decides is None and not late.effect.opens


def _drawn(late: Late) -> str:
    if late.infraction or late.opens:
        return late.infraction or late.opens or ""
    return (late.effect.cause or late.effect.label or late.effect.do) if late.effect else ""


@sets_running.register
def _(item: Process, look: Look) -> Iterator[DeadlineKind]:
    """Each step that has a term, and how long the file is kept."""
    for step in item.step:
        if step.term is None:
            continue
        authority = step.actor != PARTY
        yield DeadlineKind(
            kind=step.code,
            rule_kind=item.kind,
            rule=item.code,
            title=step.title or step.code,
            of="case",
            cite=step.cite or item.cite,
            length=look.length(step.term),
            opens=(f"case.{step.after}",),
            meets=(f"case.{step.code}",),
            follows=(Follow(CASE_STEP, step.silence), *(look.escalates(step.escalates) if authority else ())),
            told=look.told(step.code, item.code),
            binds=AUTHORITY if authority else PARTY,
            ends=not authority,
        )
    if item.keep is not None:
        kept = look.length(item.keep)
        cite = item.cite[-1:]
        yield DeadlineKind(
            "retention", item.kind, item.code, "Guarda do processo", "case", cite, kept, ("case.archived",), (), (),
            ends=True,
        )  # fmt: skip


@sets_running.register
def _(item: Instrument, look: Look) -> Iterator[DeadlineKind]:
    for step in item.steps:
        if step.term is None or step.after is None:
            continue
        first = step.after not in {each.code for each in item.steps}
        authority = step.actor != PARTY
        expired = (Follow(NOTIFY, "term_expired"), *((Follow(CALL_NEXT),) if first else ()))
        yield DeadlineKind(
            kind=step.code,
            rule_kind=item.kind,
            rule=item.code,
            title=step.title or step.code,
            of="candidate" if first else "permit",
            cite=step.cite or item.cite,
            length=look.length(step.term),
            opens=(f"candidate.{step.after}",),
            meets=(f"permit.{step.met_by}" if step.met_by else f"candidate.{step.code}",),
            follows=look.escalates(step.escalates) if authority else expired,
            told=look.told(step.code),
            binds=AUTHORITY if authority else PARTY,
        )


@sets_running.register
def _(item: Selection, look: Look) -> Iterator[DeadlineKind]:
    """Those who announce a call say until when one may enrol."""
    opens = ("selection.announced",)
    yield DeadlineKind(
        "enrolment", item.kind, item.code, "Inscrição", "selection", item.cite, Length("conforme o edital"), opens,
        (), (), ends=True,
    )  # fmt: skip


@sets_running.register
def _(item: Inspection, look: Look) -> Iterator[DeadlineKind]:
    """The next one, and the term to mend what it found."""
    if item.of == "driver":
        return
    if item.every is not None or item.by_plate_ending:
        yield DeadlineKind(
            kind=item.code,
            rule_kind=item.kind,
            rule=item.code,
            title=item.title,
            of="vehicle",
            cite=item.cite,
            length=look.length(item.every) if item.every else Length("conforme o final da placa"),
            opens=("vehicle.entered", "vehicle.inspected"),
            meets=("vehicle.inspected",),
            follows=look.missed(item),
            told=look.told(item.code),
        )
    if item.cure is not None:
        yield DeadlineKind(
            kind=f"{item.code}:cure",
            rule_kind=item.kind,
            rule=item.code,
            title=f"{item.title}: sanar o que faltou",
            of="vehicle",
            cite=item.cite,
            length=look.length(item.cure),
            opens=("vehicle.faulted",),
            meets=("vehicle.mended",),
            follows=look.missed(item),
            told=look.told(f"{item.code}:cure", item.code),
        )


@sets_running.register
def _(item: VehicleAge, look: Look) -> Iterator[DeadlineKind]:
    """How long a vehicle may stay in service."""
    if "stay" not in item.at:
        return
    drawn = (Follow(DRAW, item.late, cite=item.cite),) if item.late else ()
    yield DeadlineKind(
        kind=item.code,
        rule_kind=item.kind,
        rule=item.code,
        title=item.title,
        of="vehicle",
        cite=item.cite,
        length=look.length(item.limit),
        opens=("vehicle.entered",),
        meets=("permit.vehicle_swapped",),
        follows=(Follow(NOTIFY, "term_expired"), *drawn),
        told=look.told(item.code),
    )


@sets_running.register
def _(item: Requirement, look: Look) -> Iterator[DeadlineKind]:
    """A paper that ends, or that counts only for so long; where a term of the law's own counts it, that does."""
    if item.paper is None or any(term.of == "paper" and term.code == item.paper for _, term in look.law.all(Term)):
        return
    own = Length("até o dia que consta do documento")
    yield DeadlineKind(
        kind=item.paper,
        rule_kind=item.kind,
        rule=item.code,
        title=item.title or look.law.list("paper").get(item.paper, item.paper),
        of=item.of,
        cite=item.cite,
        length=look.length(item.valid_for, item.every) if item.valid_for or item.every else own,
        opens=("paper.filed",),
        meets=("paper.filed",),
        follows=look.missed(item),
        told=look.told(item.paper, item.code),
    )


@sets_running.register
def _(item: Campaign, look: Look) -> Iterator[DeadlineKind]:
    yield DeadlineKind(
        kind=item.code,
        rule_kind=item.kind,
        rule=item.code,
        title=item.title,
        of="driver" if item.whom == "drivers" else "permit",
        cite=item.cite,
        length=look.length(item.term) if item.term else Length("conforme o final da placa"),
        opens=("campaign.opened",),
        meets=("campaign.attended",),
        follows=(*look.missed(item), Follow(MISSED)),
        told=look.told(item.code),
    )


@sets_running.register
def _(item: Substitute, look: Look) -> Iterator[DeadlineKind]:
    """While the cause lasts; by a term of the law's own where it has one of a driver admitted."""
    if any(term.of == "driver" and term.starts == "admitted" for _, term in look.law.all(Term)):
        return
    yield DeadlineKind(
        kind=item.code,
        rule_kind=item.kind,
        rule=item.code,
        title=item.title,
        of="substitute",
        cite=item.cite,
        length=look.length(item.ends) if item.ends else Length("enquanto dura a causa provada"),
        opens=("substitute.admitted",),
        meets=("substitute.ended",),
        follows=(Follow(NOTIFY, "term_expired"), Follow(END_SUBSTITUTE)),
        told=look.told(item.code),
    )
