"""The same list as tutorials build it: ORM entities, a loader for each relation, an async resolver for each field."""

import asyncio
from collections.abc import Sequence
from datetime import date
from decimal import Decimal
from typing import Any
from uuid import UUID

import strawberry
from sqlmodel import col, select
from strawberry.dataloader import DataLoader
from strawberry.types import Info

from services.database import Reader
from services.tables import Fine, Holder, Permit, PermitVehicle, Person, StandAssignment, Vehicle


class Loaders:
    """Of one request; they take turns on its session."""

    def __init__(self, tx: Reader) -> None:
        self._tx, self._turn = tx, asyncio.Lock()
        self.holder = DataLoader(self._holders)
        self.person = DataLoader(self._people)
        self.vehicle = DataLoader(self._vehicles)
        self.stand = DataLoader(self._stands)
        self.fines = DataLoader(self._fines)

    async def all(self, statement: Any) -> Sequence[Any]:
        async with self._turn:
            found: Sequence[Any] = (await self._tx.session.exec(statement)).all()
        return found

    async def _holders(self, keys: list[UUID]) -> list[Holder]:
        found = {row.id: row for row in await self.all(select(Holder).where(col(Holder.id).in_(keys)))}
        return [found[key] for key in keys]

    async def _people(self, keys: list[UUID | None]) -> list[Person]:
        found = {row.id: row for row in await self.all(select(Person).where(col(Person.id).in_(keys)))}
        return [found[key] for key in keys if key is not None]

    async def _vehicles(self, keys: list[UUID]) -> list[Vehicle]:
        joined = select(PermitVehicle, Vehicle).join(Vehicle, col(Vehicle.id) == col(PermitVehicle.vehicle_id))
        rows = await self.all(joined.where(col(PermitVehicle.permit_id).in_(keys)))
        found = {link.permit_id: vehicle for link, vehicle in rows}
        return [found[key] for key in keys]

    async def _stands(self, keys: list[UUID]) -> list[StandAssignment]:
        rows = await self.all(select(StandAssignment).where(col(StandAssignment.permit_id).in_(keys)))
        found = {row.permit_id: row for row in rows}
        return [found[key] for key in keys]

    async def _fines(self, keys: list[UUID]) -> list[list[Fine]]:
        found: dict[UUID, list[Fine]] = {key: [] for key in keys}
        for row in await self.all(select(Fine).where(col(Fine.permit_id).in_(keys)).order_by(col(Fine.seen_on).desc())):
            found[row.permit_id].append(row)
        return [found[key] for key in keys]


Asked = Info[Loaders, None]


@strawberry.type
class FineType:
    row: strawberry.Private[Fine]

    @strawberry.field
    async def number(self) -> str:
        return self.row.number

    @strawberry.field
    async def infraction(self) -> str:
        return self.row.infraction

    @strawberry.field
    async def seen_on(self) -> date:
        return self.row.seen_on

    @strawberry.field
    async def units(self) -> Decimal | None:
        return self.row.units

    @strawberry.field
    async def brl(self) -> Decimal:
        return self.row.brl


@strawberry.type
class HolderType:
    row: strawberry.Private[Holder]

    @strawberry.field
    async def id(self) -> strawberry.ID:
        return strawberry.ID(str(self.row.id))

    @strawberry.field
    async def name(self, info: Asked) -> str:
        return (await info.context.person.load(self.row.person_id)).name

    @strawberry.field
    async def kind(self) -> str:
        return self.row.kind


@strawberry.type
class VehicleType:
    row: strawberry.Private[Vehicle]

    @strawberry.field
    async def id(self) -> strawberry.ID:
        return strawberry.ID(str(self.row.id))

    @strawberry.field
    async def plate(self) -> str:
        return self.row.plate

    @strawberry.field
    async def manufacture_year(self) -> int | None:
        return self.row.manufacture_year

    @strawberry.field
    async def doors(self) -> int | None:
        return self.row.doors


@strawberry.type
class StandType:
    row: strawberry.Private[StandAssignment]

    @strawberry.field
    async def number(self) -> int:
        return int(self.row.stand)


@strawberry.type
class PermitType:
    row: strawberry.Private[Permit]

    @strawberry.field
    async def id(self) -> strawberry.ID:
        return strawberry.ID(str(self.row.id))

    @strawberry.field
    async def number(self) -> str:
        return self.row.number

    @strawberry.field
    async def category(self) -> str:
        return self.row.category

    @strawberry.field
    async def since(self) -> date:
        return self.row.granted_on

    @strawberry.field
    async def holder(self, info: Asked) -> HolderType:
        return HolderType(row=await info.context.holder.load(self.row.holder_id))

    @strawberry.field
    async def vehicle(self, info: Asked) -> VehicleType:
        return VehicleType(row=await info.context.vehicle.load(self.row.id))

    @strawberry.field
    async def stand(self, info: Asked) -> StandType:
        return StandType(row=await info.context.stand.load(self.row.id))

    @strawberry.field
    async def fines(self, info: Asked, first: int) -> list[FineType]:
        return [FineType(row=row) for row in (await info.context.fines.load(self.row.id))[:first]]


@strawberry.type
class Query:
    @strawberry.field
    async def permits(self, info: Asked, first: int) -> list[PermitType]:
        return [PermitType(row=row) for row in await info.context.all(select(Permit).limit(first))]


schema = strawberry.Schema(Query)
FULL = """
query Full($first: Int!, $fines: Int!) {
  permits(first: $first) {
    id number category since
    holder { id name kind }
    vehicle { id plate manufactureYear doors }
    stand { number }
    fines(first: $fines) { number infraction seenOn units brl }
  }
}
"""
