"""Records, complaints and conduct: lists for offices, and one's own."""

from datetime import date
from uuid import UUID

import strawberry
from strawberry.types import Info

from api.context import Context
from api.enforcement import loading
from api.enforcement.types import Complaint, ComplaintStatus, Conduct, Evidence, Occurrence, Penalty
from api.nodes import loads
from api.register.queries import UUID_KEY, id_told, office_reader
from api.selection import Selection
from api.types.connections import Connection, Page
from api.types.scalars import read_id
from services.database import Reader
from services.enforcement import conduct as record
from services.enforcement import store as penalties
from services.enforcement.complaints import receiving
from services.enforcement.complaints import store as complaints
from services.enforcement.occurrences import reading, store
from services.evidence import store as evidence


@loads("occurrence")
async def occurrence_by(tx: Reader, id: UUID, wanted: Selection) -> Occurrence:
    (found,) = await loading.occurrences_of(tx, [await store.occurrence(tx, id)], wanted)
    return found


@loads("penalty")
async def penalty_by(tx: Reader, id: UUID, wanted: Selection) -> Penalty:
    return loading.penalty_of(await penalties.penalty(tx, id))


@loads("evidence")
async def evidence_by(tx: Reader, id: UUID, wanted: Selection) -> Evidence:
    return loading.evidence_of(await evidence.evidence(tx, id), tx.town.zone)


@loads("complaint")
async def complaint_by(tx: Reader, id: UUID, wanted: Selection) -> Complaint:
    return loading.complaint_of(await complaints.complaint(tx, id), tx.town.zone)


@strawberry.type
class EnforcementQuery:
    @strawberry.field(
        description="Records of what was seen, the newest first (registros de ocorrência); for offices. `state`: open, "
        "applied, to_be_tried, dismissed."
    )
    async def occurrences(
        self,
        info: Info[Context, None],
        first: int | None = None,
        after: str | None = None,
        state: str | None = None,
        plate: str | None = None,
    ) -> Connection[Occurrence]:
        tx = await office_reader(info.context)
        page = Page.of(first, after, keys=UUID_KEY)
        last = page.after[0] if page.after else None
        rows = await store.page(tx, page.limit, state=state, plate=plate, after=last)
        nodes = await loading.occurrences_of(tx, rows, Selection.of(info).under("edges", "node"))
        return page.connection([(node, (row.id,)) for node, row in zip(nodes, rows, strict=True)])

    @strawberry.field(description="A record (registro de ocorrência); for offices, and whom it is about.")
    async def occurrence(self, info: Info[Context, None], id: strawberry.ID) -> Occurrence:
        actor, tx = await info.context.actor(), await info.context.reader()
        row = await reading.theirs(tx, actor, id_told(actor, id, "occurrence"))
        (found,) = await loading.occurrences_of(tx, [row], Selection.of(info))
        return found

    @strawberry.field(
        description="Complaints of the public, the newest first (reclamações); for offices. `answered`: or still not."
    )
    async def complaints(
        self,
        info: Info[Context, None],
        first: int | None = None,
        after: str | None = None,
        answered: bool | None = None,
    ) -> Connection[Complaint]:
        tx = await office_reader(info.context)
        page = Page.of(first, after, keys=UUID_KEY)
        rows = await complaints.page(tx, page.limit, answered=answered, after=page.after[0] if page.after else None)
        return page.connection([(loading.complaint_of(row, tx.town.zone), (row.id,)) for row in rows])

    @strawberry.field(
        description="What became of a complaint, for who has its number and secret (acompanhar reclamação). Public."
    )
    async def follow_complaint(self, info: Info[Context, None], number: str, secret: str) -> ComplaintStatus:
        tx = await info.context.reader()
        row = await receiving.follow(tx, number=number, secret=secret)
        return loading.status_of(row, (await tx.law(on=tx.today)).norms)

    @strawberry.field(
        description="Warnings, fines, points and suspensions held against a permit's holder, a holder or a driver on a "
        "day, and what the law counts of them (prontuário de penalidades); for offices, and one's own."
    )
    async def conduct(self, info: Info[Context, None], subject_id: strawberry.ID, on: date | None = None) -> Conduct:
        actor, tx, subject = await info.context.actor(), await info.context.reader(), read_id(subject_id)
        found = await record.conduct(tx, actor, kind=subject.kind, id=subject.key, on=on or tx.today)
        return loading.conduct_of(found, (await tx.law(on=found.on)).norms)
