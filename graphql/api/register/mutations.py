"""The mutations of the register: each is one use case in one transaction, and its noes are answers."""

from collections.abc import Awaitable, Callable
from typing import Annotated, Any, TypeVar
from uuid import UUID

import strawberry
from strawberry.types import Info

from api.context import Context
from api.register import loading
from api.register.inputs import (
    AssignStandInput,
    FilePaperInput,
    GrantPermitInput,
    IssueFineInput,
    IssueLicenceInput,
    RegisterCompanyInput,
    RegisterDriverInput,
    RegisterHolderInput,
    RegisterPersonInput,
    RegisterVehicleInput,
    SwapVehicleInput,
    UpdateCompanyInput,
    UpdateHolderInput,
    UpdatePersonInput,
)
from api.register.queries import permit_by
from api.register.types import Company, Driver, Fine, Holder, Licence, Paper, Permit, Person, Vehicle
from api.selection import Selection
from api.types.failures import Conflict, Forbidden, Invalid, NotFound, Refused
from services.database import Transaction
from services.enforcement import fining
from services.enforcement import store as fines
from services.permits import granting, licensing, swapping
from services.permits import store as permits
from services.registry import changing, papers, people, vehicles
from services.registry import store as registry
from services.stands import slots

T = TypeVar("T")
No = Refused | Invalid | NotFound | Conflict | Forbidden
RegisterPersonResult = Annotated[Person | No, strawberry.union("RegisterPersonResult")]
RegisterCompanyResult = Annotated[Company | No, strawberry.union("RegisterCompanyResult")]
RegisterHolderResult = Annotated[Holder | No, strawberry.union("RegisterHolderResult")]
RegisterDriverResult = Annotated[Driver | No, strawberry.union("RegisterDriverResult")]
RegisterVehicleResult = Annotated[Vehicle | No, strawberry.union("RegisterVehicleResult")]
FilePaperResult = Annotated[Paper | No, strawberry.union("FilePaperResult")]
PermitResult = Annotated[Permit | No, strawberry.union("PermitResult")]
IssueLicenceResult = Annotated[Licence | No, strawberry.union("IssueLicenceResult")]
IssueFineResult = Annotated[Fine | No, strawberry.union("IssueFineResult")]


def row_of(kind: str, show: Callable[[Any], T]) -> Callable[[Transaction, UUID], Awaitable[T]]:
    """Shows a row of the register by its id."""

    async def load(tx: Transaction, id: UUID) -> T:
        return show(await registry.one(tx, kind, id))

    return load


async def fine_by(tx: Transaction, id: UUID) -> Fine:
    return loading.fine_of(await fines.fine(tx, id))


async def licence_by(tx: Transaction, id: UUID) -> Licence:
    return loading.licence_of(await permits.licence(tx, id, tx.today))


def permit_asked(info: Info[Context, None]) -> Callable[[Transaction, UUID], Awaitable[Permit]]:
    """Shows the permit with what the mutation selects of it."""
    wanted = Selection.of(info)

    async def load(tx: Transaction, id: UUID) -> Permit:
        return await permit_by(tx, id, wanted)

    return load


@strawberry.type
class RegisterMutation:
    @strawberry.mutation(description="Register a natural person (cadastrar pessoa).")
    async def register_person(self, info: Info[Context, None], input: RegisterPersonInput) -> RegisterPersonResult:
        return await info.context.perform(people.register_person, input, load=row_of("person", loading.person_of))

    @strawberry.mutation(description="Register a legal person (cadastrar empresa).")
    async def register_company(self, info: Info[Context, None], input: RegisterCompanyInput) -> RegisterCompanyResult:
        return await info.context.perform(people.register_company, input, load=row_of("company", loading.company_of))

    @strawberry.mutation(description="Register who asks for a permit (cadastrar candidato ou titular).")
    async def register_holder(self, info: Info[Context, None], input: RegisterHolderInput) -> RegisterHolderResult:
        return await info.context.perform(people.register_holder, input, load=row_of("holder", loading.holder_of))

    @strawberry.mutation(description="Change what is known of a person (atualizar pessoa): name, e-mail, facts told.")
    async def update_person(self, info: Info[Context, None], input: UpdatePersonInput) -> RegisterPersonResult:
        return await info.context.perform(changing.update_person, input, load=row_of("person", loading.person_of))

    @strawberry.mutation(description="Change what is known of a company (atualizar empresa).")
    async def update_company(self, info: Info[Context, None], input: UpdateCompanyInput) -> RegisterCompanyResult:
        return await info.context.perform(changing.update_company, input, load=row_of("company", loading.company_of))

    @strawberry.mutation(description="Change the facts told of a holder (atualizar titular).")
    async def update_holder(self, info: Info[Context, None], input: UpdateHolderInput) -> RegisterHolderResult:
        return await info.context.perform(changing.update_holder, input, load=row_of("holder", loading.holder_of))

    @strawberry.mutation(description="Register a driver (cadastrar condutor).")
    async def register_driver(self, info: Info[Context, None], input: RegisterDriverInput) -> RegisterDriverResult:
        return await info.context.perform(people.register_driver, input, load=row_of("driver", loading.driver_of))

    @strawberry.mutation(description="Register a vehicle (cadastrar veículo).")
    async def register_vehicle(self, info: Info[Context, None], input: RegisterVehicleInput) -> RegisterVehicleResult:
        return await info.context.perform(vehicles.register_vehicle, input, load=row_of("vehicle", loading.vehicle_of))

    @strawberry.mutation(description="File a paper (juntar documento).")
    async def file_paper(self, info: Info[Context, None], input: FilePaperInput) -> FilePaperResult:
        return await info.context.perform(papers.file_paper, input, load=row_of("paper", loading.paper_of))

    @strawberry.mutation(description="Grant a permit (outorgar), under quota, stand and every demand of the law.")
    async def grant_permit(self, info: Info[Context, None], input: GrantPermitInput) -> PermitResult:
        return await info.context.perform(granting.grant_permit, input, load=permit_asked(info))

    @strawberry.mutation(description="Issue or renew the yearly licence (expedir ou renovar alvará).")
    async def issue_licence(self, info: Info[Context, None], input: IssueLicenceInput) -> IssueLicenceResult:
        return await info.context.perform(licensing.issue_licence, input, load=licence_by)

    @strawberry.mutation(description="Put another vehicle in a permit's service (substituir veículo).")
    async def swap_vehicle(self, info: Info[Context, None], input: SwapVehicleInput) -> PermitResult:
        return await info.context.perform(swapping.swap_vehicle, input, load=permit_asked(info))

    @strawberry.mutation(description="Assign a permit to a stand (designar ponto).")
    async def assign_stand(self, info: Info[Context, None], input: AssignStandInput) -> PermitResult:
        return await info.context.perform(slots.assign_stand, input, load=permit_asked(info))

    @strawberry.mutation(description="Fine a permit (multar), under the law in force on the day of the fact.")
    async def issue_fine(self, info: Info[Context, None], input: IssueFineInput) -> IssueFineResult:
        return await info.context.perform(fining.issue_fine, input, load=fine_by)
