"""A case, its parts, and what was paid or is owed, each by its id."""

from uuid import UUID

from api.nodes import loads
from api.proceedings import loading
from api.proceedings.types import ActiveDebt, Case, CaseCharge, CaseParty, CasePiece, Payment
from api.selection import Selection
from services.database import Reader
from services.money import store as money
from services.proceedings import store


@loads("case")
async def case(tx: Reader, id: UUID, wanted: Selection) -> Case:
    return await loading.case_of(tx, id, wanted)


@loads("party")
async def party(tx: Reader, id: UUID, wanted: Selection) -> CaseParty:
    return loading.party_of(await store.part(tx, "party", id))


@loads("charge")
async def charge(tx: Reader, id: UUID, wanted: Selection) -> CaseCharge:
    return loading.charge_of(await store.part(tx, "charge", id))


@loads("piece")
async def piece(tx: Reader, id: UUID, wanted: Selection) -> CasePiece:
    return loading.piece_of(await store.part(tx, "piece", id))


@loads("payment")
async def payment(tx: Reader, id: UUID, wanted: Selection) -> Payment:
    return loading.payment_of(await money.payment(tx, id))


@loads("active_debt")
async def active_debt(tx: Reader, id: UUID, wanted: Selection) -> ActiveDebt:
    return loading.debt_of(await money.debt_by(tx, id), (await tx.law(on=tx.today)).norms)
