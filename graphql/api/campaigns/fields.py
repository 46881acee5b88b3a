"""Campaigns (recadastramento): opened, attended, closed; who has come and who has not."""

from collections.abc import Awaitable, Callable, Sequence
from datetime import date
from typing import Annotated, Any
from uuid import UUID

import strawberry
from sqlalchemy import Row
from strawberry.types import Info

from api.context import Context
from api.importing.types import Job, job_of
from api.register.inputs import REQUEST, UNSET
from api.register.mutations import No
from api.register.queries import UUID_KEY, office_reader
from api.selection import Selection
from api.types.connections import Connection, Page
from api.types.nodes import Node
from api.types.output import output
from api.types.scalars import global_id, read_id
from services.campaigns import attending, opening, store
from services.database import Reader, Transaction
from services.jobs import store as jobs


@output(description="A call to all of a group (campanha, recadastramento), and how many came.")
class CampaignRun(Node):
    rule: str
    title: str
    whom: str = strawberry.field(description="holders, drivers, vehicles")
    edition: int
    opened_on: date
    closed_on: date | None
    version: int
    waiting: int = strawberry.field(default=0, description="Called, their term still running (convocados).")
    attended: int = 0
    late: int = 0
    missed: int = 0
    job: Job | None = strawberry.field(default=None, description="That calls them.")


@output(description="Who is called (convocado): a permit, or one of its drivers.")
class CampaignCall(Node):
    name: str
    permit_number: str
    category: str
    of_driver: bool
    state: str = strawberry.field(description="called, attended, late, missed")
    last_day: date
    attended_on: date | None
    infraction: str | None = strawberry.field(description="What missing it is.")


@strawberry.input(description="A campaign of the law to open (abrir campanha).")
class OpenCampaignInput:
    code: str
    on: date | None = UNSET
    request_id: str | None = strawberry.field(default=UNSET, description=REQUEST)


@strawberry.input(description="Someone who was called came (registrar comparecimento).")
class AttendCampaignInput:
    summons_id: strawberry.ID
    on: date | None = UNSET
    judged: bool = strawberry.field(
        default=False, description="The office has decided what the law leaves to its judgement."
    )
    request_id: str | None = strawberry.field(default=UNSET, description=REQUEST)


@strawberry.input(description="A campaign to close (encerrar campanha).")
class CloseCampaignInput:
    campaign_id: strawberry.ID
    version: int | None = UNSET
    on: date | None = UNSET
    request_id: str | None = strawberry.field(default=UNSET, description=REQUEST)


CampaignResult = Annotated[CampaignRun | No, strawberry.union("CampaignResult")]
CampaignCallResult = Annotated[CampaignCall | No, strawberry.union("CampaignCallResult")]


async def campaigns_of(tx: Reader, rows: Sequence[Row[Any]], wanted: Selection) -> list[CampaignRun]:
    ids = [row.id for row in rows]
    counts = await store.counts(tx, ids, tx.today)
    newest = await jobs.latest_of(tx, "campaign", ids) if "job" in wanted else {}
    return [_campaign(row, counts[row.id], newest.get(row.id)) for row in rows]


def _campaign(row: Row[Any], counted: dict[str, int], job: Row[Any] | None) -> CampaignRun:
    return CampaignRun(
        id=global_id("campaign", row.id),
        rule=row.rule,
        title=row.title,
        whom=row.whom,
        edition=row.edition,
        opened_on=row.opened_on,
        closed_on=row.closed_on,
        version=row.version,
        waiting=counted.get("called", 0),
        attended=counted.get("attended", 0),
        late=counted.get("late", 0),
        missed=counted.get("missed", 0),
        job=job_of(job) if job else None,
    )


def call_of(row: Row[Any]) -> CampaignCall:
    return CampaignCall(
        id=global_id("summons", row.id),
        name=row.name,
        permit_number=row.number,
        category=row.category,
        of_driver=row.driver_id is not None,
        state=row.state,
        last_day=row.last_day,
        attended_on=row.attended_on,
        infraction=row.infraction,
    )


async def campaign_by(tx: Reader, id: UUID, wanted: Selection) -> CampaignRun:
    """Raises NotFound."""
    (found,) = await campaigns_of(tx, [await store.campaign(tx, id)], wanted)
    return found


def campaign_asked(info: Info[Context, None]) -> Callable[[Transaction, UUID], Awaitable[CampaignRun]]:
    wanted = Selection.of(info)

    async def load(tx: Transaction, id: UUID) -> CampaignRun:
        return await campaign_by(tx, id, wanted)

    return load


async def call_by(tx: Reader, id: UUID) -> CampaignCall:
    return call_of(await store.call(tx, id, tx.today))


@strawberry.type
class CampaignQuery:
    @strawberry.field(description="Campaigns of the town, the newest first (campanhas); for offices.")
    async def campaigns(
        self, info: Info[Context, None], first: int | None = None, after: str | None = None
    ) -> Connection[CampaignRun]:
        tx = await office_reader(info.context)
        page = Page.of(first, after, keys=UUID_KEY)
        rows = await store.page(tx, page.limit, page.after[0] if page.after else None)
        nodes = await campaigns_of(tx, rows, Selection.of(info).under("edges", "node"))
        return page.connection([(node, (row.id,)) for node, row in zip(nodes, rows, strict=True)])

    @strawberry.field(description="Who is called by a campaign, who came and who did not (convocados, faltosos).")
    async def campaign_calls(
        self,
        info: Info[Context, None],
        campaign_id: strawberry.ID,
        first: int | None = None,
        after: str | None = None,
        state: str | None = None,
    ) -> Connection[CampaignCall]:
        tx = await office_reader(info.context)
        page = Page.of(first, after, keys=UUID_KEY)
        campaign = await store.campaign(tx, read_id(campaign_id, "campaign").key)
        later = page.after[0] if page.after else None
        rows = await store.calls(tx, campaign.id, tx.today, page.limit, later, state)
        return page.connection([(call_of(row), (row.id,)) for row in rows])


@strawberry.type
class CampaignMutation:
    @strawberry.mutation(description="Open a campaign that the law has (abrir recadastramento); a worker calls them.")
    async def open_campaign(self, info: Info[Context, None], input: OpenCampaignInput) -> CampaignResult:
        return await info.context.perform(opening.open_campaign, input, load=campaign_asked(info))

    @strawberry.mutation(description="Someone who was called came with their papers (comparecimento).")
    async def attend_campaign(self, info: Info[Context, None], input: AttendCampaignInput) -> CampaignCallResult:
        return await info.context.perform(attending.attend_campaign, input, load=call_by)

    @strawberry.mutation(description="Close a campaign (encerrar recadastramento).")
    async def close_campaign(self, info: Info[Context, None], input: CloseCampaignInput) -> CampaignResult:
        return await info.context.perform(attending.close_campaign, input, load=campaign_asked(info))
