"""The mutations of enforcement: each is one use case in one transaction, and its noes are answers."""

from collections.abc import Awaitable, Callable
from typing import Annotated
from uuid import UUID

import strawberry
from strawberry.types import Info

from api.context import Context
from api.enforcement import loading
from api.enforcement.inputs import ApplyPenaltiesInput, DismissOccurrenceInput, RecordOccurrenceInput
from api.enforcement.types import Occurrence
from api.register.mutations import No
from api.selection import Selection
from services.database import Transaction
from services.enforcement.occurrences import deciding, recording, store

OccurrenceResult = Annotated[Occurrence | No, strawberry.union("OccurrenceResult")]


def occurrence_asked(info: Info[Context, None]) -> Callable[[Transaction, UUID], Awaitable[Occurrence]]:
    """Shows the record with what the mutation selects of it."""
    wanted = Selection.of(info)

    async def load(tx: Transaction, id: UUID) -> Occurrence:
        (made,) = await loading.occurrences_of(tx, [await store.occurrence(tx, id)], wanted)
        return made

    return load


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
