"""What the mutations of vehicles, inspections and drivers take: each field is an argument of its use case."""

from datetime import date

import strawberry

from api.facts import FactInput
from api.register.inputs import REQUEST

UNSET = strawberry.UNSET
VERSION = "The record as the caller saw it."
JUDGED = "The office has decided what the law leaves to its judgement."
AS_FOUND = "Record it though the law forbids it: the act keeps the answer and names the infraction."


@strawberry.input(description="What changes of a vehicle (atualizar veículo). What is not sent stays.")
class UpdateVehicleInput:
    vehicle_id: strawberry.ID
    version: int = strawberry.field(description=VERSION)
    plate: str | None = UNSET
    renavam: str | None = UNSET
    holder_id: strawberry.ID | None = strawberry.field(default=UNSET, description="In whose name it stands.")
    manufacture_year: int | None = UNSET
    model_year: int | None = UNSET
    first_registration: date | None = UNSET
    doors: int | None = UNSET
    seats: int | None = UNSET
    fuel: str | None = UNSET
    attributes: list[FactInput] | None = UNSET
    as_found: bool = strawberry.field(default=False, description=AS_FOUND)
    why: str | None = UNSET
    request_id: str | None = strawberry.field(default=UNSET, description=REQUEST)


@strawberry.input(description="The sale of a vehicle (venda).")
class SellVehicleInput:
    vehicle_id: strawberry.ID
    sold_on: date
    plate_released_on: date | None = strawberry.field(
        default=UNSET, description="The rental plate written off (baixa)."
    )
    holder_id: strawberry.ID | None = strawberry.field(default=UNSET, description="Who has it now, if registered.")
    version: int | None = strawberry.field(default=UNSET, description=VERSION)
    as_found: bool = strawberry.field(default=False, description=AS_FOUND)
    why: str | None = UNSET
    request_id: str | None = strawberry.field(default=UNSET, description=REQUEST)


@strawberry.input(description="More time for a vehicle past its limit, on the papers filed (prorrogação).")
class ExtendVehicleInput:
    vehicle_id: strawberry.ID
    on: date | None = UNSET
    judged: bool = strawberry.field(default=False, description=JUDGED)
    request_id: str | None = strawberry.field(default=UNSET, description=REQUEST)


@strawberry.input(description="What to approve on a vehicle (aprovar publicidade …).")
class GrantApprovalInput:
    vehicle_id: strawberry.ID
    matter: str = strawberry.field(description="As the law's restrictions call it.")
    facts: list[FactInput] = strawberry.field(default_factory=list, description="What it will be like.")
    contents: list[str] = strawberry.field(default_factory=list, description="Which of the banned contents it has.")
    measured: str | None = strawberry.field(default=UNSET, description="How much, as the law limits it: 40%, 3.")
    on: date | None = UNSET
    until: date | None = UNSET
    judged: bool = strawberry.field(default=False, description=JUDGED)
    request_id: str | None = strawberry.field(default=UNSET, description=REQUEST)


@strawberry.input(description="Which approval is taken back, and the first day without it.")
class EndApprovalInput:
    approval_id: strawberry.ID
    version: int | None = strawberry.field(default=UNSET, description=VERSION)
    on: date | None = UNSET
    why: str | None = UNSET
    request_id: str | None = strawberry.field(default=UNSET, description=REQUEST)


@strawberry.input(description="A day for an inspection (agendar vistoria).")
class ScheduleInspectionInput:
    vehicle_id: strawberry.ID
    rule: str = strawberry.field(description="The inspection's code in the law.")
    on: date
    version: int | None = strawberry.field(default=UNSET, description=VERSION)
    request_id: str | None = strawberry.field(default=UNSET, description=REQUEST)


@strawberry.input(description="An inspection done (registrar vistoria): what was found decides its result.")
class RecordInspectionInput:
    vehicle_id: strawberry.ID
    rule: str = strawberry.field(description="The inspection's code in the law.")
    inspected_on: date | None = UNSET
    category: str | None = strawberry.field(default=UNSET, description="For a vehicle that is not in service yet.")
    carried: list[str] = strawberry.field(default_factory=list, description="Items of equipment found.")
    facts: list[FactInput] = strawberry.field(default_factory=list, description="What was measured.")
    approved: list[str] = strawberry.field(default_factory=list, description="Rules judged and found met.")
    rejected: list[str] = strawberry.field(default_factory=list, description="Rules judged and found not met.")
    faults: list[str] = strawberry.field(default_factory=list, description="What else is wrong, in words.")
    request_id: str | None = strawberry.field(default=UNSET, description=REQUEST)


@strawberry.input(description="What changes of a driver (atualizar condutor). What is not sent stays.")
class UpdateDriverInput:
    driver_id: strawberry.ID
    version: int = strawberry.field(description=VERSION)
    cnh_number: str | None = UNSET
    cnh_categories: list[str] | None = UNSET
    cnh_ear: bool | None = UNSET
    cnh_first_on: date | None = UNSET
    cnh_until: date | None = UNSET
    attributes: list[FactInput] | None = UNSET
    why: str | None = UNSET
    request_id: str | None = strawberry.field(default=UNSET, description=REQUEST)


@strawberry.input(description="A driver to enrol with a holder (inscrever condutor).")
class EnrolDriverInput:
    driver_id: strawberry.ID
    holder_id: strawberry.ID
    category: str
    role: str = strawberry.field(description="A code of the law's list of roles.")
    employed: bool | None = strawberry.field(default=UNSET, description="Their work card is signed.")
    attributes: list[FactInput] = strawberry.field(default_factory=list, description="What the law asks of them.")
    on: date | None = UNSET
    judged: bool = strawberry.field(default=False, description=JUDGED)
    request_id: str | None = strawberry.field(default=UNSET, description=REQUEST)


@strawberry.input(description="Which enrolment ends, and the first day without it (baixa da inscrição).")
class EndEnrolmentInput:
    enrolment_id: strawberry.ID
    version: int | None = strawberry.field(default=UNSET, description=VERSION)
    on: date | None = UNSET
    why: str | None = UNSET
    request_id: str | None = strawberry.field(default=UNSET, description=REQUEST)


@strawberry.input(description="A driver to suspend (suspender condutor).")
class SuspendDriverInput:
    driver_id: strawberry.ID
    why: str
    since: date | None = UNSET
    until: date | None = strawberry.field(default=UNSET, description="The last day; none: until it is lifted.")
    request_id: str | None = strawberry.field(default=UNSET, description=REQUEST)


@strawberry.input(description="Whose suspension ends before its time, and the first day without it.")
class LiftSuspensionInput:
    driver_id: strawberry.ID
    on: date | None = UNSET
    why: str | None = UNSET
    request_id: str | None = strawberry.field(default=UNSET, description=REQUEST)


@strawberry.input(description="A driver to strike off the register (cassar o registro).")
class StrikeDriverOffInput:
    driver_id: strawberry.ID
    why: str
    since: date | None = UNSET
    request_id: str | None = strawberry.field(default=UNSET, description=REQUEST)
