"""Where a permit stands and what has befallen it; what its renewal needs. For offices, and for its own holder."""

from datetime import date
from uuid import UUID

import strawberry
from strawberry.types import Info

from api.context import Context
from api.permits import loading
from api.permits.types import PermitLife, RenewalPackage
from api.selection import Selection
from api.types.scalars import read_id
from services.database import Reader
from services.permits.renewals import package, requesting


async def reader_of(context: Context, permit_id: UUID) -> Reader:
    """The operation's snapshot, for who may read the register or holds the permit. Raises NotFound, Forbidden."""
    actor, tx = await context.actor(), await context.reader()
    await requesting.theirs(tx, actor, permit_id, tx.today, "read")
    return tx


@strawberry.type
class PermitLifeQuery:
    @strawberry.field(description="What has befallen a permit, and where it stands with its terms (situação) on a day.")
    async def permit_life(
        self, info: Info[Context, None], permit_id: strawberry.ID, on: date | None = None
    ) -> PermitLife:
        key = read_id(permit_id, "permit").key
        tx = await reader_of(info.context, key)
        return await loading.life_of(tx, key, Selection.of(info), on or tx.today)

    @strawberry.field(
        description="What a licence's renewal needs, and what will lapse before the new one ends (dossiê da renovação)."
    )
    async def renewal_package(
        self, info: Info[Context, None], permit_id: strawberry.ID, on: date | None = None
    ) -> RenewalPackage:
        key = read_id(permit_id, "permit").key
        tx = await reader_of(info.context, key)
        found = await package.renewal_package(tx, permit_id=key, on=on)
        return loading.package_of(found, (await tx.law(on=on or tx.today)).norms)
