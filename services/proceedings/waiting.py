"""What a case is to decide takes no effect beside it."""

from uuid import UUID

from services.database import Reader
from services.errors import Refused
from services.proceedings import store
from tenants.law.decision import Decision, Outcome


async def must_be_decided(tx: Reader, proposal_id: UUID) -> None:
    """Raises Refused while a case about what is proposed has no final decision that upholds it."""
    charge = await store.case_of(tx, proposal_id=proposal_id)
    if charge is not None and (charge.final_on is None or charge.outcome != "upheld"):
        said = f"O processo {charge.number} ainda não tem decisão definitiva que a mantenha: nada produz efeito antes."
        raise Refused(Decision(Outcome.DENIED, said))
