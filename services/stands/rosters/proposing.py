"""A roster is proposed (proposta de escala): as the drivers drew it up, or as a solver finds it."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import Any
from uuid import UUID

from sqlalchemy.dialects.postgresql import Range

from services import acts, deadlines
from services.access import Actor
from services.database import Transaction
from services.errors import Invalid, Refused
from services.registry import store as registry
from services.stands.rosters import checking, store
from services.stands.rosters.checking import Plan
from services.stands.rosters.solving import propose
from services.stands.rosters.tables import Roster
from tenants.law.decision import Decision, Outcome, RuleUsed
from tenants.law.kinds import stands as rules
from tenants.law.kinds.windows import DAY
from tenants.law.law import Law
from tenants.law.questions import RosterDemandsAnswer


async def propose_roster(
    tx: Transaction,
    actor: Actor,
    *,
    category: str,
    since: date,
    until: date,
    shifts: Sequence[Mapping[str, Any]] | None = None,
    exempt: Sequence[Mapping[str, Any]] = (),
) -> UUID:
    """Propose a roster of all who hold a permit of a category; answers its id.

    Args:
        until: Its last day.
        shifts: ``permit_id``, ``starts``, ``ends`` on the town's clock; absent: a solver finds them.
        exempt: ``permit_id`` and ``why``, a code of the law, of whom need not work.

    Raises:
        Refused: The law provides no roster; the given one breaks it, and the answer says how; or nobody can find one.
    """
    office = actor.must("register")
    if since < tx.today:
        raise Invalid("since", "past", "A escala começa hoje ou depois.")
    law = await tx.law(on=since)
    crew = await store.crew(tx, law.branch(category), since)
    await deadlines.settle(tx, tx.today, [("permit", row.id) for row in crew])
    plan = await checking.plan_of(
        tx, law, category=category, since=since, until=until, shifts=shifts or (), exempt=exempt
    )
    demands = checking.demands(law, plan)
    if shifts is None:
        plan = await found(law, plan, demands)
    decision = await checking.check(tx, law, plan)
    if not decision.permits:
        raise Refused(decision)
    return await _write(tx, actor, office, plan, decision)


async def found(law: Law, plan: Plan, demands: RosterDemandsAnswer) -> Plan:
    """The plan with shifts that a solver has found. Raises Refused when there are none that the law would allow."""
    working = [number for number in plan.fleet if number not in plan.exempt]
    shifts = await asyncio.to_thread(propose, demands, working, plan.span[0], plan.days) if working else None
    if shifts is None:
        said = f"Não se achou, com {len(working)} veículo(s), escala que cumpra a lei."
        raise Refused(Decision(Outcome.DENIED, said, rules=_asking(law, plan)))
    return replace(plan, shifts=tuple(shifts))


def _asking(law: Law, plan: Plan) -> tuple[RuleUsed, ...]:
    """The rules that no roster of these vehicles would keep."""
    keys = {"category": plan.category}
    found = [*law.all(rules.Roster), *law.all(rules.ServiceDuty)]
    return tuple(each.used for each, rule in found if law.concerns(rule, keys))


async def _write(tx: Transaction, actor: Actor, office: str, plan: Plan, decision: Decision) -> UUID:
    roster_id = await registry.new_id(tx)
    act = await acts.record(
        tx,
        actor,
        "roster.proposed",
        on=("roster", roster_id),
        decision=decision,
        office=office,
        legal_day=plan.since,
        changes={"category": plan.category, "since": plan.since, "until": plan.until, "shifts": len(plan.shifts)},
    )
    row = Roster(
        tenant_id=tx.tenant_id,
        id=roster_id,
        category=plan.category,
        first_day=plan.since,
        last_day=plan.until,
        during=Range(plan.since, plan.until + DAY),
        exempt=dict(plan.exempt),
        proposed_act=act.id,
    )
    await registry.add(tx, row)
    await store.add_members(tx, roster_id, list(plan.permits.values()))
    await store.add_shifts(
        tx,
        roster_id,
        [plan.permits[shift.vehicle] for shift in plan.shifts],
        [shift.start for shift in plan.shifts],
        [shift.end for shift in plan.shifts],
    )
    return roster_id
