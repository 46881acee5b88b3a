"""The mutations of stands, rosters and tariffs: each is one use case in one transaction."""

from collections.abc import Awaitable, Callable
from typing import Annotated
from uuid import UUID

import strawberry
from strawberry.types import Info

from api.context import Context
from api.register.mutations import No
from api.selection import Selection
from api.service import loading
from api.service.inputs import (
    AnswerRosterInput,
    AnswerSwapInput,
    ApproveRosterInput,
    AskSwapInput,
    CloseRosterInput,
    CloseStandInput,
    CreateStandInput,
    MoveStandInput,
    OpenTariffReviewInput,
    ProposeRosterInput,
    RecordTariffStepInput,
    RefuseTariffReviewInput,
    SetTariffInput,
)
from api.service.types import Roster, RosterSwap, StandChange, TariffReview
from services.database import Transaction
from services.stands import changes
from services.stands.rosters import agreeing, proposing, swapping
from services.stands.rosters import store as rosters
from services.tariffs import reviewing, setting

StandChangeResult = Annotated[StandChange | No, strawberry.union("StandChangeResult")]
RosterResult = Annotated[Roster | No, strawberry.union("RosterResult")]
RosterSwapResult = Annotated[RosterSwap | No, strawberry.union("RosterSwapResult")]
TariffReviewResult = Annotated[TariffReview | No, strawberry.union("TariffReviewResult")]


def roster_asked(info: Info[Context, None]) -> Callable[[Transaction, UUID], Awaitable[Roster]]:
    """Shows the roster with what the mutation selects of it."""
    wanted = Selection.of(info)

    async def load(tx: Transaction, id: UUID) -> Roster:
        return await loading.roster_by(tx, id, wanted, tx.today)

    return load


async def change_by(tx: Transaction, publication: UUID) -> StandChange:
    return loading.change_of(await changes.made_by(tx, publication))


async def swap_by(tx: Transaction, id: UUID) -> RosterSwap:
    return loading.swap_of(await rosters.swap(tx, id))


def review_asked(info: Info[Context, None]) -> Callable[[Transaction, UUID], Awaitable[TariffReview]]:
    wanted = Selection.of(info)

    async def load(tx: Transaction, id: UUID) -> TariffReview:
        return await loading.review_by(tx, id, wanted)

    return load


@strawberry.type
class ServiceMutation:
    @strawberry.mutation(description="Create a stand (criar ponto), after what the law wants before.")
    async def create_stand(self, info: Info[Context, None], input: CreateStandInput) -> StandChangeResult:
        return await info.context.perform(changes.create_stand, input, load=change_by)

    @strawberry.mutation(description="Give a stand another place or number of slots (remanejar ponto).")
    async def move_stand(self, info: Info[Context, None], input: MoveStandInput) -> StandChangeResult:
        return await info.context.perform(changes.move_stand, input, load=change_by)

    @strawberry.mutation(description="Close a stand (extinguir ponto) and move those who wait there.")
    async def close_stand(self, info: Info[Context, None], input: CloseStandInput) -> StandChangeResult:
        return await info.context.perform(changes.close_stand, input, load=change_by)

    @strawberry.mutation(description="Propose a roster (propor escala): the one given, or one that a solver finds.")
    async def propose_roster(self, info: Info[Context, None], input: ProposeRosterInput) -> RosterResult:
        return await info.context.perform(proposing.propose_roster, input, load=roster_asked(info))

    @strawberry.mutation(description="Say whether a holder agrees to a proposed roster (anuir à escala).")
    async def answer_roster(self, info: Info[Context, None], input: AnswerRosterInput) -> RosterResult:
        return await info.context.perform(agreeing.answer_roster, input, load=roster_asked(info))

    @strawberry.mutation(description="Approve a roster (homologar escala): agreed upon, or by decree.")
    async def approve_roster(self, info: Info[Context, None], input: ApproveRosterInput) -> RosterResult:
        return await info.context.perform(agreeing.approve_roster, input, load=roster_asked(info))

    @strawberry.mutation(description="Withdraw a proposed roster, or end an approved one (encerrar escala).")
    async def close_roster(self, info: Info[Context, None], input: CloseRosterInput) -> RosterResult:
        return await info.context.perform(agreeing.close_roster, input, load=roster_asked(info))

    @strawberry.mutation(description="Ask another holder to change shifts (pedir permuta).")
    async def ask_swap(self, info: Info[Context, None], input: AskSwapInput) -> RosterSwapResult:
        return await info.context.perform(swapping.ask_swap, input, load=swap_by)

    @strawberry.mutation(description="Agree to a swap, or not (responder permuta): then the shifts change hands.")
    async def answer_swap(self, info: Info[Context, None], input: AnswerSwapInput) -> RosterResult:
        return await info.context.perform(swapping.answer_swap, input, load=roster_asked(info))

    @strawberry.mutation(description="Ask for a review of a tariff (pedir revisão tarifária).")
    async def open_tariff_review(self, info: Info[Context, None], input: OpenTariffReviewInput) -> TariffReviewResult:
        return await info.context.perform(reviewing.open_review, input, load=review_asked(info))

    @strawberry.mutation(
        description="Record what the law wants before a tariff (registrar ouvida, aprovação, documento)."
    )
    async def record_tariff_step(self, info: Info[Context, None], input: RecordTariffStepInput) -> TariffReviewResult:
        return await info.context.perform(reviewing.record_step, input, load=review_asked(info))

    @strawberry.mutation(description="Leave the tariff as it is (indeferir revisão).")
    async def refuse_tariff_review(
        self, info: Info[Context, None], input: RefuseTariffReviewInput
    ) -> TariffReviewResult:
        return await info.context.perform(reviewing.refuse_review, input, load=review_asked(info))

    @strawberry.mutation(description="Publish a table of tariffs (fixar tarifa), once all is done that the law wants.")
    async def set_tariff(self, info: Info[Context, None], input: SetTariffInput) -> TariffReviewResult:
        return await info.context.perform(setting.set_tariff, input, load=review_asked(info))
