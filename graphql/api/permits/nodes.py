"""What a permit's life is made of, each by its id."""

from uuid import UUID

from api.nodes import loads
from api.permits import loading
from api.permits.types import Absence, Extension, Proposal, RenewalRequest, Substitute, Suspension, Transfer
from api.selection import Selection
from services.database import Reader
from services.permits.endings import store as endings
from services.permits.renewals import store as renewals
from services.permits.substitutes import store as substitutes
from services.permits.transfers import store as transfers


@loads("renewal_request")
async def renewal_request(tx: Reader, id: UUID, wanted: Selection) -> RenewalRequest:
    return loading.request_of(await renewals.request(tx, id), (await tx.law(on=tx.today)).norms)


@loads("extension")
async def extension(tx: Reader, id: UUID, wanted: Selection) -> Extension:
    return loading.extension_of(await renewals.extension(tx, id))


@loads("transfer")
async def transfer(tx: Reader, id: UUID, wanted: Selection) -> Transfer:
    return loading.transfer_of(await transfers.transfer(tx, id))


@loads("substitute")
async def substitute(tx: Reader, id: UUID, wanted: Selection) -> Substitute:
    return loading.substitute_of(await substitutes.substitute(tx, id, tx.today))


@loads("absence")
async def absence(tx: Reader, id: UUID, wanted: Selection) -> Absence:
    return loading.absence_of(await endings.absence(tx, id))


@loads("proposal")
async def proposal(tx: Reader, id: UUID, wanted: Selection) -> Proposal:
    return loading.proposal_of(await endings.proposal(tx, id), (await tx.law(on=tx.today)).norms)


@loads("suspension")
async def suspension(tx: Reader, id: UUID, wanted: Selection) -> Suspension:
    return loading.suspension_of(await endings.suspension(tx, id, tx.today))
