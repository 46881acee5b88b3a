"""Lists and single records of the register, for offices; a holder's own; and what is public."""

from datetime import date
from typing import Any
from uuid import UUID

import strawberry
from strawberry.types import Info

from api.context import Context
from api.facts import FactInput, supposed
from api.register import loading
from api.register.types import Company, Driver, Holder, Permit, Person, PublicPermit, PublicSuspension, Vehicle
from api.selection import Selection
from api.types.connections import Connection, Page
from api.types.decisions import Decision
from api.types.scalars import read_id
from services.access import Actor
from services.database import Reader
from services.errors import Forbidden, NotFound
from services.permits import eligibility as eligible
from services.permits import fleet
from services.permits import store as permits
from services.registry import store as registry

UUID_KEY = (UUID,)
NAME_KEY = (str, UUID)


async def office_reader(context: Context) -> Reader:
    """The operation's snapshot, for whoever may read the register. Raises Forbidden."""
    (await context.actor()).must("read")
    return await context.reader()


def id_told(actor: Actor, id: strawberry.ID, kind: str) -> UUID:
    """The id of what one may see as one's own or by an office. Nobody else is told that there is no such thing."""
    try:
        return read_id(id, kind).key
    except NotFound:
        actor.must("read")
        raise


async def permit_page(
    tx: Reader, info: Info[Context, None], page: Page, day: date, counted: bool, **only: Any
) -> Connection[Permit]:
    wanted = Selection.of(info)
    after = page.after[0] if page.after else None
    rows = await permits.page(tx, day, page.limit, after=after, **only)
    nodes = await loading.permits_of(tx, rows[: page.first], wanted.under("edges", "node"), day)
    keyed = [(node, (row.id,)) for node, row in zip(nodes, rows, strict=False)]
    more = [(nodes[-1], (rows[-1].id,))] if len(rows) > page.first else []
    return page.connection(keyed + more, await permits.count(tx, day, **only) if counted else None)


@strawberry.type
class RegisterQuery:
    @strawberry.field(
        description="Permits of the town (permissões, autorizações), as they are on a day; for offices. `state`: of "
        "the permit; `licence`: of its last licence (alvará), such as expired."
    )
    async def permits(
        self,
        info: Info[Context, None],
        first: int | None = None,
        after: str | None = None,
        category: str | None = None,
        state: str | None = None,
        licence: str | None = None,
        on: date | None = None,
    ) -> Connection[Permit]:
        tx = await office_reader(info.context)
        page = Page.of(first, after, keys=UUID_KEY)
        counted = "total_count" in Selection.of(info)
        only = {"category": category, "state": state, "licence": licence}
        return await permit_page(tx, info, page, on or tx.today, counted, **only)

    @strawberry.field(description="The permits of whoever asks (minhas outorgas).")
    async def my_permits(
        self, info: Info[Context, None], first: int | None = None, after: str | None = None, on: date | None = None
    ) -> Connection[Permit]:
        actor = await info.context.actor()
        if actor.person_id is None and actor.company_id is None:
            raise Forbidden("hold")
        tx = await info.context.reader()
        mine = await registry.holders_of(tx, person_id=actor.person_id, company_id=actor.company_id)
        page = Page.of(first, after, keys=UUID_KEY)
        counted = "total_count" in Selection.of(info)
        return await permit_page(tx, info, page, on or tx.today, counted, holders=mine)

    @strawberry.field(description="One permit by its id (outorga).")
    async def permit(self, info: Info[Context, None], id: strawberry.ID, on: date | None = None) -> Permit:
        tx = await office_reader(info.context)
        return await permit_by(tx, read_id(id, "permit").key, Selection.of(info), on)

    @strawberry.field(description="What anybody may know of the permit of a vehicle in service (consulta pública).")
    async def public_permit(self, info: Info[Context, None], plate: str, on: date | None = None) -> PublicPermit | None:
        tx: Reader = await info.context.reader()
        day = on or tx.today
        row = await permits.by_plate(tx, plate, day)
        if row is None:
            return None
        law = await tx.law(on=day)
        return PublicPermit(
            number=row.number,
            category=row.category,
            plate=row.plate,
            stand=loading.stand_of(law, row.stand) if row.stand else None,
            state=row.state,
            licence_until=row.licence_until,
            suspension=PublicSuspension(since=row.suspended_since, until=row.suspended_until)
            if row.suspended_since
            else None,
        )

    @strawberry.field(description="People by name (pessoas); for offices.")
    async def people(
        self, info: Info[Context, None], first: int | None = None, after: str | None = None
    ) -> Connection[Person]:
        tx = await office_reader(info.context)
        page = Page.of(first, after, keys=NAME_KEY)
        rows = await registry.people(tx, page.limit, page.after)
        return page.connection([(loading.person_of(row), (row.sort, row.id)) for row in rows])

    @strawberry.field(description="Companies by name (empresas); for offices.")
    async def companies(
        self, info: Info[Context, None], first: int | None = None, after: str | None = None
    ) -> Connection[Company]:
        tx = await office_reader(info.context)
        page = Page.of(first, after, keys=NAME_KEY)
        rows = await registry.companies(tx, page.limit, page.after)
        return page.connection([(loading.company_of(row), (row.sort, row.id)) for row in rows])

    @strawberry.field(description="Drivers (condutores); for offices.")
    async def drivers(
        self, info: Info[Context, None], first: int | None = None, after: str | None = None
    ) -> Connection[Driver]:
        tx = await office_reader(info.context)
        page = Page.of(first, after, keys=UUID_KEY)
        rows = await registry.drivers(tx, page.limit, page.after[0] if page.after else None)
        return page.connection([(loading.driver_of(row), (row.id,)) for row in rows])

    @strawberry.field(description="Vehicles (veículos); for offices.")
    async def vehicles(
        self, info: Info[Context, None], first: int | None = None, after: str | None = None
    ) -> Connection[Vehicle]:
        tx = await office_reader(info.context)
        page = Page.of(first, after, keys=UUID_KEY)
        rows = await registry.vehicle_page(tx, page.limit, page.after[0] if page.after else None)
        return page.connection([(loading.vehicle_of(row), (row.id,)) for row in rows])

    @strawberry.field(description="A holder by id (titular, candidato).")
    async def holder(self, info: Info[Context, None], id: strawberry.ID) -> Holder:
        tx = await office_reader(info.context)
        return loading.holder_of(await registry.one(tx, "holder", read_id(id, "holder").key))

    @strawberry.field(
        description="Every demand of the law on a holder and a vehicle, each with outcome, articles, facts and what is "
        "still to be proven (elegibilidade). `at`: entry, renewal, swap, always."
    )
    async def eligibility(
        self,
        info: Info[Context, None],
        category: str,
        holder_id: strawberry.ID,
        vehicle_id: strawberry.ID | None = None,
        at: str = "entry",
        on: date | None = None,
        suppose: list[FactInput] | None = None,
    ) -> Decision:
        tx = await office_reader(info.context)
        law = await tx.law(on=on or tx.today)
        decision = await eligible.eligibility(
            tx,
            category=category,
            holder_id=read_id(holder_id, "holder").key,
            vehicle_id=read_id(vehicle_id, "vehicle").key if vehicle_id else None,
            at=at,
            on=law.on,
            suppose=supposed(law, suppose),
        )
        return Decision.of(decision.plain(), law.norms)

    @strawberry.field(description="May one more permit be granted (vagas)? How many are allowed, active, free.")
    async def quota(
        self, info: Info[Context, None], category: str, on: date | None = None, suppose: list[FactInput] | None = None
    ) -> Decision:
        tx: Reader = await info.context.reader()
        law = await tx.law(on=on or tx.today)
        return Decision.of((await fleet.quota(tx, law, category, suppose=supposed(law, suppose))).plain(), law.norms)

    @strawberry.field(
        description="Would the shares of the fleet hold after this swap (troca de veículo)? Nothing changes."
    )
    async def swap_share(
        self, info: Info[Context, None], permit_id: strawberry.ID, vehicle_id: strawberry.ID, on: date | None = None
    ) -> Decision:
        tx = await office_reader(info.context)
        law = await tx.law(on=on or tx.today)
        permit = await permits.permit(tx, read_id(permit_id, "permit").key, law.on)
        current = await permits.vehicle_of(tx, permit.id, law.on)
        decision = await fleet.shares(
            tx,
            law,
            permit.category,
            entering=read_id(vehicle_id, "vehicle").key,
            leaving=current.vehicle_id if current else None,
        )
        return Decision.of(decision.plain(), law.norms)


async def permit_by(tx: Reader, id: UUID, wanted: Selection, on: date | None = None) -> Permit:
    """One permit with what is asked of it. Raises NotFound."""
    day = on or tx.today
    await permits.permit(tx, id, day)
    (found,) = await loading.permits_of(tx, await permits.page(tx, day, 1, ids=[id]), wanted, day)
    return found
