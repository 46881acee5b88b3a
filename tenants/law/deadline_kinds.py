"""What is told of a kind of deadline, and how the values of a law that knows nobody are read."""

from dataclasses import dataclass

from tenants.law.citation import Citation
from tenants.law.decision import Missing, Outcome
from tenants.law.evaluation import Evaluation
from tenants.law.facts import Facts
from tenants.law.kinds.basis import NoticeItem
from tenants.law.kinds.escalations import Escalate
from tenants.law.law import Law
from tenants.law.quantity import Length as Duration
from tenants.law.quantity import text
from tenants.law.rule import Demand, Missed, OfficeRef
from tenants.law.values import Value

AUTHORITY, PARTY = "authority", "party"
NOTIFY, OPEN, DRAW, END, ESCALATE = "notify", "open", "draw", "end_permit", "escalate"
ADMITTED = ("driver", "admitted")
CASE_STEP, CALL_NEXT, MISSED, END_SUBSTITUTE = "case_step", "call_next", "campaign_missed", "end_substitute"


@dataclass(frozen=True, slots=True)
class Length:
    """How long, as people say it. ``missing``: what must be supplied before anybody knows."""

    said: str
    missing: tuple[Missing, ...] = ()
    days: bool = True  # that it lasts at all


@dataclass(frozen=True, slots=True)
class Follow:
    """What follows the last day. ``do``: the word of what carries it out; ``after``: how long after, if not at once.

    ``draws``: infraction, process, cause of an end, order or template that it is about; ``office``: whose it is then.
    """

    do: str
    draws: str = ""
    after: Length | None = None
    office: str | None = None
    cite: tuple[Citation, ...] = ()


@dataclass(frozen=True, slots=True)
class Told:
    """Who is told ahead, how long, with which template."""

    to: str
    leads: tuple[Length, ...]
    template: str


@dataclass(frozen=True, slots=True)
class DeadlineKind:
    """One kind of deadline. ``of``: of what; ``opens``, ``meets``: events.

    ``ends``: the last day alone settles it: of a validity, or of a time in which somebody may do something.
    """

    kind: str
    rule_kind: str
    rule: str
    title: str
    of: str
    cite: tuple[Citation, ...]
    length: Length
    opens: tuple[str, ...]
    meets: tuple[str, ...]
    follows: tuple[Follow, ...]
    told: tuple[Told, ...] = ()
    binds: str = PARTY
    ends: bool = False


@dataclass(frozen=True, slots=True)
class Look:
    """Reads the values of a law that knows nobody: a fact is named, a parameter that is not supplied is missing."""

    law: Law

    def length(self, *values: Value | None) -> Length:
        for value in values:
            if value is not None:
                return self._said(value)
        return Length("desde o próprio fato")

    def _said(self, value: Value) -> Length:
        ev = Evaluation(self.law, Facts({}, self.law.vocabulary))
        found = ev.value(value)
        if found is not None:
            return Length(text(found), days=not (isinstance(found, Duration) and found.count == 0))
        decision = ev.close()
        missing = tuple(each for each in decision.missing if each.kind != "fact")
        if decision.outcome is Outcome.NEEDS_DECISION:
            return Length(f"fixado por {decision.office or 'quem decide'}", missing)
        named = ", ".join(each.ask for each in decision.missing)
        return Length(f"conforme: {named}" if named else "não determinado", missing)

    def told(self, *codes: str) -> tuple[Told, ...]:
        """Reminders ride on the kind of a deadline, or on its rule."""
        return tuple(
            Told(item.to, tuple(self._said(lead) for lead in item.lead), item.template)
            for _, item in self.law.all(NoticeItem)
            if item.on in codes
        )

    def office(self, ref: OfficeRef | None) -> str | None:
        found = self.law.office_of(ref) if ref is not None else None
        return f"param.{found.code}" if isinstance(found, Missing) else found

    def escalates(self, steps: tuple[Escalate, ...]) -> tuple[Follow, ...]:
        """Before nobody in particular, where the law names nobody."""
        if not steps:
            return (Follow(ESCALATE),)
        return tuple(
            Follow(
                ESCALATE,
                office=self.office(step.to),
                after=self.length(step.after) if step.after else None,
                cite=step.cite,
            )
            for step in steps
        )

    def missed(self, rule: Demand) -> tuple[Follow, ...]:
        """What missing a demand draws, which the night names."""
        told = (Follow(NOTIFY, "term_expired"),)
        if rule.missed is None:
            return told
        missed = rule.missed if isinstance(rule.missed, Missed) else Missed(infraction=rule.missed)
        drawn = missed.infraction or missed.opens
        office = self.office(missed.decides)
        return (*told, Follow(DRAW, drawn, office=office, cite=rule.cite)) if drawn else told
