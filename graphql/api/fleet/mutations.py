"""The mutations of vehicles, inspections and drivers: each is one use case in one transaction."""

from collections.abc import Awaitable, Callable
from typing import Annotated
from uuid import UUID

import strawberry
from strawberry.types import Info

from api.context import Context
from api.fleet import loading
from api.fleet.inputs import (
    EndApprovalInput,
    EndEnrolmentInput,
    EnrolDriverInput,
    ExtendVehicleInput,
    GrantApprovalInput,
    LiftSuspensionInput,
    RecordInspectionInput,
    ScheduleInspectionInput,
    SellVehicleInput,
    StrikeDriverOffInput,
    SuspendDriverInput,
    UpdateDriverInput,
    UpdateVehicleInput,
)
from api.fleet.types import Approval, DriverFile, Enrolment, Inspection, VehicleFile, VehicleSale
from api.register.loading import driver_of, vehicle_of
from api.register.mutations import No, RegisterDriverResult, RegisterVehicleResult, row_of
from api.selection import Selection
from services.database import Transaction
from services.drivers import barring, enrolling
from services.drivers import changing as drivers
from services.drivers import store as driver_store
from services.fleet import approving, extending, selling
from services.fleet import changing as vehicles
from services.fleet import store as fleet
from services.inspections import recording, scheduling
from services.inspections import store as inspections

VehicleSaleResult = Annotated[VehicleSale | No, strawberry.union("VehicleSaleResult")]
VehicleFileResult = Annotated[VehicleFile | No, strawberry.union("VehicleFileResult")]
ApprovalResult = Annotated[Approval | No, strawberry.union("ApprovalResult")]
InspectionResult = Annotated[Inspection | No, strawberry.union("InspectionResult")]
EnrolmentResult = Annotated[Enrolment | No, strawberry.union("EnrolmentResult")]
DriverFileResult = Annotated[DriverFile | No, strawberry.union("DriverFileResult")]


async def approval_by(tx: Transaction, id: UUID) -> Approval:
    return loading.approval_of(await fleet.approval(tx, id))


async def inspection_by(tx: Transaction, id: UUID) -> Inspection:
    return loading.inspection_of(await inspections.one(tx, id))


async def enrolment_by(tx: Transaction, id: UUID) -> Enrolment:
    return loading.enrolment_of(await driver_store.enrolment(tx, id))


def vehicle_asked(info: Info[Context, None]) -> Callable[[Transaction, UUID], Awaitable[VehicleFile]]:
    """Shows the vehicle's file with what the mutation selects of it."""
    wanted = Selection.of(info)

    async def load(tx: Transaction, id: UUID) -> VehicleFile:
        return await loading.vehicle_file(tx, id, wanted, tx.today)

    return load


def driver_asked(info: Info[Context, None]) -> Callable[[Transaction, UUID], Awaitable[DriverFile]]:
    wanted = Selection.of(info)

    async def load(tx: Transaction, id: UUID) -> DriverFile:
        return await loading.driver_file(tx, id, wanted, tx.today)

    return load


@strawberry.type
class FleetMutation:
    @strawberry.mutation(description="Change what is known of a vehicle (atualizar veículo).")
    async def update_vehicle(self, info: Info[Context, None], input: UpdateVehicleInput) -> RegisterVehicleResult:
        return await info.context.perform(vehicles.update_vehicle, input, load=row_of("vehicle", vehicle_of))

    @strawberry.mutation(description="Record a vehicle's sale (venda): its service ends with it.")
    async def sell_vehicle(self, info: Info[Context, None], input: SellVehicleInput) -> VehicleSaleResult:
        return await info.context.perform(selling.sell_vehicle, input, load=loading.last_sale_of)

    @strawberry.mutation(description="Let a vehicle stay beyond the law's limit (prorrogar), on the papers filed.")
    async def extend_vehicle(self, info: Info[Context, None], input: ExtendVehicleInput) -> VehicleFileResult:
        return await info.context.perform(extending.extend_vehicle, input, load=vehicle_asked(info))

    @strawberry.mutation(description="Approve something on a vehicle (aprovar publicidade …).")
    async def grant_approval(self, info: Info[Context, None], input: GrantApprovalInput) -> ApprovalResult:
        return await info.context.perform(approving.grant_approval, input, load=approval_by)

    @strawberry.mutation(description="Take an approval back (cassar a aprovação).")
    async def end_approval(self, info: Info[Context, None], input: EndApprovalInput) -> ApprovalResult:
        return await info.context.perform(approving.end_approval, input, load=approval_by)

    @strawberry.mutation(description="Give an inspection a day, or another day (agendar vistoria).")
    async def schedule_inspection(self, info: Info[Context, None], input: ScheduleInspectionInput) -> InspectionResult:
        return await info.context.perform(scheduling.schedule_inspection, input, load=inspection_by)

    @strawberry.mutation(description="Record an inspection and its result (registrar vistoria ou aferição).")
    async def record_inspection(self, info: Info[Context, None], input: RecordInspectionInput) -> InspectionResult:
        return await info.context.perform(recording.record_inspection, input, load=inspection_by)

    @strawberry.mutation(description="Change what is known of a driver (atualizar condutor).")
    async def update_driver(self, info: Info[Context, None], input: UpdateDriverInput) -> RegisterDriverResult:
        return await info.context.perform(drivers.update_driver, input, load=row_of("driver", driver_of))

    @strawberry.mutation(
        description="Enrol a driver with a holder for whom they work (inscrever); with the law's card."
    )
    async def enrol_driver(self, info: Info[Context, None], input: EnrolDriverInput) -> EnrolmentResult:
        return await info.context.perform(enrolling.enrol_driver, input, load=enrolment_by)

    @strawberry.mutation(description="End an enrolment (dar baixa na inscrição).")
    async def end_enrolment(self, info: Info[Context, None], input: EndEnrolmentInput) -> EnrolmentResult:
        return await info.context.perform(enrolling.end_enrolment, input, load=enrolment_by)

    @strawberry.mutation(description="Suspend a driver (suspender condutor).")
    async def suspend_driver(self, info: Info[Context, None], input: SuspendDriverInput) -> DriverFileResult:
        return await info.context.perform(barring.suspend_driver, input, load=driver_asked(info))

    @strawberry.mutation(description="End a driver's suspension before its time (levantar suspensão).")
    async def lift_suspension(self, info: Info[Context, None], input: LiftSuspensionInput) -> DriverFileResult:
        return await info.context.perform(barring.lift_suspension, input, load=driver_asked(info))

    @strawberry.mutation(description="Strike a driver off the register (cassar o registro); enrolments end.")
    async def strike_driver_off(self, info: Info[Context, None], input: StrikeDriverOffInput) -> DriverFileResult:
        return await info.context.perform(barring.strike_driver_off, input, load=driver_asked(info))
