"""A few taxis in each founding town, and rosters of them."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any
from uuid import UUID

from services.access import Actor
from services.database import Database, Transaction
from services.permits.tables import Permit
from services.stands.rosters import checking, store
from services.stands.rosters.agreeing import answer_roster, approve_roster
from services.stands.rosters.proposing import propose_roster
from tests.support.factories import Maker, make_town

APRIL: dict[str, Any] = {"category": "taxi", "since": date(2026, 4, 1), "until": date(2026, 4, 14)}
PAPER = "Lista assinada de 12/03/2026"


@dataclass(frozen=True, slots=True)
class Taxis:
    tx: Transaction
    make: Maker
    permits: list[Permit]

    @property
    def clerk(self) -> Actor:
        return self.make.offices.who("register")

    def office(self, code: str) -> Actor:
        return next(actor for actor in self.make.offices._actors if code in actor.offices)

    async def holder(self, permit_id: UUID) -> Actor:
        """Whoever holds a permit, with a token of their own."""
        sql = "SELECT h.person_id FROM holder AS h JOIN permit AS p ON p.holder_id = h.id WHERE p.id = :id"
        person = await self.tx.scalar(sql, id=permit_id)
        return Actor(subject=f"holder {permit_id}", kind="holder", tenant_id=self.tx.tenant_id, person_id=person)

    async def propose(self, **given: Any) -> UUID:
        return await propose_roster(self.tx, self.clerk, **{**APRIL, **given})

    async def answer(self, roster: UUID, permit: UUID, *, agrees: bool = True) -> None:
        """As the holder signed it, by the clerk."""
        given: dict[str, Any] = {"roster_id": roster, "permit_id": permit, "agrees": agrees}
        await answer_roster(self.tx, self.clerk, **given, source=PAPER)

    async def approved(self, **given: Any) -> UUID:
        """A roster to which all agree."""
        roster = await self.propose(**given)
        for member in await store.members(self.tx, [roster]):
            await self.answer(roster, member.permit_id)
        return await approve_roster(self.tx, self.office("financas"), roster_id=roster)

    async def plan(self, roster: UUID) -> checking.Plan:
        return await checking.plan_in(self.tx, await store.roster(self.tx, roster, self.tx.today))


@asynccontextmanager
async def taxis(database: Database, town: str, stands: list[str | None]) -> AsyncIterator[Taxis]:
    """As many taxis as stands."""
    async with database.transaction(await make_town(database, town)) as tx:
        make = await Maker.of(tx)
        yield Taxis(tx, make, [await make.permit(date(2026, 3, 1), stand=stand) for stand in stands])


def at(*moment: int) -> datetime:
    """A moment of the town's clock."""
    return datetime(*moment)  # type: ignore[arg-type]  # noqa: DTZ001
