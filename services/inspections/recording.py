"""An inspection is done (vistoria, aferição): what was found decides its result, and when the next one is due."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Any
from uuid import UUID

from sqlalchemy import Row

from services import acts, deadlines, numbers, terms
from services.access import Actor
from services.acts.record import Act
from services.database import Transaction
from services.errors import Invalid, Refused
from services.fleet import running
from services.fleet import store as fleet
from services.fleet.store import Serving
from services.inspections import store
from services.inspections.due import must_have_papers, run_cure, run_next
from services.inspections.judging import Findings, Shown, found_by
from services.inspections.scheduling import asked_of
from services.inspections.tables import Inspection
from services.permits import store as permits
from services.registry import store as registry
from services.registry.attributes import checked
from tenants.law.decision import Decision, Missing, Outcome
from tenants.law.kinds.requirements import Inspection as InspectionRule
from tenants.law.law import Law

RECORDED = "inspection.recorded"


@dataclass(frozen=True, slots=True)
class _Done:
    """What is recorded together. ``last``: the one before, of the same rule."""

    law: Law
    rule: InspectionRule
    vehicle: Serving
    shown: Shown
    findings: Findings
    last: Row[Any] | None

    @property
    def mends(self) -> UUID | None:
        """The inspection whose faults this one looks at again."""
        return self.last.id if self.last is not None and not self.last.passed else None


async def record_inspection(
    tx: Transaction,
    actor: Actor,
    *,
    vehicle_id: UUID,
    rule: str,
    inspected_on: date | None = None,
    category: str | None = None,
    carried: Sequence[str] = (),
    facts: Mapping[str, str] | None = None,
    approved: Sequence[str] = (),
    rejected: Sequence[str] = (),
    faults: Sequence[str] = (),
) -> UUID:
    """Record an inspection of a vehicle or its taximeter, also one that nobody scheduled; answers its id.

    Args:
        category: Of a vehicle that serves nobody yet: the one for which it is inspected.
        carried: Items of equipment found, in the codes of the law's list.
        facts: What was measured, by the law's vocabulary.
        approved: Codes of the rules that the law leaves to the inspector and that they found met.
        rejected: The same, found not to be met.
        faults: What else is wrong, in words.

    Raises:
        Refused: The law asks no such inspection, or something that it asks about was not looked at.
        Forbidden: Another office inspects.
    """
    actor.must("inspect")
    day = inspected_on or tx.today
    if day > tx.today:
        raise Invalid("inspectedOn", "future", "O dia da vistoria ainda não chegou.")
    law = await tx.law(on=day)
    vehicle = await _locked(tx, vehicle_id, day, category)
    asked = asked_of(law, vehicle.category, rule)
    office = _office(law, actor, asked)
    await deadlines.settle(tx, day, ("vehicle", vehicle_id))
    known, papers = await running.known_of(tx, law, vehicle)
    must_have_papers(law, asked, vehicle, known, papers)
    shown = Shown(carried, checked(law, facts or {}, "facts"), approved, rejected, faults)
    holder = await _kind_of(tx, vehicle.permit_holder_id)
    findings = found_by(law, asked, known, papers, shown, category=vehicle.category, holder=holder)
    done = _Done(law, asked, vehicle, shown, findings, await store.last(tx, vehicle_id, rule, day))
    return await _write(tx, actor, office, done)


async def _locked(tx: Transaction, vehicle_id: UUID, day: date, category: str | None) -> Serving:
    """The vehicle and its permit, if it serves one; otherwise for the category named."""
    row = await fleet.serving(tx, vehicle_id, day)
    if row.permit_id is not None:
        await permits.permit(tx, row.permit_id, day, lock=True)
    await fleet.lock(tx, vehicle_id)
    row = await fleet.serving(tx, vehicle_id, day)
    if row.permit_id is None and category is None:
        raise Invalid("category", "missing", "O veículo não está em serviço: informe para que categoria é a vistoria.")
    return row if row.permit_id is not None else replace(row, category=category or "", permit_holder_id=row.holder_id)


async def _kind_of(tx: Transaction, holder: UUID | None) -> str:
    """The kind of the vehicle's holder; of a vehicle that is nobody's, none."""
    if holder is None:
        return ""
    kind: str = (await registry.candidates(tx, [holder]))[holder].kind
    return kind


def _office(law: Law, actor: Actor, rule: InspectionRule) -> str:
    """The office that the law names, or whoever may inspect. Raises Refused where the town has not named it."""
    by = law.office_of(rule.by) if rule.by else None
    if isinstance(by, Missing):
        raise Refused(Decision(Outcome.UNDETERMINED, f"Falta informar: {by.ask}", missing=(by,)))
    return actor.must("inspect") if by is None else actor.must_hold(by, "inspect")


async def _write(tx: Transaction, actor: Actor, office: str, done: _Done) -> UUID:
    law, rule, vehicle, findings = done.law, done.rule, done.vehicle, done.findings
    waiting = await store.scheduled(tx, vehicle.id, rule.code)
    id = waiting.id if waiting is not None else await registry.new_id(tx)
    act = await acts.record(
        tx,
        actor,
        RECORDED,
        on=("inspection", id),
        decision=findings.decision,
        office=office,
        legal_day=law.on,
        changes={"vehicle": vehicle.id, "rule": rule.code, "passed": findings.passed},
    )
    passed, again = findings.passed, done.mends is not None
    cure = await run_cure(tx, act, law, rule, vehicle, findings.facts, passed=passed, failed_before=again)
    due = await run_next(tx, act, law, rule, vehicle, findings.facts) if passed else None
    await _tell(tx, act, done)
    values = _columns(done, act, await numbers.take(tx, "inspection", law.on.year), cure, due)
    if waiting is None:
        await registry.add(tx, Inspection(tenant_id=tx.tenant_id, id=id, vehicle_id=vehicle.id, **values))
    else:
        await registry.change(tx, await registry.loaded(tx, Inspection, id), waiting.version, values)
    return id


def _columns(done: _Done, act: Act, number: str, cure: date | None, due: date | None) -> dict[str, Any]:
    return {
        "permit_id": done.vehicle.permit_id,
        "category": done.vehicle.category,
        "rule": done.rule.code,
        "what": done.rule.of,
        "again_of": done.mends,
        "number": number,
        "inspected_on": done.law.on,
        "passed": done.findings.passed,
        "carried": list(done.shown.carried),
        "seen": dict(done.shown.seen),
        "faults": [fault.plain() for fault in done.findings.faults],
        "cure_until": cure,
        "due_on": due,
        "recorded_act": act.id,
    }


async def _tell(tx: Transaction, act: Act, done: _Done) -> None:
    """The law's own terms of a vehicle that an inspection meets or sets running."""
    law, passed, subject = done.law, done.findings.passed, ("vehicle", done.vehicle.id)
    await terms.meet(
        tx, act, law, subject=subject, events={"inspected", "mended"} if passed else {"inspected"}, on=law.on
    )
    for event in ("inspected",) if passed else ("inspected", "faulted"):
        keys = {"category": done.vehicle.category}
        begun = terms.started(law, done.findings.facts, of="vehicle", event=event, on=law.on, keys=keys)
        await terms.open_started(tx, act, begun, subject=subject, on=law.on)
