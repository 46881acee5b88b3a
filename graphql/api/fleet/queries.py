"""Files of vehicles and drivers, inspections and what they look at, and the record; for offices, and one's own."""

from datetime import date
from uuid import UUID

import strawberry
from strawberry.types import Info

from api.context import Context
from api.fleet import loading
from api.fleet.types import ChecklistItem, DriverFile, Inspection, InspectionReport, RecordEntry, VehicleFile
from api.register.queries import UUID_KEY, id_told, office_reader
from api.selection import Selection
from api.types.connections import Connection, Page
from api.types.scalars import global_id, read_id
from services.errors import Invalid
from services.fleet import store as fleet
from services.inspections import reporting
from services.inspections import store as inspections
from services.inspections.checklist import checklist
from services.records import reading
from services.records import store as records
from services.registry import store as registry

RECORD_KEY = (date, UUID)


@strawberry.type
class FleetQuery:
    @strawberry.field(description="A vehicle with all that is known of its service (ficha do veículo); for offices.")
    async def vehicle_file(self, info: Info[Context, None], id: strawberry.ID, on: date | None = None) -> VehicleFile:
        tx = await office_reader(info.context)
        return await loading.vehicle_file(tx, read_id(id, "vehicle").key, Selection.of(info), on or tx.today)

    @strawberry.field(description="A driver with their standing (ficha do condutor); for offices, and one's own.")
    async def driver_file(self, info: Info[Context, None], id: strawberry.ID, on: date | None = None) -> DriverFile:
        actor, tx = await info.context.actor(), await info.context.reader()
        key = id_told(actor, id, "driver")
        owner = await records.owner(tx, "driver", key)
        actor.must_unless_own("read", person_id=owner.person_id if owner else None, company_id=None)
        return await loading.driver_file(tx, key, Selection.of(info), on or tx.today)

    @strawberry.field(description="Inspections in the order of their entry (vistorias); for offices.")
    async def inspections(
        self,
        info: Info[Context, None],
        first: int | None = None,
        after: str | None = None,
        vehicle_id: strawberry.ID | None = None,
        waiting_until: date | None = None,
    ) -> Connection[Inspection]:
        tx = await office_reader(info.context)
        page = Page.of(first, after, keys=UUID_KEY)
        vehicle = read_id(vehicle_id, "vehicle").key if vehicle_id else None
        if vehicle is not None:
            await registry.must_exist(tx, "vehicle", vehicle)
        rows = await inspections.page(
            tx,
            page.limit,
            vehicle=vehicle,
            waiting=waiting_until,
            after=page.after[0] if page.after else None,
        )
        return page.connection([(loading.inspection_of(row), (row.id,)) for row in rows])

    @strawberry.field(
        description="What an inspection of this vehicle looks at, by the law of the day (itens da vistoria); for "
        "offices. `category`: of a vehicle that is not in service yet."
    )
    async def inspection_checklist(
        self,
        info: Info[Context, None],
        vehicle_id: strawberry.ID,
        category: str | None = None,
        on: date | None = None,
    ) -> list[ChecklistItem]:
        tx = await office_reader(info.context)
        law = await tx.law(on=on or tx.today)
        row = await fleet.serving(tx, read_id(vehicle_id, "vehicle").key, law.on)
        holder = row.permit_holder_id or row.holder_id
        kind = (await registry.candidates(tx, [holder]))[holder].kind if holder else ""
        asked = row.category or category
        if not asked:
            raise Invalid("category", "missing", "O veículo não está em serviço: informe a categoria.")
        return [loading.item_of(item) for item in checklist(law, asked, kind)]

    @strawberry.field(
        description="The report of a recorded inspection as a PDF (laudo, termo de vistoria); for offices, and for "
        "whose vehicle it was."
    )
    async def inspection_report(self, info: Info[Context, None], id: strawberry.ID) -> InspectionReport:
        actor, tx = await info.context.actor(), await info.context.reader()
        made = await reporting.export_report(tx, actor, id_told(actor, id, "inspection"))
        return InspectionReport(
            number=made.number, pdf=made.pdf_base64, act_id=global_id("act", made.act_id), act_hash=made.act_hash
        )

    @strawberry.field(
        description="Everything about a holder, a driver or a vehicle in order of time, each with its act and articles "
        "(prontuário); for offices, and holders and drivers their own."
    )
    async def record(
        self,
        info: Info[Context, None],
        subject_id: strawberry.ID,
        first: int | None = None,
        after: str | None = None,
        on: date | None = None,
    ) -> Connection[RecordEntry]:
        actor, tx, subject = await info.context.actor(), await info.context.reader(), read_id(subject_id)
        page = Page.of(first, after, keys=RECORD_KEY)
        entries = await reading.record(
            tx, actor, kind=subject.kind, id=subject.key, on=on or tx.today, limit=page.limit, after=_place(page)
        )
        return page.connection([(loading.entry_of(entry), (entry.day, entry.id)) for entry in entries])


def _place(page: Page) -> tuple[date, UUID] | None:
    """The day and the id of the entry before."""
    if page.after is None:
        return None
    day, id = page.after
    return day, id
