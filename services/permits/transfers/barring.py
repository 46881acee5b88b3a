"""Who passed a permit on gets no other for as long as the law says."""

from uuid import UUID

from services.database import Reader
from services.permits.transfers import store
from tenants.law.decision import Decision, Outcome
from tenants.law.kinds.transfers import Transfer
from tenants.law.law import Law


async def barred(tx: Reader, law: Law, holder_id: UUID) -> Decision | None:
    """DENIED while the bar lasts; None where there is none."""
    found = await store.barring(tx, holder_id, law.on)
    if found is None:
        return None
    rule = law.at(found.transferred_on).find(Transfer.kind, found.rule)
    said = f"Transferiu uma outorga e não pode receber outra até {found.barred_until:%d/%m/%Y}."
    return Decision(Outcome.DENIED, said, rules=(rule.used,) if rule else ())
