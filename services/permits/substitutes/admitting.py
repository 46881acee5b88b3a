"""Who may drive while a holder is unfit (substituto): as long as the certificate lasts."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any
from uuid import UUID

from sqlalchemy import Row
from sqlalchemy.dialects.postgresql import Range

from services import acts, deadlines, terms
from services.access import Actor
from services.database import Transaction
from services.drivers import store as drivers
from services.drivers.facts import driver_facts, driving
from services.errors import Invalid, NotFound, Refused
from services.permits import licensing, store
from services.permits.days import must_stand
from services.permits.declared import declared
from services.permits.substitutes import store as substitutes
from services.permits.substitutes.leaving import END_SUBSTITUTE, NODE
from services.permits.tables import Substitute
from services.permits.unforeseen import not_provided
from services.registry import store as registry
from services.registry.facts import facts, paper_facts
from tenants.law.citation import Citation
from tenants.law.decide import decide
from tenants.law.decision import Decision, Outcome, combine
from tenants.law.facts import Facts, FactValue
from tenants.law.kinds.transfers import Substitute as Rule
from tenants.law.law import Law
from tenants.law.questions import EligibilityQuestion, PaperFact, SubstituteQuestion

ADMITTED = "admitted"


@dataclass(frozen=True, slots=True)
class Stand:
    """Whom for whom: the permit with its holder's kind, the driver with their facts and papers."""

    permit: Row[Any]
    holder_kind: str
    driver: Row[Any]
    known: Mapping[str, FactValue | None]
    papers: tuple[PaperFact, ...]

    @property
    def keys(self) -> dict[str, str]:
        return {"category": self.permit.category, "holder": self.holder_kind}

    def facts(self, law: Law, *more: Mapping[str, FactValue | None]) -> Facts:
        return facts(law, *more, self.known)


async def admit_substitute(
    tx: Transaction,
    actor: Actor,
    *,
    permit_id: UUID,
    driver_id: UUID,
    since: date,
    until: date | None = None,
    vehicle_id: UUID | None = None,
    proved_by: Sequence[str] = (),
    facts: Mapping[str, str] | None = None,
    requested: bool = True,
    judged: bool = False,
) -> UUID:
    """Admit a substitute, as asked for in writing and proven; answers the substitute's id.

    Args:
        since: The first day on which they drive.
        until: The last; by default that of the holder's certificate on file, or as long as the cause lasts.
        vehicle_id: The car that they would drive; the permit's when it is not said.
        proved_by: Who has found the holder unfit (codes of the law's list).
        facts: What is declared and proven with the request.
        judged: The office records that it has decided what the law leaves to its judgement.

    Raises:
        Refused: The law knows no substitute, or a demand is not met; carries every answer.
        Conflict: Another drives in the holder's stead in these days.
    """
    office = actor.must("license")
    law = await tx.law(on=tx.today)
    stand = await stand_of(tx, law, permit_id, driver_id, tx.today)
    rule = _rule(law, stand)
    paper = await substitutes.certificate(tx, stand.permit.holder_id, rule.paper) if rule.paper else None
    last = until or (paper.valid_until if paper else None)
    if last is not None and last < since:
        raise Invalid("until", "order", "A substituição termina antes de começar.")
    asked = Asked(rule, since, last, requested, tuple(proved_by), paper is not None)
    same = await _same_vehicle(tx, law, stand, vehicle_id)
    decision, known = _decision(law, stand, asked, declared(law, facts), same=same)
    if not decision.carries(judged=judged):
        raise Refused(decision)
    again = decision.value.licence_again
    entry = Entry(rule.code, None, since, decision.value.until, rule.cite, again=again, by_law=last is None)
    return await write(tx, actor, office, law, stand, entry, decision, known)


def _rule(law: Law, stand: Stand) -> Rule:
    found = [rule for _, rule in law.all(Rule) if law.concerns(rule, stand.keys)]
    if not found:
        raise not_provided(law, "motorista substituto", Rule.kind)
    return found[0]


@dataclass(frozen=True, slots=True)
class Asked:
    """What is asked for under which rule; ``certified``: its paper is on file."""

    rule: Rule
    since: date
    until: date | None
    requested: bool
    proved_by: tuple[str, ...]
    certified: bool

    @property
    def paper(self) -> str | None:
        return self.rule.paper if self.certified else None


def _decision(
    law: Law, stand: Stand, asked: Asked, told: Mapping[str, FactValue], *, same: bool
) -> tuple[Decision, Facts]:
    """The law's answer on the substitute, and every demand on them as a driver; and the facts that it rests on."""
    own = _meets(law, stand)
    known = stand.facts(law, told, _of_case(stand, asked, own, same=same))
    question = SubstituteQuestion(
        category=stand.permit.category,
        since=asked.since,
        until=asked.until,
        requested=asked.requested,
        proved_by=asked.proved_by,
        paper=asked.paper,
        keys={"holder": stand.holder_kind},
    )
    answer = decide(law, question, known)
    message = answer.message if answer.outcome is Outcome.DENIED or own.permits else own.message
    return combine([answer, own], message=message, value=answer.value), known


@dataclass(frozen=True, slots=True)
class Entry:
    """What is written. ``again``: a new licence is issued for the days that are left.

    ``by_law``: no paper says until when; the law does.
    """

    rule: str
    role: str | None
    since: date
    until: date | None
    cite: tuple[Citation, ...]
    again: bool = False
    by_law: bool = False


async def stand_of(tx: Transaction, law: Law, permit_id: UUID, driver_id: UUID, day: date) -> Stand:
    """Raises NotFound, and Refused where the permit is not active."""
    permit = await store.permit(tx, permit_id, day, lock=True)
    must_stand(permit, day)
    await deadlines.settle(tx, day, [("permit", permit_id), ("driver", driver_id)])
    holder = (await registry.candidates(tx, [permit.holder_id]))[permit.holder_id]
    rows = await drivers.standing(tx, day, drivers=[driver_id])
    driver = driving(rows, own=driver_id, holder=permit.holder_id, category=permit.category) if rows else None
    if driver is None:
        raise NotFound("driver", driver_id)
    is_holder = driver.person_id == holder.person_id
    if is_holder:
        raise Invalid("driverId", "holder", "O substituto não pode ser o próprio titular.")
    filed = await registry.papers(tx, [driver_id])
    of_case: dict[str, FactValue | None] = {
        **driver_facts(law, driver, day, is_holder=is_holder),
        "permit.category": permit.category,
        "permit.granted_on": permit.granted_on,
        "permit.active": True,
        "holder.kind": holder.kind,
    }
    return Stand(permit, holder.kind, driver, of_case, paper_facts(filed, [driver_id]))


def _meets(law: Law, stand: Stand) -> Decision:
    """Every demand that the law makes of a driver who enters."""
    question = EligibilityQuestion(
        category=stand.permit.category, holder=stand.holder_kind, at="entry", papers=stand.papers, of=("driver",)
    )
    return decide(law, question, stand.facts(law))


async def _same_vehicle(tx: Transaction, law: Law, stand: Stand, vehicle_id: UUID | None) -> bool:
    if vehicle_id is not None:
        await registry.must_exist(tx, "vehicle", vehicle_id)
    current = await store.vehicle_of(tx, stand.permit.id, law.on)
    return current is not None and vehicle_id in (None, current.vehicle_id)


def _of_case(stand: Stand, asked: Asked, own: Decision, *, same: bool) -> dict[str, FactValue | None]:
    """What the register itself can say of the request."""
    met = {Outcome.ALLOWED: True, Outcome.NEEDS_DECISION: True, Outcome.DENIED: False}
    return {
        "substitute.from": asked.since,
        "substitute.until": asked.until,
        "substitute.requested": asked.requested,
        "substitute.meets_driver_rules": met.get(own.outcome),
        "substitute.papers": (*(each.code for each in stand.papers), *([asked.paper] if asked.paper else [])),
        "vehicle.same_as_holder": same,
        f"{asked.paper}.until": asked.until if asked.paper else None,
    }


async def write(
    tx: Transaction,
    actor: Actor,
    office: str,
    law: Law,
    stand: Stand,
    entry: Entry,
    decision: Decision,
    known: Facts,
) -> UUID:
    """The row, no longer than the permit; its deadline, which the night ends; a new licence where the law says so."""
    permit, id = stand.permit, await registry.new_id(tx)
    act = await acts.record(
        tx,
        actor,
        "substitute.admitted",
        on=(NODE, id),
        decision=decision,
        office=office,
        legal_day=law.on,
        changes={"permit": permit.id, "driver": stand.driver.driver_id, "since": entry.since, "until": entry.until},
    )
    upper = min([day for day in (terms.day_after(entry.until), permit.during.upper) if day], default=None)
    row = Substitute(
        tenant_id=tx.tenant_id,
        id=id,
        permit_id=permit.id,
        driver_id=stand.driver.driver_id,
        rule=entry.rule,
        role=entry.role,
        during=Range(entry.since, upper),
        act_id=act.id,
    )
    await registry.add(tx, row)
    if upper is not None:
        await _run(tx, act, law, known, stand, entry, id, upper - terms.DAY)
    if entry.again:
        await licensing.issue_again(tx, act, permit, entry.since)
    return id


async def _run(
    tx: Transaction, act: acts.Act, law: Law, known: Facts, stand: Stand, entry: Entry, id: UUID, last: date
) -> None:
    """The deadline that ends with the certificate; by the law's own term of it, where there is one."""
    own = terms.started(law, known, of="driver", event=ADMITTED, on=entry.since, keys=stand.keys)
    rule = own[0].term.code if own else entry.rule
    article = terms.articles(own[0].term.cite if own else entry.cite)
    await deadlines.open_(
        tx,
        kind=rule,
        rule=rule,
        subject=(NODE, id),
        opened_on=entry.since,
        last_day=last,
        article=article,
        act_id=act.id,
        inputs={"event": ADMITTED, "on": entry.since.isoformat(), **({"by_law": True} if entry.by_law else {})},
        follows=[{"do": "notify", "template": "term_expired"}, {"do": END_SUBSTITUTE}],
    )
