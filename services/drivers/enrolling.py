"""A driver is enrolled with a holder for whom they work (inscrição), and given the card that the law has.

Whoever drives one permit's vehicle in its holder's place is admitted to that permit, and ends with it:
``services.permits.substitutes``. Of a role, the law says which of the two it is (``in_stead``).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any
from uuid import UUID

from sqlalchemy import Row
from sqlalchemy.dialects.postgresql import Range

from services import acts, deadlines, numbers, terms
from services.access import Actor
from services.acts.record import Act
from services.database import Transaction
from services.drivers import store
from services.drivers.facts import driver_facts, of_driver
from services.drivers.tables import Enrolment
from services.errors import Conflict, Invalid, NotFound
from services.fleet.deciding import must_permit
from services.permits.unforeseen import not_provided
from services.registry import store as registry
from services.registry.attributes import checked
from services.registry.facts import facts, holder_facts
from services.registry.tables import Driver, Paper
from tenants.law.decide import decide
from tenants.law.decision import Decision
from tenants.law.facts import FactValue
from tenants.law.kinds.transfers import Crew
from tenants.law.law import Law
from tenants.law.questions import CrewAnswer, CrewQuestion

ENROLLED, ENDED = "driver.enrolled", "driver.dismissed"


@dataclass(frozen=True, slots=True)
class Wish:
    """Who is to be enrolled with whom, as what."""

    driver_id: UUID
    holder_id: UUID
    category: str
    role: str
    employed: bool | None


async def enrol_driver(
    tx: Transaction,
    actor: Actor,
    *,
    driver_id: UUID,
    holder_id: UUID,
    category: str,
    role: str,
    employed: bool | None = None,
    attributes: Mapping[str, str] | None = None,
    on: date | None = None,
    judged: bool = False,
) -> Enrolment:
    """Enrol a driver with a holder for whom they work, in a role that the law admits.

    Args:
        employed: The holder has signed their work card.
        attributes: Facts that the law asks of a driver in this role; kept with the driver.

    Raises:
        Refused: The law has no such role for this holder, or the driver does not meet what it asks.
        Conflict: The driver is enrolled with the holder already.
    """
    office = actor.must("register")
    law = await tx.law(on=on or tx.today)
    driver = await store.lock(tx, driver_id)
    await deadlines.settle(tx, min(law.on, tx.today), ("driver", driver_id))
    await _told(tx, law, driver, attributes or {})
    wish = Wish(driver_id, holder_id, category, role, employed)
    decision = await _decision(tx, law, wish)
    must_permit(decision, judged=judged)
    return await _write(tx, actor, office, law, wish, decision)


async def _write(tx: Transaction, actor: Actor, office: str, law: Law, wish: Wish, decision: Decision) -> Enrolment:
    id, answer = await registry.new_id(tx), decision.value if isinstance(decision.value, CrewAnswer) else None
    said = {"driver": wish.driver_id, "holder": wish.holder_id, "role": wish.role}
    act = await acts.record(
        tx, actor, ENROLLED, on=("enrolment", id), decision=decision, office=office, legal_day=law.on, changes=said
    )
    made = Enrolment(
        tenant_id=tx.tenant_id,
        id=id,
        driver_id=wish.driver_id,
        holder_id=wish.holder_id,
        category=wish.category,
        role=wish.role,
        number=await numbers.take(tx, "enrolment", law.on.year),
        employed=wish.employed,
        during=Range(law.on, terms.day_after(answer.until if answer else None)),
        act_id=act.id,
    )
    await registry.add(tx, made)
    await _card_and_terms(tx, law, act, made, answer)
    return made


async def _told(tx: Transaction, law: Law, row: Row[Any], attributes: Mapping[str, str]) -> None:
    """What is told of the driver with the request is kept with them."""
    if attributes:
        driver = await registry.loaded(tx, Driver, row.id)
        added = {**driver.attributes, **checked(law, attributes)}
        await registry.change(tx, driver, row.version, {"attributes": added})


async def _decision(tx: Transaction, law: Law, wish: Wish) -> Decision:
    """May they serve in this role, once they are enrolled?"""
    category, role = wish.category, wish.role
    holder = (await registry.candidates(tx, [wish.holder_id])).get(wish.holder_id)
    if holder is None:
        raise NotFound("holder", wish.holder_id)
    keys = {"category": category, "holder": holder.kind}
    title = law.list("role").get(role)
    if title is None:
        raise Invalid("role", "unknown_code", f"A lei do município conhece: {', '.join(law.list('role')) or 'nenhum'}.")
    if not any(rule.role == role and not rule.in_stead and law.concerns(rule, keys) for _, rule in law.all(Crew)):
        raise not_provided(law, f"a inscrição de condutor na função “{title}” com este titular", Crew.kind)
    rows = await store.standing(tx, law.on, drivers=[wish.driver_id])
    row, own = rows[0], holder.person_id is not None and holder.person_id == rows[0].person_id
    sought: dict[str, FactValue | None] = {
        "driver.registered": not row.struck_off,  # it is what is asked for
        "driver.role": role,
        "driver.employed": wish.employed,
        "permit.category": category,
    }
    of_holder = holder_facts(law, holder, law.on)
    if not own:  # what is told of a holder's driving is not this driver's
        of_holder = {code: value for code, value in of_holder.items() if not of_driver(law, code)}
    known = facts(law, of_holder, driver_facts(law, row, law.on, is_holder=own), sought)
    question = CrewQuestion(
        category=category,
        role=role,
        count=await store.enrolled(tx, wish.holder_id, category, role, law.on) + 1,
        papers=await _valid_papers(tx, law, wish.driver_id),
        told_on=tx.today,
        begins_on=law.on,
        keys={"holder": holder.kind},
    )
    return decide(law, question, known)


async def _valid_papers(tx: Transaction, law: Law, driver_id: UUID) -> list[str]:
    filed = (await registry.papers(tx, [driver_id])).get(driver_id, [])
    return [paper.code for paper in filed if paper.valid_until is None or paper.valid_until >= law.on]


async def _card_and_terms(tx: Transaction, law: Law, act: Act, enrolment: Enrolment, answer: CrewAnswer | None) -> None:
    """The card carries the number of the enrolment; the terms that the enrolment sets running begin."""
    subject, keys = ("driver", enrolment.driver_id), {"category": enrolment.category}
    if answer and answer.card:
        card = Paper(
            tenant_id=tx.tenant_id,
            subject_kind="driver",
            subject_id=enrolment.driver_id,
            code=answer.card,
            number=enrolment.number,
            issued_on=law.on,
            valid_until=answer.until,
        )
        await registry.add(tx, card)
    running = terms.started(law, facts(law), of="driver", event="registered", on=law.on, keys=keys)
    await terms.open_started(tx, act, running, subject=subject, on=law.on)


async def end_enrolment(
    tx: Transaction,
    actor: Actor,
    *,
    enrolment_id: UUID,
    version: int | None = None,
    on: date | None = None,
    why: str | None = None,
) -> UUID:
    """End an enrolment (baixa da inscrição): ``on`` is the first day without it; answers its id.

    Raises:
        Conflict: It is not in force, or has changed since.
    """
    office = actor.must("register")
    day = on or tx.today
    law = await tx.law(on=day)
    row = await store.enrolment(tx, enrolment_id, lock=True)
    await deadlines.settle(tx, min(day, tx.today), ("driver", row.driver_id))
    if version is not None and row.version != version:
        raise Conflict(version, row.version)
    if row.since is None or not row.since <= day <= (row.until or day):
        raise Conflict(message=f"A inscrição {row.number} não vigora em {day:%d/%m/%Y}.")
    act = await acts.record(
        tx,
        actor,
        ENDED,
        on=("enrolment", enrolment_id),
        office=office,
        legal_day=day,
        changes={"endedOn": day, "driver": row.driver_id},
        why=why,
    )
    await store.end_enrolments(tx, day, act.id, id=enrolment_id)
    await terms.meet(tx, act, law, subject=("driver", row.driver_id), events={"dismissed"}, on=day)
    return enrolment_id
