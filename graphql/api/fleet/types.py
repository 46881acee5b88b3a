"""Types of vehicles in service, of inspections, drivers and records: plain attributes, filled in by their loaders."""

from datetime import date, datetime

import strawberry

from api.register.types import Deadline, Driver, Paper, Vehicle
from api.types.decisions import Decision
from api.types.nodes import Node
from api.types.output import output


@output(description="Something that an inspection found wrong (falha).")
class InspectionFault:
    message: str
    rule: str | None = strawberry.field(description="The code of the rule that is not met, if it is one.")
    infraction: str | None = strawberry.field(description="The infraction that it is under the law.")


@output(description="An inspection (vistoria, aferição): an appointment until it is recorded with its result.")
class Inspection(Node):
    rule: str
    vehicle_id: strawberry.ID
    scheduled_on: date | None
    inspected_on: date | None
    carried: list[str] = strawberry.field(description="Items of equipment found, by the law's codes.")
    faults: list[InspectionFault]
    version: int
    number: str | None = strawberry.field(description="Of the report (laudo).")
    passed: bool | None = strawberry.field(description="None until it is recorded.")
    cure_until: date | None = strawberry.field(description="The last day to mend the faults.")
    due_on: date | None = strawberry.field(description="The last day of the next one.")
    again_of: strawberry.ID | None = strawberry.field(description="The inspection whose faults this one looked at.")


@output(description="The report of an inspection to take away (laudo, termo de vistoria): a PDF, and its act.")
class InspectionReport:
    number: str
    pdf: str = strawberry.field(description="In base64.")
    act_id: strawberry.ID = strawberry.field(description="The act by which it was recorded.")
    act_hash: str = strawberry.field(description="The act's SHA-256, which the PDF shows and a seal holds.")


@output(description="A fact to be asked for or measured (fato).")
class AskedFact:
    code: str
    ask: str
    type: str
    unit: str | None


@output(description="One thing that an inspection looks at (item de vistoria), with its articles.")
class ChecklistItem:
    rule: str
    kind: str
    title: str
    ask: str
    articles: list[str]
    facts: list[AskedFact]
    infraction: str | None = strawberry.field(description="What missing it draws.")
    item: str | None = strawberry.field(description="An item of equipment, to be found on the vehicle.")
    paper: str | None = strawberry.field(description="A paper, to be on file.")
    judged: bool = strawberry.field(description="The inspector judges it: approved or rejected by the rule's code.")


@output(description="Something approved on a vehicle (publicidade …).")
class Approval(Node):
    number: str
    matter: str
    contents: list[str]
    since: date | None
    until: date | None
    version: int


@output(description="A driver's enrolment with a holder (inscrição, registro de condutor); its number is the card's.")
class Enrolment(Node):
    number: str
    category: str
    role: str
    holder_name: str
    since: date | None
    until: date | None
    employed: bool | None
    version: int


@output(description="Days on which a driver may not drive (suspensão, cassação do registro).")
class DriverBar:
    what: str = strawberry.field(description="suspended, struck_off.")
    since: date | None
    until: date | None


@output(description="A driver with all that is known of their standing (ficha do condutor).")
class DriverFile:
    id: strawberry.ID
    driver: Driver
    suspended: bool = strawberry.field(description="On the day asked, also one who is struck off.")
    enrolments: list[Enrolment]
    bars: list[DriverBar]
    papers: list[Paper]
    deadlines: list[Deadline]


@output(description="A vehicle with all that is known of its service (ficha do veículo).")
class VehicleFile:
    id: strawberry.ID
    vehicle: Vehicle
    permit_number: str | None
    category: str | None
    stay: Decision | None = strawberry.field(description="Until when it may serve (idade máxima).")
    due: list[Decision] = strawberry.field(description="When each inspection is due (vistoria, aferição).")
    inspections: list[Inspection]
    approvals: list[Approval]
    papers: list[Paper]
    deadlines: list[Deadline]


@output(description="A vehicle's sale (venda), with what the law said of it.")
class VehicleSale(Node):
    vehicle: Vehicle
    sold_on: date
    plate_released_on: date | None = strawberry.field(description="The rental plate written off (baixa).")
    answer: Decision | None = strawberry.field(description="It names the infraction, where the sale is one.")


@output(description="One thing of a record (prontuário): what, when, by which act and under which articles.")
class RecordEntry:
    id: strawberry.ID
    day: date
    code: str
    title: str
    number: str | None
    state: str | None
    articles: list[str]
    message: str | None = strawberry.field(description="Of the decision on which it rests.")
    kind: str = strawberry.field(
        description="act, deadline, paper, permit, licence, fine, inspection, approval, enrolment."
    )
    subject_id: strawberry.ID | None = strawberry.field(description="What it is about.")
    until: date | None = strawberry.field(description="Its last day, or that of the next inspection.")
    act_id: strawberry.ID | None = strawberry.field(description="The act that made it.")
    verb: str | None
    office: str | None
    at: datetime | None
