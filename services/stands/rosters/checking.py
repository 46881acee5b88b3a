"""What the law asks of a roster, and what a given one breaks: asked before it is stored, approved or changed."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, time
from typing import Any
from uuid import UUID

from sqlalchemy import Row

from services.database import Reader
from services.errors import Invalid, Refused
from services.permits.unforeseen import not_provided
from services.registry.facts import facts
from services.stands.rosters import store
from tenants.law.decide import decide
from tenants.law.decision import Decision
from tenants.law.kinds.stands import Roster
from tenants.law.kinds.windows import DAY
from tenants.law.law import Law
from tenants.law.questions import RosterAnswer, RosterDemandsAnswer, RosterDemandsQuestion, RosterQuestion, Shift

LONGEST = 92  # law-free: days of one roster


@dataclass(frozen=True, slots=True)
class Plan:
    """A roster to be looked at: vehicles go by their permits' numbers. ``until``: its last day."""

    category: str
    since: date
    until: date
    permits: Mapping[str, UUID]
    shifts: tuple[Shift, ...]
    exempt: Mapping[str, str]

    @property
    def span(self) -> tuple[datetime, datetime]:
        return datetime.combine(self.since, time()), datetime.combine(self.until + DAY, time())

    @property
    def fleet(self) -> tuple[str, ...]:
        return tuple(self.permits)

    @property
    def days(self) -> int:
        return (self.until - self.since) // DAY + 1


async def plan_of(
    tx: Reader,
    law: Law,
    *,
    category: str,
    since: date,
    until: date,
    shifts: Sequence[Mapping[str, Any]] = (),
    exempt: Sequence[Mapping[str, Any]] = (),
) -> Plan:
    """A plan for the permits of a category in force on its first day, from what was sent.

    Raises:
        Invalid: Its days are no period; a shift or an exemption is not of one of these permits; a shift ends too early.
    """
    if not since <= until or (until - since) // DAY >= LONGEST:
        raise Invalid("until", "order", f"A escala vai de um dia a outro, em até {LONGEST} dias.")
    crew = await store.crew(tx, law.branch(category), since)
    numbers = {row.id: row.number for row in crew}
    for field, given in (("shifts", shifts), ("exempt", exempt)):
        if any(each["permit_id"] not in numbers for each in given):
            raise Invalid(field, "unknown_permit", "Só entra na escala quem tem outorga vigente da categoria.")
    if any(each["ends"] <= each["starts"] for each in shifts):
        raise Invalid("shifts", "order", "Um turno termina depois de começar.")
    made = tuple(Shift(numbers[each["permit_id"]], each["starts"], each["ends"]) for each in shifts)
    spared = {numbers[each["permit_id"]]: each["why"] for each in exempt}
    return Plan(category, since, until, {number: id for id, number in numbers.items()}, made, spared)


async def plan_in(tx: Reader, row: Row[Any]) -> Plan:
    """A stored roster as a plan."""
    shifts = await store.shifts(tx, [row.id])
    members = await store.members(tx, [row.id])
    return Plan(
        category=row.category,
        since=row.since,
        until=row.last_day,
        permits={member.number: member.permit_id for member in members},
        shifts=tuple(Shift(shift.number, shift.starts, shift.ends) for shift in shifts),
        exempt=row.exempt,
    )


def demands(law: Law, plan: Plan) -> RosterDemandsAnswer:
    """What the law asks of such a roster. Raises Refused where it asks for none, or has not said enough."""
    question = RosterDemandsQuestion(plan.category, plan.fleet, plan.exempt)
    decision = decide(law, question, facts(law))
    if any(missing.kind == "rule" for missing in decision.missing):
        raise not_provided(law, "escala de serviço", Roster.kind)
    if not isinstance(decision.value, RosterDemandsAnswer):
        raise Refused(decision)
    return decision.value


async def check(tx: Reader, law: Law, plan: Plan, agreed_by: Sequence[str] | None = None) -> Decision:
    """What the plan breaks; the value names each breach. Whoever is still at work from the day before counts too."""
    since, until = plan.span
    carried = await store.carried(tx, plan.category, since)
    before = [Shift(row.number, row.starts, row.ends) for row in carried]
    question = RosterQuestion(
        category=plan.category,
        shifts=[*plan.shifts, *(shift for shift in before if shift.vehicle in plan.permits)],
        fleet=plan.fleet,
        since=since,
        until=until,
        agreed_by=agreed_by,
        exempt=plan.exempt,
    )
    decision = await asyncio.to_thread(decide, law, question, facts(law))
    return replace(decision, message=_told(decision)) if not decision.permits else decision


def _told(decision: Decision) -> str:
    """The message, and the first thing that breaks."""
    breaches = decision.value.breaches if isinstance(decision.value, RosterAnswer) else ()
    if not breaches:
        return decision.message
    first, more = breaches[0], len(breaches) - 1
    whose = f" ({first.vehicle})" if first.vehicle else ""
    when = f"de {first.start:%d/%m/%Y %H:%M} a {first.end:%d/%m/%Y %H:%M}"
    others = f"; e mais {more}" if more else ""
    return f"{decision.message} Primeira falta{whose}: {when}, {first.found} de {first.demanded}{others}."
