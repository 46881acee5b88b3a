"""The mutations of enforcement: each is one use case in one transaction, and its noes are answers."""

from collections.abc import Awaitable, Callable
from typing import Annotated, Any
from uuid import UUID

import strawberry
from strawberry.types import Info

from api.context import Context
from api.enforcement import loading
from api.enforcement.inputs import (
    AnswerComplaintInput,
    ApplyPenaltiesInput,
    DismissOccurrenceInput,
    FileComplaintInput,
    IdentifyOffenderInput,
    RecordOccurrenceInput,
    TryComplaintInput,
    TryOccurrenceInput,
)
from api.enforcement.types import Complaint, ComplaintReceipt, Occurrence
from api.register.mutations import No
from api.selection import Selection
from services.access import Actor
from services.database import Transaction
from services.enforcement.complaints import answering, receiving
from services.enforcement.complaints import store as complaints
from services.enforcement.occurrences import deciding, identifying, recording, store, trying

OccurrenceResult = Annotated[Occurrence | No, strawberry.union("OccurrenceResult")]
FileComplaintResult = Annotated[ComplaintReceipt | No, strawberry.union("FileComplaintResult")]
ComplaintResult = Annotated[Complaint | No, strawberry.union("ComplaintResult")]


def occurrence_asked(info: Info[Context, None]) -> Callable[[Transaction, UUID], Awaitable[Occurrence]]:
    """Shows the record with what the mutation selects of it."""
    wanted = Selection.of(info)

    async def load(tx: Transaction, id: UUID) -> Occurrence:
        (made,) = await loading.occurrences_of(tx, [await store.occurrence(tx, id)], wanted)
        return made

    return load


async def complaint_by(tx: Transaction, id: UUID) -> Complaint:
    return loading.complaint_of(await complaints.complaint(tx, id), tx.town.zone)


async def filed(tx: Transaction, actor: Actor, **given: Any) -> ComplaintReceipt:
    """With the norms that its articles name."""
    made = await receiving.file_complaint(tx, actor, **given)
    return loading.receipt_of(made, (await tx.law(on=tx.today)).norms)


@strawberry.type
class EnforcementMutation:
    @strawberry.mutation(
        description="Record what was seen and apply what the law draws, where the inspector's office may "
        "(registrar ocorrência)."
    )
    async def record_occurrence(self, info: Info[Context, None], input: RecordOccurrenceInput) -> OccurrenceResult:
        return await info.context.perform(recording.record_occurrence, input, load=occurrence_asked(info))

    @strawberry.mutation(description="Apply what a record draws, as the competent office (aplicar penalidade).")
    async def apply_penalties(self, info: Info[Context, None], input: ApplyPenaltiesInput) -> OccurrenceResult:
        return await info.context.perform(deciding.apply_penalties, input, load=occurrence_asked(info))

    @strawberry.mutation(description="Nothing comes of a record (arquivar registro de ocorrência).")
    async def dismiss_occurrence(self, info: Info[Context, None], input: DismissOccurrenceInput) -> OccurrenceResult:
        return await info.context.perform(deciding.dismiss_occurrence, input, load=occurrence_asked(info))

    @strawberry.mutation(
        description="Whose a fact is becomes known (identificar o autuado): record, penalties and case."
    )
    async def identify_offender(self, info: Info[Context, None], input: IdentifyOffenderInput) -> OccurrenceResult:
        return await info.context.perform(identifying.identify_offender, input, load=occurrence_asked(info))

    @strawberry.mutation(description="A record goes to a process (abrir processo): one file for all of one fact.")
    async def try_occurrence(self, info: Info[Context, None], input: TryOccurrenceInput) -> OccurrenceResult:
        return await info.context.perform(trying.try_occurrence, input, load=occurrence_asked(info))

    @strawberry.mutation(description="Complain (registrar reclamação): anybody, without an account. Public.")
    async def file_complaint(self, info: Info[Context, None], input: FileComplaintInput) -> FileComplaintResult:
        return await info.context.perform(filed, input, answer=lambda made: made)

    @strawberry.mutation(description="Answer a complaint (responder reclamação).")
    async def answer_complaint(self, info: Info[Context, None], input: AnswerComplaintInput) -> ComplaintResult:
        return await info.context.perform(answering.answer_complaint, input, load=complaint_by)

    @strawberry.mutation(description="A founded complaint goes to a process (abrir processo de reclamação).")
    async def try_complaint(self, info: Info[Context, None], input: TryComplaintInput) -> ComplaintResult:
        return await info.context.perform(answering.try_complaint, input, load=complaint_by)
