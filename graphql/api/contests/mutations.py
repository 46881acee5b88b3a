"""The mutations of a call, in the order in which a selection goes: each is one use case in one transaction."""

from collections.abc import Awaitable, Callable
from typing import Annotated
from uuid import UUID

import strawberry
from strawberry.types import Info

from api.contests.inputs import (
    AwardInput,
    CallNextInput,
    DecideObjectionInput,
    EnrolCandidateInput,
    EnterSeedInput,
    FileObjectionInput,
    FreezeCallInput,
    OpenCallInput,
    PublishResultInput,
    RecordJudgementInput,
    SignAdhesionInput,
    UndoCallInput,
)
from api.contests.queries import call_by, candidate_by, objection_by
from api.contests.types import Call, CallCandidate, Objection
from api.context import Context
from api.register.mutations import No
from api.selection import Selection
from services.database import Transaction
from services.selection import awarding, calling, drawing, enrolling, freezing, objecting, signing, undoing

CallResult = Annotated[Call | No, strawberry.union("CallResult")]
CandidateResult = Annotated[CallCandidate | No, strawberry.union("CandidateResult")]
ObjectionResult = Annotated[Objection | No, strawberry.union("ObjectionResult")]


def call_asked(info: Info[Context, None]) -> Callable[[Transaction, UUID], Awaitable[Call]]:
    """Shows the call with what the mutation selects of it."""
    wanted = Selection.of(info)

    async def load(tx: Transaction, id: UUID) -> Call:
        return await call_by(tx, id, wanted)

    return load


@strawberry.type
class ContestMutation:
    @strawberry.mutation(description="Open a call for as many vacancies as the law leaves free (abrir edital).")
    async def open_call(self, info: Info[Context, None], input: OpenCallInput) -> CallResult:
        return await info.context.perform(calling.open_call, input, load=call_asked(info))

    @strawberry.mutation(description="Enrol a candidate within the term (inscrever candidato).")
    async def enrol_candidate(self, info: Info[Context, None], input: EnrolCandidateInput) -> CandidateResult:
        return await info.context.perform(enrolling.enrol_candidate, input, load=candidate_by)

    @strawberry.mutation(description="Freeze the list and publish its hash, once nobody may enrol (fechar a lista).")
    async def freeze_call(self, info: Info[Context, None], input: FreezeCallInput) -> CallResult:
        return await info.context.perform(freezing.freeze_call, input, load=call_asked(info))

    @strawberry.mutation(description="Record the judgement of the office that the law names (registrar julgamento).")
    async def record_judgement(self, info: Info[Context, None], input: RecordJudgementInput) -> CallResult:
        return await info.context.perform(freezing.record_judgement, input, load=call_asked(info))

    @strawberry.mutation(description="Enter the seed: refused before the list is published (registrar a semente).")
    async def enter_seed(self, info: Info[Context, None], input: EnterSeedInput) -> CallResult:
        return await info.context.perform(drawing.enter_seed, input, load=call_asked(info))

    @strawberry.mutation(description="Publish everybody's place and why (publicar o resultado).")
    async def publish_result(self, info: Info[Context, None], input: PublishResultInput) -> CallResult:
        return await info.context.perform(drawing.publish_result, input, load=call_asked(info))

    @strawberry.mutation(description="Object to the result, by the candidate or for them (interpor recurso).")
    async def file_objection(self, info: Info[Context, None], input: FileObjectionInput) -> ObjectionResult:
        return await info.context.perform(objecting.file_objection, input, load=objection_by)

    @strawberry.mutation(description="Decide an objection (decidir o recurso).")
    async def decide_objection(self, info: Info[Context, None], input: DecideObjectionInput) -> ObjectionResult:
        return await info.context.perform(objecting.decide_objection, input, load=objection_by)

    @strawberry.mutation(description="Award the free vacancies to those who are next (homologar e adjudicar).")
    async def award(self, info: Info[Context, None], input: AwardInput) -> CallResult:
        return await info.context.perform(awarding.award, input, load=call_asked(info))

    @strawberry.mutation(
        description="Undo a call before anybody is awarded a vacancy, as the law has it (revogar, anular o edital)."
    )
    async def undo_call(self, info: Info[Context, None], input: UndoCallInput) -> CallResult:
        return await info.context.perform(undoing.undo_call, input, load=call_asked(info))

    @strawberry.mutation(description="Call the next in line after somebody who gives up (chamar o seguinte).")
    async def call_next(self, info: Info[Context, None], input: CallNextInput) -> CandidateResult:
        return await info.context.perform(awarding.call_next, input, load=candidate_by)

    @strawberry.mutation(description="Sign the term: the permit is granted with it (assinar o termo de adesão).")
    async def sign_adhesion(self, info: Info[Context, None], input: SignAdhesionInput) -> CandidateResult:
        return await info.context.perform(signing.sign_adhesion, input, load=candidate_by)
