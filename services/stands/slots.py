"""Slots of stands (vagas): how many a stand has is the law's, how many are taken is the register's."""

from datetime import date
from uuid import UUID

from sqlalchemy.dialects.postgresql import Range

from services import acts
from services.access import Actor
from services.acts.record import Act
from services.database import Reader, Transaction
from services.errors import Invalid, Refused
from services.permits import store as permits
from services.stands import store
from services.stands.tables import StandAssignment
from tenants.law.decision import Decision, Outcome
from tenants.law.kinds.stands import Stand
from tenants.law.law import InForce, Law


async def free_in_all(tx: Reader, law: Law) -> int:
    """Slots that no permit takes, over all stands with a number of slots."""
    taken = await store.taken(tx, law.on)
    return sum(max(stand.slots - taken.get(stand.code, 0), 0) for _, stand in law.all(Stand) if stand.slots)


async def room_at(tx: Reader, law: Law, code: str) -> Decision:
    """Is there a free slot at a stand? Whoever acts on the answer has locked the stand before."""
    found, stand = _stand(law, code)
    rules = (found.used,)
    if stand.slots is None:
        return Decision(Outcome.DENIED, f"O ponto {stand.number} não tem vagas fixas.", rules=rules)
    taken = (await store.taken(tx, law.on)).get(code, 0)
    value = {"slots": stand.slots, "taken": taken}
    if taken < stand.slots:
        free = stand.slots - taken
        return Decision(Outcome.ALLOWED, f"O ponto {stand.number} tem {free} vaga(s).", value=value, rules=rules)
    message = f"O ponto {stand.number} está completo: {taken} de {stand.slots} vaga(s)."
    return Decision(Outcome.DENIED, message, value=value, rules=rules)


def _stand(law: Law, code: str) -> tuple[InForce, Stand]:
    found = law.find(Stand.kind, code)
    if found is None or not isinstance(found.item, Stand):
        raise Invalid("stand", "unknown_code", f"A lei não tem o ponto {code} em {law.on:%d/%m/%Y}.")
    return found, found.item


async def place(tx: Transaction, act: Act, permit_id: UUID, code: str, during: Range[date]) -> None:
    """Write who waits where, no longer than the permit lasts: with it the slot is free again."""
    row = StandAssignment(tenant_id=tx.tenant_id, permit_id=permit_id, stand=code, during=during, act_id=act.id)
    tx.session.add(row)
    await tx.session.flush()


async def assign_stand(tx: Transaction, actor: Actor, *, permit_id: UUID, stand: str, on: date | None = None) -> UUID:
    """Assign a permit to a stand, leaving the one it had; answers the permit's id.

    Raises:
        Refused: The stand is full, or the permit not active.
    """
    office = actor.must("stands")
    law = await tx.law(on=on or tx.today)
    await store.lock(tx, stand)
    permit = await permits.permit(tx, permit_id, law.on)
    decision = await room_at(tx, law, stand) if permit.state == "active" else permits.not_active(permit, law.on)
    if not decision.permits:
        raise Refused(decision)
    await store.leave(tx, permit_id, law.on)
    act = await acts.record(
        tx, actor, "stand.assigned", on=("permit", permit_id), decision=decision, office=office, legal_day=law.on
    )
    await place(tx, act, permit_id, stand, Range(law.on, permit.during.upper))
    return permit_id
