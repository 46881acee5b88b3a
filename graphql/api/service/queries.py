"""What is asked of stands, rosters and tariffs: by the public, by holders of their own, by offices of all."""

from datetime import date
from uuid import UUID

import strawberry
from strawberry.types import Info

from api.arguments import arguments_of
from api.context import Context
from api.register.queries import UUID_KEY, office_reader
from api.selection import Selection
from api.service import loading
from api.service.inputs import CheckRosterInput
from api.service.types import OnDuty, Roster, RosterDraft, RosterSwap, StandSlots, TariffReview
from api.types.connections import Connection, Page
from api.types.decisions import Decision
from api.types.scalars import LocalDateTime, read_id
from services.access import Actor
from services.database import Reader
from services.errors import Forbidden, NotFound
from services.registry.facts import facts
from services.stands import changes, listing
from services.stands.rosters import agreeing, checking, drafting
from services.stands.rosters import store as rosters
from services.tariffs import asking
from services.tariffs import store as tariffs
from tenants.law.decide import decide
from tenants.law.decision import Decision as LawDecision
from tenants.law.law import Law
from tenants.law.questions import AgreementQuestion, StandUseQuestion


async def mine(context: Context) -> tuple[Reader, list[UUID]]:
    """The permits of whoever asks. Raises Forbidden for one who is no person of the register."""
    actor: Actor = await context.actor()
    if actor.person_id is None and actor.company_id is None:
        raise Forbidden("hold")
    tx = await context.reader()
    return tx, await rosters.mine(tx, person=actor.person_id, company=actor.company_id)


def shown(decision: LawDecision, law: Law) -> Decision:
    return Decision.of(decision.plain(), law.norms)


@strawberry.type
class StandQuery:
    @strawberry.field(
        description="Stands of a day with slots, taken and free (pontos e vagas); who waits: for offices."
    )
    async def stands(
        self, info: Info[Context, None], category: str | None = None, on: date | None = None
    ) -> list[StandSlots]:
        wanted = Selection.of(info)
        tx = await office_reader(info.context) if "waiting" in wanted else await info.context.reader()
        law = await tx.law(on=on or tx.today)
        return await loading.stands_of(tx, law, await listing.stands(tx, law, category), wanted)

    @strawberry.field(description="May one whose own stand is `own` wait at a stand at this moment (uso do ponto)?")
    async def stand_use(
        self, info: Info[Context, None], category: str, stand: str, at: LocalDateTime, own: str | None = None
    ) -> Decision:
        tx: Reader = await info.context.reader()
        law = await tx.law(on=at.date())
        return shown(decide(law, StandUseQuestion(category, stand, at, own), facts(law)), law)

    @strawberry.field(description="What the law wants before a stand is created, moved or closed (ato de ponto).")
    async def stand_act(
        self,
        info: Info[Context, None],
        category: str,
        act: str,
        met: list[str] | None = None,
        fixed: bool = True,
        on: date | None = None,
    ) -> Decision:
        tx: Reader = await info.context.reader()
        law = await tx.law(on=on or tx.today)
        if act not in changes.SAID:
            raise NotFound("act", act)
        return shown(changes.stand_act(law, act, category, met=met or (), fixed=fixed), law)  # type: ignore[arg-type]


@strawberry.type
class RosterQuery:
    @strawberry.field(description="Rosters, the newest first (escalas); for offices.")
    async def rosters(
        self,
        info: Info[Context, None],
        category: str | None = None,
        first: int | None = None,
        after: str | None = None,
        on: date | None = None,
    ) -> Connection[Roster]:
        tx = await office_reader(info.context)
        page = Page.of(first, after, keys=UUID_KEY)
        start = page.after[0] if page.after else None
        rows = await rosters.page(tx, on or tx.today, page.limit, category=category, after=start)
        nodes = await loading.rosters_of(tx, rows, Selection.of(info).under("edges", "node"))
        return page.connection([(node, (row.id,)) for node, row in zip(nodes, rows, strict=True)])

    @strawberry.field(description="The rosters that bind a permit of whoever asks, the newest first (minhas escalas).")
    async def my_rosters(
        self, info: Info[Context, None], first: int | None = None, after: str | None = None
    ) -> Connection[Roster]:
        tx, own = await mine(info.context)
        page = Page.of(first, after, keys=UUID_KEY)
        start = page.after[0] if page.after else None
        rows = await rosters.page(tx, tx.today, page.limit, after=start, binding=own)
        nodes = await loading.rosters_of(tx, rows, Selection.of(info).under("edges", "node"))
        return page.connection([(node, (row.id,)) for node, row in zip(nodes, rows, strict=True)])

    @strawberry.field(description="Swaps that nobody has answered, asked by or of whoever asks (permutas pendentes).")
    async def my_swaps(self, info: Info[Context, None]) -> list[RosterSwap]:
        tx, own = await mine(info.context)
        return [loading.swap_of(row) for row in await rosters.swaps_of(tx, own)]

    @strawberry.field(
        description="What a roster breaks (conferir escala): the hours without enough vehicles, who works too little."
    )
    async def check_roster(self, info: Info[Context, None], input: CheckRosterInput) -> Decision:
        if (await info.context.actor()).kind == "public":
            raise Forbidden("read")
        tx: Reader = await info.context.reader()
        law = await tx.law(on=input.since)
        plan = await checking.plan_of(tx, law, **arguments_of(input))
        checking.demands(law, plan)
        return shown(await checking.check(tx, law, plan), law)

    @strawberry.field(description="What a stored roster breaks, and who has still to agree (situação da escala).")
    async def roster_standing(self, info: Info[Context, None], roster_id: strawberry.ID) -> Decision:
        tx = await office_reader(info.context)
        row = await rosters.roster(tx, read_id(roster_id, "roster").key, tx.today)
        law = await tx.law(on=row.since)
        return shown(await agreeing.judged(tx, law, await checking.plan_in(tx, row), row.id), law)

    @strawberry.field(description="The draft of the decree that sets a roster without agreement (minuta); for offices.")
    async def roster_decree(self, info: Info[Context, None], roster_id: strawberry.ID) -> RosterDraft:
        tx = await office_reader(info.context)
        row = await rosters.roster(tx, read_id(roster_id, "roster").key, tx.today)
        draft = await drafting.draft(tx, row)
        return RosterDraft(
            office=draft.office, text=draft.text, decision=shown(draft.decision, await tx.law(on=row.since))
        )

    @strawberry.field(description="Who is at work at a moment of the town's clock (táxis em serviço). Public.")
    async def on_duty(self, info: Info[Context, None], category: str, at: LocalDateTime) -> list[OnDuty]:
        tx: Reader = await info.context.reader()
        law = await tx.law(on=at.date())
        return [loading.on_duty_of(law, row) for row in await rosters.on_duty(tx, category, at)]


@strawberry.type
class TariffQuery:
    @strawberry.field(description="Reviews of tariffs, the newest first (revisões tarifárias); for offices.")
    async def tariff_reviews(
        self,
        info: Info[Context, None],
        category: str | None = None,
        first: int | None = None,
        after: str | None = None,
    ) -> Connection[TariffReview]:
        tx = await office_reader(info.context)
        page = Page.of(first, after, keys=UUID_KEY)
        rows = await tariffs.page(tx, page.limit, category=category, after=page.after[0] if page.after else None)
        nodes = await loading.reviews_of(tx, rows, Selection.of(info).under("edges", "node"))
        return page.connection([(node, (row.id,)) for node, row in zip(nodes, rows, strict=True)])

    @strawberry.field(description="Until when a category's tariff is to be reviewed (revisão da tarifa). Public.")
    async def tariff_due(self, info: Info[Context, None], category: str, on: date | None = None) -> Decision:
        tx: Reader = await info.context.reader()
        law = await tx.law(on=on or tx.today)
        asking.policy_of(law, category)
        return shown(asking.review_due(law, await tariffs.tariff(tx, category), category), law)

    @strawberry.field(description="May the tariff be set, with what has been done for a review? What is still wanted.")
    async def tariff_change(
        self,
        info: Info[Context, None],
        tariff_review_id: strawberry.ID,
        surcharge: bool = False,
        by_law: bool = False,
        on: date | None = None,
    ) -> Decision:
        tx = await office_reader(info.context)
        review = await tariffs.review(tx, read_id(tariff_review_id, "tariff_review").key)
        law = await tx.law(on=on or tx.today)
        steps = await tariffs.steps(tx, [review.id])
        return shown(asking.change(law, review.category, steps, surcharge=surcharge, by_law=by_law), law)

    @strawberry.field(description="May passenger and driver agree on a price (preço combinado)? Public.")
    async def price_agreement(
        self,
        info: Info[Context, None],
        category: str,
        raises: bool,
        occasion: str | None = None,
        on: date | None = None,
    ) -> Decision:
        tx: Reader = await info.context.reader()
        law = await tx.law(on=on or tx.today)
        return shown(decide(law, AgreementQuestion(category, raises, occasion), facts(law)), law)
