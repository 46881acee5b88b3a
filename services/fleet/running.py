"""The terms of a vehicle in service: how long it may stay, when it is to be inspected."""

from collections.abc import Iterator
from datetime import date
from uuid import UUID

from services.database import Reader, Transaction
from services.deadlines import NewDeadline
from services.deadlines.succession import succeed
from services.fleet import store
from services.fleet.drawing import follows
from services.fleet.store import Serving
from services.inspections import store as inspections
from services.inspections.facts import seen_facts
from services.registry import store as registry
from services.registry.facts import facts, paper_facts, vehicle_facts
from services.terms import articles
from tenants.law.decide import decide
from tenants.law.decision import Decision
from tenants.law.facts import Facts
from tenants.law.kinds.requirements import Inspection, VehicleAge
from tenants.law.law import Law
from tenants.law.questions import (
    InspectionAnswer,
    InspectionQuestion,
    PaperFact,
    VehicleAgeAnswer,
    VehicleAgeQuestion,
)

STAY = "stay"


async def entered(tx: Transaction, law: Law, act_id: UUID, vehicle_id: UUID) -> None:
    """A vehicle has entered a permit's service: what the law counts for it begins to run."""
    if not (any(STAY in rule.at for _, rule in law.all(VehicleAge)) or any(True for _ in law.all(Inspection))):
        return
    row = await store.serving(tx, vehicle_id, law.on)
    known, papers = await known_of(tx, law, row)
    await run_stay(tx, law, act_id, row, stay(law, row, known, ()))  # more time is granted by an act
    for rule in inspected(law, row.category):
        last = await inspections.last_passed(tx, vehicle_id, rule.code, law.on)
        question = InspectionQuestion(
            category=row.category, last_on=last, of=rule.of, plate=row.plate, papers=papers, code=rule.code
        )
        await run_inspection(tx, law, act_id, vehicle_id, decide(law, question, known), opened_on=last or law.on)


async def changed(tx: Transaction, law: Law, act_id: UUID, vehicle_id: UUID) -> None:
    """What is known of a vehicle in service has changed: its last day follows, with what was granted."""
    row = await store.serving(tx, vehicle_id, law.on)
    if row.permit_id is None:
        return
    known, papers = await known_of(tx, law, row)
    granted = papers if await store.was_extended(tx, vehicle_id) else ()
    await run_stay(tx, law, act_id, row, stay(law, row, known, granted))


def cure_of(inspection: str) -> str:
    """The kind of the term to mend what an inspection found."""
    return f"{inspection}:cure"


async def known_of(tx: Reader, law: Law, row: Serving) -> tuple[Facts, tuple[PaperFact, ...]]:
    """What the register knows of a vehicle that serves, or served, a category; and its papers."""
    shown = (await inspections.seen(tx, [row.id], law.on)).get(row.id)
    papers = paper_facts(await registry.papers(tx, [row.id]), [row.id])
    of_permit = {
        "permit.category": row.category,
        "permit.granted_on": row.granted_on,
        "permit.active": row.permit_id is not None,
        "vehicle.in_service": row.permit_id is not None,
    }
    seen = seen_facts(law, shown, row.category, row.plate) if row.category else {}
    return facts(law, vehicle_facts(law, row, holder_id=row.permit_holder_id), seen, of_permit), papers


def inspected(law: Law, category: str) -> Iterator[Inspection]:
    """The inspections that the law asks of a category's vehicles and their taximeters."""
    for _, rule in law.all(Inspection):
        if rule.of != "driver" and law.concerns(rule, {"category": category}):
            yield rule


def stay(law: Law, row: Serving, known: Facts, papers: tuple[PaperFact, ...]) -> Decision:
    """Until when may it stay in service?"""
    return decide(law, VehicleAgeQuestion(category=row.category, at=STAY, papers=papers), known)


async def run_stay(tx: Transaction, law: Law, act_id: UUID, row: Serving, decision: Decision) -> None:
    """The last day by each rule, in place of the one that ran: it follows what the vehicle is and what is granted."""
    for part in decision.parts:
        if isinstance(value := part.value, VehicleAgeAnswer):
            new = NewDeadline(
                kind=value.rule,
                rule=value.rule,
                subject_kind="vehicle",
                subject_id=row.id,
                opened_on=law.on,
                last_day=value.last_day,
                article=articles(part.citations),
                opened_act=act_id,
                inputs={"basis": value.basis, "since": value.since, "rule": part.plain()["rules"]},
                counted=part.plain()["value"],
                follows=follows(value.infraction),
            )
            await succeed(tx, new, on=law.on)


async def run_inspection(
    tx: Transaction, law: Law, act_id: UUID, vehicle_id: UUID, decision: Decision, *, opened_on: date
) -> date | None:
    """The day by which the next one is due. One that is due from the first day on has no term: it is simply due."""
    value = decision.value
    if not isinstance(value, InspectionAnswer) or value.due_on <= opened_on:
        return None
    new = NewDeadline(
        kind=value.rule,
        rule=value.rule,
        subject_kind="vehicle",
        subject_id=vehicle_id,
        opened_on=opened_on,
        last_day=value.due_on,
        article=articles(decision.citations),
        opened_act=act_id,
        inputs={"event": "inspected", "on": opened_on, "rule": decision.plain()["rules"]},
        counted=decision.plain()["value"],
        follows=follows(value.missed.infraction, value.missed.opens) if value.missed else follows(None),
    )
    await succeed(tx, new, on=law.on)
    return value.due_on
