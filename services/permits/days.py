"""On which days a permit may still be acted upon: while it stands, and not against what was done after that day."""

from datetime import date
from typing import Any

from sqlalchemy import Row

from services.database import Reader
from services.errors import Refused
from services.permits import store
from tenants.law.decision import Decision, Outcome

SAID = {
    "licence": "expedição de alvará",
    "extension": "prorrogação",
    "vehicle": "entrada de veículo",
    "stand": "designação de ponto",
    "suspension": "suspensão",
    "substitute": "admissão de condutor",
}
ANYTHING = tuple(SAID)


def must_stand(permit: Row[Any], day: date) -> None:
    """Raises Refused where it is not active that day, or has ended since: an earlier day brings nothing back."""
    if permit.state != "active":
        raise Refused(store.not_active(permit, day))
    if permit.ended_on is not None:
        said = f"A outorga {permit.number} terminou em {permit.ended_on:%d/%m/%Y}: nada mais se lhe acrescenta."
        raise Refused(Decision(Outcome.DENIED, said))


async def nothing_later(tx: Reader, permit: Row[Any], day: date, what: tuple[str, ...] = ANYTHING) -> None:
    """Raises Refused where something of these was done and began after the day, which would then never have been."""
    found = await store.first_after(tx, permit.id, day, what)
    if found is not None:
        said = f"Há ato posterior, de {found.day:%d/%m/%Y} ({SAID[found.what]}): o dia {day:%d/%m/%Y} o contradiria."
        raise Refused(Decision(Outcome.DENIED, said))
