"""Who drives one permit's vehicle in its holder's place (condutor do espólio …): they end with the permit.

Whoever works for a holder, a company's driver above all, is enrolled with them instead: ``services.drivers.enrolling``.
Of a role, the law says which of the two it is (``in_stead``).
"""

from collections.abc import Mapping
from datetime import date
from uuid import UUID

from services.access import Actor
from services.database import Transaction
from services.errors import Refused
from services.permits.declared import declared
from services.permits.substitutes import store
from services.permits.substitutes.admitting import Entry, stand_of, write
from services.permits.unforeseen import not_provided
from tenants.law.decide import decide
from tenants.law.facts import FactValue
from tenants.law.kinds.transfers import Crew
from tenants.law.questions import CrewQuestion


async def admit_stand_in(
    tx: Transaction,
    actor: Actor,
    *,
    permit_id: UUID,
    driver_id: UUID,
    role: str,
    since: date | None = None,
    facts: Mapping[str, str] | None = None,
) -> UUID:
    """Admit who drives in the holder's place, in a role that the law has for it; answers the row's id.

    Raises:
        Refused: The law knows no such role in the service, or a demand is not met.
        Conflict: Another drives in the holder's stead in these days.
    """
    office = actor.must("license")
    law = await tx.law(on=tx.today)
    first, told = since or tx.today, declared(law, facts)
    stand = await stand_of(tx, law, permit_id, driver_id, tx.today)
    rules = [
        rule for _, rule in law.all(Crew) if rule.in_stead and rule.role == role and law.concerns(rule, stand.keys)
    ]
    if not rules:
        raise not_provided(law, f"quem dirija no lugar do titular como: {law.list('role').get(role, role)}", Crew.kind)
    question = CrewQuestion(
        category=stand.permit.category,
        role=role,
        count=await store.count_in_role(tx, permit_id, role, first) + 1,
        papers=[paper.code for paper in stand.papers],
        keys={"holder": stand.holder_kind},
    )
    registered: dict[str, FactValue | None] = {"driver.role": role, "driver.registered": True}
    known = stand.facts(law, told).with_({k: v for k, v in registered.items() if k in law.vocabulary})
    decision = decide(law, question, known)
    if not decision.permits:
        raise Refused(decision)
    entry = Entry(rules[0].code, role, first, decision.value.until, rules[0].cite, by_law=True)
    return await write(tx, actor, office, law, stand, entry, decision, known)
